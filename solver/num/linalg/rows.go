package linalg

import "gonum.org/v1/gonum/mat"

// RowsOf returns some rows of a matrix, of which it is a view.
func RowsOf(m *mat.Dense, from, to int) *mat.Dense {
	return m.Slice(from, to, 0, m.RawMatrix().Cols).(*mat.Dense)
}
