package interchange

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// The file remains open while its arrays are tried, so that the number of bytes read grows with the number of arrays
// and not with its square.
func TestArraysAreTriedInOneOpenFile(t *testing.T) {
	bytesRead := func(arrays int) int64 {
		var archive bytes.Buffer
		w := npz.NewWriter(&archive)
		for i := range arrays {
			noError(t, w.Array(fmt.Sprintf("d%d.", i), npy.Array{Shape: []int{1}, Data: []float64{1}}))
		}
		noError(t, w.Close())
		content := &counter{in: bytes.NewReader(archive.Bytes())}
		f, err := exchange.OpenContent(t.Context(), "many.npz", content, int64(archive.Len()))
		noError(t, err)
		if name, ok := inputArray(f); ok {
			t.Errorf("%q is an input", name)
		}
		return content.bytes
	}
	if few, many := bytesRead(20), bytesRead(200); many > 15*few {
		t.Errorf("%d bytes are read of 20 arrays, %d of 200", few, many)
	}
}

// A grid among the arrays is not suggested as the input.
func TestFunctionsAreSuggestedBesideTheirGrid(t *testing.T) {
	name := filepath.Join(t.TempDir(), "columns.csv")
	var table strings.Builder
	table.WriteString("x,s0,s1,s2\n")
	for i := range 17 {
		fmt.Fprintf(&table, "%d,%g,%g,%g\n", i, math.Sin(float64(i)), math.Cos(float64(i)), math.Sin(2+float64(i)))
	}
	noError(t, os.WriteFile(name, []byte(table.String()), 0o600))
	f, err := exchange.Open(t.Context(), name)
	noError(t, err)
	defer f.Close()
	if flag, ok := inputArray(f); flag != " --array s" || !ok {
		t.Errorf("the flag%s is suggested (%t)", flag, ok)
	}
}

type counter struct {
	in    io.ReaderAt
	bytes int64
}

func (c *counter) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.in.ReadAt(p, at)
	c.bytes += int64(n)
	return n, err
}

// Exports describe the grids of functions: the centres of cells, or the points of a torus that repeat.
func TestExportsDescribeTheirGrids(t *testing.T) {
	for _, test := range []struct {
		keys        []string
		first, last float64
		axes        int
		says        string
	}{
		{[]string{"data.endpoint=centres", "data.grid=16"}, 1. / 32, 31. / 32, 1, "at cell centres on the unit square"},
		{[]string{"data.boundary=periodic", "data.grid=17"}, 0, 1, 1, "repeat the first"},
		{[]string{"data.endpoint=included", "data.grid=17", "data.columns=33"}, 0, 1, 2, "on a rectangle whose first side"},
	} {
		c := configure(t, config.Fields)
		c.Data.TrainFile = "a.npz"
		noError(t, config.Assign(&c, test.keys...))
		of := content{run: store.Run{Config: c}}
		inputs := setup.NewPairs(c, c.Data.Grid, 1).Inputs
		of.include(group{arrays: []array{inMemory("a", "", npy.Array{Shape: inputs.Shape(), Data: inputs.Data})}}, "")
		all := of.groups[0].arrays[1:]
		var x []float64
		noError(t, all[0].numbers(func(some []float64) bool {
			x = append(x, some...)
			return true
		}))
		if len(all) != test.axes || x[0] != test.first || x[len(x)-1] != test.last ||
			!strings.Contains(rowsOf(setup.Domain(c)), test.says) {
			t.Errorf("%v: got %v, %s, want %d axes from %v to %v, and %q",
				test.keys, all, rowsOf(setup.Domain(c)), test.axes, test.first, test.last, test.says)
		}
	}
}

