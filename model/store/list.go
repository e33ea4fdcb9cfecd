package store

import (
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// Entry is a run in a list. Its products have not been verified.
type Entry struct {
	Name     string
	Path     string
	Manifest Manifest  // valid if Fault is nil
	Method   string    // key train.method; the chosen method if that is best and the run is complete
	Note     string    // of a user; see Annotate
	Holder   *Identity // the process that uses the run; nil if none does
	Fault    error     // a *fault.Data if the run cannot be read
}

// List returns the runs in the directories below root: the last changed first, unreadable ones last. A root that does
// not exist has none. The error is a *fault.Data if root cannot be read.
func List(root string) ([]Entry, error) {
	directories, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault.Data{Where: root, What: "cannot be listed", Err: err, Do: "choose another place with --runs"}
	}
	var list []Entry
	for _, d := range directories {
		path := filepath.Join(root, d.Name())
		if strings.HasPrefix(d.Name(), ".") || !isRun(path) {
			continue
		}
		list = append(list, NewEntry(path))
	}
	Sort(list, "when", false)
	return list, nil
}

// NewEntry reads the run in the directory path.
func NewEntry(path string) Entry {
	e := Entry{Name: filepath.Base(path), Path: path, Note: note(path)}
	if e.Manifest, e.Fault = Read(path); e.Fault != nil {
		return e
	}
	if c, err := e.Manifest.Config(path); err == nil { // opening the run reports errors of the configuration
		e.Method = c.Train.Method
	}
	if e.Method == config.Best {
		e.Method = e.Manifest.taken(path)
	}
	if !e.Manifest.Complete() {
		e.Holder = Holder(path)
	}
	return e
}

// taken returns the chosen method of a run with method best; config.Best if it is not known yet.
func (m Manifest) taken(path string) string {
	var report struct{ Method string }
	if !m.Complete() || m.ReadJSON(path, ReportFile, &report) != nil || report.Method == "" {
		return config.Best
	}
	return printable.Line(report.Method)
}

// Orders returns the keys by which lists of runs can be sorted.
func Orders() []string {
	return []string{"when", "name", "problem", "method", "n", "m", "error", "time", "size"}
}

// Sort sorts runs by one of Orders: words from a to z, numbers ascending, the last changed first; in the opposite order
// if reversed. Runs without the value, and unreadable ones, come last.
func Sort(list []Entry, by string, reversed bool) {
	none := math.Inf(1)
	if reversed {
		none = math.Inf(-1)
	}
	value := func(e Entry) (number float64, word string) {
		l := e.Listed()
		switch by {
		case "name":
			return 0, l.Name
		case "problem":
			return 0, l.Problem
		case "method":
			return 0, l.Method
		case "n":
			return float64(l.N), ""
		case "m":
			if l.M == 0 {
				return none, ""
			}
			return float64(l.M), ""
		case "time":
			return l.Time, ""
		case "size":
			return float64(l.Bytes), ""
		case "error":
			if l.TestError != nil {
				return *l.TestError, ""
			}
			return none, ""
		}
		return -float64(e.Manifest.Updated.UnixNano()), ""
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		if (a.Fault == nil) != (b.Fault == nil) {
			if a.Fault == nil {
				return -1
			}
			return 1
		}
		x, s := value(a)
		y, t := value(b)
		order := cmp.Or(cmp.Compare(x, y), cmp.Compare(s, t))
		if reversed {
			return -order
		}
		return order
	})
}

// isRun reports whether a directory looks like a run, possibly a damaged one.
func isRun(path string) bool {
	for _, name := range []string{ProgramFile, ConfigFile} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return true
		}
	}
	return false
}
