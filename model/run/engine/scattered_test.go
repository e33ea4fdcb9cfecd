package engine

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/run/reading"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// scatteredFile writes pairs at points in the plane; inputs are at the same points, or 20 values of their own.
func scatteredFile(t *testing.T, apart bool) string {
	t.Helper()
	const pairs, points = 40, 50
	r := rand.New(rand.NewPCG(9, 9))
	xy := npy.Array{Shape: npy.Shape{points, 2}}
	for range 2 * points {
		xy.Data = append(xy.Data, r.Float64())
	}
	a := npy.Array{Shape: npy.Shape{pairs, points}}
	if apart {
		a.Shape[1] = 20
	}
	u := npy.Array{Shape: npy.Shape{pairs, points}}
	for range pairs {
		c, d := r.NormFloat64(), r.NormFloat64()
		for x := range a.Shape[1] {
			a.Data = append(a.Data, c*math.Cos(3*xy.Data[2*x])+d*xy.Data[2*x+1])
		}
		for x := range points {
			u.Data = append(u.Data, math.Tanh(c*math.Cos(3*xy.Data[2*x])+d*xy.Data[2*x+1]))
		}
	}
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "scattered.npz"), map[string]npy.Array{"a": a, "u": u, "xy": xy})
}

// Runs of pairs at points of any geometry compare all methods that can learn there, whichever is the model, and are
// restored from their files.
func TestRunsAtPointsOfAnyGeometry(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for _, test := range []struct {
		method string
		apart  bool
	}{{config.KernelRidge, false}, {config.RandomFeatures, false}, {config.Best, false}, {config.Linear, true}} {
		c, files, err := reading.Configuration(t.Context(), scatteredFile(t, test.apart), "train.method="+test.method,
			"features.count=16")
		noError(t, err)
		directory := t.TempDir()
		e, err := New(t.Context(), c, Options{Workers: 2, Runs: directory, Name: "r", Files: files})
		noError(t, err)
		noError(t, e.Run(t.Context()))
		v := e.Evaluation()
		const least = 3 // mean, linear, kernel; random features may be behind in a first look
		if len(v.Rows) < least {
			t.Errorf("%s: %d rows of methods, want %d at least", test.method, len(v.Rows), least)
		}
		if v.Test.ExpectedRelative > 1 || v.Unlike == nil {
			t.Errorf("%s: error %g, alarm %v", test.method, v.Test.ExpectedRelative, v.Unlike)
		}
		if figures, fields := v.Sample(c.Of(), 0, 0).Pictures(); len(fields) < 3 || len(figures) < 1 {
			t.Errorf("%s: %d figures and %d maps", test.method, len(figures), len(fields))
		}
		path := filepath.Join(directory, "r")
		again, err := Open(t.Context(), path, Options{Workers: 1})
		noError(t, err)
		noError(t, again.Run(t.Context()))
		if !slices.Equal(again.Evaluation().Predictions.Data, v.Predictions.Data) {
			t.Errorf("%s: the restored run has other predictions", test.method)
		}
		noError(t, again.Close())
		if sample, _ := Typical(t.Context(), path, v.Test.Relative); sample == nil || sample.Out == nil || len(sample.Truth) != 50 {
			t.Errorf("%s: the typical sample is %+v", test.method, sample)
		}
		if Newest(t.Context(), path) == nil {
			t.Errorf("%s: no newest pair", test.method)
		}
	}
}

func TestPointsHaveNoOtherGrid(t *testing.T) {
	c, files, err := reading.Configuration(t.Context(), scatteredFile(t, false), "train.grid=20")
	if err == nil {
		_, err = New(t.Context(), c, Options{Files: files})
	}
	if err == nil {
		t.Error("a training grid of 20 of the 50 points is accepted")
	}
}

// The points of a regular grid in another order have the errors of the grid.
func TestShuffledGridsHaveTheErrorsOfTheGrid(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const pairs, side = 40, 13
	r := rand.New(rand.NewPCG(8, 8))
	order := r.Perm(side * side)
	grids := map[string]npy.Array{"a": {Shape: npy.Shape{pairs, side, side}}, "u": {Shape: npy.Shape{pairs, side, side}}}
	for range pairs {
		c, d, e := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		for place := range side * side {
			x, y := float64(place/side)/(side-1), float64(place%side)/(side-1)
			v := c*math.Cos(3*x) + d*math.Cos(2*y) + e*x*y
			for name, value := range map[string]float64{"a": v, "u": math.Tanh(v)} {
				array := grids[name]
				array.Data = append(array.Data, value)
				grids[name] = array
			}
		}
	}
	shuffled := map[string]npy.Array{"xy": {Shape: npy.Shape{side * side, 2}, Data: make([]float64, 2*side*side)}}
	for name, array := range grids {
		moved := npy.Array{Shape: npy.Shape{pairs, side * side}, Data: make([]float64, len(array.Data))}
		for i := range array.Data {
			moved.Data[i/(side*side)*side*side+order[i%(side*side)]] = array.Data[i]
		}
		shuffled[name] = moved
	}
	for place, point := range order {
		shuffled["xy"].Data[2*point] = float64(place / side)
		shuffled["xy"].Data[2*point+1] = float64(place % side)
	}
	var errors []float64
	for _, arrays := range []map[string]npy.Array{grids, shuffled} {
		name := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), arrays)
		c, files, err := reading.Configuration(t.Context(), name, "train.method=kernel", "evaluation.baselines=no")
		noError(t, err)
		e, err := New(t.Context(), c, Options{Workers: 2, Files: files})
		noError(t, err)
		noError(t, e.Run(t.Context()))
		errors = append(errors, e.Evaluation().Test.ExpectedRelative)
		if c.Problem != config.Fields {
			t.Errorf("%s are learned as %s", name, c.Problem)
		}
	}
	if errors[0] != errors[1] {
		t.Errorf("the error is %g on the grid, %g at its points in another order", errors[0], errors[1])
	}
}
