// Package interchange exchanges files with other programs. It inspects files and infers how to read pairs from them,
// predicts functions in them, and exports the results of a run: the data, the model, its predictions, tables, and a
// README that describes the files and the evaluation of the model with NumPy.
package interchange

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rfm/model/machine"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Format is a file format for arrays.
type Format string

// The formats. Each function is a row; in CSV the rows of a field follow each other in one line.
const (
	NPZ Format = "npz" // data.npz, predictions.npz, solution.npz
	NPY Format = "npy" // a file for each array
	CSV Format = "csv" // a file for each array, without a header line
)

// Exported describes a written export.
type Exported struct {
	Directory string   `json:"directory"`
	Files     []string `json:"files"` // names, in order
	Bytes     int64    `json:"bytes"`
	Complete  bool     `json:"complete"`          // whether the run is complete
	Missing   []string `json:"missing,omitempty"` // missing results of an unfinished run, in words
}

// Export writes the content of the run in the directory path to a new directory, which appears complete or not at all,
// with arrays in a format. An unfinished run has those that are complete. The run may be in use: it is not
// changed. Every file that is read is compared with its checksum. Errors: *fault.Data if the directory exists or cannot
// be made, and for damaged files; ctx's.
func Export(ctx context.Context, path, directory string, format Format) (Exported, error) {
	if _, err := os.Lstat(directory); err == nil {
		return Exported{}, taken(directory)
	}
	m, err := store.Read(path)
	if err != nil {
		return Exported{}, err
	}
	c := content{path: path, manifest: m, config: m.Config}
	const copies = 3 // of the files, while they are read and arranged
	if err := machine.CheckBytes("this export", copies*float64(m.Bytes()),
		"take the files of the run, which are NumPy's"); err != nil {
		return Exported{}, err
	}
	if err := c.collect(ctx); err != nil {
		return Exported{}, err
	}
	all := append(c.files, files.Text("README.txt", []byte(c.readme(format))))
	all = append(all, c.encode(format)...)
	slices.SortFunc(all, func(a, b files.File) int { return cmp.Compare(a.Name, b.Name) })
	r := Exported{Directory: directory, Complete: m.Complete(), Missing: c.missing}
	for _, f := range all {
		r.Files = append(r.Files, f.Name)
	}
	r.Bytes, err = appear(ctx, directory, all)
	return r, err
}

// appear creates a directory with files, atomically and durably.
func appear(ctx context.Context, directory string, wanted []files.File) (bytes int64, err error) {
	directory = filepath.Clean(directory)
	if err := os.MkdirAll(filepath.Dir(directory), 0o777); err != nil {
		return 0, unwritable(directory, err)
	}
	err = files.Directory(directory, func(hidden string) error {
		for _, f := range wanted {
			if err := ctx.Err(); err != nil {
				return err
			}
			name := filepath.Join(hidden, f.Name)
			if err := files.Write(name, f.Content); err != nil {
				var data *fault.Data
				if errors.As(err, &data) { // an error of reading, not of writing
					return err
				}
				return unwritable(filepath.Join(directory, f.Name), err)
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
	return fault.Bad(directory, "choose another --out; exports are never overwritten", "exists already")
}

func unwritable(path string, err error) error {
	return fault.Unwritten(path, err, "nothing was exported: free some space, or choose another --out")
}
