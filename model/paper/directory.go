// This file stores results in a report directory, so that an interrupted reproduction can be resumed.

package paper

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rfm/model/machine"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Directory is a report directory: NAME.json and NAME.csv for each study, NAME-draw-N.json for each draw of a study.
type Directory struct {
	Path string
}

// DirectoryName returns the default report directory. Quick results have their own, so that they do not replace full
// ones.
func DirectoryName(quick bool) string {
	if quick {
		return "reproduction-quick"
	}
	return "reproduction"
}

// marker is the file that identifies a report directory.
const marker = ".rfm-reproduction"

// OpenDirectory makes the directory if it does not exist. It refuses a directory with other files, which reports could
// overwrite. The error is a *fault.Data.
func OpenDirectory(path string) (*Directory, error) {
	const other = "choose another place with --out"
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, &fault.Data{Where: path, What: "cannot be made", Err: err, Do: other}
	}
	d := &Directory{path}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, &fault.Data{Where: path, What: "cannot be listed", Err: err, Do: other}
	}
	if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == marker }) {
		return d, nil
	}
	if len(entries) > 0 {
		return nil, &fault.Data{Where: path, What: "holds files that are not of a reproduction", Do: other}
	}
	return d, d.Write(marker, nil)
}

// key identifies the inputs of a result: the program, the options and all sizes.
func (s *Session) key(study Study) string {
	o := s.options
	o.Workers = 0 // does not change results
	h := sha256.New()
	fmt.Fprintf(h, "rfm study 3\n%s\n%s\n%+v\n", s.program(), study.Name, o)
	if study.Problem != scalarProblem {
		seeds, draws := s.sizes.seeds(study.Problem)
		fmt.Fprintf(h, "%+v\n%+v\n%d\n", s.sizes.studies(study.Problem), seeds, draws)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// program identifies the program: by the version of a release, otherwise also by the executable, since builds from
// changed sources may compute other results under the same version.
func program() string {
	version := machine.Version()
	if strings.HasPrefix(version, "v") && !strings.Contains(version, "+dirty") {
		return version
	}
	path, err := os.Executable()
	if err != nil {
		return version
	}
	stamp, err := files.TakeStamp(path)
	if err != nil {
		return version
	}
	return fmt.Sprintf("%s %d %s", version, stamp.Size, stamp.Modified.Format(time.RFC3339Nano))
}

// entry is the content of NAME.json.
type entry[T any] struct {
	Key    string `json:"key"` // identifies the inputs of the result
	Result T      `json:"result"`
}

// load reads a file of a directory, unless that is nil, if it comes from the same program, options and sizes. Any other
// file counts as missing, and will be replaced.
func load[T any](d *Directory, name, key string) (result T, ok bool) {
	if d == nil {
		return result, false
	}
	const limit = 1 << 28 // bytes; the largest results have some 10 MB
	text, err := files.ReadFile(d.file(name), limit)
	var e entry[T]
	if err != nil || json.Unmarshal(text, &e) != nil || e.Key != key {
		return result, false
	}
	return e.Result, true
}

// save writes a file for load. The error is a *fault.Data.
func save[T any](d *Directory, name, key string, result T) error {
	if d == nil {
		return nil
	}
	text, err := json.MarshalIndent(entry[T]{key, result}, "", " ")
	if err != nil {
		return &fault.Data{Where: d.file(name), What: "has no JSON form", Err: err}
	}
	return d.Write(name, append(text, '\n'))
}

// load returns the stored result of a study; ok is false if there is none.
func (d *Directory) load(study Study, key string) (Result, bool) {
	r, ok := load[Result](d, study.Name+".json", key)
	return r, ok && r.Name == study.Name
}

// save writes NAME.csv, and then NAME.json, which marks the study as done.
func (d *Directory) save(r Result, key string) error {
	if d == nil {
		return nil
	}
	if err := d.Write(r.Name+".csv", r.Report().CSV()); err != nil {
		return err
	}
	return save(d, r.Name+".json", key, r)
}

// Write writes a file atomically. The error is a *fault.Data.
func (d *Directory) Write(name string, text []byte) error {
	if err := files.WriteFile(d.file(name), text); err != nil {
		what := "cannot be written"
		if errors.Is(err, fs.ErrNotExist) {
			what = "cannot be written: the directory is gone"
		}
		return &fault.Data{Where: d.file(name), What: what, Err: err,
			Do: "free some space or choose another place with --out"}
	}
	return nil
}

func (d *Directory) file(name string) string { return filepath.Join(d.Path, name) }
