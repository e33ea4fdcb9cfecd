// Package pythontest finds a Python with NumPy and SciPy for tests that compare with them.
package pythontest

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// Required is the environment variable that makes tests fail, instead of being skipped, where there is no such Python.
const Required = "REQUIRE_NUMPY"

// find is the first Python that has NumPy and SciPy: the one on PATH, which may be an environment without them, or the
// system's. It is empty if there is none.
var find = sync.OnceValue(func() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy, scipy.io").Run() == nil {
			return python
		}
	}
	return ""
})

// Interpreter is a Python that has NumPy and SciPy. Where there is none the test is skipped, or fails if they are
// Required; short tests are always skipped, since starting Python takes a second.
func Interpreter(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starting Python takes a second")
	}
	python := find()
	if python == "" && os.Getenv(Required) != "" {
		t.Fatalf("there is no python3 with NumPy and SciPy, and %s is set", Required)
	}
	if python == "" {
		t.Skip("there is no python3 with NumPy and SciPy")
	}
	return python
}

// Run runs a program in a directory and returns what it prints. The test fails if the program does.
func Run(t testing.TB, directory, program string, arguments ...string) string {
	t.Helper()
	command := exec.Command(Interpreter(t), append([]string{"-c", program}, arguments...)...)
	command.Dir = directory
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatal(fmt.Errorf("%w\n%s\n%s", err, program, out))
	}
	return string(out)
}
