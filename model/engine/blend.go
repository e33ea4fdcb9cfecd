// This file computes a baseline for Darcy flow on a grid that does not resolve the permeability: a blend of two solves.

package engine

import (
	"context"
	"fmt"
	"time"

	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// blendTolerance is the relative residual of both solves, far below the discretization error of the grid.
const blendTolerance = 1e-4

// blend is the operator a -> c_1 S_1(a) + c_2 S_2(a). S_1 and S_2 solve the equation with arithmetic and with harmonic
// means of the permeability at the faces between grid points.
type blend struct {
	solvers [2]*darcy.Solver
	weights [2]float64 // c_1, c_2
}

// newBlend prepares both solvers on the closed grid of points x points.
func newBlend(e darcy.Equation, points int) *blend {
	b := &blend{}
	e.Tolerance = blendTolerance
	for k, mean := range []darcy.Mean{darcy.Arithmetic, darcy.Harmonic} {
		e.Mean = mean
		b.solvers[k] = darcy.New(e, points)
	}
	return b
}

// each calls visit with S_1(a) and S_2(a) of every input, on several goroutines. The error is one of darcy.Worker.
func (b *blend) each(ctx context.Context, inputs grid.Batch, workers int, visit func(i int, s [2][]float64)) error {
	type space struct {
		workers [2]*darcy.Worker
		fields  [2][]float64
	}
	prepare := func() (s space) {
		for k, solver := range b.solvers {
			s.workers[k], s.fields[k] = solver.NewWorker(), make([]float64, inputs.Values())
		}
		return s
	}
	return parallel.With(ctx, workers, inputs.Count, prepare, func(s space, i int) error {
		for k, w := range s.workers {
			if err := w.Solve(ctx, s.fields[k], inputs.At(i), fmt.Sprintf("input %d", i)); err != nil {
				return err
			}
		}
		visit(i, s.fields)
		return nil
	})
}

// fit chooses the c that minimises the sum of |c_1 S_1(a_i) + c_2 S_2(a_i) - u_i|^2/|u_i|^2. Outputs must not be zero.
// The error is one of blend.each.
func (b *blend) fit(ctx context.Context, pairs dataset.Pairs, workers int) error {
	products := make([][5]float64, pairs.Count()) // S_1.S_1, S_1.S_2, S_2.S_2, S_1.u, S_2.u, relative to u.u
	err := b.each(ctx, pairs.Inputs, workers, func(i int, s [2][]float64) {
		u, inner := pairs.Outputs.At(i), pairs.Outputs.Domain.Inner
		size := inner(u, u)
		products[i] = [5]float64{inner(s[0], s[0]) / size, inner(s[0], s[1]) / size, inner(s[1], s[1]) / size,
			inner(s[0], u) / size, inner(s[1], u) / size}
	})
	if err != nil {
		return err
	}
	var sum [5]float64
	for _, p := range products {
		for k, v := range p {
			sum[k] += v
		}
	}
	const independent = 1e-12 // where the permeability is constant both solves are equal
	if d := sum[0]*sum[2] - sum[1]*sum[1]; d > independent*sum[0]*sum[2] {
		b.weights = [2]float64{(sum[2]*sum[3] - sum[1]*sum[4]) / d, (sum[0]*sum[4] - sum[1]*sum[3]) / d}
	} else {
		b.weights = [2]float64{sum[3] / sum[0], 0}
	}
	return nil
}

// predict evaluates the fitted blend. The error is one of blend.each.
func (b *blend) predict(ctx context.Context, inputs grid.Batch, workers int) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	err := b.each(ctx, inputs, workers, func(i int, s [2][]float64) {
		for x := range outputs.At(i) {
			outputs.At(i)[x] = b.weights[0]*s[0][x] + b.weights[1]*s[1][x]
		}
	})
	return outputs, err
}

// blendedSolves is the name of a blend among the baselines.
const blendedSolves = "blend of two solves"

// blends returns the equation of a blend on a grid; ok is false on grids other than that of training, for other
// equations, and if one of the two solves made the data.
func (e *Experiment) blends(K int) (equation darcy.Equation, ok bool) {
	equation, ok = darcy.EquationOf(e.truth)
	_, finest := e.truth.Grid()
	return equation, ok && K == e.Config.Train.Grid && K != finest
}

// blended returns the blend fitted to the training pairs on the training grid. It returns nothing if there is none, and
// if a solver does not converge.
func (e *Experiment) blended(ctx context.Context, v *Evaluation) ([]Rival, error) {
	equation, ok := e.blends(v.Grid)
	if !ok {
		return nil, nil
	}
	pairs, err := e.train.Restrict(v.Grid)
	if err != nil {
		return nil, err
	}
	begin, b := time.Now(), newBlend(equation, v.Grid)
	err = b.fit(ctx, pairs, e.workers)
	training := time.Since(begin).Seconds()
	var predictions grid.Batch
	if err == nil {
		predictions, err = b.predict(ctx, v.TestPairs.Inputs, e.workers)
	}
	switch {
	case refused(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	measured, err := rfm.Measure(predictions, v.TestPairs.Outputs)
	if err != nil {
		return nil, err
	}
	const timed = 32 // number of inputs that are timed
	some := v.TestPairs.Inputs.First(min(timed, v.TestPairs.Count()))
	seconds, err := price.Timed(some.Count, func() error {
		_, err := b.predict(ctx, some, 1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return []Rival{{Name: blendedSolves, Error: measured.ExpectedRelative, Seconds: seconds, Training: training,
		Grid: v.Grid, Tolerance: blendTolerance}}, nil
}
