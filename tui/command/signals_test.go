//go:build unix

package command

import (
	"bytes"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// forever is a number of pairs that no machine generates before a signal has reached it.
const forever = 50000

// signalled starts a run with so many test pairs in a process of its own, below a shell that prepares it, sends signals
// once its directory exists, and returns the exit code and the text on standard error.
func signalled(t *testing.T, shell, name string, pairs int, signals ...syscall.Signal) (code int, said string) {
	t.Helper()
	directory := t.TempDir()
	cmd := program(t, directory, "run", "quick", "-n", "32", "-m", "16", "--test", strconv.Itoa(pairs), "--no-baselines",
		"--quiet", "--workers", "1", "--name", name)
	self := cmd.Args
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", shell + `exec "$@"`, "sh"}, self...)
	var told bytes.Buffer
	cmd.Stderr = &told
	noError(t, cmd.Start())
	for {
		if _, err := os.Stat(filepath.Join(directory, "runs", name)); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	for _, s := range signals {
		if err := cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	_ = cmd.Wait() // the exit code is read below
	return cmd.ProcessState.ExitCode(), told.String()
}

// Several signals that arrive together count as one, because timeout sends its signal to the process and once more to
// its group.
func TestSignalsEndARunInGoodOrder(t *testing.T) {
	for _, s := range [][]syscall.Signal{{syscall.SIGINT}, {syscall.SIGTERM}, {syscall.SIGHUP}, {syscall.SIGUSR1},
		{syscall.SIGUSR2}, {syscall.SIGTERM, syscall.SIGINT, syscall.SIGTERM}} {
		if signal.Ignored(s[0]) { // inherited from the caller of the tests, for example nohup
			t.Logf("%v is ignored here: not tested", s)
			continue
		}
		if code, errors := signalled(t, "", "x", forever, s...); code != exitInterrupted ||
			!strings.Contains(errors, "rfm run runs/x") {
			t.Errorf("%v: exit code %d, %q", s, code, errors)
		}
	}
}

func TestIgnoredSignalsStayIgnored(t *testing.T) {
	code, errors := signalled(t, "trap '' HUP INT; ", "x", 32, syscall.SIGHUP, syscall.SIGINT) // as nohup and & do
	if code != exitDone {
		t.Errorf("exit code %d, %q", code, errors)
	}
	code, errors = signalled(t, "trap '' HUP; ", "y", forever, syscall.SIGHUP, syscall.SIGTERM)
	if code != exitInterrupted {
		t.Errorf("another signal: exit code %d, %q", code, errors)
	}
}
