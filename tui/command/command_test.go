package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/model/check"
	"rfm/model/engine"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/printable"
)

// tinyArgs describe an experiment that takes a fraction of a second.
var tinyArgs = []string{"run", "quick", "-n", "20", "-m", "16", "--test", "10", "-K", "33", "--set", "data.grid=257",
	"--set", "tolerance=1e-6", "--no-baselines"}

// call runs the program and returns its exit code and output.
func call(t *testing.T, environ []string, args ...string) (code int, out, errors string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), with(args), streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, environ)
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

func TestRunPrintsOneJSONObject(t *testing.T) {
	code, out, errors := call(t, nil, with(tinyArgs, "--json", "--no-save")...)
	expect(t, code, exitDone, errors, "n=20 m=16 K=33")
	var s engine.Summary
	if decode(t, out, &s); s.Problem != "burgers" || s.N != 20 || s.M != 16 || s.Grid != 33 || s.Rank < 1 ||
		s.Test.ExpectedRelative <= 0 || s.Run != "" {
		t.Errorf("got %+v", s)
	}
}

// The problem is set before its values, wherever it stands.
func TestDarcyFromTheShell(t *testing.T) {
	code, out, errors := call(t, nil, "run", "quick", "-n", "8", "-m", "8", "--test", "6", "-K", "9", "--set",
		"data.grid=17", "--set", "problem=darcy", "--no-save", "--quiet")
	expect(t, code, exitDone, out+errors, "darcy  n=8  m=8  r=9  lambda=1e-08", "untrained, twice", "full solve")
	if errors != "" {
		t.Errorf("with --quiet it says %q", errors)
	}
}

// full is a stream on which every write fails, like a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnwrittenResultIsAnError(t *testing.T) {
	for _, args := range [][]string{{"--json"}, {}} {
		var stderr bytes.Buffer
		code := run(t.Context(), with(tinyArgs, append(args, "--no-save", "--quiet")...),
			streams{in: strings.NewReader(""), out: full{}, err: &stderr}, nil)
		if code != exitData ||
			!strings.Contains(stderr.String(), "standard output: cannot be written: no space left on device") {
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
		!strings.HasPrefix(report.Terminal, "none: ") || len(report.Findings) != 7 {
		t.Errorf("exit code %d: %s %s", code, out, errors)
	}
	if exitCode(errUnsound) != exitUnsound {
		t.Error("a failed check has another exit code")
	}
}

func TestStoredConfigurationRepeatsTheRun(t *testing.T) {
	root := t.TempDir()
	code, out, errors := call(t, nil, with(tinyArgs, "--runs", root, "--name", "first")...)
	if code != exitDone || !strings.Contains(out, "expected relative") ||
		!strings.Contains(out, filepath.Join(root, "first")) {
		t.Fatalf("exit code %d: %s %s", code, out, errors)
	}
	code, _, errors = call(t, nil, "run", filepath.Join(root, "first", "config.toml"), "--runs", root, "--name", "second",
		"--workers", "3")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	for _, name := range []string{"config.toml", "model.npz", "errors.csv", "report.json"} {
		a, err := os.ReadFile(filepath.Join(root, "first", name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(root, "second", name))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs, %v", name, err)
		}
	}
}

func TestDryRunNeedsTheFilesOfTheRun(t *testing.T) {
	for _, flag := range []string{"--train-data", "--test-data", "--theta"} {
		fails(t, exitData, "nope.npy", "run", "burgers", "--dry-run", flag, "nope.npy")
	}
}

func TestFlagBeatsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "c.toml")
	if err := os.WriteFile(file,
		[]byte("preset = \"quick\"\nseed = 5\n[data]\ntrain = 20\ntest = 10\ngrid = 257\n[features]\ncount = "+
			"9\n[train]\ngrid = 33\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errors := call(t, []string{"RFM_WORKERS=0", "RFM_RUNS=elsewhere"}, "run", file, "-m", "11", "--workers",
		"1", "--json", "--no-save")
	if code != exitDone {
		t.Fatalf("exit code %d: %s", code, errors)
	}
	var s engine.Summary
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	if s.N != 20 || s.Seed != 5 || s.M != 11 {
		t.Errorf("n=%d and seed=%d from the file, m=%d from the flag", s.N, s.Seed, s.M)
	}
}

func TestInterfaceWithoutTerminalPrintsHelp(t *testing.T) {
	code, out, errors := call(t, nil)
	if code != exitUsage || out != "" || !strings.Contains(errors, "rfm run quick") ||
		!strings.Contains(errors, "needs a terminal") {
		t.Errorf("exit code %d, out %q, err %q", code, out, errors)
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"run", "--help"}, {"--version"}} {
		if code, out, errors := call(t, nil, args...); code != exitDone || out == "" || errors != "" {
			t.Errorf("%v: exit code %d, out %q, err %q", args, code, out, errors)
		}
	}
}

