// Tests of the files that Read refuses.

package trained

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/model/learn/feature"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

func goldenFile(t testing.TB, name string) []byte { return must(os.ReadFile(goldenPath(name))) }

func readBytes(file []byte) (Model, error) { return Read(bytes.NewReader(file), int64(len(file))) }

func expectRefused(t *testing.T, what string, file []byte, reason string) {
	t.Helper()
	_, err := readBytes(file)
	var data *fault.Data
	if !errors.As(err, &data) || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: got the error %v, want one with %q", what, err, reason)
	}
}

// A file with a changed byte is refused, or reads as the original model: a byte outside all checksums has no effect.
func TestEveryFlippedByteIsFoundOrHarmless(t *testing.T) {
	for name, m := range goldenModels() {
		file, want, found := goldenFile(t, name), written(t, m), 0
		step := 12 // the others have the same headers and members as this kind
		if name == "fourier" {
			step = 1
		}
		for i := len(name) % step; i < len(file); i += step {
			flip := byte(1) << (i % 8)
			file[i] ^= flip
			if m, err := readBytes(file); err != nil {
				found++
			} else if !bytes.Equal(written(t, m), want) {
				t.Errorf("%s: byte %d of %d changed by %#x, and read as another model", name, i, len(file), flip)
			}
			file[i] ^= flip
		}
		if 10*found*step < 8*len(file) {
			t.Errorf("%s: %d of %d changed bytes were found", name, found, len(file)/step)
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	for name := range goldenModels() {
		file := goldenFile(t, name)
		for size := range file {
			expectRefused(t, name, file[:size], "")
		}
	}
}

func TestDamageIsNamedWithItsFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "model.npz")
	file := goldenFile(t, "fourier")
	file[len(file)/2] ^= 4
	if err := os.WriteFile(name, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{name, name + ".no", filepath.Dir(name)} {
		_, err := ReadFile(t.Context(), path)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.HasPrefix(data.Where, path) {
			t.Errorf("%s: got %v, want *fault.Data that names the file", path, err)
		}
	}
}

// edited returns the golden file of a kind with another meta.json and other arrays.
func edited(t *testing.T, kind string, edit func(about, random map[string]any, arrays map[string]npy.Named)) []byte {
	t.Helper()
	m := goldenModels()[kind]
	text, list, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	var about map[string]any
	if err := json.Unmarshal(text, &about); err != nil {
		t.Fatal(err)
	}
	random := about["operator"].(map[string]any)
	if of, ok := random["map"]; ok {
		random = of.(map[string]any)
	}
	arrays := map[string]npy.Named{}
	for _, a := range list {
		a.Array.Data = slices.Clone(a.Array.Data)
		arrays[a.Name] = a
	}
	edit(about, random, arrays)
	if text, err = json.Marshal(about); err != nil {
		t.Fatal(err)
	}
	var kept []npy.Named
	for _, name := range sortedKeys(arrays) {
		kept = append(kept, arrays[name])
	}
	var b bytes.Buffer
	if err := writeMembers(&b, text, kept); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestInconsistentFilesAreRefused(t *testing.T) {
	type tables = func(about, random map[string]any, arrays map[string]npy.Named)
	shaped := func(name string, shape ...int) tables {
		return func(_, _ map[string]any, arrays map[string]npy.Named) {
			count := 1
			for _, n := range shape {
				count *= n
			}
			arrays[name] = npy.Named{Name: name, Array: npy.Array{Shape: shape, Data: make([]float64, count)}}
		}
	}
	about := func(key string, value any) tables {
		return func(about, _ map[string]any, _ map[string]npy.Named) { about[key] = value }
	}
	operator := func(key string, value any) tables {
		return func(about, _ map[string]any, _ map[string]npy.Named) { about["operator"].(map[string]any)[key] = value }
	}
	random := func(key string, value any) tables {
		return func(_, random map[string]any, _ map[string]npy.Named) { random[key] = value }
	}
	without := func(name string) tables {
		return func(_, _ map[string]any, arrays map[string]npy.Named) { delete(arrays, name) }
	}
	value := func(name string, v float64) tables {
		return func(_, _ map[string]any, arrays map[string]npy.Named) { arrays[name].Array.Data[1] = v }
	}
	for _, c := range []struct {
		kind, what string
		edit       tables
		reason     string
	}{
		{"fourier", "newer format", func(about, _ map[string]any, _ map[string]npy.Named) {
			about["format"], about["version"], about["novelty"] = formatVersion+1, "7.5", true
		}, "7.5"},
		{"fourier", "format 0", about("format", 0), "format 0"},
		{"kernel", "unknown name of the method", random("colour", "red"), "colour"},
		{"kernel", "no grid", random("points", 0), "does not exist"},
		{"kernel", "periodic cells", random("periodic", true), "does not exist"},
		{"kernel", "half an aspect", random("aspect", []int{2}), "does not exist"},
		{"kernel", "an aspect of the other sign", random("aspect", []int{-1, 2}), "does not exist"},
		{"kernel", "another grid", random("points", 4), `"mean"`},
		{"kernel", "fewer points than coefficients", shaped("coordinates", 2, 2), "2 points"},
		{"kernel", "more coordinates than components", shaped("coordinates", 3, 3), `"coordinates"`},
		{"kernel", "no components", shaped("components", 18, 0), `"components"`},
		{"kernel", "a missing constant", without("constant"), `"constant"`},
		{"kernel", "NaN in the coefficients", value("coefficients", math.NaN()), `"coefficients"`},
		{"kernel", "negative leave-one-out error", random("leave_one_out", -1), "leave-one-out"},
		{"affine", "more coefficients than components", shaped("coefficients", 3, 9), "3 coefficients"},
		{"multiplier", "fewer factors than wavenumbers", shaped("multiplier", 4, 2), "shape (4, 2)"},
		{"multiplier", "fields", random("dims", 2), "periodic functions"},
		{"equivariant", "a closed interval", random("periodic", false), "not periodic"},
		{"kernel", "the square's symmetry on an oblong", random("symmetry", 2), "symmetry"},
		{"corrected", "a part that is not there", without("first_coordinates"), `"first_coordinates"`},
		{"corrected", "an unknown part", random("first", map[string]any{"kind": "tree"}), `"tree"`},
		{"corrected", "an unknown basis", random("basis", "wavelets"), "corrections"},
		{"fourier-corrected", "a cosine without a sine", random("modes", []int{1, 6}), "corrections"},
		{"layer", "weights of another view", shaped("layer_weights", 30, 4), "layers of 30 coordinates"},
		{"layer", "fewer coefficients than features", shaped("layer_coefficients", 2), "features"},
		{"channels-layer", "features of one channel more", tables(func(_, _ map[string]any, arrays map[string]npy.Named) {
			shaped("layer_weights", 109, 3)(nil, nil, arrays)
			shaped("layer_coefficients", 3)(nil, nil, arrays)
		}), "3 features for 2 channels"},
		{"layer", "several channels", random("in", 2), "layers of 57 coordinates"},
		{"layer", "a first operator on another grid", random("points", 5), "corrects"},
		{"equivariant", "no cutoff", random("cutoff", 0), "kernel"},
		{"equivariant", "no length", random("length", 0), "kernel"},
		{"equivariant", "negative decay", random("decay", -1), "kernel"},
		{"equivariant", "two reflections", random("reflection", 2), "kernel"},
		{"equivariant", "fewer coefficients than inputs", shaped("coefficients", 8, 9), "shape (8, 9)"},
		{"equivariant", "NaN in the inputs", value("inputs", math.NaN()), `"inputs"`},
		{"fourier", "an operator for a map", operator("map", map[string]any{"kind": "scaled"}), "input_shift"},
		{"fourier", "no operator", about("operator", map[string]any{"kind": "spectral"}), `no "dims"`},
		{"fourier", "parts in parts without end", about("operator", nested(100)), "malformed"},
		{"corrected", "no kernel", random("first", map[string]any{"kind": "multiplier"}), `no "dims"`},
		{"fourier", "unknown kind", random("kind", "wavelet"), `"wavelet"`},
		{"fourier", "unknown name", about("colour", "red"), "colour"},
		{"fourier", "unknown name of the map", random("colour", "red"), "colour"},
		{"fourier", "no map", operator("map", nil), "unknown kind"},
		{"fourier", "long configuration", about("config", strings.Repeat("#", maxMeta)), "at most"},
		{"fourier", "unknown activation", random("activation", "step"), `"step"`},
		{"fourier", "negative delta", random("delta", -1), "delta"},
		{"fourier", "rank too large", operator("rank", 10), "rank 10"},
		{"fourier", "negative lambda", operator("lambda", -1), "lambda"},
		{"fourier", "training grid of 2 points", about("grid", 2), "2 points"},
		{"fourier", "no coefficients", shaped("alpha", 0), "shape (0,)"},
		{"fourier", "a missing array", without("alpha"), `"alpha"`},
		{"fourier", "a missing theta", without("theta"), `"theta"`},
		{"fourier", "an unknown array", shaped("beta", 3), `"beta"`},
		{"fourier", "alpha with two dimensions", shaped("alpha", 3, 3), "shape (3, 3)"},
		{"fourier", "fewer functions than coefficients", shaped("theta", 8, 17), "functions = (8,)"},
		{"fourier", "theta on 2 points", shaped("theta", 10, 2), "shape (10, 2)"},
		{"fourier", "fewer biases than functions", shaped("bias", 9), "shape (9,)"},
		{"fourier", "more eigenvalues than coefficients", shaped("eigenvalues", 10), "10 eigenvalues"},
		{"fourier", "NaN in theta", value("theta", math.NaN()), `"theta"`},
		{"fourier", "infinity in alpha", value("alpha", math.Inf(1)), `"alpha"`},
		{"fourier", "infinity in the bias", value("bias", math.Inf(-1)), `"bias"`},
		{"fourier", "NaN in the eigenvalues", value("eigenvalues", math.NaN()), `"eigenvalues"`},
		{"cosine", "theta on a rectangle", shaped("theta", 3, 4, 5), "shape (3, 4, 5)"},
		{"cosine", "theta on 2 x 2 points", shaped("theta", 3, 2, 2), "shape (3, 2, 2)"},
		{"flow", "a field on a rectangle", shaped("sigma1", 4, 5), "shape (4, 5)"},
		{"flow", "fields on different grids", shaped("sigma2", 8, 8), "shape (8, 8)"},
		{"flow", "negative steps", random("steps", -1), "mollifier"},
		{"flow", "negative sweeps", random("sweeps", -1), "sweeps"},
		{"flow", "sweeps without end", random("sweeps", 1000000000), "sweeps"},
		{"flow", "NaN in a field", value("sigma1", math.NaN()), `"sigma1"`},
	} {
		expectRefused(t, c.kind+", "+c.what, edited(t, c.kind, c.edit), c.reason)
	}
}

// nested returns an operator in units of units.
func nested(depth int) any {
	if depth == 0 {
		return nil
	}
	return map[string]any{"kind": "scaled", "input_shift": []int{0}, "input_unit": []int{1}, "output_unit": []int{1},
		"of": nested(depth - 1)}
}

const slack = 1 << 20

func TestReadingAllocatesAtMostTwiceTheFile(t *testing.T) {
	m := goldenModels()["cosine"]
	model := features(t, m)
	f := *model.Map.(*feature.Spectral)
	f.Bias, f.Theta = nil, functionsOn(grid.Square, 257, 7, 2)
	model.Map = mapped(f)
	m.Operator = &model
	file := written(t, m)
	if got, most := filetest.Allocated(func() { _, _ = readBytes(file) }), uint64(2*len(file)+slack); got > most {
		t.Errorf("reading %d bytes allocates %d, want at most %d", len(file), got, most)
	}
}

func TestNumbersThatTheFileHasNoSpaceForAreRefused(t *testing.T) {
	const count = 1 << 20
	text := must(json.Marshal(meta{Format: formatVersion, Operator: json.RawMessage(`{"kind": "equivariant", "dims": 1,
		"periodic": true, "points": 3, "leave_one_out": 0, "cutoff": 1, "decay": 1, "length": 1, "ridge": 0, "reflection": 0,
		"offset": false}`)}))
	var alpha, b bytes.Buffer
	if err := npy.Write(&alpha, npy.Array{Shape: []int{count, 3}, Data: make([]float64, 3*count)}); err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(&b)
	for _, m := range []struct {
		name    string
		method  uint16
		content []byte
	}{{metaName, zip.Store, text}, {"inputs.npy", zip.Deflate, alpha.Bytes()}} {
		w := must(archive.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method}))
		if _, err := w.Write(m.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	file := b.Bytes()
	got := filetest.Allocated(func() { expectRefused(t, "deflated zeros", file, "space") })
	if most := uint64(2*len(file) + slack); got > most {
		t.Errorf("reading %d bytes allocates %d, want at most %d", len(file), got, most)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
