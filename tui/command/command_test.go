package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/show/check"
	"rfm/solver/dataset/filetest"
	"rfm/tui/terminal"
)

var noError = filetest.NoError

// tinyArgs describe an experiment that takes a fraction of a second.
var tinyArgs = []string{"run", "quick", "-n", "20", "-m", "16", "--test", "10", "-K", "33", "--set", "data.grid=257",
	"--set", "tolerance=1e-6", "--no-baselines"}

// call runs the program and returns its exit code and output.
func call(t *testing.T, environ []string, args ...string) (code int, out, errors string) {
	t.Helper()
	return process(t.Context(), "", environ, args...)
}

// process is call with a context and an input.
func process(ctx context.Context, in string, environ []string, args ...string) (code int, out, errors string) {
	var stdout, stderr bytes.Buffer
	code = run(ctx, with(args), terminal.New(strings.NewReader(in), &stdout, &stderr, environ))
	return code, stdout.String(), stderr.String()
}

func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

// decode reads the only JSON object of a text.
func decode(t *testing.T, text string, into any) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil || decoder.More() {
		t.Fatalf("%v in %.200q", err, text)
	}
}

// full is a stream on which every write fails, like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnwrittenResultIsAnError(t *testing.T) {
	for _, args := range [][]string{{"--json"}, {}} {
		var stderr bytes.Buffer
		code := run(t.Context(), with(tinyArgs, append(args, "--no-save", "--quiet")...),
			terminal.New(strings.NewReader(""), full{}, &stderr, nil))
		if code != exitData ||
			!strings.Contains(stderr.String(), "standard output cannot be written: no space left on device") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
}

func TestCheckPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	code, out, errors := call(t, []string{"TERM=xterm", "SSH_TTY=/dev/pts/1"}, "check", "--json", "--workers", "1")
	var report struct {
		check.Report
		Terminal string
	}
	if decode(t, out, &report); code != exitDone || !report.Passed || report.Workers != 1 || report.Cores < 1 ||
		!strings.HasPrefix(report.Terminal, "none: ") || len(report.Findings) != 4 {
		t.Errorf("exit code %d: %s %s", code, out, errors)
	}
	if exitCode(errUnsound) != exitUnsound {
		t.Error("a failed check has another exit code")
	}
}

// cancelled runs the program under a context that has ended.
func cancelled(t *testing.T, args ...string) (code int, errors string) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, _, errors = process(ctx, "", nil, args...)
	return code, errors
}

// TestMain lets tests start the program itself: on a terminal of its own, and as the command rfm of scripts.
func TestMain(m *testing.M) {
	if os.Getenv("COMMAND_TEST_MAIN") != "" {
		os.Exit(Main())
	}
	testscript.Main(&tests{m}, map[string]func(){"rfm": func() { os.Exit(Main()) }})
}

// tests runs all tests with a scratch directory.
type tests struct{ *testing.M }

func (m *tests) Run() int {
	debug.SetGCPercent(400) // hundreds of small calls would spend a quarter of their time in collections
	var err error
	scratch, err = os.MkdirTemp("", "rfm-command-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(scratch)
	return m.M.Run()
}

// scratch is a directory of all tests.
var scratch string

// program returns a command that runs the program in a process of its own.
func program(t *testing.T, directory string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	noError(t, err)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = directory
	cmd.Env = append(os.Environ(), "COMMAND_TEST_MAIN=1", "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=")
	return cmd
}

func TestVersionIsThatOfManifests(t *testing.T) {
	code, out, errors := call(t, nil, "--version")
	if p := machine.Program(); code != exitDone || out != "rfm version "+versionLine(p)+"\n" {
		t.Fatalf("exit code %d, %s%s", code, out, errors)
	}
	m, err := store.Read(storeRun(t, t.TempDir(), "x"))
	if err != nil || m.Program != machine.Program() {
		t.Errorf("program.json has %+v (%v)", m.Program, err)
	}
}

// A build in a clone of the repository knows its commit.
func TestBuildsKnowTheirCommit(t *testing.T) {
	if info, err := os.Stat(filepath.Join("..", "..", ".git")); err != nil || !info.IsDir() || testing.Short() {
		t.Skip("builds the program, in a clone")
	}
	if err := exec.Command("git", "rev-parse", "HEAD").Run(); err != nil {
		t.Skip("git cannot read this clone")
	}
	binary := filepath.Join(t.TempDir(), "rfm")
	if out, err := exec.Command("go", "build", "-buildvcs=true", "-o", binary, "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command(binary, "--version").CombinedOutput()
	if !regexp.MustCompile(`^rfm version v\S+ \([0-9a-f]{12,}(\+dirty)?, \S+Z, go`).Match(out) || err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
