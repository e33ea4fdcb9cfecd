// This file stores runs: one directory each, every file written whole or not at all.

package experiment

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/dataset/npy"
	"rfm/solver/durable"
	"rfm/solver/fault"
)

// Store is the directory of one run.
type Store struct {
	Path string
}

// CreateStore makes the directory for a run of c below root and writes its configuration, so that a place that cannot
// be written is known before anything is computed. name is the directory's name; if it is empty one is made from the
// time, the problem and a hash of the configuration. The error is a *fault.Data.
func CreateStore(root, name string, c config.Config, now time.Time) (*Store, error) {
	if strings.ContainsAny(name, `/\`) || name == "." || name == ".." {
		return nil, &fault.Data{Where: fmt.Sprintf("run name %q", name), What: "must be a plain name", Do: "leave out directories; they are set with --runs"}
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, unwritable(root, err)
	}
	path := filepath.Join(root, name)
	if name == "" {
		hash := sha256.Sum256(c.TOML())
		path = filepath.Join(root, fmt.Sprintf("%s-%s-%x", now.Format("20060102-150405"), c.Problem, hash[:4]))
	}
	for attempt := 2; ; attempt++ {
		err := os.Mkdir(path, 0o777)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, unwritable(path, err)
		}
		if name != "" {
			return nil, &fault.Data{Where: path, What: "exists already", Do: "choose another --name; runs are never overwritten"}
		}
		base, _, _ := strings.Cut(path, "~")
		path = fmt.Sprintf("%s~%d", base, attempt)
	}
	s := &Store{path}
	if err := s.write("config.toml", c.TOML()); err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	return s, nil
}

func unwritable(path string, err error) error {
	return &fault.Data{Where: path, What: "cannot be made", Err: err, Do: "choose another place with --runs, or run with --no-save"}
}

// Save writes the results of a completed experiment: report.json, report.md, errors.csv with the relative error of every
// pair, alpha.npy. The error is a *fault.Data; the files that were written before it are whole.
func (s *Store) Save(e *Experiment) error {
	report, err := json.MarshalIndent(e.Summary(s.Path), "", "  ")
	if err != nil {
		return &fault.Data{Where: s.Path, What: "the report has no JSON form", Err: err}
	}
	var alpha bytes.Buffer
	if err := npy.Write(&alpha, npy.Array{Shape: []int{len(e.solution.Alpha)}, Data: e.solution.Alpha}); err != nil {
		return &fault.Data{Where: s.Path, What: "alpha cannot be written", Err: err}
	}
	var table bytes.Buffer
	table.WriteString("set,index,relative_error\n")
	for _, set := range []struct {
		name   string
		errors []float64
	}{{"train", e.evaluation.Train.Relative}, {"test", e.evaluation.Test.Relative}} {
		for i, v := range set.errors {
			fmt.Fprintf(&table, "%s,%d,%.17g\n", set.name, i, v)
		}
	}
	for _, file := range []struct {
		name string
		text []byte
	}{{"alpha.npy", alpha.Bytes()}, {"errors.csv", table.Bytes()}, {"report.md", []byte(e.Markdown(s.Path))}, {"report.json", append(report, '\n')}} {
		if err := s.write(file.name, file.text); err != nil {
			return err
		}
	}
	return nil
}

// Remove deletes the directory of a run that has no result.
func (s *Store) Remove() error { return os.RemoveAll(s.Path) }

// write makes a file appear whole, and durably.
func (s *Store) write(name string, text []byte) error {
	path := filepath.Join(s.Path, name)
	if err := durable.WriteFile(path, text); err != nil {
		return &fault.Data{Where: path, What: "cannot be written", Err: err, Do: "free some space or choose another place with --runs"}
	}
	return nil
}
