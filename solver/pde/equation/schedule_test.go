package equation

import (
	"math"
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// drawn returns a worker of a problem between ends with its first inputs.
func drawn(t *testing.T, p Problem) (*endsWorker, grid.Batch) {
	t.Helper()
	noError(t, p.Check())
	o := p.Operator()
	a := grid.NewBatch(o.Domain, p.Points, block)
	o.Draw(a, draw.InputTrain, 0)
	return o.NewWorker().(*endsWorker), a
}

// solvedBy returns the outputs of a worker.
func solvedBy(t *testing.T, w *endsWorker, a grid.Batch) grid.Batch {
	t.Helper()
	out := a.Like(a.Count)
	noError(t, w.Solve(t.Context(), []grid.Batch{out}, a, []float64{w.Time}, ""))
	return out
}

// front is a front between ends, in which all errors decay.
func front() Problem {
	p := between("u_t = 0.02*u_xx + 5*u*(1-u)", "u = 1", "u = 0", "(1-x)^4 + 0.5*x*(1-x)*(1 + tanh(a))", 1)
	p.Tolerance = 1e-7
	return p
}

// walls are phases between ends that lose, whose errors die out behind the walls that form.
func walls() Problem {
	p := between("u_t = 0.02*u_xx + 5*(u - u^3)", "u_x = 2*u", "u_x = -u", "", 1)
	p.Input.Scale = 4
	p.Tolerance = 1e-7
	return p
}

// A schedule and reactions save steps, and the solution has the error that it had without them.
func TestChosenStepsAreFewerForOneError(t *testing.T) {
	for name, p := range map[string]Problem{"front": front(), "walls": walls()} {
		t.Run(name, func(t *testing.T) {
			w, a := drawn(t, p)
			chosen := solvedBy(t, w, a)
			steps := w.Steps()
			if w.first.schedule == nil {
				t.Fatal("there is no schedule")
			}
			fixed := func(share float64) (grid.Batch, int) {
				plain := newEndsWorker(w.evolution, &resolution{known: true, size: w.first.size, share: share})
				out := solvedBy(t, plain, a)
				return out, plain.Steps()
			}
			exact, _ := fixed(1e-3)
			d := worstDistance(chosen, exact)
			if !(d < agreement*p.Tolerance) {
				t.Errorf("the error is %.2g, want less than %.2g", d, agreement*p.Tolerance)
			}
			for share := float64(largestShare); ; share /= 2 {
				plain, plainSteps := fixed(share)
				if worstDistance(plain, exact) > d {
					continue
				}
				if float64(steps) > 0.85*float64(plainSteps) {
					t.Errorf("%d steps, %d without a choice", steps, plainSteps)
				}
				return
			}
		})
	}
}

// Where the first step has most of the error, because rates of change begin to satisfy the conditions at once, the error does not
// exceed the tolerance: with a schedule that was never compared with even steps it was 60 times as large.
func TestFirstStepsAreAccurateWhereRatesViolateConditions(t *testing.T) {
	p := between("u_t = 0.05*u_xx - u*u_x", "u_x = 0", "2*u + u_x = 0", "1 - x*x/2 + 0.1*x*x*(1-x)*(1-x)", 0.4)
	w, a := drawn(t, p)
	out := solvedBy(t, w, a)
	fine := newEndsWorker(w.evolution, &resolution{known: true, size: w.first.size, share: 1e-3})
	if d := worstDistance(out, solvedBy(t, fine, a)); !(d < p.Tolerance) {
		t.Errorf("the error is %.2g, want less than %.2g", d, p.Tolerance)
	}
}

// Reactions move to the middle of their slopes, which for the front are from -10 to 0.
func TestReactionsMoveToTheMiddleOfTheirSlopes(t *testing.T) {
	w, a := drawn(t, front())
	solvedBy(t, w, a)
	if r := w.first.reactions; len(r) != 1 || math.Abs(r[0]+5) > 0.1 {
		t.Errorf("the reactions that moved are %v, want about -5", r)
	}
}

// Solutions that are also wanted on the way are accurate there, although errors there leave no trace at the end.
func TestOutputsOnTheWayHaveNoSchedule(t *testing.T) {
	p := walls()
	w, a := drawn(t, p)
	times := []float64{0.05 * p.Time, p.Time}
	outputs := []grid.Batch{a.Like(block), a.Like(block)}
	noError(t, w.Solve(t.Context(), outputs, a, times, ""))
	fine := newEndsWorker(w.evolution, &resolution{known: true, size: w.first.size, share: 1e-3})
	exact := []grid.Batch{a.Like(block), a.Like(block)}
	noError(t, fine.Solve(t.Context(), exact, a, times, ""))
	if d := worstDistance(outputs[0], exact[0]); !(d < p.Tolerance) {
		t.Errorf("the error on the way is %.2g, want less than %.2g", d, p.Tolerance)
	}
}

// A solution does not depend on what its worker solved before, with diffusion that moved to the linear part for those inputs.
func TestMovedDiffusionIsForgotten(t *testing.T) {
	p := between("u_t = 0.1*u_xx + (u^2*u_x)_x", "u = 0", "u_x + u = 0", "a*x*(1-x)^2", 0.1)
	p.Tolerance = 1e-4
	s := newSolver(p)
	noError(t, s.err)
	constant := func(c float64) grid.Batch {
		a := grid.NewBatch(s.domain, p.Points, block)
		for i := range a.Data {
			a.Data[i] = c
		}
		return a
	}
	first := &resolution{known: true, size: 1, share: 8}
	fresh := solvedBy(t, newEndsWorker(s, first), constant(0.5))
	used := newEndsWorker(s, first)
	solvedBy(t, used, constant(8))
	again := solvedBy(t, used, constant(0.5))
	if !slices.Equal(fresh.Data, again.Data) {
		t.Errorf("the solution differs by %.2g after another one", worstDistance(fresh, again))
	}
}
