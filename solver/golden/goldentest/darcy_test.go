package goldentest_test

import (
	"testing"

	"rfm/solver/golden/goldentest"
	"rfm/solver/space/grid"
)

func darcyBatch(name string) grid.Batch {
	a := goldentest.Darcy(name)
	return grid.BatchOf(grid.Square, a.Shape[len(a.Shape)-1], a.Data)
}

// The stored predictions, errors and coefficients are consistent: the errors follow from the predictions.
func TestDarcyErrorsAreThoseOfThePredictions(t *testing.T) {
	for _, c := range []struct{ errors, predictions, solutions string }{{"relerr_train", "pred_train", "u_arith"},
		{"relerr_test", "pred_test", "u_test"}} {
		u, v, want := darcyBatch(c.predictions), darcyBatch(c.solutions), goldentest.Darcy(c.errors).Data
		for i := range want {
			if got := worst(u.Range(i, 1), v.Range(i, 1)); got < want[i]*(1-fieldTolerance) || got > want[i]*(1+fieldTolerance) {
				t.Errorf("%s of function %d: %.15g, want %.15g", c.errors, i, got, want[i])
			}
		}
	}
}

func TestDarcyPanicsOnAnUnknownName(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an array that does not exist was returned")
		}
	}()
	goldentest.Darcy("no such array")
}
