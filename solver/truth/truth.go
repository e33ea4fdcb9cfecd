// Package truth makes pairs of an operator with a solver: it draws inputs, solves for them in blocks on several
// workers, and keeps a coarser grid. An Operator is all that an equation has to bring.
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

// Operator is an operator that can be computed, on one grid. It is immutable and safe for concurrent use.
type Operator interface {
	// Grid is where inputs are drawn and solutions computed: a domain, and points along an axis.
	Grid() (domain grid.Domain, points int)
	// On is the same operator on another grid of the domain.
	On(points int) Operator
	// Within is the same operator with another tolerance, > 0. One that is exact stays what it is.
	Within(tolerance float64) Operator
	// Times are those of the outputs of a pair; nil for stationary problems.
	Times() []float64
	// Block is the number of inputs that are solved together.
	Block() int
	// Draw writes the inputs first, first+1, ... of the purpose to the rows of dst, which is on the operator's grid.
	// Input i does not depend on first.
	Draw(dst grid.Batch, purpose draw.Purpose, first int)
	// NewWorker allocates the working memory of one goroutine.
	NewWorker() Worker
	// Tolerance is what the solver is asked for: its relative error, or residual.
	Tolerance() float64
}

// Checker is an operator that cannot be computed for every input.
type Checker interface {
	// Check returns a *fault.Data that names where and the function if it cannot be solved for an input.
	Check(where string, inputs grid.Batch) error
}

// Drawn is an operator on periodic functions whose inputs have a known mean power: that of exp(2 pi i k x), k >= 1.
type Drawn interface {
	Power(k int) float64
}

// Evolving is an operator whose inputs are states that what is drawn has evolved to.
type Evolving interface {
	// Age is the time that the block of inputs from the given one on has evolved.
	Age(first int) float64
}

// Gaussian is an operator whose inputs are made of Gaussian random functions.
type Gaussian interface {
	// Prior draws these on the operator's grid; nil: inputs have evolved from them. input makes an input of the values of
	// one, in place; nil: they are inputs.
	Prior() (draws grf.Draws, input func(values []float64))
}

// Worker solves blocks of inputs; it serves one goroutine.
type Worker interface {
	// Solve writes the solutions at times[j] to outputs[j], for at most Block inputs on the operator's grid. A
	// stationary problem has one output and does not look at times. label names the block in errors: a *fault.Data if
	// an input cannot be solved for, a *fault.Numerical, ctx's.
	Solve(ctx context.Context, outputs []grid.Batch, inputs grid.Batch, times []float64, label string) error
}

// Wanted is pairs First to First+Count-1 of a purpose.
type Wanted struct {
	Purpose draw.Purpose
	First   int // the beginning of a block
	Count   int
	Points  int       // of the grid that is kept, along an axis; its intervals divide the operator's; 0: the operator's
	Times   []float64 // of the outputs; nil: the operator's
}

// Report is called when a block of pairs is finished, from the goroutine that made it: rows first, first+1, ... of
// the inputs and of the outputs at the last time that Generate will return. They do not change any more.
type Report func(first int, inputs, outputs grid.Batch)

// Generate makes pairs on up to workers goroutines; outputs[j] holds the solutions at the j-th time. Pair i does not
// depend on First, Count or workers. report may be nil. The error is ctx's, a *fault.Data if Points does not fit the
// operator's grid, or the solver's. It panics if First is not the beginning of a block.
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
		// Inputs of a block may share their steps, so the last block is completed with pairs that nobody asked for.
		operator.Draw(b.a, w.Purpose, w.First+first)
		all, at := b.u, times
		if age := ageOf(operator, w.First+first); age > 0 {
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
	if err != nil {
		return grid.Batch{}, nil, err
	}
	return inputs, outputs, nil
}

// ageOf is that of a block of inputs.
func ageOf(operator Operator, first int) float64 {
	if o, ok := operator.(Evolving); ok {
		return o.Age(first)
	}
	return 0
}

// label names a block of pairs.
func label(purpose draw.Purpose, first, count int) string {
	if count == 1 {
		return fmt.Sprintf("%s pair %d", purpose, first)
	}
	return fmt.Sprintf("%s pairs %d to %d", purpose, first, first+count-1)
}
