package reading

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

var noError = filetest.NoError

func TestGridsOfOwnFunctions(t *testing.T) {
	for _, test := range []struct{ points, wanted, data, train int }{
		// contained
		{1025, 0, 1025, 129}, {8193, 0, 8193, 129}, {1001, 0, 1001, 101}, {101, 0, 101, 101}, {33, 0, 33, 33},
		{421, 0, 421, 85},
		{102, 0, 129, 129}, {103, 0, 103, 103}, {1023, 0, 1025, 129}, {999, 0, 1025, 129}, {2039, 0, 2049, 129}, {4, 0, 9, 9},
		{8, 0, 9, 9}, {200001, 0, 65537, 129},
		{1025, 65, 1025, 65}, {1023, 65, 1025, 65}, {1001, 97, 1537, 97}, {102, 33, 129, 33},
	} {
		c := config.Config{Problem: config.Functions}
		c.Train.Grid = test.wanted
		if functionGrids(&c, test.points); c.Data.Grid != test.data || c.Train.Grid != test.train {
			t.Errorf("%d points, %d wanted: data on %d, training on %d, want %d and %d", test.points, test.wanted,
				c.Data.Grid, c.Train.Grid, test.data, test.train)
		}
	}
}

func TestFieldsOfTooManyPointsAreRefused(t *testing.T) {
	own, err := config.PresetByName(config.Fields)
	noError(t, err)
	filetest.Refused(t, "4097", fieldGrids(&own, &pairs.Functions{Info: pairs.Info{Grid: 4097, Columns: 4097}}), "want at most 2049; take")
}

// functions returns the preset of functions for a file.
func functions(t *testing.T, file string) config.Config {
	t.Helper()
	c, err := config.PresetByName(config.Functions)
	noError(t, err)
	c.Data.TrainFile = file
	return c
}

// Complete notes what is unusual in a file; the first note says how the file is read.
func TestNotes(t *testing.T) {
	const few = "pair.npy: the test error is the mean over "
	for _, test := range []struct {
		count, K    int
		notes       []string // the beginnings of those after the first
		train, test int
	}{
		{3 << 20, 9, []string{"pair.npy: has 3145728 pairs, of which data.train takes 1048576"}, 1 << 20, 3 << 20 / 5},
		{3, 9, []string{few + "1 pair, which is uncertain: give more test pairs (data.test"}, 2, 1},
		{17, 9, []string{few + "3 pairs, which is uncertain"}, 14, 3}, {20, 9, nil, 16, 4}, {20, 129, nil, 16, 4},
		{20, 257, nil, 16, 4}, // outputs are zero, which is told when they are read
	} {
		name, header := filepath.Join(t.TempDir(), "pair.npy"), npy.Preamble([]int{test.count, 2, test.K})
		noError(t, errors.Join(os.WriteFile(name, header, 0o600),
			os.Truncate(name, int64(len(header)+8*2*test.K*test.count))))
		c := functions(t, name)
		c.Data.Boundary, c.Data.Endpoint = config.Closed, config.Included
		c, notes, err := new(Files).Complete(t.Context(), c)
		if err != nil || c.Data.Train != test.train || c.Data.Test != test.test {
			t.Fatalf("%d pairs: %d for training, %d for testing, %v", test.count, c.Data.Train, c.Data.Test, err)
		}
		if i := slices.IndexFunc(notes, func(n string) bool { return strings.Contains(n, " on K=") }); i >= 0 {
			notes = slices.Delete(notes, i, i+1)
		}
		if !slices.EqualFunc(notes, test.notes, strings.HasPrefix) {
			t.Errorf("%d pairs, K=%d: %q", test.count, test.K, notes)
		}
	}
}

// A file is opened once, to complete a configuration and to read the pairs.
func TestAFileIsOpenedOnce(t *testing.T) {
	a := npy.Array{Shape: []int{20, 2, 33}, Data: make([]float64, 20*2*33)}
	for i := range a.Data {
		a.Data[i] = math.Sin(2*math.Pi*float64(i%33)/32 + float64(i/33))
	}
	name := arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), a)
	var files Files
	c, _, err := files.Complete(t.Context(), functions(t, name))
	noError(t, err)
	open, located := files.open[0], files.located
	var train, test dataset.Pairs
	_, err = files.Read(t.Context(), c, &train, &test)
	noError(t, err)
	if len(files.open) != 1 || files.open[0] != open || len(files.located) != len(located) ||
		train.Count() != c.Data.Train || test.Count() != c.Data.Test {
		t.Errorf("%d and %d pairs in %+v", train.Count(), test.Count(), files)
	}
	arraytest.NPY(t, name, a) // another file in its place
	_, err = files.Read(t.Context(), c, &train, &test)
	filetest.Refused(t, "replaced", err, "meanwhile")
	noError(t, files.Close())
}

