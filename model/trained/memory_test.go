package trained

import (
	"bytes"
	"context"
	"math"
	"slices"
	"testing"

	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// cosineModel returns a model of cosine space features with made up coefficients.
func cosineModel(t testing.TB, r int) Model {
	t.Helper()
	const m = 7
	sigma, _ := activation.ByName("tanh")
	f := feature.Spectral{Filter: feature.Filter{Delta: 0.02, Beta: 4}, Activation: sigma, Gain: 50,
		Bias: feature.DrawBias(0.5, 1, m), M: m,
		Theta: must(feature.Draw(context.Background(), grf.Neumann{Tau: 5, Alpha: 3, Axis: 2}, 1, m, r, 2))}
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = math.Sin(float64(j + 1))
	}
	return Model{Operator: method.Features{Map: f, Solution: rfm.Solution{Alpha: alpha, Rank: m, Lambda: 1e-6}},
		Problem: "fields", Grid: 9, Config: "problem = \"fields\"\n", Version: "1.2.3"}
}

// features returns the random feature model.
func features(t testing.TB, m Model) method.Features {
	t.Helper()
	f, ok := m.Features()
	if !ok {
		t.Fatalf("%s is no random feature model", m)
	}
	return f
}

func predict(t testing.TB, m Model, inputs grid.Batch) grid.Batch {
	t.Helper()
	u := must(m.Predict(t.Context(), inputs, 2, nil))
	return u
}

// reread writes the model and reads it.
func reread(t testing.TB, m Model) Model {
	t.Helper()
	file := written(t, m)
	read := must(Read(bytes.NewReader(file), int64(len(file))))
	return read
}

func written(t testing.TB, m Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// smoothPermeability has a contrast of 5 and no symmetry.
func smoothPermeability(r int) grid.Batch {
	a := grid.NewBatch(grid.Square, r, 1)
	for i := range r {
		for j := range r {
			x, y := float64(i)/float64(r-1), float64(j)/float64(r-1)
			a.Data[i*r+j] = math.Exp(0.8 * (math.Cos(math.Pi*x)*math.Cos(2*math.Pi*y) + 0.3*math.Cos(3*math.Pi*y)))
		}
	}
	return a
}

func TestCosineModelsInFilesPredictAsInMemory(t *testing.T) {
	for name, alter := range map[string]func(*feature.Spectral){
		"bias":           func(*feature.Spectral) {},
		"none":           func(f *feature.Spectral) { f.Bias = nil },
		"centred":        func(f *feature.Spectral) { f.Centred = true },
		"part of a pool": func(f *feature.Spectral) { *f = f.Select([]int{5, 0, 3, 6, 2, 1, 4}).(feature.Spectral) },
		"unused biases":  func(f *feature.Spectral) { f.Bias = feature.DrawBias(0.5, 1, 100) },
		"more parameters": func(f *feature.Spectral) {
			f.Theta = must(feature.Draw(context.Background(), grf.Neumann{Tau: 5, Alpha: 3, Axis: 2}, 2, 8, 17, 2))
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := cosineModel(t, 17)
			model := features(t, m)
			f := model.Map.(feature.Spectral)
			alter(&f)
			model.Map = f
			m.Operator = model
			for _, r := range []int{9, 17} {
				inputs := smoothPermeability(r)
				want := must(f.Predict(t.Context(), m.Solution().Alpha, inputs, 2, nil))
				if !slices.Equal(predict(t, reread(t, m), inputs).Data, want.Data) {
					t.Errorf("r = %d: predictions of the file differ from those in memory", r)
				}
			}
		})
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
