// Package interchange is the border with other programs. It finds out what their files hold and how pairs in them are
// read, predicts functions in them, and writes what a run has computed as files for them: the data, the model, its
// predictions, tables, and a README that says what is what and how NumPy evaluates the model.
package interchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/printable"
)

// Format is a kind of files for arrays.
type Format string

// The formats. Functions are rows, in CSV with fields row by row in one line.
const (
	NPZ  Format = "npz"  // data.npz, predictions.npz, solution.npz
	NPY  Format = "npy"  // a file for each array
	CSV  Format = "csv"  // a file for each array, without a header line
	JSON Format = "json" // data.json, predictions.json, solution.json
)

// Formats are all formats.
func Formats() []Format { return []Format{NPZ, NPY, CSV, JSON} }

// Options say what to write.
type Options struct {
	Formats []Format // at least one
	// Grid is the grid of data and predictions, K or r along an axis. 0 takes the data and the predictions that the run has.
	// On any other grid that the data grid contains predictions and errors are computed; pairs are made again on a grid
	// that those of the run are too coarse for.
	Grid    int
	Workers int // goroutines that compute, at least 1
	// Again, which may be nil, is called before pairs are made again, with their number and grid.
	Again func(pairs, grid int)
}

// Exported says what was written.
type Exported struct {
	Directory string   `json:"directory"`
	Files     []string `json:"files"` // names, in order
	Bytes     int64    `json:"bytes"`
	Complete  bool     `json:"complete"`          // the run is
	Missing   []string `json:"missing,omitempty"` // what an unfinished run does not have yet, in words
}

// Export writes what the run in the directory path has to a new directory, which appears with everything in it, or not
// at all. The run may be unfinished, and in use: nothing is changed in it. Every file that is read is compared with its
// checksum. Errors: *fault.Data if the directory exists or cannot be made, for damaged files, and for a grid that does
// not fit; *fault.Numerical, ctx's.
func Export(ctx context.Context, path, directory string, o Options) (Exported, error) {
	if _, err := os.Lstat(directory); err == nil {
		return Exported{}, taken(directory)
	}
	s, err := open(path)
	if err != nil {
		return Exported{}, err
	}
	if err := machine.CheckBytes("this export", s.bytes(o.Grid),
		"ask for a coarser grid, or take the files of the run, which are NumPy's"); err != nil {
		return Exported{}, err
	}
	c, err := s.content(ctx, o)
	if err != nil {
		return Exported{}, err
	}
	files := c.files
	for _, format := range o.Formats {
		files = append(files, c.encode(format)...)
	}
	files = append(files, file{"README.txt", text([]byte(c.readme(o.Formats)))})
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	r := Exported{Directory: directory, Complete: s.manifest.Complete(), Missing: c.missing}
	for _, f := range files {
		r.Files = append(r.Files, f.name)
	}
	r.Bytes, err = appear(ctx, directory, files)
	return r, err
}

// file is a file to be written.
type file struct {
	name  string
	write func(io.Writer) error
}

// text writes what is known already.
func text(content []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}
}

// appear makes a directory with files, whole and durably.
func appear(ctx context.Context, directory string, wanted []file) (bytes int64, err error) {
	directory = filepath.Clean(directory)
	if err := os.MkdirAll(filepath.Dir(directory), 0o777); err != nil {
		return 0, unwritable(directory, err)
	}
	err = files.Directory(directory, func(hidden string) error {
		for _, f := range wanted {
			if err := ctx.Err(); err != nil {
				return err
			}
			name := filepath.Join(hidden, f.name)
			if err := files.Write(name, f.write); err != nil {
				var data *fault.Data
				if errors.As(err, &data) { // of what is read
					return err
				}
				return unwritable(filepath.Join(directory, f.name), err)
			}
			info, err := os.Stat(name)
			if err != nil {
				return err
			}
			bytes += info.Size()
		}
		return nil
	})
	var data *fault.Data
	switch {
	case err == nil:
		return bytes, nil
	case errors.Is(err, fs.ErrExist):
		return 0, taken(directory)
	case errors.As(err, &data), ctx.Err() != nil:
		return 0, err
	}
	return 0, unwritable(directory, err)
}

func taken(directory string) error {
	return &fault.Data{Where: directory, What: "exists already", Do: "choose another --out; exports are never overwritten"}
}

func unwritable(path string, err error) error {
	return fault.Unwritten(path, err, "nothing was exported: free some space, or choose another --out")
}

// ModelFile is the file of the model of the run in the directory path. The error is a *fault.Data: no run, or none that
// has a model yet.
func ModelFile(path string) (string, error) {
	m, err := store.Read(path)
	if err != nil {
		return "", err
	}
	if _, ok := m.File(engine.ModelFile); !ok {
		return "", &fault.Data{Where: path, What: "has no trained model yet",
			Do: fmt.Sprintf("resume with `rfm run %s`", printable.Path(path))}
	}
	return filepath.Join(path, engine.ModelFile), nil
}
