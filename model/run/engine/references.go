// This file measures the baselines of a problem: the solver itself, the first iterates of features, and, for Darcy flow
// on a grid that does not resolve the permeability, a blend of two solves.

package engine

import (
	"context"
	"fmt"
	"time"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/feature"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/model/trained/price"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grid"
)

// baselines returns the baselines of a problem on a grid before they are measured: the untrained iteration of
// predictor-corrector features, for Darcy flow a blend of two solves, and the solver.
func (e *Experiment) baselines(K int) (all []baseline) {
	if e.Config.Map().Solves {
		all = append(all, e.untrained("untrained, once", 1), e.untrained("untrained, twice", 2))
	}
	if e.truth() == nil {
		return all
	}
	// a blend of the two solves of the data would be exact, and on other grids nothing is trained
	if equation, ok := setup.Flow(e.Config); ok && K == e.Config.Train.Grid && K != e.truth().Points {
		all = append(all, baseline{"blend of two solves", func(ctx context.Context, v *Evaluation) (Row, error) {
			return e.blended(ctx, v, equation)
		}})
	}
	market := price.Market{Solver: e.truth(), Pairs: e.test, Grid: K, Workers: e.workers}
	full := func(ctx context.Context, _ *Evaluation) (Row, error) {
		offer, err := market.Full(ctx)
		return Row{Offer: offer}, err
	}
	equal := func(ctx context.Context, v *Evaluation) (Row, error) {
		offer, err := market.Equal(ctx, func(pairs int) float64 {
			return floats.Sum(v.Test.Relative[:pairs]) / float64(pairs)
		})
		return Row{Offer: offer}, err
	}
	return append(all, baseline{FullSolve, full}, baseline{EqualSolve, equal})
}

// untrained returns the baseline of some corrections of predictor-corrector features: the part B(a) of every feature,
// without coefficients.
func (e *Experiment) untrained(name string, corrections int) baseline {
	return baseline{name, func(ctx context.Context, v *Evaluation) (Row, error) {
		sweeps := feature.PredictorCorrectorOf(e.Config, feature.Pairs{}).Untrained(corrections, v.Grid)
		return e.measured(ctx, v, Row{}, &random.Features{Map: sweeps})
	}}
}

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

// solve returns S_1(a) and S_2(a) of every input. The error is one of darcy.Worker.
func (b *blend) solve(ctx context.Context, inputs grid.Batch, workers int) (s [2]grid.Batch, err error) {
	for k, solver := range b.solvers {
		s[k] = inputs.Like(inputs.Count)
		err = parallel.With(ctx, workers, inputs.Count, solver.NewWorker, func(w *darcy.Worker, i int) error {
			return w.Solve(ctx, s[k].At(i), inputs.At(i), fmt.Sprintf("input %d", i))
		})
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// fit chooses the c that minimises the sum of |c_1 S_1(a_i) + c_2 S_2(a_i) - u_i|^2/|u_i|^2. Outputs must not be zero.
// The error is one of blend.solve.
func (b *blend) fit(ctx context.Context, pairs dataset.Pairs, workers int) error {
	s, err := b.solve(ctx, pairs.Inputs, workers)
	if err != nil {
		return err
	}
	var sum [5]float64 // of S_1.S_1, S_1.S_2, S_2.S_2, S_1.u, S_2.u, relative to u.u
	inner := pairs.Outputs.Domain.Inner
	for i := range pairs.Count() {
		one, two, u := s[0].At(i), s[1].At(i), pairs.Outputs.At(i)
		size := inner(u, u)
		for k, p := range [5]float64{inner(one, one), inner(one, two), inner(two, two), inner(one, u), inner(two, u)} {
			sum[k] += p / size
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

// Predict implements rfm.Predictor for the fitted blend. The error is one of blend.solve.
func (b *blend) Predict(ctx context.Context, inputs grid.Batch, workers int, _ func(int)) (grid.Batch, error) {
	s, err := b.solve(ctx, inputs, workers)
	if err != nil {
		return grid.Batch{}, err
	}
	for x, first := range s[0].Data {
		s[0].Data[x] = b.weights[0]*first + b.weights[1]*s[1].Data[x]
	}
	return s[0], nil
}

// blended fits a blend to the training pairs on the training grid, and measures it.
func (e *Experiment) blended(ctx context.Context, v *Evaluation, equation darcy.Equation) (Row, error) {
	pairs, err := e.train.Restrict(v.Grid)
	if err != nil {
		return Row{}, err
	}
	begin, b := time.Now(), newBlend(equation, v.Grid)
	if err := b.fit(ctx, pairs, e.workers); err != nil {
		return Row{}, err
	}
	return e.measured(ctx, v, Row{Offer: price.Offer{Grid: v.Grid, Tolerance: blendTolerance},
		Training: time.Since(begin).Seconds()}, b)
}
