package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
)

// names returns the names of the runs below a directory.
func names(t *testing.T, root string) []string {
	t.Helper()
	list, err := List(root)
	noError(t, err)
	var all []string
	for _, e := range list {
		all = append(all, e.Name)
	}
	slices.Sort(all)
	return all
}

func TestNotesAreKeptWithTheRun(t *testing.T) {
	path := closed(t, begin(t, t.TempDir(), "x"))
	noError(t, Annotate(path, " two words \n"))
	d, err := Open(t.Context(), path) // sweeps files that are not the run's
	noError(t, err)
	closed(t, d)
	if e := NewEntry(path); e.Note != "two words" || e.Method != "features" {
		t.Errorf("%+v", e)
	}
	isData(t, Annotate(path, "a\x1b[2Jb"), "cannot be printed")
	isData(t, Annotate(path, strings.Repeat("x", mostNote+1)), "at most")
	isData(t, Annotate(filepath.Dir(path), "a"), "is not a run")
	noError(t, os.WriteFile(filepath.Join(path, noteFile), []byte("\x1b[2J"), 0o600))
	if n := NewEntry(path).Note; strings.Contains(n, "\x1b") {
		t.Errorf("note %q", n)
	}
	if err := Annotate(path, ""); err != nil || NewEntry(path).Note != "" {
		t.Error(err)
	}
}

func TestRunsInUseAreNotDeleted(t *testing.T) {
	d := begin(t, t.TempDir(), "x")
	_, err := Delete(d.Path, now)
	isData(t, err, "is in use by")
	closed(t, d)
}

// A deleted run can be restored whole until its time is over, even if its name has been reused.
func TestDeletedRunsComeBack(t *testing.T) {
	root := t.TempDir()
	first, err := Delete(closed(t, begin(t, root, "x")), now)
	noError(t, err)
	second, err := Delete(closed(t, begin(t, root, "x")), now.Add(time.Hour))
	if err != nil || first == second || len(names(t, root)) != 0 {
		t.Fatalf("%s, %s, %v: %v", first, second, err, names(t, root))
	}
	x := filepath.Join(root, "x")
	noError(t, errors.Join(Move(second, x), errors.Join(Verify(t.Context(), x)...)))
	isData(t, Move(first, x), "exists already")
	isData(t, Move(second, filepath.Join(root, "y")), "cannot be moved")
	if _, err := Delete(x, now.Add(deletedFor+time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(root, deletedDirectory)); len(got) != 1 {
		t.Errorf("kept: %v", got)
	}
}

func TestRunsAreSorted(t *testing.T) {
	small, large := 0.01, 0.2
	of := func(n, m int) (c config.Config) {
		c.Data.Train, c.Features.Count = n, m
		return c
	}
	list := []Entry{{Name: "torn", Fault: os.ErrInvalid},
		{Name: "b", Method: "kernel", Run: Run{Config: of(20, 8), TestError: &large, Updated: now}},
		{Name: "a", Run: Run{Config: of(10, 9), TestError: &small, Updated: now.Add(-time.Hour),
			Seconds: [3]float64{0, 3, 0}}},
		{Name: "c", Run: Run{Config: of(30, 7), Updated: now.Add(-time.Minute),
			Seconds: [3]float64{0, 1, 0}}}}
	for i := range list {
		list[i].Describe()
	}
	for _, test := range []struct {
		by, want string
	}{{"when", "b c a torn"}, {"name", "a b c torn"}, {"n", "a b c torn"}, {"m", "c a b torn"}, {"error", "a b c torn"},
		{"time", "b c a torn"}} {
		Sort(list, test.by)
		var got []string
		for _, e := range list {
			got = append(got, e.Name)
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %v, not %s", test.by, got, test.want)
		}
	}
}

// Methods without drawn features are listed without a number of features.
func TestOnlyDrawnFeaturesAreCounted(t *testing.T) {
	for method, want := range map[string]int{"": 8, config.RandomFeatures: 8, config.Best: 8,
		config.KernelRidge: 0, config.Linear: 0} {
		e := Entry{Name: "a", Method: method}
		e.Run.Config.Features.Count = 8
		if e.Describe(); e.M != want {
			t.Errorf("%q has %d features, not %d", method, e.M, want)
		}
	}
}
