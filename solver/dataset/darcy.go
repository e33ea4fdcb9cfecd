// This file generates pairs of the Darcy flow operator.

package dataset

import (
	"context"
	"fmt"

	"rfm/solver/darcy"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Darcy generates pairs (a, u) of the equation of Darcy flow, with permeabilities that have two values.
type Darcy struct {
	Input    grf.Neumann // of the level set function
	Level    darcy.LevelSet
	Equation darcy.Equation
	R        int // points along an axis of the grid on which a is drawn and u is computed
	Stored   int // points along an axis of the grid that is kept, whose intervals divide those of R; 0 means R
	First    int // index of the first pair
	Seed     uint64
}

// StoredR is the number of points along an axis of the fields that Generate returns.
func (g Darcy) StoredR() int {
	if g.Stored == 0 {
		return g.R
	}
	return g.Stored
}

// Generate makes pairs First to First+count-1 of the given purpose on up to workers goroutines: fields with K = StoredR^2
// values. Pair i does not depend on First, count or workers. report (which may be nil) is called for every pair. The error is ctx's, a
// *fault.Data if Stored does not fit R, or a *fault.Numerical from the solver.
func (g Darcy) Generate(ctx context.Context, purpose draw.Purpose, count, workers int, report Report) (Pairs, error) {
	r := g.StoredR()
	if r < 3 || (g.R-1)%(r-1) != 0 {
		return Pairs{}, &fault.Data{Where: "Darcy data", What: fmt.Sprintf("solutions on %d x %d points cannot be kept on %d x %d: %d intervals do not divide %d", g.R, g.R, r, r, r-1, g.R-1),
			Do: "choose a grid whose intervals divide the solver's"}
	}
	sampler := grf.NewNeumannSampler(g.Input, g.R)
	solver := darcy.New(g.Equation, g.R)
	pairs := Pairs{Inputs: grid.NewBatch(grid.Square, r, count), Outputs: grid.NewBatch(grid.Square, r, count)}
	type bench struct {
		worker *darcy.Worker
		a      grid.Batch
		u      []float64
	}
	benches := make([]*bench, max(1, min(workers, count)))
	err := parallel.For(ctx, workers, count, func(w, i int) error {
		if benches[w] == nil {
			benches[w] = &bench{solver.NewWorker(), grid.NewBatch(grid.Square, g.R, 1), make([]float64, g.R*g.R)}
		}
		b := benches[w]
		sampler.Draw(b.a, g.Seed, purpose, g.First+i)
		g.Level.Apply(b.a.Data)
		if err := b.worker.Solve(ctx, b.u, b.a.Data, fmt.Sprintf("%s pair %d", purpose, g.First+i)); err != nil {
			return err
		}
		grid.Square.Sample(pairs.Inputs.At(i), b.a.Data)
		grid.Square.Sample(pairs.Outputs.At(i), b.u)
		if report != nil {
			report(i, pairs.Inputs.Range(i, 1), pairs.Outputs.Range(i, 1))
		}
		return nil
	})
	if err != nil {
		return Pairs{}, err
	}
	return pairs, nil
}
