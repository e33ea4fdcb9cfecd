package method

import (
	"errors"
	"math"
	"math/cmplx"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// symmetries returns the words of data.symmetry that name motions of a domain.
func symmetries(d grid.Domain) []string {
	switch {
	case d.Periodic:
		return []string{config.Translations, config.Reflection, config.OddReflection}
	case d.Square():
		return []string{config.Reflection, config.WholeSquare}
	}
	return []string{config.Reflection}
}

// Every method that can have a symmetry commutes with its motions, to rounding, for any pairs.
func TestEveryMethodCommutesWithTheSymmetryThatIsAskedFor(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range []grid.Domain{grid.Torus, grid.Torus2, grid.Interval, {Dims: 2, Cells: true},
		{Dims: 2, Aspect: grid.Aspect{First: 2, Second: 3}}} {
		points := 7
		pairs := symmetric(domain, points, 14, 0.3)
		if domain.Periodic {
			for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
				for i := range b.Count {
					domain.Wrap(b.At(i))
				}
			}
		}
		train, test := pairs.Range(0, 12), pairs.Range(12, 2)
		for _, symmetry := range symmetries(domain) {
			motions := domain.Reflections(symmetry == config.OddReflection)
			if symmetry == config.WholeSquare {
				motions = domain.Motions()
			}
			if symmetry == config.Translations {
				motions = nil
			}
			options := Options{Workers: 2, Symmetry: symmetry}
			for _, m := range All(domain, domain, symmetry) {
				train := train
				if m.Name == config.Layers { // fewer rows of points
					train = train.Range(0, 6)
				}
				o, err := m.Train(t.Context(), train, options)
				var none *fault.Data
				if (m.Name == config.Corrected || m.Name == config.Sheared || m.Name == config.Layers) && errors.As(err, &none) {
					continue // these few pairs permit no correction, and no shear
				}
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", domain.Name(), symmetry, m.Name, err)
				}
				options.Known = append(options.Known, o)
				u := predict(t, o, test.Inputs)
				for _, g := range motions {
					expectNear(t, domain.Name()+", "+symmetry+", "+m.Name, predict(t, o, test.Inputs.Moved(g)), u.Moved(g))
				}
				if domain.Periodic {
					expectNear(t, domain.Name()+", "+symmetry+", "+m.Name, predict(t, o, shift(test.Inputs)), shift(u))
				}
			}
		}
	}
}

func expectNear(t *testing.T, what string, got, want grid.Batch) {
	t.Helper()
	for x, v := range want.Data {
		if math.Abs(v-got.Data[x]) > 1e-6 {
			t.Fatalf("%s: value %d of the prediction for a moved input is %g, of the moved prediction %g", what, x, got.Data[x],
				v)
		}
	}
}

// shift moves periodic functions by two points along the last axis.
func shift(b grid.Batch) grid.Batch {
	moved := b.Like(b.Count)
	rows, columns := b.Domain.Axes(b.Points)
	for i := range b.Count {
		for x := range moved.At(i) {
			moved.At(i)[x] = b.At(i)[x/columns%max(1, rows-1)*columns+(x%columns+2)%(columns-1)]
		}
	}
	return moved
}

// A real multiplier is the complex one on all pairs and their reflections.
func TestRealMultiplierLeavesOutBothImages(t *testing.T) {
	pairs := symmetric(grid.Torus, 9, 8, 0.2)
	for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		for i := range b.Count {
			grid.Torus.Wrap(b.At(i))
		}
	}
	sizes := must(norms(pairs.Outputs))
	m := must(fitMultiplier(t.Context(), pairs, sizes, Options{Workers: 1, Symmetry: config.Reflection}))
	flip := grid.Torus.Reflections(false)[1]
	brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor {
		both := dataset.Pairs{Inputs: rest.Inputs.Like(14), Outputs: rest.Outputs.Like(14)}
		for side, b := range []grid.Batch{rest.Inputs, rest.Outputs} {
			to := []grid.Batch{both.Inputs, both.Outputs}[side]
			copy(to.Data[copy(to.Data, b.Data):], b.Moved(flip).Data)
		}
		a, u := spectra(both.Inputs), spectra(both.Outputs)
		largest := 0.0 // of all pairs: the ridge is unchanged
		for k := range a[0] {
			sum := 0.0
			for _, spectrum := range spectra(pairs.Inputs) {
				sum += square(spectrum[k])
			}
			largest = max(largest, sum)
		}
		var factors []float64
		for k := range a[0] {
			energy, product := 2*m.Ridge*largest, complex128(0)
			for i := range a {
				energy += square(a[i][k])
				product += cmplx.Conj(a[i][k]) * u[i][k]
			}
			product /= complex(energy, 0)
			factors = append(factors, real(product), imag(product))
		}
		return &Multiplier{placeOf(pairs), 0, factors}
	})
	if math.Abs(brute-m.Error) > conditioned*brute {
		t.Errorf("leave-one-out %.12g, by retraining %.12g", m.Error, brute)
	}
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }
