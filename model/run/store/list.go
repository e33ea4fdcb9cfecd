// This file lists, finds and arranges stored runs, and reads configurations from presets and files.

package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// The states of a run in a list.
const (
	ListedComplete   = "complete"
	ListedUnfinished = "unfinished"
	ListedInUse      = "in use"
	ListedUnreadable = "unreadable"
)

// Entry is a run in a list. Its products are not verified. Its JSON form is an element of `rfm show --json`.
type Entry struct {
	Run     Run               `json:"-"` // valid if Fault is nil
	Fault   error             `json:"-"` // a *fault.Data if the run cannot be read
	Working map[string]string `json:"-"` // of a split run: processes by the unit that they compute

	Name      string     `json:"name"`
	Path      string     `json:"path"`
	State     string     `json:"state"`              // complete, unfinished, in use or unreadable
	Progress  string     `json:"progress,omitempty"` // of an incomplete run, as "45% of training"
	From      string     `json:"from,omitempty"`     // the equation or the file of its pairs: Stem
	Method    string     `json:"method,omitempty"`   // the chosen one if train.method is best and the run is complete
	N         int        `json:"n,omitempty"`
	M         int        `json:"m,omitempty"`    // number of features; missing for methods without features
	Grid      int        `json:"grid,omitempty"` // training grid
	Test      int        `json:"test,omitempty"` // number of test pairs
	Seed      uint64     `json:"seed"`
	TestError *float64   `json:"test_error,omitempty"` // expected relative error
	Useless   bool       `json:"useless,omitempty"`    // the model is no better than the mean of the training outputs
	Time      float64    `json:"time"`                 // wall time of all stages in seconds
	Bytes     int64      `json:"bytes"`
	Created   *time.Time `json:"created,omitempty"`
	Updated   *time.Time `json:"updated,omitempty"`
	Resumed   int        `json:"resumed"` // number of times the run was resumed
	Version   string     `json:"version,omitempty"`
	Note      string     `json:"note,omitempty"`    // of a user; see Annotate
	Sources   []Source   `json:"sources,omitempty"` // files of its pairs
	Holder    *Identity  `json:"holder,omitempty"`  // the process that uses the run; nil if none does
	Verified  *bool      `json:"verified,omitempty"`
	Faults    []string   `json:"faults,omitempty"`
	// files of its pairs that have changed, if verified
	Changed []string `json:"changed,omitempty"`
}

// List returns the runs in the directories below root: the last changed first, unreadable ones last. A root that does
// not exist has none. The error is a *fault.Data if root cannot be read.
func List(root string) ([]Entry, error) {
	directories, err := readRoot(root)
	if err != nil {
		return nil, err
	}
	var list []Entry
	for _, d := range directories {
		if path := filepath.Join(root, d.Name()); isRun(path) {
			list = append(list, NewEntry(path))
		}
	}
	Sort(list, "when")
	return list, nil
}

// NewEntry reads the run in the directory path.
func NewEntry(path string) Entry {
	e := Entry{
		Name: filepath.Base(path),
		Path: path,
		Note: note(path),
	}
	e.Run, e.Fault = Read(path)
	if e.Fault == nil {
		e.Method = e.Run.Config.Train.Method
		if e.Method == config.Best && e.Run.Method != "" {
			e.Method = e.Run.Method // the chosen one
		}
		if !e.Run.Complete() {
			e.Holder = holder(path)
		}
		if e.Run.Split != nil {
			e.Working = e.Run.Units().working()
		}
	}
	e.Describe()
	return e
}

