package interchange

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// drawables returns files of pairs of all kinds of inputs that can be drawn, by names.
func drawables(t *testing.T, directory string) map[string]string {
	t.Helper()
	const n, points, side = 40, 33, 9
	value := func(i, x int) float64 { return math.Sin(float64(i+1)*0.7+float64(x)*0.2) + 0.1*float64(i%5) }
	array := func(shape ...int) npy.Array {
		a := npy.Array{Shape: shape}
		size := 1
		for _, s := range shape[1:] {
			size *= s
		}
		for i := range shape[0] {
			for x := range size {
				a.Data = append(a.Data, value(i, x))
			}
		}
		return a
	}
	files := map[string]map[string]npy.Array{
		"functions": {"a": array(n, points), "u": array(n, points)},
		"names":     {"inputs": array(n, points), "outputs": array(n, points)},
		"fields":    {"a": array(n, side, side), "u": array(n, side, side)},
		"numbers":   {"a": array(n, 2), "u": array(n, points)},
		"channels":  {"a": array(n, points, 2), "u": array(n, points)},
	}
	names := map[string]string{}
	for name, arrays := range files {
		names[name] = filepath.Join(directory, name+".npz")
		arraytest.NPZ(t, names[name], arrays)
	}
	return names
}

// A stored drawing is read by `rfm predict`, which gives the same prediction, and another drawing can begin from it.
func TestDrawnInputsAreReadBack(t *testing.T) {
	directory := t.TempDir()
	ctx := t.Context()
	for name, file := range drawables(t, directory) {
		t.Run(name, func(t *testing.T) {
			c, opened, err := Configuration(ctx, file)
			filetest.NoError(t, err)
			c.Evaluation = config.Evaluation{}
			c.Train.Method = config.KernelRidge
			e, err := engine.New(ctx, c, engine.Options{Runs: filepath.Join(directory, "runs"), Name: name, Files: opened,
				Workers: 1})
			filetest.NoError(t, err)
			filetest.NoError(t, e.Run(ctx))
			trial, err := e.Trial(ctx, e.Evaluation())
			filetest.NoError(t, err)
			input := trial.Draw(1)
			answer, err := trial.Predict(ctx, input)
			filetest.NoError(t, err)
			stored := filepath.Join(directory, name+"-drawn.npz")
			filetest.NoError(t, SaveDrawn(stored, false, trial, Drawn{Input: input, Prediction: answer.Prediction}))
			model, err := FindModel(ctx, filepath.Join(directory, "runs"), name)
			filetest.NoError(t, err)
			out := filepath.Join(directory, name+"-u.npy")
			_, err = Predict(ctx, model, Prediction{In: stored, Out: out, Endpoint: config.AutoPoints, Workers: 1})
			filetest.NoError(t, err)
			predicted := arraytest.Read(t, out)
			for x, v := range answer.Prediction {
				if math.Abs(predicted.Data[x]-v) > 1e-12 {
					t.Fatalf("value %d is predicted as %g, drawn as %g", x, predicted.Data[x], v)
				}
			}
			again, err := OpenDrawn(ctx, stored, trial)
			filetest.NoError(t, err)
			for x, v := range input {
				if math.Abs(again[x]-v) > 1e-12 {
					t.Fatalf("value %d is %g again, was %g", x, again[x], v)
				}
			}
			if err := SaveDrawn(stored, false, trial, Drawn{Input: input}); !errors.Is(err, fs.ErrExist) {
				t.Errorf("the file is overwritten: %v", err)
			}
		})
	}
}

// Names that do not end in .npz, and files that hold no inputs, are refused, and the error says what to do.
func TestDrawnInputsAreRefused(t *testing.T) {
	directory := t.TempDir()
	c, err := config.PresetByName("heat")
	filetest.NoError(t, err)
	trial, err := engine.Untrained(c)
	filetest.NoError(t, err)
	refused := func(what string, err error) {
		t.Helper()
		if bad, ok := errors.AsType[*fault.Data](err); !ok || bad.Do == "" {
			t.Errorf("%s: got %v, want *fault.Data with a remedy", what, err)
		}
	}
	refused("a .csv file", SaveDrawn(filepath.Join(directory, "a.csv"), false, trial, Drawn{Input: trial.Draw(0)}))
	refused("no directory", SaveDrawn(filepath.Join(directory, "no", "a.npz"), false, trial, Drawn{Input: trial.Draw(0)}))
	fields := filepath.Join(directory, "fields.npz")
	arraytest.NPZ(t, fields, map[string]npy.Array{"a": {Shape: []int{2, 3, 4, 5, 6}, Data: make([]float64, 720)}})
	_, err = OpenDrawn(t.Context(), fields, trial)
	refused("an array of five axes", err)
	_, err = OpenDrawn(t.Context(), filepath.Join(directory, "none.npz"), trial)
	if err == nil {
		t.Error("a file that does not exist is read")
	}
}
