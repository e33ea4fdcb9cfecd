package feature

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/solver/darcy"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// expectDerivative compares the derivative of a model at an input with differences, whose error has to fall like the
// square of the step, and J with J* by <J v, w> = <v, J* w>.
func expectDerivative(t *testing.T, f Trained, alpha []float64, a, v, w grid.Batch) {
	t.Helper()
	d, err := f.Derivative(t.Context(), alpha, a, 2)
	if err != nil {
		t.Fatal(err)
	}
	value := must(f.Predict(t.Context(), alpha, a, 1, nil))
	if !slices.Equal(value.Data, d.Value.Data) {
		t.Error("the value is not the prediction")
	}
	along := must(d.Along(t.Context(), v, 2))
	adjoint := must(d.Adjoint(t.Context(), w, 2))
	size := math.Sqrt(along.Domain.Inner(along.At(0), along.At(0)))
	miss := func(h float64) float64 {
		plus := must(f.Predict(t.Context(), alpha, a.Plus(h, v.At(0)), 1, nil))
		minus := must(f.Predict(t.Context(), alpha, a.Plus(-h, v.At(0)), 1, nil))
		for x := range plus.Data {
			plus.Data[x] = (plus.Data[x] - minus.Data[x]) / (2 * h)
		}
		return math.Sqrt(plus.Domain.Distance2(plus.At(0), along.At(0))) / size
	}
	const h, rounding = 1.0 / 256, 1e-10
	coarse, fine := miss(h), miss(h/2)
	if !(coarse < 1e-2) || !(fine < 0.27*coarse+rounding) {
		t.Errorf("differences miss the derivative by %.3g and with half the step by %.3g", coarse, fine)
	}
	for i := range w.Count {
		left, right := w.Domain.Inner(along.At(i), w.At(i)), v.Domain.Inner(v.At(i), adjoint.At(i))
		bound := math.Sqrt(w.Domain.Inner(along.At(i), along.At(i)) * w.Domain.Inner(w.At(i), w.At(i)))
		if !(math.Abs(left-right) < 1e-12*bound) {
			t.Errorf("<J v, w> = %.15g, <v, J* w> = %.15g", left, right)
		}
	}
}

func TestDerivativesOfSpectralModels(t *testing.T) {
	const m = 11
	every(t, m, func(t *testing.T, f Spectral) {
		all := inputsOn(f.Domain(), f.Finest(), 5)
		expectDerivative(t, f, signs(m), all.Range(0, 1), all.Range(1, 2), all.Range(3, 2))
	})
}

func TestDerivativesWithSeveralChannels(t *testing.T) {
	const m, in, out = 5, 2, 3
	every(t, m, func(t *testing.T, f Spectral) {
		if f.Bias = nil; !f.Centred {
			f.Bias = DrawBias(0.5, 1, 8)
		}
		f.Symmetry = Symmetry{}
		d, points := f.Domain(), f.Finest()
		of := func(channels, count int) grid.Batch {
			b, all := grid.NewBatch(d.With(channels), points, count), inputsOn(d, points, channels*count)
			copy(b.Data, all.Data)
			return b
		}
		f.Theta = of(in*out, 8)
		for i := range f.Theta.Data {
			f.Theta.Data[i] -= 2
		}
		for _, place := range []*grid.Batch{&f.Profile, &f.Modulation} {
			if place.Count > 0 {
				*place = of(out, 8)
			}
		}
		f.Wide = drawChannels(in, out, 1, 8)
		expectDerivative(t, f, signs(m), of(in, 1), of(in, 4).Range(2, 2), of(out, 2))
	})
}

func TestDerivativesOfFlowModels(t *testing.T) {
	const r, m = 17, 3
	for _, sweeps := range []int{1, 4} {
		p := PredictorCorrector{Threshold: PaperThreshold(), Mollifier: PaperMollifier(), Source: darcy.Constant(1),
			Theta: DrawPairs(grf.Neumann{Tau: 7.5, Alpha: 2, Axis: 2}, 1, m, r), Sweeps: sweeps}
		model := must(p.Collapse(t.Context(), 1, signs(m)))[0]
		a, others := grid.NewBatch(grid.Square, r, 1), grid.NewBatch(grid.Square, r, 4)
		draws := grf.NewNeumannSampler(grf.Neumann{Tau: 3, Alpha: 2, Axis: 2}, r)
		draws.Draw(a, 1, draw.InputTrain, 0)
		draws.Draw(others, 1, draw.InputTrain, 1)
		for x, v := range a.Data {
			a.Data[x] = 2 * math.Exp(v)
		}
		t.Run(fmt.Sprint(sweeps), func(t *testing.T) {
			expectDerivative(t, model, signs(m), a, others.Range(0, 2), others.Range(2, 2))
		})
	}
}

// signs are coefficients that differ.
func signs(m int) []float64 {
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = math.Sin(float64(2 + j*j))
	}
	return alpha
}
