package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/base/progress"
)

// formatVersion is the version of run directories that this program writes, and the only one that it reads.
const formatVersion = 1

// Run is a stored run: its state according to its files and, in a process that computes it, its lock. Its JSON form is
// program.json, which does not follow from other files. One goroutine may store products, while others only read what
// does not change after Open: configuration, path, notes and notices. The zero Run has no files and stores nothing.
type Run struct {
	Format  int           `json:"format"`
	Key     string        `json:"config"`  // SHA-256 of config.toml
	Program machine.Build `json:"program"` // the last program that wrote the run
	Created time.Time     `json:"created"`
	Resumed int           `json:"resumed"`           // number of times the run was resumed
	Seconds [3]float64    `json:"seconds"`           // wall time of generate, train, evaluate, in all sessions
	Sources []Source      `json:"sources,omitempty"` // files from which pairs were read
	Notes   []string      `json:"notes,omitempty"`   // assumptions about the files of the pairs
	// circumstances in which last digits may differ from an uninterrupted run
	Notices []string `json:"notices,omitempty"`
	Split   *Split   `json:"split,omitempty"` // division among workers; nil if the run is not split
	// products whose checksums were durable when this was written: SHA256SUMS has at least these
	Products []string `json:"products,omitempty"`
	// SHA-256 of this form with an empty checksum
	Checksum string `json:"checksum"`

	// the other files
	Path      string               `json:"-"` // the directory
	Config    config.Config        `json:"-"`
	Updated   time.Time            `json:"-"`
	TestError *float64             `json:"-"` // expected relative error; nil before the evaluation
	Useless   bool                 `json:"-"` // the model is no better than the mean of the training outputs
	Method    string               `json:"-"` // the model's method; empty before the evaluation
	Sums      map[string]string    `json:"-"` // SHA-256 of the configuration and the products, by name
	Bytes     int64                `json:"-"` // size of these files
	Stages    [3]progress.Progress `json:"-"` // according to the names of files

	Session []string     `json:"-"` // notices about this session
	Made    bool         `json:"-"` // this process has made the directory
	lock    files.Handle // of a process that computes the run
	failed  bool         // a write has failed
}

// allProducts are the products that complete runs have, whatever their configuration.
var allProducts = []string{
	TrainFile, TestFile,
	ModelFile,
	TrainPredictionsFile, TestPredictionsFile, ErrorsFile, ReportFile, MarkdownFile, TimingsFile,
}

// Names of the stages, in the order of Stages and Seconds.
const (
	Generating = "generate"
	Training   = "train"
	Evaluating = "evaluate"
)

// products are the files that make a stage complete.
var products = [3][]string{{TrainFile, TestFile}, {ModelFile}, {ReportFile}}

// Split describes how a run is split among workers.
type Split struct {
	Width  int    `json:"width"`  // of a band of features
	Pairs  int    `json:"pairs"`  // approximate number of pairs in a unit
	Canary string `json:"canary"` // SHA-256 of some pairs and a tile, which other machines must reproduce
}

// Source is a file outside the run from which its pairs are read.
type Source struct {
	Name string `json:"name"` // absolute path
	files.Stamp
}

// Has reports whether the run has a product.
func (r *Run) Has(product string) bool { return r.Sums[product] != "" }

// Reached returns the number of complete stages.
func (r *Run) Reached() (stages int) {
	missing := func(name string) bool { return !r.Has(name) }
	for stages < len(products) && !slices.ContainsFunc(products[stages], missing) {
		stages++
	}
	return stages
}

// Complete reports whether all stages are complete.
func (r *Run) Complete() bool { return r.Reached() == len(products) }

// Next returns the first stage with missing units, or the last stage.
func (r *Run) Next() progress.Progress {
	for _, s := range r.Stages {
		if s.Done < s.Total {
			return s
		}
	}
	return r.Stages[len(r.Stages)-1]
}

// Merges reports whether a split run has all units of its workers.
func (r *Run) Merges() bool { return r.Split != nil && r.Next().Stage == Evaluating }

