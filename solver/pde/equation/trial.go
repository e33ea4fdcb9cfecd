// This file tries whether an equation has solutions for its inputs.

package equation

import (
	"context"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// Try solves the equation for so many blocks of training inputs, with at most so many time steps for each. It returns the
// error of the first that fails.
func (p Problem) Try(ctx context.Context, blocks, steps int) error {
	s := newSolver(p)
	if s.err != nil {
		return s.err
	}
	s.maxSteps = steps
	if s.folded != nil {
		s.folded.maxSteps = steps
	}
	w := s.newAnyWorker(new(resolution))
	a := grid.NewBatch(s.domain, p.Points, block)
	out := []grid.Batch{a.Like(block)}
	for i := range blocks {
		s.draws.Draw(a, p.Seed, draw.InputTrain, i*block)
		if err := w.Solve(ctx, out, a, []float64{p.Time}, "training inputs"); err != nil {
			return err
		}
	}
	return nil
}
