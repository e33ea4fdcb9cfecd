package interchange

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/reading"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// trainedAtPoints trains a model of a at 30 points to u = a^2 at these, and returns the directory of the run.
func trainedAtPoints(t *testing.T, xy npy.Array) (run string, a, u npy.Array) {
	t.Helper()
	const pairs = 40
	points := xy.Shape[0]
	a = npy.Array{Shape: npy.Shape{pairs, points}}
	u = npy.Array{Shape: npy.Shape{pairs, points}}
	for i := range pairs {
		for x := range points {
			v := 1 + 0.5*math.Sin(float64(i))*xy.Data[2*x] + 0.3*math.Cos(float64(3*i))*xy.Data[2*x+1]
			a.Data = append(a.Data, v)
			u.Data = append(u.Data, v*v)
		}
	}
	file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), map[string]npy.Array{"a": a, "u": u, "xy": xy})
	c, files, err := reading.Configuration(t.Context(), file, "train.method=kernel", "evaluation.baselines=no")
	noError(t, err)
	directory := t.TempDir()
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2, Runs: directory, Name: "r", Files: files})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	return filepath.Join(directory, "r"), a, u
}

// Predictions have the order of the points in the file, also where they are put in the order of a grid for training; other
// numbers of points are refused. Exports have the places.
func TestPredictionsAtPoints(t *testing.T) {
	regular := npy.Array{Shape: npy.Shape{100, 2}}
	irregular := npy.Array{Shape: npy.Shape{100, 2}}
	for i := range 100 {
		place := i * 37 % 100
		regular.Data = append(regular.Data, float64(place/10), float64(place%10))
		irregular.Data = append(irregular.Data, math.Mod(float64(i)*0.618, 1), math.Mod(float64(i)*0.414+float64(i*i)*0.01, 1))
	}
	for name, xy := range map[string]npy.Array{"regular": regular, "irregular": irregular} {
		run, a, u := trainedAtPoints(t, xy)
		in := arraytest.NPZ(t, filepath.Join(t.TempDir(), "in.npz"), map[string]npy.Array{"a": a, "xy": xy})
		out := filepath.Join(t.TempDir(), "out.npy")
		_, err := Predict(t.Context(), filepath.Join(run, "model.npz"), Prediction{In: in, Out: out, Workers: 1, Endpoint: config.AutoPoints})
		noError(t, err)
		got := arraytest.Read(t, out)
		if len(got.Shape) != 2 || len(got.Data) != len(u.Data) {
			t.Fatalf("%s: predictions have the shape %v, want %v", name, got.Shape, u.Shape)
		}
		for i, v := range got.Data {
			if math.Abs(v-u.Data[i]) > 0.05*(1+math.Abs(u.Data[i])) {
				t.Fatalf("%s: value %d is %g, want about %g", name, i, v, u.Data[i])
			}
		}
		few := npy.Array{Shape: npy.Shape{2, 50}, Data: a.Data[:100]}
		in = arraytest.NPZ(t, filepath.Join(t.TempDir(), "few.npz"), map[string]npy.Array{"a": few})
		if _, err = Predict(t.Context(), filepath.Join(run, "model.npz"), Prediction{In: in, Out: out + "2", Workers: 1,
			Endpoint: config.AutoPoints}); !fault.BlamesInput(err) {
			t.Errorf("%s: inputs at 50 points: %v", name, err)
		}
		if name == "regular" && (err == nil || !strings.Contains(err.Error(), "a and xy in one file")) {
			t.Errorf("inputs without coordinates: %v, want what to give", err)
		}
		directory := filepath.Join(t.TempDir(), "export")
		_, err = Export(t.Context(), run, directory, NPY)
		noError(t, err)
		readme, err := os.ReadFile(filepath.Join(directory, "README.txt"))
		noError(t, err)
		if name == "irregular" && !strings.Contains(string(readme), "places") {
			t.Errorf("the README of the export does not name the places:\n%s", readme)
		}
	}
}
