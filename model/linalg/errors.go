// Errors of matrices and systems.

package linalg

import "fmt"

// NotPositiveDefiniteError reports that S + lambda I has no Cholesky factor.
type NotPositiveDefiniteError struct {
	Pivot  int     // index of the first pivot that is not positive, counted from 0
	Value  float64 // value of the pivot
	Lambda float64
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("matrix is not positive definite at pivot %d: want > 0, got %.3g; lambda = %.3g is too small, "+
		"increase it or use lambda = 0 with truncation",
		e.Pivot, e.Value, e.Lambda)
}

// NonFiniteError reports that entry (Row, Col) is NaN or infinite.
type NonFiniteError struct {
	Row, Col int
	Value    float64
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("matrix entry (%d, %d) is %v, want a finite number; check the features it was summed from", e.Row,
		e.Col, e.Value)
}

// UnsolvedError reports that eigenvalues or a solution could not be computed.
type UnsolvedError struct{ Reason string }

func (e *UnsolvedError) Error() string { return e.Reason }
