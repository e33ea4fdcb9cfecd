// Package truth makes pairs of an operator with a solver: it draws inputs, solves for them in blocks on several
// workers, and stores pairs on a coarser grid. Each equation makes an Operator.
package truth

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Operator is a computable operator on one grid. It is immutable but for its idle workers, and safe for concurrent use.
type Operator struct {
	Domain    grid.Domain // of solutions, and of inputs with one channel
	Points    int         // along an axis
	Times     []float64   // of the outputs of a pair; nil for stationary problems
	Block     int         // inputs that are solved together
	Tolerance float64     // of the solver: its relative error, or residual
	Seed      uint64      // of the inputs
	// Draws are the Gaussian random functions from which inputs derive. Input converts the values of a function to an
	// input in place; nil if the functions are the inputs.
	Draws grf.Draws
	Input func(values []float64)
	// Numbers is the number of random numbers that are inputs, Number the one at a quantile of its law. Inputs have a
	// constant channel for each, after that of the function unless that is missing.
	Numbers    int
	Number     func(i int, quantile float64) float64
	NoFunction bool
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

	idle sync.Pool // of workers, which may have prepared matrices that take longer than many solutions
}

// Worker returns an idle worker, or a new one. Give it back with Release after solutions without an error.
func (o *Operator) Worker() Worker {
	if w, ok := o.idle.Get().(Worker); ok {
		return w
	}
	return o.NewWorker()
}

// Release takes back a worker that is not used any more.
func (o *Operator) Release(w Worker) { o.idle.Put(w) }

// Draw writes the inputs first, first+1, ... of the purpose, as drawn, to the rows of dst, on the grid of the operator.
// Input i does not depend on first.
func (o *Operator) Draw(dst grid.Batch, purpose draw.Purpose, first int) {
	if o.Numbers > 0 {
		o.drawNumbers(dst, purpose, first)
		return
	}
	o.Draws.Draw(dst, o.Seed, purpose, first)
	if o.Input != nil {
		o.Input(dst.Data)
	}
}

// drawNumbers draws inputs with numbers. The function of an input is that which it has without numbers.
func (o *Operator) drawNumbers(dst grid.Batch, purpose draw.Purpose, first int) {
	functions := grid.NewBatch(o.Domain, dst.Points, dst.Count)
	if !o.NoFunction {
		o.Draws.Draw(functions, o.Seed, purpose, first)
	}
	for i := range dst.Count {
		channel := 0
		if !o.NoFunction {
			copy(dst.Of(i, channel), functions.At(i))
			channel++
		}
		stream := draw.Stream(o.Seed, purpose+draw.OfNumbers, first+i)
		for k := range o.Numbers {
			number := o.Number(k, stream.Float64())
			values := dst.Of(i, channel)
			for x := range values {
				values[x] = number
			}
			channel++
		}
	}
}

// Inputs returns the domain of inputs with all channels.
func (o *Operator) Inputs() grid.Domain {
	channels := o.Numbers
	if !o.NoFunction {
		channels++
	}
	return o.Domain.With(channels)
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
	kept := cmp.Or(w.Points, o.Points)
	if w.First%o.Block != 0 {
		panic(fmt.Sprintf("truth: generating from pair %d on, blocks have %d pairs", w.First, o.Block))
	}
	if kept < 3 || !o.Domain.Contains(o.Points, kept) {
		return grid.Batch{}, nil, fault.Bad(
			"data",
			"choose a grid whose intervals divide the solver's",
			"solutions on %s cannot be kept on %s: %d intervals do not divide %d",
			o.Domain.Grid(o.Points), o.Domain.Grid(kept), kept-1, o.Points-1,
		)
	}
	g := &generator{
		operator: o,
		wanted:   w,
		times:    w.Times,
		report:   report,
	}
	if g.times == nil {
		g.times = o.Times
	}
	g.inputs = grid.NewBatch(o.Inputs(), kept, w.Count)
	g.outputs = make([]grid.Batch, max(1, len(g.times)))
	for j := range g.outputs {
		g.outputs[j] = grid.NewBatch(o.Domain, kept, w.Count)
	}
	blocks := (w.Count + o.Block - 1) / o.Block
	var mutex sync.Mutex
	var benches []*bench
	newBench := func() *bench {
		b := g.newBench()
		mutex.Lock()
		defer mutex.Unlock()
		benches = append(benches, b)
		return b
	}
	err = parallel.With(ctx, workers, blocks, newBench, func(b *bench, block int) error {
		return g.block(ctx, b, block)
	})
	if err == nil {
		for _, b := range benches {
			o.Release(b.worker)
		}
	}
	return g.inputs, g.outputs, err
}

// generator makes pairs.
type generator struct {
	operator *Operator
	wanted   Wanted
	times    []float64
	inputs   grid.Batch   // of all pairs, on the stored grid
	outputs  []grid.Batch // the same, at each time
	report   Report
}

// bench is the working memory of one goroutine.
type bench struct {
	worker Worker
	a      grid.Batch   // inputs of a block, on the operator's grid
	u      []grid.Batch // their solutions at each time
}

func (g *generator) newBench() *bench {
	o := g.operator
	b := &bench{
		worker: o.Worker(),
		a:      grid.NewBatch(o.Inputs(), o.Points, o.Block),
	}
	for range g.outputs {
		solutions := grid.NewBatch(o.Domain, o.Points, o.Block)
		b.u = append(b.u, solutions)
	}
	return b
}

// block makes the pairs of a block. Inputs of a block may share their steps, so additional pairs complete the last one.
func (g *generator) block(ctx context.Context, b *bench, block int) error {
	o := g.operator
	first := block * o.Block
	firstOfAll := g.wanted.First + first // of the purpose
	o.Draw(b.a, g.wanted.Purpose, firstOfAll)
	if err := g.solve(ctx, b, firstOfAll); err != nil {
		return err
	}
	rows := min(o.Block, g.wanted.Count-first)
	domain := o.Inputs()
	for i := range rows {
		pair := first + i
		domain.Sample(g.inputs.At(pair), b.a.At(i))
		for j, outputs := range g.outputs {
			o.Domain.Sample(outputs.At(pair), b.u[j].At(i))
		}
	}
	if g.report != nil {
		inputs := g.inputs.Range(first, rows)
		last := g.outputs[len(g.outputs)-1]
		g.report(first, inputs, last.Range(first, rows))
	}
	return nil
}

// solve solves for the inputs of a block, whose first pair has a number. If these are drawn states that have to evolve
// before, it replaces them by what they have become.
func (g *generator) solve(ctx context.Context, b *bench, first int) error {
	o := g.operator
	text := label(g.wanted.Purpose, first, o.Block)
	age := first / o.Block % max(1, o.Steps)
	if age == 0 {
		return b.worker.Solve(ctx, b.u, b.a, g.times, text)
	}
	begin := float64(age) * o.Times[len(o.Times)-1]
	evolved := b.a.Like(o.Block)
	outputs := append([]grid.Batch{evolved}, b.u...)
	times := []float64{begin}
	for _, t := range g.times {
		times = append(times, begin+t)
	}
	if err := b.worker.Solve(ctx, outputs, b.a, times, text); err != nil {
		return err
	}
	copy(b.a.Data, evolved.Data)
	return nil
}

// label formats a block of pairs for errors.
func label(purpose draw.Purpose, first, count int) string {
	if count == 1 {
		return fmt.Sprintf("%s pair %d", purpose, first)
	}
	return fmt.Sprintf("%s pairs %d to %d", purpose, first, first+count-1)
}
