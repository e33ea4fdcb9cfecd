// Tests of the file format, with golden files.

package trained

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/model/learn/feature"
	"rfm/model/learn/method"
	"rfm/model/learn/random"
	"rfm/model/learn/rfm"
	"rfm/model/trained/codec"
	"rfm/solver/base/files"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/num/activation"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grid"
)

var writeGolden = flag.Bool("write-golden", false, "write the golden files that are missing: for a new format or kind")

// eighths returns made up numbers that every platform computes alike.
func eighths(count, seed int) []float64 {
	x := make([]float64, count)
	for i := range x {
		x[i] = float64((i*i+7*i*seed+3*seed)%37-18) / 8
	}
	return x
}

func periodicEighths(count, K, seed int) grid.Batch {
	b := grid.BatchOf(grid.Torus, K, eighths(count*K, seed))
	for i := range count {
		b.At(i)[K-1] = b.At(i)[0]
	}
	return b
}

// periodicFields returns made up periodic fields.
func periodicFields(count, r, seed int) grid.Batch {
	b := grid.BatchOf(grid.Torus2, r, eighths(count*r*r, seed))
	for i := range count {
		f := b.At(i)
		for x := range r {
			f[x*r+r-1] = f[x*r]
		}
		copy(f[(r-1)*r:], f[:r])
	}
	return b
}

