package darcy

import (
	"context"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Problem is the operator a -> u from permeabilities of two values to pressures.
type Problem struct {
	Input    grf.Neumann // of the level set function
	Level    LevelSet
	Equation Equation
	Points   int // r along an axis of the grid on which a is drawn and u is computed
	Seed     uint64
}

type operator struct {
	Problem
	sampler *grf.NeumannSampler
	solver  *Solver
}

// Operator prepares the problem. It panics as New does.
func (p Problem) Operator() truth.Operator {
	return &operator{p, grf.NewNeumannSampler(p.Input, p.Points), New(p.Equation, p.Points)}
}

// EquationOf returns the equation that an operator solves; ok is false if it is not a Darcy operator.
func EquationOf(o truth.Operator) (Equation, bool) {
	flow, ok := o.(*operator)
	if !ok {
		return Equation{}, false
	}
	return flow.Equation, true
}

func (o *operator) Grid() (grid.Domain, int) { return grid.Square, o.Points }

func (o *operator) With(points int, tolerance float64) truth.Operator {
	p := o.Problem
	p.Points, p.Equation.Tolerance = points, tolerance
	return p.Operator()
}

func (o *operator) Times() []float64 { return nil }

func (o *operator) Block() int { return 1 }

func (o *operator) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	o.sampler.Draw(dst, o.Seed, purpose, first)
	o.Level.Apply(dst.Data)
}

func (o *operator) Prior() (draws grf.Draws, input func(values []float64)) {
	return o.sampler, o.Level.Apply
}

func (o *operator) Age(int) float64 { return 0 }

func (o *operator) Tolerance() float64 { return o.Equation.Tolerance }

func (o *operator) Check(where string, inputs grid.Batch) error {
	return CheckPermeabilities(where, inputs)
}

func (o *operator) NewWorker() truth.Worker { return single{o.solver.NewWorker()} }

// single solves for one input at a time.
type single struct{ *Worker }

func (s single) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, _ []float64, label string) error {
	return s.Worker.Solve(ctx, outputs[0].Data, a.Data, label)
}
