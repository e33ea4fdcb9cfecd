package exchange

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// Arrays of numbered groups are one array in the order of the numbers; those of two groups, or of several shapes, are
// not.
func TestArraysOfNumberedGroupsAreJoined(t *testing.T) {
	one := func(shape []int, values ...float64) npy.Array { return npy.Array{Shape: shape, Data: values} }
	name := arraytest.NPZ(t, filepath.Join(t.TempDir(), "groups.npz"), map[string]npy.Array{
		"run10/u": one([]int{2, 2}, 100, 101, 110, 111), "run2/u": one([]int{2, 2}, 20, 21, 30, 31),
		"run9/u": one([]int{2, 2}, 90, 91, 95, 96), "run2/t": one(nil, 2), "run9/t": one(nil, 9), "run10/t": one(nil, 10),
		"1/a": one([]int{1}, 1), "2/a": one([]int{1}, 2), "3/a": one([]int{2}, 3, 3), "4/b": one([]int{1}, 4),
		"5/b": one([]int{1}, 5)})
	f, err := Open(t.Context(), name)
	noError(t, err)
	defer f.Close()
	var names []string
	for _, m := range f.Members {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	if want := []string{"1/a", "2/a", "3/a", "4/b", "5/b", "run*/t", "run*/u"}; !slices.Equal(names, want) {
		t.Errorf("members %q, want %q", names, want)
	}
	for name, want := range map[string]npy.Array{
		"run*/u":           one([]int{3, 2, 2}, 20, 21, 30, 31, 90, 91, 95, 96, 100, 101, 110, 111),
		"run*/u[1:, :, 1]": one([]int{2, 2}, 91, 96, 101, 111),
		"run*/t":           one([]int{3}, 2, 9, 10),
	} {
		if got, err := f.Member(name).Array(); err != nil || !slices.Equal(got.Shape, want.Shape) ||
			!slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
}

// Inputs and outputs must come from the same groups. If each is missing in one group, but not in the same one, they are
// as many and nevertheless no pairs.
func TestArraysOfDifferentGroupsAreRefused(t *testing.T) {
	groups := map[string]npy.Array{}
	for _, name := range strings.Fields("0/a 1/a 2/a 4/a 0/u 1/u 3/u 4/u 0/t 1/t 2/t 3/t 4/t") {
		groups[name] = npy.Array{Shape: []int{1}, Data: []float64{1}}
	}
	f, err := Open(t.Context(), arraytest.NPZ(t, filepath.Join(t.TempDir(), "groups.npz"), groups))
	noError(t, err)
	defer f.Close()
	for _, name := range []string{"*/a", "*/t"} {
		if m := f.Member(name); !m.Readable() {
			t.Errorf("%s: %v", name, m.Refused)
		}
	}
	if _, err := f.Member("*/u").Array(); err == nil || !strings.Contains(err.Error(), `not in the groups of "*/a"`) {
		t.Errorf("the error of */u is %v", err)
	}
}

// One of many groups whose array has another shape is named. Functions with many numbers of points are refused together, and
// can be read one by one.
func TestAnArrayOfOtherShapeIsNamed(t *testing.T) {
	groups := map[string]npy.Array{}
	for i := range many {
		groups[fmt.Sprintf("%d/u", i)] = npy.Array{Shape: []int{2}, Data: []float64{1, 2}}
		groups[fmt.Sprintf("%d/v", i)] = npy.Array{Shape: []int{i + 1}, Data: make([]float64, i+1)}
	}
	groups["0/u"] = npy.Array{Shape: []int{1}, Data: []float64{1}}
	f, err := Open(t.Context(), arraytest.NPZ(t, filepath.Join(t.TempDir(), "groups.npz"), groups))
	noError(t, err)
	defer f.Close()
	_, err = f.Member("*/u").Array()
	filetest.Refused(t, "joined", err, `has shape (1,) in "0/u", shape (2,) in "1/u"`)
	_, err = f.Member("*/v").Array()
	filetest.Refused(t, "ragged", err, `different numbers of points, 1 in "0/v" and 2 in "1/v"`)
	if m := f.Member("7/v"); !m.Readable() {
		t.Errorf("7/v: %v", m.Refused)
	}
}

// A source of two files names both.
func TestTwoFilesHaveNames(t *testing.T) {
	a := arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), npy.Array{Shape: []int{1}, Data: []float64{1}})
	for name, want := range map[string]int{a + "," + a: 2, a + ", " + a: 2, a + ",u.npy": 2, "u.npy," + a: 2, a + ",": 1,
		"," + a: 1, a + " ": 1} {
		if got := Paths(name); len(got) != want {
			t.Errorf("%q: got %q, want %d paths", name, got, want)
		}
	}
}