// Tables in the form of exports, inputs and outputs side by side, are read as pairs; fields keep their shape.
func TestTablesOfExportsAreReadBack(t *testing.T) {
	const n, K = 24, 33
	pairs := npy.Array{Shape: []int{n, 2 * K}}
	for i := range n * 2 * K {
		x := 2 * math.Pi * float64(i%K) / (K - 1)
		pairs.Data = append(pairs.Data, math.Sin(x+float64(i/K))+math.Cos(2*x+float64(i/K)*float64(i/K)))
	}
	write := func(a array) string {
		t.Helper()
		var b bytes.Buffer
		name := filepath.Join(t.TempDir(), a.name+".csv")
		noError(t, errors.Join(a.csv(&b), os.WriteFile(name, b.Bytes(), 0o600)))
		return name
	}
	c, _, err := Configuration(t.Context(), write(inMemory("pairs", "", pairs)))
	if err != nil || c.Data.Input != "[:, :33]" || c.Data.Output != "[:, 33:]" || c.Data.Grid != K {
		t.Errorf("got %+v, %v, want the halves [:, :33] and [:, 33:] on K = %d", c.Data, err, K)
	}
	fields := npy.Array{Shape: []int{2, 3, 4}}
	for i := range 24 {
		fields.Data = append(fields.Data, 1/float64(i+1))
	}
	f, err := exchange.Open(t.Context(), write(inMemory("a_test", "", fields)))
	noError(t, err)
	defer f.Close()
	if a, err := f.Member("a_test").Array(); err != nil || !slices.Equal(a.Shape, fields.Shape) ||
		!slices.Equal(a.Data, fields.Data) {
		t.Errorf("got %v, %v, want %v", a, err, fields)
	}
}

