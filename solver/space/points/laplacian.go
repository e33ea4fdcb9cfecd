package points

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/parallel"
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
// of nearest neighbours. The error is ctx's.
func NewModes(ctx context.Context, p Places, most, workers int) (Modes, error) {
	s := newStiffness(p)
	count := p.Count()
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
	m := Modes{Values: values, Functions: vectors}
	for k := range wanted {
		m.Values[k] = max(0, values[k])
		s.finish(m.Functions, k)
	}
	m.Values[0] = 0
	m.separateConstant(p)
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

// stiffness is the symmetric matrix M^-1/2 K M^-1/2 of the Laplacian, in an order of the points with a narrow band.
type stiffness struct {
	order []int       // the point of each row
	root  []float64   // square roots of the weights, by row
	rows  []sparseRow // each with its entries
	shift float64     // about the lowest eigenvalue above 0
}

// sparseRow holds the entries of a row that are not zero.
type sparseRow struct {
	columns []int // ascending, so that sums do not depend on chance
	values  []float64
}

func (r sparseRow) times(x []float64) (sum float64) {
	for k, j := range r.columns {
		sum += r.values[k] * x[j]
	}
	return sum
}

// entries are the entries of a symmetric matrix by point.
type entries []map[int]float64

// join adds the share of an edge with a conductance c to K.
func (e entries) join(i, j int, c float64) {
	e[i][j] -= c
	e[j][i] -= c
	e[i][i] += c
	e[j][j] += c
}

func newStiffness(p Places) *stiffness {
	e := make(entries, p.Count())
	for i := range e {
		e[i] = map[int]float64{}
	}
	whole := 0.0 // measure of all cells, of which weights are parts
	if p.Corners <= 3 {
		for cell := range slices.Chunk(p.Cells, max(1, p.Corners)) {
			whole += p.size(cell)
			e.cell(p, cell)
		}
	}
	if whole > 0 {
		for _, row := range e {
			for j := range row {
				row[j] /= whole
			}
		}
	} else {
		e.neighbours(p)
	}
	s := &stiffness{
		order: narrow(e),
		shift: math.Pow(math.Pi/p.extent(), 2),
	}
	place := make([]int, len(e)) // the row of each point
	for row, point := range s.order {
		place[point] = row
		s.root = append(s.root, math.Sqrt(p.Weights[point]))
	}
	s.rows = make([]sparseRow, len(e))
	for row, point := range s.order {
		r := &s.rows[row]
		own := e[point]
		for j := range own {
			r.columns = append(r.columns, place[j])
		}
		slices.Sort(r.columns)
		for _, column := range r.columns {
			v := own[s.order[column]]
			r.values = append(r.values, v/(s.root[row]*s.root[column]))
		}
	}
	return s
}

// cell adds the share of a segment or of a triangle.
func (e entries) cell(p Places, cell []int) {
	if len(cell) == 3 {
		e.triangle(p, cell)
		return
	}
	if h := p.size(cell); h > 0 {
		e.join(cell[0], cell[1], 1/h)
	}
}

// triangle adds the share of a triangle: half the cotangent of each angle for the edge opposite.
func (e entries) triangle(p Places, cell []int) {
	for k := range 3 {
		second := cell[(k+1)%3]
		third := cell[(k+2)%3]
		var a, b [MostAxes]float64 // the sides from corner k
		apex := p.Place(cell[k])
		for axis, v := range apex {
			a[axis] = p.Place(second)[axis] - v
			b[axis] = p.Place(third)[axis] - v
		}
		normal := cross(a, b)
		if twice := math.Sqrt(dot(normal, normal)); twice > 0 {
			cotangent := dot(a, b) / twice
			e.join(second, third, cotangent/2)
		}
	}
}

// neighbours adds the edges from every point to those nearest: with conductances 2 d/(count of neighbours) w/r^2 their
// sum is the Laplacian in d dimensions on average, w the mean weight of both ends, r their distance.
func (e entries) neighbours(p Places) {
	nearest := 4 * p.Axes
	share := float64(p.Axes) / float64(nearest) // half of it, since the other end adds the other half
	type other struct {
		point  int
		square float64
	}
	for i := range e {
		var list []other
		for j := range e {
			if i == j {
				continue
			}
			square := 0.0
			for axis, v := range p.Place(i) {
				d := v - p.Place(j)[axis]
				square += d * d
			}
			list = append(list, other{point: j, square: square})
		}
		slices.SortFunc(list, func(a, b other) int {
			if a.square != b.square {
				return cmp.Compare(a.square, b.square)
			}
			return a.point - b.point
		})
		for _, o := range list[:min(nearest, len(list))] {
			if o.square > 0 {
				w := (p.Weights[i] + p.Weights[o.point]) / 2
				e.join(i, o.point, share*w/o.square)
			}
		}
	}
}

// narrow returns the points in an order that brings neighbours together (Cuthill and McKee).
func narrow(e entries) (order []int) {
	seen := make([]bool, len(e))
	neighbours := func(point int) (list []int) {
		for j := range e[point] {
			if j != point {
				list = append(list, j)
			}
		}
		slices.SortFunc(list, func(a, b int) int {
			if len(e[a]) != len(e[b]) {
				return len(e[a]) - len(e[b])
			}
			return a - b
		})
		return list
	}
	walk := func(from int) (list []int) {
		reached := map[int]bool{from: true}
		list = []int{from}
		for at := 0; at < len(list); at++ {
			for _, j := range neighbours(list[at]) {
				if !reached[j] && !seen[j] {
					reached[j] = true
					list = append(list, j)
				}
			}
		}
		return list
	}
	for point := range e {
		if seen[point] {
			continue
		}
		far := walk(point) // its last point is at an end
		for _, j := range walk(far[len(far)-1]) {
			seen[j] = true
			order = append(order, j)
		}
	}
	return order
}

// finish turns column k of vectors of the symmetric matrix, by row, into a function at the points: divided by the roots,
// with norm 1 by the weights and a positive largest value, so that it does not depend on the method.
func (s *stiffness) finish(vectors *mat.Dense, k int) {
	values := make([]float64, len(s.order))
	norm := 0.0    // of the vector, squared
	largest := 0.0 // value at a point
	for row, point := range s.order {
		v := vectors.At(row, k)
		norm += v * v
		values[point] = v / s.root[row]
	}
	for _, v := range values {
		if math.Abs(v) > (1+1e-6)*math.Abs(largest) {
			largest = v
		}
	}
	factor := math.Copysign(1/math.Sqrt(norm), largest)
	for point, v := range values {
		vectors.Set(point, k, v*factor)
	}
}

// dense returns the lowest eigenvalues and vectors by a decomposition of the whole matrix.
func (s *stiffness) dense(wanted int) ([]float64, *mat.Dense) {
	n := len(s.order)
	whole := mat.NewSymDense(n, nil)
	for i, row := range s.rows {
		for k, j := range row.columns {
			if j >= i {
				whole.SetSym(i, j, row.values[k])
			}
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(whole, true)
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	lowest := mat.NewDense(n, wanted, nil)
	lowest.Copy(vectors.Slice(0, n, 0, wanted))
	return eigen.Values(nil)[:wanted], lowest
}

// lowest returns the same by iteration of a larger subspace with the inverse of the shifted matrix, from a banded
// factorisation. The functions that vary most are not exact, but orthonormal and as smooth.
func (s *stiffness) lowest(ctx context.Context, wanted, workers int) ([]float64, *mat.Dense, error) {
	const (
		rounds = 5
		solves = 2
	)
	n := len(s.order)
	size := min(n, wanted+wanted/2)
	factor := newBand(s)
	block := mat.NewDense(size, n, nil) // vectors in rows
	random := newRandom(7)
	entries := block.RawMatrix().Data
	for i := range entries {
		entries[i] = random.next()
	}
	var values []float64
	for range rounds {
		err := parallel.For(ctx, workers, size, func(_, i int) error {
			for range solves {
				factor.solve(block.RawRowView(i))
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
		values = s.ritz(block)
	}
	vectors := mat.NewDense(n, wanted, nil)
	for k := range wanted {
		vectors.SetCol(k, block.RawRowView(k))
	}
	return values[:wanted], vectors, nil
}

// orthonormalise makes the rows of a block orthonormal, one after the other, twice against rounding.
func orthonormalise(block *mat.Dense) {
	size, _ := block.Dims()
	for i := range size {
		row := block.RawRowView(i)
		for range 2 {
			for j := range i {
				other := block.RawRowView(j)
				floats.AddScaled(row, -floats.Dot(row, other), other)
			}
			floats.Scale(1/floats.Norm(row, 2), row)
		}
	}
}

// ritz makes the rows of a block orthonormal, and the eigenvectors of the matrix in the subspace that they span, the
// lowest first. It returns their values.
func (s *stiffness) ritz(block *mat.Dense) []float64 {
	size, n := block.Dims()
	orthonormalise(block)
	image := mat.NewDense(size, n, nil)
	for i := range size {
		from := block.RawRowView(i)
		for row, entries := range s.rows {
			image.Set(i, row, entries.times(from))
		}
	}
	var inner mat.Dense
	inner.Mul(block, image.T())
	symmetric := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			mean := (inner.At(i, j) + inner.At(j, i)) / 2
			symmetric.SetSym(i, j, mean)
		}
	}
	var eigen mat.EigenSym
	eigen.Factorize(symmetric, true)
	var turn mat.Dense
	eigen.VectorsTo(&turn)
	var turned mat.Dense
	turned.Mul(turn.T(), block)
	block.Copy(&turned)
	return eigen.Values(nil)
}

// band is the Cholesky factor of the matrix plus a shift, which makes it positive definite.
type band struct {
	width  int
	values []float64 // rows of width+1 entries: (i, i-width) to (i, i)
}

// row returns row i, which ends with the diagonal.
func (b *band) row(i int) []float64 {
	stride := b.width + 1
	return b.values[i*stride:][:stride]
}

// newBand factorises the matrix.
func newBand(s *stiffness) *band {
	b := &band{}
	for i, row := range s.rows {
		b.width = max(b.width, i-row.columns[0])
	}
	stride := b.width + 1
	b.values = make([]float64, len(s.rows)*stride)
	for i, row := range s.rows {
		line := b.row(i)
		for k, j := range row.columns {
			if j <= i {
				line[j-i+b.width] = row.values[k]
			}
		}
		line[b.width] += s.shift
		first := max(0, i-b.width)
		for j := first; j <= i; j++ {
			other := b.row(j)
			sum := line[j-i+b.width]
			for k := max(first, j-b.width); k < j; k++ {
				sum -= line[k-i+b.width] * other[k-j+b.width]
			}
			if j < i {
				line[j-i+b.width] = sum / other[b.width]
			} else {
				line[b.width] = math.Sqrt(sum)
			}
		}
	}
	return b
}

// solve replaces x by the product of the inverse of the factorised matrix with it.
func (b *band) solve(x []float64) {
	for i := range x {
		line := b.row(i)
		sum := x[i]
		for k := max(0, i-b.width); k < i; k++ {
			sum -= line[k-i+b.width] * x[k]
		}
		x[i] = sum / line[b.width]
	}
	for i := len(x) - 1; i >= 0; i-- {
		line := b.row(i)
		x[i] /= line[b.width]
		for k := max(0, i-b.width); k < i; k++ {
			x[k] -= line[k-i+b.width] * x[i]
		}
	}
}
