package reading

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// filled returns an array of some shape with a value for each index.
func filled(value func(at []int) float64, shape ...int) npy.Array {
	a := npy.Array{Shape: shape}
	at := make([]int, len(shape))
	for range npy.Count(shape) {
		a.Data = append(a.Data, value(at))
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return a
}

// The numbers of pairs and points, and the coefficients of smooth functions that are not periodic.
const (
	tried  = 60
	points = 24
)

func coefficient(i, k int) float64 { return math.Sin(float64(7*i*(k+1)+3*k+i*i)) / float64(1+k) }

func smooth(i int, x float64) (sum float64) {
	for k := range 4 {
		sum += coefficient(i, k) * math.Cos(math.Pi*float64(k)*x)
	}
	return sum
}

func at(i, points int) float64 { return float64(i) / float64(points-1) }

// readingOf returns how a file of arrays is read, with settings.
func readingOf(t *testing.T, arrays map[string]npy.Array, settings ...string) (config.Config, string, error) {
	t.Helper()
	return readingOfFile(t, arraytest.NPZ(t, filepath.Join(t.TempDir(), "own.npz"), arrays), settings...)
}

// readingOfFile returns how a file is read, with settings.
func readingOfFile(t *testing.T, file string, settings ...string) (config.Config, string, error) {
	t.Helper()
	c, files, err := Configuration(t.Context(), file, settings...)
	if err != nil {
		return c, "", err
	}
	defer files.Close()
	c, notes, err := files.Complete(t.Context(), c)
	return c, strings.Join(notes, "\n"), err
}

// Arrays are read by their names, shapes and values; nothing is left out without a word.
func TestReadingsOfFiles(t *testing.T) {
	row := filled(func(p []int) float64 { return smooth(p[0], at(p[1], points)) }, tried, points)
	column := filled(func(p []int) float64 { return smooth(p[1], at(p[0], points)) }, points, tried)
	second := filled(func(p []int) float64 { return smooth(p[0]+91, at(p[1], points)) }, tried, points)
	nu := filled(func(p []int) float64 { return 1 + math.Abs(coefficient(p[0], 0)+coefficient(p[0]+40, 1)) }, tried, 1)
	scaled := filled(func(p []int) float64 { return nu.Data[p[0]] * math.Sin(smooth(p[0], at(p[1], points))) }, tried, points)
	product := filled(func(p []int) float64 {
		return smooth(p[0], at(p[1], points)) * (2 + smooth(p[0]+91, at(p[1], points)))
	}, tried, points)
	evolution := func(at0 bool, order ...int) npy.Array { // of row, along the axis of time in order
		return filled(func(p []int) float64 {
			i, time, x := p[order[0]], at(p[order[1]], points), at(p[order[2]], points)
			if !at0 {
				time++
			}
			return smooth(i, x) * math.Exp(-3*time*(1+x))
		}, tried, points, points)
	}
	lengths := filled(func(p []int) float64 { return (3 + math.Abs(coefficient(p[0], 0))) * float64(p[1]) }, tried, points)
	nodes := filled(func(p []int) float64 { return math.Sin(float64(p[0]*p[0]*17 + p[1]*p[1]*31 + p[0]*p[1])) }, 100, tried)
	sorted := filled(func(p []int) float64 { return float64(p[0]) / tried }, tried, points)
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		settings      []string
		input, output string
		axes          string
		says          string
	}{
		"parameters": {map[string]npy.Array{"a": row, "nu": nu, "u": scaled}, nil, "a,nu", "u", "nx,n1->nx",
			"nu (60, 1) is taken as a further input"},
		"parameters that are not named": {map[string]npy.Array{"a": row, "nu": nu, "u": scaled},
			[]string{"data.input=a"}, "a", "u", "nx->nx", "not used: nu (60, 1)"},
		"two functions": {map[string]npy.Array{"a": row, "b": second, "u": product}, nil, "a,b", "u", "nx,nx->nx", "b (60, 24) is"},
		"useless":       {map[string]npy.Array{"a": row, "b": second, "u": scaled}, nil, "a", "u", "nx->nx", "not used: b (60, 24)"},
		"output beside": {map[string]npy.Array{"a": row, "u": scaled, "v": product}, nil, "a", "u", "nx->nx", "not used: v (60, 24)"},
		"a column":      {map[string]npy.Array{"omega": nu, "y": scaled}, nil, "omega", "y", "n1->nx", ""},
		"numbers":       {map[string]npy.Array{"params": filled(func(p []int) float64 { return coefficient(p[0], p[1]) }, tried, 3), "f": scaled}, nil, "params", "f", "nc->nx", ""},
		"turned":        {map[string]npy.Array{"a": row, "u": column}, nil, "a", "u", "nx->xn", ""},
		"turned inputs": {map[string]npy.Array{"a": column, "u": row}, nil, "a", "u", "xn->nx", ""},
		"columns": {map[string]npy.Array{"a": column, "u": filled(func(p []int) float64 {
			return smooth(p[1], at(p[0], 2*points))
		}, 2*points, tried)}, nil, "a", "u", "xn->xn", ""},
		"time last":     {map[string]npy.Array{"a": row, "u": evolution(true, 0, 2, 1)}, nil, "a", "u[:, :, -1]", "nx->nx", "because the first are a"},
		"time first":    {map[string]npy.Array{"a": row, "u": evolution(true, 0, 1, 2)}, nil, "a", "u[:, -1]", "nx->nx", "--set data.output=u"},
		"no time":       {map[string]npy.Array{"a": row, "u": evolution(false, 0, 1, 2)}, nil, "a", "u", "", "one variable more"},
		"sorted inputs": {map[string]npy.Array{"a": sorted, "u": scaled}, nil, "a", "u", "nx->nx", ""},
		"leading axis": {map[string]npy.Array{"tensor": {Shape: []int{1, tried, points, points}, Data: evolution(true, 0, 1, 2).Data},
			"t": filled(func(p []int) float64 { return at(p[0], points) }, points)}, nil, "tensor[0][:, 0]", "tensor[0][:, -1]", "nx->nx", ""},
		"commas": {map[string]npy.Array{"p, Pa": row, "v (m/s)": scaled}, nil, "v (m/s)", `"p, Pa"`, "nx->nx", "this is a guess"},
		"places": {map[string]npy.Array{"X": row, "Y": second, "Q": product}, nil, "X,Y", "Q", "nx,nx->nx", "this is a guess"},
		"places of each pair": {map[string]npy.Array{"x": lengths, "t": lengths, "pde": evolution(true, 0, 1, 2)}, nil,
			"pde[:, 0]", "pde[:, -1]", "nx->nx", ""},
		"places beside": {map[string]npy.Array{"x": lengths, "f": row, "u": scaled}, nil, "f", "u", "nx->nx", ""},
		"mesh":          {map[string]npy.Array{"a": column, "u": nodes}, nil, "a", "u", "qn->pn", "without an order"},
		"as they say":   {map[string]npy.Array{"a": row, "u": scaled}, []string{"data.axes=nx->nx"}, "a", "u", "nx->nx", ""},
	} {
		c, notes, err := readingOf(t, test.arrays, test.settings...)
		d := c.Data
		if err != nil || d.Input != test.input || d.Output != test.output || test.axes != "" && d.Axes != test.axes ||
			!strings.Contains(notes, test.says) {
			t.Errorf("%s: %q -> %q, axes %q, %v\n%s", name, d.Input, d.Output, d.Axes, err, notes)
		}
	}
}

