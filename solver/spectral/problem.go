package spectral

import (
	"context"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Problem is the operator a -> u(T, .) of an equation, with random inputs.
type Problem struct {
	Solver func(points int) *Solver // on the grid with so many points along an axis
	Inputs grf.Measure
	Time   float64 // T
	Steps  int     // inputs are states after 0 ... Steps-1 times T, block by block; 0 is 1
	Unit   float64 // the solver's unit of time; 0 is 1
	Points int     // of the grid on which a is drawn and u is computed
	Seed   uint64
}

// Operator prepares the problem. It panics as New and the sampler do.
func (p Problem) Operator() truth.Operator {
	if p.Unit == 0 {
		p.Unit = 1
	}
	o := &operator{p, p.Solver(p.Points), p.Inputs.On(p.Points)}
	if input, ok := p.Inputs.(grf.Periodic); ok && p.Steps <= 1 {
		return drawn{o, input}
	}
	return o
}

type operator struct {
	Problem
	solver *Solver
	inputs grf.Draws
}

func (o *operator) Grid() (grid.Domain, int) { return o.solver.Domain, o.Points }

func (o *operator) On(points int) truth.Operator {
	p := o.Problem
	p.Points = points
	return p.Operator()
}

func (o *operator) Within(tolerance float64) truth.Operator {
	p, solver := o.Problem, o.Problem.Solver
	p.Solver = func(points int) *Solver { return solver(points).Within(tolerance) }
	return p.Operator()
}

func (o *operator) Times() []float64 { return []float64{o.Time} }

func (o *operator) Block() int { return BlockSize }

func (o *operator) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	o.inputs.Draw(dst, o.Seed, purpose, first)
}

// Age is one of truth.Evolving.
func (o *operator) Age(first int) float64 { return o.Time * float64(first/BlockSize%max(1, o.Steps)) }

// Prior is one of truth.Gaussian.
func (o *operator) Prior() (draws grf.Draws, input func(values []float64)) {
	if o.Steps > 1 {
		return nil, nil
	}
	return o.inputs, nil
}

func (o *operator) Tolerance() float64 { return o.solver.Tolerance }

func (o *operator) NewWorker() truth.Worker { return clocked{o.solver.NewWorker(), o.Unit} }

// drawn is an operator on functions of one variable.
type drawn struct {
	*operator
	input grf.Periodic
}

// Power is one of truth.Drawn.
func (d drawn) Power(k int) float64 { return d.input.Eigenvalue(k) }

// clocked solves in another unit of time.
type clocked struct {
	*Worker
	unit float64
}

func (c clocked) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	own := make([]float64, len(times))
	for i, t := range times {
		own[i] = t / c.unit
	}
	return c.Worker.Solve(ctx, outputs, a, own, label)
}
