// Tests that files keep models bitwise, on models trained as experiments train them.

package trained

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// predictor is a model in memory.
type predictor func(inputs grid.Batch) (grid.Batch, error)

// preset returns a configuration of the given size.
func preset(t testing.TB, name string, n, m, fine, K int) config.Config {
	t.Helper()
	c := must(config.PresetByName(name))
	c.Data.Train, c.Data.Test, c.Data.Grid, c.Features.Count, c.Train.Grid = n, 8, fine, m, K
	return c
}

// generated returns pairs of a configuration, computed once. Tests do not change them.
func generated(t testing.TB, c config.Config, purpose draw.Purpose, count int) dataset.Pairs {
	t.Helper()
	key := fmt.Sprint(string(c.TOML()), purpose, count)
	if known, ok := allGenerated.Load(key); ok {
		return known.(dataset.Pairs)
	}
	pairs := must(dataset.Generate(t.Context(), setup.Truth(c), truth.Wanted{Purpose: purpose, Count: count}, 2, nil))
	allGenerated.Store(key, pairs)
	return pairs
}

var allGenerated sync.Map

// trainBurgers trains a small model as experiments do: the model to store, the model in memory, and test pairs.
func trainBurgers(t testing.TB, alter func(*feature.Spectral)) (Model, predictor, dataset.Pairs) {
	t.Helper()
	c := preset(t, "quick", 32, 60, 1025, 129) // 60 features: the last group is not complete
	features := must(feature.New(context.Background(), c, c.Seed, c.Features.Count, c.Data.Grid, 2)).(feature.Spectral)
	alter(&features)
	e := must(features.On(context.Background(), c.Train.Grid, 2))
	s := solve(t, c, e, restricted(t, generated(t, c, draw.InputTrain, c.Data.Train), c.Train.Grid))
	return Model{Operator: method.Features{Map: features, Solution: s}, Problem: c.Problem, Grid: c.Train.Grid,
			Config: string(c.TOML()), Version: "1.2.3"},
		func(inputs grid.Batch) (grid.Batch, error) {
			return features.Predict(t.Context(), s.Alpha, inputs, 2, nil)
		},
		generated(t, c, draw.InputTest, c.Data.Test)
}

// trainDarcy does the same for Darcy flow.
func trainDarcy(t testing.TB) (Model, predictor, dataset.Pairs) {
	t.Helper()
	c := preset(t, "darcy-quick", 8, 12, 65, 17)
	features := must(feature.New(context.Background(), c, c.Seed, c.Features.Count, c.Data.Grid,
		2)).(feature.PredictorCorrector)
	e := must(features.On(t.Context(), c.Train.Grid, 2))
	s := solve(t, c, e, restricted(t, generated(t, c, draw.InputTrain, c.Data.Train), c.Train.Grid))
	collapsed := must(features.Collapse(t.Context(), s.Alpha, 2))
	return Model{Operator: method.Features{Map: collapsed, Solution: s}, Problem: c.Problem, Grid: c.Train.Grid,
			Config: string(c.TOML()), Version: "1.2.3"},
		func(inputs grid.Batch) (grid.Batch, error) {
			return collapsed.Predict(t.Context(), s.Alpha, inputs, 2, nil)
		},
		generated(t, c, draw.InputTest, 3)
}

