// This file finds pairs that depend on each other: copies, and the states of trajectories.

package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

const (
	// sketchSize is the number of values by which inputs are compared; inputs with more values are sketched, see sketch.
	sketchSize = 64
	// nearlyEqual is the distance of copies relative to a usual distance between distinct inputs, ofSize relative to the smaller
	// one: inputs far smaller than others are near each other, and yet not alike.
	nearlyEqual = 1e-3
	ofSize      = 0.05
	// clearGap is the factor between distances of changed copies and those of distinct functions, each of which leastShare of
	// the functions have, and of distinct ones at least leastNear: two of few that are near each other may be so by chance,
	// as fields of two values that are nearly constant.
	clearGap   = 8
	leastShare = 0.05
	leastNear  = 4
	// scaleSample bounds the number of inputs that determine the usual distance.
	scaleSample = 512
	// leastOrdered is the least number of inputs for which an order in time is distinguishable from chance.
	leastOrdered = 16
	// longStep is the length of a step between trajectories, relative to the median of the steps around it; farApart is
	// relative to the median distance of two inputs.
	longStep = 2.5
	farApart = 0.4
	// leastTrajectories is the least number of groups: if fewer are found, the longest are cut.
	leastTrajectories = 10

	purposeSketch draw.Purpose = "groups-sketch"
	purposeScale  draw.Purpose = "groups-scale"
)

// FindGroups labels pairs that depend on each other, see Pairs.Groups. Equal and nearly equal inputs are copies, and
// functions that lie in clusters, as those that were copied and changed a little. If the
// nearest neighbour of most inputs, copies excluded, is the input before or after, the pairs are states of trajectories
// and each trajectory is a group. A trajectory ends where a step is far longer than the steps around it. rows contains
// the numbers of the pairs in their file. Outputs are ignored. The sentence describes the groups; it is empty, and the
// labels are nil if the inputs show no dependence.
func FindGroups(pairs Pairs, rows []int) (labels []int, sentence string) {
	n := pairs.Count()
	if n < 2 {
		return nil, ""
	}
	order := First(n) // of the file
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Compare(rows[i], rows[j])
	})
	z, sizes := sketch(pairs, order)
	near := nearlyEqual * usual(z)
	first := copies(z, near, sizes)
	distinct := firstOf(z, first)
	var numbers []int // of the distinct ones in the file
	for at, i := range order {
		if first[at] == at {
			numbers = append(numbers, rows[i])
		}
	}
	segment := trajectories(distinct, numbers)
	how := "(nearly) equal to others"
	if segment == nil && !pairs.Inputs.Numbers() {
		apart, ok := gap(distinct)
		if ok {
			first = copies(z, apart, nil)
			distinct = firstOf(z, first)
			how = "much nearer to others than usual"
		}
	}
	place := placesOf(first)
	count := n - len(distinct)
	switch {
	case len(distinct) < 2 || count == 0 && segment == nil:
		return nil, ""
	case segment == nil:
		segment = First(len(distinct))
		sentence = fmt.Sprintf("inputs %s: %d of %d", how, count, n)
	default:
		sentence = fmt.Sprintf("%d pairs follow each other as the states of trajectories do", n)
		if count > 0 {
			sentence += fmt.Sprintf("; inputs (nearly) equal to others: %d", count)
		}
	}
	labels = make([]int, n)
	for at, i := range order {
		labels[i] = segment[place[first[at]]]
	}
	return labels, fmt.Sprintf("Leave-one-out by %d groups: %s.", 1+slices.Max(segment), sentence)
}

// firstOf returns the first sketch of each set of copies.
func firstOf(z [][]float64, first []int) (distinct [][]float64) {
	for at, f := range z {
		if first[at] == at {
			distinct = append(distinct, f)
		}
	}
	return distinct
}

// placesOf returns the place of each first sketch of a set of copies among all such.
func placesOf(first []int) []int {
	places := make([]int, len(first))
	count := 0
	for at := range first {
		if first[at] == at {
			places[at] = count
			count++
		}
	}
	return places
}

