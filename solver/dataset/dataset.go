// Package dataset holds input-output pairs of an operator: generated with a solver, or read from files.
package dataset

import (
	"context"
	"fmt"

	"rfm/solver/burgers"
	"rfm/solver/draw"
	"rfm/solver/fault"
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

// Restrict takes both sides to the coarser grid with so many points along an axis. Errors are those of grid.Batch.Restrict.
func (p Pairs) Restrict(points int) (Pairs, error) {
	a, err := p.Inputs.Restrict(points)
	if err != nil {
		return Pairs{}, err
	}
	u, err := p.Outputs.Restrict(points)
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
	K         int // points of the grid on which a is drawn and u is computed
	Stored    int // points of the grid that is kept, whose intervals divide those of K; 0 means K
	First     int // index of the first pair, a multiple of burgers.BlockSize
	Seed      uint64
}

// StoredK is the number of points of the functions that Generate returns.
func (g Burgers) StoredK() int {
	if g.Stored == 0 {
		return g.K
	}
	return g.Stored
}

// Report is called when a block of pairs is finished, from the goroutine that made it: rows first, first+1, ... of
// the inputs and of the outputs at the last time that Generate will return. They do not change any more.
type Report func(first int, inputs, outputs grid.Batch)

// Generate makes pairs First to First+count-1 of the given purpose on up to workers goroutines. outputs[j] holds
// u(Times[j], .). Pair i does not depend on First, count or workers. The error is ctx's, a *fault.Data if Stored does not
// fit K, or a *fault.Numerical from the solver. It panics if First is not the beginning of a block.
func (g Burgers) Generate(ctx context.Context, purpose draw.Purpose, count, workers int, report Report) (inputs grid.Batch, outputs []grid.Batch, err error) {
	const size = burgers.BlockSize
	K := g.StoredK()
	switch {
	case g.First%size != 0:
		panic(fmt.Sprintf("dataset: generating from pair %d on, blocks have %d pairs", g.First, size))
	case !grid.Contains(g.K, K):
		return grid.Batch{}, nil, &fault.Data{Where: "Burgers data", What: fmt.Sprintf("solutions on K=%d points cannot be kept on K=%d: %d intervals do not divide %d", g.K, K, K-1, g.K-1),
			Do: "choose a grid whose intervals divide the solver's"}
	}
	sampler := grf.NewSampler(g.Input, g.K)
	solver := burgers.New(g.Viscosity, g.Tolerance, g.K)
	inputs = grid.NewBatch(grid.Torus, K, count)
	outputs = make([]grid.Batch, len(g.Times))
	for j := range outputs {
		outputs[j] = grid.NewBatch(grid.Torus, K, count)
	}
	type bench struct {
		worker *burgers.Worker
		a      grid.Batch
		u      []grid.Batch
	}
	blocks := (count + size - 1) / size
	benches := make([]*bench, max(1, min(workers, blocks)))
	err = parallel.For(ctx, workers, blocks, func(w, block int) error {
		if benches[w] == nil {
			b := &bench{worker: solver.NewWorker(), a: grid.NewBatch(grid.Torus, g.K, size)}
			for range g.Times {
				b.u = append(b.u, grid.NewBatch(grid.Torus, g.K, size))
			}
			benches[w] = b
		}
		b, first := benches[w], block*size
		// Trajectories of a block share their steps, so the last block is completed with pairs that nobody asked for.
		sampler.Draw(b.a, g.Seed, purpose, g.First+first)
		label := fmt.Sprintf("%s pairs %d to %d", purpose, g.First+first, g.First+first+size-1)
		if err := b.worker.Solve(ctx, b.u, b.a, g.Times, label); err != nil {
			return err
		}
		rows := min(size, count-first)
		for i := range rows {
			grid.Torus.Sample(inputs.At(first+i), b.a.At(i))
			for j := range outputs {
				grid.Torus.Sample(outputs[j].At(first+i), b.u[j].At(i))
			}
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
