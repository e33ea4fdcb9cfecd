// Package pythontest locates a Python with NumPy and SciPy for tests that compare results with them.
package pythontest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// required is the environment variable that makes tests fail, instead of being skipped, without such a Python.
const required = "REQUIRE_NUMPY"

// OneThread are environment variables with which NumPy and its like compute on one thread. The arrays of tests are small,
// so that more threads mostly wait for each other, and that takes as much of the processors as to compute.
var OneThread = []string{"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1", "MKL_NUM_THREADS=1"}

// find returns the first Python with NumPy and SciPy: from PATH, which may be an environment without them, or the one
// of the system. It returns "" if both lack them.
var find = sync.OnceValue(func() string {
	for _, python := range pythons {
		if exec.Command(python, "-c", "import numpy, scipy.io").Run() == nil {
			return python
		}
	}
	return ""
})

// Interpreter returns a Python with NumPy and SciPy. Without one it skips the test, or fails it if Required is set. It
// always skips short tests, since starting Python takes a second.
func Interpreter(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starting Python takes a second")
	}
	python := find()
	if python == "" && os.Getenv(required) != "" {
		t.Fatalf("there is no python3 with NumPy and SciPy, and %s is set", required)
	}
	if python == "" {
		t.Skip("there is no python3 with NumPy and SciPy")
	}
	return python
}

// pythons are the interpreters that may have packages: from PATH, and of the system.
var pythons = []string{"python3", "/usr/bin/python3"}

// modules holds the interpreter with each set of modules that was asked for; empty if none has them.
var modules sync.Map

// having returns a Python with modules, such as "torch". Without one it skips the test; it always skips short tests.
func having(t testing.TB, names ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starting Python takes a second")
	}
	wanted := strings.Join(names, ", ")
	found, ok := modules.Load(wanted)
	if !ok {
		found = ""
		for _, python := range pythons {
			if exec.Command(python, "-c", "import "+wanted).Run() == nil {
				found = python
				break
			}
		}
		modules.Store(wanted, found)
	}
	python, _ := found.(string)
	if python == "" {
		t.Skip("there is no python3 with " + wanted)
	}
	return python
}

// RunWith runs a program in a directory with a Python that has modules, see having, and returns its output. The test
// fails if the program fails.
func RunWith(t testing.TB, modules []string, directory, program string, arguments ...string) string {
	t.Helper()
	return run(t, having(t, modules...), directory, program, arguments...)
}

// Run runs a program in a directory and returns its output. The test fails if the program fails.
func Run(t testing.TB, directory, program string, arguments ...string) string {
	t.Helper()
	return run(t, Interpreter(t), directory, program, arguments...)
}

func run(t testing.TB, python, directory, program string, arguments ...string) string {
	t.Helper()
	command := exec.Command(python, append([]string{"-c", program}, arguments...)...)
	command.Dir = directory
	command.Env = append(os.Environ(), OneThread...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s\n%s", err, program, out))
	}
	return string(out)
}
