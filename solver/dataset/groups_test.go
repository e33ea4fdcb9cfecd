package dataset

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// states returns random periodic functions in runs; within a run, each is correlated with the previous one by share.
func states(count, run int, share float64) Pairs {
	p := Pairs{Inputs: grid.NewBatch(grid.Torus, 129, count), Outputs: grid.NewBatch(grid.Torus, 129, count)}
	for i := range count {
		random, a := draw.Stream(3, "states", i), p.Inputs.At(i)
		for k := 1; k < 9; k++ {
			c, s := random.NormFloat64(), random.NormFloat64()
			for x := range a {
				angle := 2 * math.Pi * float64(k*x) / 128
				a[x] += (c*math.Cos(angle) + s*math.Sin(angle)) / float64(k)
			}
		}
		if i%run > 0 {
			for x, v := range p.Inputs.At(i - 1) {
				a[x] = share*v + math.Sqrt(1-share*share)*a[x]
			}
		}
	}
	return p
}

// inOrder returns the numbers of pairs in the order of their file.
func inOrder(count int) []int {
	rows := make([]int, count)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestIndependentPairsHaveNoGroups(t *testing.T) {
	narrow := states(300, 1, 0) // functions determined by one number, in random order
	for i := range 300 {
		_, v := math.Modf(float64(i) * math.Phi) // evenly spread
		for x := range narrow.Inputs.At(i) {
			narrow.Inputs.At(i)[x] = v
		}
	}
	for name, pairs := range map[string]Pairs{"functions": states(200, 1, 0), "few": states(5, 1, 0), "numbers": narrow,
		"one": states(1, 1, 0)} {
		if labels, sentence := FindGroups(pairs, inOrder(pairs.Count())); labels != nil || sentence != "" {
			t.Errorf("%s: groups %v, %q", name, labels, sentence)
		}
	}
}

func TestCopiesAreGroups(t *testing.T) {
	for _, moved := range []float64{0, 1e-4} {
		pairs := states(60, 1, 0)
		for i := 40; i < 60; i++ { // the last twenty are the first ones, in another order
			for x, v := range pairs.Inputs.At((i * 7) % 20) {
				pairs.Inputs.At(i)[x] = v + moved*math.Sin(float64(i*x))
			}
		}
		labels, sentence := FindGroups(pairs, inOrder(60))
		if labels == nil || !strings.Contains(sentence, "40 groups") || !strings.Contains(sentence, "others: 20 of 60") {
			t.Fatalf("moved by %g: %v, %q", moved, labels, sentence)
		}
		for i, label := range labels {
			if want := min(i, 40); i < 40 && label != want || i >= 40 && label != (i*7)%20 {
				t.Errorf("moved by %g: pair %d has the label %d", moved, i, label)
			}
		}
	}
}

// Nine of ten may be copies, and a channel in a large unit does not mask differences in another.
func TestCopiesAreFoundWhateverTheirNumberAndUnits(t *testing.T) {
	many := states(50, 1, 0)
	for i := 10; i < 50; i++ {
		copy(many.Inputs.At(i), many.Inputs.At(i%10))
	}
	if _, sentence := FindGroups(many, inOrder(50)); !strings.Contains(sentence, "10 groups") {
		t.Errorf("each input five times: %q", sentence)
	}
	one := states(40, 1, 0).Inputs
	wide := Pairs{Inputs: grid.NewBatch(grid.Torus.With(2), 129, 40), Outputs: one}
	for i := range 40 {
		for x, v := range one.At(i) {
			wide.Inputs.At(i)[x], wide.Inputs.At(i)[129+x] = 1e9*one.At(i % 20)[x], v
		}
	}
	if labels, sentence := FindGroups(wide, inOrder(40)); labels != nil {
		t.Errorf("inputs that differ in their second channel are copies: %q", sentence)
	}
}

// Trajectories end where a step is long, also if some of their states are missing and all are shuffled. No trajectory
// is split; one that begins where another ends may be joined to it.
func TestTrajectoriesAreGroups(t *testing.T) {
	pairs := states(300, 25, 0.97)
	for _, rows := range [][]int{inOrder(300), draw.Permutation(1, "shuffled", 0, 300)[:240]} {
		labels, sentence := FindGroups(pairs.Take(rows), rows)
		if labels == nil || !strings.Contains(sentence, "trajectories") {
			t.Fatalf("%d states: %q", len(rows), sentence)
		}
		of, distinct := map[int]int{}, map[int]bool{}
		for i, label := range labels {
			if known, ok := of[rows[i]/25]; ok && known != label {
				t.Errorf("state %d has the label %d, others of its trajectory %d", rows[i], label, known)
			}
			of[rows[i]/25], distinct[label] = label, true
		}
		if len(distinct) < 11 {
			t.Errorf("%d states of 12 trajectories are in %d groups", len(rows), len(distinct))
		}
	}
	// one trajectory is cut
	if _, sentence := FindGroups(states(300, 300, 0.97), inOrder(300)); !strings.Contains(sentence, "10 groups") {
		t.Errorf("one trajectory: %q", sentence)
	}
}

// Parts of pairs keep the groups of these pairs.
func TestPartsKeepTheirGroups(t *testing.T) {
	p := states(6, 1, 0)
	p.Groups = []int{4, 4, 5, 6, 6, 7}
	if got := p.Take([]int{5, 0}).Groups; !reflect.DeepEqual(got, []int{7, 4}) {
		t.Errorf("taken: %v", got)
	}
	if got := p.Range(2, 3).With(p.Outputs.Range(0, 3)).Groups; !reflect.DeepEqual(got, []int{5, 6, 6}) {
		t.Errorf("a range: %v", got)
	}
}

// family returns sums of some waves with random coefficients, normal ones or some of which are far larger than others.
func family(count, waves int, heavy bool) Pairs {
	const points = 65
	p := Pairs{
		Inputs:  grid.NewBatch(grid.Interval, points, count),
		Outputs: grid.NewBatch(grid.Interval, points, count),
	}
	for i := range count {
		random := draw.Stream(4, "family", i)
		size := 1.0
		if heavy {
			size = math.Exp(2 * random.NormFloat64())
		}
		a := p.Inputs.At(i)
		for k := range waves {
			c := size * random.NormFloat64()
			for x := range a {
				a[x] += c * math.Cos(math.Pi*float64(k*x)/(points-1))
			}
		}
	}
	return p
}

// Functions that were copied and changed by a few thousandths are groups, although they are not equal: the leave-one-out
// error of a kernel was 0.005 where that of other functions was 0.9.
func TestChangedCopiesAreGroups(t *testing.T) {
	const each = 5
	base := family(50, 20, false)
	var order []int
	for i := range base.Count() {
		for range each {
			order = append(order, i)
		}
	}
	pairs := base.Take(order)
	noise := draw.Stream(5, "noise", 0)
	for k := range pairs.Inputs.Data {
		pairs.Inputs.Data[k] += 0.01 * noise.NormFloat64()
	}
	shuffled := draw.Permutation(6, "order", 0, len(order))
	labels, sentence := FindGroups(pairs.Take(shuffled), inOrder(len(order)))
	if labels == nil || !strings.Contains(sentence, "by 50 groups: inputs much nearer to others than usual: 200 of 250") {
		t.Fatalf("%q", sentence)
	}
	for p, i := range shuffled {
		for q, j := range shuffled {
			if (i/each == j/each) != (labels[p] == labels[q]) {
				t.Fatalf("copies %d and %d of %d and %d: labels %d and %d", i, j, i/each, j/each, labels[p], labels[q])
			}
		}
	}
}

// Independent functions have no clusters, however few numbers they consist of, and however different their sizes are.
func TestFamiliesAreNoClusters(t *testing.T) {
	for _, waves := range []int{1, 2, 3, 8, 30} {
		for _, heavy := range []bool{false, true} {
			for _, count := range []int{30, 100, 400} {
				pairs := family(count, waves, heavy)
				if _, sentence := FindGroups(pairs, inOrder(count)); strings.Contains(sentence, "nearer") {
					t.Errorf("%d functions of %d waves, sizes differ %t: %q", count, waves, heavy, sentence)
				}
			}
		}
	}
}

// Independent functions whose sizes differ by a factor of a million are not called equal, however near the small ones are.
func TestSmallFunctionsAreNotEqual(t *testing.T) {
	pairs := family(200, 8, false)
	for i := range pairs.Count() {
		random := draw.Stream(8, "size", i)
		size := math.Exp(4 * random.NormFloat64())
		for x := range pairs.Inputs.At(i) {
			pairs.Inputs.At(i)[x] *= size
		}
	}
	if labels, sentence := FindGroups(pairs, inOrder(200)); labels != nil {
		t.Errorf("independent functions: %q", sentence)
	}
	twice := pairs.Take(append(inOrder(200), 7, 8, 9))
	if _, sentence := FindGroups(twice, inOrder(203)); !strings.Contains(sentence, "equal to others: 3 of 203") {
		t.Errorf("three copies: %q", sentence)
	}
}
