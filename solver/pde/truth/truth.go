// Package truth makes pairs of an operator with a solver: it draws inputs, solves for them in blocks on several
// workers, and stores pairs on a coarser grid. Each equation makes an Operator.
package truth

import (
	"cmp"
	"context"
	"fmt"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Operator is a computable operator on one grid. It is immutable and safe for concurrent use.
type Operator struct {
	Domain    grid.Domain // of inputs and solutions
	Points    int         // along an axis
	Times     []float64   // of the outputs of a pair; nil for stationary problems
	Block     int         // inputs that are solved together
	Tolerance float64     // of the solver: its relative error, or residual
	Seed      uint64      // of the inputs
	// Draws are the Gaussian random functions from which inputs derive. Input converts the values of a function to an
	// input in place; nil if the functions are the inputs.
	Draws grf.Draws
	Input func(values []float64)
	// Steps is above 1 if inputs are states that have evolved from drawn functions: of one block after the other after 0
	// ... Steps-1 times the last of Times.
	Steps int
	// With returns the same operator on another grid of the domain, or with another tolerance, > 0. An exact operator
	// keeps its own.
	With func(points int, tolerance float64) *Operator
	// NewWorker allocates the working memory of one goroutine.
	NewWorker func() Worker
	// Check returns a *fault.Data with where and the function if an input is not accepted; nil if all are.
	Check func(where string, inputs grid.Batch) error
}

// Draw writes the inputs first, first+1, ... of the purpose, as drawn, to the rows of dst, on the grid of the operator.
// Input i does not depend on first.
func (o *Operator) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	o.Draws.Draw(dst, o.Seed, purpose, first)
	if o.Input != nil {
		o.Input(dst.Data)
	}
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
func Generate(ctx context.Context, o *Operator, w Wanted, workers int, report Report) (inputs grid.Batch,
	outputs []grid.Batch, err error) {
	domain, points, size, kept, times := o.Domain, o.Points, o.Block, cmp.Or(w.Points, o.Points), w.Times
	if times == nil {
		times = o.Times
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
		b := &bench{worker: o.NewWorker(), a: grid.NewBatch(domain, points, size)}
		for range outputs {
			b.u = append(b.u, b.a.Like(size))
		}
		return b
	}
	err = parallel.With(ctx, workers, (w.Count+size-1)/size, newBench, func(b *bench, block int) error {
		first := block * size
		// Inputs of a block may share their steps, so additional pairs complete the last block.
		o.Draw(b.a, w.Purpose, w.First+first)
		all, at := b.u, times
		if age := (w.First + first) / size % max(1, o.Steps); age > 0 {
			begin := float64(age) * o.Times[len(o.Times)-1]
			all, at = append([]grid.Batch{b.a.Like(size)}, b.u...), []float64{begin}
			for _, t := range times {
				at = append(at, begin+t)
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