// Describe sets the fields that follow from Run, Fault, Method and Holder. It does not read any files.
func (e *Entry) Describe() {
	if e.Fault != nil {
		e.State = ListedUnreadable
		e.Faults = []string{e.Fault.Error()}
		return
	}
	r := &e.Run
	c := r.Config
	e.From = Stem(c)
	e.N = c.Data.Train
	e.Grid = c.Train.Grid
	e.Test = c.Data.Test
	e.Seed = c.Seed
	e.M = c.Features.Count
	c.Train.Method = e.Method
	if e.Method != "" && !c.Method().Drawn {
		e.M = 0
	}
	e.TestError = r.TestError
	e.Useless = r.Useless
	e.Bytes = r.Bytes
	e.Created = &r.Created
	e.Updated = &r.Updated
	e.Resumed = r.Resumed
	e.Version = r.Program.Version
	e.Sources = r.Sources
	e.Time = floats.Sum(r.Seconds[:])
	switch {
	case r.Complete():
		e.State = ListedComplete
		return
	case e.Holder != nil:
		e.State = ListedInUse
	default:
		e.State = ListedUnfinished
	}
	e.Progress = fmt.Sprintf("%d%% of %sing", r.Percent(), strings.TrimSuffix(r.Next().Stage, "e"))
	if r.Split != nil {
		e.Progress += ", split among workers"
	}
}

// Verify compares the run's files with their checksums, unless a process is changing them, and the files of its pairs
// with their stamps. It records and returns the errors, which are as for Entry.Fault and Verify.
func (e *Entry) Verify(ctx context.Context) []error {
	if e.Holder != nil {
		return nil
	}
	faults := Verify(ctx, e.Path)
	if ctx.Err() != nil {
		return faults
	}
	intact := len(faults) == 0
	e.Verified = &intact
	e.Faults = nil
	for _, err := range faults {
		e.Faults = append(e.Faults, err.Error())
	}
	e.Changed = e.Run.Changed()
	return faults
}

// An order is one by which lists of runs can be sorted: words from a to z, numbers ascending.
type order struct {
	name    string
	compare func(a, b Entry) int
}

var orders = []order{
	{"when", func(a, b Entry) int { return b.Run.Updated.Compare(a.Run.Updated) }}, // the last changed first
	{"name", byWord(func(e Entry) string { return e.Name })},
	{"from", byWord(func(e Entry) string { return e.From })},
	{"method", byWord(func(e Entry) string { return e.Method })},
	{"n", byNumber(func(e Entry) float64 { return float64(e.N) })},
	{"m", byNumber(func(e Entry) float64 {
		if e.M == 0 { // a method without features
			return math.MaxInt
		}
		return float64(e.M)
	})},
	{"error", byNumber(func(e Entry) float64 {
		if e.TestError == nil {
			return math.Inf(1)
		}
		return *e.TestError
	})},
	{"time", byNumber(func(e Entry) float64 { return e.Time })},
	{"size", byNumber(func(e Entry) float64 { return float64(e.Bytes) })},
}

func byWord(of func(Entry) string) func(a, b Entry) int {
	return func(a, b Entry) int { return strings.Compare(of(a), of(b)) }
}

func byNumber(of func(Entry) float64) func(a, b Entry) int {
	return func(a, b Entry) int { return cmp.Compare(of(a), of(b)) }
}

// Orders returns the names of the orders.
func Orders() (names []string) {
	for _, o := range orders {
		names = append(names, o.name)
	}
	return names
}

// Sort sorts runs by one of Orders, by the first for other names. Runs without the value, and unreadable ones, come
// last.
func Sort(list []Entry, by string) {
	chosen := orders[max(0, slices.Index(Orders(), by))]
	slices.SortStableFunc(list, func(a, b Entry) int {
		readable, other := a.Fault == nil, b.Fault == nil
		switch {
		case readable && !other:
			return -1
		case !readable && other:
			return 1
		}
		return chosen.compare(a, b)
	})
}

// isRun reports whether a directory looks like a run, possibly a damaged one, or one that this process may not read.
func isRun(path string) bool {
	for _, name := range []string{ProgramFile, ConfigFile} {
		_, err := files.Lstat(filepath.Join(path, name))
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) { // a link to a file
			return true
		}
	}
	return false
}

// newestName is the name of the complete run below a root that changed last, in place of a run's name.
const newestName = "@"