// goldenModels returns one small model of each kind, with all possible content of a file.
func goldenModels() map[string]Model {
	sigma := func(name string) activation.Func { f, _ := activation.ByName(name); return f }
	model := func(features feature.Trained, m int) Model {
		return Model{Operator: &random.Features{Map: features, Solution: rfm.Solution{Alpha: eighths(m, 5), Lambda: 0.125,
			Rank: m - 1, Eigenvalues: eighths(m-1, 6)}},
			Problem: "burgers", Grid: 9, Config: "problem = \"burgers\" # <K> & \"r\"\n", Version: "0.9"}
	}
	spectral := func(f feature.Spectral) Model { return model(mapped(f), f.M) }
	shifted := spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.125, Beta: 3}, Activation: sigma("sin"), Gain: 4,
		M: 3, Theta: grid.BatchOf(grid.Square, 5, eighths(75, 3))})
	f, _ := shifted.Features()
	f.Offset, f.OffsetPoints = eighths(49, 8), 7
	learned := func(text string, arrays ...npy.Named) Model {
		o, err := method.Decode([]byte(text), golden(arrays))
		if err != nil {
			panic(err)
		}
		m := shifted
		m.Operator, m.Grid = o, o.Finest()
		return m
	}
	functions := func(name string, b grid.Batch) npy.Named {
		return npy.Named{Name: name, Array: npy.Array{Shape: b.Shape(), Data: b.Data}}
	}
	matrix := func(name string, seed int, shape ...int) npy.Named {
		count := 1
		for _, n := range shape {
			count *= n
		}
		return npy.Named{Name: name, Array: npy.Array{Shape: shape, Data: eighths(count, seed)}}
	}
	coarse := spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4},
		Activation: sigma("elu"), Gain: 16, M: 3, Theta: periodicEighths(3, 13, 2)})
	coarse.Coarse = 9
	cosine := spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.125, Beta: 3}, Activation: sigma("sin"), Gain: 4,
		Bias: eighths(3, 1), Centred: true, M: 3,
		Theta: grid.BatchOf(grid.Square, 5, eighths(75, 3))})
	return map[string]Model{
		"coarse": coarse,
		"corrected": learned(`{"kind": "corrected", "leave_one_out": 0.25, "first": {"kind": "kernel", "leave_one_out": 0.5,
			"dims": 2, "periodic": false, "cells": true, "aspect": [1, 2], "points": 3, "modes": 2, "weight": 0.5, "length": 1,
			"ridge": 0.125}, "dims": 2, "periodic": false, "cells": true, "aspect": [1, 2], "points": 3, "basis": "sines",
			"shift": 0.125, "input": 2, "output": 0.5, "steps": 2, "count": 3, "modes": [3, 4]}`,
			matrix("first_mean", 1, 18), matrix("first_components", 2, 18, 2), matrix("first_constant", 3, 18),
			matrix("first_coefficients", 4, 3, 18), matrix("first_coordinates", 5, 3, 2), matrix("mean_output", 6, 18),
			matrix("correction_features", 7, 6, 5), matrix("corrections", 8, 6, 12)),
		"channels-corrected": learned(`{"kind": "corrected", "leave_one_out": 0.25, "first": {"kind": "kernel",
			"leave_one_out": 0.5, "dims": 2, "periodic": false, "in": 2, "out": 2, "points": 4, "modes": 2, "weight": 0.5,
			"length": 1, "ridge": 0.125}, "dims": 2, "periodic": false, "in": 2, "out": 2, "points": 4, "basis": "cosines",
			"shift": 0.125, "input": 2, "output": 0.5, "steps": 1, "count": 26, "modes": [2, 2]}`,
			matrix("first_mean", 1, 32), matrix("first_components", 2, 32, 2), matrix("first_constant", 3, 32),
			matrix("first_coefficients", 4, 3, 32), matrix("first_coordinates", 5, 3, 2), matrix("mean_output", 6, 32),
			npy.Named{Name: "correction_features", Array: npy.Array{Shape: []int{26, 5},
				Data: slices.Repeat([]float64{3, 2, 1, 0.5, 0.25}, 26)}},
			matrix("corrections", 8, 26, 8)),
		"line-corrected": learned(`{"kind": "corrected", "leave_one_out": 0.25, "first": {"kind": "kernel",
			"leave_one_out": 0.5, "dims": 1, "periodic": false, "points": 8, "modes": 2, "weight": 0.5, "length": 1,
			"ridge": 0.125}, "dims": 1, "periodic": false, "points": 8, "basis": "sines", "log": true,
			"shift": 0.125, "input": 2, "output": 0.5, "steps": 2, "count": 7, "modes": [1, 6]}`,
			matrix("first_mean", 1, 8), matrix("first_components", 2, 8, 2), matrix("first_constant", 3, 8),
			matrix("first_coefficients", 4, 3, 8), matrix("first_coordinates", 5, 3, 2), matrix("mean_output", 6, 8),
			matrix("correction_features", 10, 14, 5), matrix("corrections", 8, 14, 6)),
		"fourier-corrected": learned(`{"kind": "corrected", "leave_one_out": 0.25, "first": {"kind": "equivariant",
			"leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9, "cutoff": 1.5, "decay": 1, "length": 2,
			"ridge": 0.125, "reflection": -1, "offset": true}, "dims": 1, "periodic": true, "points": 9, "basis": "fourier",
			"shift": 0.125, "input": 2, "output": 0.5, "steps": 2, "count": 7, "modes": [1, 7]}`,
			functions("first_inputs", periodicEighths(3, 9, 1)),
			functions("first_coefficients", periodicEighths(3, 9, 2)),
			matrix("mean_output", 6, 9), matrix("correction_features", 10, 14, 5), matrix("corrections", 8, 28, 7)),
		"channels-layer": learned(`{"kind": "layer", "leave_one_out": 0.25, "dims": 1, "periodic": true, "in": 2, "out": 2,
			"points": 9, "first": {"kind": "layer", "leave_one_out": 0.5, "dims": 1, "periodic": true, "in": 2,
			"out": 2, "points": 9, "means": [0.5, -1]}}`, matrix("first_layer_weights", 1, 55, 6),
			matrix("first_layer_coefficients", 2, 6), matrix("layer_weights", 3, 109, 4), matrix("layer_coefficients", 4, 4)),
		"multiplier": learned(
			`{"kind": "multiplier", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9, "ridge": 0.125}`,
			matrix("multiplier", 1, 5, 2)),
		"folded": learned(`{"kind": "folded", "dims": 1, "periodic": false, "input_parity": -1, "output_parity": 1,
			"leave_one_out": 0.25, "of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9,
			"cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": 1, "offset": false}}`,
			functions("inputs", periodicEighths(3, 9, 1)), functions("coefficients", periodicEighths(3, 9, 2))),
		"folded2": learned(`{"kind": "folded", "dims": 2, "periodic": false, "input_parity": -1,
			"output_parity": -1, "leave_one_out": 0.25, "of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 2,
			"periodic": true, "points": 7, "cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125,
			"reflection": 0, "offset": false}}`,
			functions("inputs", periodicFields(2, 7, 1)), functions("coefficients", periodicFields(2, 7, 2))),
		"folded-cells": learned(`{"kind": "folded", "dims": 1, "periodic": false, "cells": true, "input_parity": 1,
			"output_parity": 1, "leave_one_out": 0.25, "of": {"kind": "sheared", "leave_one_out": 0.25, "levels": [-1, 0.5, 2],
			"shifts": [0.125, 0, -0.25], "of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true,
			"points": 9, "cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": 0, "offset": false}}}`,
			functions("inputs", periodicEighths(3, 9, 1)), functions("coefficients", periodicEighths(3, 9, 2))),
		"widened": learned(`{"kind": "widened", "dims": 1, "periodic": false, "far_parity": 1, "leave_one_out": 0.25,
			"of": {"kind": "folded", "dims": 1, "periodic": false, "input_parity": -1, "output_parity": -1, "leave_one_out": 0.25,
			"of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9,
			"cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": 1, "offset": false}}}`,
			functions("inputs", periodicEighths(3, 9, 1)), functions("coefficients", periodicEighths(3, 9, 2))),
		"widened-cells": learned(`{"kind": "widened", "dims": 1, "periodic": false, "cells": true, "far_parity": -1, "leave_one_out": 0.25,
			"of": {"kind": "folded", "dims": 1, "periodic": false, "cells": true, "input_parity": 1, "output_parity": 1,
			"leave_one_out": 0.25, "of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 17,
			"cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": 0, "offset": false}}}`,
			functions("inputs", periodicEighths(3, 17, 1)), functions("coefficients", periodicEighths(3, 17, 2))),
		"affine": learned(`{"kind": "affine", "leave_one_out": 0.25, "dims": 2, "periodic": false, "points": 3, "ridge": 0.125}`,
			matrix("mean", 1, 9), matrix("components", 2, 9, 2), matrix("constant", 3, 9), matrix("coefficients", 4, 2, 9)),
		"kernel": learned(`{"kind": "kernel", "leave_one_out": 0.25, "dims": 2, "periodic": false, "cells": true, "aspect": [1, 2], "points": 3, "modes": 2, "weight": 0.5, "length": 1, "ridge": 0.125}`,
			matrix("mean", 1, 18), matrix("components", 2, 18, 2), matrix("constant", 3, 18), matrix("coefficients", 4, 3, 18),
			matrix("coordinates", 5, 3, 2)),
		"gaussian": learned(`{"kind": "kernel", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4,
			"profile": "gaussian", "modes": 2, "weight": 0.5, "length": 1, "ridge": 0.125}`,
			matrix("mean", 1, 4), matrix("components", 2, 4, 2), matrix("constant", 3, 4), matrix("coefficients", 4, 3, 4),
			matrix("coordinates", 5, 3, 2)),
		"layer": learned(`{"kind": "layer", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9,
			"placed": true,
			"first": {"kind": "layer", "leave_one_out": 0.5, "dims": 1, "periodic": true, "points": 9, "means": [0.5]}}`,
			matrix("first_layer_weights", 1, 28, 3), matrix("first_layer_coefficients", 2, 3), matrix("layer_weights", 3, 57, 4),
			matrix("layer_coefficients", 4, 4)),
		"stacked": learned(`{"kind": "stacked", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4, "rounds": 3,
			"first": {"kind": "layer", "leave_one_out": 0.5, "dims": 1, "periodic": false, "points": 4, "means": [0.5]},
			"second": {"kind": "kernel", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4,
			"profile": "gaussian", "modes": 2, "weight": 0.5, "length": 1, "ridge": 0.125}}`,
			matrix("first_layer_weights", 1, 28, 3), matrix("first_layer_coefficients", 2, 3), matrix("second_mean", 1, 4),
			matrix("second_components", 2, 4, 2), matrix("second_constant", 3, 4), matrix("second_coefficients", 4, 3, 4),
			matrix("second_coordinates", 5, 3, 2)),
		"pointwise": learned(`{"kind": "pointwise", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4,
			"law": {"value": 0.5, "place": 0.25}, "integral": {"value": 2, "place": 1}, "ratio": 10, "ridge": 0.125}`,
			matrix("layer_weights", 1, 3, 5), matrix("layer_coefficients", 2, 5), matrix("integral_weights", 3, 3, 4),
			matrix("integral_coefficients", 4, 4, 4), matrix("constant", 5, 4)),
		"channels-pointwise": learned(`{"kind": "pointwise", "leave_one_out": 0.25, "dims": 1, "periodic": true, "in": 2, "out": 2,
			"points": 9, "law": {"value": 0.5, "place": 0.25}, "integral": {"value": 2, "place": 1}, "ratio": 10, "ridge": 0.125}`,
			matrix("layer_weights", 1, 5, 6), matrix("layer_coefficients", 2, 6), matrix("integral_weights", 3, 5, 4),
			matrix("integral_coefficients", 4, 4, 18), matrix("constant", 5, 18)),
		"staged": learned(`{"kind": "staged", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4, "sees_low": true,
			"low": {"kind": "affine", "leave_one_out": 0.5, "dims": 1, "periodic": false, "points": 4, "ridge": 0.125},
			"rest": {"kind": "kernel", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4, "in": 2, "out": 1,
			"profile": "gaussian", "modes": 2, "weight": 0.5, "length": 1, "ridge": 0.125}}`,
			matrix("low_mean", 6, 4), matrix("low_components", 7, 4, 2), matrix("low_constant", 8, 4),
			matrix("low_coefficients", 9, 2, 4), matrix("rest_mean", 1, 8), matrix("rest_components", 2, 8, 2),
			matrix("rest_constant", 3, 4), matrix("rest_coefficients", 4, 3, 4), matrix("rest_coordinates", 5, 3, 2)),
		"layer2": learned(`{"kind": "layer", "leave_one_out": 0.25, "dims": 2, "periodic": false, "cells": true, "aspect": [1, 2],
			"points": 3, "means": [-0.5], "placed": true}`, matrix("layer_weights", 1, 36, 3), matrix("layer_coefficients", 2, 3)),
		"layer-whole": learned(`{"kind": "layer", "leave_one_out": 0.25, "dims": 1, "periodic": false, "points": 4,
			"whole": true, "placed": true, "first": {"kind": "layer", "leave_one_out": 0.5, "dims": 1, "periodic": false,
			"points": 4, "means": [0.5], "whole": true}}`,
			matrix("first_layer_weights", 1, 29, 3), matrix("first_layer_coefficients", 2, 3), matrix("layer_weights", 3, 58, 4),
			matrix("layer_coefficients", 4, 4)),
		"layer2-whole": learned(`{"kind": "layer", "leave_one_out": 0.25, "dims": 2, "periodic": true, "points": 5,
			"means": [-0.5], "whole": true}`, matrix("layer_weights", 1, 35, 3), matrix("layer_coefficients", 2, 3)),
		"equivariant": learned(`{"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9, "cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": -1, "offset": true}`,
			functions("inputs", periodicEighths(9, 9, 1)), functions("coefficients", periodicEighths(9, 9, 2))),
		"equivariant2": learned(`{"kind": "equivariant", "leave_one_out": 0.25, "dims": 2, "periodic": true, "points": 6, "cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": 0, "offset": false}`,
			functions("inputs", periodicFields(3, 6, 1)), functions("coefficients", periodicFields(3, 6, 2))),
		"logits": learned(`{"kind": "sheared", "leave_one_out": 0.125, "least": -1, "most": 2, "margin": 0.125, "of":
			{"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9,
			"cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": -1, "offset": true}}`,
			functions("inputs", periodicEighths(3, 9, 1)), functions("coefficients", periodicEighths(3, 9, 2))),
		"sheared": learned(`{"kind": "sheared", "leave_one_out": 0.125, "levels": [-1, 0.5, 2], "shifts": [0.125, 0, -0.25], "of": {"kind": "equivariant", "leave_one_out": 0.25, "dims": 1, "periodic": true, "points": 9,
			"cutoff": 1.5, "decay": 1, "length": 2, "ridge": 0.125, "reflection": -1, "offset": true}}`,
			functions("inputs", periodicEighths(3, 9, 1)), functions("coefficients", periodicEighths(3, 9, 2))),
		"offset": shifted,
		"fourier": spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4},
			Activation: sigma("elu"), Gain: 16, Bias: eighths(10, 1), M: 9,
			Theta: periodicEighths(10, 17, 2)}),
		"fourier-plain": spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4},
			Activation: sigma("tanh"), Gain: 16, Centred: true, M: 3,
			Theta: periodicEighths(3, 13, 2)}),
		"cosine": cosine,
		"fourier2": spectral(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4},
			Activation: sigma("elu"), Gain: 16, Bias: eighths(8, 1), Centred: true, M: 3,
			Theta: periodicFields(8, 9, 2)}),
		"flow": model(&feature.Collapsed{Grid: codec.GridOf(grid.Square, 9, 1, 1),
			Mollifier: feature.Mollifier{Eta: 1e-4, Step: 0.03, Steps: 33}, Source: darcy.Constant(1), Constant: 1, Sweeps: 2,
			Mean: 0.5, Sigma1: eighths(81, 3), Sigma2: eighths(81, 4)}, 5),
	}
}

