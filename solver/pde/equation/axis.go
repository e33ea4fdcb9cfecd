// This file discretises one direction of a domain with ends. Functions are polynomials, by coefficients of orthonormal
// Legendre polynomials, and are evaluated at Gauss points; between periodic sides they are trigonometric polynomials.

package equation

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// axis is one direction: n functions, orthonormal in the mean over [0, length], and as many quadrature points.
type axis struct {
	n        int
	length   float64
	periodic bool
	points   []float64 // in increasing order
	weights  []float64 // of the mean
	// derivative maps coefficients of a function to those of its derivative, n x n; powers[k] is its k-th power.
	powers []*mat.Dense
	// values maps coefficients to values at the points, n x n; coefficients is its inverse.
	values, coefficients *mat.Dense
}

// newAxis returns an axis with derivatives up to an order.
func newAxis(n int, length float64, periodic bool, order int) *axis {
	a := &axis{n: n, length: length, periodic: periodic}
	var derivative *mat.Dense
	if periodic {
		a.setEquispaced()
		derivative = a.derivativeOfWaves()
	} else {
		a.setGauss()
		derivative = a.derivativeOfPolynomials()
	}
	a.values = a.at(a.points)
	a.coefficients = mat.NewDense(n, n, nil)
	for i, weight := range a.weights {
		for j := range n {
			a.coefficients.Set(j, i, weight*a.values.At(i, j))
		}
	}
	power := identityMatrix(n)
	for range order + 1 {
		a.powers = append(a.powers, power)
		next := mat.NewDense(n, n, nil)
		next.Mul(derivative, power)
		power = next
	}
	return a
}

// identityMatrix returns the n x n identity.
func identityMatrix(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// nextLegendre returns the Legendre polynomial of degree j+1 at s from those of degrees j and j-1, by Bonnet's recursion
//
//	(j+1) P_(j+1)(s) = (2j+1) s P_j(s) - j P_(j-1)(s).
func nextLegendre(degree int, s, value, before float64) float64 {
	j := float64(degree)
	return ((2*j+1)*s*value - j*before) / (j + 1)
}

// setGauss sets the points and weights of Gauss's quadrature: the zeros of the Legendre polynomial of degree n, found by
// Newton's iteration from their asymptotic values.
func (a *axis) setGauss() {
	n := a.n
	a.points = make([]float64, n)
	a.weights = make([]float64, n)
	for i := range n {
		s := -math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
		slope := 0.0
		for range 10 { // Newton's iteration converges in four steps
			before := 0.0
			value := 1.0
			for j := range n {
				next := nextLegendre(j, s, value, before)
				before = value
				value = next
			}
			slope = float64(n) * (before - s*value) / (1 - s*s)
			s -= value / slope
		}
		a.points[i] = a.length / 2 * (1 + s)
		a.weights[i] = 1 / ((1 - s*s) * slope * slope)
	}
}

// derivativeOfPolynomials returns the matrix from coefficients of orthonormal Legendre polynomials p_j to those of the
// derivative, n x n:
//
//	p_j' = 2/length sum of sqrt((2i+1)(2j+1)) p_i over i = j-1, j-3, ...
func (a *axis) derivativeOfPolynomials() *mat.Dense {
	derivative := mat.NewDense(a.n, a.n, nil)
	for j := range a.n {
		for i := j - 1; i >= 0; i -= 2 {
			norms := float64((2*i + 1) * (2*j + 1)) // 2j+1 is that of the Legendre polynomial, squared and inverted
			derivative.Set(i, j, 2/a.length*math.Sqrt(norms))
		}
	}
	return derivative
}

// setEquispaced sets the points and weights of the trapezoidal rule on the circle.
func (a *axis) setEquispaced() {
	for i := range a.n {
		a.points = append(a.points, a.length*float64(i)/float64(a.n))
		a.weights = append(a.weights, 1/float64(a.n))
	}
}

// derivativeOfWaves returns the derivative of 1, cos, sin, cos, ..., n x n; n is odd, so that each cosine has its sine.
func (a *axis) derivativeOfWaves() *mat.Dense {
	derivative := mat.NewDense(a.n, a.n, nil)
	for k := 1; 2*k < a.n; k++ {
		cos := 2*k - 1
		sin := 2 * k
		wavenumber := 2 * math.Pi * float64(k) / a.length
		derivative.Set(sin, cos, -wavenumber)
		derivative.Set(cos, sin, wavenumber)
	}
	return derivative
}

// at returns the matrix, places x n, that evaluates functions at places from their coefficients.
func (a *axis) at(places []float64) *mat.Dense {
	m := mat.NewDense(len(places), a.n, nil)
	for i, x := range places {
		if a.periodic {
			a.wavesAt(m.RawRowView(i), x)
		} else {
			a.polynomialsAt(m.RawRowView(i), x)
		}
	}
	return m
}

// wavesAt writes 1 and the orthonormal cosines and sines at x to row, of length n.
func (a *axis) wavesAt(row []float64, x float64) {
	row[0] = 1
	for k := 1; 2*k < a.n; k++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) * x / a.length)
		row[2*k-1] = math.Sqrt2 * cos
		row[2*k] = math.Sqrt2 * sin
	}
}