// Percent returns the finished share of the next stage in percent.
func (r *Run) Percent() int {
	next := r.Next()
	return 100 * next.Done / max(1, next.Total)
}

// File returns the path of a file of the run.
func (r *Run) File(name string) string { return filepath.Join(r.Path, name) }

// Changed returns sentences on the source files of the run's pairs that have changed.
func (r *Run) Changed() []string {
	var all []string
	for _, s := range r.Sources {
		if how := s.Differs(s.Name); how != "" {
			all = append(all, fmt.Sprintf("%s %s; this run keeps the pairs that it read before", s.Name, how))
		}
	}
	return all
}

// Units returns the stored units of the run.
func (r *Run) Units() Units {
	if r.Path == "" {
		return Units{}
	}
	return Units{Path: r.File(UnitsDirectory), Key: r.Key}
}

const (
	maxRecord  = 1 << 20  // bytes of program.json
	maxSums    = 64 << 10 // of SHA256SUMS
	maxReport  = 16 << 20 // of report.json
	maxNotices = 10
)

// encode returns the content of program.json.
func (r *Run) encode() []byte {
	m := *r
	m.Format = formatVersion
	m.Products = slices.Sorted(maps.Keys(r.Sums))
	m.Checksum = ""
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("store: " + err.Error()) // it is plain data without NaN
	}
	text = append(text, '\n')
	signed := fmt.Appendf(nil, `"checksum": "%x"`, sha256.Sum256(text))
	return bytes.Replace(text, []byte(`"checksum": ""`), signed, 1) // quotes within texts are escaped
}

// sums returns the content of SHA256SUMS, in the format of sha256sum.
func sums(of map[string]string) (text []byte) {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		text = fmt.Appendf(text, "%s  %s\n", of[name], name)
	}
	return text
}

// decode parses program.json. Errors are *fault.Data about where.
func decode(text []byte, where string) (Run, error) {
	damaged := func(what string, values ...any) (Run, error) {
		return Run{}, fault.Bad(where, repeat, "is damaged: "+what, values...)
	}
	var m Run
	err := json.Unmarshal(text, &m)
	if err != nil {
		return damaged("%v", err)
	}
	if m.Format != formatVersion {
		return Run{}, &fault.Data{
			Where: where,
			What:  fmt.Sprintf("has format %d; this program reads format %d", m.Format, formatVersion),
			Do:    fmt.Sprintf("use rfm %s, which wrote it", printable.Line(m.Program.Version)),
		}
	}
	if !m.possible() {
		return damaged("its values are impossible")
	}
	unsigned := bytes.Replace(text, []byte(m.Checksum), nil, 1)
	if fmt.Sprintf("%x", sha256.Sum256(unsigned)) != m.Checksum {
		return damaged("its checksum is not that of its text")
	}
	return m, nil
}

// possible reports whether this program can have written the values.
func (r *Run) possible() bool {
	key, err := hex.DecodeString(r.Key)
	if err != nil || len(key) != sha256.Size {
		return false
	}
	if slices.Min(r.Seconds[:]) < 0 {
		return false
	}
	if r.Split != nil && min(r.Split.Width, r.Split.Pairs) < 1 {
		return false
	}
	impossible := func(s Source) bool { return s.Name == "" || s.Size < 0 }
	return !slices.ContainsFunc(r.Sources, impossible)
}

// sumName matches the names of products, sumLine a line of SHA256SUMS.
var (
	sumName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	sumLine = regexp.MustCompile(`^([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]*)$`)
)

// decodeSums parses SHA256SUMS. Errors are *fault.Data about where.
func decodeSums(text []byte, where string) (map[string]string, error) {
	all := map[string]string{}
	last := "" // name
	for line := range strings.Lines(string(text)) {
		words := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if words == nil || !strings.HasSuffix(line, "\n") || last >= words[2] {
			return nil, &fault.Data{
				Where: where,
				What:  fmt.Sprintf("is damaged: line %d is not a checksum and a name in the order of names", len(all)+1),
				Do:    repeat,
			}
		}
		last = words[2]
		all[last] = words[1]
	}
	return all, nil
}

