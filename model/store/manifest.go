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
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Format is the version of the manifest that this program writes, and the newest that it reads.
const Format = 3

// Manifest is the content of manifest.json.
//
// As text it is JSON whose last entry is "checksum", the SHA-256 in hexadecimal of all bytes before that entry's line,
// in every format version.
type Manifest struct {
	Format  int     `json:"format"`
	Program Program `json:"program"` // that wrote the run last

	Problem  string `json:"problem"`
	Seed     uint64 `json:"seed,string"`
	Train    int    `json:"n"`
	Features int    `json:"m"`
	Grid     int    `json:"grid"` // of training
	Test     int    `json:"test"` // number of test pairs

	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Resumed int       `json:"resumed"` // how often it went on after an interruption

	Generating Stage    `json:"generate"`
	Training   Stage    `json:"train"`
	Evaluating Stage    `json:"evaluate"`
	TestError  *float64 `json:"test_error,omitempty"` // expected relative error, once evaluated

	Sources []Source `json:"sources,omitempty"` // files of pairs that were read; since format 3
	Notes   []string `json:"notes,omitempty"`   // what was assumed about the files of the pairs
	Notices []string `json:"notices,omitempty"` // what may make last digits differ from those of an uninterrupted run
	Files   []File   `json:"files"`             // all files of the run but this one, by name
}

// Program identifies what computes.
type Program struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"` // of the source, if the build knows it
	Date     string `json:"date,omitempty"`     // of that revision, RFC 3339, UTC
	Go       string `json:"go"`
	Platform string `json:"platform"` // operating system/architecture
	// instructions that the compiler may use, e.g. GOARCH=amd64 GOAMD64=v1; since format 2
	Target string `json:"target,omitempty"`
	SIMD   string `json:"simd"` // instructions of the kernels
}

// Source is a file of somebody else's that a run reads its pairs from.
type Source struct {
	Name string `json:"name"` // absolute
	files.Stamp
}

// Stage is how far a stage of a run is.
type Stage struct {
	State   State   `json:"state"`
	Done    int     `json:"done"`    // units: pairs, samples, predictions
	Total   int     `json:"total"`   // units; 0 until it is known
	Seconds float64 `json:"seconds"` // wall time of all sessions
}

// State says whether a stage has been begun or completed.
type State string

// The states of a stage.
const (
	Pending  State = "pending"
	Partial  State = "partial"
	Complete State = "complete"
)

