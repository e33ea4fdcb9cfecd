// Package neural holds the inner loops of training a neural network: products of matrices, of spectra, GELU, and the
// step of Adam. Numbers are float32, for which the loops exist in assembly, too, because a network needs no more digits
// and half as many bytes; float64 serves tests of gradients.
//
// Results depend on the arguments alone, on one kind of processor: every sum has a fixed order.
package neural

import (
	"fmt"

	"rfm/solver/num/simd"
)

// Number is a type of numbers in which networks are trained.
type Number interface{ float32 | float64 }

// Matrix is a Rows x Cols matrix, row-major, in rows of Stride numbers. The rows that are allocated are a multiple of
// four and the stride is one of eight, because kernels work on whole tiles; products over columns need zeros in the
// columns from Cols on.
type Matrix[T Number] struct {
	Rows   int
	Cols   int
	Stride int
	Data   []T
}

// padding of rows and columns, see Matrix.
const (
	tileRows    = 4
	tileColumns = 8
)

// padded returns the next multiple of unit.
func padded(n, unit int) int {
	units := (n + unit - 1) / unit
	return units * unit
}

// Size returns the numbers that a matrix occupies.
func Size(rows, cols int) int {
	return padded(rows, tileRows) * padded(cols, tileColumns)
}

// NewMatrix returns a zero matrix.
func NewMatrix[T Number](rows, cols int) Matrix[T] {
	data := make([]T, Size(rows, cols))
	return On(data, rows, cols)
}

// On returns a matrix on memory of at least Size(rows, cols) numbers, which it shares.
func On[T Number](data []T, rows, cols int) Matrix[T] {
	return Matrix[T]{
		Rows:   rows,
		Cols:   cols,
		Stride: padded(cols, tileColumns),
		Data:   data[:Size(rows, cols)],
	}
}

// Row returns a row, which shares memory with m.
func (m Matrix[T]) Row(i int) []T { return m.Data[i*m.Stride:][:m.Cols] }

// wholeRow returns a row with its padding.
func (m Matrix[T]) wholeRow(i int) []T { return m.Data[i*m.Stride:][:m.Stride] }

// hasRows reports whether a matrix has memory for so many rows.
func (m Matrix[T]) hasRows(rows int) bool { return len(m.Data) >= rows*m.Stride }

// size returns the rows and columns as text.
func (m Matrix[T]) size() string { return dimensions(m.Rows, m.Cols) }

// Transposed returns a copy with rows and columns exchanged.
func (m Matrix[T]) Transposed() Matrix[T] {
	t := NewMatrix[T](m.Cols, m.Rows)
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			t.Data[j*t.Stride+i] = v
		}
	}
	return t
}

// vectors reports whether numbers of this type have kernels on this processor.
func vectors[T Number]() bool {
	var zero T
	_, single := any(zero).(float32)
	return single && simd.Active() >= simd.AVX2
}

// AddProduct adds A B to C. The rows of A fill tiles in memory, see Matrix; C and B need no more memory than their rows
// have. It panics if the shapes do not fit.
func AddProduct[T Number](c, a, b Matrix[T]) {
	if a.Cols != b.Rows || c.Rows != a.Rows || c.Stride != b.Stride {
		panic(fmt.Sprintf("neural: %s is no product of %s and %s", c.size(), a.size(), b.size()))
	}
	hasTiles := a.hasRows(padded(a.Rows, tileRows))
	if !hasTiles || !b.hasRows(b.Rows) || !c.hasRows(c.Rows) {
		panic(fmt.Sprintf("neural: %d, %d and %d numbers are too few for a product of %s and %s",
			len(c.Data), len(a.Data), len(b.Data), a.size(), b.size()))
	}
	if vectors[T]() {
		addProductVectors(single(c), single(a), single(b))
		return
	}
	for i := range c.Rows {
		row := c.wholeRow(i)
		for k, factor := range a.Row(i) {
			right := b.wholeRow(k)[:len(row)]
			for j := range row {
				row[j] += factor * right[j]
			}
		}
	}
}

// AddProductTransposed adds A B' to C, summed over the columns of A and B. It panics if the shapes do not fit.
func AddProductTransposed[T Number](c, a, b Matrix[T]) {
	if a.Stride != b.Stride || c.Rows != a.Rows || c.Cols != b.Rows {
		panic(fmt.Sprintf("neural: %s is no product of %s and transposed %s", c.size(), a.size(), b.size()))
	}
	for _, m := range []Matrix[T]{a, b, c} {
		if !m.hasRows(padded(m.Rows, tileRows)) {
			panic(fmt.Sprintf("neural: %d numbers are too few for %d rows of %d", len(m.Data), m.Rows, m.Stride))
		}
	}
	if vectors[T]() {
		addProductTransposedVectors(single(c), single(a), single(b))
		return
	}
	for i := range c.Rows {
		left := a.wholeRow(i)
		for j := range c.Cols {
			right := b.wholeRow(j)[:len(left)]
			var sum T
			for x := range left {
				sum += left[x] * right[x]
			}
			c.Data[i*c.Stride+j] += sum
		}
	}
}