// Fields on a square without times are no trajectories.
func TestReadingsThatAreRefused(t *testing.T) {
	fields := filled(func(p []int) float64 { return smooth(p[0], at(p[1], points)) + smooth(p[0]+9, at(p[2], points)) }, tried,
		points, points)
	for name, test := range map[string]struct {
		arrays map[string]npy.Array
		want   string
	}{
		"fields alone": {map[string]npy.Array{"w": fields}, "if these are fields, give their outputs as well"},
	} {
		if _, _, err := readingOf(t, test.arrays); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Test pairs that are named are used, all of them, in each of the ways to name them.
func TestNamedTestPairsAreUsed(t *testing.T) {
	train := filled(func(p []int) float64 { return smooth(p[0], at(p[2], points)) * math.Exp(-float64(p[1])) }, tried, 5, points)
	test := filled(func(p []int) float64 { return smooth(p[0]+200, at(p[2], points)) * math.Exp(-float64(p[1])) }, 20, 5, points)
	take := func(a npy.Array, time int) npy.Array {
		return filled(func(p []int) float64 { return a.Data[(p[0]*5+time)*points+p[1]] }, a.Shape[0], points)
	}
	other := arraytest.NPZ(t, filepath.Join(t.TempDir(), "test.npz"), map[string]npy.Array{"a": take(test, 0), "u": take(test, 4)})
	pairs := map[string]npy.Array{"a": take(train, 0), "u": take(train, 4)}
	named := map[string]npy.Array{"a": take(train, 0), "u": take(train, 4), "b": take(test, 0), "v": take(test, 4)}
	inputs := map[string]npy.Array{"x_train": take(train, 0), "y_train": take(train, 4), "x_test": take(test, 0),
		"y_test": take(test, 4)}
	whole := map[string]npy.Array{"train": train, "test": test, "t": filled(func(p []int) float64 { return float64(p[0]) }, 5)}
	slices := []string{"data.input=train[:, 0]", "data.output=train[:, -1]"}
	for name, c := range map[string]struct {
		arrays   map[string]npy.Array
		settings []string
	}{
		"a file":    {pairs, []string{"data.test_file=" + other}},
		"settings":  {named, []string{"data.input=a", "data.output=u", "data.test_input=b", "data.test_output=v"}},
		"names":     {inputs, nil},
		"some":      {inputs, []string{"data.input=x_train[:60]", "data.output=y_train[:60]"}},
		"slices":    {whole, slices},
		"all four":  {whole, append(slices, "data.test_input=test[:, 0]", "data.test_output=test[:, -1]")},
		"by itself": {whole, nil},
	} {
		got, notes, err := readingOf(t, c.arrays, c.settings...)
		if err != nil || got.Data.Train != tried || got.Data.Test != 20 || !strings.Contains(notes, "20 pairs for testing") {
			t.Errorf("%s: %d and %d pairs, %v\n%s", name, got.Data.Train, got.Data.Test, err, notes)
		}
	}
}

// A stored configuration is read as it was, whatever the values suggest.
func TestReadingsAreNotGuessedAgain(t *testing.T) {
	row := filled(func(p []int) float64 { return smooth(p[0], at(p[1], points)) }, points, points)
	directory := t.TempDir()
	file := arraytest.NPZ(t, filepath.Join(directory, "own.npz"), map[string]npy.Array{"a": row, "u": row})
	c, files, err := Configuration(t.Context(), file)
	noError(t, err)
	noError(t, files.Close())
	if c.Data.Axes != "nx->nx" {
		t.Fatalf("axes %q", c.Data.Axes)
	}
	turned := filled(func(p []int) float64 { return smooth(p[1], at(p[0], points)) }, points, points)
	arraytest.NPZ(t, file, map[string]npy.Array{"a": turned, "u": turned})
	again, _, err := new(Files).Complete(t.Context(), c)
	if err != nil || again.Data.Axes != c.Data.Axes {
		t.Errorf("axes %q, %v", again.Data.Axes, err)
	}
	for axes, want := range map[string]string{"nx": "has 2 arrays", "nxc->nx": "it has 2 axes", "ny->nx": "no axis y",
		"nx->n1": "axis 1 has 24 values", "nn->nx": "n is there twice"} {
		c.Data.Axes = axes
		if _, _, err := new(Files).Complete(t.Context(), c); err == nil || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %q", axes, err, want)
		}
	}
}

// Fields are found whose points are numbered in one axis, or lack some in all pairs, or that have a function on an edge.
func TestReadingsOfFields(t *testing.T) {
	const rows, columns = 12, 16
	value := func(i, x, y int) float64 { return smooth(i, at(x, rows)) + 2*smooth(i+37, at(y, columns)) }
	flat := filled(func(p []int) float64 { return value(p[0], p[1]/columns, p[1]%columns) }, tried, rows*columns)
	turned := filled(func(p []int) float64 { return value(p[1], p[0]/columns, p[0]%columns) }, rows*columns, tried)
	squares := func(a npy.Array) npy.Array {
		return filled(func(p []int) float64 { v := a.Data[p[0]*a.Shape[1]+p[1]]; return v * v }, a.Shape...)
	}
	hole := filled(func(p []int) float64 {
		if p[1] < 4 && p[2] > 9 {
			return math.NaN()
		}
		return value(p[0], p[1], p[2])
	}, tried, rows, columns)
	field := filled(func(p []int) float64 { return math.Sin(smooth(p[0], at(p[1], points))) * (1 + at(p[2], points)) }, tried, points, points)
	mirrored := filled(func(p []int) float64 { return math.Sin(smooth(p[0], at(p[2], points))) * (1 + at(p[1], points)) }, tried, points,
		points)
	edge := filled(func(p []int) float64 { return smooth(p[0], at(p[1], points)) }, tried, points)
	columnsFirst := filled(func(p []int) float64 { return value(p[0], p[1]%rows, p[1]/rows) }, tried, rows*columns)
	x := filled(func(p []int) float64 { return at(p[0], rows) }, rows)
	y := filled(func(p []int) float64 { return at(p[0], columns) }, columns)
	row := filled(func(p []int) float64 { return smooth(p[0], at(p[1], rows*columns)) }, tried, rows*columns)
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		input, output string
		axes          string
		says          string
	}{
		"flat": {map[string]npy.Array{"a": flat, "u": squares(flat)}, "a.reshape(-1, 12, 16)", "u.reshape(-1, 12, 16)", "nxy->nxy",
			"192 values of a function are read as a field on 12 x 16 points"},
		"flat, points first": {map[string]npy.Array{"a": turned, "u": squares(turned)}, "a.reshape(12, 16, -1)",
			"u.reshape(12, 16, -1)", "xyn->xyn", ""},
		"flat beside x and y": {map[string]npy.Array{"a": flat, "u": squares(flat), "x": x, "y": y}, "a.reshape(-1, 12, 16)",
			"u.reshape(-1, 12, 16)", "nxy->nxy", ""},
		"flat beside x and y, columns first": {map[string]npy.Array{"a": columnsFirst, "u": squares(columnsFirst), "x": x, "y": y},
			"a.reshape(-1, 16, 12)", "u.reshape(-1, 16, 12)", "nxy->nxy", ""},
		"functions":    {map[string]npy.Array{"a": row, "u": squares(row)}, "a", "u", "nx->nx", ""},
		"a hole":       {map[string]npy.Array{"a": hole, "u": hole}, "a", "u", "nxy->nxy", "24 of 192 in a, 24 of 192 in u"},
		"an edge":      {map[string]npy.Array{"f": edge, "u": field}, "f", "u", "ny->nyx", "f lies along the first axis"},
		"another edge": {map[string]npy.Array{"f": edge, "u": mirrored}, "f", "u", "ny->nxy", "f lies along the second axis"},
	} {
		c, notes, err := readingOf(t, test.arrays)
		d := c.Data
		if err != nil || d.Input != test.input || d.Output != test.output || d.Axes != test.axes ||
			!strings.Contains(notes, test.says) || d.Mask != (name == "a hole") {
			t.Errorf("%s: %q -> %q, axes %q, %v\n%s", name, d.Input, d.Output, d.Axes, err, notes)
		}
	}
}

