// Tests of the format: files of format 1 are read for ever.

package trained

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/darcy"
	"rfm/solver/dataset/npy"
	"rfm/solver/files"
	"rfm/solver/grid"
)

var writeGolden = flag.Bool("write-golden", false, "write the golden files that are missing: for a new format or kind")

// eighths are made up numbers that every platform computes alike.
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

// periodicFields are made up periodic fields.
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

// goldenModels are one small model of each kind, with everything that can be in a file of format 1.
func goldenModels() map[string]Model {
	sigma := func(name string) activation.Func { f, _ := activation.ByName(name); return f }
	model := func(random feature.Trained, m int) Model {
		return Model{Map: random, Solution: rfm.Solution{Alpha: eighths(m, 5), Lambda: 0.125, Rank: m - 1, Eigenvalues: eighths(m-1, 6)},
			Problem: "burgers", Grid: 9, Config: "problem = \"burgers\" # <K> & \"r\"\n", Version: "0.9"}
	}
	shifted := model(feature.Spectral{Filter: feature.Filter{Delta: 0.125, Beta: 3}, Activation: sigma("gelu"), Gain: 4, M: 3, Theta: grid.BatchOf(grid.Square, 5, eighths(75, 3))}, 3)
	shifted.Offset = eighths(49, 8)
	return map[string]Model{
		"offset": shifted,
		"fourier": model(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4}, Activation: sigma("elu"), Gain: 16, Bias: eighths(10, 1), M: 9,
			Theta: periodicEighths(10, 17, 2)}, 9),
		"fourier-plain": model(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4}, Activation: sigma("tanh"), Gain: 16, Centred: true, M: 3,
			Theta: periodicEighths(3, 13, 2)}, 3),
		"cosine": model(feature.Spectral{Filter: feature.Filter{Delta: 0.125, Beta: 3}, Activation: sigma("gelu"), Gain: 4, Bias: eighths(3, 1), Centred: true, M: 3,
			Theta: grid.BatchOf(grid.Square, 5, eighths(75, 3))}, 3),
		"fourier2": model(feature.Spectral{Filter: feature.Filter{Delta: 0.0625, Beta: 4}, Activation: sigma("elu"), Gain: 16, Bias: eighths(8, 1), Centred: true, M: 3,
			Theta: periodicFields(8, 9, 2)}, 3),
		"flow": model(feature.Collapsed{Mollifier: feature.PaperMollifier(), Source: darcy.Constant(1), Sweeps: 2, Mean: 0.5, Sigma1: eighths(81, 3), Sigma2: eighths(81, 4)}, 5),
	}
}

// goldenInputs are inputs for a golden model, on a grid that is its own or not.
func goldenInputs(m Model, own bool) grid.Batch {
	points := m.FinestGrid()
	if !own {
		points += 2
	}
	return goldenInputsOn(m, points)
}

// goldenInputsOn are inputs on any grid.
func goldenInputsOn(m Model, points int) grid.Batch {
	if m.Domain().Dims == 1 {
		return periodicEighths(2, points, 4)
	}
	if m.Domain().Periodic {
		return periodicFields(2, points, 4)
	}
	a := grid.BatchOf(grid.Square, points, eighths(2*points*points, 7))
	for i := range a.Data {
		a.Data[i] += 4 // positive
	}
	return a
}

// goldenTolerance is for kernels that differ between platforms in the last digits.
const goldenTolerance = 1e-12

func TestGoldenFilesAreReadForEver(t *testing.T) {
	for name, m := range goldenModels() {
		file := filepath.Join("testdata", "format1-"+name+".npz")
		if *writeGolden {
			writeGoldenFiles(t, file, m)
		}
		read, err := ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if read.String() != m.String() || read.Config != m.Config || read.Version != m.Version ||
			!slices.Equal(read.Solution.Alpha, m.Solution.Alpha) || !slices.Equal(read.Solution.Eigenvalues, m.Solution.Eigenvalues) {
			t.Errorf("%s: got %v, want %v", name, read, m)
		}
		for _, own := range []bool{true, false} {
			inputs := goldenInputs(m, own)
			if got, want := predict(t, read, inputs), predict(t, m, inputs); !slices.Equal(got.Data, want.Data) {
				t.Errorf("%s: the file predicts something else than the model that it was made of", name)
			}
			want, err := npy.ReadFile(goldenPredictions(file, own))
			if err != nil {
				t.Fatal(err)
			}
			expectClose(t, name, predict(t, read, inputs).Data, want.Data, goldenTolerance)
		}
	}
}

func TestFormatHasNotChanged(t *testing.T) {
	for name, m := range goldenModels() {
		want, err := os.ReadFile(filepath.Join("testdata", "format1-"+name+".npz"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(written(t, m), want) {
			t.Errorf("%s: Write writes other bytes than it did for format 1: that needs a new format", name)
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

// writeGoldenFiles never overwrites: a golden file is what a released program wrote.
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

// expectClose compares with the largest value.
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
