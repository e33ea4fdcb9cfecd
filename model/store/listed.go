// This file describes runs for people and programs, and finds them by name.

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/fault"
)

// The states of a run in a list.
const (
	ListedComplete   = "complete"
	ListedUnfinished = "unfinished"
	ListedInUse      = "in use"
	ListedUnreadable = "unreadable"
)

// Listed is a run in a list. Its JSON form is an element of the output of `rfm show --json`.
type Listed struct {
	Name      string     `json:"name"`
	Path      string     `json:"path"`
	State     string     `json:"state"`              // complete, unfinished, in use or unreadable
	Progress  string     `json:"progress,omitempty"` // of an incomplete run, as "45% of training"
	Problem   string     `json:"problem,omitempty"`
	Method    string     `json:"method,omitempty"` // see Entry
	N         int        `json:"n,omitempty"`
	M         int        `json:"m,omitempty"`    // number of features; missing for methods without features
	Grid      int        `json:"grid,omitempty"` // training grid
	Test      int        `json:"test,omitempty"` // number of test pairs
	Seed      uint64     `json:"seed"`
	TestError *float64   `json:"test_error,omitempty"` // expected relative error
	Time      float64    `json:"time"`                 // wall time of all stages in seconds
	Bytes     int64      `json:"bytes"`
	Created   *time.Time `json:"created,omitempty"`
	Updated   *time.Time `json:"updated,omitempty"`
	Resumed   int        `json:"resumed"` // number of times the run was resumed
	Version   string     `json:"version,omitempty"`
	Note      string     `json:"note,omitempty"`    // of a user
	Sources   []Source   `json:"sources,omitempty"` // files of its pairs
	Holder    *Identity  `json:"holder,omitempty"`  // the process that uses the run
	Verified  *bool      `json:"verified,omitempty"`
	Faults    []string   `json:"faults,omitempty"`
	// files of its pairs that have changed, if verified
	Changed []string `json:"changed,omitempty"`
}

// Listed describes the run for people and programs. It does not read any files.
func (e Entry) Listed() Listed {
	l := Listed{Name: e.Name, Path: e.Path, State: ListedUnreadable, Method: e.Method, Note: e.Note}
	if e.Fault != nil {
		l.Faults = []string{e.Fault.Error()}
		return l
	}
	m := e.Manifest
	l.Problem, l.N, l.M, l.Grid, l.Test, l.Seed, l.TestError = m.Problem, m.Train, m.Features, m.Grid, m.Test, m.Seed,
		m.TestError
	var c config.Config
	if c.Train.Method = e.Method; e.Method != "" && !c.Method().Drawn {
		l.M = 0
	}
	l.Bytes, l.Created, l.Updated, l.Resumed, l.Version = m.Bytes(), &m.Created, &m.Updated, m.Resumed, m.Program.Version
	l.Holder, l.Time = e.Holder, m.Generating.Seconds+m.Training.Seconds+m.Evaluating.Seconds
	l.Sources = m.Sources
	switch {
	case m.Complete():
		l.State = ListedComplete
		return l
	case e.Holder != nil:
		l.State = ListedInUse
	default:
		l.State = ListedUnfinished
	}
	l.Progress = m.Progress()
	if m.Split != nil && e.Holder == nil { // workers make files of their own
		l.Progress = "split among workers"
	}
	return l
}

// Verify compares the run's files with their checksums, unless a process is changing them, and the files of its pairs
// with their stamps. It stores and returns the errors, which are as for Entry.Fault and Verify.
func (l *Listed) Verify(e Entry) []error {
	if l.Holder != nil {
		return nil
	}
	faults := []error{e.Fault}
	if e.Fault == nil {
		faults = Verify(e.Path)
	}
	intact := len(faults) == 0
	l.Verified, l.Faults = &intact, nil
	for _, err := range faults {
		l.Faults = append(l.Faults, err.Error())
	}
	l.Changed = e.Manifest.Changed()
	return faults
}

// Progress describes the progress of the first incomplete stage, as "45% of training".
func (m Manifest) Progress() string {
	name, stage := m.Next()
	doing := map[string]string{"generate": "generating", "train": "training", "evaluate": "evaluating"}
	return fmt.Sprintf("%d%% of %s", stage.Percent(), doing[name])
}

// newestName is the name of the complete run below a root that changed last, in place of a run's name.
const newestName = "@"

// Find returns the directory of the run called name: below root, or at the path name. name may also be newestName or a
// prefix that is unique below root; after a directory, in that directory. The error is a *fault.Data.
func Find(root, name string) (string, error) {
	const advice = "`rfm show` lists the runs"
	if name == "" {
		return "", &fault.Data{Where: `""`, What: "is no name of a run", Do: advice}
	}
	isDirectory := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir()
	}
	for _, path := range []string{filepath.Join(root, name), name} {
		if isDirectory(path) {
			return filepath.Clean(path), nil
		}
	}
	in, begin := root, name
	if directory, rest := filepath.Split(name); directory != "" {
		if in, begin = filepath.Join(root, directory), rest; !isDirectory(in) {
			in = filepath.Clean(directory)
		}
	}
	entries, err := List(in)
	if err != nil {
		return "", err
	}
	var found []string
	for _, e := range entries { // the last changed come first
		switch {
		case begin == newestName && e.Fault == nil && e.Manifest.Complete():
			return e.Path, nil
		case strings.HasPrefix(e.Name, begin):
			found = append(found, e.Name)
		}
	}
	switch {
	case len(found) == 1:
		return filepath.Join(in, found[0]), nil
	case len(found) > 1:
		const most = 4
		return "", &fault.Data{Where: name, What: fmt.Sprintf("begins the names of %d runs in %s: %s", len(found), in,
			strings.Join(found[:min(most, len(found))], ", ")), Do: "write more of the name"}
	case begin == newestName:
		return "", &fault.Data{Where: in, What: "has no complete run", Do: advice}
	}
	return "", &fault.Data{Where: name, What: fmt.Sprintf("is neither a run in %s nor the directory of one", root),
		Do: advice + ", --runs names another directory"}
}

// NewestUnfinished returns the unfinished run below root that changed last and is not in use. The error is a
// *fault.Data.
func NewestUnfinished(root string) (string, error) {
	entries, err := List(root)
	if err != nil {
		return "", err
	}
	busy := 0
	for _, e := range entries {
		switch {
		case e.Fault != nil || e.Manifest.Complete():
		case e.Holder != nil:
			busy++
		default:
			return e.Path, nil
		}
	}
	what := "has no unfinished run"
	if busy > 0 {
		what += fmt.Sprintf(" that no process works on (%d in use)", busy)
	}
	return "", &fault.Data{Where: root, What: what,
		Do: "`rfm show` lists the runs, --runs names another directory"}
}
