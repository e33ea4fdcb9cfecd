package engine

import (
	"math"

	"rfm/config"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

const (
	observedSide   = 65 // points along an axis of a field that contribute to its norm
	observedPoints = 257
)

// observer accumulates statistics of functions on one grid. The tracker that owns it holds the lock.
type observer struct {
	domain          grid.Domain
	columns         int       // of the functions' grid
	plan            *fft.Plan // of the points that enter spectra; nil for fields
	stride          int       // of the points of spectra on the functions' grid
	inputs, outputs moments
	power           []float64 // sums of |a_k|^2
}

// moments is the count, the sum and the sum of squares of numbers.
type moments struct {
	count        int
	sum, squares float64
}

func (m *moments) add(x float64) {
	m.count++
	m.sum += x
	m.squares += x * x
}

func (m moments) amplitudes() Amplitudes {
	if m.count == 0 {
		return Amplitudes{}
	}
	mean := m.sum / float64(m.count)
	return Amplitudes{Count: m.count, Mean: mean, Spread: math.Sqrt(max(0, m.squares/float64(m.count)-mean*mean))}
}

// newObserver returns an observer for functions on the grid of some.
func newObserver(some grid.Batch) *observer {
	_, columns := some.Domain.Axes(some.Points)
	o := &observer{domain: some.Domain, columns: columns, stride: 1}
	if some.Domain != grid.Torus {
		return o
	}
	for N := some.Points - 1; N > observedPoints && N%2 == 0; N /= 2 {
		o.stride *= 2
	}
	N := (some.Points - 1) / o.stride
	o.plan, o.power = fft.NewPlan(N), make([]float64, N/2)
	return o
}

// observed is the contribution of one pair.
type observed struct {
	input, output float64 // L2 norms
	power         []float64
}

// look computes the contribution of a pair; it may be called from several goroutines.
func (o *observer) look(a, u []float64) observed {
	if o.plan == nil {
		return observed{input: fieldNorm(a, o.columns), output: fieldNorm(u, o.columns)}
	}
	N := o.plan.N()
	values, spectrum := make([]float64, N), make([]float64, 2*N)
	for i := range values {
		values[i] = a[i*o.stride]
	}
	o.plan.Spectra(spectrum, values, 1)
	v := observed{input: o.domain.Norm(a), output: o.domain.Norm(u),
		power: make([]float64, len(o.power))}
	for p, k := range o.plan.Frequencies() {
		if k >= 0 && k < len(v.power) {
			re, im := spectrum[2*p]/float64(N), spectrum[2*p+1]/float64(N)
			v.power[k] = re*re + im*im
		}
	}
	return v
}

func (o *observer) add(v observed) {
	o.inputs.add(v.input)
	o.outputs.add(v.output)
	for k, p := range v.power {
		o.power[k] += p
	}
}

// spectrum returns the mean of |a_k|^2. It is nil before the first function, and for fields.
func (o *observer) spectrum() []float64 {
	if o.inputs.count == 0 || o.power == nil {
		return nil
	}
	mean := make([]float64, len(o.power))
	for k, p := range o.power {
		mean[k] = p / float64(o.inputs.count)
	}
	return mean
}

// fieldNorm approximates the L2 norm of a row-major field by the mean over some of its points.
func fieldNorm(f []float64, columns int) float64 {
	stride, sum, count := max(1, (columns-1)/(observedSide-1)), 0., 0
	for y := 0; y < len(f); y += stride * columns {
		for x := 0; x < columns; x += stride {
			sum += f[y+x] * f[y+x]
			count++
		}
	}
	return math.Sqrt(sum / float64(count))
}

// expectedSpectrum returns the mean of |a_k|^2 under the measure of the inputs, k = 0, 1, ...: the coefficients of
// exp(2 pi i k x) have variance lambda_k. It is nil if inputs are not drawn, or are fields.
func expectedSpectrum(c config.Config, o truth.Operator) []float64 {
	lambda := truth.Power(o)
	if lambda == nil {
		return nil
	}
	power := make([]float64, min((c.PairsGrid(c.Data.Grid)-1)/2, observedPoints/2))
	for k := 1; k < len(power); k++ {
		power[k] = lambda(k)
	}
	return power
}