// Group is the number of complex numbers in a group: eight real parts, then eight imaginary parts.
const Group = 8

// Spectra is a rows x cols array of spectra, each of some groups of complex numbers. Entry (i, j) begins at number
// i*Row + j*Column of the data; rows and columns are even in memory.
type Spectra[T Number] struct {
	Rows   int
	Cols   int
	Row    int // numbers from a row to the next
	Column int // numbers from a column to the next
	Data   []T
}

// NewSpectra returns zero spectra of so many groups.
func NewSpectra[T Number](rows, cols, groups int) Spectra[T] {
	data := make([]T, SpectraSize(rows, cols, groups))
	return SpectraOn(data, rows, cols, groups)
}

// groupSize is the number of numbers in a group.
const groupSize = 2 * Group

// SpectraSize returns the numbers that spectra occupy.
func SpectraSize(rows, cols, groups int) int {
	count := padded(rows, 2) * padded(cols, 2)
	return count * groups * groupSize
}

// SpectraOn returns spectra on memory of at least SpectraSize numbers, which they share.
func SpectraOn[T Number](data []T, rows, cols, groups int) Spectra[T] {
	size := groups * groupSize
	return Spectra[T]{
		Rows:   rows,
		Cols:   cols,
		Row:    padded(cols, 2) * size,
		Column: size,
		Data:   data[:SpectraSize(rows, cols, groups)],
	}
}

// entry returns entry (i, j), of so many groups.
func (s Spectra[T]) entry(i, j, groups int) []T {
	first := i*s.Row + j*s.Column
	return s.Data[first : first+groups*groupSize]
}

// size returns the rows and columns as text.
func (s Spectra[T]) size() string { return dimensions(s.Rows, s.Cols) }

// dimensions returns the size of rows x columns things as text.
func dimensions(rows, columns int) string {
	return fmt.Sprintf("%d x %d", rows, columns)
}

// Transposed returns the same spectra with rows and columns exchanged; they share memory.
func (s Spectra[T]) Transposed() Spectra[T] {
	return Spectra[T]{
		Rows:   s.Cols,
		Cols:   s.Rows,
		Row:    s.Column,
		Column: s.Row,
		Data:   s.Data,
	}
}

// AddSpectra adds P Q to C, products of spectra being pointwise: c[i][j] += sum_k p[i][k] q[k][j], of the conjugates of
// p if conjugate is set. It panics if the shapes do not fit.
func AddSpectra[T Number](c, p, q Spectra[T], groups int, conjugate bool) {
	if p.Cols != q.Rows || c.Rows != p.Rows || c.Cols != q.Cols {
		panic(fmt.Sprintf("neural: %s spectra are no product of %s and %s", c.size(), p.size(), q.size()))
	}
	if vectors[T]() {
		addSpectraVectors(singleSpectra(c), singleSpectra(p), singleSpectra(q), groups, conjugate)
		return
	}
	sign := T(1)
	if conjugate {
		sign = -1
	}
	for i := range c.Rows {
		for j := range c.Cols {
			sum := c.entry(i, j, groups)
			for k := range p.Cols {
				left := p.entry(i, k, groups)
				right := q.entry(k, j, groups)
				addGroups(sum, left, right, sign)
			}
		}
	}
}

// addGroups adds the pointwise products of two spectra; sign is -1 for the conjugate of p.
func addGroups[T Number](sum, p, q []T, sign T) {
	for first := 0; first < len(sum); first += groupSize {
		for l := range Group {
			at := first + l // of the real part
			im := at + Group
			pRe := p[at]
			pIm := sign * p[im]
			sum[at] += pRe*q[at] - pIm*q[im]
			sum[im] += pRe*q[im] + pIm*q[at]
		}
	}
}

// single returns the matrix, whose numbers are float32.
func single[T Number](m Matrix[T]) Matrix[float32] { return any(m).(Matrix[float32]) }

// singleSpectra returns the spectra, whose numbers are float32.
func singleSpectra[T Number](s Spectra[T]) Spectra[float32] { return any(s).(Spectra[float32]) }