// Find returns the directory of the run called name: below root, or at the path name. name may also be newestName or a
// prefix that is unique below root; after a directory, in that directory. The error is a *fault.Data.
func Find(root, name string) (string, error) {
	const advice = "`rfm show` lists the runs"
	if name == "" {
		return "", fault.Bad(`""`, advice, "is not the name of a run")
	}
	places := []string{filepath.Join(root, name), name}
	if base := filepath.Base(name); base == "." || base == ".." { // no names of runs
		places = places[1:]
	}
	for _, path := range places {
		if info, err := files.Stat(path); err == nil && info.IsDir() {
			return filepath.Clean(path), nil
		}
	}
	directory, begin := filepath.Split(name)
	in := filepath.Join(root, directory)
	if !exists(in) && directory != "" {
		in = filepath.Clean(directory)
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
		some := strings.Join(found[:min(most, len(found))], ", ")
		return "", &fault.Data{
			Where: strconv.Quote(name),
			What:  fmt.Sprintf("begins the names of %d runs in %s: %s", len(found), in, some),
			Do:    "write more of the name",
		}
	case begin == newestName:
		return "", fault.Bad(in, advice, "has no complete run")
	}
	remedy := advice + ", --runs names another directory"
	if _, err := config.PresetByName(name); err == nil {
		remedy = fmt.Sprintf("`rfm run %s` trains this preset", name)
	}
	return "", &fault.Data{
		Where: strconv.Quote(name),
		What:  fmt.Sprintf("is neither a run in %s nor the directory of a run", root),
		Do:    remedy,
	}
}

// Unfinished returns the unfinished run below root that changed last, is not in use, and has one of some
// configurations, or any if none are given; it is empty if there is no such run. Runs that cannot be read are left out.
// Each start of a run calls it: of complete runs it reads nothing, of others the configuration at first. The error is a
// *fault.Data.
func Unfinished(root string, of ...config.Config) (string, error) {
	paths, err := incomplete(root)
	if err != nil {
		return "", err
	}
	for _, path := range paths {
		if len(of) > 0 && !configured(path, of) {
			continue
		}
		r, err := Read(path)
		if err == nil && !r.Complete() && holder(path) == nil {
			return path, nil
		}
	}
	return "", nil
}

// incomplete returns the directories below root that have a place for units, as complete runs have not, the last
// changed first. The error is a *fault.Data.
func incomplete(root string) (paths []string, err error) {
	directories, err := readRoot(root)
	if err != nil {
		return nil, err
	}
	changed := map[string]time.Time{}
	for _, d := range directories {
		path := filepath.Join(root, d.Name())
		units, err := files.Lstat(filepath.Join(path, UnitsDirectory))
		if err != nil {
			continue
		}
		paths = append(paths, path)
		changed[path] = units.ModTime()
		program, err := files.Lstat(filepath.Join(path, ProgramFile))
		if err == nil && program.ModTime().After(changed[path]) {
			changed[path] = program.ModTime()
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return changed[b].Compare(changed[a])
	})
	return paths, nil
}

// configured reports whether the run in the directory path has one of some configurations.
func configured(path string, some []config.Config) bool {
	text, err := readSmall(filepath.Join(path, ConfigFile), maxRecord)
	if err != nil {
		return false
	}
	c, err := config.Parse(text)
	return err == nil && slices.Contains(some, c)
}

// readRoot returns the directories below root that may be runs; none if root does not exist. The error is a *fault.Data.
func readRoot(root string) ([]fs.DirEntry, error) {
	entries, err := files.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault.Data{
			Where: root,
			What:  "cannot be listed",
			Err:   err,
			Do:    fault.Remedy(err, "or choose another place with --runs"),
		}
	}
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		hidden := strings.HasPrefix(e.Name(), ".")
		link := e.Type()&fs.ModeSymlink != 0
		return hidden || !e.IsDir() && !link
	}), nil
}

