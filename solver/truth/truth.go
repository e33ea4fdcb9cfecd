// Package truth makes pairs of an operator with a solver: it draws inputs, solves for them in blocks on several
// workers, and stores pairs on a coarser grid. Each equation implements an Operator.
package truth

import (
	"context"
	"fmt"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Operator is a computable operator on one grid. It is immutable and safe for concurrent use.
type Operator interface {
	// Grid returns the grid of inputs and solutions: a domain, and points along an axis.
	Grid() (domain grid.Domain, points int)
	// With returns the same operator on another grid of the domain, or with another tolerance, > 0. An exact operator
	// keeps its own.
	With(points int, tolerance float64) Operator
	// Times returns the times of the outputs of a pair; nil for stationary problems.
	Times() []float64
	// Block returns the number of inputs that are solved together.
	Block() int
	// Draw writes the inputs first, first+1, ... of the purpose to the rows of dst, which is on the grid of the operator.
	// Input i does not depend on first.
	Draw(dst grid.Batch, purpose draw.Purpose, first int)
	// Age returns the evolution time of the block of inputs that starts at the given one, if they are states that have
	// evolved from drawn functions, or 0.
	Age(first int) float64
	// Prior returns the draws of the Gaussian random functions from which inputs derive, on the operator's grid, or nil if
	// inputs have evolved from them. input converts the values of a function to an input in place; nil if the functions
	// are the inputs.
	Prior() (draws grf.Draws, input func(values []float64))
	// NewWorker allocates the working memory of one goroutine.
	NewWorker() Worker
	// Tolerance returns the tolerance of the solver: its relative error, or residual.
	Tolerance() float64
}

// Checker is an operator that does not accept every input.
type Checker interface {
	// Check returns a *fault.Data with where and the function if an input is not accepted.
	Check(where string, inputs grid.Batch) error
}

// Worker solves blocks of inputs. It must not be used concurrently.
type Worker interface {
	// Solve writes the solutions at times[j] to outputs[j], for at most Block inputs on the operator's grid. A stationary
	// problem has one output and ignores times. label names the block in errors: a *fault.Data if an input has no
	// solution, a *fault.Numerical, or the error of ctx.
	Solve(ctx context.Context, outputs []grid.Batch, inputs grid.Batch, times []float64, label string) error
}

// Wanted describes pairs First to First+Count-1 of a purpose.
type Wanted struct {
	Purpose draw.Purpose
	First   int // the first pair of a block
	Count   int
	Points  int       // along an axis of the stored grid, whose intervals divide the operator's; 0: the operator's grid
	Times   []float64 // of the outputs; nil: those of the operator
}

// Report is called after each block of pairs, from the goroutine that computed it, with rows first, first+1, ... of the
// inputs and of the outputs at the last time that Generate will return. These rows are final.
type Report func(first int, inputs, outputs grid.Batch)

// Generate makes pairs on up to workers goroutines; outputs[j] holds the solutions at the j-th time. Pair i does not
// depend on First, Count or workers. report may be nil. The error is that of ctx or of the solver, or a *fault.Data if
// Points does not fit the operator's grid. It panics if First is not the first pair of a block.
func Generate(ctx context.Context, operator Operator, w Wanted, workers int, report Report) (inputs grid.Batch,
	outputs []grid.Batch, err error) {
	domain, points := operator.Grid()
	size, kept := operator.Block(), w.Points
	if kept == 0 {
		kept = points
	}
	times := w.Times
	if times == nil {
		times = operator.Times()
	}
	switch {
	case w.First%size != 0:
		panic(fmt.Sprintf("truth: generating from pair %d on, blocks have %d pairs", w.First, size))
	case kept < 3 || !domain.Contains(points, kept):
		return grid.Batch{}, nil,
			&fault.Data{Where: "data", What: fmt.Sprintf("solutions on %s cannot be kept on %s: %d intervals do not divide %d",
				domain.Grid(points), domain.Grid(kept), kept-1, points-1), Do: "choose a grid whose intervals divide the solver's"}
	}
	inputs = grid.NewBatch(domain, kept, w.Count)
	outputs = make([]grid.Batch, max(1, len(times)))
	for j := range outputs {
		outputs[j] = inputs.Like(w.Count)
	}
	type bench struct {
		worker Worker
		a      grid.Batch
		u      []grid.Batch
	}
	newBench := func() *bench {
		b := &bench{worker: operator.NewWorker(), a: grid.NewBatch(domain, points, size)}
		for range outputs {
			b.u = append(b.u, b.a.Like(size))
		}
		return b
	}
	err = parallel.With(ctx, workers, (w.Count+size-1)/size, newBench, func(b *bench, block int) error {
		first := block * size
		// Inputs of a block may share their steps, so additional pairs complete the last block.
		operator.Draw(b.a, w.Purpose, w.First+first)
		all, at := b.u, times
		if age := operator.Age(w.First + first); age > 0 {
			all, at = append([]grid.Batch{b.a.Like(size)}, b.u...), []float64{age}
			for _, t := range times {
				at = append(at, age+t)
			}
		}
		if err := b.worker.Solve(ctx, all, b.a, at, label(w.Purpose, w.First+first, size)); err != nil {
			return err
		}
		if len(all) > len(b.u) {
			copy(b.a.Data, all[0].Data)
		}
		rows := min(size, w.Count-first)
		for i := range rows {
			domain.Sample(inputs.At(first+i), b.a.At(i))
			for j := range outputs {
				domain.Sample(outputs[j].At(first+i), b.u[j].At(i))
			}
		}
		if report != nil {
			report(first, inputs.Range(first, rows), outputs[len(outputs)-1].Range(first, rows))
		}
		return nil
	})
	return inputs, outputs, err
}

// label formats a block of pairs for errors.
func label(purpose draw.Purpose, first, count int) string {
	if count == 1 {
		return fmt.Sprintf("%s pair %d", purpose, first)
	}
	return fmt.Sprintf("%s pairs %d to %d", purpose, first, first+count-1)
}