// golden are the arrays of a model file.
type golden []npy.Named

func (g golden) Has(name string) bool {
	return slices.ContainsFunc(g, func(a npy.Named) bool { return a.Name == name })
}

func (g golden) Array(name string) (npy.Array, error) {
	i := slices.IndexFunc(g, func(a npy.Named) bool { return a.Name == name })
	return g[i].Array, nil
}

// goldenPath returns the file of a golden model.
func goldenPath(name string) string {
	return filepath.Join("testdata", fmt.Sprintf("format%d-%s.npz", formatVersion, name))
}

// goldenInputs returns inputs for a golden model, on its own grid or another.
func goldenInputs(m Model, own bool) grid.Batch {
	points := m.Operator.Finest()
	if !own {
		points += 2
	}
	return goldenInputsOn(m, points)
}

// goldenInputsOn returns inputs on any grid.
func goldenInputsOn(m Model, points int) grid.Batch {
	if m.Domain().Dims == 1 && m.Domain().Periodic {
		channels := m.Inputs().Width()
		return periodicEighths(2*channels, points, 4).Join(channels)
	}
	if m.Domain().Periodic {
		return periodicFields(2, points, 4)
	}
	a := grid.NewBatch(m.Inputs(), points, 2)
	a.Data = eighths(len(a.Data), 7)
	for i := range a.Data {
		a.Data[i] += 4 // positive
	}
	return a
}

