// Package brownian implements the scalar example of the random feature model, Example 2.8 of Nelsen & Stuart 2021:
// functions on (0,1) are learned from n values with Brownian bridges as features,
//
//	phi(x; theta) = sum_{j<=J} theta_j sqrt2 sin(j pi x)/(j pi),  theta_j iid N(0,1),
//
// whose kernel is k(x, x') = min(x, x') - x x' as J grows. As the number m of features grows, the model
// F_m(x) = (1/m) sum_l alpha_l phi(x; theta_l) approaches the kernel interpolant, which is piecewise linear.
package brownian

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
)

// Formula is the function to learn, and target its values. The paper's figure shows an element of H^1_0(0,1) without
// giving its formula; this one is in the same space.
const Formula = "sin 2 pi x + (1/2) sin 5 pi x"

func target(x float64) float64 {
	slow := math.Sin(2 * math.Pi * x)
	fast := math.Sin(5 * math.Pi * x)
	return slow + fast/2
}

// Problem is n values of the function, with the features. Models are functions of its fields alone.
type Problem struct {
	Points     int    // n: data points x_i ~ U(0,1); x_i does not depend on n
	Truncation int    // J: sine modes of a feature, at least n
	Seed       uint64 // of the points and the features
}

// Paper returns the problem of the figure in Example 2.8: n = 32; J = 1000 is from the authors' script.
func Paper(seed uint64) Problem {
	return Problem{
		Points:     32,
		Truncation: 1000,
		Seed:       seed,
	}
}

// PaperCounts returns the numbers of features in the panels of the paper's figure, besides m = infinity.
func PaperCounts() []int { return []int{50, 500, 5000} }

// Data are the n data points in ascending order and the function's values at them.
type Data struct {
	X []float64
	Y []float64
}

func (p Problem) data() Data {
	d := Data{
		X: make([]float64, p.Points),
		Y: make([]float64, p.Points),
	}
	for i := range d.X { // uniform on the midpoints of 2^52 cells of (0,1), so that 0 and 1 never occur
		cell := draw.Stream(p.Seed, draw.DataPoint, i).Uint64() >> 12
		d.X[i] = (float64(cell) + 0.5) * 0x1p-52
	}
	slices.Sort(d.X)
	for i, x := range d.X {
		d.Y[i] = target(x)
	}
	return d
}

// mode returns sqrt2 sin(j pi x)/(j pi), whose coefficient in a feature is theta_j.
func mode(j int, x float64) float64 {
	w := float64(j) * math.Pi
	return math.Sqrt2 * math.Sin(w*x) / w
}

// Model is sum_j c_j sqrt2 sin(j pi x)/(j pi), j from 1 on: a feature with c = theta, or a trained model with
// c_j = (1/m) sum_l alpha_l theta_lj, so that evaluating it costs J operations a point, for any m.
type Model []float64

// Curve returns the function at the K >= 2 points i/(K-1).
func (c Model) Curve(K int) []float64 {
	values := make([]float64, K)
	sines := make([]float64, 2*(K-1)) // sin(i pi/(K-1)), a period
	for i := range sines {
		sines[i] = math.Sin(float64(i) * math.Pi / float64(K-1))
	}
	for j, c := range c {
		c *= math.Sqrt2 / (float64(j+1) * math.Pi)
		for i := 1; i < K-1; i++ {
			at := (j + 1) * i % len(sines)
			values[i] += c * sines[at]
		}
	}
	return values
}

// maxFeatures separates the streams of different draws: feature l of draw d has index d*maxFeatures + l.
const maxFeatures = 1 << 24

// Feature returns feature l of a draw, 0 to 127.
func (p Problem) Feature(draws, l int) Model {
	stream := draw.Stream(p.Seed, draw.ThetaBridge, draws*maxFeatures+l)
	theta := make(Model, p.Truncation)
	for j := range theta {
		theta[j] = stream.NormFloat64()
	}
	return theta
}

// rcond is the least singular value of a matrix of features that counts, relative to the largest: the paper's for
// eigenvalues of the Gram matrix.
var rcond = math.Sqrt(config.MachineRcond)

