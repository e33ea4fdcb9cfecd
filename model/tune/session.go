// This file takes a search from its training pairs to its result, for the command and the interface.

package tune

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/progress"
)

// Session is one search, which may be stopped and resumed. A search that is kept survives the program: its evaluations
// are units in a directory. While one goroutine works on it, others may only call Made, Snapshot and Evaluations.
type Session struct {
	Asked    config.Config // the initial configuration; files may leave its sizes open
	Files    setup.Files   // of the pairs, as far as they are open
	Complete config.Config // with the sizes from the files
	Ended    bool          // rescoring is complete: the search was not only stopped

	pairs   dataset.Pairs                     // once they are made
	making  atomic.Pointer[engine.Experiment] // that makes them
	tuner   atomic.Pointer[tuner]
	rows    []row  // the evaluations when it was stopped
	file    string // of the result, next to the directory of the search; empty if nothing is kept
	workers int    // of the search
}

// Check completes the configuration and checks it. The error is a *config.Error or a *fault.Data.
func (s *Session) Check(ctx context.Context) (err error) {
	if s.Complete, _, err = s.Files.Complete(ctx, s.Asked); err != nil {
		return err
	}
	c := s.Complete // the search has no test pairs, and at most the features of the experiment
	c.Data.Test, c.Features.Pool = 1, 0
	return machine.CheckBytes("this search", c.Cost().Bytes, "lower data.train, data.grid or features.count")
}

// Obtain checks the configuration and makes the training pairs, unless they exist. The experiment from, which may be
// nil, lends its pairs if they are the same on the same grid. The error is Check's or that of engine's.
func (s *Session) Obtain(ctx context.Context, from *engine.Experiment, workers int) error {
	if s.pairs.Count() > 0 {
		return nil
	}
	if err := s.Check(ctx); err != nil {
		return err
	}
	own := engine.Complete(s.Complete, engine.Options{Workers: workers, Files: s.Files})
	s.Files = setup.Files{} // own closes them
	if from != nil && own.Reuse(from) {
		s.pairs, _ = own.Pairs()
		return own.Close()
	}
	s.making.Store(own)
	var err error
	s.pairs, err = own.TrainingPairs(ctx)
	return err
}

// Made returns the number of training pairs made so far.
func (s *Session) Made() progress.Progress {
	if e := s.making.Load(); e != nil && e.Progress().Stage != "" {
		return e.Progress().Progress
	}
	return progress.Progress{Unit: "training pairs", Total: s.Asked.Data.Train}
}

// trials is the array of stored evaluations.
const trials = "trials.npy"

// units returns the stored evaluations of a search for the given result. Their key determines the search.
func (s *Session) units(file string) store.Units {
	const version = 5 // raised whenever old evaluations would not lead to the same search
	return store.NewUnits(file+".search", fmt.Sprintf("search %d\n%s", version, s.Complete.TOML()))
}

// KeepBeside keeps the search in a directory next to the file for its result, and loads an existing search of the same
// complete configuration. It returns the number of its models. The error is a *fault.Data.
func (s *Session) KeepBeside(file string) (models int, err error) {
	units := s.units(file)
	list, err := units.Of(trials)
	var rows []row
	for _, u := range list {
		a, failure := units.Read(u)
		if first, count := u.Rows(); failure != nil || first != len(rows) || len(a.Data) != count*len(row{}) {
			return 0, fault.Bad(units.Path(), "give that configuration, or another --out, or remove it",
				"belongs to the search from another configuration, or is damaged")
		}
		for ; len(a.Data) > 0; a.Data = a.Data[len(row{}):] {
			rows = append(rows, row(a.Data[:len(row{})]))
		}
	}
	if err == nil {
		s.file, s.rows = file, rows
	}
	return len(rows), err
}

// KeepAs is KeepBeside with the first of NAME.toml, NAME-2.toml, ... that neither exists nor belongs to another search,
// unless the session has a file already.
func (s *Session) KeepAs(name string) (models int, err error) {
	if s.file != "" {
		return len(s.rows), nil
	}
	base := strings.TrimSuffix(name, ".toml")
	for number := 1; ; number++ {
		if number > 1 {
			name = fmt.Sprintf("%s-%d.toml", base, number)
		}
		const most = 100
		if _, there := os.Lstat(name); errors.Is(there, fs.ErrNotExist) || number == most {
			if models, err = s.KeepBeside(name); err == nil || number == most {
				return models, err
			}
		}
	}
}

