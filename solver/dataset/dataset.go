// Package dataset holds input-output pairs of an operator: generated with a solver, or read from files.
package dataset

import (
	"context"
	"fmt"

	"rfm/solver/burgers"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Pairs are functions a_i and the operator's values u_i, on one grid.
type Pairs struct {
	Inputs, Outputs grid.Batch
}

// Count is the number of pairs.
func (p Pairs) Count() int { return p.Inputs.Count }

// Restrict takes both sides to the coarser grid K.
func (p Pairs) Restrict(K int) (Pairs, error) {
	a, err := p.Inputs.Restrict(K)
	if err != nil {
		return Pairs{}, err
	}
	u, err := p.Outputs.Restrict(K)
	return Pairs{a, u}, err
}

// Range is count pairs from the first on; they share memory with p.
func (p Pairs) Range(first, count int) Pairs {
	return Pairs{p.Inputs.Range(first, count), p.Outputs.Range(first, count)}
}

// Burgers generates pairs (a, u(T, .)) of Burgers' equation with Gaussian inputs.
type Burgers struct {
	Input     grf.Periodic
	Viscosity float64
	Tolerance float64 // relative L2 error of the solutions
	Times     []float64
	K         int
	Seed      uint64
}

// Report is called when a block of pairs is finished, from the goroutine that made it: rows first, first+1, ... of
// the inputs and of the outputs at the last time.
type Report func(first int, inputs, outputs grid.Batch)

// Generate makes count pairs of the given purpose on up to workers goroutines. outputs[j] holds u(Times[j], .).
// Pair i does not depend on count or workers. The error is ctx's, or a *fault.Numerical from the solver.
func (g Burgers) Generate(ctx context.Context, purpose draw.Purpose, count, workers int, report Report) (inputs grid.Batch, outputs []grid.Batch, err error) {
	sampler := grf.NewSampler(g.Input, g.K)
	solver := burgers.New(g.Viscosity, g.Tolerance, g.K)
	inputs = grid.NewBatch(count, g.K)
	outputs = make([]grid.Batch, len(g.Times))
	for j := range outputs {
		outputs[j] = grid.NewBatch(count, g.K)
	}
	type bench struct {
		worker *burgers.Worker
		a      grid.Batch
		u      []grid.Batch
	}
	const size = burgers.BlockSize
	blocks := (count + size - 1) / size
	benches := make([]*bench, max(1, min(workers, blocks)))
	err = parallel.For(ctx, workers, blocks, func(w, block int) error {
		if benches[w] == nil {
			b := &bench{worker: solver.NewWorker(), a: grid.NewBatch(size, g.K)}
			for range g.Times {
				b.u = append(b.u, grid.NewBatch(size, g.K))
			}
			benches[w] = b
		}
		b, first := benches[w], block*size
		// Trajectories of a block share their steps, so the last block is completed with pairs that nobody asked for.
		sampler.Draw(b.a, g.Seed, purpose, first)
		label := fmt.Sprintf("%s pairs %d to %d", purpose, first, first+size-1)
		if err := b.worker.Solve(b.u, b.a, g.Times, label); err != nil {
			return err
		}
		rows := min(size, count-first)
		copy(inputs.Data[first*g.K:], b.a.First(rows).Data)
		for j := range outputs {
			copy(outputs[j].Data[first*g.K:], b.u[j].First(rows).Data)
		}
		if report != nil {
			last := outputs[len(outputs)-1]
			report(first, inputs.Range(first, rows), last.Range(first, rows))
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, nil, err
	}
	return inputs, outputs, nil
}