// goldenTolerance is for kernels that differ between platforms in the last digits.
const goldenTolerance = 1e-12

func TestGoldenFilesAreRead(t *testing.T) {
	for name, m := range goldenModels() {
		file := goldenPath(name)
		if *writeGolden {
			writeGoldenFiles(t, file, m)
		}
		read, err := ReadFile(t.Context(), file)
		if err != nil {
			t.Error(err)
			continue
		}
		if read.String() != m.String() || read.Config != m.Config || read.Version != m.Version ||
			!slices.Equal(read.Solution().Alpha, m.Solution().Alpha) ||
			!slices.Equal(read.Solution().Eigenvalues, m.Solution().Eigenvalues) {
			t.Errorf("%s: got %v, want %v", name, read, m)
		}
		for _, own := range []bool{true, false} {
			inputs := goldenInputs(m, own)
			if got, want := predict(t, read, inputs), predict(t, m, inputs); !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: the file predicts something else than the model that it was made of", name)
			}
			want := arraytest.Read(t, goldenPredictions(file, own))
			expectClose(t, name, predict(t, read, inputs).Data, want.Data, goldenTolerance)
		}
	}
}

func TestFormatHasNotChanged(t *testing.T) {
	for name, m := range goldenModels() {
		want := must(os.ReadFile(goldenPath(name)))
		if !bytes.Equal(written(t, m), want) {
			t.Errorf("%s: Write writes other bytes than it did: that needs another number of the format", name)
		}
	}
}

