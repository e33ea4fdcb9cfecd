package hdf5

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
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
					t.Errorf("%s: got %v, %v, want the number in the name of the array", d.Name, data, err)
				}
			}
			if arrays != 3000 || len(named) != 3002 {
				t.Errorf("%d arrays, %d in groups", len(named), arrays)
			}
		})
	}
}

// An attribute that cannot be applied refuses its array by name: the stored numbers would mean something else.
func TestUnclearAttributesRefuseTheirArray(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.h5")
	pythontest.RunWith(t, []string{"h5py"}, filepath.Dir(name), `
import numpy, h5py
with h5py.File("a.h5", "w") as h:
    for k, attribute, value in (("text", "scale_factor", "0.5"), ("two", "add_offset", [1.0, 2.0]), ("word", "_FillValue", "none"), ("fine", "scale_factor", 2.0)):
        h[k] = numpy.ones((3, 4)); h[k].attrs[attribute] = value
`)
	named := open(t, name)
	for array, attribute := range map[string]string{"text": "scale_factor", "two": "add_offset", "word": "_FillValue"} {
		filetest.Refused(t, array, named[array].Refused, "has the attribute "+attribute)
		filetest.Refused(t, array, named[array].Refused, "correct the attribute")
	}
	a, err := named["fine"].Array()
	if err != nil || a.Data[0] != 2 {
		t.Errorf("got %v, %v, want 2 as the first number", a, err)
	}
}
