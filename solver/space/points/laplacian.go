package points

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Modes are the eigenfunctions e_k of the Laplacian at points that vary least, with natural boundary conditions:
// -Laplacian e_k = Values[k] e_k, orthonormal by the weights of the points.
type Modes struct {
	Values    []float64  // ascending; the first is 0, of the constant 1
	Functions *mat.Dense // points x modes
}

// Why tells why there are no eigenfunctions at points, in words; empty if there are.
func (c Cloud) Why() string {
	switch {
	case c.Apart():
		return "inputs are known at other points than outputs"
	case c.Outputs().Axes == 0:
		return "the places of the points are not known"
	}
	return ""
}

// NewModes returns up to most eigenfunctions. Cells, segments or triangles, make the linear finite elements with lumped
// masses: on equispaced points of a line these are the cosines exactly. Without cells the Laplacian is that of a graph
// of nearest neighbours. It returns ctx.Err() if ctx is done.
func NewModes(ctx context.Context, p Places, most, workers int) (Modes, error) {
	m, err := lowestOf(ctx, p, newStiffness(p, nil), most, workers)
	if err != nil {
		return Modes{}, err
	}
	m.Values[0] = 0
	m.separateConstant(p)
	return m, nil
}

// NewVanishing returns up to most eigenfunctions that vanish at some points, but not at all. It returns ctx.Err() if
// ctx is done.
func NewVanishing(ctx context.Context, p Places, vanishing []bool, most, workers int) (Modes, error) {
	return lowestOf(ctx, p, newStiffness(p, vanishing), most, workers)
}

// lowestOf returns up to most eigenfunctions of a matrix. It returns ctx.Err() if ctx is done.
func lowestOf(ctx context.Context, p Places, s *stiffness, most, workers int) (Modes, error) {
	count := len(s.order)
	wanted := min(most, count)
	const small = 600 // points of which a dense decomposition is faster
	var values []float64
	var vectors *mat.Dense
	if count <= small || 2*wanted > count {
		values, vectors = s.dense(wanted)
	} else {
		var err error
		values, vectors, err = s.lowest(ctx, wanted, workers)
		if err != nil {
			return Modes{}, err
		}
	}
	m := Modes{
		Values:    values,
		Functions: mat.NewDense(p.Count(), wanted, nil),
	}
	for k := range wanted {
		m.Values[k] = max(0, values[k])
		m.Functions.SetCol(k, s.function(vectors, k, p.Count()))
	}
	if h, ok := equalSteps(p); ok { // of the continuous cosines in place of those of differences
		for k, v := range m.Values {
			sine := math.Sqrt(v) * h / 2
			frequency := 2 / h * math.Asin(min(1, sine))
			m.Values[k] = math.Pow(frequency, 2)
		}
	}
	return m, nil
}

// separateConstant makes the constant the first of the functions with the eigenvalue 0, of which there are several if the
// points fall into parts without neighbours in each other.
func (m Modes) separateConstant(p Places) {
	const (
		rounding = 1e-6 // of eigenvalues, in units of the inverse square of the extent
		none     = 1e-6 // norm of what is left of a function that the others span
	)
	extent := p.extent()
	zero := func(v float64) bool { return v*extent*extent <= rounding }
	parts := 0
	for parts < len(m.Values) && zero(m.Values[parts]) {
		parts++
	}
	if parts < 2 {
		return
	}
	basis := [][]float64{slices.Repeat([]float64{1}, p.Count())}
	for k := 0; k < parts && len(basis) < parts; k++ {
		f := mat.Col(nil, k, m.Functions)
		for range 2 { // so that rounding errors leave no part of the others
			for _, other := range basis {
				floats.AddScaled(f, -p.inner(f, other), other)
			}
		}
		norm := math.Sqrt(p.inner(f, f))
		if norm > none {
			floats.Scale(1/norm, f)
			basis = append(basis, f)
		}
	}
	for k, f := range basis {
		m.Functions.SetCol(k, f)
		m.Values[k] = 0
	}
}

// inner returns the inner product of two functions by the weights.
func (p Places) inner(f, g []float64) (sum float64) {
	for i, w := range p.Weights {
		sum += w * f[i] * g[i]
	}
	return sum
}

// extent returns the diagonal of the box around the points.
func (p Places) extent() float64 {
	square := 0.0
	for axis := range p.Axes {
		length := p.length(axis)
		square += length * length
	}
	return math.Sqrt(square)
}

// length returns the length of the box around the points along an axis.
func (p Places) length(axis int) float64 {
	low, high := p.bounds(axis)
	return high - low
}

// bounds returns the smallest and the largest coordinate along an axis.
func (p Places) bounds(axis int) (low, high float64) {
	low = math.Inf(1)
	high = math.Inf(-1)
	for i := range p.Count() {
		v := p.Place(i)[axis]
		low = min(low, v)
		high = max(high, v)
	}
	return low, high
}

// Side returns the longest side of the box around the points, the unit of length of features.
func (p Places) Side() float64 {
	side := 0.0
	for axis := range p.Axes {
		side = max(side, p.length(axis))
	}
	return side
}

// equalSteps returns the distance of neighbours on a line if it is the same for all.
func equalSteps(p Places) (h float64, ok bool) {
	if p.Axes != 1 {
		return 0, false
	}
	order := p.Order()
	last := len(order) - 1
	first := p.At[order[0]]
	h = (p.At[order[last]] - first) / float64(last)
	for i := 1; i <= last; i++ {
		step := p.At[order[i]] - p.At[order[i-1]]
		if math.Abs(step-h) > 1e-6*h {
			return 0, false
		}
	}
	return h, true
}