// ReadConfig reads a configuration file. The result is not validated. The error is a *fault.Data, or one of
// config.Parse with the name of the file.
func ReadConfig(name string) (config.Config, error) {
	text, err := files.ReadFile(name, mostConfig)
	if err != nil {
		return config.Config{}, &fault.Data{
			Where: name,
			What:  "cannot be read",
			Err:   err,
			Do:    "give a preset, a configuration file or a file of pairs",
		}
	}
	c, err := config.Parse(text)
	if err != nil {
		return c, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// mostConfig bounds the bytes of a configuration file that are read, far above what config.Parse accepts.
const mostConfig = 1 << 20

// WrittenSettings returns the settings that a configuration file changes, as config.Written does; none if it is not one.
func WrittenSettings(name string) []string {
	text, err := files.ReadFile(name, mostConfig)
	if err != nil {
		return nil
	}
	return config.Written(text)
}

const (
	// noteFile is the name of the file with a user's note. It is no part of the result: SHA256SUMS does not list it.
	noteFile = "note.txt"
	// deletedDirectory is the directory of deleted runs, below the directory of the runs.
	deletedDirectory = ".deleted"
	// deletedFor is the least time for which deleted runs are kept there.
	deletedFor = 7 * 24 * time.Hour

	mostNote = 200 // characters
)

// note returns the user's note on the run in the directory path, on one line; empty if the run has none.
func note(path string) string {
	const limit = 4 * mostNote // bytes
	text, err := files.ReadFile(filepath.Join(path, noteFile), limit)
	if err != nil {
		return ""
	}
	return printable.Line(strings.TrimSpace(string(text)))
}

// Annotate replaces the note on the run in the directory path; an empty text removes it. The error is a *fault.Data.
func Annotate(path, text string) error {
	if _, err := Read(path); err != nil {
		return err
	}
	where := filepath.Join(path, noteFile)
	text = strings.TrimSpace(text)
	if text == "" {
		if err := files.Remove(where); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &fault.Data{
				Where: where,
				What:  "cannot be removed",
				Err:   err,
			}
		}
		return nil
	}
	characters := utf8.RuneCountInString(text)
	if characters > mostNote || !printable.Is(text) {
		return &fault.Data{
			Where: "note",
			What:  fmt.Sprintf("has %d characters, or some that cannot be printed", characters),
			Do:    fmt.Sprintf("write one line of at most %d", mostNote),
		}
	}
	return fault.Unwritten(where, files.WriteFile(where, []byte(text+"\n")), "")
}

// Move moves a run to a path that must not exist. The error is a *fault.Data.
func Move(from, to string) error {
	if exists(to) {
		return fault.Bad(to, "choose another name; runs are never overwritten", "exists already")
	}
	err := files.Rename(from, to)
	if err == nil {
		err = files.SyncDirectory(filepath.Dir(from))
	}
	if err == nil {
		err = files.SyncDirectory(filepath.Dir(to))
	}
	if err != nil {
		return &fault.Data{
			Where: from,
			What:  "cannot be moved",
			Err:   err,
			Do:    "check the permissions",
		}
	}
	return nil
}

// Delete moves the run in the directory path to deletedDirectory, from where Move brings it back, and returns its path
// there. It also removes runs that were deleted more than deletedFor ago. It refuses runs in use. The error is a
// *fault.Data.
func Delete(path string, now time.Time) (kept string, err error) {
	const stamp = "~20060102T150405.000000000"
	if !isRun(path) {
		_, err := Read(path)
		return "", err
	}
	if who := holder(path); who != nil {
		return "", &fault.Data{
			Where: path,
			What:  "cannot be moved",
			Err:   &InUse{*who},
			Do:    "wait until it has finished, or stop it",
		}
	}
	bin := filepath.Join(filepath.Dir(path), deletedDirectory)
	if err := files.Mkdir(bin); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", &fault.Data{
			Where: bin,
			What:  "cannot be made",
			Err:   err,
			Do:    "check the permissions",
		}
	}
	entries, _ := files.ReadDir(bin)
	for _, old := range entries { // those that cannot be removed stay
		begin := max(0, len(old.Name())-len(stamp))
		deleted, err := time.Parse(stamp, old.Name()[begin:])
		if err == nil && now.Sub(deleted) > deletedFor {
			_ = files.RemoveAll(filepath.Join(bin, old.Name()))
		}
	}
	kept = filepath.Join(bin, filepath.Base(path)+now.UTC().Format(stamp))
	return kept, Move(path, kept)
}