func goldenPredictions(file string, own bool) string {
	name := file[:len(file)-len(".npz")] + "-own.npy"
	if !own {
		name = file[:len(file)-len(".npz")] + "-other.npy"
	}
	return name
}

// writeGoldenFiles never overwrites: a golden file comes from a released program.
func writeGoldenFiles(t *testing.T, file string, m Model) {
	t.Helper()
	golden := map[string][]byte{file: written(t, m)}
	for _, own := range []bool{true, false} {
		u := predict(t, m, goldenInputs(m, own))
		var b bytes.Buffer
		if err := npy.Write(&b, npy.Array{Shape: []int{u.Count, u.Values()}, Data: u.Data}); err != nil {
			t.Fatal(err)
		}
		golden[goldenPredictions(file, own)] = b.Bytes()
	}
	for name, content := range golden {
		if _, err := os.Stat(name); err == nil {
			continue
		}
		if err := files.WriteFile(name, content); err != nil {
			t.Fatal(err)
		}
	}
}

// expectClose compares relative to the largest value.
func expectClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	scale, worst := 0.0, 0.0
	for i, v := range want {
		scale, worst = max(scale, v, -v), max(worst, got[i]-v, v-got[i])
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: values differ by %.2g of the largest, want at most %.2g", what, worst/scale, tolerance)
	}
}
