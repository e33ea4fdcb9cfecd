package exchange

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// wave returns an array of values that are smooth along the last axis, and along the others if smooth is set.
func wave(file int, smooth bool, shape ...int) npy.Array {
	a := npy.Array{Shape: shape, Data: make([]float64, npy.Count(shape))}
	columns := shape[len(shape)-1]
	for i := range a.Data {
		row := float64(i / columns)
		phase := row / 20
		if !smooth {
			phase = 37 * row * row
		}
		a.Data[i] = math.Sin(float64(i%columns)/20 + phase + float64(file))
	}
	return a
}

// sources writes files with the arrays that make returns for each number, and returns their directory.
func sources(t *testing.T, count int, arrays func(number int) map[string]npy.Array) string {
	t.Helper()
	directory := t.TempDir()
	for i := range count {
		arraytest.NPZ(t, filepath.Join(directory, fmt.Sprintf("run%d.npz", i)), arrays(i))
	}
	return directory
}

// Files with the same arrays are one: each file is a sample, or has many along the first axis.
func TestFilesAreJoined(t *testing.T) {
	grid := wave(0, true, 40)
	for what, test := range map[string]struct {
		count  int
		arrays func(i int) map[string]npy.Array
		want   map[string][]int
	}{
		"one function in each, more files than are open": {100, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, true, 40), "x": grid, "t": {Shape: []int{}, Data: []float64{float64(i)}}}
		}, map[string][]int{"a": {100, 40}, "x": {40}, "t": {100}}},
		"one field in each": {12, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, true, 30, 40), "x": grid}
		}, map[string][]int{"a": {12, 30, 40}, "x": {40}}},
		"many functions in each": {2, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, false, 30, 40), "x": grid}
		}, map[string][]int{"a": {60, 40}, "x": {40}}},
		"many functions in each of many": {20, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, false, 30, 40)}
		}, map[string][]int{"a": {600, 40}}},
		"other numbers of fields": {3, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, true, 5+i, 30, 40)}
		}, map[string][]int{"a": {18, 30, 40}}},
		"one field and a number, as MATLAB stores it": {12, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, true, 40, 40), "nu": {Shape: []int{1, 1}, Data: []float64{float64(i)}}}
		}, map[string][]int{"a": {12, 40, 40}, "nu": {12, 1, 1}}},
		"one with an axis for it": {3, func(i int) map[string]npy.Array {
			return map[string]npy.Array{"a": wave(i, true, 1, 40), "x": grid}
		}, map[string][]int{"a": {3, 40}, "x": {40}}},
	} {
		t.Run(what, func(t *testing.T) {
			directory := sources(t, test.count, test.arrays)
			f := opened(t, directory)
			if len(f.Members) != len(test.want) || len(f.Notes) == 0 {
				t.Errorf("%d members, notes %q", len(f.Members), f.Notes)
			}
			for name, shape := range test.want {
				a, err := f.Member(name).Array()
				if err != nil || !slices.Equal(a.Shape, shape) {
					t.Errorf("%s: shape %v, want %v, %v", name, a.Shape, shape, err)
					continue
				}
				var want []float64
				for i := range test.count {
					if name != "x" || i == 0 {
						want = append(want, test.arrays(i)[name].Data...)
					}
				}
				if !slices.Equal(a.Data, want) {
					t.Errorf("%s: other numbers than in the files", name)
				}
				checkParts(t, f.Member(name), a)
			}
		})
	}
}

// A file without an array, or with one of another shape, is named; other arrays are read.
func TestFilesThatDifferAreNamed(t *testing.T) {
	directory := sources(t, 5, func(i int) map[string]npy.Array {
		all := map[string]npy.Array{"a": wave(i, true, 40), "u": wave(i, true, 40), "odd": wave(i, true, 20)}
		if i == 3 {
			delete(all, "u")
			all["odd"] = wave(i, true, 21)
		}
		return all
	})
	f := opened(t, directory)
	if m := f.Member("a"); !m.Readable() || m.Shape[0] != 5 {
		t.Errorf("a: %v", m)
	}
	filetest.Refused(t, "missing", f.Member("u").Refused, "is in 4 of 5 files")
	filetest.Refused(t, "odd", f.Member("odd").Refused, "run3.npz")
}

