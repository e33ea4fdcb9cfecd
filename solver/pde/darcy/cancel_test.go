package darcy

import (
	"context"
	"errors"
	"math"
	"testing"

	"rfm/solver/base/parallel/countdown"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

func TestSolveEndsWithItsContext(t *testing.T) {
	const r = 33
	w, u := New(Paper(), r).NewWorker(), make([]float64, r*r)
	a := drawn(r, 1)
	whole := countdown.After(math.MaxInt)
	noError(t, w.Solve(whole, u, a, "test"))
	if whole.Looks() < w.iterations {
		t.Errorf("%d looks at the context in %d iterations", whole.Looks(), w.iterations)
	}
	for _, looks := range []int{0, 1, whole.Looks() - 1} {
		if err := w.Solve(countdown.After(looks), u, a, "test"); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d looks: error %v", looks, err)
		}
	}
}
