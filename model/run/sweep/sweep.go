// Package sweep computes one configuration with every combination of some keys' values. A sweep is a directory with one
// run per cell, and a file that lists the cells:
//
//	sweep.json                    the configuration, and the values of the keys
//	features.count=512,seed=1/    a run
//	features.count=512,seed=2.failed   the error of a failed run
//	sweep.csv, sweep.svg          the outcomes of the cells, if written
//
// Every cell resumes separately after an interruption, and any number of processes may work on a sweep.
package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// sweepLock is the name of the file that a process locks while it changes the file of the sweep.
const sweepLock = ".lock"

// most is the largest number of cells.
const most = 10000

// Axis is a key and its values.
type Axis struct {
	Key    string   `json:"key"`
	Values []string `json:"values"` // in the syntax of assignments
}

// Sweep is all combinations of the axes' values.
type Sweep struct {
	Directory string
	Base      config.Config
	Axes      []Axis
}

// Cell is one combination of values.
type Cell struct {
	Name   string   // name of its run
	Values []string // one for each axis
	Config config.Config
	Fault  error // *config.Error if such a run cannot exist; else nil
}

// ParseAxis parses KEY=VALUES for a configuration: values are separated by commas, and A..B means the whole numbers
// from A to B. The error is a *config.Error.
func ParseAxis(c config.Config, text string) (Axis, error) {
	wrong := func(problem string) error {
		return &config.Error{
			Key:        "--vary " + text,
			Problem:    problem,
			Suggestion: "write a key and its values, for example seed=1..20 or features.count=512,1024",
		}
	}
	name, list, hasValues := strings.Cut(text, "=")
	if !hasValues || list == "" {
		return Axis{}, wrong("gives no values")
	}
	key, err := c.Lookup(strings.TrimSpace(name))
	if err != nil {
		return Axis{}, err
	}
	if key.Name == "problem" {
		return Axis{}, &config.Error{
			Key:        "--vary problem",
			Problem:    "cannot be varied: every problem has keys of its own",
			Suggestion: "run a sweep for each",
		}
	}
	a := Axis{Key: key.Name}
	for item := range strings.SplitSeq(list, ",") {
		values, problem := expanded(item)
		if problem != "" {
			return Axis{}, wrong(problem)
		}
		for _, value := range values {
			copied := c
			err := key.Set(&copied, value)
			if err != nil {
				return Axis{}, err
			}
			usual := key.Text(copied) // one form for 0.5 and 5e-1
			if !slices.Contains(a.Values, usual) {
				a.Values = append(a.Values, usual)
			}
		}
	}
	return a, nil
}

// expanded returns the values that an item of a list stands for: itself, or the whole numbers from A to B for A..B. The
// problem of a range that is none is returned in words.
func expanded(item string) (values []string, problem string) {
	from, to, isRange := strings.Cut(item, "..")
	if !isRange {
		return []string{item}, ""
	}
	first, err1 := strconv.Atoi(strings.TrimSpace(from))
	last, err2 := strconv.Atoi(strings.TrimSpace(to))
	if err1 != nil || err2 != nil {
		return nil, fmt.Sprintf("has %q, which is not a range of whole numbers", item)
	}
	if last < first || last-first >= most {
		return nil, fmt.Sprintf("has %q: a range goes up, to at most %d values", item, most)
	}
	for v := first; v <= last; v++ {
		values = append(values, strconv.Itoa(v))
	}
	return values, ""
}

// stored is the content of the file of a sweep.
type stored struct {
	Format int    `json:"format"`
	Config string `json:"config"` // TOML
	Axes   []Axis `json:"vary"`
}

// shortest returns the last part of a key's name where it is unambiguous, or else the whole name.
func shortest(c config.Config, key string) string {
	last := key[strings.LastIndexByte(key, '.')+1:]
	found, err := c.Lookup(last)
	isUnique := err == nil && found.Name == key
	if !isUnique {
		return key
	}
	return last
}

// Begin makes the directory of a sweep below root, or opens an existing one with the same configuration and keys
// and adds new values. An empty name means one derived from store.Stem, the keys, without their groups where
// they are unambiguous, and a hash of the configuration, so that the same arguments resume the same sweep. Errors are
// *fault.Data and *config.Error.
func Begin(root, name string, base config.Config, axes []Axis) (*Sweep, error) {
	if err := store.CheckName(name); err != nil {
		return nil, err
	}
	var keys, words []string
	for _, a := range axes {
		if slices.Contains(keys, a.Key) {
			return nil, &config.Error{
				Key:        "--vary " + a.Key,
				Problem:    "is given twice",
				Suggestion: "separate its values by commas",
			}
		}
		keys = append(keys, a.Key)
		words = append(words, shortest(base, a.Key))
	}
	if name == "" {
		hash := sha256.Sum256(base.TOML())
		name = fmt.Sprintf("%s-by-%s-%x", store.Stem(base), strings.Join(words, "-"), hash[:4])
	}
	s := &Sweep{
		Directory: filepath.Join(root, name),
		Base:      base,
		Axes:      axes,
	}
	err := os.MkdirAll(s.Directory, 0o777)
	if err != nil {
		return nil, s.unwritten(err)
	}
	return s, store.Alone(filepath.Join(s.Directory, sweepLock), s.begin)
}