// Begin starts or resumes the search; done is the number of models that were tried before. Errors: a *config.Error if
// theta comes from a file, a *fault.Data if there are too few pairs or the directory of the search cannot be made.
func (s *Session) Begin(o Options) (done int, err error) {
	s.workers = max(1, o.Workers)
	o.known = s.rows
	if units := s.units(s.file); s.file != "" {
		if err := os.Mkdir(units.Path(), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return 0, fault.Unwritten(units.Path(), err, "choose another --out")
		}
		o.keep = func(first int, rows []row) error {
			a := npy.Array{Shape: []int{len(rows), len(row{})}}
			for _, r := range rows {
				a.Data = append(a.Data, r[:]...)
			}
			return units.Write(store.RowsName(trials, first, len(rows)), func(w io.Writer) error { return npy.Write(w, a) })
		}
	}
	tuner, err := newTuner(s.Complete, s.pairs, o)
	if err == nil {
		s.tuner.Store(tuner)
	}
	return len(s.rows), err
}

// Run searches until the bound is reached or ctx ends, and returns the best result so far, after the end of ctx with
// ctx's error. Other errors: a *fault.Data if an output is zero or evaluations cannot be stored.
func (s *Session) Run(ctx context.Context) (Result, error) {
	tuner := s.tuner.Load()
	result, err := tuner.run(ctx)
	s.rows, s.Ended = tuner.rows, err == nil
	return result, err
}

// Save writes a configuration to the file for the result. Unfinished files are in the directory of the search.
func (s *Session) Save(c config.Config) error {
	text := files.Text(filepath.Base(s.file), c.TOML())
	return fault.Unwritten(s.file, files.WriteAll(s.Directory(), filepath.Dir(s.file), text), "choose another --out")
}

// Adopt returns configuration c with the features that the search has found, and the core time of the search.
func (s *Session) Adopt(c, found config.Config) config.Config {
	c = Adopt(c, found)
	if now := s.Snapshot(); now != nil {
		c.Train.Searched += now.Elapsed.Seconds() * float64(s.workers)
	}
	return c
}

// Adopt returns a configuration with the features and the ridge of another one of the same problem, but its own number
// of features and pool. If both take their pairs from one file, it is split as for the search: another seed must not
// test on pairs that the search has seen.
func Adopt(c, from config.Config) config.Config {
	for _, k := range c.Keys() {
		if !k.Tuned {
			continue
		}
		if err := k.Set(&c, k.Text(from)); err != nil {
			panic("tune: " + err.Error()) // a valid configuration has valid values
		}
	}
	if c.Data.Split == 0 && c.Data.TrainFile == from.Data.TrainFile {
		c.Data.Split = from.Data.Split
	}
	return c
}

// Forget removes the directory of the search when the result is stored elsewhere or not wanted. Files that are not the
// search's stay. The error is a *fault.Data.
func (s *Session) Forget() error {
	if s.file == "" {
		return nil
	}
	units := s.units(s.file)
	units.Remove(trials)
	_ = files.RemoveTemporary(units.Path(), 0) // of a killed process
	s.rows = nil
	if err := os.Remove(units.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{Where: units.Path(), What: "cannot be removed", Err: err}
	}
	return nil
}

// Snapshot returns the progress of the search; nil before its start.
func (s *Session) Snapshot() *Snapshot {
	if t := s.tuner.Load(); t != nil {
		return t.snapshot.Load()
	}
	return nil
}

// Evaluations returns all evaluations so far; it may be called at any time.
func (s *Session) Evaluations() []Evaluation {
	if t := s.tuner.Load(); t != nil {
		return t.all()
	}
	return nil
}

// Kept reports whether evaluations are stored.
func (s *Session) Kept() bool { return s.file != "" && len(s.rows) > 0 }

// Directory returns the directory of the search.
func (s *Session) Directory() string { return s.units(s.file).Path() }
