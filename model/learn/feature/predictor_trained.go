// This file contains trained models of predictor-corrector features, whose cost does not depend on m.

package feature

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Collapsed is the trained model F(a) = (1/m) sum_j alpha_j phi(a; theta_j) of predictor-corrector features. Because
// phi is affine in sigma(theta_1) and sigma(theta_2), the model is itself one feature, with averages in place of f and
// of these fields:
//
//	p_0 = P[abar f/a + Sigma1],  p_(s+1) = P[abar f/a + Sigma2 + grad log a_eps . grad p_s],  F(a) = p_Sweeps,
//	abar = (1/m) sum_j alpha_j,  Sigma1 = (1/m) sum_j alpha_j sigma(theta_1j),  Sigma2 likewise.
//
// It is not bound to a grid: averages are kept on theta's finest grid and restricted.
type Collapsed struct {
	codec.Grid // of the fields
	Mollifier
	Source   darcy.Source // f
	Constant float64      `json:"source"`              // f, which is constant in model files
	Sweeps   int          `json:"sweeps"`              // of the corrector; 0 is 1
	Mean     float64      `json:"mean"`                // abar
	Sigma1   []float64    `json:"sigma1" shape:"grid"` // fields on the closed grid of theta
	Sigma2   []float64    `json:"sigma2" shape:"grid"`
}

// collapseBlock is the number of features whose fields are in memory at a time.
const collapseBlock = 16

// Trained builds the Collapsed model with the coefficients alpha of all features, in one pass over theta on up to
// workers goroutines. The result does not depend on workers. It returns ctx.Err() if ctx is done.
func (p PredictorCorrector) Trained(ctx context.Context, alpha []float64, workers int) (Trained, error) {
	m := p.Theta.Count
	R := p.Theta.R
	if len(alpha) != m {
		panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), m))
	}
	c := &Collapsed{
		Grid:      codec.GridOf(grid.Square, R, 1, 1),
		Mollifier: p.Mollifier,
		Source:    p.Source,
		Constant:  p.Source(0, 0),
		Sweeps:    p.Sweeps,
		Mean:      mean(alpha),
		Sigma1:    make([]float64, R*R),
		Sigma2:    make([]float64, R*R),
	}
	fields1, fields2 := p.Theta.batches(collapseBlock)
	for first := 0; first < m; first += collapseBlock {
		count := min(collapseBlock, m-first)
		err := parallel.For(ctx, workers, count, func(_, i int) error {
			p.Theta.Read(fields1.Range(i, 1), fields2.Range(i, 1), first+i)
			p.sigma(fields1.At(i))
			p.sigma(fields2.At(i))
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range count {
			weight := alpha[first+i] / float64(m)
			floats.AddScaled(c.Sigma1, weight, fields1.At(i))
			floats.AddScaled(c.Sigma2, weight, fields2.At(i))
		}
	}
	return c, nil
}

// collapsedEvaluator is a trained model on one grid,
//
//	p_0 = abar P[f/a] + S1bar,  p_(s+1) = P[abar f/a + grad log a_eps . grad p_s] + S2bar,  F(a) = p_Sweeps,
//	S1bar = (1/m) sum_j alpha_j S1_j = P Sigma1,  S2bar = (1/m) sum_j alpha_j S2_j = P Sigma2.
//
// It is immutable and safe for concurrent use.
type collapsedEvaluator struct {
	flow   *flow
	sweeps int
	mean   float64
	first  []float64 // S1bar on the closed grid
	second []float64 // S2bar
}

// On prepares the model on the closed r x r grid, to which fields are interpolated unless theirs contains it. Errors
// are those of resample.To.
func (c Collapsed) On(r int) (*collapsedEvaluator, error) {
	fields := grid.BatchOf(grid.Square, c.Finest(), slices.Concat(c.Sigma1, c.Sigma2))
	sigma, err := resample.To(fields, r)
	if err != nil {
		return nil, err
	}
	e := &collapsedEvaluator{
		flow:   newFlow(c.Mollifier, c.Source, r),
		sweeps: max(1, c.Sweeps),
		mean:   c.Mean,
		first:  make([]float64, r*r),
		second: make([]float64, r*r),
	}
	e.flow.poisson.Solve(e.first, sigma.At(0))
	e.flow.poisson.Solve(e.second, sigma.At(1))
	return e, nil
}

// trained builds the model with the coefficients alpha on the evaluator's own grid, without another pass over theta. A
// vector of length m belongs to the first m features, m <= Count. It agrees with Trained up to rounding.
func (e *predictorEvaluator) trained(alpha []float64) *collapsedEvaluator {
	if len(alpha) < 1 || len(alpha) > e.count {
		panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), e.count))
	}
	c := &collapsedEvaluator{
		flow:   e.flow,
		sweeps: e.sweeps,
		mean:   mean(alpha),
		first:  make([]float64, e.values),
		second: make([]float64, e.values),
	}
	coefficients := make([]float64, e.Points()) // sine coefficients of S2bar
	m := len(alpha)
	for first := 0; first < m; first += fft.Lanes {
		var weights [fft.Lanes]float64
		for l := range min(fft.Lanes, m-first) {
			weight := alpha[first+l] / float64(m)
			weights[l] = weight
			floats.AddScaled(c.first, weight, e.first[first+l])
		}
		panel := e.second[first/fft.Lanes]
		linalg.Combine(coefficients, panel, weights[:])
	}
	e.flow.poisson.Sine(coefficients, coefficients) // its own inverse
	n := e.flow.points
	for i := range n {
		line := c.second[(i+1)*e.flow.r:]
		inside := line[1 : 1+n]
		copy(inside, coefficients[i*n:])
	}
	return c
}