// Errors for pairs that are all left out, and for test pairs that take all, contain the number.
func TestNoPairsAreRefusedWithTheReason(t *testing.T) {
	a := npy.Array{Shape: []int{6, 2, 33}, Data: make([]float64, 6*2*33)}
	for i := range a.Data {
		a.Data[i] = math.Sin(2*math.Pi*float64(i%33)/32+float64(i/33)) * float64(1-i/33%2) // outputs are zero
	}
	file := arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), a)
	for key, want := range map[string]string{
		"data.skip=both": "has no pair that can be used: 6 of 6 pairs left out",
		"data.test=1000": "has 6 pairs, none of which is left for training: data.test takes 1000",
	} {
		c := functions(t, file)
		noError(t, config.Assign(&c, key))
		_, _, err := new(Files).Complete(t.Context(), c)
		filetest.Refused(t, key, err, want)
	}
}

// One test pair with channels has the shape of two pairs: its axes are those of the training pairs.
func TestOneTestPairHasTheAxesOfTheTraining(t *testing.T) {
	for name, shapes := range map[string][2][]int{
		"both sides": {{20, 2, 33}, {20, 2, 33}}, "inputs": {{20, 33, 2}, {20, 33}}, "outputs": {{20, 33}, {20, 2, 33}},
		"points first": {{33, 2, 20}, {33, 2, 20}},
	} {
		var names [2]string
		for i, count := range []int{20, 1} {
			arrays := map[string]npy.Array{}
			for side, shape := range shapes {
				shape = slices.Clone(shape)
				shape[slices.Index(shape, 20)] = count
				a := npy.Array{Shape: shape, Data: make([]float64, npy.Count(shape))}
				for at := range a.Data {
					index, number := at, 0.0
					for d, stride := range npy.Strides(shape) {
						x := float64(index / stride)
						if index %= stride; shape[d] == 33 {
							number += math.Sin(2 * math.Pi * x / 32)
						} else {
							number += math.Mod(7*x*x, 11) // not smooth
						}
					}
					a.Data[at] = number
				}
				arrays[[]string{"a", "u"}[side]] = a
			}
			names[i] = arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), arrays)
		}
		c := functions(t, names[0])
		c.Data.TestFile = names[1]
		var files Files
		c, _, err := files.Complete(t.Context(), c)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		located := len(files.located)
		var train, test dataset.Pairs
		_, err = files.Read(t.Context(), c, &train, &test)
		if len(files.located) != located {
			t.Errorf("%s: pairs are located twice", name)
		}
		if noError(t, errors.Join(err, files.Close())); c.Data.Test != 1 || test.Count() != 1 ||
			!slices.Equal(test.Inputs.Data, train.Inputs.At(0)) || !slices.Equal(test.Outputs.Data, train.Outputs.At(0)) {
			t.Errorf("%s: %d test pairs, the first is not that of training", name, test.Count())
		}
	}
}

// Files of PDEBench with a group for each trajectory have its grid there, too.
func TestTrajectoriesInGroups(t *testing.T) {
	f := &exchange.File{Members: []npy.Member{{Name: "*/data", Shape: []int{60, 5, 32, 32, 2}},
		{Name: "*/grid/t", Shape: []int{60, 5}}, {Name: "*/grid/x", Shape: []int{60, 32}},
		{Name: "*/grid/y", Shape: []int{60, 32}}}}
	all, err := pairs.Guesses(f, "", "")
	if noError(t, err); all[0].Input != "*/data[:, 0]" || all[0].Output != "*/data[:, -1]" || !all[0].Known {
		t.Errorf("%+v", all)
	}
	f.Members = []npy.Member{{Name: "grid/a", Shape: []int{60, 32}}, {Name: "grid/u", Shape: []int{60, 32}}}
	if all, err = pairs.Guesses(f, "", ""); err != nil || all[0].Input != "grid/a" || all[0].Output != "grid/u" {
		t.Errorf("functions on a grid: %+v, %v", all, err)
	}
}