// readSmall returns the content of a file of at most most bytes, too few to be interrupted. The error is a *fault.Data,
// caused by fs.ErrNotExist if there is none.
func readSmall(path string, most int64) ([]byte, error) {
	f, err := files.OpenInside(path, os.O_RDONLY)
	if err != nil {
		return nil, fault.Unread(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fault.Unread(path, err)
	}
	if info.Size() > most {
		return nil, fault.Bad(path, "is this the right directory?", "has more than %d bytes", most)
	}
	text, err := io.ReadAll(io.LimitReader(f, most)) // it may grow
	if err != nil {
		return nil, fault.Unread(path, err)
	}
	return text, nil
}

// Read reads the state of the run in the directory path. It neither locks, checks nor writes anything; the only product
// that it reads is the report. Errors are *fault.Data (not a run, damaged, another format) and those of config.Parse
// with the name of the file.
func Read(path string) (Run, error) {
	path = filepath.Clean(path)
	text, err := readSmall(filepath.Join(path, ProgramFile), maxRecord)
	isMissing := errors.Is(err, fs.ErrNotExist)
	switch {
	case isMissing && exists(filepath.Join(path, SweepFile)):
		err = &fault.Data{
			Where: path,
			What:  "is a sweep, not a single run",
			Do:    "name one of its runs, or choose another --name",
		}
	case isMissing:
		err = &fault.Data{
			Where: path,
			What:  fmt.Sprintf("is not a run: it has no %s", ProgramFile),
			Do:    "`rfm show` lists the runs",
		}
	}
	if err != nil {
		return Run{}, err
	}
	r, err := decode(text, filepath.Join(path, ProgramFile))
	if err != nil {
		return r, err
	}
	r.Path = path
	for _, name := range []string{UnitsDirectory, ClaimsDirectory} {
		if info, err := files.Lstat(r.File(name)); err == nil && !info.IsDir() {
			return r, &fault.Data{
				Where: r.File(name),
				What:  "is not a directory of the run",
				Do:    "move it away: what is written through a link is written elsewhere",
			}
		}
	}
	if err := r.readSums(); err != nil {
		return r, err
	}
	if err := r.readConfig(); err != nil {
		return r, err
	}
	r.measureFiles()
	if err := r.progress(); err != nil || !r.Complete() {
		return r, err
	}
	return r, r.readReport()
}

// measureFiles sets the time of the last change and the size.
func (r *Run) measureFiles() {
	r.Updated = r.Created
	for _, name := range []string{ProgramFile, SumsFile, UnitsDirectory} {
		info, err := files.Stat(r.File(name))
		if err == nil && info.ModTime().After(r.Updated) {
			r.Updated = info.ModTime().UTC()
		}
	}
	for name := range r.Sums {
		info, err := files.Lstat(r.File(name))
		if err == nil {
			r.Bytes += info.Size()
		}
	}
}

// readReport reads the method and the error of a complete run. Without a report, or with another text in it, they stay
// unknown, because Verify tells what is wrong. The error is a *fault.Data.
func (r *Run) readReport() error {
	text, err := readSmall(r.File(ReportFile), maxReport)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var report struct {
		Method string
		Test   struct {
			Error float64 `json:"expected_relative"`
		}
		Skill *struct{ Learned bool }
	}
	if json.Unmarshal(text, &report) == nil {
		r.TestError = &report.Test.Error
		r.Method = printable.Line(report.Method)
		r.Useless = report.Skill != nil && !report.Skill.Learned
	}
	return nil
}

// readSums reads the checksums of the products. The error is a *fault.Data, also if the list, or its end, is gone.
func (r *Run) readSums() error {
	where := r.File(SumsFile)
	text, err := readSmall(where, maxSums)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return err
	}
	r.Sums, err = decodeSums(text, where)
	if err != nil {
		return err
	}
	if r.Sums[ConfigFile] == "" {
		r.Sums[ConfigFile] = r.Key
	}
	lost := r.unlisted(gone)
	if len(lost) == 0 {
		return nil
	}
	what := "is missing"
	if !gone {
		what = "has lost the lines of " + strings.Join(lost, ", ")
	}
	again := fmt.Sprintf("(cd %s && sha256sum %s > %s)", printable.Path(r.Path), strings.Join(r.listable(), " "), SumsFile)
	return &fault.Data{
		Where: where,
		What:  fmt.Sprintf("%s: without it nobody can tell whether the files of this run are intact", what),
		Do:    "restore it from a copy; to trust the files as they are: " + again,
	}
}