// mean sums in order, which floats.Sum does not.
func mean(alpha []float64) float64 {
	sum := 0.0
	for _, c := range alpha {
		sum += c
	}
	return sum / float64(len(alpha))
}

// Predict writes F(a) to dst; both are fields on the closed grid. The error is a *fault.Data if a is not positive and
// finite, or a *fault.Numerical if the mollified field is not.
func (e *collapsedEvaluator) Predict(dst, a []float64, s *predictorScratch) error {
	err := e.flow.prepare(s, a)
	if err != nil {
		return err
	}
	floats.Scale(e.mean, s.quotient)
	e.flow.poisson.Solve(dst, s.quotient)
	floats.Add(dst, e.first)
	for range e.sweeps {
		e.flow.sweep(dst, dst, s)
		floats.Add(dst, e.second)
	}
	return nil
}

// predict evaluates the model for all inputs.
func (e *collapsedEvaluator) predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	one := func(s *predictorScratch, i int) error {
		err := e.Predict(outputs.At(i), inputs.At(i), s)
		if err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		if progress != nil {
			progress(1)
		}
		return nil
	}
	err := parallel.With(ctx, workers, inputs.Count, e.flow.newScratch, one)
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}

func (c Collapsed) Domain() grid.Domain { return grid.Square }
func (c Collapsed) Finest() int         { return grid.Square.PointsOf(c.Sigma1) }
func (c Collapsed) Count() int          { return 0 }
func (c Collapsed) Label() string       { return "predictor-corrector features" }

// Predict implements Trained. The coefficients are in the fields already.
func (c Collapsed) Predict(ctx context.Context, _ []float64, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	err := darcy.CheckPermeabilities("input", inputs)
	if err != nil {
		return grid.Batch{}, err
	}
	e, err := c.On(inputs.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return e.predict(ctx, inputs, workers, progress)
}

// maxSweeps bounds the time that damaged numbers can take; the iteration converges in tens of sweeps.
const maxSweeps = 1000

func (c *Collapsed) Sizes() (map[string][]int, error) {
	d, err := c.Grid.Domain()
	oneChannel := max(c.In, c.Out) <= 1
	if err != nil || d != grid.Square || !oneChannel {
		return nil, codec.Bad("has averaged fields on %+v, want those of a square grid of at least 3 x 3 points", c.Grid)
	}
	finite := grid.Finite(c.Mean, c.Constant, c.Eta, c.Step)
	negative := c.Eta < 0 || c.Step < 0 || c.Steps < 0
	if !finite || negative {
		const want = "want finite numbers, the mollifier's not negative"
		return nil, codec.Bad("has the mean coefficient %g, the source %g and the mollifier %+v, "+want,
			c.Mean, c.Constant, c.Mollifier)
	}
	if c.Sweeps < 0 || c.Sweeps > maxSweeps {
		return nil, codec.Bad("has %d sweeps, want 0 to %d", c.Sweeps, maxSweeps)
	}
	return c.Grid.Sizes()
}

func (c *Collapsed) Restored() error {
	c.Source = darcy.Constant(c.Constant)
	return nil
}
