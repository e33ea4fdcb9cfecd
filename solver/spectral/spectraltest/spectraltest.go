// Package spectraltest has the tests that every equation of package spectral must pass, whatever it says.
package spectraltest

import (
	"context"
	"errors"
	"math"
	"testing"

	"rfm/solver/grid"
	"rfm/solver/parallel/countdown"
	"rfm/solver/spectral"
)

// Case is an equation with inputs, and what is expected.
type Case struct {
	New    func(tolerance float64) *spectral.Solver
	Inputs grid.Batch // a whole block
	Time   float64
	Steps  int     // so many equal steps to Time have an error well above rounding, and twice as many a sixteenth of it
	Growth float64 // error at Time in units of the tolerance that is accepted: what the equation makes of errors
}

// Run tests the case.
func Run(t *testing.T, c Case) {
	t.Run("order four", c.order)
	t.Run("tolerance", c.tolerance)
	t.Run("semigroup", c.semigroup)
	t.Run("functions do not mix", c.mixing)
	t.Run("context", c.context)
}

// Solve is Solver.Solve for a worker of its own; errors end the test.
func Solve(t testing.TB, s *spectral.Solver, a grid.Batch, times ...float64) []grid.Batch {
	t.Helper()
	out := make([]grid.Batch, len(times))
	for j := range out {
		out[j] = a.Like(a.Count)
	}
	if err := s.NewWorker().Solve(t.Context(), out, a, times, "test block"); err != nil {
		t.Fatal(err)
	}
	return out
}

// Distance is the largest relative L2 distance between the functions of two batches.
func Distance(u, v grid.Batch) float64 {
	d := 0.0
	for i := range u.Count {
		d = math.Max(d, math.Sqrt(v.Domain.Distance2(u.At(i), v.At(i))/v.Domain.Inner(v.At(i), v.At(i))))
	}
	return d
}

func (c Case) order(t *testing.T) {
	w := c.New(1e-8).NewWorker()
	advanced := func(steps int) grid.Batch {
		out := c.Inputs.Like(c.Inputs.Count)
		w.Equal(out, c.Inputs, c.Time, steps)
		return out
	}
	reference := advanced(8 * c.Steps)
	coarse, fine := Distance(advanced(c.Steps), reference), Distance(advanced(2*c.Steps), reference)
	order := math.Log2(coarse / fine)
	t.Logf("errors %.3g and %.3g after %d and %d steps: order %.3f", coarse, fine, c.Steps, 2*c.Steps, order)
	if !(math.Abs(order-4) < 0.2) {
		t.Errorf("order %.3f from errors %.3g and %.3g", order, coarse, fine)
	}
}

// The error at the end must be what was asked for, and not much less for its price.
func (c Case) tolerance(t *testing.T) {
	reference := Solve(t, c.New(1e-11), c.Inputs, c.Time)[0]
	for _, tolerance := range []float64{1e-4, 1e-6, 1e-8} {
		w, u := c.New(tolerance).NewWorker(), c.Inputs.Like(c.Inputs.Count)
		if err := w.Solve(t.Context(), []grid.Batch{u}, c.Inputs, []float64{c.Time}, "test block"); err != nil {
			t.Fatal(err)
		}
		e := Distance(u, reference)
		t.Logf("tolerance %g: error %.2g after %d steps", tolerance, e, w.Steps())
		if !(e <= c.Growth*tolerance) {
			t.Errorf("error %.2g at tolerance %g", e, tolerance)
		}
	}
}

// Snapshots of one trajectory agree with runs that end there, and compose.
func (c Case) semigroup(t *testing.T) {
	s := c.New(1e-10)
	both := Solve(t, s, c.Inputs, c.Time/2, c.Time)
	if e := Distance(Solve(t, s, both[0], c.Time/2)[0], both[1]); e > c.Growth*1e-9 {
		t.Errorf("half the time twice differs from the whole by %.2g", e)
	}
}

// The functions of a block only share the step.
func (c Case) mixing(t *testing.T) {
	s := c.New(1e-10)
	all := Solve(t, s, c.Inputs, c.Time)[0]
	for _, i := range []int{0, c.Inputs.Count - 1} {
		if e := Distance(Solve(t, s, c.Inputs.Range(i, 1), c.Time)[0], all.Range(i, 1)); e > c.Growth*1e-9 {
			t.Errorf("function %d alone differs by %.2g", i, e)
		}
	}
}

// A context is obeyed at every step, and the worker is as good as new afterwards.
func (c Case) context(t *testing.T) {
	w, u := c.New(1e-5).NewWorker(), c.Inputs.Like(c.Inputs.Count)
	solve := func(ctx context.Context) error {
		return w.Solve(ctx, []grid.Batch{u}, c.Inputs, []float64{c.Time}, "test block")
	}
	whole := countdown.Never()
	if err := solve(whole); err != nil {
		t.Fatal(err)
	}
	want := append([]float64(nil), u.Data...)
	if whole.Looks() < w.Steps() {
		t.Errorf("%d looks at the context in %d steps", whole.Looks(), w.Steps())
	}
	for _, looks := range []int{0, 1, whole.Looks() - 1} {
		if err := solve(countdown.After(looks)); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled after %d looks: error %v", looks, err)
		}
	}
	if err := solve(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, v := range u.Data {
		if v != want[i] {
			t.Fatalf("after a cancelled solution value %d is %v, want %v", i, v, want[i])
		}
	}
}