// unoccupied refuses a directory with other files, which tables of the sweep could overwrite.
func (s *Sweep) unoccupied() error {
	entries, err := os.ReadDir(s.Directory)
	if err != nil {
		return s.unwritten(err)
	}
	for _, e := range entries {
		if e.Name() != sweepLock && !files.Temporary(e.Name()) {
			what := fmt.Sprintf("is not a sweep, and holds %q", e.Name())
			if _, err := store.Read(s.Directory); err == nil {
				what = "is a single run, not a sweep"
			}
			return &fault.Data{
				Where: s.Directory,
				What:  what,
				Do:    "choose another --name",
			}
		}
	}
	return nil
}

// begin writes the file of the sweep, with the values of an existing file.
func (s *Sweep) begin() error {
	_ = files.RemoveTemporary(s.Directory, time.Hour) // of killed processes; others may be writing
	there, err := Open(s.Directory)
	switch {
	case err == nil:
		err = s.join(there)
	case errors.Is(err, fs.ErrNotExist):
		err = s.unoccupied()
	}
	if err != nil {
		return err
	}
	cells := s.count()
	if cells > most {
		return &config.Error{
			Key:        "--vary",
			Problem:    fmt.Sprintf("makes %d runs, want at most %d", cells, most),
			Suggestion: "give fewer values",
		}
	}
	content := stored{
		Format: 1,
		Config: string(s.Base.TOML()),
		Axes:   s.Axes,
	}
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return s.unwritten(err)
	}
	text = append(text, '\n')
	path := filepath.Join(s.Directory, store.SweepFile)
	old, err := os.ReadFile(path)
	if err == nil && bytes.Equal(old, text) { // tasks of an array begin together
		return nil
	}
	err = files.WriteFile(path, text)
	return s.unwritten(err)
}

// join puts the values of an existing sweep in front of those of this one. The error is a *fault.Data if it is another.
func (s *Sweep) join(there *Sweep) error {
	haveSameKey := func(a, b Axis) bool { return a.Key == b.Key }
	isSame := there.Base == s.Base && slices.EqualFunc(there.Axes, s.Axes, haveSameKey)
	if !isSame {
		return &fault.Data{
			Where: s.Directory,
			What:  "is a sweep of another configuration or of other keys",
			Do:    "choose another --name",
		}
	}
	for i, a := range s.Axes {
		known := there.Axes[i].Values
		isKnown := func(v string) bool { return slices.Contains(known, v) }
		more := slices.DeleteFunc(slices.Clone(a.Values), isKnown)
		s.Axes[i].Values = slices.Concat(known, more)
	}
	return nil
}

func (s *Sweep) unwritten(err error) error {
	return fault.Unwritten(s.Directory, err, "or choose another place with --runs")
}

// Open reads the sweep in a directory. The error is a *fault.Data, caused by fs.ErrNotExist if there is none.
func Open(directory string) (*Sweep, error) {
	path := filepath.Join(directory, store.SweepFile)
	const limit = 1 << 20
	text, err := files.ReadFile(path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault.Data{
			Where: directory,
			What:  "is not a sweep",
			Err:   err,
			Do:    "`rfm run PRESET --vary seed=1..20` makes one",
		}
	}
	var content stored
	if err == nil {
		err = json.Unmarshal(text, &content)
	}
	if err == nil && content.Format != 1 {
		err = fmt.Errorf("it has format %d, this program reads format 1", content.Format)
	}
	s := &Sweep{Directory: directory, Axes: content.Axes}
	if err == nil {
		s.Base, err = config.Parse([]byte(content.Config))
	}
	cells := s.count()
	isPossible := cells > 0 && cells <= most
	if err == nil && !isPossible {
		err = errors.New("it has no runs, or too many")
	}
	if err != nil {
		return nil, &fault.Data{
			Where: path,
			What:  "cannot be used",
			Err:   err,
			Do:    "`rfm run` with the same --vary, --name and --runs makes it again",
		}
	}
	return s, nil
}

// count returns the number of cells, or a number above most if there are too many.
func (s *Sweep) count() int {
	n := 1
	for _, a := range s.Axes {
		n = min(n*len(a.Values), most+1)
	}
	return n
}

// plain matches values that can be part of a file's name.
var plain = regexp.MustCompile(`^[0-9A-Za-z.+-]{1,40}$`)