// Files as people have them are learned from as meant, or refused with the place, the reason and a remedy.
func TestFilesAsPeopleHaveThem(t *testing.T) {
	const n, K = 24, 33
	wave := func(i, x int, shift float64) float64 {
		return float64(1+i*7%5)*math.Sin(2*math.Pi*float64(x)/(K-1)+2.4*float64(i)) + math.Cos(float64(i*i)+shift)
	}
	values := func(value func(index []int) float64, shape ...int) npy.Array {
		a, index := npy.Array{Shape: shape}, make([]int, len(shape))
		for range npy.Strides(shape)[0] * shape[0] {
			a.Data = append(a.Data, value(index))
			for d := len(shape) - 1; d >= 0; d-- {
				if index[d]++; index[d] < shape[d] {
					break
				}
				index[d] = 0
			}
		}
		return a
	}
	rows := func(shift float64) npy.Array {
		return values(func(p []int) float64 { return wave(p[0], p[1], shift) }, n, K)
	}
	a, u := rows(0), rows(1)
	less := npy.Array{Shape: []int{n - 4, K}, Data: u.Data[:(n-4)*K]}
	number, some := npy.Array{Shape: []int{n}, Data: u.Data[:n]}, npy.Array{Shape: []int{n, 3}, Data: u.Data[:3*n]}
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		input, output string
		refused       string
	}{
		"first and last state": {map[string]npy.Array{"u0": a, "uT": u}, "u0", "uT", ""},
		"initial condition":    {map[string]npy.Array{"ic": a, "sol": u}, "ic", "sol", ""},
		"sides in one array": {map[string]npy.Array{"data": values(func(p []int) float64 {
			return wave(p[0], p[1], float64(p[2]))
		}, n, K, 2)}, "data[:, :, 0]", "data[:, :, 1]", ""},
		"sides first": {map[string]npy.Array{"data": values(func(p []int) float64 {
			return wave(p[1], p[2], float64(p[0]))
		}, 2, n, K)}, "data[0, :]", "data[1, :]", ""},
		"test arrays alone": {map[string]npy.Array{"x_test": a, "y_test": u}, "x_test", "y_test", ""},
		"fewer outputs": {map[string]npy.Array{"a": a, "u": less}, "", "",
			"24 in \"a\", 20 in \"u\"; inputs and outputs must be as many; if the first ones belong together, set data.input=a"},
		"fewer numbers": {map[string]npy.Array{"a": a, "u": {Shape: []int{20}, Data: u.Data[:20]}}, "", "",
			"20 in \"u\"; inputs and outputs must be as many; if the first ones belong together, set data.input=a"},
		"numbers as outputs": {map[string]npy.Array{"a": a, "u": number}, "a", "u", ""},
		"numbers as inputs":  {map[string]npy.Array{"theta": some, "curve": u}, "theta", "curve", ""},
		"one pair": {map[string]npy.Array{"a": {Shape: []int{1, K}, Data: a.Data[:K]}, "u": {Shape: []int{1, K},
			Data: u.Data[:K]}}, "", "", "n at least 2"},
	} {
		file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), test.arrays)
		c, _, err := Configuration(t.Context(), file)
		var data *fault.Data
		if test.refused == "" && (err != nil || c.Data.Input != test.input || c.Data.Output != test.output ||
			c.Data.Grid != K || c.Data.Train+c.Data.Test != n) ||
			test.refused != "" && (!errors.As(err, &data) || data.Do == "" || !strings.Contains(err.Error(), test.refused)) {
			t.Errorf("%s: inputs %q, outputs %q, K=%d, %d pairs, %v", name, c.Data.Input, c.Data.Output, c.Data.Grid,
				c.Data.Train+c.Data.Test, err)
		}
	}
	for name, shape := range map[string]struct {
		shape   []int
		value   func(p []int) float64
		input   string
		refused string
	}{
		"functions in columns": {[]int{2 * K, n}, func(p []int) float64 {
			return wave(p[1], p[0]%K, float64(p[0]/K))
		}, "[:33]", ""},
		"numbers of lines": {[]int{n, 2*K + 1}, func(p []int) float64 {
			if p[1] == 0 {
				return float64(p[0])
			}
			return wave(p[0], (p[1]-1)%K, float64((p[1]-1)/K))
		}, "a[:, :33]", ""},
		"inputs alone": {[]int{n, K}, func(p []int) float64 { return wave(p[0], p[1], 0) }, "", "in two files: rfm run a."},
	} {
		file := filepath.Join(t.TempDir(), "own.csv")
		var b bytes.Buffer
		table := inMemory("", "", values(shape.value, shape.shape...))
		noError(t, errors.Join(table.csv(&b), os.WriteFile(file, b.Bytes(), 0o600)))
		c, _, err := Configuration(t.Context(), file)
		if shape.refused == "" && (err != nil || c.Data.Input != shape.input || c.Data.Train+c.Data.Test != n) ||
			shape.refused != "" && (err == nil || !strings.Contains(err.Error(), shape.refused)) {
			t.Errorf("%s: %q, %d pairs, %v", name, c.Data.Input, c.Data.Train+c.Data.Test, err)
		}
	}
	small := values(func(p []int) float64 { return wave(p[0], p[1]+p[2], 0) }, n, 8, 8)
	c, _, err := Configuration(t.Context(), arraytest.NPZ(t, filepath.Join(t.TempDir(), "small.npz"),
		map[string]npy.Array{"a": small, "u": small}))
	if err != nil || c.Dims() != 2 || c.Data.Train+c.Data.Test != n {
		t.Errorf("fields on 8 x 8 cells: %+v, %v", c.Data, err)
	}
	// Names that are given take the place of guesses, and a boundary that is given of the one that values suggest.
	c, _, err = Configuration(t.Context(), arraytest.NPZ(t, filepath.Join(t.TempDir(), "named.npz"),
		map[string]npy.Array{"x_train": a, "x_test": u, "v_train": u, "v_test": a, "y_train": a}), "output=v_train",
		"data.boundary=closed")
	if d := c.Data; err != nil || d.Input != "x_train" || d.Output != "v_train" || d.TestInput != "x_test" ||
		d.TestOutput != "v_test" || d.Boundary != config.Closed || d.Endpoint != config.Included || d.Test != n {
		t.Errorf("with settings: %+v, %v", d, err)
	}
	// A file of test pairs has names of its own.
	directory := t.TempDir()
	c, _, err = Configuration(t.Context(), arraytest.NPZ(t, filepath.Join(directory, "train.npz"),
		map[string]npy.Array{"x_train": a, "y_train": u}))
	noError(t, err)
	c.Data.Train, c.Data.Test = 0, 0
	c.Data.TestFile = arraytest.NPZ(t, filepath.Join(directory, "test.npz"),
		map[string]npy.Array{"x_test": a, "y_test": less})
	if _, _, err := new(reading.Files).Complete(t.Context(), c); err == nil {
		t.Error("test pairs of different numbers are taken")
	}
	arraytest.NPZ(t, c.Data.TestFile, map[string]npy.Array{"x": a, "y": u})
	c, notes, err := new(reading.Files).Complete(t.Context(), c)
	if err != nil || c.Data.TestInput != "x" || c.Data.Test != n || !strings.Contains(strings.Join(notes, "\n"),
		"test.npz: 24 pairs for testing: inputs x, outputs y (count, K)") {
		t.Errorf("got %+v, %q, %v, want the inputs x and the outputs y of %d test pairs", c.Data, notes, err, n)
	}
}

