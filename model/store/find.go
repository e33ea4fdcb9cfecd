// This file finds runs by name, and reads configurations from presets and files.

package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// newestName is the name of the complete run below a root that changed last, in place of a run's name.
const newestName = "@"

// Find returns the directory of the run called name: below root, or at the path name. name may also be newestName or a
// prefix that is unique below root; after a directory, in that directory. The error is a *fault.Data.
func Find(root, name string) (string, error) {
	const advice = "`rfm show` lists the runs"
	if name == "" {
		return "", fault.Bad(`""`, advice, "is not the name of a run")
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
		case begin == newestName && e.Fault == nil && e.Run.Complete():
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
		return "", fault.Bad(name, "write more of the name", "begins the names of %d runs in %s: %s", len(found), in,
			strings.Join(found[:min(most, len(found))], ", "))
	case begin == newestName:
		return "", fault.Bad(in, advice, "has no complete run")
	}
	return "", fault.Bad(name, advice+", --runs names another directory", "is neither a run in %s nor the "+
		"directory of one", root)
}

// Unfinished returns the unfinished run below root that changed last, is not in use, and has one of some
// configurations; empty if there is none. The error is a *fault.Data.
func Unfinished(root string, of func(config.Config) bool) (string, error) {
	entries, err := List(root)
	for _, e := range entries {
		if e.State == ListedUnfinished && of(e.Run.Config) {
			return e.Path, nil
		}
	}
	return "", err
}

// Configuration returns the preset called source, or reads source if it looks like a file name. The result is not
// validated. The error is a *config.Error or a *fault.Data.
func Configuration(source string) (config.Config, error) {
	if !strings.ContainsAny(source, `/\.`) {
		c, err := config.PresetByName(source)
		if _, missing := os.Stat(source); err == nil || missing != nil {
			return c, err
		}
	}
	return ReadConfig(source)
}

// ReadConfig reads a configuration file. The result is not validated. The error is a *fault.Data, or one of
// config.Parse with the name of the file.
func ReadConfig(name string) (config.Config, error) {
	const most = 1 << 20 // far more than config.Parse accepts
	text, err := files.ReadFile(name, most)
	if err != nil {
		return config.Config{}, &fault.Data{Where: name, What: "cannot be read", Err: err,
			Do: "give a preset, a configuration file or a file of pairs"}
	}
	c, err := config.Parse(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
