// This file deduces from values which axis of an array counts functions and which axes count the points of their grid.

package pairs

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// clearly is the least ratio of the roughness of an axis of functions to the roughness of an axis of points.
const clearly = 3

// tell chooses among arrays with the axes that their shapes fit: the first, unless others exchange the axes of
// functions and points. Then parts that are taken along an axis tell, then coordinates in the file, then values: a
// function is smoother from point to point than values at one point are from function to function. by says what
// decided; it is empty if nothing had to. The error is a *fault.Data if nothing does.
func (f *Functions) tell(candidates [][]array) (chosen []array, by string, err error) {
	first := candidates[0]
	end := len(first) - 1
	for end > 0 && first[end].dims == 0 { // parameters have no points
		end--
	}
	likely := first[end]
	other := slices.IndexFunc(candidates, func(c []array) bool {
		hasOtherAxis := c[end].axis('x') != likely.axis('x')
		return hasOtherAxis && c[end].layout() != likely.layout()
	})
	if other < 0 || likely.axis('n') < 0 {
		return first, "", nil
	}
	second := candidates[other]
	const byParts = "since inputs and outputs are parts along their axis"
	firstCounts := countsSlices(first)
	secondCounts := countsSlices(second)
	switch {
	case firstCounts && !secondCounts:
		return first, byParts, nil
	case secondCounts && !firstCounts:
		return second, byParts, nil
	}
	const byCoordinates = "by the coordinates in the file"
	firstFits := f.fitsCoordinates(first)
	secondFits := f.fitsCoordinates(second)
	switch {
	case firstFits > secondFits:
		return first, byCoordinates, nil
	case secondFits > firstFits:
		return second, byCoordinates, nil
	}
	return f.tellBySmoothness(first, second, end)
}

// bySmoothness is what tells axes of functions from those of points by values.
const bySmoothness = "by the smoothness of the values"

// tellBySmoothness chooses between two readings by values; end is the index of the last array of functions.
func (f *Functions) tellBySmoothness(first, second []array, end int) (chosen []array, by string, err error) {
	// for the first reading: the logarithm of how much rougher its axis of functions is, for each array
	evidence := make([]float64, len(first))
	sum := 0.0
	constant := true
	rough := false // the last array, along either axis
	isPeriodic := f.Endpoint && f.Domain.Dims == 1 && f.Domain.Periodic
	for i, p := range first {
		turned := second[i]
		sample, err := f.sample(p)
		if err != nil {
			return nil, "", err
		}
		a := sample.roughness(p.axis('n'))
		b := sample.roughness(turned.axis('n'))
		constant = constant && math.IsNaN(a) && math.IsNaN(b)
		evidence[i] = weigh(a, b)
		sum += evidence[i]
		areLast := i == end && end == len(first)-1 // functions, after which there are no numbers
		if areLast {
			rough = a > roughValues && b > roughValues
		}
		if isPeriodic && p.dims > 0 && turned.dims > 0 { // functions repeat at the right end
			firstCloses := sample.closed(p.axis('x'))
			secondCloses := sample.closed(turned.axis('x'))
			switch {
			case firstCloses && !secondCloses:
				return first, bySmoothness, nil
			case secondCloses && !firstCloses:
				return second, bySmoothness, nil
			}
		}
	}
	clear := math.Log(clearly)
	ofOutputs := evidence[end]
	isOpposite := func(e float64) bool {
		isFirst := e >= clear && ofOutputs <= -clear
		isSecond := e <= -clear && ofOutputs >= clear
		return isFirst || isSecond
	}
	mayTurn := !f.Alone && f.Source.Layout == config.AutoLayout
	if mayTurn && slices.ContainsFunc(evidence, isOpposite) {
		return f.turned(first, second, evidence)
	}
	switch {
	case constant:
		return first, "", nil
	case sum >= clear:
		return first, bySmoothness, nil
	case sum <= -clear:
		return second, bySmoothness, nil
	case f.Target > 0:
		return first, "", nil
	}
	a := first[end]
	b := second[end]
	if rough {
		return nil, "", f.onMesh(a)
	}
	return nil, "", fault.Bad(
		f.Open.Name,
		fmt.Sprintf("set data.layout = %s for %s, %s for %s",
			a.layout(), a.words(), b.layout(), b.words()),
		"has shape %v, which may be %s or %s, and is about as smooth along one axis as along the other",
		a.Shape, a.words(), b.words(),
	)
}

