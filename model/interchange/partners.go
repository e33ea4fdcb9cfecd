// This file finds inputs and outputs in two separate files.

package interchange

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
)

// partners returns the .npy files of inputs and outputs, if name is one of them and the other is next to it. Their
// names differ only in the word for inputs and outputs, as x_train.npy and y_train.npy.
func partners(name string) (in, out string, ok bool) {
	if filepath.Ext(name) != ".npy" {
		return "", "", false
	}
	entries, _ := os.ReadDir(filepath.Dir(name)) // an unreadable directory counts as empty
	inRest, isIn := without(name, inputNames)
	outRest, isOut := without(name, outputNames)
	for _, e := range entries {
		other := filepath.Join(filepath.Dir(name), e.Name())
		if filepath.Ext(other) != ".npy" || !e.Type().IsRegular() || filepath.Base(other) == filepath.Base(name) {
			continue
		}
		if rest, is := without(other, outputNames); isIn && is && slices.Equal(rest, inRest) {
			return name, other, true
		}
		if rest, is := without(other, inputNames); isOut && is && slices.Equal(rest, outRest) {
			return other, name, true
		}
	}
	return "", "", false
}

// without returns the words of a file's name except the one from a list; ok reports whether there is one.
func without(name string, list []string) (rest []string, ok bool) {
	all := words(strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)))
	at := slices.IndexFunc(all, func(w string) bool { return slices.Contains(list, w) })
	if at < 0 {
		return nil, false
	}
	return slices.Delete(all, at, at+1), true
}

// together returns advice to join two files into one.
func together(in, out string) string {
	return fmt.Sprintf("name a file of both, which Python makes:\n  import numpy\n  numpy.savez('pairs.npz', a=numpy.load(%q), "+
		"u=numpy.load(%q))", in, out)
}

// apart returns a *fault.Data for a file with only inputs or only outputs, if a file next to it holds the others, and
// nil otherwise.
func apart(f *exchange.File) error {
	in, out, ok := partners(f.Name)
	if !ok || f.Kind != exchange.NPY {
		return nil
	}
	return &fault.Data{Where: f.Name, What: fmt.Sprintf("is one array; by their names %s has the inputs and %s the outputs",
		filepath.Base(in), filepath.Base(out)), Do: together(in, out)}
}

// NoRun returns the *fault.Data for a directory that should be a stored run but is not.
func NoRun(directory string) error {
	err := &fault.Data{Where: directory, What: "is a directory, and not that of a stored run",
		Do: "`rfm show` lists the runs; to learn from pairs, name their file"}
	entries, _ := os.ReadDir(directory)
	const enough = 64 // names that are read: each is compared with all
	for _, e := range entries[:min(len(entries), enough)] {
		if in, out, ok := partners(filepath.Join(directory, e.Name())); ok {
			err.Do = together(in, out)
			break
		}
	}
	return err
}
