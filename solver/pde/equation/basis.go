// This file finds the functions on an axis that satisfy conditions at its ends: modes, and lifts of their values.

package equation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// basis is the space of functions on an axis that satisfy homogeneous conditions, with orthonormal modes.
type basis struct {
	*axis
	z      *mat.Dense   // coefficients of the modes, n x modes
	tests  *mat.Dense   // coefficients of the functions whose products with a function are its coordinates, n x modes: z, or see testTau
	lift   *mat.Dense   // coefficients of functions with one condition equal to 1 and the others 0, n x conditions
	at     []*mat.Dense // by order: the derivatives of the modes at the points, n x modes
	from   []*mat.Dense // by order: to coordinates from the values of a function whose derivative is meant, modes x n
	fluxAt []side       // whose conditions give the slope by a flux; see flux.go
	fourth []float64    // eigenvalues of the fourth derivative, if modes are its eigenfunctions; see fourthOrder
	// at and from by order, where modes are even or odd; nil where they are not
	mirroredAt   []*mirrored
	mirroredFrom []*mirrored
	// the same for products on an interval; nil where they are not needed yet
	packedAt   []*linalg.Packed
	packedFrom []*linalg.Packed

	// made when they are needed
	highest       *mat.Dense // see top
	identity      *mat.Dense // see same
	highestOfLift *mat.Dense // see topOfLift
	coordinates   *mat.Dense // see fromLift
	traces        map[side][]float64
}

// modes returns the number of modes.
func (b *basis) modes() int {
	_, modes := b.z.Dims()
	return modes
}

// freeBasis returns all functions on an axis, those of no conditions.
func freeBasis(a *axis) *basis {
	identity := identityMatrix(a.n)
	return &basis{
		axis:  a,
		z:     identity,
		tests: identity,
		lift:  mat.NewDense(a.n, 1, nil),
	}
}

// newBases returns the functions for which all rows, conditions x n, of the matrix vanish; ok is false if the rows depend on
// each other. The rows may be over several fields, n columns for each; then there is one basis for each of them, whose
// modes have the same coordinates. Lifts are polynomials of low degree, or orthogonal to the tests, which are the modes unless
// the columns of some polynomials are dropped, one for each condition: then see tauTests.
func newBases(a *axis, rows *mat.Dense, orthogonal bool, dropped []int) (bases []*basis, ok bool) {
	count, width := rows.Dims()
	z, ok := nullSpace(a, rows)
	if !ok {
		return nil, false
	}
	tests := z
	if dropped != nil {
		tests = tauTests(z, dropped)
		if tests == nil {
			return nil, false
		}
	}
	lift, ok := newLift(a, rows, orthogonal, dropped)
	if !ok {
		return nil, false
	}
	for first := 0; first < width; first += a.n { // a field
		modesOfField := z.Slice(first, first+a.n, 0, width-count)
		testsOfField := tests.Slice(first, first+a.n, 0, width-count)
		liftOfField := lift.Slice(first, first+a.n, 0, count)
		bases = append(bases, &basis{
			axis:  a,
			z:     mat.DenseCopyOf(modesOfField),
			tests: mat.DenseCopyOf(testsOfField),
			lift:  mat.DenseCopyOf(liftOfField),
		})
	}
	return bases, true
}

// tauTests returns combinations of all polynomials but the dropped ones whose products with the modes, width x modes, are the
// identity (Lanczos's tau method): the equation holds up to multiples of those that are dropped, which leave room for the
// conditions. It returns nil if there are none.
func tauTests(z *mat.Dense, dropped []int) *mat.Dense {
	width, modes := z.Dims()
	var kept []int
	for row := range width {
		if !slices.Contains(dropped, row) {
			kept = append(kept, row)
		}
	}
	products := mat.NewDense(modes, modes, nil)
	for i, row := range kept {
		products.SetRow(i, z.RawRowView(row))
	}
	var inverse mat.Dense
	if inverse.Inverse(products) != nil {
		return nil
	}
	tests := mat.NewDense(width, modes, nil)
	for i, row := range kept {
		for mode := range modes {
			tests.Set(row, mode, inverse.At(mode, i))
		}
	}
	return tests
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
// to the tests do not change their coordinates, even if values of conditions jump.
func newLift(a *axis, rows *mat.Dense, orthogonal bool, dropped []int) (*mat.Dense, bool) {
	count, width := rows.Dims()
	span := mat.NewDense(width, count, nil) // of the functions
	if orthogonal && dropped == nil {
		span.Copy(rows.T())
	} else {
		columns := dropped
		if !orthogonal {
			columns = lowestDegrees(a, rows)
		}
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
func (b *basis) rotate(q *mat.Dense) {
	b.z = matrixProduct(b.z, q)
	b.tests = b.z
}

// finish computes the matrices between coordinates and values, up to an order.
func (b *basis) finish(order int) {
	for k := range order + 1 {
		at := matrixProduct(b.values, matrixProduct(b.powers[k], b.z))
		from := matrixProduct(transposedProduct(b.tests, b.powers[k]), b.coefficients)
		b.at = append(b.at, at)
		b.from = append(b.from, from)
		b.mirroredAt = append(b.mirroredAt, mirroredRows(at))
		b.mirroredFrom = append(b.mirroredFrom, mirroredColumns(from))
	}
	b.packedAt = make([]*linalg.Packed, order+1)
	b.packedFrom = make([]*linalg.Packed, order+1)
}

// setValues sets dst to the values at the points, n x block, of a derivative of functions with coordinates, modes x block.
func (b *basis) setValues(dst []float64, order int, coordinates []float64) {
	if m := b.mirroredAt[order]; m != nil {
		m.setValues(dst, coordinates)
		return
	}
	if b.packedAt[order] == nil {
		b.packedAt[order] = packed(b.at[order])
	}
	clear(dst)
	b.packedAt[order].AddTo(dst, block, coordinates, block)
}

// addCoordinates adds the coordinates, modes x block, of a derivative of functions with values at the points, n x block.
func (b *basis) addCoordinates(dst []float64, order int, values []float64) {
	if m := b.mirroredFrom[order]; m != nil {
		m.addCoordinates(dst, values)
		return
	}
	if b.packedFrom[order] == nil {
		b.packedFrom[order] = packed(b.from[order])
	}
	b.packedFrom[order].AddTo(dst, block, values, block)
}

// packed prepares products of a matrix.
func packed(m *mat.Dense) *linalg.Packed {
	rows, cols := m.Dims()
	return linalg.Pack(m.RawMatrix().Data, rows, cols)
}

// inside returns the Galerkin matrix of the k-th derivative, modes x modes.
func (b *basis) inside(k int) *mat.Dense {
	m := transposedProduct(b.z, matrixProduct(b.powers[k], b.z))
	if k == 2 {
		return b.withoutSlopes(m, b)
	}
	return m
}

// eigenvalues returns what the k-th derivative multiplies each mode by, as far as that is the mode itself.
func (b *basis) eigenvalues(k int) []float64 {
	if k == 4 && b.fourth != nil {
		return b.fourth
	}
	m := b.inside(k)
	values := make([]float64, b.modes())
	for mode := range values {
		values[mode] = m.At(mode, mode)
	}
	return values
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
