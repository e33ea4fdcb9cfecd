// This file finds the things that arguments name.

package command

import (
	"os"
	"path/filepath"

	"rfm/model/store"
	"rfm/model/sweep"
)

// subject is the kind of the arguments of a command.
type subject string

const (
	listOfRuns  subject = "the list of runs"
	oneRun      subject = "one run"
	oneSweep    subject = "a sweep"
	severalRuns subject = "several runs"
	someFiles   subject = "files"
)

// locate returns the kind and the path of the thing that an argument names: a file, or a sweep or a run by its path, by
// its name below --runs, or as store.Find does.
func (a *app) locate(arg string) (subject, string, error) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return someFiles, arg, nil
	}
	for _, path := range []string{arg, filepath.Join(a.runs, arg)} {
		if _, err := sweep.Open(path); err == nil {
			return oneSweep, filepath.Clean(path), nil
		}
	}
	path, err := store.Find(a.runs, arg)
	return oneRun, path, err
}

// source returns the preset, file or run in args, or otherwise if there is none.
func source(args []string, otherwise string) string {
	if len(args) == 1 {
		return args[0]
	}
	return otherwise
}

// exists reports whether a path names something.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
