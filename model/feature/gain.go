// This file chooses the gain of a feature map from the size of what its activation is applied to.

package feature

import (
	"fmt"
	"math"

	"rfm/solver/fault"
	"rfm/solver/fft"
	"rfm/solver/grid"
)

// GainForRMS is the gain for which the argument of the activation, before the bias, has the given root mean square over
// the inputs, the m features and the points of the inputs' grid. By Parseval's identity it is exactly
//
//	rms / sqrt( sum_k chi(k)^2 mean_i |a_ik|^2 mean_j |theta_jk|^2 ).
//
// f.Gain has no effect. The error is a *fault.Data if theta's grid does not contain the inputs', or if the sum is not
// positive and finite: inputs may be constant.
func (f Fourier) GainForRMS(inputs grid.Batch, rms float64) (float64, error) {
	checkDraws(f.Count, f.Theta, f.Bias)
	theta, err := f.Theta.First(f.Count).Restrict(inputs.K)
	if err != nil {
		return 0, err
	}
	plan := fft.NewPlan(inputs.K - 1)
	a, t := meanPower(plan, inputs), meanPower(plan, theta)
	sum := 0.0
	for p, k := range plan.Frequencies() {
		chi := f.Filter.At(k)
		sum += chi * chi * a[p] * t[p]
	}
	return gainFor(rms, sum)
}

// meanPower is the mean of |u_k|^2 over the functions u of the batch, in the plan's order.
func meanPower(plan *fft.Plan, batch grid.Batch) []float64 {
	N := plan.N()
	power, spectrum := make([]float64, N), make([]float64, 2*N)
	scale := 1 / (float64(N) * float64(N) * float64(batch.Count))
	for i := range batch.Count {
		plan.Spectra(spectrum, batch.At(i)[:N], 1)
		for p := range power {
			power[p] += scale * (spectrum[2*p]*spectrum[2*p] + spectrum[2*p+1]*spectrum[2*p+1])
		}
	}
	return power
}

// gainFor is the gain for rms if the mean square with gain 1 is square.
func gainFor(rms, square float64) (float64, error) {
	if !(square > 0) || math.IsInf(square, 1) {
		return 0, &fault.Data{Where: "gain of the features", What: fmt.Sprintf("the argument of the activation has mean square %g over the inputs, so no gain gives it root mean square %g", square, rms),
			Do: "inputs must be finite and not all constant; or give features.gain"}
	}
	return rms / math.Sqrt(square), nil
}
