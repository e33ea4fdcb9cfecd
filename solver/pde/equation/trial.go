// This file tries whether an equation has solutions for its inputs.

package equation

import (
	"context"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// Budget is the work that trials may do. It is counted and not timed, so that what a search finds depends neither on the
// machine nor on what else it computes.
type Budget struct {
	Left  float64 // work that is left; 10^10 are about a second of an idle core
	Spent func()  // is called when none is left
}

// spend takes some work from a budget; nil has no limit.
func (b *Budget) spend(work float64) {
	if b == nil {
		return
	}
	b.Left -= work
	if b.Left < 0 {
		b.Spent()
	}
}

// Try solves the equation for so many blocks of training inputs, with at most so many time steps for each, and takes the
// work from a budget. It returns the error of the first that fails.
func (p Problem) Try(ctx context.Context, blocks, steps int, budget *Budget) error {
	s := newSolver(p)
	if s.err != nil {
		return s.err
	}
	s.maxSteps = steps
	s.budget = budget
	if s.folded != nil {
		s.folded.maxSteps = steps
		s.folded.budget = budget
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

// workOfStep returns the work of a time step: four stages of transforms of the fields.
func (w *worker) workOfStep() float64 {
	const ofValue = 50
	return ofValue * float64(block*w.n*len(w.Fields))
}

// workOfStep returns the work of a time step: products of the tables, and of matrices between modes and points along each axis.
func (s *stepper) workOfStep() float64 {
	const products = 20
	const ofProduct = 0.1
	length := 0
	for _, a := range s.axes {
		length += a.n
	}
	if s.matrix != nil {
		length += s.size
	}
	return products * ofProduct * float64(block*s.size*length)
}

// workOfModes returns the work of the eigenfunctions along each axis.
func (s *stepper) workOfModes() float64 {
	const ofEntry = 100
	work := 0.0
	for _, a := range s.axes {
		n := float64(a.n)
		work += ofEntry * n * n * n
	}
	return work
}

// workOfProducts returns the work of so many products of matrices over the state.
func (s *stepper) workOfProducts(count int) float64 {
	const ofEntry = 0.1
	size := float64(s.size)
	return ofEntry * float64(count) * size * size * size
}

// workOfElimination returns the work of the factors of a matrix for each function.
func (s *stepper) workOfElimination() float64 {
	const ofEntry = 2
	size := float64(s.size)
	return block * ofEntry * size * size * size
}