// polynomialsAt writes the orthonormal Legendre polynomials at x to row, of length n.
func (a *axis) polynomialsAt(row []float64, x float64) {
	s := 2*x/a.length - 1
	before := 0.0
	value := 1.0
	for j := range a.n {
		row[j] = math.Sqrt(float64(2*j+1)) * value
		next := nextLegendre(j, s, value, before)
		before = value
		value = next
	}
}

// atEnd returns the k-th derivatives of the n polynomials at an end. For the Legendre polynomial of degree j at 1 it is the
// product of (j-i)(j+i+1)/(2(i+1)) over i < k, and at -1 the same up to the sign of j+k.
func (a *axis) atEnd(k int, right bool) []float64 {
	row := make([]float64, a.n)
	for j := range row {
		v := math.Sqrt(float64(2*j + 1))
		for i := range k {
			v *= float64((j-i)*(j+i+1)) / float64(i+1) / a.length
		}
		isOdd := (j+k)%2 == 1
		if isOdd && !right {
			v = -v
		}
		row[j] = v
	}
	return row
}

// gridPlaces returns the points of the equispaced grid with both ends.
func (a *axis) gridPlaces(points int) []float64 {
	places := make([]float64, points)
	for i := range places {
		places[i] = a.length * float64(i) / float64(points-1)
	}
	return places
}

// basis is the space of functions on an axis that satisfy homogeneous conditions, with orthonormal modes.
type basis struct {
	*axis
	z      *mat.Dense   // coefficients of the modes, n x modes
	lift   *mat.Dense   // coefficients of functions with one condition equal to 1 and the others 0, n x conditions
	at     []*mat.Dense // by order: the derivatives of the modes at the points, n x modes
	from   []*mat.Dense // by order: to coordinates from the values of a function whose derivative is meant, modes x n
	fourth []float64    // eigenvalues of the fourth derivative, if modes are its eigenfunctions; see fourthOrder

	// made when they are needed
	highest       *mat.Dense // see top
	identity      *mat.Dense // see same
	highestOfLift *mat.Dense // see topOfLift
	coordinates   *mat.Dense // see fromLift
}

// modes returns the number of modes.
func (b *basis) modes() int {
	_, modes := b.z.Dims()
	return modes
}

// freeBasis returns all functions on an axis, those of no conditions.
func freeBasis(a *axis) *basis {
	return &basis{
		axis: a,
		z:    identityMatrix(a.n),
		lift: mat.NewDense(a.n, 1, nil),
	}
}

// newBases returns the functions for which all rows, conditions x n, of the matrix vanish; ok is false if the rows depend on
// each other. The rows may be over several fields, n columns for each; then there is one basis for each of them, whose
// modes have the same coordinates. Lifts are polynomials of low degree, or orthogonal to the modes.
func newBases(a *axis, rows *mat.Dense, orthogonal bool) (bases []*basis, ok bool) {
	count, width := rows.Dims()
	z, ok := nullSpace(a, rows)
	if !ok {
		return nil, false
	}
	lift, ok := newLift(a, rows, orthogonal)
	if !ok {
		return nil, false
	}
	for first := 0; first < width; first += a.n { // a field
		modesOfField := z.Slice(first, first+a.n, 0, width-count)
		liftOfField := lift.Slice(first, first+a.n, 0, count)
		bases = append(bases, &basis{
			axis: a,
			z:    mat.DenseCopyOf(modesOfField),
			lift: mat.DenseCopyOf(liftOfField),
		})
	}
	return bases, true
}

// nullSpace returns orthonormal functions for which all rows of a matrix, conditions x width, vanish, in the columns of a
// matrix, width x (width - conditions); ok is false if the rows depend on each other.
func nullSpace(a *axis, rows *mat.Dense) (z *mat.Dense, ok bool) {
	count, width := rows.Dims()
	scaled := mat.NewDense(count, width, nil) // so that derivatives of all orders count alike
	for k := range count {
		norm := mat.Norm(rows.RowView(k), 2)
		for j := range width {
			scaled.Set(k, j, rows.At(k, j)/norm)
		}
	}
	var qr mat.QR
	qr.Factorize(scaled.T())
	var r mat.Dense
	qr.RTo(&r)
	for k := range count {
		isIndependent := math.Abs(r.At(k, k)) > 1e-9
		if !isIndependent {
			return nil, false
		}
	}
	isOfOneField := width == a.n
	if isOfOneField {
		if z, ok = gradedModes(scaled); ok {
			return z, true
		}
	}
	var q mat.Dense
	qr.QTo(&q)
	return mat.DenseCopyOf(q.Slice(0, width, count, width)), true
}

