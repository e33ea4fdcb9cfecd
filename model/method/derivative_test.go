package method

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// expectDerivative compares a derivative with differences, whose error falls like the square of the step, and checks
// <J v, w> = <v, J* w>.
func expectDerivative(t *testing.T, o Operator, a, v, w grid.Batch) {
	t.Helper()
	d, err := o.Derivative(t.Context(), a, 2)
	if err != nil {
		t.Fatal(err)
	}
	along, err := d.Along(t.Context(), v, 2)
	if err != nil {
		t.Fatal(err)
	}
	adjoint, err := d.Adjoint(t.Context(), w, 2)
	if err != nil {
		t.Fatal(err)
	}
	value := predict(t, o, a)
	out := value.Domain
	if distance := math.Sqrt(out.Distance2(value.At(0), d.Value.At(0))); distance > rounding {
		t.Errorf("the value is %.2g from the prediction", distance)
	}
	miss := func(h float64) float64 {
		plus, minus := predict(t, o, a.Plus(h, v.At(0))), predict(t, o, a.Plus(-h, v.At(0)))
		for x := range plus.Data {
			plus.Data[x] = (plus.Data[x] - minus.Data[x]) / (2 * h)
		}
		return math.Sqrt(out.Distance2(plus.At(0), along.At(0)) / out.Inner(along.At(0), along.At(0)))
	}
	const h, differences = 1.0 / 64, 1e-8
	if coarse, fine := miss(h), miss(h/2); !(coarse < 0.05) || !(fine < 0.27*coarse+differences) {
		t.Errorf("differences miss the derivative by %.3g and with half the step by %.3g", coarse, fine)
	}
	for i := range w.Count {
		left, right := out.Inner(along.At(i), w.At(i)), v.Domain.Inner(v.At(i), adjoint.At(i))
		bound := math.Sqrt(out.Inner(along.At(i), along.At(i)) * out.Inner(w.At(i), w.At(i)))
		if !(math.Abs(left-right) < 1e-11*bound) {
			t.Errorf("<J v, w> = %.15g, <v, J* w> = %.15g", left, right)
		}
	}
}

// TestDerivatives trains methods on most of the pairs, and takes what else there is from the rest.
func TestDerivatives(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const K, n = 17, 24
	square := func(pairs dataset.Pairs) dataset.Pairs {
		for x, v := range pairs.Inputs.Data {
			pairs.Outputs.Data[x] += v * v
		}
		return pairs
	}
	periodic := square(smooth(n+4, K, func(dst, a []float64) { copy(dst, a) }))
	closed := dataset.Pairs{Inputs: grid.NewBatch(grid.Square, 7, n+4), Outputs: grid.NewBatch(grid.Square, 7, n+4)}
	grf.NewNeumannSampler(grf.Neumann{Tau: 3, Alpha: 3, Axis: 2}, 7).Draw(closed.Inputs, 1, draw.InputTrain, 0)
	for name, c := range map[string]struct {
		method Method
		pairs  dataset.Pairs
	}{
		"multiplier":           {linearMethod, smooth(n+4, K, func(dst, a []float64) { copy(dst, a) })},
		"affine, channels":     {linearMethod, shifted(n+4, K)},
		"kernel":               {kernelMethod, periodic},
		"kernel on the square": {kernelMethod, square(closed)},
		"kernel, channels":     {kernelMethod, shifted(n+4, K)},
	} {
		t.Run(name, func(t *testing.T) {
			o, err := c.method.Train(t.Context(), c.pairs.Range(0, n), Options{Workers: 2, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			in, out := c.pairs.Inputs, c.pairs.Outputs
			expectDerivative(t, o, in.Range(n, 1), in.Range(n+1, 2), out.Range(n+1, 2))
		})
	}
	for _, m := range []Method{linearMethod, kernelMethod} {
		t.Run(m.Name+" of the square", func(t *testing.T) {
			o, err := m.Train(t.Context(), closed.Range(0, n), Options{Workers: 2, Symmetry: config.WholeSquare})
			if err != nil {
				t.Fatal(err)
			}
			expectDerivative(t, o, closed.Inputs.Range(n, 1), closed.Inputs.Range(n+1, 2), closed.Outputs.Range(n+1, 2))
		})
	}
	for _, reflection := range []int{-1, 0, 1} {
		for _, d := range []grid.Domain{grid.Torus, {Dims: 2, Periodic: true, Aspect: grid.AspectOf(1, 2)}} {
			t.Run(fmt.Sprint("equivariant ", reflection, d), func(t *testing.T) {
				pairs := rough(d, 9, 10)
				e := &Equivariant{place: placeOf(pairs), Shape: Shape{Cutoff: 2, Decay: 1, Length: 0.5, Reflection: reflection,
					Offset: true}, inputs: pairs.Inputs.Range(0, 6), coefficients: pairs.Outputs.Range(0, 6)}
				expectDerivative(t, e.prepare(), pairs.Inputs.Range(6, 1), pairs.Inputs.Range(7, 2),
					pairs.Outputs.Range(7, 2))
			})
		}
	}
	flow := flows(t, 12, 7, 2, false)
	fluxes, err := FitFluxes(t.Context(), flow, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	fluxes.Tolerance = 1e-13
	fluxes.Scale *= 1.5 // inputs and their neighbours are inside
	expectDerivative(t, fluxes.prepare(), flow.Inputs.Range(0, 1), closed.Inputs.Range(1, 2), flow.Outputs.Range(2, 2))
	kernel, err := kernelMethod.Train(t.Context(), periodic, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	sum := &Sum{First: kernel, Second: kernel}
	expectDerivative(t, sum, periodic.Inputs.Range(0, 1), periodic.Inputs.Range(1, 2), periodic.Outputs.Range(2, 2))
	var data *fault.Data
	if _, err := kernel.Derivative(t.Context(), grid.NewBatch(grid.Torus, 2*K-1, 1), 1); !errors.As(err, &data) {
		t.Errorf("on another grid: %v", err)
	}
}
