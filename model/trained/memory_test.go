package trained

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"rfm/model/learn/feature"
	"rfm/model/learn/random"
	"rfm/solver/space/grid"
)

// features returns the random feature model.
func features(t testing.TB, m Model) random.Features {
	t.Helper()
	f, ok := m.Features()
	if !ok {
		t.Fatalf("%s is no random feature model", m)
	}
	return *f
}

// mapped returns features as models store them.
func mapped(f feature.Map) feature.Trained { return must(f.Trained(context.Background(), nil, 1)) }

func predict(t testing.TB, m Model, inputs grid.Batch) grid.Batch {
	t.Helper()
	return must(m.Predict(t.Context(), inputs, 2, nil))
}

// reread writes the model and reads it.
func reread(t testing.TB, m Model) Model {
	t.Helper()
	file := written(t, m)
	return must(Read(bytes.NewReader(file), int64(len(file))))
}

func written(t testing.TB, m Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Features of a pool, and features with more biases or functions than they use, are written as they predict.
func TestFeaturesInFilesPredictAsInMemory(t *testing.T) {
	for name, alter := range map[string]func(*feature.Spectral){
		"part of a pool":  func(f *feature.Spectral) { *f = f.Select([]int{2, 0, 1}).(feature.Spectral) },
		"unused biases":   func(f *feature.Spectral) { f.Bias = feature.DrawBias(0.5, 1, 100) },
		"more parameters": func(f *feature.Spectral) { f.Bias, f.Theta = nil, functionsOn(grid.Square, 5, 8, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			m := goldenModels()["cosine"]
			model := features(t, m)
			f := *model.Map.(*feature.Spectral)
			alter(&f)
			model.Map = mapped(f)
			m.Operator = &model
			for _, points := range []int{3, 5} {
				inputs := functionsOn(grid.Square, points, 1, 4)
				want := must(f.Predict(t.Context(), m.Solution().Alpha, inputs, 2, nil))
				if !slices.Equal(predict(t, reread(t, m), inputs).Data, want.Data) {
					t.Errorf("%d points: predictions of the file differ from those in memory", points)
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
