// This file says why a solution ends before its time: an equation may have no solution for longer, or the grid may not
// hold it. The two look alike at first, because what grows without bound also becomes too narrow for the grid.

package equation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/fault"
)

// An Ending is the error of a solution that ends before the last time that was asked for. The outputs at earlier times
// are written.
type Ending struct {
	fault.Numerical
	Time   float64 // up to which the solution can be trusted
	States int     // outputs that are written
	Growth *Growth // nil: no field grows without bound
	cause  cause
}

// IsInitial reports whether the solution ends because of its initial values, however short the time is.
func (e *Ending) IsInitial() bool { return e.cause == badDiffusion || e.cause == notFinite }

// cause is a reason for an ending on which more functions have no effect, as soon as two numbers of them agree.
type cause int

// The causes.
const (
	otherCause   cause = iota // more functions may help
	gone                      // the solution has decayed or left the interval
	badDiffusion              // which is negative, or too uneven, at the initial values
	notFinite                 // initial values, or their rate
	noStep                    // from the initial values is small enough
)

// Unwrap returns the *fault.Numerical, for errors.As.
func (e *Ending) Unwrap() error { return &e.Numerical }

// Growth is how a field grows without bound.
type Growth struct {
	Field    string
	Sign     int // 1 upwards, -1 downwards, 0 in both directions
	At       [2]float64
	Value    float64 // the value there when the solution ended
	Endpoint float64 // the time at which it ceases to exist, as far as the grid can tell
	Initial  string  // an initial value in place of a from which these solutions last; "" if none is known
}

// String describes the growth to somebody who sees no picture, without its time.
func (g *Growth) String() string {
	way := [3]string{"downwards", "upwards and downwards", "upwards"}[g.Sign+1]
	return fmt.Sprintf("%s grows without bound, %s", g.Field, way)
}

// fail returns the error of a solution that fails at a time.
func (w *worker) fail(t float64, what, do string) *Ending {
	return &Ending{
		Numerical: fault.Numerical{
			Where: fmt.Sprintf("equation solver, %s, %s", w.label, w.domain.Grid(w.Points)),
			What:  fmt.Sprintf("the solution at t=%.4g %s", t, what),
			Do:    do,
		},
		Time:   t,
		States: w.written,
	}
}

// failGrowing returns the error of a solution that grows without bound.
func (w *worker) failGrowing(t float64, g *Growth) *Ending {
	place := w.coordinates(g.At)
	do := fmt.Sprintf("set equation.time to %.2g, or lower input.scale", 0.9*math.Min(t, g.Endpoint))
	if g.Initial != "" {
		do += fmt.Sprintf(", or begin where it does not run away: equation.initial = %q", g.Initial)
	}
	e := w.fail(t, "", do)
	e.What = fmt.Sprintf("%v, near t=%.3g (%.3g at %s when t=%.3g)", g, g.Endpoint, g.Value, place, t)
	e.Growth = g
	return e
}

// The constants of the search for growth. The solution goes on without regard to the grid for some steps, at a low
// tolerance, with its shortest waves damped, so that waves that the grid folds back do not grow by themselves.
const (
	growthBefore    = 2    // largest value of a solution that may grow without bound, relative to the initial one
	growthAfter     = 100  // by which it must grow once more
	growthSteps     = 600  // within so many steps
	growthLonger    = 0.5  // of the time of the solution, beyond its end
	growthTolerance = 1e-3 // of the steps
)

// extreme is the largest absolute value of a trajectory.
type extreme struct {
	field int
	lane  int
	point int
	value float64
}

// extremes returns the largest absolute value of each trajectory over all fields.
func (w *worker) extremes(values func(field int) []float64) (all [block]extreme) {
	for f := range w.Fields {
		for i, v := range values(f) {
			lane := i % block
			if math.Abs(v) > math.Abs(all[lane].value) {
				all[lane] = extreme{
					field: f,
					lane:  lane,
					point: i / block,
					value: v,
				}
			}
		}
	}
	return all
}

// growth returns how the solution grows without bound after it failed at a time; nil if it does not seem to. The
// solution is lost.
func (w *worker) growth(t float64) *Growth {
	if w.unexplained {
		return nil
	}
	first := w.extremes(func(f int) []float64 { return w.starts[f] })
	now := w.extremes(w.onPoints)
	var before extreme
	worst := 0.0
	for l, e := range now {
		ratio := math.Abs(e.value) / (math.Abs(first[l].value) + 1e-3)
		if ratio > worst {
			worst = ratio
			before = e
		}
	}
	if worst < growthBefore {
		return nil
	}
	end, after, bounded := w.goOn(t, before)
	if bounded {
		return nil
	}
	return w.grown(before, after, end)
}