// Several files, and those of a directory, are divided by their names, where these tell test pairs from training pairs.
// They were put together, and split at random, so that the error was that of another split than the one of the files.
func TestFilesAreDividedByTheirNames(t *testing.T) {
	t.Chdir(t.TempDir())
	noError(t, os.Mkdir("all", 0o755))
	for name, count := range map[string]int{"train": 40, "valid": 12, "test": 14} {
		a := filled(func(p []int) float64 { return smooth(p[0], at(p[1], points)) }, count, points)
		u := filled(func(p []int) float64 { return 1 + smooth(p[0], at(p[1], points)) }, count, points)
		arraytest.NPZ(t, filepath.Join("all", name+".npz"), map[string]npy.Array{"a": a, "u": u})
		arraytest.NPY(t, "a_"+name+".npy", a)
		arraytest.NPY(t, "u_"+name+".npy", u)
	}
	for source, test := range map[string]struct {
		settings    []string
		train, test int
		notes       string
	}{
		"all/train.npz,all/test.npz":  {nil, 40, 14, ""},
		"all/test.npz,all/train.npz":  {nil, 40, 14, ""},
		"all/train.npz,all/valid.npz": {nil, 40, 12, ""},
		"all":                         {nil, 40, 14, "validation are not used"},
		"a_train.npy,u_train.npy,a_test.npy,u_test.npy": {nil, 40, 14, ""},
		"a_test.npy,u_test.npy":                         {nil, 12, 2, ""},
		"all/train.npz":                                 {[]string{"data.test_file=all/valid.npz"}, 40, 12, ""},
	} {
		c, files, err := Configuration(t.Context(), source, test.settings...)
		noError(t, err)
		c, notes, err := files.Complete(t.Context(), c)
		noError(t, errors.Join(err, files.Close()))
		said := strings.Join(notes, " ")
		if c.Data.Train != test.train || c.Data.Test != test.test || !strings.Contains(said, test.notes) {
			t.Errorf("%s: %d training pairs and %d test pairs, want %d and %d; %s", source, c.Data.Train, c.Data.Test,
				test.train, test.test, said)
		}
	}
}

