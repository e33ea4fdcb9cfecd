package interchange

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// Inputs and outputs in two files are recognised by their names, and the error contains a command that joins them.
func TestPairsInTwoFilesAreAnsweredWithHowToJoinThem(t *testing.T) {
	d := t.TempDir()
	for _, name := range []string{"inputs.npy", "outputs.npy", "x_test.npy", "u_train.npy"} {
		arraytest.NPY(t, filepath.Join(d, name), npy.Array{Shape: []int{24, 33}, Data: make([]float64, 24*33)})
	}
	for name, says := range map[string]string{"inputs.npy": "outputs.npy", "outputs.npy": "inputs.npy", "x_test.npy": "stack",
		"u_train.npy": "stack"} {
		_, err := Learn(context.Background(), filepath.Join(d, name))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	const join = "numpy.savez"
	if err := NoRun(d); !strings.Contains(err.Error(), join) || !strings.Contains(err.Error(), "outputs.npy") {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(d, "outputs.npy")); err != nil {
		t.Fatal(err)
	}
	if err := NoRun(d); strings.Contains(err.Error(), join) || !strings.Contains(err.Error(), "rfm show") {
		t.Error(err)
	}
}