// Settings are used to read a file that is not read without them: parts of arrays, an order of axes.
func TestSettingsMakeReadingsPossible(t *testing.T) {
	const n, K = 12, 33
	u, even := npy.Array{Shape: []int{n, K}}, npy.Array{Shape: []int{K, K}}
	for i := range n {
		for x := range K {
			u.Data = append(u.Data, math.Sin(float64(3*i))*math.Sin(float64(x)/9)+math.Cos(float64(i*i)))
		}
	}
	for i := range K * K {
		even.Data = append(even.Data, math.Cos(2*math.Pi*float64(i/K*(i%K))/(K*K)))
	}
	for _, test := range []struct {
		arrays   map[string]npy.Array
		settings []string
		advice   string
	}{
		{map[string]npy.Array{"a": u, "u": {Shape: []int{n - 2, K}, Data: u.Data[2*K:]}},
			[]string{"data.input=a[:10]", "data.output=u[:10]"}, "set data.input=a[:10] and data.output=u[:10]"},
		{map[string]npy.Array{"a": even, "u": even}, []string{"data.layout=points-first"}, "points-first for (K, count)"},
	} {
		file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), test.arrays)
		_, _, err := Configuration(t.Context(), file)
		c, _, failure := Configuration(t.Context(), file, append(test.settings, "seed=3")...)
		if err == nil || !strings.Contains(err.Error(), test.advice) || failure != nil ||
			config.Assign(&c, test.settings...) != nil || c.Validate() != nil {
			t.Errorf("%v: %v, then %v", test.settings, err, failure)
		}
	}
}

// Pairs that cannot be learned from are left out once, also if the setting is given.
func TestPairsAreLeftOutOnce(t *testing.T) {
	const n, K = 12, 33
	a, u := npy.Array{Shape: []int{n, K}}, npy.Array{Shape: []int{n, K}}
	for i := range n * K {
		v := math.Sin(2 * math.Pi * float64(i%K+i/K*i/K) / (K - 1))
		a.Data, u.Data = append(a.Data, v), append(u.Data, v*math.Min(1, float64(i/K)))
	}
	file := arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), map[string]npy.Array{"a": a, "u": u})
	c, f, err := Configuration(t.Context(), file, "data.skip=both")
	noError(t, err)
	_, notes, err := f.Complete(t.Context(), c)
	if err != nil || !strings.Contains(strings.Join(notes, " "), "1 of 12 pairs left out") {
		t.Errorf("skip %s, %q, %v", c.Data.Skip, notes, err)
	}
}