func TestBadInputIsExplained(t *testing.T) {
	directory := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(directory, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	array := func(a npy.Array) string {
		t.Helper()
		return arraytest.NPY(t, filepath.Join(t.TempDir(), "data.npy"), a)
	}
	truncated := array(npy.Array{Shape: []int{257, 20, 2}, Data: make([]float64, 257*40)})
	if err := os.Truncate(truncated, 5000); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want []string
	}{
		"unknown command":     {[]string{"rnu"}, exitUsage, []string{`no command "rnu"`, `"run"`}},
		"preset as a command": {[]string{"burgers"}, exitUsage, []string{"rfm run burgers"}},
		"unknown flag":        {[]string{"run", "--colour"}, exitUsage, []string{"--colour"}},
		"two presets":         {[]string{"run", "quick", "burgers"}, exitUsage, []string{"one preset, file or run"}},
		"colour":              {[]string{"run", "--color", "sometimes"}, exitUsage, []string{"auto, always or never"}},
		"workers":             {[]string{"run", "--workers", "0"}, exitUsage, []string{"--workers 0", "1 to 1024"}},
		"unknown preset":      {[]string{"run", "burger"}, exitConfig, []string{`"burger"`, `did you mean "burgers"?`}},
		"missing file":        {[]string{"run", "no/such.toml"}, exitData, []string{"no/such.toml", "cannot be read"}},
		"bad TOML":            {[]string{"run", file("bad.toml", "[data\n")}, exitConfig, []string{"bad.toml", "line 1"}},
		"unknown key in TOML": {[]string{"run", file("key.toml", "[data]\ntrian = 1\n")}, exitConfig,
			[]string{"data.trian", "data.train"}},
		"n = 0": {[]string{"run", "-n", "0"}, exitConfig, []string{"data.train (n) = 0", "1 to"}},
		"unknown key": {[]string{"run", "--set", "viscocity=1"}, exitConfig,
			[]string{"viscocity", "burgers.viscosity"}},
		"run name":       {[]string{"run", "--runs", directory, "--name", "a/b"}, exitData, []string{"plain name"}},
		"runs is a file": {[]string{"run", "--runs", file("occupied", "")}, exitData, []string{"occupied", "--runs"}},
		"no place for details": {with(tinyArgs, "--no-save", "--details", "no/d.csv"), exitData,
			[]string{"the directory no does not exist"}},
		"no place for tuning": {[]string{"tune", "quick", "--out", "no/t.toml"}, exitData,
			[]string{"the directory no does not exist"}},
		"missing data": {with(tinyArgs, "--no-save", "--train-data", "missing.npy"), exitData,
			[]string{"missing.npy", "cannot be opened"}},
		"truncated data": {with(tinyArgs, "--no-save", "--train-data", truncated), exitData,
			[]string{"truncated", "5000 bytes"}},
		"wrong shape": {with(tinyArgs, "--no-save", "--train-data",
			array(npy.Array{Shape: []int{4, 3}, Data: make([]float64, 12)})), exitData,
			[]string{"[4 3]", "(K, count, 2)"}},
		"negative a": {[]string{"run", "darcy", "-n", "1", "-K", "9", "--no-save", "--train-data",
			array(npy.Array{Shape: []int{9, 9, 1, 2}, Data: slices.Repeat([]float64{-1, 1}, 81)})}, exitData,
			[]string{"input", "0"}},
		"1-D data for fields": {[]string{"run", "darcy", "-n", "1", "-K", "9", "--no-save", "--train-data",
			array(npy.Array{Shape: []int{81, 1, 2}, Data: make([]float64, 162)})}, exitData,
			[]string{"(r, r, count, 2)"}},
		"contrast": {[]string{"run", "darcy", "-n", "8", "-m", "8", "--test", "6", "-K", "9", "--set", "data.grid=17",
			"--set", "darcy.high=1e12", "--set", "darcy.low=1e-6", "--set", "iterations=20", "--no-save"},
			exitNumerical, []string{"Darcy", "pair"}},
		"not resolved": {with(tinyArgs, "--no-save", "--set", "viscosity=1e-6"), exitNumerical,
			[]string{"equation solver", "data.grid"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errors := call(t, nil, test.args...)
			if code != test.code {
				t.Errorf("exit code %d, want %d: %s", code, test.code, errors)
			}
			if code != exitDone && out != "" {
				t.Errorf("standard output has %q", out)
			}
			for _, w := range test.want {
				if !strings.Contains(errors, w) {
					t.Errorf("%q does not say %q", errors, w)
				}
			}
		})
	}
}

// cancelled runs the program under a context that has ended.
func cancelled(t *testing.T, args ...string) (code int, errors string) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	code = run(ctx, args, streams{in: strings.NewReader(""), out: &stdout, err: &stderr}, nil)
	return code, stderr.String()
}

