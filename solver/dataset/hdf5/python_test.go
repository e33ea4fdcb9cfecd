package hdf5

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/pythontest"
)

// Indices of several levels and pages are too large for testdata, so h5py writes them where it is installed.
func TestLargeIndices(t *testing.T) {
	python := pythontest.Interpreter(t)
	if exec.Command(python, "-c", "import h5py").Run() != nil {
		t.Skip("there is no h5py")
	}
	program, err := filepath.Abs("testdata/make.py")
	noError(t, err)
	directory := t.TempDir()
	if out, err := exec.Command(python, program, directory, "large").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"large_earliest.h5", "large_latest.h5"} {
		t.Run(name, func(t *testing.T) {
			named := open(t, filepath.Join(directory, name))
			arrays := 0
			for _, d := range named {
				if !strings.HasPrefix(d.Name, "groups/") {
					check(t, d)
					continue
				}
				arrays++
				if data, err := d.Array(); err != nil || d.Name != fmt.Sprintf("groups/array %g", data.Data[0]) {
					t.Errorf("%s: %v, %v", d.Name, data, err)
				}
			}
			if arrays != 3000 || len(named) != 3002 {
				t.Errorf("%d arrays, %d in groups", len(named), arrays)
			}
		})
	}
}
