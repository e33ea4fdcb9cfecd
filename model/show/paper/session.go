package paper

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/progress"
)

// Progress is a snapshot of a reproduction or of a study.
type Progress = progress.Progress

// Options control a reproduction.
type Options struct {
	Quick   bool   // smaller sizes: less than half a minute
	Seed    uint64 // root of every random stream
	Workers int    // goroutines that compute, which does not change results; 0 is one for each available core
	// Directory gets report.md, and of each study NAME.csv, NAME.svg and NAME.json, which is read again. The draws of a
	// study are in NAME-draw-N.json. An empty name stores nothing.
	Directory string
}

// DirectoryName returns the usual name of the directory. Quick results do not replace full ones.
func DirectoryName(quick bool) string {
	if quick {
		return "reproduction-quick"
	}
	return "reproduction"
}

// A Session computes studies one after another. It keeps their results, and the data and trained systems that several
// of them need. Result and Progress may be called at any time from any goroutine.
type Session struct {
	options Options
	program func() string                         // identifies the program
	plan    func(problem string, seeds bool) plan // of the studies, or of their seeds
	labs    map[string]*lab
	whole   tracker // of the reproduction
	tracker tracker // of the current study

	mutex   sync.Mutex
	results map[string]Result
}

// NewSession prepares a reproduction; it computes nothing.
func NewSession(o Options) *Session {
	o.Workers = machine.Workers(o.Workers)
	planFor := func(problem string, seeds bool) plan {
		if seeds {
			return seedsPlan(problem, o.Quick)
		}
		return planOf(problem, o.Quick)
	}
	return &Session{
		options: o,
		program: sync.OnceValue(program),
		labs:    map[string]*lab{},
		results: map[string]Result{},
		plan:    planFor,
	}
}

// Progress returns snapshots of the reproduction, in parts of studies, and of the current study.
func (s *Session) Progress() (whole, study progress.Progress) {
	return s.whole.Now().Progress, s.tracker.Now().Progress
}

// Result returns the result of a study, if the session has it.
func (s *Session) Result(name string) (r Result, ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	r, ok = s.results[name]
	return r, ok
}

// Keep gives the session a result.
func (s *Session) Keep(r Result) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.results[r.Name] = r
}

// Stored returns all results of the session and those in the directory that belong to its options, in the order of All.
func (s *Session) Stored() (results []Result) {
	for _, study := range All() {
		r, ok := s.find(study)
		if ok {
			results = append(results, r)
		}
	}
	return results
}

// find returns a result of the session or of the directory.
func (s *Session) find(study Study) (Result, bool) {
	r, ok := s.Result(study.Name)
	if ok {
		return r, true
	}
	r, ok = s.load(study.Name, study)
	if ok {
		s.Keep(r)
	}
	return r, ok
}

// parts returns the number of parts of a study: its draws of data and features.
func (s *Session) parts(study Study) int {
	if study.Item == "seeds" {
		return s.plan(study.Problem, true).draws
	}
	return 1
}

// Reproduce runs the studies without a result in the session or the directory. For each study, computed or found, in
// order, it writes the report and calls tell. After an error, also ctx.Err(), the directory contains the results of
// the finished studies and the finished draws of the interrupted one; calling Reproduce again resumes there. Errors
// are ctx.Err(), a *fault.Numerical, or a *fault.Data.
func (s *Session) Reproduce(ctx context.Context, studies []Study, tell func(r Result, stored bool) error) error {
	if err := s.open(); err != nil {
		return err
	}
	total := 0
	for _, study := range studies {
		total += s.parts(study)
	}
	s.whole.begin("parts", total)
	for i, study := range studies {
		r, stored := s.find(study)
		if stored {
			s.whole.Skip(s.parts(study))
		} else {
			var err error
			r, err = s.compute(ctx, study)
			if err != nil {
				return err
			}
		}
		err := s.write(files.Text("report.md", s.markdown()))
		if err == nil {
			err = tell(r, stored)
		}
		if err != nil {
			return err
		}
		needsLab := func(next Study) bool { return next.Problem == study.Problem }
		if !slices.ContainsFunc(studies[i+1:], needsLab) {
			delete(s.labs, study.Problem) // because it takes hundreds of megabytes at the paper's sizes
		}
	}
	return nil
}

