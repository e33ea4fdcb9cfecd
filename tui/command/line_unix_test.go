// A line that drops while the interface computes: completed work is stored, and can be resumed from another terminal.

//go:build unix

package command

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"rfm/model/run/store"
)

// line is the program on a terminal that can be closed under it.
type line struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	mutex    sync.Mutex
	sent     bytes.Buffer
	ended    chan struct{}
}

// dial starts the interface on a terminal and waits for its first screen.
func dial(t *testing.T, directory string, args ...string) *line {
	t.Helper()
	return connect(t, program(t, directory, args...), nil)
}

// connect is dial for any program and a terminal that answers: questions are parts of the program's output.
func connect(t *testing.T, cmd *exec.Cmd, answers map[string]string) *line {
	t.Helper()
	l := &line{t: t, cmd: cmd, ended: make(chan struct{})}
	var err error
	if l.terminal, err = pty.StartWithSize(l.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Skip("there are no pseudo-terminals: ", err)
	}
	if err := syscall.SetNonblock(int(l.terminal.Fd()), true); err != nil { // otherwise closing waits for a pending read
		t.Fatal(err)
	}
	go func() {
		defer close(l.ended)
		part := make([]byte, 4096)
		for {
			n, err := l.terminal.Read(part)
			l.mutex.Lock()
			l.sent.Write(part[:n])
			l.mutex.Unlock()
			for question, answer := range answers {
				if strings.Contains(l.text(), question) {
					delete(answers, question)
					_, _ = io.WriteString(l.terminal, answer) // fails only if nothing reads any more
				}
			}
			if err != nil {
				return
			}
		}
	}()
	l.until("the first screen", func() bool { return strings.Contains(l.text(), "configure") })
	return l
}

func (l *line) text() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.sent.String()
}

// until waits for a condition while the program runs; what names it in failures.
func (l *line) until(what string, so func() bool) {
	l.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !so(); time.Sleep(2 * time.Millisecond) {
		select {
		case <-l.ended:
			if !so() {
				l.t.Fatalf("the program has ended before %s:\n%q", what, l.text())
			}
			return
		default:
		}
		if time.Now().After(end) {
			l.t.Fatalf("%s does not come:\n%q", what, l.text())
		}
	}
}

func (l *line) press(keys string) {
	l.t.Helper()
	if _, err := io.WriteString(l.terminal, keys); err != nil {
		l.t.Fatal(err)
	}
}

// kill ends the program without any notice.
func (l *line) kill() {
	l.t.Helper()
	if err := l.cmd.Process.Kill(); err != nil {
		l.t.Fatal(err)
	}
	l.drop()
}

// drop closes the terminal under the program, and returns its exit code.
func (l *line) drop() int {
	l.t.Helper()
	if err := l.terminal.Close(); err != nil {
		l.t.Fatal(err)
	}
	_ = l.cmd.Wait() // the exit code is read below
	return l.cmd.ProcessState.ExitCode()
}