// Of three files with one array each, the last is the output, whatever their names.
func TestTheLastOfSeveralFilesIsTheOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, name := range []string{"u.npy", "b.npy", "a.npy"} {
		arraytest.NPY(t, name, filled(func(p []int) float64 { return smooth(p[0]+100*i, at(p[1], points)) }, tried, points))
	}
	c, files, err := Configuration(t.Context(), "u.npy,b.npy,a.npy")
	noError(t, err)
	if noError(t, files.Close()); c.Data.Input != "u,b" || c.Data.Output != "a" {
		t.Errorf("got %q -> %q, want \"u,b\" -> \"a\"", c.Data.Input, c.Data.Output)
	}
}

// Arrays without names are test pairs if half of them have fewer pairs, in either order in which people save them.
func TestNumberedTestArrays(t *testing.T) {
	functions := func(count, from int) npy.Array {
		return filled(func(p []int) float64 { return smooth(p[0]+from, at(p[1], points)) }, count, points)
	}
	train, test := functions(tried, 0), functions(tried/2, tried)
	for _, order := range []struct {
		arrays            []npy.Array
		output, testInput string
	}{
		{[]npy.Array{train, train, test, test}, "arr_1", "arr_2"},
		{[]npy.Array{train, test, train, test}, "arr_2", "arr_1"},
	} {
		named := map[string]npy.Array{}
		for i, array := range order.arrays {
			named[fmt.Sprintf("arr_%d", i)] = array
		}
		c, _, err := readingOf(t, named)
		noError(t, err)
		d := c.Data
		if d.Input != "arr_0" || d.Output != order.output || d.TestInput != order.testInput || d.TestOutput != "arr_3" {
			t.Errorf("%s -> %s, tests %s -> %s, want outputs %s and tests %s -> arr_3",
				d.Input, d.Output, d.TestInput, d.TestOutput, order.output, order.testInput)
		}
	}
}