// gradedModes returns orthonormal polynomials for which all rows of a matrix, conditions x n, vanish: the one in column j
// has degree j + conditions at most. So derivatives of slow modes have no rounding errors of the size of fast ones. It
// returns false if they depend on each other.
func gradedModes(rows *mat.Dense) (z *mat.Dense, ok bool) {
	count, n := rows.Dims()
	if n <= 2*count {
		return nil, false
	}
	modes := n - count
	banded := mat.NewDense(n, modes, nil) // column j is the combination of the degrees j to j + count for which the rows vanish
	for j := range modes {
		var qr mat.QR
		qr.Factorize(rows.Slice(0, count, j, j+count+1).T())
		var q mat.Dense
		qr.QTo(&q)
		for i := range count + 1 {
			banded.Set(j+i, j, q.At(i, count))
		}
	}
	var qr mat.QR // makes the columns orthonormal from low degrees to high ones
	qr.Factorize(banded)
	var r, q mat.Dense
	qr.RTo(&r)
	qr.QTo(&q)
	z = mat.NewDense(n, modes, nil)
	for j := range modes {
		if math.Abs(r.At(j, j)) < 1e-6 {
			return nil, false
		}
		degrees := min(n, j+count+1) // what q has of higher ones is rounding errors
		for i := range degrees {
			z.Set(i, j, q.At(i, j))
		}
	}
	return z, true
}

// newLift returns functions with one condition equal to 1 and the others 0. Those of lowest degree are smooth; those orthogonal
// to the modes do not change their coordinates, even if values of conditions jump.
func newLift(a *axis, rows *mat.Dense, orthogonal bool) (*mat.Dense, bool) {
	count, width := rows.Dims()
	span := mat.NewDense(width, count, nil) // of the functions
	if orthogonal {
		span.Copy(rows.T())
	} else {
		columns := lowestDegrees(a, rows)
		if len(columns) < count {
			return nil, false
		}
		for k, j := range columns {
			span.Set(j, k, 1)
		}
	}
	var gram, lift mat.Dense
	gram.Mul(rows, span)
	var lu mat.LU
	lu.Factorize(&gram)
	if !(lu.Cond() < 1e14) {
		return nil, false
	}
	inverse := mat.NewDense(count, count, nil)
	if lu.SolveTo(inverse, false, identityMatrix(count)) != nil && !(lu.Cond() < 1e14) {
		return nil, false
	}
	lift.Mul(span, inverse)
	var error, correction mat.Dense // one step of refinement
	error.Mul(rows, &lift)
	error.Sub(&error, identityMatrix(count))
	correction.Mul(&lift, &error)
	lift.Sub(&lift, &correction)
	return &lift, true
}

// lowestDegrees returns the columns of the polynomials of lowest degree, over all fields, that can give every value to the
// conditions in the rows.
func lowestDegrees(a *axis, rows *mat.Dense) (columns []int) {
	const independent = 1e-3 // share of a column that those before do not have; a smaller one would make lifts large
	count, width := rows.Dims()
	sizes := make([]float64, count) // of the rows at low degrees
	for k := range sizes {
		for j := range width {
			if j%a.n < count+3 {
				sizes[k] = math.Hypot(sizes[k], rows.At(k, j))
			}
		}
	}
	var basis [][]float64
	for degree := range a.n {
		for j := degree; j < width; j += a.n {
			column := make([]float64, count)
			for k, size := range sizes {
				column[k] = rows.At(k, j) / size
			}
			whole := floats.Norm(column, 2)
			for range 2 { // the second time removes rounding errors of the first
				for _, b := range basis {
					floats.AddScaled(column, -floats.Dot(b, column), b)
				}
			}
			rest := floats.Norm(column, 2)
			if rest <= independent*whole {
				continue
			}
			floats.Scale(1/rest, column)
			basis = append(basis, column)
			columns = append(columns, j)
			if len(columns) == count {
				return columns
			}
		}
	}
	return columns
}

// rotate replaces the modes by their combinations with the columns of a matrix.
func (b *basis) rotate(q mat.Matrix) {
	var z mat.Dense
	z.Mul(b.z, q)
	b.z = &z
}

