package pythontest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestRunPrintsWhatTheProgramPrints(t *testing.T) {
	if out := strings.TrimSpace(Run(t, t.TempDir(), "import sys, numpy; print(numpy.arange(3).sum(), *sys.argv[1:])",
		"a b")); out != "3 a b" {
		t.Errorf("got %q", out)
	}
}

// A child process of this test finds no Python.
func TestWithoutPythonTestsAreSkippedOrFail(t *testing.T) {
	if os.Getenv("PYTHON_TEST_CHILD") != "" {
		find = func() string { return "" }
		Interpreter(t)
		return
	}
	if testing.Short() {
		t.Skip("short tests skip Python")
	}
	for value, want := range map[string]string{"": "--- SKIP", "1": "--- FAIL"} {
		child := exec.Command(os.Args[0], "-test.v", "-test.run", "^"+t.Name()+"$")
		child.Env = append(os.Environ(), "PYTHON_TEST_CHILD=1", required+"="+value)
		out, err := child.CombinedOutput()
		if !strings.Contains(string(out), want) || (err == nil) != (value == "") {
			t.Errorf("%s=%q: %v\n%s", required, value, err, out)
		}
	}
}
