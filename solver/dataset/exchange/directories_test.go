package exchange

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
)

// directories makes directories with three files of one function in each, and returns the one around them.
func directories(t *testing.T, names ...string) string {
	t.Helper()
	whole := t.TempDir()
	for i, name := range names {
		noError(t, os.Mkdir(filepath.Join(whole, name), 0o700))
		for _, file := range []string{"1.npy", "2.npy", "3.npy"} {
			arraytest.NPY(t, filepath.Join(whole, name, file), wave(i, true, 40))
		}
	}
	return whole
}

// A directory with one of inputs and one of outputs is a source; other directories are named with what to write.
func TestDirectoriesInDirectories(t *testing.T) {
	f := opened(t, directories(t, "in", "out"))
	if a, u := f.Member("a"), f.Member("u"); !slices.Equal(a.Shape, []int{3, 40}) || !slices.Equal(u.Shape, []int{3, 40}) {
		t.Errorf("shapes %v and %v", a.Shape, u.Shape)
	}
	parts := directories(t, "train", "test")
	_, err := Open(t.Context(), parts)
	filetest.Refused(t, "train and test", err, "rfm run "+filepath.Join(parts, "train")+" --test-data "+filepath.Join(parts, "test"))
	_, err = Open(t.Context(), directories(t, "case1", "case2", "case3"))
	filetest.Refused(t, "cases", err, "3 directories: case1, case2, case3")
	if !IsData(parts) {
		t.Errorf("a directory of directories of data is taken for a run")
	}
	runs := directories(t, "run")
	noError(t, os.WriteFile(filepath.Join(runs, "run", "config.toml"), nil, 0o600))
	if IsData(runs) {
		t.Errorf("a directory of runs is taken for data")
	}
}

// Directories with numbers in their names hold one sample each, also if they hold it in a directory further down.
func TestDirectoriesOfSamples(t *testing.T) {
	whole := t.TempDir()
	for i, name := range []string{"case_2", "case_10", "case_1"} {
		inner := filepath.Join(whole, name, "results", "final")
		noError(t, os.MkdirAll(inner, 0o700))
		arraytest.NPY(t, filepath.Join(inner, "input.npy"), wave(i, true, 40))
		arraytest.NPY(t, filepath.Join(inner, "output.npy"), wave(i+5, true, 40))
	}
	if !IsData(whole) {
		t.Error("a directory of directories of samples is taken for a run")
	}
	f := opened(t, whole)
	a, err := f.Member("input").Array()
	noError(t, err)
	third := wave(0, true, 40) // case_2 is between the others
	if !slices.Equal(a.Shape, []int{3, 40}) || !slices.Equal(a.Data[40:80], third.Data) {
		t.Errorf("shape %v, want 3 inputs in the order of their numbers", a.Shape)
	}
	if f.Name != whole {
		t.Errorf("name %q, want that of the directory", f.Name)
	}
	noError(t, os.Remove(filepath.Join(whole, "case_1", "results", "final", "output.npy")))
	if IsData(whole) {
		t.Error("directories of which one lacks a file are taken for samples")
	}
}

// A directory of meshes is refused with the lines of Python that convert all of them.
func TestDirectoriesOfMeshes(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{"1.vtu", "2.vtu"} {
		noError(t, os.WriteFile(filepath.Join(directory, name), []byte("<VTKFile>"), 0o600))
	}
	if !IsData(directory) {
		t.Error("a directory of meshes is taken for a run")
	}
	_, err := Open(t.Context(), directory)
	filetest.Refused(t, "meshes", err, "glob('*.vtu')")
}

// Files with one array each keep the numbers in their names, unless other files continue the series.
func TestSingleFilesKeepTheirNumbers(t *testing.T) {
	directory := t.TempDir()
	var names []string
	for i, name := range []string{"X.npy", "Y.npy", "Q5.npy"} {
		names = append(names, arraytest.NPY(t, filepath.Join(directory, name), wave(i, false, 30, 40)))
	}
	f := opened(t, strings.Join(names, ","))
	if !f.Has("Q5") || len(f.Notes) > 0 {
		t.Errorf("members %v, notes %q", f.Members, f.Notes)
	}
}