// File is a file of the run.
type File struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`            // of the first Size bytes
	Shape   []int  `json:"shape,omitempty"`   // of an array that grows by rows, when it is complete
	Growing bool   `json:"growing,omitempty"` // rows are missing; the file may be longer than Size
}

// Complete says whether all stages are.
func (m Manifest) Complete() bool { return m.Evaluating.State == Complete }

// Next is the first stage that is not complete, with its name: generate, train or evaluate. Of a complete run it is the
// last one.
func (m Manifest) Next() (name string, s Stage) {
	switch {
	case m.Generating.State != Complete:
		return "generate", m.Generating
	case m.Training.State != Complete:
		return "train", m.Training
	}
	return "evaluate", m.Evaluating
}

// Step is a stage of a run with its name.
type Step struct {
	Name string `json:"name"`
	Unit string `json:"unit"` // of what is counted
	Stage
	Left float64 `json:"left,omitempty"` // seconds, at the pace so far; 0 if that is not known
}

// Steps are all stages, in order.
func (m Manifest) Steps() []Step {
	list := []Step{{Name: "generate", Unit: "pairs", Stage: m.Generating},
		{Name: "train", Unit: "samples", Stage: m.Training},
		{Name: "evaluate", Unit: "predictions", Stage: m.Evaluating}}
	for i, s := range list {
		if s.State == Partial && s.Done > 0 {
			list[i].Left = s.Seconds / float64(s.Done) * float64(s.Total-s.Done)
		}
	}
	return list
}

// Percent is how much of the stage is done.
func (s Stage) Percent() int { return 100 * s.Done / max(1, s.Total) }

// File is the entry called name.
func (m Manifest) File(name string) (File, bool) {
	i, ok := m.find(name)
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// Bytes is the size of all files but the manifest.
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

// Changed says which of the files that the run's pairs were read from are others now, in words.
func (m Manifest) Changed() []string {
	var all []string
	for _, s := range m.Sources {
		if how := s.Differs(s.Name); how != "" {
			all = append(all, fmt.Sprintf("%s %s; this run keeps the pairs that it read before", s.Name, how))
		}
	}
	return all
}

// put adds or replaces an entry.
func (m *Manifest) put(f File) {
	if i, ok := m.find(f.Name); ok {
		m.Files[i] = f
	} else {
		m.Files = slices.Insert(m.Files, i, f)
	}
}

// notice adds a notice that is not there yet, in place of the oldest one if there are many.
func (m *Manifest) notice(text string) {
	if !slices.Contains(m.Notices, text) {
		m.Notices = append(m.Notices[max(0, len(m.Notices)-maxNotices+1):], text)
	}
}

// clone is a copy that shares nothing that changes.
func (m Manifest) clone() Manifest {
	m.Files, m.Sources = slices.Clone(m.Files), slices.Clone(m.Sources)
	m.Notes, m.Notices = slices.Clone(m.Notes), slices.Clone(m.Notices)
	return m
}

func newManifest(c config.Config, p Program, now time.Time) Manifest {
	pending := Stage{State: Pending}
	return Manifest{Format: Format, Program: p, Problem: c.Problem, Seed: c.Seed, Train: c.Data.Train,
		Features: c.Features.Count, Grid: c.Train.Grid, Test: c.Data.Test,
		Created: now.UTC(), Updated: now.UTC(), Generating: pending, Training: pending, Evaluating: pending}
}

const (
	checksumKey = ",\n  \"checksum\": \""
	checksumEnd = "\"\n}\n"
	maxManifest = 10 << 10 // bytes; those of real runs have 3000. JSON takes up to a hundred times that to decode
	maxNotices  = 10
)

// encode is the manifest as text.
func (m Manifest) encode() []byte {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic("store: " + err.Error()) // plain data, and no NaN among them
	}
	text = append(bytes.TrimSuffix(text, []byte("\n}")), ",\n"...)
	sum := sha256.Sum256(text)
	return append(text, "  \"checksum\": \""+hex.EncodeToString(sum[:])+checksumEnd...)
}

// decode reads a manifest and checks it. Errors are *fault.Data about where.
func decode(text []byte, where string) (Manifest, error) {
	if len(text) > maxManifest {
		return Manifest{}, &fault.Data{Where: where, What: fmt.Sprintf("has more than %d bytes", maxManifest),
			Do: "is this the right directory?"}
	}
	damaged := func(what string) error {
		return &fault.Data{Where: where, What: "is damaged: " + what,
			Do: "restore it from a copy, or repeat the run from its config.toml"}
	}
	i := bytes.LastIndex(text, []byte(checksumKey))
	const digits = 2 * sha256.Size
	if i < 0 || len(text) != i+len(checksumKey)+digits+len(checksumEnd) ||
		string(text[len(text)-len(checksumEnd):]) != checksumEnd {
		return Manifest{}, damaged("it does not end with a checksum")
	}
	body := text[:i+len(",\n")]
	stated := string(text[i+len(checksumKey):][:digits])
	if sum := sha256.Sum256(body); stated != hex.EncodeToString(sum[:]) {
		return Manifest{}, damaged(fmt.Sprintf("its checksum is %.12s, its text has %.6x", stated, sum))
	}
	body = append(slices.Clone(text[:i]), "\n}"...)
	var version struct {
		Format  int
		Program Program
	}
	if err := json.Unmarshal(body, &version); err != nil {
		return Manifest{}, damaged(err.Error())
	}
	if version.Format > Format {
		return Manifest{}, &fault.Data{Where: where, What: fmt.Sprintf("has format %d; this program reads up to format %d",
			version.Format, Format),
			Do: fmt.Sprintf("use rfm %s, which wrote it, or a newer one", version.Program.Version)}
	}
	var m Manifest
	strict := json.NewDecoder(bytes.NewReader(body))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&m); err != nil {
		return Manifest{}, damaged(err.Error())
	}
	if err := m.check(); err != nil {
		return Manifest{}, damaged(err.Error())
	}
	return m, nil
}

// check says what a manifest cannot say.
func (m Manifest) check() error {
	if m.Format < 1 {
		return fmt.Errorf("there is no format %d", m.Format)
	}
	for _, s := range []Stage{m.Generating, m.Training, m.Evaluating} {
		if s.State != Pending && s.State != Partial && s.State != Complete || s.Done < 0 || s.Total < s.Done ||
			!(s.Seconds >= 0) || math.IsInf(s.Seconds, 0) {
			return fmt.Errorf("a stage is %+v", s)
		}
	}
	for _, s := range m.Sources {
		if s.Name == "" || s.Size < 0 {
			return fmt.Errorf("the file of pairs %q has size %d", s.Name, s.Size)
		}
	}
	for i, f := range m.Files {
		if f.Name == "" || strings.ContainsAny(f.Name, `/\`) || f.Name == "." || f.Name == ".." || f.Name == ManifestFile ||
			f.Name == LockFile {
			return fmt.Errorf("%q is no name for a file of a run", f.Name)
		}
		if i > 0 && m.Files[i-1].Name >= f.Name {
			return fmt.Errorf("the files are not in the order of their names at %q", f.Name)
		}
		if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size || f.Size < 0 {
			return fmt.Errorf("%s has size %d and checksum %q", f.Name, f.Size, f.SHA256)
		}
		if f.Shape != nil || f.Growing {
			if _, _, ok := layout(f); !ok {
				return fmt.Errorf("%s has size %d and shape %v", f.Name, f.Size, f.Shape)
			}
		}
	}
	if _, ok := m.File(ConfigFile); !ok {
		return errors.New("it has no " + ConfigFile)
	}
	return nil
}

// Read reads the manifest of the run in the directory path and nothing else. Errors are *fault.Data: not a run,
// damaged, written in a newer format.
func Read(path string) (Manifest, error) {
	where := filepath.Join(path, ManifestFile)
	f, err := files.OpenInside(where, os.O_RDONLY)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Manifest{}, &fault.Data{Where: path, What: "is not a run: it has no " + ManifestFile,
			Do: "`rfm show` lists the runs"}
	case err != nil:
		return Manifest{}, fault.Unread(where, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err != nil {
		return Manifest{}, fault.Unread(where, err)
	}
	return decode(text, where)
}
