// This file defines spectral random features, which multiply an input with a random function mode by mode.

package feature

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/num/activation"
	"rfm/solver/num/fft"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Spectral is a random feature pair with m draws of its parameters that multiplies transforms:
//
//	phi_j(a)(x) = sigma( gain sum_k chi(|k|) a_k theta_jk e_k(x) + b_j ),
//
// less its mean over x, by the trapezoid rule, if Centred. The domain of theta determines the waves e_k:
//
//   - periodic functions: exp(2 pi i k x), k whole numbers. Without bias and mean removal it is the Fourier space random
//     feature pair of eqs. 3.5 and 3.6 of Nelsen & Stuart 2021;
//
//   - periodic fields: exp(2 pi i k.x), k in Z x Z, |k| Euclidean;
//
//   - fields on the closed square, which are continued to even functions of period 2 in both variables: exp(pi i k.x) and
//     chi(|k|/2), since such a wave has |k|/2 periods in a unit of length. On the closed r x r grid, n = r-1, a_k and
//     theta_jk are the discrete Fourier coefficients of the continued fields, C/n^2 with C the cosine transform of package
//     trig, and the sum, over -n < k1, k2 <= n, is 4 C. At the centres of n x n cells it is the same with -n < k1, k2 < n;
//
//   - functions on an interval: exp(pi i k x) in the same way, with 2 C/n.
//
//   - functions at points of any geometry: eigenfunctions of the Laplacian there, see Scattered.
//
// On a rectangle of length L along its second axis k2 stands for k2/L.
//
// So delta and beta mean the same on every domain. As chi(0) = 0, the means of a and theta have no effect: an operator
// that depends on the mean of its input cannot be learned.
//
// It is not bound to a grid: theta is kept on its finest grid and restricted to the grids of evaluations.
type Spectral struct {
	codec.Grid // of Theta; like Name and Values set in model files
	Activation activation.Func
	Name       string  `json:"activation"`
	Gain       float64 `json:"gain"`
	Filter
	RMS     float64    // > 0: Calibrate chooses the gain that gives this root mean square; 0: the gain is as it is
	Centred bool       `json:"centred"` // features, and so predictions, have mean 0 on the grid at hand
	M       int        `json:"count"`   // m
	Theta   grid.Batch // at least M functions; on periodic domains more complete the last group, see Draw
	Values  []float64  `json:"theta" shape:"functions grid"`
	Bias    []float64  `json:"bias,omitempty" shape:"functions"` // b_j of every function (more have no effect); nil: 0
	Symmetry
	laplacian // of functions at points of any geometry

	ready *ready // of a trained map; nil: prepared for every call
}

// GroupSize is the number of features that are evaluated side by side.
const GroupSize = 2 * fft.Lanes

// Groups returns the number of groups of m features, of which the last may be incomplete.
func Groups(m int) int { return (m + GroupSize - 1) / GroupSize }

// completed returns the number of functions theta that m features have: on periodic domains and intervals, where the
// last bit of a feature depends on its group, groups are complete.
func completed(domain grid.Domain, m int) int {
	if domain.Periodic || domain.Dims == 1 {
		return GroupSize * Groups(m)
	}
	return m
}

// Draw draws the m parameters of a feature map from the measure, on the grid with the given points along an axis:
// theta_j from the stream (seed, theta, j). On periodic domains and intervals the last group is completed with the
// draws of a larger m, so that the first m features are bitwise the same for every m and any number of workers. It
// returns ctx.Err() if ctx is done.
func Draw(ctx context.Context, measure grf.Measure, seed uint64, m, points, workers int) (grid.Batch, error) {
	domain := measure.Space
	theta := grid.NewBatch(domain, points, completed(domain, m))
	sampler := measure.On(points)
	err := parallel.For(ctx, workers, Groups(theta.Count), func(_, g int) error {
		first := GroupSize * g
		count := min(GroupSize, theta.Count-first)
		sampler.Draw(theta.Range(first, count), seed, draw.Theta, first)
		return nil
	})
	return theta, err
}

// DrawBias draws b_j ~ N(0, deviation^2) for m features, from the streams (seed, theta-bias, j); it completes the last
// group. It is nil for deviation 0.
func DrawBias(deviation float64, seed uint64, m int) []float64 {
	if deviation == 0 {
		return nil
	}
	bias := make([]float64, GroupSize*Groups(m))
	for j := range bias {
		stream := draw.Stream(seed, draw.ThetaBias, j)
		bias[j] = deviation * stream.NormFloat64()
	}
	return bias
}