// Files of one array each have the names of the files, without numbers.
func TestDirectoriesOfPlainArrays(t *testing.T) {
	directory := t.TempDir()
	for i := range 12 {
		arraytest.NPY(t, filepath.Join(directory, fmt.Sprintf("in_%d.npy", i)), wave(i, true, 40))
		arraytest.NPY(t, filepath.Join(directory, fmt.Sprintf("out_%d.npy", i)), wave(-i, true, 30))
	}
	arraytest.NPY(t, filepath.Join(directory, "grid.npy"), wave(0, true, 40))
	noError(t, os.WriteFile(filepath.Join(directory, "README.md"), []byte("words"), 0o600))
	f := opened(t, directory)
	for name, shape := range map[string][]int{"in_*": {12, 40}, "out_*": {12, 30}, "grid": {40}} {
		a, err := f.Member(name).Array()
		if err != nil || !slices.Equal(a.Shape, shape) {
			t.Errorf("%s: shape %v, %v", name, a.Shape, err)
		}
		if name == "out_*" && a.Data[10*30] != math.Sin(-10) {
			t.Errorf("out_10 is not the eleventh")
		}
	}
	if !slices.ContainsFunc(f.Notes, func(note string) bool { return strings.HasPrefix(note, "1 other file ") }) {
		t.Errorf("notes %q", f.Notes)
	}
	both := opened(t, filepath.Join(directory, "in_*.npy")+","+filepath.Join(directory, "out_*.npy"))
	if a, u := both.Member("a"), both.Member("u"); !slices.Equal(a.Shape, []int{12, 40}) || !slices.Equal(u.Shape, []int{12, 30}) {
		t.Errorf("shapes %v and %v", a.Shape, u.Shape)
	}
}

// Coordinates beside the functions stay when two files are inputs and outputs: once if both files have the same, else with
// their sides behind their names.
func TestInputsAndOutputsWithCoordinates(t *testing.T) {
	directory := t.TempDir()
	x := wave(0, true, 40)
	in := arraytest.NPZ(t, filepath.Join(directory, "in.npz"), map[string]npy.Array{"x": x, "f": wave(1, false, 9, 40)})
	out := arraytest.NPZ(t, filepath.Join(directory, "out.npz"), map[string]npy.Array{"x": x, "y": wave(2, false, 9, 40)})
	f := opened(t, in+","+out)
	for name, want := range map[string]npy.Array{"a": wave(1, false, 9, 40), "u": wave(2, false, 9, 40)} {
		if got, err := f.Member(name).Array(); err != nil || !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got, err := f.Member("x").Array(); err != nil || !slices.Equal(got.Data, x.Data) || len(f.Members) != 3 {
		t.Errorf("coordinates %v, %v", got, err)
	}
	others := wave(3, true, 40)
	out = arraytest.NPZ(t, filepath.Join(directory, "others.npz"), map[string]npy.Array{"x": others, "y": wave(2, false, 9, 40)})
	f = opened(t, in+","+out)
	for name, want := range map[string]npy.Array{"x_a": x, "x_u": others} {
		if got, err := f.Member(name).Array(); err != nil || !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
}

// Arrays with numbers at the end of their names are one if they are many, or functions; their parts keep their names.
func TestNumberedArraysAreJoined(t *testing.T) {
	directory := t.TempDir()
	list, few := map[string]npy.Array{}, map[string]npy.Array{}
	for i := range many {
		list[fmt.Sprintf("arr_%d", i)] = wave(i, true, 2, 33)
		list[fmt.Sprintf("y%d", i)] = wave(i, true, 33)
	}
	for i := range 3 {
		few[fmt.Sprintf("u%d", i)] = wave(i, true, 20, 33)
	}
	f := opened(t, arraytest.NPZ(t, filepath.Join(directory, "list.npz"), list))
	for name, shape := range map[string][]int{"arr_*": {many, 2, 33}, "y*": {many, 33}, "arr_7": {2, 33}} {
		if m := f.Member(name); !slices.Equal(m.Shape, shape) {
			t.Errorf("%s: shape %v, %v", name, m.Shape, m.Refused)
		}
	}
	f = opened(t, arraytest.NPZ(t, filepath.Join(directory, "few.npz"), few))
	if len(f.Members) != 3 {
		t.Errorf("three arrays of functions are %d members", len(f.Members))
	}
}

// A file that is replaced while others are open is noticed.
func TestAReplacedFileIsNoticed(t *testing.T) {
	arrays := func(i int) map[string]npy.Array { return map[string]npy.Array{"a": wave(i, true, 40)} }
	directory := sources(t, mostOpen+2, arrays)
	f := opened(t, directory)
	closed := filepath.Join(directory, "run2.npz") // since two were opened again
	noError(t, os.Remove(closed))
	arraytest.NPZ(t, closed, arrays(7))
	_, err := f.Member("a").Array()
	filetest.Refused(t, "a replaced file", err, "replaced")
	if f.Unchanged() == nil {
		t.Error("the files count as unchanged")
	}
}
