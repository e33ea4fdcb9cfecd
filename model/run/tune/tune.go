// Package tune adapts the parameters of random features to training data: it searches for parameters with which a model
// of one part of the pairs predicts the other part best. It takes training pairs only, never test pairs.
//
// The search is differential evolution (Storn & Price 1997) over all parameters, choices among them. Few features on a
// coarse grid make evaluations cheap, and fixed draws and a fixed split make them comparable. Because the ranking may
// depend on these draws, the best few are scored again on fresh draws and other splits, with the configured number of
// features (up to 1024). The best by these scores is the result.
package tune

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/parallel"
	"rfm/solver/base/progress"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
)

// Options bound a search and configure its computation.
type Options struct {
	// Evaluations bounds the search before the best are scored again, in evaluations of the cheapest kind: one with twice
	// the features counts four times. 0 is no bound.
	Evaluations int
	// Time bounds the whole search, including the time before it was resumed: evaluations not complete by then are given
	// up. 0 is no bound. At least one of the two bounds is needed. With Evaluations alone the result is a function of the
	// configuration, the pairs and Seed.
	Time time.Duration
	// Seed is the root of the search's random streams.
	Seed uint64
	// Workers is the number of goroutines that compute; it does not change the result.
	Workers int

	report func() // called after every few evaluations; may be nil
}

// Stage is the purpose of evaluations.
type Stage int

// The stages, in their order.
const (
	Start      Stage = iota // the initial configuration
	Explore                 // random parameters
	Evolve                  // differential evolution
	Confirm                 // the same with more features
	Rescore                 // the best few on fresh draws and other splits
	stageCount = iota
)

// String returns the stage in a few words.
func (s Stage) String() string {
	return [...]string{"the start", "random parameters", "evolution", "more features", "fresh draws"}[s]
}

// request is a requested evaluation.
type request struct {
	Stage    Stage
	Place    Place
	Features int // m
	Draw     int // number of the draw and split; 0 for the search
}

// An Evaluation is one model that was trained and validated.
type Evaluation struct {
	request
	Error    float64 // mean relative L2 error on the pairs that were left out, at most 1
	Relative float64 // lambda of that error, relative to the largest eigenvalue
	scores   scores
}

// evaluated returns the evaluation of a request.
func (r request) evaluated(s scores) Evaluation {
	e := Evaluation{request: r, scores: s}
	e.Error, e.Relative = s.least()
	return e
}

// row is a stored evaluation: stage, m, draw, fingerprint of the place, seconds that the search had taken by then, and
// the scores. A search makes the same requests whenever it is repeated, so the scores suffice; the other numbers show
// that the requests are the same.
type row [5 + len(rfm.Relatives)]float64

func (e Evaluation) row(seconds float64) (r row) {
	copy(r[:], []float64{float64(e.Stage), float64(e.Features), float64(e.Draw), e.Place.fingerprint(), seconds})
	copy(r[5:], e.scores[:])
	return r
}

func (r row) features() int    { return int(r[1]) }
func (r row) draw() int        { return int(r[2]) }
func (r row) seconds() float64 { return r[4] }

// evaluate makes evaluations in parallel, or finds those that a resumed search has made already. The results are in the
// order of the requests. After an error it records none of the new ones.
func (s *Session) evaluate(ctx context.Context, requests []request) ([]Evaluation, error) {
	first := len(s.evaluations)
	known := s.rows[first:min(len(s.rows), first+len(requests))]
	results := make([]Evaluation, len(requests))
	for i, r := range known {
		if asked := (Evaluation{request: requests[i]}).row(0); !slices.Equal(r[:4], asked[:4]) {
			return nil, &fault.Data{
				Where: "stored search",
				What:  fmt.Sprintf("evaluation %d is not the one that the search makes there", first+i),
				Do: "resume with the program and on the kind of processor that began, or " +
					"start the search again",
			}
		}
		results[i] = requests[i].evaluated(scores(r[5:]))
	}
	begin := s.clock()
	fresh := results[len(known):]
	outer := max(1, min(s.options.Workers, len(fresh)))
	inner := max(1, s.options.Workers/outer)
	err := parallel.For(ctx, outer, len(fresh), func(_, i int) error {
		r := requests[len(known)+i]
		found, err := s.problem.trial(r).score(ctx, configuration(s.space, s.start, r.Place), inner)
		fresh[i] = r.evaluated(found)
		return err
	})
	if err != nil {
		return nil, err
	}
	s.mutex.Lock()
	s.evaluations = append(s.evaluations, results...)
	took := s.elapsed()
	for _, e := range fresh {
		s.rows = append(s.rows, e.row(took))
	}
	s.mutex.Unlock()
	if len(fresh) == 0 {
		return results, nil
	}
	s.unit = s.clock().Sub(begin).Seconds() / s.cost(requests[len(known):])
	s.publish()
	err = s.keep(first + len(known))
	if s.options.report != nil {
		s.options.report()
	}
	return results, err
}