// cosineModel returns a model of cosine space features with made up coefficients.
func cosineModel(t testing.TB, r int) Model {
	t.Helper()
	const m = 7
	sigma, _ := activation.ByName("tanh")
	f := feature.Spectral{Filter: feature.Filter{Delta: 0.02, Beta: 4}, Activation: sigma, Gain: 50,
		Bias: feature.DrawBias(0.5, 1, m), M: m,
		Theta: must(feature.Draw(context.Background(), grf.Neumann{Tau: 5, Alpha: 3, Axis: 2}, 1, m, 1, r, 2))}
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

func solve(t testing.TB, c config.Config, e feature.Evaluator, pairs dataset.Pairs) rfm.Solution {
	t.Helper()
	normal := must(rfm.Accumulate(t.Context(), e, pairs, 2, nil))
	s := must(normal.Fit(context.Background(), c.Features.Count,
		rfm.Regularisation{Lambda: c.Train.Lambda, Rcond: c.Train.Rcond}, 2))
	return s
}

func restricted(t testing.TB, pairs dataset.Pairs, K int) dataset.Pairs {
	t.Helper()
	p := must(pairs.Restrict(K))
	return p
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

// expectSameBits compares the file's predictions with those in memory.
func expectSameBits(t *testing.T, m Model, memory predictor, inputs grid.Batch) {
	t.Helper()
	want := must(memory(inputs))
	for _, workers := range []int{1, 3} {
		got := must(m.Predict(t.Context(), inputs, workers, nil))
		if !slices.Equal(got.Data, want.Data) {
			t.Errorf("%d values a function: predictions of the file differ from those in memory", inputs.Values())
		}
	}
}

func TestFourierModelsInFilesPredictAsInMemory(t *testing.T) {
	for name, alter := range map[string]func(*feature.Spectral){
		"paper":            func(*feature.Spectral) {},
		"bias":             func(f *feature.Spectral) { f.Bias = feature.DrawBias(0.8, 1, f.M) },
		"centred":          func(f *feature.Spectral) { f.Centred = true },
		"theta from files": func(f *feature.Spectral) { f.Theta = f.Theta.First(f.M) },
	} {
		t.Run(name, func(t *testing.T) {
			m, memory, test := trainBurgers(t, alter)
			read := reread(t, m)
			for _, K := range []int{129, 1025} {
				expectSameBits(t, read, memory, restricted(t, test, K).Inputs)
			}
		})
	}
}

func TestFlowModelsInFilesPredictAsInMemory(t *testing.T) {
	m, memory, test := trainDarcy(t)
	read := reread(t, m)
	for _, r := range []int{17, 33} {
		expectSameBits(t, read, memory, restricted(t, test, r).Inputs)
	}
}

func TestCosineModelsInFilesPredictAsInMemory(t *testing.T) {
	for name, alter := range map[string]func(*feature.Spectral){
		"bias":           func(*feature.Spectral) {},
		"none":           func(f *feature.Spectral) { f.Bias = nil },
		"centred":        func(f *feature.Spectral) { f.Centred = true },
		"part of a pool": func(f *feature.Spectral) { *f = f.Select([]int{5, 0, 3, 6, 2, 1, 4}).(feature.Spectral) },
		"unused biases":  func(f *feature.Spectral) { f.Bias = feature.DrawBias(0.5, 1, 100) },
		"more parameters": func(f *feature.Spectral) {
			f.Theta = must(feature.Draw(context.Background(), grf.Neumann{Tau: 5, Alpha: 3, Axis: 2}, 2, 8, 1, 17, 2))
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := cosineModel(t, 17)
			model := features(t, m)
			f := model.Map.(feature.Spectral)
			alter(&f)
			model.Map = f
			m.Operator = model
			memory := func(inputs grid.Batch) (grid.Batch, error) {
				return f.Predict(t.Context(), m.Solution().Alpha, inputs, 2, nil)
			}
			for _, r := range []int{9, 17} {
				expectSameBits(t, reread(t, m), memory, smoothPermeability(r))
			}
		})
	}
}

func TestFilesKeepTheSolution(t *testing.T) {
	burgers, _, _ := trainBurgers(t, func(*feature.Spectral) {})
	darcy, _, _ := trainDarcy(t)
	for _, m := range []Model{burgers, darcy, cosineModel(t, 9)} {
		read := reread(t, m)
		if !slices.Equal(read.Solution().Alpha, m.Solution().Alpha) ||
			!slices.Equal(read.Solution().Eigenvalues, m.Solution().Eigenvalues) ||
			read.Solution().Rank != m.Solution().Rank || read.Solution().Lambda != m.Solution().Lambda {
			t.Errorf("%s: the solution is another", m.Problem)
		}
		if read.Problem != m.Problem || read.Grid != m.Grid || read.Config != m.Config || read.Version != m.Version ||
			read.String() != m.String() {
			t.Errorf("%s: got %v, want %v", m.Problem, read, m)
		}
		if !bytes.Equal(written(t, read), written(t, m)) {
			t.Errorf("%s: written again, the file differs", m.Problem)
		}
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
