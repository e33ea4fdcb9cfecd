package setup

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
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

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

// The advice leads to usable fields: coarser ones that end on the boundary, with an even number of intervals.
func TestFieldsOfTooManyPointsAreRefusedWithAdviceThatHelps(t *testing.T) {
	for r, want := range map[int]string{2051: "zoom(a, (1, 2049/2051, 2049/2051)",
		4097: "::2, ::2]: the grid is then r=2049", 8201: "::5, ::5]: the grid is then r=1641",
		6145: "::3, ::3]: the grid is then r=2049", 100001: "::50, ::50]: the grid is then r=2001"} {
		own, err := config.PresetByName(config.Fields)
		if err != nil {
			t.Fatal(err)
		}
		err = fieldGrids(&own, dataset.Info{Grid: r, Columns: r})
		var refused *fault.Data
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "at most 2049 are used") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d: got %v, %q is expected", r, err, want)
		}
	}
}

// Pairs beyond the range of the key are not taken, which a note reports.
func TestFilesMayHaveMorePairsThanAreTaken(t *testing.T) {
	const count, most = 3 << 20, 1 << 20
	name, header := filepath.Join(t.TempDir(), "many.npy"), npy.Preamble([]int{count, 2, 9})
	if err := errors.Join(os.WriteFile(name, header, 0o600),
		os.Truncate(name, int64(len(header))+8*18*count)); err != nil {
		t.Fatal(err)
	}
	c := config.Config{Problem: config.Functions}
	c.Data.TrainFile, c.Data.Boundary, c.Data.Endpoint = name, config.Closed, config.Included
	c, notes, err := Complete(t.Context(), c)
	if err != nil || c.Data.Train != most || c.Data.Test != count/5 ||
		!slices.Contains(notes, "many.npy: has 3145728 pairs, of which data.train takes 1048576") {
		t.Errorf("%d for training, %d for testing, %q, %v", c.Data.Train, c.Data.Test, notes, err)
	}
}

// Few test pairs are a weak test, which a note reports.
func TestFewTestPairsAreMentioned(t *testing.T) {
	for pairs, want := range map[int]string{
		3: "own.npy: the test error is the mean over 1 pair, which is uncertain: give more test pairs (data.test, " +
			"data.test_file), or judge by the leave-one-out error",
		17: "own.npy: the test error is the mean over 3 pairs, which is uncertain: give more test pairs (data.test, " +
			"data.test_file), or judge by the leave-one-out error",
		20: "",
	} {
		name, header := filepath.Join(t.TempDir(), "own.npy"), npy.Preamble([]int{pairs, 2, 9})
		if err := errors.Join(os.WriteFile(name, header, 0o600),
			os.Truncate(name, int64(len(header)+8*18*pairs))); err != nil {
			t.Fatal(err)
		}
		c := config.Config{Problem: config.Functions}
		c.Data.TrainFile, c.Data.Boundary, c.Data.Endpoint = name, config.Closed, config.Included
		_, notes, err := Complete(t.Context(), c)
		if said := strings.Join(notes[1:], "; "); err != nil || said != want {
			t.Errorf("%d pairs: %q, want %q, %v", pairs, said, want, err)
		}
	}
}

// Errors on a file with a finer grid than the training grid are measured on the latter, which a note reports.
func TestCoarserGridsAreMentioned(t *testing.T) {
	functions := func(K int) npy.Array {
		a := npy.Array{Shape: []int{20, 2, K}, Data: make([]float64, 20*2*K)}
		for i := range a.Data {
			a.Data[i] = math.Sin(2*math.Pi*float64(i%K)/float64(K-1) + float64(i/K))
		}
		return a
	}
	for K, want := range map[int]bool{129: false, 257: true} {
		c, err := config.PresetByName(config.Functions)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.TrainFile = arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), functions(K))
		c, notes, err := Complete(t.Context(), c)
		said := slices.ContainsFunc(notes, func(n string) bool {
			return strings.Contains(n, "measured on 129 of the file's 257")
		})
		if err != nil || said != want || c.TestGrid() != 129 {
			t.Errorf("K=%d: %q, %v", K, notes, err)
		}
	}
}

// Errors for pairs that are all left out, and for test pairs that take all, contain the number.
func TestNoPairsAreRefusedWithTheReason(t *testing.T) {
	a := npy.Array{Shape: []int{6, 2, 33}, Data: make([]float64, 6*2*33)}
	for i := range a.Data {
		a.Data[i] = math.Sin(2*math.Pi*float64(i%33)/32+float64(i/33)) * float64(1-i/33%2) // outputs are zero
	}
	file := arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), a)
	for _, test := range []struct{ key, want string }{
		{"data.skip=both", "has no pair that can be used: 6 of 6 pairs left out"},
		{"data.test=1000", "has 6 pairs, none of which is left for training: data.test takes 1000"},
	} {
		c, err := config.PresetByName(config.Functions)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.TrainFile = file
		if err := config.Assign(&c, test.key); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Complete(t.Context(), c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.key, err)
		}
	}
}