// turned returns each array in the one of two readings that its values speak for, as one side may be transposed. If
// their numbers of functions differ, it returns the first reading.
func (f *Functions) turned(first, second []array, evidence []float64) (chosen []array, by string, err error) {
	chosen = slices.Clone(first)
	for i := range chosen {
		if evidence[i] < 0 {
			chosen[i] = second[i]
		}
		if chosen[i].size('n') != chosen[0].size('n') {
			return first, "", nil
		}
	}
	return chosen, bySmoothness, nil
}

// countsSlices reports whether the inputs and the outputs of a reading are slices of one array that overlap along the
// axis that counts functions, as u[:-1] and u[1:] of a trajectory.
func countsSlices(c []array) bool {
	if len(c) != 2 || c[0].axis('n') < 0 {
		return false
	}
	inputs, before := partsOf(c[0].Name)
	outputs, after := partsOf(c[1].Name)
	if before == nil || after == nil || inputs != outputs {
		return false
	}
	if len(before) != len(after) || slices.Contains(before, "...") {
		return false
	}
	axis := 0 // of the parts
	for d := range before {
		from, step, slice := beginOf(before[d])
		to, next, another := beginOf(after[d])
		switch {
		case !slice && !another && before[d] == after[d]: // an index drops its axis
		case !slice || !another || step != next:
			return false
		case from == to:
			axis++
		default:
			shift := max(from-to, to-from)
			return axis == c[0].axis('n') && shift < c[0].Shape[axis]
		}
	}
	return false
}

// partsOf returns the name of an array, and the parts along its axes that follow in brackets; nil if there are none.
func partsOf(name string) (array string, parts []string) {
	array, inBrackets, ok := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !ok {
		return array, nil
	}
	return array, strings.Split(inBrackets, ",")
}

// beginOf returns the begin of a slice, not counted from the end, and its step as it is written. ok is false for others.
func beginOf(word string) (begin int, step string, ok bool) {
	parts := strings.Split(strings.ReplaceAll(word, " ", ""), ":")
	if len(parts) < 2 {
		return 0, "", false
	}
	if len(parts) > 2 {
		step = parts[2]
	}
	if parts[0] == "" {
		return 0, step, true
	}
	begin, err := strconv.Atoi(parts[0])
	return begin, step, err == nil && begin >= 0
}

// fitsCoordinates counts the arrays of a reading whose functions have as many points as the file has places or, if it
// has none, times, minus those that have as many functions.
func (f *Functions) fitsCoordinates(c []array) (score int) {
	times := timesIn(f.Open)
	for _, p := range c {
		n := p.size('n')
		points := p.size('x')
		if p.dims == 0 || n == points || n == p.size('y') {
			continue
		}
		along := placed(f.Open, points)
		across := placed(f.Open, n)
		if !along && !across {
			along = slices.Contains(times, points)
			across = slices.Contains(times, n)
		}
		if along {
			score++
		}
		if across {
			score--
		}
	}
	return score
}

// roughValues is the least roughness of values at points without an order: half that of independent ones.
const roughValues = 0.5

// weigh returns log(a/b) for the roughness a of the axis of functions and b of the axis of points, or the other way
// round. An array that varies along one axis alone holds constants if its values are rough, and one function, repeated,
// if they are smooth; smooth ones may be sorted constants, so they decide nothing by themselves.
func weigh(a, b float64) float64 {
	const least = 1e-12 // of a straight line
	switch {
	case math.IsNaN(a) && math.IsNaN(b):
		return 0
	case math.IsNaN(a): // b is that of the only axis along which values vary
		return -alone(b)
	case math.IsNaN(b):
		return alone(a)
	}
	return math.Log(max(a, least) / max(b, least))
}