// train returns the models of the first m features of a draw, for every m in counts, in that order. With Phi_il =
// phi(x_i; theta_l), alpha is the minimum norm least squares solution of (1/m) Phi alpha = y. A model does not depend
// on the other counts, nor on the number of workers. The error is ctx.Err(), or a *fault.Numerical.
func (p Problem) train(ctx context.Context, counts []int, draws, workers int) ([]Model, error) {
	d := p.data()
	most := slices.Max(counts)
	basis := mat.NewDense(p.Truncation, p.Points, nil) // J x n: the modes at the data points
	basis.Apply(func(j, i int, _ float64) float64 {
		return mode(j+1, d.X[i])
	}, basis)
	theta := mat.NewDense(most, p.Truncation, nil) // m x J
	phi := mat.NewDense(most, p.Points, nil)       // m x n, the transpose of Phi
	err := parallel.For(ctx, workers, most, func(_, l int) error {
		theta.SetRow(l, p.Feature(draws, l))
		values := phi.RawRowView(l)
		for j, v := range theta.RawRowView(l) {
			floats.AddScaled(values, v, basis.RawRowView(j))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	models := make([]Model, len(counts))
	err = parallel.For(ctx, workers, len(counts), func(_, q int) error {
		var svd mat.SVD
		m := counts[q]
		first := phi.Slice(0, m, 0, p.Points)
		ok := svd.Factorize(first.T(), mat.SVDThin)
		if !ok || svd.Rank(rcond) == 0 {
			return &fault.Numerical{
				Where: fmt.Sprintf("Brownian bridge model of %d features, draw %d", m, draws),
				What:  "the matrix of features has no singular values",
				Do:    "use another seed",
			}
		}
		var alpha mat.VecDense // alpha/m
		y := mat.NewVecDense(p.Points, d.Y)
		svd.SolveVecTo(&alpha, y, svd.Rank(rcond))
		var c mat.VecDense
		ofModes := theta.Slice(0, m, 0, p.Truncation)
		c.MulVec(ofModes.T(), &alpha)
		models[q] = c.RawVector().Data
		return nil
	})
	return models, err
}

// interpolant returns the function of least H^1_0(0,1) norm through the data at the K points i/(K-1), the model for
// m = infinity: it is linear between neighbouring data points and falls to zero at 0 and 1. The error is a *fault.Data
// if two data points coincide.
func (d Data) interpolant(K int) ([]float64, error) {
	var f interp.PiecewiseLinear
	x := slices.Concat([]float64{0}, d.X, []float64{1})
	y := slices.Concat([]float64{0}, d.Y, []float64{0})
	for i := range x[1:] {
		coincide := x[i] == x[i+1]
		if coincide {
			return nil, &fault.Data{
				Where: "Brownian bridge problem",
				What:  fmt.Sprintf("two data points are %g", x[i]),
				Do:    "use another seed",
			}
		}
	}
	err := f.Fit(x, y)
	if err != nil {
		return nil, err
	}
	values := uniform(K)
	for i, x := range values {
		values[i] = f.Predict(x)
	}
	return values, nil
}

// uniform returns the K >= 2 points i/(K-1) of [0, 1].
func uniform(K int) []float64 {
	points := make([]float64, K)
	return floats.Span(points, 0, 1)
}

// Sweep defines the models to compare with the interpolant.
type Sweep struct {
	Problem  Problem
	Counts   []int // m, ascending
	Draws    int   // of the features
	GridSize int   // K of the curves, at least 2
}

// PaperSweep returns the sweep of the paper's figure with intermediate counts: five m per decade from 10 to 5000, ten
// draws, curves on 513 points.
func PaperSweep(seed uint64) Sweep {
	return Sweep{
		Problem:  Paper(seed),
		Counts:   []int{10, 16, 25, 32, 40, 50, 80, 125, 200, 320, 500, 800, 1250, 2000, 3200, 5000},
		Draws:    10,
		GridSize: 513,
	}
}

// Result is the result of a sweep: plain data.
type Result struct {
	Data        Data
	Grid        []float64   // K points of [0, 1]
	Target      []float64   // the function on the grid
	Interpolant []float64   // m = infinity
	Curves      [][]float64 // F_m of draw 0 on the grid, for each count
	Levels      []Level     // for each count
}

// Level holds the distances of models of m features to the interpolant, root mean squares over the draws.
type Level struct {
	Count    int     // m
	RMS      float64 // in L2(0,1), by the trapezoid rule on the grid
	Greatest float64 // largest on the grid
}

// Run trains and compares the models. After each draw, progress (which may be nil) gets the number of draws done. The
// result does not depend on the number of workers >= 1. The error is ctx.Err(), a *fault.Data or a *fault.Numerical.
func (s Sweep) Run(ctx context.Context, workers int, progress func(draws int)) (*Result, error) {
	d := s.Problem.data()
	limit, err := d.interpolant(s.GridSize)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Data:        d,
		Grid:        uniform(s.GridSize),
		Interpolant: limit,
		Curves:      make([][]float64, len(s.Counts)),
	}
	for _, x := range r.Grid {
		r.Target = append(r.Target, target(x))
	}
	for _, m := range s.Counts {
		r.Levels = append(r.Levels, Level{Count: m})
	}
	for draws := range s.Draws {
		models, err := s.Problem.train(ctx, s.Counts, draws, workers)
		if err != nil {
			return nil, err
		}
		for q, model := range models {
			curve := model.Curve(s.GridSize)
			euclidean := floats.Distance(curve, limit, 2) // the ends, which have half a weight, are 0
			most := floats.Distance(curve, limit, math.Inf(1))
			level := &r.Levels[q]
			level.RMS += euclidean * euclidean / float64(s.Draws*(s.GridSize-1))
			level.Greatest += most * most / float64(s.Draws)
			if draws == 0 {
				r.Curves[q] = curve
			}
		}
		if progress != nil {
			progress(draws + 1)
		}
	}
	for q := range r.Levels {
		level := &r.Levels[q]
		level.RMS = math.Sqrt(level.RMS)
		level.Greatest = math.Sqrt(level.Greatest)
	}
	return r, nil
}
