package darcy

import (
	"context"

	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Problem is the operator a -> u from permeabilities of two values to pressures.
type Problem struct {
	Input    grf.Measure // of the level set function
	Level    LevelSet
	Equation Equation
	Points   int // r along an axis of the grid on which a is drawn and u is computed
	Seed     uint64
}

// Operator prepares the problem. It panics as New does.
func (p Problem) Operator() *truth.Operator {
	solver := New(p.Equation, p.Points)
	return &truth.Operator{
		Domain:    grid.Square,
		Points:    p.Points,
		Block:     1,
		Tolerance: p.Equation.Tolerance,
		Seed:      p.Seed,
		Draws:     p.Input.On(p.Points),
		Input:     p.Level.Apply,
		With: func(points int, tolerance float64) *truth.Operator {
			other := p
			other.Points = points
			other.Equation.Tolerance = tolerance
			return other.Operator()
		},
		NewWorker: func() truth.Worker { return single{solver.NewWorker()} },
		Check:     CheckPermeabilities,
	}
}

// single solves for one input at a time.
type single struct{ *Worker }

func (s single) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, _ []float64, label string) error {
	return s.Worker.Solve(ctx, outputs[0].Data, a.Data, label)
}