// compute computes a study, keeps its result, and stores it.
func (s *Session) compute(ctx context.Context, study Study) (Result, error) {
	s.tracker.Set(func(p *engine.Progress) {
		p.Progress = progress.Progress{Stage: study.Name, Began: time.Now()}
	})
	r, err := study.run(ctx, s, study)
	if err != nil {
		if !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", study.Name, err)
		}
		return Result{}, err
	}
	if study.Item != "seeds" { // whose draws are counted
		s.whole.Advance(1)
	}
	r.Name = study.Name
	r.Title = study.Title
	r.Source = study.Source
	s.Keep(r)
	list, err := r.Files()
	if err == nil {
		err = s.write(append(list, s.file(r, study))...)
	}
	return r, err
}

// lab returns the problem with its data at the sizes of the session, generated on first use.
func (s *Session) lab(ctx context.Context, problem string) (l *lab, err error) {
	if s.labs[problem] == nil {
		l, err = newLab(ctx, s.plan(problem, false), s.options.Seed, s.options.Workers, &s.tracker)
		if err != nil {
			return nil, err
		}
		s.labs[problem] = l
	}
	return s.labs[problem], nil
}

// A tracker counts finished units of a study.
type tracker struct{ engine.Tracker }

// begin sets the unit of the work that begins, and its number.
func (t *tracker) begin(unit string, total int) {
	t.Set(func(p *engine.Progress) {
		p.Progress = progress.Progress{
			Stage: p.Stage,
			Note:  p.Note,
			Unit:  unit,
			Total: total,
			Began: time.Now(),
		}
	})
}

// marker is the file that identifies a directory of results.
const marker = ".rfm-reproduction"

const other = "choose another place with --out"

// open makes the directory if it does not exist. It refuses a directory with other files, which results could
// overwrite. The error is a *fault.Data.
func (s *Session) open() error {
	path := s.options.Directory
	if path == "" {
		return nil
	}
	err := os.MkdirAll(path, 0o777)
	if err != nil {
		return &fault.Data{
			Where: path,
			What:  "cannot be made",
			Err:   err,
			Do:    other,
		}
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return &fault.Data{
			Where: path,
			What:  "cannot be listed",
			Err:   err,
			Do:    other,
		}
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == marker }) {
		return nil
	}
	if len(entries) > 0 {
		return fault.Bad(path, other, "holds files that are not of a reproduction")
	}
	return s.write(files.Text(marker, nil))
}

// write writes files of the directory; the last one is there only if all are. The error is a *fault.Data.
func (s *Session) write(all ...files.File) error {
	d := s.options.Directory
	if d == "" {
		return nil
	}
	return fault.Unwritten(d, files.WriteAll(d, d, all...), "or "+other)
}

// key identifies the inputs of a result: the program, the options and all sizes.
func (s *Session) key(study Study) string {
	o := s.options
	o.Workers, o.Directory = 0, "" // do not change results
	h := sha256.New()
	fmt.Fprintf(h, "rfm study 5\n%s\n%s\n%+v\n", s.program(), study.Name, o)
	if study.Problem != scalarProblem {
		fmt.Fprintf(h, "%+v\n%+v\n", s.plan(study.Problem, false), s.plan(study.Problem, true))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// program identifies the program: by the version of a release, otherwise also by the executable, since builds from
// changed sources may compute other results under the same version.
func program() string {
	version := machine.Version()
	path, err := os.Executable()
	stamp, unread := files.TakeStamp(path)
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+dirty") || err != nil || unread != nil {
		return version
	}
	return fmt.Sprintf("%s %d %s", version, stamp.Size, stamp.Modified.Format(time.RFC3339Nano))
}

// entry is the content of a JSON file.
type entry struct {
	Key    string `json:"key"` // identifies the inputs of the result
	Result Result `json:"result"`
}

// load reads a result of a study, its own or that of a draw, if it comes from the same program, options and sizes. Any
// other file counts as missing, and will be replaced.
func (s *Session) load(name string, study Study) (r Result, ok bool) {
	if s.options.Directory == "" {
		return r, false
	}
	const limit = 1 << 28 // bytes; the largest results have some 10 MB
	text, err := files.ReadFile(filepath.Join(s.options.Directory, name+".json"), limit)
	var e entry
	if err != nil || json.Unmarshal(text, &e) != nil || e.Key != s.key(study) || e.Result.Name != name {
		return r, false
	}
	return e.Result, true
}

// file returns the file of a result for load.
func (s *Session) file(r Result, study Study) files.File {
	return store.JSON(r.Name+".json", entry{s.key(study), r}, " ")
}