// unlisted returns the products that SHA256SUMS must have listed before, but does not; gone means that there is no such
// file. Between the writing of a product and of its checksum, a process may be killed: then the product is made again.
// But every run has the list from the beginning, and a run without a place for units was complete.
func (r *Run) unlisted(gone bool) (lost []string) {
	if gone || !exists(r.File(UnitsDirectory)) {
		for _, name := range allProducts {
			if exists(r.File(name)) {
				lost = append(lost, name)
			}
		}
	}
	lost = append(lost, r.Products...)
	lost = slices.DeleteFunc(lost, r.Has)
	slices.Sort(lost)
	return slices.Compact(lost)
}

// listable returns the names of the files that may be products, in the order of SHA256SUMS.
func (r *Run) listable() (names []string) {
	others := []string{ProgramFile, SumsFile, LockFile, noteFile}
	entries, _ := files.ReadDir(r.Path) // sorted; of an unreadable directory there is nothing to tell
	for _, e := range entries {
		name := e.Name()
		mayBeProduct := e.Type().IsRegular() && sumName.MatchString(name)
		if mayBeProduct && !slices.Contains(others, name) {
			names = append(names, name)
		}
	}
	return names
}

// readConfig reads the configuration and compares it with its checksum. The error is a *fault.Data or, with the name of
// the file, one of config.Parse.
func (r *Run) readConfig() error {
	text, err := r.readSmall(ConfigFile, maxRecord)
	if err != nil {
		return err
	}
	r.Config, err = config.Parse(text)
	if err != nil {
		return fmt.Errorf("%s: %w", r.File(ConfigFile), err)
	}
	return nil
}

// progress computes the progress of the stages. The error is a *fault.Data.
func (r *Run) progress() error {
	list, err := r.Units().List()
	if err != nil {
		return err
	}
	stored := map[string]float64{} // sizes; in a directory from elsewhere they may exceed integers
	for _, unit := range list {
		stored[unit.array] += float64(unit.Size())
	}
	data := r.Config.Data
	if stored[TilesArray] > 0 { // workers make pairs first, or read them from files
		stored[TrainFile] = float64(data.Train)
		stored[TestFile] = float64(data.Test)
	}
	pairs := data.Train + data.Test
	pool := r.Config.Features.Drawn()
	entries := pool * (pool + 1) / 2 // of the sums, on and above the diagonal
	inputs := stored[TrainFile] + stored[TestFile]
	predictions := stored[TrainPredictionsFile] + stored[TestPredictionsFile]
	r.Stages = [3]progress.Progress{
		{Stage: Generating, Unit: "pairs", Total: pairs, Done: share(pairs, inputs, pairs)},
		{Stage: Training, Unit: "samples", Total: data.Train, Done: share(data.Train, stored[TilesArray], entries)},
		{Stage: Evaluating, Unit: "predictions", Total: pairs, Done: share(pairs, predictions, pairs)},
	}
	for i := range r.Stages {
		stage := &r.Stages[i]
		if i < r.Reached() {
			stage.Done = stage.Total
		}
		spent := time.Duration(r.Seconds[i] * float64(time.Second))
		stage.Began = r.Updated.Add(-spent)
		stage.Now = r.Updated
	}
	return nil
}

// share returns the part of the total for which so many of all are done, rounded down. It multiplies first, because
// then whole numbers stay whole.
func share(total int, done float64, all int) int {
	return int(float64(total) * min(float64(all), done) / float64(max(1, all)))
}