// finish computes the matrices between coordinates and values, up to an order.
func (b *basis) finish(order int) {
	for k := range order + 1 {
		var derived, at, project, from mat.Dense
		derived.Mul(b.powers[k], b.z)
		at.Mul(b.values, &derived)
		project.Mul(b.z.T(), b.powers[k])
		from.Mul(&project, b.coefficients)
		b.at = append(b.at, &at)
		b.from = append(b.from, &from)
	}
}

// inside returns the Galerkin matrix of the k-th derivative, modes x modes.
func (b *basis) inside(k int) *mat.Dense {
	var derived, m mat.Dense
	derived.Mul(b.powers[k], b.z)
	m.Mul(b.z.T(), &derived)
	return &m
}

// top returns the matrix from coordinates to the highest fifth of the coefficients.
func (b *basis) top() *mat.Dense {
	if b.highest == nil {
		first := b.n - b.n/5
		b.highest = mat.DenseCopyOf(b.z.Slice(first, b.n, 0, b.modes()))
	}
	return b.highest
}

// topOfLift returns the matrix from coefficients to the highest fifth of them.
func (b *basis) topOfLift() *mat.Dense {
	if b.highestOfLift == nil {
		first := b.n - b.n/5
		b.highestOfLift = mat.DenseCopyOf(identityMatrix(b.n).Slice(first, b.n, 0, b.n))
	}
	return b.highestOfLift
}

// fromLift returns the matrix from coefficients to coordinates.
func (b *basis) fromLift() *mat.Dense {
	if b.coordinates == nil {
		b.coordinates = mat.DenseCopyOf(b.z.T())
	}
	return b.coordinates
}

// same returns the identity on the coordinates.
func (b *basis) same() *mat.Dense {
	if b.identity == nil {
		b.identity = identityMatrix(b.modes())
	}
	return b.identity
}

// fourthOrder sets the eigenvalues of the fourth derivative and returns the combinations of modes that are its
// eigenfunctions, slow ones first, modes x modes; nil if the order is another one or the derivative is not symmetric.
//
// If the conditions make it symmetric, it is S'S with the second derivative S of the modes. With the factors Q R of S, its
// eigenfunctions are the left singular vectors of the inverse of R, and the largest singular values are those of slow
// modes, which so keep all their digits.
func (b *basis) fourthOrder(order int) *mat.Dense {
	if order != 4 {
		return nil
	}
	var second mat.Dense // S, n x modes
	second.Mul(b.powers[2], b.z)
	if !b.isSquareOf(&second) {
		return nil
	}
	n := b.modes()
	size := 4 / (b.length * b.length)
	// S with size times the identity below it, whose eigenvalues are larger by size squared, so that linear functions,
	// whose second derivative is zero, are no exception.
	stacked := mat.NewDense(b.n+n, n, nil)
	stacked.Slice(0, b.n, 0, n).(*mat.Dense).Copy(&second)
	for k := range n {
		stacked.Set(b.n+k, k, size)
	}
	inverse := inverseOfR(stacked)
	if inverse == nil {
		return nil
	}
	var svd mat.SVD
	if !svd.Factorize(inverse, mat.SVDFull) {
		return nil
	}
	rotation := mat.NewDense(n, n, nil)
	svd.UTo(rotation)
	b.fourth = make([]float64, n)
	for k, value := range svd.Values(nil) {
		eigenvalue := 1/(value*value) - size*size
		b.fourth[k] = math.Max(0, eigenvalue)
	}
	return rotation
}

// isSquareOf reports whether the fourth derivative of the modes is S'S with their second derivative S, n x modes.
func (b *basis) isSquareOf(second *mat.Dense) bool {
	fourth := b.inside(4)
	var difference mat.Dense
	difference.Mul(second.T(), second)
	difference.Sub(&difference, fourth)
	isOther := mat.Norm(&difference, 2) > 1e-9*mat.Norm(fourth, 2)
	return !isOther
}

// inverseOfR returns the inverse of the triangular factor R of a matrix Q R, columns x columns; nil if it has none.
func inverseOfR(m *mat.Dense) *mat.Dense {
	_, n := m.Dims()
	var qr mat.QR
	qr.Factorize(m)
	var factor mat.Dense
	qr.RTo(&factor)
	r := mat.NewTriDense(n, mat.Upper, nil)
	for i := range n {
		for j := i; j < n; j++ {
			r.SetTri(i, j, factor.At(i, j))
		}
	}
	var inverse mat.Dense
	if err := inverse.Solve(r, identityMatrix(n)); err != nil {
		return nil
	}
	return &inverse
}
