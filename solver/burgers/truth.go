// This file is the solution operator as something to learn: what the inputs are, and what is computed for them.

package burgers

import (
	"context"

	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Problem is the operator a -> u(T, .) of Burgers' equation on the torus of length Period, with Gaussian inputs. Functions
// of x in [0, Period] are stored as functions of x/Period.
type Problem struct {
	Input     grf.Periodic
	Viscosity float64
	Time      float64 // T
	Period    float64
	Tolerance float64 // relative L2 error in time
	Points    int     // K of the grid on which a is drawn and u is computed
	Seed      uint64
}

type operator struct {
	Problem
	sampler *grf.Sampler
	solver  *Solver
}

// Operator prepares the problem. On a torus of length L the equation for functions of x/L and t/L is the one of the unit
// torus with viscosity nu/L. It panics as New does.
func (p Problem) Operator() truth.Operator {
	return &operator{p, grf.NewSampler(p.Input, p.Points), New(p.Viscosity/p.Period, p.Tolerance, p.Points)}
}

func (o *operator) Grid() (grid.Domain, int) { return grid.Torus, o.Points }

func (o *operator) On(points int) truth.Operator {
	p := o.Problem
	p.Points = points
	return p.Operator()
}

func (o *operator) Times() []float64 { return []float64{o.Time} }

func (o *operator) Block() int { return BlockSize }

func (o *operator) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	o.sampler.Draw(dst, o.Seed, purpose, first)
}

func (o *operator) Tolerance() float64 { return o.Problem.Tolerance }

func (o *operator) Power(k int) float64 { return o.Input.Eigenvalue(k) }

func (o *operator) NewWorker() truth.Worker { return scaled{o.solver.NewWorker(), o.Period} }

// scaled solves on a torus of another length.
type scaled struct {
	*Worker
	period float64
}

func (s scaled) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	unit := make([]float64, len(times))
	for i, t := range times {
		unit[i] = t / s.period
	}
	return s.Worker.Solve(ctx, outputs, a, unit, label)
}