// Cells returns all combinations; the last axis varies fastest.
func (s *Sweep) Cells() []Cell {
	cells := []Cell{{Config: s.Base}}
	for _, a := range s.Axes {
		var next []Cell
		for _, c := range cells {
			for i, v := range a.Values {
				word := v
				if !plain.MatchString(v) {
					word = "#" + strconv.Itoa(i+1)
				}
				name := c.Name + "," + a.Key + "=" + word
				next = append(next, Cell{
					Name:   strings.TrimPrefix(name, ","),
					Values: append(slices.Clip(c.Values), v),
					Config: s.Base,
				})
			}
		}
		cells = next
	}
	for i, c := range cells {
		var all []string
		for j, v := range c.Values {
			all = append(all, s.Axes[j].Key+"="+v)
		}
		cells[i].Fault = config.Assign(&cells[i].Config, all...)
	}
	return cells
}

// Groups returns the cells in groups with the same data: they differ only in features, train and evaluation.
func (s *Sweep) Groups() [][]Cell {
	index := map[config.Config]int{}
	var groups [][]Cell
	for _, c := range s.Cells() {
		data := c.Config.DataOnly()
		i, ok := index[data]
		if !ok {
			i = len(groups)
			groups = append(groups, nil)
			index[data] = i
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// failedExtension is the extension of the file with the error of a failed cell.
const failedExtension = ".failed"

// Done counts the cells that Run has not completed.
type Done struct {
	Failed    int
	Elsewhere int   // another process uses the run
	First     error // of the failed ones
}

// Run computes the incomplete cells of groups with the same data, which are generated once per group: compute runs the
// incomplete stages of an experiment, e.g. by its Run method. tell gets a line at the end of each cell. A failed cell
// leaves a file with its error. The error is an *engine.Interrupted, or a *fault.Data if a file cannot be written.
func (s *Sweep) Run(ctx context.Context, groups [][]Cell, o engine.Options, compute func(ctx context.Context, c Cell,
	e *engine.Experiment) error, tell func(line string)) (did Done, err error) {
	for _, group := range groups {
		var before *engine.Experiment // the experiment of this group that has the data
		for _, c := range group {
			if s.complete(c) {
				continue
			}
			if before == nil {
				before = s.data(ctx, group, o)
			}
			e, err := s.cell(ctx, c, before, o, compute)
			name := printable.Line(c.Name)
			var use *store.InUse
			switch {
			case ctx.Err() != nil:
				return did, &engine.Interrupted{Path: s.Directory, Err: ctx.Err()}
			case errors.As(err, &use):
				did.Elsewhere++
				tell(name + ": another process computes it")
				continue
			case err != nil:
				did.Failed++
				if did.First == nil {
					did.First = err
				}
				tell(name + " failed: " + printable.Text(err.Error()))
			default:
				before = e
				tell(name + " is complete")
			}
			err = s.note(c, err)
			if err != nil {
				return did, err
			}
		}
	}
	return did, nil
}

// complete reports whether the run of a cell is complete, and then removes leftovers of a killed process.
func (s *Sweep) complete(c Cell) bool {
	path := filepath.Join(s.Directory, c.Name)
	m, err := store.Read(path)
	complete := err == nil && m.Complete()
	if complete {
		store.Tidy(path)
	}
	return complete
}

// data returns a complete experiment of the group, whose data others can take; nil if none is complete.
func (s *Sweep) data(ctx context.Context, group []Cell, o engine.Options) *engine.Experiment {
	for _, c := range group {
		if !s.complete(c) {
			continue
		}
		e, err := engine.Open(ctx, filepath.Join(s.Directory, c.Name), o)
		if err == nil {
			return e
		}
	}
	return nil
}

// cell computes one cell; data may be nil.
func (s *Sweep) cell(ctx context.Context, c Cell, data *engine.Experiment, o engine.Options,
	compute func(context.Context, Cell, *engine.Experiment) error) (*engine.Experiment, error) {
	if c.Fault != nil {
		return nil, c.Fault
	}
	o.Runs = s.Directory
	o.Name = c.Name
	o.Resume = true
	e, err := engine.New(ctx, c.Config, o)
	if err != nil {
		return nil, err
	}
	if data != nil && e.Reached() == 0 {
		e.Reuse(data)
	}
	err = compute(ctx, c, e)
	if err != nil {
		_, failure := e.Discard()
		return nil, errors.Join(err, failure)
	}
	return e, e.Close()
}

// note writes the file with the error of a failed cell, or removes it if the cell has not failed.
func (s *Sweep) note(c Cell, err error) error {
	path := filepath.Join(s.Directory, c.Name+failedExtension)
	failure := os.Remove(path)
	if err != nil {
		failure = files.WriteFile(path, fmt.Appendln(nil, err))
	} else if errors.Is(failure, os.ErrNotExist) {
		return nil
	}
	return fault.Unwritten(path, failure, "and run it again, which resumes")
}