// largest returns the growth of a solution whose norm has grown beyond the limit by a time.
func (w *worker) largest(t float64) *Growth {
	var worst extreme
	for _, e := range w.extremes(w.onPoints) {
		if math.Abs(e.value) > math.Abs(worst.value) {
			worst = e
		}
	}
	return w.grown(worst, worst, t)
}

// grown describes growth from one value to another, at which the solution stands now.
func (w *worker) grown(before, after extreme, end float64) *Growth {
	low := 0.0
	high := 0.0
	values := w.onPoints(after.field)
	for i := after.lane; i < len(values); i += block {
		low = math.Min(low, values[i])
		high = math.Max(high, values[i])
	}
	g := &Growth{
		Field:    w.Fields[before.field],
		At:       w.points[before.point],
		Value:    before.value,
		Endpoint: end,
	}
	switch {
	case high > -3*low:
		g.Sign = 1
	case -low > 3*high:
		g.Sign = -1
	}
	if len(w.Fields) == 1 && w.beginsWithInput(0) {
		for _, initial := range []string{"0.1 + 0.1*tanh(a)", "0.1*tanh(a)"} {
			if w.lastsFrom(initial) {
				g.Initial = initial
				break
			}
		}
	}
	return g
}

// lastsFrom reports whether the solutions of the block would last from other initial values of the only field.
func (w *worker) lastsFrom(initial string) bool {
	p := w.Problem
	p.Initial = initial
	s := newReflected(p, w.reflected)
	s.maxSteps = 20 * firstSteps
	s.budget = w.budget
	s.unexplained = true
	other := s.newWorker()
	copy(other.input, w.input)
	other.initial.toPoints(nil)
	if other.err != nil {
		return false
	}
	err := other.advance(context.Background(), []float64{w.time}, "", func(int) {})
	return err == nil
}

// goOn continues a trajectory from a time until it has grown beyond doubt. It returns the time and the largest value
// then, or that it stays bounded.
func (w *worker) goOn(t float64, from extreme) (end float64, last extreme, bounded bool) {
	accepted := growthTolerance / w.tolerance
	damping := w.damping()
	h := w.time / firstSteps
	longest := t + growthLonger*w.time
	for range growthSteps {
		w.setStep(h, true)
		w.weigh(w.time)
		estimate := w.try()
		isAccepted := estimate <= accepted // NaN is not
		if !isAccepted {
			h *= 0.5
			if h < 1e-9*w.time { // the solution ends here
				now := w.extremes(w.onPoints)[from.lane]
				bounded = math.Abs(now.value) < 3*math.Abs(from.value)
				return t, now, bounded
			}
			continue
		}
		t += h
		if t > longest {
			break
		}
		for i, u := range w.next {
			w.transform.Multiply(w.u[i], u, damping)
		}
		w.plan.rest(w.image, w.u)
		last = w.extremes(w.onPoints)[from.lane]
		if math.Abs(last.value) > growthAfter*math.Abs(from.value) {
			return t, last, false
		}
		if estimate < 0.1*accepted {
			h *= 1.5
		}
	}
	return t, last, true
}

// damping returns a symbol that leaves long waves and removes the shortest.
func (w *worker) damping() []float64 {
	symbol := w.symbol(operator{}, 1, nil)
	limit := float64(max(1, w.limit))
	for p, k := range w.highest {
		relative := float64(k) / limit
		symbol[2*p] *= math.Exp(-36 * math.Pow(relative, 8)) // exp(-36) is the rounding error
	}
	return symbol
}

// advice returns what helps a solution that the grid does not resolve any more at a time. A finer grid helps least where the
// inputs are rough.
func (w *worker) advice(t float64) string {
	const smooth = 8 // regularity of inputs that any grid resolves
	finer := "raise data.grid"
	if w.Points < 10_000 {
		finer += fmt.Sprintf(" to %d", 2*(w.Points-1)+1)
	}
	var remedies []string
	if t > 0 {
		remedies = append(remedies, fmt.Sprintf("set equation.time to %.2g", 0.9*t))
	}
	if w.Input.Alpha < smooth {
		remedies = append(remedies, fmt.Sprintf("make inputs smoother, as with input.alpha=%d", smooth))
	}
	isRough := slices.Max(w.firstTail[:]) > w.tail
	if isRough {
		remedies = append(remedies, finer)
	} else {
		remedies = append([]string{finer}, remedies...)
	}
	if w.isReal {
		remedies = append(remedies, "add damping")
	}
	return strings.Join(remedies, ", or ")
}
