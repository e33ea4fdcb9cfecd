// Package arraytest writes and reads files of arrays for tests; an error fails the test.
package arraytest

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"slices"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// NPY writes a .npy file and returns its name.
func NPY(t testing.TB, name string, a npy.Array) string {
	t.Helper()
	var b bytes.Buffer
	filetest.NoError(t, errors.Join(npy.Write(&b, a), os.WriteFile(name, b.Bytes(), 0o600)))
	return name
}

// NPZ writes a .npz file with the arrays, in the order of their names unless another is given, and returns its name.
func NPZ(t testing.TB, name string, arrays map[string]npy.Array, order ...string) string {
	t.Helper()
	if order == nil {
		order = slices.Sorted(maps.Keys(arrays))
	}
	var b bytes.Buffer
	w := npz.NewWriter(&b)
	for _, array := range order {
		filetest.NoError(t, w.Array(array, arrays[array]))
	}
	filetest.NoError(t, errors.Join(w.Close(), os.WriteFile(name, b.Bytes(), 0o600)))
	return name
}

// Read reads a .npy file.
func Read(t testing.TB, name string) npy.Array {
	t.Helper()
	text, err := os.ReadFile(name)
	filetest.NoError(t, err)
	a, err := npy.Read(text)
	filetest.NoError(t, err)
	return a
}
