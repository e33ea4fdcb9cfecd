// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/pelletier/go-toml/v2"
	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/space/grid"
)

// Claim is an equation with an exact solution, which Check compares with the numerical one; see claims.toml.
type Claim struct {
	Name   string
	Limit  float64
	Points int
	config.Equation
}

//go:embed claims.toml
var claims []byte

// Claims returns equations with their exact solutions.
func Claims() []Claim {
	var file struct{ Claim []Claim }
	if err := toml.Unmarshal(claims, &file); err != nil {
		panic("equation: " + err.Error())
	}
	return file.Claim
}

// Check solves the equation from eight initial values. It returns the difference at tolerance 1e-8, the order of the
// scheme, 0 if equal steps are exact, and the errors of ctx and of the solver.
func (c Claim) Check(ctx context.Context) (difference, order float64, err error) {
	p := Problem{
		Equation: c.Equation,
		Points:   c.Points + 1,
		Input:    config.Field{Tau: 1, Alpha: 2},
	}
	p.Tolerance = 1e-8
	if p.Bounded() {
		return c.checkBetween(ctx, p)
	}
	a := claimInputs(p)
	after := func(start, time float64, steps int) *worker { // from the exact solution at a time
		p.Parameters = fmt.Sprintf("%s; T = %v", c.Parameters, start)
		w := newSolver(p).newWorker()
		w.equal = steps
		if err == nil {
			err = w.Solve(ctx, []grid.Batch{a.Like(block)}, a, []float64{time}, c.Name)
		}
		return w
	}
	exact := after(c.Time, 0, 0)
	solve := func(steps int) (distance float64, taken int) {
		w := after(0, c.Time, steps)
		if err != nil {
			return 0, 0
		}
		return w.distance(exact), w.steps
	}
	difference, taken := solve(0)
	if difference < 1e-12 {
		return difference, 0, err
	}
	p.Tolerance = math.Inf(1)
	steps := max(16, taken/8)
	last := 0.0
	for range 4 { // until the errors of steps dominate
		e, _ := solve(steps)
		if last > 0 && e > 2*difference {
			order = math.Log2(last / e)
		}
		last = e
		steps *= 2
	}
	return difference, order, err
}

// claimInputs returns the inputs of a claim: the constant functions 0, 1, 2, ...
func claimInputs(p Problem) grid.Batch {
	domain := newSolver(p).domain
	a := grid.NewBatch(domain, p.Points, block)
	for i := range a.Data {
		a.Data[i] = float64(i / a.Values())
	}
	return a
}

// checkBetween is Check for equations between sides: of the output alone.
func (c Claim) checkBetween(ctx context.Context, p Problem) (difference, order float64, err error) {
	a := claimInputs(p)
	want := c.exact(p, a)
	solve := func(halvings int) float64 {
		s := newSolver(c.at(p, 0))
		if s.err != nil {
			err = s.err
			return 0
		}
		s.folded = nil // polynomials are checked
		w := newEndsWorker(s, &resolution{known: true, share: 1, size: 1})
		w.equal = halvings
		w.plain = true
		out := a.Like(block)
		if err == nil {
			err = w.Solve(ctx, []grid.Batch{out}, a, []float64{c.Time}, c.Name)
		}
		return worstDistance(out, want)
	}
	difference = solve(0)
	if difference < 1e-10 || c.Steady() {
		return difference, 0, err
	}
	last := 0.0
	for halvings := 1; halvings < 8; halvings++ { // until the errors of steps dominate no more
		e := solve(halvings)
		if last > 0 && e > 2*difference {
			order = math.Log2(last / e)
		}
		last = e
	}
	return difference, order, err
}

// at returns the problem with the solution at a time as its initial value.
func (c Claim) at(p Problem, time float64) Problem {
	p.Parameters = fmt.Sprintf("%s; T = %v", c.Parameters, time)
	if p.Steady() {
		p.Initial = ""
	}
	return p
}

// exact returns the solution at the end on the grid, for each of the inputs.
func (c Claim) exact(p Problem, a grid.Batch) grid.Batch {
	p = c.at(p, c.Time)
	p.Initial = c.Initial
	s := newSolver(p)
	out := a.Like(block)
	for l := range block {
		row := out.At(l)
		coordinate := func(i int) float64 { return float64(i) / float64(p.Points-1) * p.Length }
		for i := range row {
			x := coordinate(i % p.Points)
			y := 0.0
			if p.Dims == 2 {
				x = coordinate(i / p.Points)
				y = coordinate(i % p.Points)
			}
			row[i] = s.values[s.output].evaluate(func(atom *atom) float64 {
				switch {
				case atom.kind == fieldAtom:
					return float64(l)
				case atom.key == "y":
					return y
				}
				return x
			})
		}
	}
	return out
}

// worstDistance returns the largest relative distance of two functions with one number.
func worstDistance(got, want grid.Batch) float64 {
	worst := 0.0
	for l := range got.Count {
		norm := floats.Norm(want.At(l), 2)
		if norm > 0 {
			distance := floats.Distance(got.At(l), want.At(l), 2)
			worst = math.Max(worst, distance/norm)
		}
	}
	return worst
}

// distance returns the largest relative L2 distance from a trajectory of another worker, over all fields.
func (w *worker) distance(exact *worker) float64 {
	var errors, norms [block]float64
	for f := range w.Fields {
		want := exact.onPoints(f)
		for i, v := range w.onPoints(f) {
			d := v - want[i]
			errors[i%block] += d * d
			norms[i%block] += want[i] * want[i]
		}
	}
	worst := 0.0
	for l := range block {
		worst = max(worst, math.Sqrt(errors[l]/norms[l]))
	}
	return worst
}