// Where the hang-up signal is ignored, the end of the keyboard ends the program: a running step is stored.
func TestDroppedLineEndsAProgramThatIgnoresHangUps(t *testing.T) {
	directory := t.TempDir()
	cmd := program(t, directory, "-n", "64", "--test", "100000", "--name", "x")
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap '' HUP; exec "$@"`, "sh"}, cmd.Args...)
	l := connect(t, cmd, nil)
	l.press("\x12") // ctrl+r
	l.until("a stored run", func() bool {
		_, err := os.Stat(filepath.Join(directory, "runs", "x"))
		return err == nil
	})
	if code := l.drop(); code != exitInterrupted && code != exitCancelled { // before or after the first pairs are stored
		t.Errorf("exit code %d", code)
	}
}

// Leaving reports on the normal screen whether the ended work is stored, and how to resume it.
func TestLeavingWhatIsNotStoredIsSaid(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{{[]string{"--no-save"}, exitCancelled, "nothing was stored"}, {nil, exitInterrupted, "rfm run runs"}} {
		l := dial(t, t.TempDir(), append(c.args, "-n", "64", "--test", "100000")...)
		l.press("\x12") // ctrl+r
		l.until("the work", func() bool { return strings.Contains(l.text(), "of 100064 pairs") })
		l.press("\x03")
		<-l.ended
		_ = l.cmd.Wait() // the exit code is read below
		if code := l.cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(l.text(), c.want) {
			t.Errorf("%v: exit code %d", c.args, code)
		}
	}
}

// A run that continues after leaving, or after its line was lost if that was chosen before, is completed by a process
// of its own.
func TestRunGoesOnWithoutTheInterface(t *testing.T) {
	for _, end := range []func(*line){func(l *line) {
		l.press("q")
		l.until("the question", func() bool { return strings.Contains(l.text(), "leave it going") })
		l.press("b")
		<-l.ended
		if err := l.cmd.Wait(); err != nil || !strings.Contains(l.text(), "continues it") {
			t.Fatalf("%v: %s", err, l.text())
		}
	}, func(l *line) {
		l.press("b")
		l.until("the choice", func() bool { return strings.Contains(l.text(), "continues in the background") })
		l.drop()
	}} {
		directory := t.TempDir()
		l := dial(t, directory, "-n", "64", "-m", "16", "--test", "250", "--no-baselines", "--name", "x")
		l.press("\x12") // ctrl+r
		l.until("the work", func() bool { return strings.Contains(l.text(), "of 314 pairs") })
		end(l)
		for limit := time.Now().Add(5 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
			list, err := store.List(filepath.Join(directory, "runs"))
			if err == nil && len(list) == 1 && list[0].Fault == nil && list[0].Run.Complete() && list[0].Holder == nil {
				break
			}
			if time.Now().After(limit) {
				t.Fatalf("%v: %+v", err, list)
			}
		}
	}
}

// Ctrl+z returns the terminal to the shell, which can resume the program.
func TestSuspendedProgramGoesOn(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	cmd := program(t, t.TempDir())
	cmd.Path, cmd.Args = "/usr/bin/env", append([]string{"env", "bash", "--norc", "--noprofile", "-i", "-c",
		`"$@"; echo shell "again"; fg`, "bash"}, cmd.Args...)
	l := connect(t, cmd, nil)
	l.press("\x1a")
	l.until("the shell and the program", func() bool { // the screen may be complete before this process looks at it
		_, after, found := strings.Cut(l.text(), "shell again")
		return found && strings.Contains(after, "configure")
	})
	l.press("q")
	<-l.ended
	_ = l.cmd.Wait()
}

// A shell without job control, as in sh -c, resumes nothing: ctrl+z says so instead of waiting forever.
func TestProgramWithoutJobControlIsNotSuspended(t *testing.T) {
	cmd := program(t, t.TempDir())
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `"$@"; echo left`, "sh"}, cmd.Args...)
	l := connect(t, cmd, nil)
	l.press("\x1a")
	l.until("a message", func() bool { return strings.Contains(ansi.Strip(l.text()), "no shell waits") })
	l.kill()
}

// A line of progress is never wider than the terminal: each rewrite would leave a copy behind. It ends with a time, or with
// the rate once all units are done, when no time is left.
func TestProgressFitsTheTerminal(t *testing.T) {
	ending := regexp.MustCompile(`( (us|ms|s|left)|[0-9]/s)\s*$`)
	rewrites := strings.Split(ofRun(t, "TERM=xterm"), "\r\x1b[K")
	if len(rewrites) < 2 { // the last one clears the line
		t.Fatalf("%d rewrites", len(rewrites))
	}
	for _, line := range rewrites[1 : len(rewrites)-1] {
		if width := ansi.StringWidth(strings.TrimRight(line, "\r\n")); !strings.Contains(line, "\n") && width >= 60 {
			t.Errorf("%d cells: %q", width, line)
		}
		if strings.Contains(line, " of ") && !ending.MatchString(line) {
			t.Errorf("cut: %q", line)
		}
	}
}

// A dumb terminal gets lines without control sequences.
func TestProgressOnADumbTerminal(t *testing.T) {
	if sent := ofRun(t, "TERM=dumb"); strings.Contains(sent, "\x1b") || !strings.Contains(sent, "test error") {
		t.Errorf("%q", sent)
	}
}

// ofRun returns the output of a run to a terminal of 60 columns.
func ofRun(t *testing.T, variable string) string {
	t.Helper()
	cmd := program(t, t.TempDir(), "run", "quick", "-n", "100", "-m", "16", "--test", "150", "--no-save", "--no-baselines")
	cmd.Env = append(cmd.Env, variable)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 60})
	if err != nil {
		t.Skip("there are no pseudo-terminals: ", err)
	}
	sent, _ := io.ReadAll(terminal) // ends with an error when the program ends
	_ = cmd.Wait()
	return string(sent)
}

// A run whose line drops in training is offered by the next session, which completes it. Other stages are tests of
// model/run/engine.
func TestDroppedLineLosesNoRun(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	directory := t.TempDir()
	run := func() *store.Run {
		r := new(store.Run)
		list, err := store.List(filepath.Join(directory, "runs"))
		if err == nil && len(list) == 1 && list[0].Fault == nil {
			r = &list[0].Run
		}
		return r
	}
	l := dial(t, directory, "-n", "64", "-m", "1024", "--set", "data.grid=257", "--set", "train.grid=33", "--test", "64",
		"--no-baselines")
	l.press("\x12") // ctrl+r
	l.until("the training", func() bool { return run().Reached() > 0 })
	code := l.drop()
	left := run()
	if left.Complete() {
		t.Skip("the machine was too fast for the test")
	}
	if code != exitInterrupted {
		t.Errorf("exit code %d", code)
	}
	l = dial(t, directory) // the first page lists unfinished runs; the configuration is the run's
	l.until("the run is offered", func() bool { return strings.Contains(l.text(), "resume ") })
	l.press("\x1b[H\r") // its line is the first
	l.until("the end", func() bool { return run().Complete() })
	if now := run(); now.Resumed != 1 || now.TestError == nil || now.Config.Seed != left.Config.Seed ||
		now.Config.Features.Count != 1024 {
		t.Errorf("resumed to %+v", now)
	}
	l.kill()
}

// A search is resumed by the interface and by the command, after a dropped line and after kill -9.
func TestDroppedLineLosesNoSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	directory := t.TempDir()
	args := []string{"-n", "64", "-m", "64", "--set", "data.grid=257", "--set", "train.grid=33"}
	kept := func() string {
		list, _ := filepath.Glob(filepath.Join(directory, "*.search", "*.npy"))
		return strings.Join(list, " ")
	}
	search := func() *line {
		l := dial(t, directory, args...)
		before := kept()
		l.press("5")
		l.until("the search", func() bool { return strings.Contains(l.text(), "not begun") })
		l.press("\x12") // ctrl+r
		l.until("a stored model", func() bool { return kept() != before })
		return l
	}
	l := search()
	l.kill()
	first := kept()
	if code := search().drop(); code != exitInterrupted || len(kept()) <= len(first) {
		t.Errorf("exit code %d, the names of stored models grew from %d to %d bytes", code, len(first), len(kept()))
	}
	list, err := filepath.Glob(filepath.Join(directory, "*.search"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	file := strings.TrimSuffix(list[0], ".search")
	cmd := program(t, directory, append([]string{"tune", "quick", "--evaluations", "1", "--out", file}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil || kept() != "" {
		t.Errorf("the command does not finish the search: %v\n%s", err, out)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}