// alone returns the evidence for an axis of functions, along which alone an array varies with some roughness.
func alone(roughness float64) float64 {
	const (
		middle = 0.1
		weak   = 1 // less than the logarithm of clearly
	)
	evidence := math.Log(max(roughness, middle/100) / middle)
	return max(evidence, -weak)
}

// sample is a part of an array: the first numbers along each axis, in C order.
type sample struct {
	shape []int     // of the part
	whole []int     // of the array
	data  []float64 // in C order
}

// sample reads at most some hundred thousand numbers from the beginning of an array.
func (f *Functions) sample(p array) (sample, error) {
	return sampleOf(f.Open, p.Member, 1<<18)
}

// few is the number of values by which guesses are compared.
const few = 1 << 15

// sampleOf reads about so many numbers from the beginning of an array of a file.
func sampleOf(file *exchange.File, p npy.Member, enough int) (sample, error) {
	const (
		mostSlabs = 64
		passed    = 1 << 24 // bytes that may be passed over
	)
	part := sample{shape: slices.Clone(p.Shape), whole: p.Shape}
	axes := npy.Slowest(p.Shape, p.Fortran)
	slowest := axes[0]
	slabs := max(1, part.shape[slowest])
	slab := max(1, npy.Count(part.shape)/slabs)
	withinReach := max(2, 1+file.Bound(passed)/slab)
	part.shape[slowest] = min(part.shape[slowest], mostSlabs, withinReach)
	for _, d := range axes {
		length := part.shape[d]
		if n := npy.Count(part.shape); n > enough {
			shortened := int(float64(length) * float64(enough) / float64(n))
			part.shape[d] = max(min(length, 8), shortened)
		}
	}
	part.data = make([]float64, npy.Count(part.shape))
	at := npy.Along(npy.Strides(part.shape)...)
	for d, along := range at {
		at[d] = along.Of(0, 1, part.shape[d])
	}
	return part, p.Read(part.data, at, len(part.data))
}

// fewLines is about the number of lines by which axes are compared.
const fewLines = 4096

// lines returns the values along an axis, for at most so many lines; the slice is reused.
func (s sample) lines(axis, most int) iter.Seq[[]float64] {
	n := s.shape[axis]
	stride := npy.Strides(s.shape)[axis]
	count := len(s.data) / max(1, n)
	line := make([]float64, n)
	return func(yield func([]float64) bool) {
		for l := 0; l < count; l += (count + most - 1) / most {
			begin := l/stride*stride*n + l%stride
			for i := range line {
				line[i] = s.data[begin+i*stride]
			}
			if !yield(line) {
				return
			}
		}
	}
}

// roughness returns the median over lines along an axis of the sum of squared differences of neighbours over twice the
// sum of squared deviations from the mean (von Neumann's ratio): about 1 for independent values, near 0 for smooth
// ones, independent of scale and offset. It is NaN if all values are constant along the axis.
func (s sample) roughness(axis int) float64 {
	const rounding = 1e-7 // of numbers in single precision
	var all []float64
	for line := range s.lines(axis, fewLines) {
		variance := stat.PopVariance(line, nil)
		steps := floats.Distance(line[1:], line[:len(line)-1], 2)
		ratio := steps * steps / (2 * variance * float64(len(line)))
		largest := grid.LargestModulus(line)
		if math.Sqrt(variance) > rounding*largest && !math.IsNaN(ratio) {
			all = append(all, ratio)
		}
	}
	if len(all) == 0 {
		return math.NaN()
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// closed reports whether nearly all lines along an axis repeat the first value as the last; false for parts of lines.
func (s sample) closed(axis int) bool {
	isWhole := s.shape[axis] == s.whole[axis]
	hasSeveral := len(s.data) > s.shape[axis]
	return isWhole && hasSeveral && repeat(s.lines(axis, fewLines), 0)
}
