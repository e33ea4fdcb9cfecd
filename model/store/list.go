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

// Entry is a run in a list. Its files but the manifest have not been looked at.
type Entry struct {
	Name     string
	Path     string
	Manifest Manifest  // if Fault is nil
	Method   string    // key train.method; the one that was taken if that is best and the run is complete
	Note     string    // of a person, see Annotate
	Holder   *Identity // the process that works on it; nil if none does
	Fault    error     // why the run cannot be read, a *fault.Data
}

// List is the runs in the directories below root: those that changed last first, those that cannot be read last. A root
// that does not exist has none. The error is a *fault.Data if root cannot be read.
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

// NewEntry looks at the run in the directory path.
func NewEntry(path string) Entry {
	e := Entry{Name: filepath.Base(path), Path: path, Note: note(path)}
	if e.Manifest, e.Fault = Read(path); e.Fault != nil {
		return e
	}
	if c, err := e.Manifest.Config(path); err == nil { // whoever opens the run is told what is wrong with it
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

// taken is the method that a run took whose configuration asks for the best; config.Best if that is not known yet.
func (m Manifest) taken(path string) string {
	var report struct{ Method string }
	if !m.Complete() || m.ReadJSON(path, ReportFile, &report) != nil || report.Method == "" {
		return config.Best
	}
	return printable.Line(report.Method)
}

// Orders are what lists of runs can be sorted by.
func Orders() []string {
	return []string{"when", "name", "problem", "method", "n", "m", "error", "time", "size"}
}

// Sort sorts runs by one of Orders: words from a to z, numbers from small to large, those that changed last first; the
// other way round if that is asked for. What has no such number, or cannot be read, is at the end.
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

// isRun says whether a directory looks like a run, if only a damaged one.
func isRun(path string) bool {
	for _, name := range []string{ProgramFile, ConfigFile} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return true
		}
	}
	return false
}
