// This file generates the pairs of the paper's two problems. Fields on the finest grid would not all fit in memory:
// they are stored on a coarser grid, and generated again where the finest is needed. The pairs of Burgers' equation at
// several times come from one trajectory each.

package study

import (
	"context"
	"runtime"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// halves are the times of the outputs of Burgers' equation: multiples of the time step T = 0.5 of Table 4.1.
var halves = [...]float64{0.5, 1, 1.5, 2}

// horizon is the index in halves of the time T = 1 of all studies except the semigroup study.
const horizon = 1

// darcyStored is the largest number of points along an axis of the stored fields.
const darcyStored = 129

// problem is a solution operator with its training and test data.
type problem struct {
	config          config.Config
	doing           string // name of the activity that generates the data
	points          int    // points along an axis of the grid of the stored pairs
	horizon         int    // index of the output time of the configuration
	portion         int    // test pairs per call of visit in eachTest
	training, tests samples
}

// samples are inputs with their outputs at some times.
type samples struct {
	wanted  truth.Wanted
	inputs  grid.Batch
	outputs []grid.Batch
}

func newProblem(c config.Config) *problem {
	p := &problem{config: c, training: samples{wanted: truth.Wanted{Purpose: draw.InputTrain, Count: c.Data.Train}},
		tests: samples{wanted: truth.Wanted{Purpose: draw.InputTest, Count: c.Data.Test}}}
	if c.Problem == config.Darcy {
		p.doing, p.points, p.portion = "solving the Darcy equation, inputs", min(c.Data.Grid, darcyStored), 50
	} else {
		p.doing, p.points, p.portion, p.horizon = "solving Burgers' equation, inputs", c.Data.Grid, 250, horizon
		p.training.wanted.Times, p.tests.wanted.Times = halves[:horizon+1], halves[:]
	}
	return p
}

// generate generates the training and test pairs.
func (p *problem) generate(ctx context.Context, workers int, t *tracker) (err error) {
	t.begin(p.doing, p.training.wanted.Count+p.tests.wanted.Count)
	for _, s := range []*samples{&p.training, &p.tests} {
		w := s.wanted
		w.Points = p.points
		s.inputs, s.outputs, err = truth.Generate(ctx, setup.Truth(p.config), w, workers,
			func(_ int, a, _ grid.Batch) { t.advance(a.Count) })
		if err != nil {
			return err
		}
	}
	return nil
}

// pairs returns count training or test pairs on a grid, starting at index first.
func (p *problem) pairs(ctx context.Context, s *samples, points, first, count, workers int) (dataset.Pairs, error) {
	if points <= p.points {
		return s.at(p.horizon, points, first, count)
	}
	runtime.GC() // frees the fields of the last call first: the heap must not grow to twice its size
	w := s.wanted
	w.First, w.Count = first, count
	return dataset.Generate(ctx, setup.Truth(p.config), w, workers, nil)
}

// at returns count pairs with the outputs of a time, from the first on, on a grid that the stored grid contains.
func (s *samples) at(time, points, first, count int) (dataset.Pairs, error) {
	return dataset.Pairs{Inputs: s.inputs, Outputs: s.outputs[time]}.Range(first, count).Restrict(points)
}

// eachTest calls visit with all test pairs on a grid, in blocks in index order.
func (p *problem) eachTest(ctx context.Context, points, workers int, visit func(dataset.Pairs) error) error {
	for first := 0; first < p.tests.wanted.Count; first += p.portion {
		pairs, err := p.pairs(ctx, &p.tests, points, first, min(p.portion, p.tests.wanted.Count-first), workers)
		if err == nil {
			err = visit(pairs)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}
