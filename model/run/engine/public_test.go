package engine

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// publicFiles writes files in the forms of public sets on meshes, with as many pairs and fewer points.
func publicFiles(t *testing.T) {
	t.Helper()
	array := func(of func(at []int) float64, shape ...int) npy.Array {
		a := npy.Array{Shape: shape}
		count := 1
		for _, length := range shape {
			count *= length
		}
		at := make([]int, len(shape))
		for range count {
			a.Data = append(a.Data, of(at))
			for axis := len(at) - 1; axis >= 0; axis-- {
				at[axis]++
				if at[axis] < shape[axis] {
					break
				}
				at[axis] = 0
			}
		}
		return a
	}
	const side = 9
	place := func(pair, i, j, axis int) float64 {
		at := [2]float64{float64(i) / (side - 1), float64(j) / (side - 1)}
		return at[axis] + 0.05*math.Sin(float64(pair)*0.7+3*at[1-axis])
	}
	value := func(pair, i, j int) float64 {
		return math.Sin(2*place(pair, i, j, 0)+place(pair, i, j, 1)) + 1
	}
	write := func(name string, a npy.Array) { arraytest.NPY(t, name+".npy", a) }
	write("Random_UnitCell_XY_10", array(func(at []int) float64 { return place(at[2], at[0]/side, at[0]%side, at[1]) },
		side*side, 2, 1210))
	write("Random_UnitCell_sigma_10", array(func(at []int) float64 { return value(at[1], at[0]/side, at[0]%side) }, side*side, 1210))
	for name, channels := range map[string]int{"NACA_Cylinder": 5, "Pipe": 3} {
		for axis, letter := range []string{"_X", "_Y"} {
			write(name+letter, array(func(at []int) float64 { return place(at[0], at[1], at[2], axis) }, 1205, side, side))
		}
		write(name+"_Q", array(func(at []int) float64 { return value(at[0], at[2], at[3]) + float64(at[1]) }, 1205, channels, side,
			side))
	}
}

// deepONetFiles writes files in the forms of public sets for DeepONets, with fewer functions and points.
func deepONetFiles(t *testing.T) {
	t.Helper()
	const width, nodes = 12, 60
	value := func(row, k int) float64 { return 2 + math.Sin(float64(row*(k+1))) }
	table := func(rows, columns int, of func(row, column int) float64) npy.Array {
		a := npy.Array{Shape: npy.Shape{rows, columns}}
		for row := range rows {
			for column := range columns {
				a.Data = append(a.Data, of(row, column))
			}
		}
		return a
	}
	arraytest.NPZ(t, "Darcy_Triangular.mat", map[string]npy.Array{
		"x_bc":    table(1, width, func(_, k int) float64 { return float64(k) / (width - 1) }),
		"f_bc":    table(2000, width, value),
		"xx":      table(nodes, 1, func(k, _ int) float64 { return math.Mod(float64(k)*0.618, 1) }),
		"yy":      table(nodes, 1, func(k, _ int) float64 { return math.Mod(float64(k)*0.755, 1) }),
		"u_field": table(2000, nodes, value),
	})
	for part, rows := range map[string]int{"train": 400, "test": 300} {
		arraytest.NPZ(t, "antiderivative_unaligned_"+part+".npz", map[string]npy.Array{
			"X_" + part + "0": table(rows, width, value),
			"X_" + part + "1": table(rows, 1, func(row, _ int) float64 { return math.Mod(float64(row)*0.618, 1) }),
			"y_" + part:       table(rows, 1, value),
		})
	}
}

// Presets of sets for DeepONets have the published splits; rows of unaligned functions have their place as an input.
func TestPresetsOfDeepONetSets(t *testing.T) {
	t.Chdir(t.TempDir())
	deepONetFiles(t)
	for name, counts := range map[string][2]int{"notch": {1900, 100}, "unaligned": {400, 300}} {
		c := preset(t, "benchmark-deeponet-"+name, "train.method=mean", "evaluation.baselines=no")
		d := run(t, c, 2).Config.Data
		if d.Train != counts[0] || d.Test != counts[1] {
			t.Errorf("%s: %d and %d pairs, want %v", name, d.Train, d.Test, counts)
		}
	}
}

// Presets of public sets read their files with the published split and tell published errors. Without the files the error
// names them, their place and the page that leads to them.
func TestPresetsOfPublicSetsReadTheirFiles(t *testing.T) {
	detector.Skip(t, detector.Stored)
	names := []string{"elasticity", "airfoil", "pipe"}
	missing := t.TempDir()
	t.Chdir(missing)
	others := []string{"plasticity", "darcy", "navier-stokes", "deeponet-notch", "deeponet-unaligned"}
	for _, name := range append(names, others...) {
		c := preset(t, "benchmark-"+name)
		_, err := New(t.Context(), c, Options{})
		if err == nil {
			t.Fatalf("%s: there is no file and no error", name)
		}
		files := strings.Split(c.Data.TrainFile, ",")
		for _, part := range append(files, "leads, into "+missing, "/") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error does not have %q: %v", name, part, err)
			}
		}
	}
	t.Chdir(t.TempDir())
	publicFiles(t)
	for _, name := range names {
		c := preset(t, "benchmark-"+name, "train.method=mean", "evaluation.baselines=no")
		e := run(t, c, 2)
		if e.Config.Data.Train != 1000 || e.Config.Data.Test != 200 {
			t.Errorf("%s: %d and %d pairs, want 1000 and 200", name, e.Config.Data.Train, e.Config.Data.Test)
		}
		about, ok := e.Config.PublicSet()
		notes := strings.Join(e.Evaluation().Notes(), "\n")
		if !ok || len(about.Published) != 4 || !strings.Contains(notes, about.Published[0]) {
			t.Errorf("%s: published errors %v are not among the notes: %s", name, about.Published, notes)
		}
	}
	if _, ok := preset(t, config.Functions).PublicSet(); ok {
		t.Error("functions of an unnamed file are taken for a public set")
	}
}
