package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/printable"
)

// formatVersion is the version of run directories that this program writes, and the only one that it reads.
const formatVersion = 1

// Manifest is the state of a run: its small files, its products, and the progress of its stages according to the names
// of its files. Its JSON form is program.json, which does not follow from other files.
type Manifest struct {
	Format  int        `json:"format"`
	Key     string     `json:"config"`  // SHA-256 of config.toml
	Program Program    `json:"program"` // the last program that wrote the run
	Created time.Time  `json:"created"`
	Resumed int        `json:"resumed"`           // number of times the run was resumed
	Seconds [3]float64 `json:"seconds"`           // wall time of generate, train, evaluate, in all sessions
	Sources []Source   `json:"sources,omitempty"` // files from which pairs were read
	Notes   []string   `json:"notes,omitempty"`   // assumptions about the files of the pairs
	// circumstances in which last digits may differ from an uninterrupted run
	Notices []string `json:"notices,omitempty"`
	Split   *Split   `json:"split,omitempty"` // division among workers; nil if the run is not split
	// SHA-256 of this form with an empty checksum
	Checksum string `json:"checksum"`

	// the other files
	Config    config.Config `json:"-"`
	Updated   time.Time     `json:"-"`
	TestError *float64      `json:"-"` // expected relative error; nil before the evaluation
	Method    string        `json:"-"` // the model's method; empty before the evaluation
	Files     []File        `json:"-"` // the configuration and the products, by name
	Stages    [3]Stage      `json:"-"`
	path      string        // of the run
}

// The positions of the stages in Stages and Seconds.
const (
	Generating = iota
	Training
	Evaluating
)

// Split describes how a run is split among workers.
type Split struct {
	Width  int    `json:"width"`  // of a band of features
	Pairs  int    `json:"pairs"`  // approximate number of pairs in a unit
	Canary string `json:"canary"` // SHA-256 of some pairs and a tile, which other machines must reproduce
}

// Program identifies the program that computes a run.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the source, if known to the build
	Date     string `json:"date,omitempty"`     // of that revision, RFC 3339, UTC
	Go       string `json:"go"`
	Platform string `json:"platform"` // GOOS/GOARCH
	// instructions available to the compiler, e.g. GOARCH=amd64 GOAMD64=v1; since format 2
	Target string `json:"target,omitempty"`
	SIMD   string `json:"simd"` // instruction set of the kernels
}

// Source is a file outside the run from which its pairs are read.
type Source struct {
	Name string `json:"name"` // absolute path
	files.Stamp
}

// Stage is the progress of a stage.
type Stage struct {
	Name, Doing string  // generate, generating
	Unit        string  // name of the counted units
	State       string  // Pending, Partial or Complete
	Done, Total int     // units
	Left        float64 // estimated seconds at the pace so far; 0 if unknown
}

// The states of a stage.
const (
	Pending  = "pending"
	Partial  = "partial"
	Complete = "complete"
)

// File is a file of the run with its checksum.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"` // on disk, when the manifest was read
	SHA256 string `json:"sha256"`
}

// Complete reports whether all stages are complete.
func (m Manifest) Complete() bool { return m.Has(Evaluating) }

// Has reports whether a stage is complete.
func (m Manifest) Has(stage int) bool { return m.Stages[stage].State == Complete }

// Next returns the first stage with missing units, or the last stage.
func (m Manifest) Next() Stage {
	for _, s := range m.Stages {
		if s.Done < s.Total {
			return s
		}
	}
	return m.Stages[Evaluating]
}

// Merges reports whether a split run has all units of its workers.
func (m Manifest) Merges() bool { return m.Split != nil && m.Next() == m.Stages[Evaluating] }

// Percent returns the finished share of the stage in percent.
func (s Stage) Percent() int { return 100 * s.Done / max(1, s.Total) }

// File returns the entry called name.
func (m Manifest) File(name string) (f File, ok bool) {
	i, ok := m.find(name)
	if ok {
		f = m.Files[i]
	}
	return f, ok
}

// Bytes returns the size of all files except the manifest.
func (m Manifest) Bytes() int64 {
	sum := int64(0)
	for _, f := range m.Files {
		sum += f.Size
	}
	return sum
}

func (m Manifest) find(name string) (int, bool) {
	return slices.BinarySearchFunc(m.Files, name, func(f File, name string) int { return cmp.Compare(f.Name, name) })
}

