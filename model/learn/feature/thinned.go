package feature

import (
	"math"

	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
)

// Thinned evaluates features at some equally spaced points of inputs only, in less time than at all points. On a periodic
// interval with N points waves that differ by s periods agree at every t-th point, N = s t:
//
//	sum_k v_k a_k exp(2 pi i k (o + t x)/N) = sum_(k < s) exp(2 pi i k x/s) sum_(k' = k mod s) v_k' a_k' exp(2 pi i k' o/N).
//
// So transforms have length s, and the products with the input are the larger part of the work. It is immutable and safe
// for concurrent use.
type Thinned struct {
	evaluator *spectralEvaluator
	plan      *fft.Plan    // of the s points
	order     []int        // t x s, row-major: positions of the waves k' in spectra of N points, one k in each column
	roots     [][2]float64 // exp(2 pi i j/N) for j = 0 ... N-1
	waves     []int        // frequencies at all positions of spectra of N points, modulo N
	ones      []float64    // the spectrum 1, of s points
}

// NewThinned returns the features of an evaluator at so many points of each input. ok is false if they are not a part of
// equally spaced points, or if features need all points: then nothing is gained.
func NewThinned(e Evaluator, points int) (t *Thinned, ok bool) {
	spectral, ok := e.(*spectralEvaluator)
	if !ok || spectral.domain.Dims > 1 || spectral.motions != nil || spectral.mean != nil {
		return nil, false
	}
	exponentials, ok := spectral.transform.(*exponentials)
	if !ok {
		return nil, false
	}
	n := spectral.Points()
	if points < 1 || points >= n || n%points != 0 {
		return nil, false
	}
	t = &Thinned{
		evaluator: spectral,
		plan:      fft.On(0, points),
		order:     make([]int, n),
		ones:      make([]float64, 2*points),
	}
	for j := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(n))
		t.roots = append(t.roots, [2]float64{cos, sin})
	}
	column := make([]int, points) // of every k
	for q, k := range t.plan.Frequencies() {
		column[(k[0]+points)%points] = q
		t.ones[2*q] = 1
	}
	filled := make([]int, points) // rows of every column
	for position, k := range exponentials.plan.Frequencies() {
		wave := (k[0] + n) % n
		t.waves = append(t.waves, wave)
		q := column[wave%points]
		t.order[filled[q]*points+q] = position
		filled[q]++
	}
	return t, true
}

// Prepare writes a prepared input of the evaluator to dst, of the same length, for the points first, first+t ...
func (t *Thinned) Prepare(dst, input []float64, first int) {
	n := len(t.order)
	for i, position := range t.order {
		root := t.roots[t.waves[position]*first%n]
		re := input[2*position]
		im := input[2*position+1]
		dst[2*i] = re*root[0] - im*root[1]
		dst[2*i+1] = re*root[1] + im*root[0]
	}
}

// NewTrainer returns a Trainer for one goroutine that takes inputs from Prepare, and targets and rows of the s points.
// Calls for the same group one after the other take the least time.
func (t *Thinned) NewTrainer() Trainer {
	e := t.evaluator
	points := t.plan.N()
	size := GroupSize * points
	ordered := make([]float64, GroupSize*len(t.order)) // the group whose waves are in order
	sums := make([]float64, size)
	work := make([]float64, size)
	var spare [2][]float64 // for columns beyond the padding
	for half := range spare {
		spare[half] = make([]float64, fft.Lanes*points)
	}
	tables := make([][]float64, len(t.order)/points)
	blocks := make([][]float64, len(tables))
	for i := range blocks {
		blocks[i] = ordered[size*i:][:size]
	}
	current := -1
	return func(features *linalg.Panels, row, g int, input, target, rhs []float64) {
		if g != current {
			for i, position := range t.order {
				copy(ordered[GroupSize*i:][:GroupSize], e.groups[g][GroupSize*position:])
			}
			current = g
		}
		for i := range tables {
			tables[i] = input[2*points*i:][:2*points]
		}
		t.plan.Blend(sums, tables, blocks)
		out := columnsOfGroup(features, row, points, g, spare)
		t.plan.InverseProduct(out[0], out[1], sums, t.ones, work)
		for half, panel := range out {
			e.activation.Apply(panel)
			first := g*GroupSize + half*fft.Lanes
			if first < e.count {
				e.addProducts(rhs[first:e.count], panel, target[:points])
			}
		}
	}
}
