// This file checks the solver on equations with known solutions, independently of the machine.

package equation

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/pelletier/go-toml/v2"

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
	p := Problem{Equation: c.Equation, Points: c.Points + 1, Input: config.Field{Tau: 1, Alpha: 2}}
	p.Tolerance = 1e-8
	a := grid.NewBatch(newSolver(p).domain, p.Points, block)
	for i := range a.Data {
		a.Data[i] = float64(i / a.Values())
	}
	after := func(start, time float64, steps int) *worker { // from the exact solution at a time
		p.Parameters = fmt.Sprintf("%s; T = %v", c.Parameters, start)
		w := newSolver(p).newWorker()
		w.equal = steps
		err = cmp.Or(err, w.Solve(ctx, []grid.Batch{a.Like(block)}, a, []float64{time}, c.Name))
		return w
	}
	exact := after(c.Time, 0, 0)
	solve := func(steps int) (errors float64, taken int) {
		w := after(0, c.Time, steps)
		if err != nil {
			return 0, 0
		}
		return w.distance(exact), w.steps
	}
	var steps int
	if difference, steps = solve(0); difference < 1e-12 {
		return difference, 0, err
	}
	p.Tolerance = math.Inf(1)
	steps, last := max(16, steps/8), 0.0
	for range 4 { // until the errors of steps dominate
		e, _ := solve(steps)
		if last > 0 && e > 2*difference {
			order = math.Log2(last / e)
		}
		last, steps = e, 2*steps
	}
	return difference, order, err
}

// distance returns the largest relative L2 distance from a trajectory of another worker, over all fields.
func (w *worker) distance(exact *worker) float64 {
	var errors, norms [block]float64
	for f := range w.Fields {
		want := exact.onPoints(f)
		for i, v := range w.onPoints(f) {
			errors[i%block] += (v - want[i]) * (v - want[i])
			norms[i%block] += want[i] * want[i]
		}
	}
	worst := 0.0
	for l := range block {
		worst = max(worst, math.Sqrt(errors[l]/norms[l]))
	}
	return worst
}