// gap returns a distance between those within clusters of sketches and those between clusters, if there is a clear one.
// Independent functions have neighbours at all distances.
func gap(z [][]float64) (apart float64, ok bool) {
	edges := treeOf(z)
	few := max(leastNear, int(leastShare*float64(len(edges))))
	for k := few; k+few <= len(edges); k++ {
		within := edges[k-1]
		between := edges[k]
		if within > 0 && between > clearGap*within {
			return math.Sqrt(within * between), true
		}
	}
	return 0, false
}

// Blocks labels blocks of length pairs that are consecutive in their file; rows contains their numbers.
func Blocks(rows []int, length int) []int {
	labels := make([]int, len(rows))
	for i, row := range rows {
		labels[i] = row / length
	}
	return labels
}

// sketch returns sketchSize numbers of each input, in an order: the values themselves, or sums of values with random
// signs. Distances of sketches approximate distances of inputs, each channel in units of its largest deviation. sizes are
// those of sketches of the inputs themselves, from which the others have the mean subtracted.
func sketch(pairs Pairs, order []int) (z [][]float64, sizes []float64) {
	a := pairs.Inputs
	n := pairs.Count()
	mean := a.Mean()
	V := a.Values()
	channels := a.Domain.Width()
	units := make([]float64, channels)
	for i := range n {
		for x, v := range a.At(i) {
			c := x * channels / V
			units[c] = max(units[c], math.Abs(v-mean[x]))
		}
	}
	place := make([]int, V)      // of each value in a sketch
	factor := make([]float64, V) // of each value there
	random := draw.Stream(0, purposeSketch, 0)
	for x := range V {
		place[x] = x
		factor[x] = 1
		if V > sketchSize {
			bits := random.Uint64()
			place[x] = int(bits >> 1 % sketchSize)
			factor[x] = float64(2*int(bits&1) - 1) // the sign
		}
		if unit := units[x*channels/V]; unit > 0 {
			factor[x] /= unit
		}
	}
	count := min(V, sketchSize)
	origin := make([]float64, count) // the sketch of the mean
	for x, v := range mean {
		origin[place[x]] += factor[x] * v
	}
	whole := make([]float64, count)
	for _, i := range order {
		own := make([]float64, count)
		for x, v := range a.At(i) {
			own[place[x]] += factor[x] * (v - mean[x])
		}
		floats.AddTo(whole, own, origin)
		z = append(z, own)
		sizes = append(sizes, floats.Norm(whole, 2))
	}
	return z, sizes
}

// copies returns for each sketch the first one that it is a copy of, possibly itself, also by way of other copies. Copies
// are nearer than a distance, and than a part of their sizes unless these are nil.
func copies(z [][]float64, near float64, sizes []float64) []int {
	spreads := make([]float64, len(z[0]))
	column := make([]float64, len(z))
	for k := range spreads {
		for i, f := range z {
			column[i] = f[k]
		}
		spreads[k] = slices.Max(column) - slices.Min(column)
	}
	widest := floats.MaxIdx(spreads)
	first := First(len(z))
	sorted := First(len(z))
	slices.SortStableFunc(sorted, func(i, j int) int {
		return cmp.Compare(z[i][widest], z[j][widest])
	})
	root := func(i int) int {
		for first[i] != i {
			first[i] = first[first[i]]
			i = first[i]
		}
		return i
	}
	for p, i := range sorted {
		for _, j := range sorted[p+1:] {
			if z[j][widest]-z[i][widest] > near {
				break
			}
			distance := floats.Distance(z[i], z[j], 2)
			if distance > near {
				continue
			}
			if sizes != nil && distance > ofSize*min(sizes[i], sizes[j]) {
				continue
			}
			r := root(i)
			s := root(j)
			first[max(r, s)] = min(r, s)
		}
	}
	for i := range first {
		first[i] = root(i)
	}
	return first
}

