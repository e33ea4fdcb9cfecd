// Package brownian implements the scalar example of the random feature model, Example 2.8 of Nelsen & Stuart 2021:
// functions on (0,1) are learned from n values with Brownian bridges as features,
//
//	phi(x; theta) = sum_{j<=J} theta_j sqrt2 sin(j pi x)/(j pi),  theta_j iid N(0,1),
//
// whose kernel is k(x, x') = min(x, x') - x x' as J grows. As the number m of features grows, the model
// F_m(x) = (1/m) sum_l alpha_l phi(x; theta_l) approaches the kernel interpolant, which is piecewise linear.
//
// A Problem defines the function and the features, Problem.Interpolant is m = infinity, Problem.Train returns models,
// and a Sweep measures their distance to the interpolant over many m and several draws of the features.
package brownian

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/solver/draw"
)

// Target is a function to learn. Its values at 0 and 1 should be zero, as the values of every feature are.
type Target struct {
	Formula string // for display, e.g. "sin 2 pi x"
	Value   func(x float64) float64
}

// waves returns the default target, f(x) = sin(2 pi x) + sin(5 pi x)/2. The paper's figure shows an element of
// H^1_0(0,1) without giving its formula; Waves is in the same space.
func waves() Target {
	return Target{
		Formula: "sin 2 pi x + (1/2) sin 5 pi x",
		Value:   func(x float64) float64 { return math.Sin(2*math.Pi*x) + math.Sin(5*math.Pi*x)/2 },
	}
}

// Problem is a function to learn, with its features. Models and interpolant are functions of its fields alone.
type Problem struct {
	Points     int     // n: data points x_i ~ U(0,1); x_i does not depend on n
	Truncation int     // J: sine modes of a feature, at least n
	Rcond      float64 // eigenvalues of the Gram matrix not above Rcond times the largest are dropped
	Target     Target
	Seed       uint64 // of the points and the features
}

// Paper returns the problem of the figure in Example 2.8: n = 32, lambda = 0; J = 1000 is from the authors' script.
func Paper(seed uint64) Problem {
	return Problem{Points: 32, Truncation: 1000, Rcond: config.MachineRcond, Target: waves(), Seed: seed}
}

// PaperCounts returns the numbers of features in the panels of the paper's figure, besides m = infinity.
func PaperCounts() []int { return []int{50, 500, 5000} }

// Data are the n data points in ascending order and the target's values at them.
type Data struct{ X, Y []float64 }

// Data draws the data points and evaluates the target there.
func (p Problem) Data() Data {
	d := Data{X: make([]float64, p.Points), Y: make([]float64, p.Points)}
	for i := range d.X {
		d.X[i] = dataPoint(p.Seed, i)
	}
	slices.Sort(d.X)
	for i, x := range d.X {
		d.Y[i] = p.Target.Value(x)
	}
	return d
}

// dataPoint is uniform on the midpoints of 2^52 cells of (0,1), so that 0 and 1 never occur.
func dataPoint(seed uint64, i int) float64 {
	return (float64(draw.Stream(seed, draw.DataPoint, i).Uint64()>>12) + 0.5) * 0x1p-52
}

// mode returns sqrt2 sin(j pi x)/(j pi), whose coefficient in a feature is theta_j.
func mode(j int, x float64) float64 {
	w := float64(j) * math.Pi
	return math.Sqrt2 * math.Sin(w*x) / w
}

// modes returns B_ji = sqrt2 sin(j pi x_i)/(j pi), a row for each of the J modes: features at the points are theta B.
func (p Problem) modes(x []float64) *mat.Dense {
	b := mat.NewDense(p.Truncation, len(x), nil)
	b.Apply(func(j, i int, _ float64) float64 { return mode(j+1, x[i]) }, b)
	return b
}
