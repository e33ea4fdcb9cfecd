// This file is directories of arrays: inputs.npy and outputs.npy beside each other are read as one file with two
// arrays.

package exchange

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// endings are those of the files of a directory that are looked at.
var endings = []string{".npy", ".npz", ".mat", ".h5", ".hdf5", ".safetensors", ".pt", ".pth"}

// folder is the files of arrays in a directory. The array of a .npy file has the file's name without ending, another
// file's arrays have its name in front: "run1.npz/a".
type folder struct {
	of map[string]inFile
}

type inFile struct {
	file *File
	name string
}

const maxFiles = 256

// openFolder opens a directory.
func openFolder(ctx context.Context, name string) (*File, error) {
	paths, err := insideOf(name)
	if err != nil {
		return nil, err
	}
	f := &File{Name: name, Kind: Folder, obedient: obedient{ctx: ctx}}
	arrays := folder{map[string]inFile{}}
	for _, path := range paths {
		base := filepath.Base(path)
		one, err := Open(ctx, path)
		if err != nil {
			f.Close()
			return nil, err
		}
		f.inside = append(f.inside, one)
		f.Size += one.Size
		for _, m := range one.Members {
			own := m
			if m.Name = base + "/" + m.Name; one.Kind == NPY {
				m.Name = strings.TrimSuffix(base, filepath.Ext(base))
			}
			f.Members = append(f.Members, m)
			arrays.of[m.Name] = inFile{one, own.Name}
		}
	}
	f.arrays = arrays
	return f, nil
}

// insideOf is the paths of the files of arrays in a directory. The error is a *fault.Data, also if there are none.
func insideOf(name string) ([]string, error) {
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	var paths []string
	for _, e := range entries {
		ending := strings.ToLower(filepath.Ext(e.Name()))
		if !e.IsDir() && !strings.HasPrefix(e.Name(), ".") && slices.Contains(endings, ending) {
			paths = append(paths, filepath.Join(name, e.Name()))
		}
	}
	switch {
	case len(paths) > maxFiles:
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("has more than %d files of arrays", maxFiles),
			Do: "name one of them"}
	case len(paths) == 0:
		return nil, &fault.Data{Where: name, What: "is a directory without files of arrays",
			Do: "give a file, or a directory with inputs.npy and outputs.npy"}
	}
	return paths, nil
}

func (d folder) Verify(name string) error { return d.of[name].file.Verify(d.of[name].name) }

func (d folder) Scan(name string, strides []int, s npy.Selection) error {
	return d.of[name].file.Scan(d.of[name].name, strides, s)
}

func (d folder) Array(name string) (npy.Array, error) { return d.of[name].file.Array(d.of[name].name) }