// Copies reports for each input whether it is equal, or nearly equal, to one of some others on the same grid.
func Copies(inputs, others grid.Batch) []bool {
	if inputs.Count == 0 || others.Count == 0 {
		return make([]bool, inputs.Count)
	}
	all := others.Like(others.Count + inputs.Count)
	copied := copy(all.Data, others.Data)
	copy(all.Data[copied:], inputs.Data)
	z, sizes := sketch(Pairs{Inputs: all}, First(all.Count))
	first := copies(z, nearlyEqual*usual(z), sizes)
	known := make([]bool, inputs.Count)
	for i := range known {
		known[i] = first[others.Count+i] < others.Count
	}
	return known
}

// chosen returns the numbers of the inputs among n that determine the usual distance.
func chosen(n int) []int {
	count := min(n, scaleSample)
	return draw.Permutation(0, purposeScale, 0, n)[:count]
}

// usual returns a distance between distinct neighbours: the 0.9 quantile of the edges of a minimum spanning tree of a
// sample of sketches. So up to nine of ten may be copies.
func usual(z [][]float64) float64 {
	edges := treeOf(z)
	return edges[len(edges)*9/10]
}

// treeOf returns the edges of a minimum spanning tree of a sample of sketches, ascending.
func treeOf(z [][]float64) []float64 {
	some := chosen(len(z))
	distance := make([]float64, len(some)) // from the tree, which begins with the first one
	for i := range distance {
		distance[i] = math.Inf(1)
	}
	var edges []float64
	at := 0
	for len(edges)+1 < len(some) {
		distance[at] = -1 // in the tree
		next := -1
		for i, d := range distance {
			if d < 0 {
				continue
			}
			fromLast := floats.Distance(z[some[at]], z[some[i]], 2)
			distance[i] = min(d, fromLast)
			if next < 0 || distance[i] < distance[next] {
				next = i
			}
		}
		edges = append(edges, distance[next])
		at = next
	}
	slices.Sort(edges)
	return edges
}

// trajectories numbers the trajectories of sketches of rows in the order of the file; nil unless time orders them.
func trajectories(z [][]float64, rows []int) []int {
	n := len(z)
	if n < leastOrdered {
		return nil
	}
	some := chosen(n)
	following := 0 // whose nearest neighbour is the one before or after
	var distances []float64
	for q, p := range some {
		nearest := nearestTo(z, p)
		if nearest == p-1 || nearest == p+1 {
			following++
		}
		another := some[(q+1)%len(some)]
		distances = append(distances, floats.Distance(z[p], z[another], 2))
	}
	if 2*following <= len(some) {
		return nil
	}
	slices.Sort(distances)
	far := farApart * distances[len(distances)/2]
	steps := make([]float64, n-1) // per root of the number of rows, of which some may be test pairs
	for p := range steps {
		apart := max(1, rows[p+1]-rows[p])
		steps[p] = floats.Distance(z[p], z[p+1], 2) / math.Sqrt(float64(apart))
	}
	starts := []int{0}
	for p, step := range steps {
		before := steps[max(0, p-3):p]
		after := steps[p+1 : min(len(steps), p+4)]
		around := slices.Concat(before, after)
		slices.Sort(around)
		median := around[len(around)/2]
		if step > longStep*median && step > far {
			starts = append(starts, p+1)
		}
	}
	starts = cutLongest(append(starts, n))
	var segment []int
	for s := range len(starts) - 1 {
		for range starts[s+1] - starts[s] {
			segment = append(segment, s)
		}
	}
	return segment
}

// nearestTo returns the sketch that is nearest to another one.
func nearestTo(z [][]float64, p int) int {
	nearest := -1
	least := math.Inf(1)
	for o := range z {
		d := floats.Distance(z[p], z[o], 2)
		if o != p && d < least {
			nearest = o
			least = d
		}
	}
	return nearest
}

// cutLongest cuts the longest of some segments in two, again and again, until there are enough. Segments are given by
// their starts, and the end of the last one.
func cutLongest(starts []int) []int {
	for len(starts) <= leastTrajectories {
		longest := slices.MaxFunc(First(len(starts)-1), func(s, t int) int {
			return cmp.Compare(starts[s+1]-starts[s], starts[t+1]-starts[t])
		})
		middle := (starts[longest] + starts[longest+1]) / 2
		if middle == starts[longest] {
			break
		}
		starts = slices.Insert(starts, longest+1, middle)
	}
	return starts
}