// Changed returns sentences on the source files of the run's pairs that have changed.
func (m Manifest) Changed() []string {
	var all []string
	for _, s := range m.Sources {
		if how := s.Differs(s.Name); how != "" {
			all = append(all, fmt.Sprintf("%s %s; this run keeps the pairs that it read before", s.Name, how))
		}
	}
	return all
}

// Units returns the stored units of the run.
func (m Manifest) Units() Units {
	if m.path == "" {
		return Units{}
	}
	return Units{filepath.Join(m.path, UnitsDirectory), m.Key}
}

// put adds or replaces an entry.
func (m *Manifest) put(f File) {
	if i, ok := m.find(f.Name); ok {
		m.Files[i] = f
	} else {
		m.Files = slices.Insert(m.Files, i, f)
	}
}

// notice adds a notice unless it exists, in place of the oldest one if there are many.
func (m *Manifest) notice(text string) {
	if !slices.Contains(m.Notices, text) {
		m.Notices = append(m.Notices[max(0, len(m.Notices)-maxNotices+1):], text)
	}
}

// clone returns a copy that shares no mutable data.
func (m Manifest) clone() Manifest {
	m.Files, m.Sources = slices.Clone(m.Files), slices.Clone(m.Sources)
	m.Notes, m.Notices = slices.Clone(m.Notes), slices.Clone(m.Notices)
	return m
}

const (
	maxRecord  = 1 << 20  // bytes of program.json
	maxSums    = 64 << 10 // of SHA256SUMS
	maxReport  = 16 << 20 // of report.json
	maxNotices = 10
)

// encode returns the content of program.json.
func (m Manifest) encode() []byte {
	m.Format, m.Checksum = formatVersion, ""
	text := func() []byte {
		text, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			panic("store: " + err.Error()) // it is plain data without NaN
		}
		return append(text, '\n')
	}
	if err := json.Unmarshal(text(), &m); err != nil { // invalid UTF-8 becomes the text that a reader gets
		panic("store: " + err.Error())
	}
	m.Checksum = fmt.Sprintf("%x", sha256.Sum256(text()))
	return text()
}

// sums returns the content of SHA256SUMS, in the format of sha256sum.
func (m Manifest) sums() []byte {
	var text []byte
	for _, f := range m.Files {
		text = fmt.Appendf(text, "%s  %s\n", f.SHA256, f.Name)
	}
	return text
}

// decode parses program.json. Errors are *fault.Data about where.
func decode(text []byte, where string) (Manifest, error) {
	damaged := func(what string, values ...any) (Manifest, error) {
		return Manifest{}, fault.Bad(where, repeat, "is damaged: "+what, values...)
	}
	var m Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return damaged("%v", err)
	}
	if m.Format != formatVersion {
		return Manifest{}, fault.Bad(where, fmt.Sprintf("use rfm %s, which wrote it", printable.Line(m.Program.Version)),
			"has format %d; this program reads format %d", m.Format, formatVersion)
	}
	if sum, err := hex.DecodeString(m.Key); err != nil || len(sum) != sha256.Size {
		return damaged("the checksum of the configuration is %q", m.Key)
	}
	for _, seconds := range m.Seconds {
		if !(seconds >= 0) || math.IsInf(seconds, 0) {
			return damaged("a stage took %v s", seconds)
		}
	}
	for _, s := range m.Sources {
		if s.Name == "" || s.Size < 0 {
			return damaged("the file of pairs %q has size %d", s.Name, s.Size)
		}
	}
	if s := m.Split; s != nil && (s.Width < 1 || s.Pairs < 1) {
		return damaged("it is split into bands of %d and units of %d pairs", s.Width, s.Pairs)
	}
	if !bytes.Equal(m.encode(), text) {
		return damaged("its checksum is not that of its text")
	}
	return m, nil
}

var sumLine = regexp.MustCompile(`^([0-9a-f]{64})  ([A-Za-z0-9][A-Za-z0-9._-]*)$`)

// decodeSums parses SHA256SUMS. Errors are *fault.Data about where.
func decodeSums(text []byte, where string) ([]File, error) {
	var all []File
	for line := range strings.Lines(string(text)) {
		words := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if words == nil || !strings.HasSuffix(line, "\n") || len(all) > 0 && all[len(all)-1].Name >= words[2] {
			return nil, fault.Bad(where, repeat, "is damaged: line %d is no checksum and name in the order of names",
				len(all)+1)
		}
		all = append(all, File{Name: words[2], SHA256: words[1]})
	}
	return all, nil
}