// cost returns the cost of evaluations, in units of the cheapest kind: it grows as the pairs and as the square of the
// features.
func (s *Session) cost(requests []request) float64 {
	sum := 0.0
	count := s.problem.pairs.Count()
	for _, r := range requests {
		ratio := float64(r.Features) / float64(s.problem.features)
		ratio *= ratio
		if r.Draw > 0 {
			ratio *= float64(min(rescorePairs, count)) / float64(min(searchPairs, count))
		}
		sum += ratio
	}
	return sum
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// elapsed returns the seconds of the search, in all sessions.
func (s *Session) elapsed() float64 {
	return s.before + s.clock().Sub(s.begun).Seconds()
}

// Session is one search, which may be stopped and resumed. A search that is kept survives the program: its evaluations
// are units in a directory. While one goroutine works on it, others may only call Made, Snapshot and Evaluations.
type Session struct {
	Asked    config.Config // the initial configuration; files may leave its sizes open
	Files    reading.Files // of the pairs, as far as they are open
	Complete config.Config // with the sizes from the files
	Ended    bool          // rescoring is complete: the search was not only stopped

	file    string                            // of the result, next to the directory of the search; empty: not kept
	making  atomic.Pointer[engine.Experiment] // that makes the pairs
	pairs   dataset.Pairs                     // once they are made
	options Options
	start   config.Config // Complete, with the seed that splits files
	space   []dimension
	problem problem
	clock   func() time.Time // time.Now, except in tests
	begun   time.Time        // of this sitting
	before  float64          // seconds of the sittings before
	unit    float64          // seconds of a cheapest evaluation, from the last ones; 0 before any

	mutex       sync.Mutex
	evaluations []Evaluation
	rows        []row // evaluations as they are stored; more than evaluations during a replay

	snapshot atomic.Pointer[Snapshot]
}

// Check completes the configuration and checks it. The error is a *config.Error or a *fault.Data.
func (s *Session) Check(ctx context.Context) (err error) {
	s.Complete, _, err = s.Files.Complete(ctx, s.Asked)
	if err != nil {
		return err
	}
	c := s.Complete // the search has no test pairs, and at most the features of the experiment
	c.Data.Test = 1
	c.Features.Pool = 0
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
	s.Files = reading.Files{} // own closes them
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
	const version = 6 // raised whenever old evaluations would not lead to the same search
	return store.Units{Path: file + ".search", Key: fmt.Sprintf("search %d\n%s", version, s.Complete.TOML())}
}

// KeepBeside keeps the search in a directory next to the file for its result, and loads an existing search of the same
// complete configuration. It returns the number of its models. The error is a *fault.Data.
func (s *Session) KeepBeside(ctx context.Context, file string) (models int, err error) {
	units := s.units(file)
	list, err := units.Of(trials)
	var rows []row
	for _, u := range list {
		a, failure := units.Read(ctx, u)
		first, count := u.Rows()
		if failure != nil || first != len(rows) || len(a.Data) != count*len(row{}) {
			return 0, &fault.Data{
				Where: units.Path,
				What:  "belongs to the search from another configuration, or is damaged",
				Do:    "give that configuration, or another --out, or remove it",
			}
		}
		for ; len(a.Data) > 0; a.Data = a.Data[len(row{}):] {
			rows = append(rows, row(a.Data[:len(row{})]))
		}
	}
	if err != nil {
		return 0, err
	}
	s.file = file
	s.rows = rows
	return len(rows), nil
}

// KeepAs is KeepBeside with the first of NAME.toml, NAME-2.toml, ... that neither exists nor belongs to another search,
// unless the session has a file already.
func (s *Session) KeepAs(ctx context.Context, name string) (models int, err error) {
	if s.file != "" {
		return len(s.rows), nil
	}
	base := strings.TrimSuffix(name, ".toml")
	for number := 1; ; number++ {
		if number > 1 {
			name = fmt.Sprintf("%s-%d.toml", base, number)
		}
		const most = 100
		last := number == most
		_, there := os.Lstat(name)
		if !errors.Is(there, fs.ErrNotExist) && !last {
			continue
		}
		models, err = s.KeepBeside(ctx, name)
		if err == nil || last {
			return models, err
		}
	}
}

// Begin prepares the search with the training pairs, to start or to resume; done is the number of models that were
// tried before. It panics if Options have no bound. Errors: a *config.Error if theta comes from a file, which leaves
// nothing to tune, a *fault.Data if there are too few pairs, no grid to search on, or no directory for the search.
func (s *Session) Begin(o Options) (done int, err error) {
	if o.Evaluations <= 0 && o.Time <= 0 {
		panic("tune: a search without a bound")
	}
	if given := s.Complete.Features.ThetaFile; given != "" {
		return 0, &config.Error{
			Key:        "features.theta_file",
			Value:      given,
			Problem:    "leaves nothing to tune: theta is given",
			Suggestion: "leave it out",
		}
	}
	if s.file != "" {
		err := os.Mkdir(s.Directory(), 0o777)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return 0, fault.Unwritten(s.Directory(), err, "or choose another --out")
		}
	}
	s.problem, err = newProblem(s.Complete, s.pairs, o.Seed)
	if err != nil {
		return 0, err
	}
	s.options = o
	s.start = s.Complete.WithSplit()
	s.space = newSpace(s.Complete)
	s.clock = time.Now
	s.begun = time.Time{}
	s.unit = 0
	s.evaluations = nil // those of earlier sittings are replayed from their rows
	s.before = 0
	done = len(s.rows)
	if done > 0 {
		s.before = s.rows[done-1].seconds()
	}
	s.publish()
	return done, nil
}

