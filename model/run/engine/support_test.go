package engine

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/solver/base/files"
)

// Child is the work of the processes that the test binary starts: the variable childWork of their environment names it
// and its directory.
var Child func(work, directory string) error

const childWork = "RFM_TEST_CHILD"

func TestMain(m *testing.M) {
	if work, directory, _ := strings.Cut(os.Getenv(childWork), " "); work != "" {
		if err := Child(work, directory); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv("RFM_TEST_MEMORY") == "" { // tests hold little and allocate much: they take a fifth less time
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// Start starts a process that does some work in a directory.
func Start(t *testing.T, work, directory string, variables ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(append(os.Environ(), childWork+"="+work+" "+directory), variables...)
	cmd.Stderr = new(bytes.Buffer)
	noError(t, cmd.Start())
	return cmd
}

// Eager are options with which every step of an array becomes a unit, Impatient workers with a short patience.
var Eager, Impatient = eager(2), impatient

// eager returns options with which every step of an array becomes a unit.
func eager(workers int) Options { return Options{Workers: workers, unitTime: time.Nanosecond} }

// begin returns an experiment.
func begin(t testing.TB, c config.Config, o Options) *Experiment {
	t.Helper()
	e, err := New(t.Context(), c, o)
	noError(t, err)
	return e
}

// reopened opens a stored run.
func reopened(t testing.TB, path string, o Options) *Experiment {
	t.Helper()
	e, err := Open(t.Context(), path, o)
	noError(t, err)
	return e
}

// In returns the options of a stored run.
func (o Options) In(runs, name string, resume bool) Options {
	o.Runs, o.Name, o.Resume = runs, name, resume
	return o
}

// stageOf checks a run that is not in use and returns its stage.
func stageOf(t *testing.T, directory string) string {
	t.Helper()
	if _, err := os.Stat(directory); errors.Is(err, fs.ErrNotExist) {
		return "nothing"
	}
	for _, fault := range store.Verify(t.Context(), directory) {
		t.Error(fault)
	}
	m, err := store.Read(directory)
	noError(t, err)
	for i, s := range slices.Backward(m.Stages[:]) {
		switch {
		case i < m.Reached():
			return s.Stage + " complete"
		case s.Done > 0 || m.Seconds[i] > 0:
			return s.Stage + " partial"
		}
	}
	return "created"
}

func equalContents(t *testing.T, name string, got, want map[string][]byte) {
	t.Helper()
	if a, b := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(a, b) {
		t.Errorf("%s: files %v, want %v", name, a, b)
	}
	for file, text := range want {
		if !bytes.Equal(got[file], text) {
			t.Errorf("%s: %s differs from that of an uninterrupted run", name, file)
		}
	}
}

func noTemporaryFiles(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Dir(path) == root && d.IsDir() && files.Temporary(d.Name()) {
			return fs.SkipDir // of a process killed while it made the directory; others keep it for a day
		}
		if err == nil && (strings.HasPrefix(d.Name(), ".") || d.Name() == store.UnitsDirectory ||
			d.Name() == store.LockFile) {
			t.Errorf("%s is left", path)
		}
		return err
	})
	noError(t, err)
}