// spectralWith returns the map of a law with given parameters; only biases are drawn. It panics on an activation that
// config.Validate refuses.
func spectralWith(law Law, m int, theta grid.Batch) Spectral {
	sigma, ok := activation.ByName(law.Activation)
	if !ok {
		panic(fmt.Sprintf("feature: no activation %q", law.Activation))
	}
	return Spectral{
		Filter:     Filter{Delta: law.Delta, Beta: law.Beta},
		Activation: sigma,
		Gain:       law.Gain,
		RMS:        law.RMS,
		Bias:       DrawBias(law.Bias, law.Seed, theta.Count),
		Centred:    law.Mean == config.RemoveMean,
		M:          m,
		Theta:      theta,
		Symmetry:   symmetryOf(law, true),
	}
}

// Domain, Finest, Count and Select implement Map.
func (f Spectral) Domain() grid.Domain { return f.Theta.Domain }
func (f Spectral) Finest() int         { return f.Theta.Points }
func (f Spectral) Count() int          { return f.M }

func (f Spectral) Select(indices []int) Map {
	bias := f.Bias
	f.Bias = nil
	f.ready = nil
	for _, j := range indices {
		if j < 0 || j >= f.M {
			panic(fmt.Sprintf("feature: feature %d selected of %d", j, f.M))
		}
		if bias != nil {
			f.Bias = append(f.Bias, bias[j])
		}
	}
	f.Theta = f.Theta.Take(indices)
	f.M = len(indices)
	return f
}

// Calibrate returns the map as it is, or with the gain for which the argument of the activation, before the bias, has
// the root mean square RMS over the inputs, the m features and, by the trapezoid rule, the points of the inputs' grid.
// By Parseval's identity it is exactly
//
//	RMS / sqrt( sum_k chi(|k|)^2 mean_i |a_ik|^2 mean_j |theta_jk|^2 )
//
// on that grid. The error is a *fault.Data if theta's grid does not contain the inputs', or if the sum is not positive
// and finite: inputs may be constant; or ctx.Err(). The result does not depend on workers.
func (f Spectral) Calibrate(ctx context.Context, inputs grid.Batch, workers int) (Map, error) {
	if f.RMS == 0 {
		return f, nil
	}
	theta, err := f.Theta.First(f.M).Restrict(inputs.Points)
	if err != nil {
		return nil, err
	}
	t := f.transformOn(inputs.Points)
	ofInputs, err := meanPower(ctx, t, inputs, workers)
	if err != nil {
		return nil, err
	}
	ofTheta, err := meanPower(ctx, t, theta, workers)
	if err != nil {
		return nil, err
	}
	square := 0.0
	for p, w := range t.waves() {
		chi := f.AtFrequency(w.frequency)
		square += w.count * chi * chi * ofInputs[p] * ofTheta[p]
	}
	if !(square > 0) || math.IsInf(square, 1) {
		const without = "the argument of the activation has mean square %g over the inputs, so no gain gives it root " +
			"mean square %g"
		return nil, &fault.Data{
			Where: "gain of the features",
			What:  fmt.Sprintf(without, square, f.RMS),
			Do:    "inputs must be finite and not all constant; or give features.gain",
		}
	}
	f.Gain = f.RMS / math.Sqrt(square)
	return f, nil
}

// meanPower returns the mean of |u_k|^2 over the functions u of the batch, for each of the transform's waves, in the
// order of the functions: the result does not depend on workers. It returns ctx.Err() if ctx is done.
func meanPower(ctx context.Context, t transform, batch grid.Batch, workers int) ([]float64, error) {
	const block = 32 // functions whose powers are held at a time
	size := len(t.waves())
	powers := make([]float64, block*size) // block x size, row-major
	powersOf := func(i int) []float64 { return powers[i*size:][:size] }
	sum := make([]float64, size)
	memory := func() []float64 { return make([]float64, t.size()) }
	for first := 0; first < batch.Count; first += block {
		some := min(block, batch.Count-first)
		err := parallel.With(ctx, workers, some, memory, func(coefficients []float64, i int) error {
			t.analyse(coefficients, batch.At(first+i))
			t.power(powersOf(i), coefficients, batch.Count)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range some {
			floats.Add(sum, powersOf(i))
		}
	}
	return sum, nil
}
