package burgers

import (
	"context"
	"errors"
	"testing"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/countdown"
)

// A context is obeyed at every step, also one that is rejected; the worker is as good as new afterwards.
func TestSolveEndsWithItsContext(t *testing.T) {
	a, u := grid.NewBatch(grid.Torus, 65, BlockSize), grid.NewBatch(grid.Torus, 65, BlockSize)
	grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, 65).Draw(a, 1, draw.InputTrain, 0)
	w := New(1e-2, 1e-8, 65).NewWorker()
	solve := func(ctx context.Context) error { return w.Solve(ctx, []grid.Batch{u}, a, []float64{1}, "test") }
	whole := countdown.Never()
	if err := solve(whole); err != nil {
		t.Fatal(err)
	}
	want := u.Range(0, u.Count).Data[5]
	if whole.Looks() < w.Steps() {
		t.Errorf("%d looks at the context in %d steps", whole.Looks(), w.Steps())
	}
	for _, looks := range []int{0, 1, whole.Looks() - 1} {
		if err := solve(countdown.After(looks)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d looks: error %v", looks, err)
		}
	}
	if err := solve(t.Context()); err != nil || u.Data[5] != want {
		t.Errorf("after a cancelled solution: %v, u = %v, want %v", err, u.Data[5], want)
	}
}