// read returns the content of a small file of the run; nil if the file does not exist. The error is a *fault.Data.
func read(path, name string, most int64) ([]byte, error) {
	where := filepath.Join(path, name)
	f, err := files.OpenInside(where, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.Unread(where, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fault.Unread(where, err)
	}
	if int64(len(text)) > most {
		return nil, fault.Bad(where, "is this the right directory?", "has more than %d bytes", most)
	}
	return text, nil
}

// Read reads the state of the run in the directory path. The only product that it reads is the report. Errors are
// *fault.Data (not a run, damaged, another format) and those of config.Parse with the name of the file.
func Read(path string) (Manifest, error) {
	text, err := read(path, ProgramFile, maxRecord)
	if err != nil {
		return Manifest{}, err
	}
	if text == nil {
		return Manifest{}, fault.Bad(path, "`rfm show` lists the runs", "is not a run: it has no %s", ProgramFile)
	}
	m, err := decode(text, filepath.Join(path, ProgramFile))
	if err != nil {
		return m, err
	}
	m.path = path
	if text, err = read(path, SumsFile, maxSums); err != nil {
		return m, err
	}
	if m.Files, err = decodeSums(text, filepath.Join(path, SumsFile)); err != nil {
		return m, err
	}
	if _, ok := m.File(ConfigFile); !ok {
		m.put(File{Name: ConfigFile, SHA256: m.Key})
	}
	if text, err = m.ReadFile(ConfigFile); err != nil {
		return m, err
	}
	if m.Config, err = config.Parse(text); err != nil {
		return m, fmt.Errorf("%s: %w", filepath.Join(path, ConfigFile), err)
	}
	m.Updated = m.Created
	for _, name := range []string{ProgramFile, SumsFile, UnitsDirectory} {
		if info, err := os.Stat(filepath.Join(path, name)); err == nil && info.ModTime().After(m.Updated) {
			m.Updated = info.ModTime().UTC()
		}
	}
	return m, m.progress()
}

// progress computes the sizes of files, and the progress of the stages from their names. The error is a *fault.Data.
func (m *Manifest) progress() error {
	for i, f := range m.Files {
		if info, err := os.Lstat(filepath.Join(m.path, f.Name)); err == nil {
			m.Files[i].Size = info.Size()
		}
	}
	has := func(name string) bool { _, ok := m.File(name); return ok }
	data, pool := m.Config.Data, m.Config.Features.Drawn()
	pairs := data.Train + data.Test
	m.Stages = [3]Stage{{Name: "generate", Doing: "generating", Unit: "pairs", Total: pairs},
		{Name: "train", Doing: "training", Unit: "samples", Total: data.Train},
		{Name: "evaluate", Doing: "evaluating", Unit: "predictions", Total: pairs}}
	before := true
	for i, whole := range [3]bool{has(TrainFile) && has(TestFile), has(ModelFile), has(ReportFile)} {
		s := &m.Stages[i]
		if s.State, before = Pending, before && whole; before {
			s.State, s.Done = Complete, s.Total
		}
	}
	if m.Complete() {
		var report struct {
			Method string
			Test   struct {
				Error float64 `json:"expected_relative"`
			}
		}
		text, err := read(m.path, ReportFile, maxReport)
		if err == nil && json.Unmarshal(text, &report) == nil {
			m.TestError, m.Method = &report.Test.Error, printable.Line(report.Method)
		}
		return err
	}
	list, err := m.Units().List()
	if err != nil {
		return err
	}
	done := map[string]int{}
	for _, u := range list {
		done[u.Array()] += u.Size()
	}
	if done[sumsFile] > 0 { // workers make pairs first, or read them from files
		done[TrainFile], done[TestFile] = data.Train, data.Test
	}
	all := [3]int{pairs, pool * (pool + 1) / 2, pairs}
	for i, done := range [3]int{done[TrainFile] + done[TestFile], done[sumsFile],
		done[TrainPredictionsFile] + done[TestPredictionsFile]} {
		s := &m.Stages[i]
		if s.State == Complete || done == 0 && m.Seconds[i] == 0 {
			continue
		}
		if s.State, s.Done = Partial, min(s.Total, s.Total*done/max(1, all[i])); s.Done > 0 {
			s.Left = m.Seconds[i] / float64(s.Done) * float64(s.Total-s.Done)
		}
	}
	return nil
}