func TestCancelledRunGoesOn(t *testing.T) {
	root := t.TempDir()
	directory := filepath.Join(root, "x")
	if code, errors := cancelled(t, with(tinyArgs, "--runs", root, "--name", "x")...); code != exitInterrupted ||
		!strings.Contains(errors, "rfm run "+printable.Path(directory)) {
		t.Fatalf("exit code %d, %q", code, errors)
	}
	fails(t, exitData, "data.train is 20 there, not 21", with(tinyArgs, "--runs", root, "--name", "x", "-n", "21")...)
	if code, out, errors := call(t, nil, "run", directory); code != exitDone ||
		!strings.Contains(out, "  "+directory+"  next: rfm predict "+printable.Path(directory)) {
		t.Errorf("exit code %d, %q, %q", code, out, errors)
	}
	fails(t, exitDone, "complete already", with(tinyArgs, "--runs", root, "--name", "x")...)
}

func TestCancelledRunThatIsNotStoredLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	code, errors := cancelled(t, with(tinyArgs, "--no-save")...)
	if entries, err := os.ReadDir("."); code != exitCancelled || err != nil || len(entries) != 0 ||
		!strings.Contains(errors, "cancelled") {
		t.Errorf("exit code %d, %d entries, %q, %v", code, len(entries), errors, err)
	}
}

func TestColour(t *testing.T) {
	run := storeRun(t, t.TempDir(), "x")
	for _, test := range []struct {
		environ []string
		color   string
		colors  bool
	}{
		{nil, "auto", false}, // not a terminal
		{[]string{"TERM=xterm-256color"}, "always", true},
		{[]string{"TERM=xterm-256color", "NO_COLOR=1"}, "auto", false},
		{[]string{"TERM=xterm-256color"}, "never", false},
	} {
		_, out, _ := call(t, test.environ, "show", run, "--color", test.color)
		if got := strings.Contains(out, "\x1b["); got != test.colors || !strings.Contains(out, "expected relative") {
			t.Errorf("--color %s, %v: escape sequences %v: %s", test.color, test.environ, got, out)
		}
	}
}

func TestLocaleDecidesAboutUnicode(t *testing.T) {
	for _, test := range []struct {
		environ []string
		want    bool
		dots    bool
	}{
		{[]string{"LANG=en_US.UTF-8"}, true, true},
		{[]string{"LANG=C.utf8"}, true, true},
		{[]string{"LANG=C.utf8", "TERM=linux"}, true, false},
		{[]string{"LANG=en_US.UTF-8", "LC_ALL=C"}, false, false},
		{[]string{"LC_ALL=POSIX"}, false, false},
		{[]string{"TERM=xterm-256color"}, true, true},
		{[]string{"TERM=linux"}, false, false},
		{[]string{"TERM=dumb"}, os.PathSeparator == '\\', false},
	} {
		a := newApp(streams{}, test.environ)
		if got := a.appearance().Dots(); got != test.dots && os.PathSeparator != '\\' {
			t.Errorf("%v: dots %v", test.environ, got)
		}
		if got := utf8Locale(test.environ); got != test.want {
			t.Errorf("%v: %v", test.environ, got)
		}
	}
}

func TestErrorsInOtherNorms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "errors.csv")
	args := []string{"run", "quick", "-n", "16", "-m", "16", "--test", "5", "-K", "33", "--set", "data.grid=65", "--quiet",
		"--no-save", "--no-baselines", "--details"}
	code, out, failure := call(t, nil, append(args, file, "--json")...)
	var summary struct {
		Test struct {
			Expected float64 `json:"expected_relative"`
		}
		Details []struct {
			Name string
			Test float64
		}
	}
	if err := json.Unmarshal([]byte(out), &summary); code != exitDone || err != nil || len(summary.Details) < 8 ||
		math.Abs(summary.Details[0].Test-summary.Test.Expected) > 1e-12 {
		t.Errorf("exit %d, %v: %s%s", code, err, out, failure)
	}
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") != 6 {
		t.Errorf("%v: %s", err, text)
	}
	if code, _, failure := call(t, nil, append(args, "errors.txt")...); code != exitUsage {
		t.Errorf("exit %d for another kind of file: %s", code, failure)
	}
}

// TestMain lets tests start the program itself, on a terminal of its own.
func TestMain(m *testing.M) {
	if os.Getenv("COMMAND_TEST_MAIN") != "" {
		os.Exit(Main())
	}
	var err error
	if scratch, err = os.MkdirTemp("", "rfm-command-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// scratch is a directory of all tests.
var scratch string

// program returns a command that runs the program in a process of its own.
func program(t *testing.T, directory string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir = directory
	cmd.Env = append(os.Environ(), "COMMAND_TEST_MAIN=1", "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=")
	return cmd
}