// keep stores the evaluations from a number on.
func (s *Session) keep(first int) error {
	if s.file == "" {
		return nil
	}
	rows := s.rows[first:]
	a := npy.Array{Shape: []int{len(rows), len(row{})}}
	for _, r := range rows {
		a.Data = append(a.Data, r[:]...)
	}
	name := store.RowsName(trials, first, len(rows))
	return s.units(s.file).Write(name, func(w io.Writer) error {
		return npy.Write(w, a)
	})
}

// Run searches until the bound is reached or ctx ends, and returns the best result so far, after the end of ctx with
// ctx's error. Other errors: a *fault.Data if evaluations cannot be stored. Begin precedes every call.
func (s *Session) Run(ctx context.Context) (Result, error) {
	s.begun = s.clock()
	bounded := ctx
	if s.options.Time > 0 {
		var cancel context.CancelFunc
		bounded, cancel = context.WithTimeout(ctx, s.options.Time-seconds(s.before))
		defer cancel()
	}
	err := s.search(bounded)
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		err = nil
	}
	s.publish()
	s.Ended = err == nil
	return s.result(), err
}

// Save writes a configuration to the file for the result. Unfinished files are in the directory of the search.
func (s *Session) Save(c config.Config) error {
	text := files.Text(filepath.Base(s.file), c.TOML())
	return fault.Unwritten(s.file, files.WriteAll(s.Directory(), filepath.Dir(s.file), text), "or choose another --out")
}

// Adopt returns configuration c with the features that the search has found, and the core time of the search.
func (s *Session) Adopt(c, found config.Config) config.Config {
	c = Adopt(c, found)
	if now := s.Snapshot(); now != nil {
		c.Train.Searched += now.Elapsed.Seconds() * float64(max(1, s.options.Workers))
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
		err := k.Set(&c, k.Text(from))
		if err != nil {
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
	_ = files.RemoveTemporary(units.Path, 0) // of a killed process
	s.rows = nil
	if err := os.Remove(units.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &fault.Data{
			Where: units.Path,
			What:  "cannot be removed",
			Err:   err,
		}
	}
	return nil
}

// Snapshot returns the progress of the search; nil before its start.
func (s *Session) Snapshot() *Snapshot { return s.snapshot.Load() }

// Evaluations returns all evaluations so far; it may be called at any time.
func (s *Session) Evaluations() []Evaluation {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.evaluations)
}

// Kept reports whether evaluations are stored.
func (s *Session) Kept() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.file != "" && len(s.rows) > 0
}

// Directory returns the directory of the search.
func (s *Session) Directory() string { return s.units(s.file).Path }
