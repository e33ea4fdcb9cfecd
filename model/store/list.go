// This file lists the runs below a directory.

package store

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/solver/fault"
)

// Entry is a run in a list. Its files but the manifest have not been looked at.
type Entry struct {
	Name     string
	Path     string
	Manifest Manifest  // if Fault is nil
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
		e := Entry{Name: d.Name(), Path: path}
		if e.Manifest, e.Fault = Read(path); e.Fault == nil && !e.Manifest.Complete() {
			e.Holder = Holder(path)
		}
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		switch {
		case (a.Fault == nil) != (b.Fault == nil):
			if a.Fault == nil {
				return -1
			}
			return 1
		case a.Fault != nil:
			return cmp.Compare(a.Name, b.Name)
		}
		return b.Manifest.Updated.Compare(a.Manifest.Updated)
	})
	return list, nil
}

// isRun says whether a directory looks like a run, if only a damaged one.
func isRun(path string) bool {
	for _, name := range []string{ManifestFile, ConfigFile} {
		if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
			return true
		}
	}
	return false
}
