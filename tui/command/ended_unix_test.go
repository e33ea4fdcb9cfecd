// Signals end the interface in good order, whatever it does.

//go:build unix

package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// A terminalProgram is a program on a terminal that outlives it, because this process keeps both ends.
type terminalProgram struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File
	slave    *os.File // the program's end
	before   *term.State
	begun    time.Time
	started  time.Duration // time until the first screen
	ended    chan struct{} // closed when the program has ended
	code     int           // its exit code then

	deaf  atomic.Bool   // the terminal takes nothing any more
	slow  atomic.Bool   // it takes little at a time
	drawn chan struct{} // closed when the reader of the terminal has ended
	mutex sync.Mutex
	sent  bytes.Buffer
}

// startInterface starts the interface on a terminal and waits for a text on it.
func startInterface(t *testing.T, directory string, size pty.Winsize, first string, args ...string) *terminalProgram {
	t.Helper()
	s := startOnTerminal(t, program(t, directory, args...), size)
	s.see(first)
	s.started = time.Since(s.begun)
	return s
}

// startOnTerminal starts a program on a terminal.
func startOnTerminal(t *testing.T, cmd *exec.Cmd, size pty.Winsize) *terminalProgram {
	t.Helper()
	terminal, slave, err := pty.Open()
	if err != nil {
		t.Skip("there are no pseudo-terminals: ", err)
	}
	s := &terminalProgram{t: t, cmd: cmd, terminal: terminal, slave: slave, begun: time.Now(),
		ended: make(chan struct{}), drawn: make(chan struct{})}
	noError(t, pty.Setsize(terminal, &size))
	s.before, err = term.GetState(slave.Fd())
	noError(t, err)
	s.cmd.Stdin = slave
	s.cmd.Stdout = slave
	s.cmd.Stderr = slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	noError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // in vain if it has ended
	go func() {
		_ = s.cmd.Wait() // the exit code is read below
		s.code = s.cmd.ProcessState.ExitCode()
		close(s.ended)
	}()
	go s.draw()
	return s
}

// draw reads what the program writes, unless the terminal is deaf: then it takes nothing.
func (s *terminalProgram) draw() {
	defer close(s.drawn)
	part := make([]byte, 4096)
	for !s.deaf.Load() {
		if s.slow.Load() {
			time.Sleep(20 * time.Millisecond)
		}
		n, err := s.terminal.Read(part)
		s.mutex.Lock()
		s.sent.Write(part[:n])
		s.mutex.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *terminalProgram) text() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.sent.String()
}

// see waits for a text, which the program may have drawn before.
func (s *terminalProgram) see(text string) {
	s.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !strings.Contains(s.text(), text); time.Sleep(2 * time.Millisecond) {
		select {
		case <-s.ended:
			s.t.Fatalf("the program has ended before %q:\n%q", text, s.text())
		default:
		}
		if time.Now().After(end) {
			s.t.Fatalf("%q does not come:\n%q", text, s.text())
		}
	}
}

func (s *terminalProgram) press(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.terminal, keys); err != nil {
		s.t.Fatal(err)
	}
}

// deafen makes the terminal take nothing any more, and lets the program draw until it has to wait.
func (s *terminalProgram) deafen() {
	s.deaf.Store(true)
	for i := range 40 {
		noError(s.t, pty.Setsize(s.terminal, &pty.Winsize{Rows: uint16(40 + i%2*20), Cols: uint16(150 + i%2*50)}))
		time.Sleep(40 * time.Millisecond)
	}
}

// send sends signals one after another, with a pause after one that stops the program.
func (s *terminalProgram) send(signals []syscall.Signal) {
	s.t.Helper()
	for _, one := range signals {
		if err := s.cmd.Process.Signal(one); err != nil && err != os.ErrProcessDone {
			s.t.Fatal(err)
		}
		if one == syscall.SIGSTOP {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// leaves waits for the end of the program. It checks that the exit code is one of those given, and that the terminal is
// as it was before.
func (s *terminalProgram) leaves(wants ...int) {
	s.t.Helper()
	asked := time.Now()
	longest := max(2*time.Second, 20*s.started) // more on a machine that is busy
	if s.slow.Load() {
		longest *= 5 // the frame that is being drawn passes first, and on a busy machine the terminal is slower still
	}
	select {
	case <-s.ended:
	case <-time.After(longest + 20*time.Second):
		_ = s.cmd.Process.Signal(syscall.SIGQUIT) // tells where it hangs
		time.Sleep(time.Second)
		s.t.Fatalf("it hangs:\n%q", s.text())
	}
	if took := time.Since(asked); took > longest {
		s.t.Errorf("it takes %v to end, %v to begin", took, s.started)
	}
	after, err := term.GetState(s.slave.Fd())
	noError(s.t, err)
	if *after != *s.before {
		s.t.Errorf("the terminal's state is %+v, was %+v", after, s.before)
	}
	if s.deaf.Swap(false) { // what it has not taken is still there
		<-s.drawn
		s.drawn = make(chan struct{})
		go s.draw()
	}
	noError(s.t, s.slave.Close())
	<-s.drawn
	if !slices.Contains(wants, s.code) {
		s.t.Errorf("exit code %d, want one of %d:\n%q", s.code, wants, s.text())
	}
	for mode, on := range modes(s.text()) {
		if usual := mode == "?25" || mode == "?7"; on != usual { // a cursor, and lines that wrap
			s.t.Errorf("the terminal is left in mode %s (%t)", mode, on)
		}
	}
	noError(s.t, s.terminal.Close())
}

var setMode = regexp.MustCompile(`\x1b\[(\?[0-9]+)([hl])`)

// modes returns which modes of a terminal are set after some output.
func modes(output string) map[string]bool {
	list := map[string]bool{}
	for _, m := range setMode.FindAllStringSubmatch(output, -1) {
		list[m[1]] = m[2] == "h"
	}
	return list
}

// A signal ends the interface soon, whatever it does: the terminal is restored, work that was begun can be resumed.
func TestSignalsEndTheInterface(t *testing.T) {
	usual := pty.Winsize{Rows: 24, Cols: 80}
	long := []string{"-n", "64", "--test", "100000"}
	states := []struct {
		name  string
		size  pty.Winsize
		first string
		args  []string
		do    func(*terminalProgram)
		code  int
	}{
		{"idle", usual, "configure", nil, func(*terminalProgram) {}, exitCancelled},
		{"computing", usual, "configure", long, compute, exitInterrupted},
		{"a dialog", usual, "choose an example", nil, func(s *terminalProgram) {
			s.press("\x1b[Hoq")
			s.see("open a configuration")
		}, exitCancelled},
		{"help over work", usual, "configure", long, func(s *terminalProgram) {
			compute(s)
			s.press("?\x1b[F")
			s.see("do it")
		}, exitInterrupted},
		{"the demo", usual, "Random features", []string{"demo"}, func(*terminalProgram) {}, exitCancelled},
		{"too small", pty.Winsize{Rows: 5, Cols: 20}, "rfm needs", nil, func(*terminalProgram) {}, exitCancelled},
		{"a deaf terminal", pty.Winsize{Rows: 60, Cols: 200}, "configure", nil, (*terminalProgram).deafen, exitCancelled},
		{"work on a deaf terminal", pty.Winsize{Rows: 60, Cols: 200}, "configure", long, func(s *terminalProgram) {
			compute(s)
			s.deafen()
		}, exitInterrupted},
	}
	signals := [][]syscall.Signal{{syscall.SIGTERM}, {syscall.SIGINT}, {syscall.SIGHUP},
		{syscall.SIGTSTP, syscall.SIGSTOP, syscall.SIGCONT, syscall.SIGTERM}, {syscall.SIGTERM, syscall.SIGTERM},
		{syscall.SIGCONT, syscall.SIGTERM}, {syscall.SIGINT, syscall.SIGTERM}}
	if signal.Ignored(syscall.SIGHUP) || signal.Ignored(syscall.SIGINT) { // inherited, for example from nohup
		t.Skip("signals are ignored here")
	}
	for i, state := range states {
		for j, list := range signals {
			if testing.Short() && (i+j)%len(signals) > 0 && i > 0 {
				continue
			}
			t.Run(fmt.Sprint(state.name, list), func(t *testing.T) {
				s := startInterface(t, t.TempDir(), state.size, state.first, state.args...)
				state.do(s)
				s.send(list)
				s.leaves(state.code)
			})
		}
	}
}

// compute starts a stored run that does not end by itself, and waits until it has made something.
func compute(s *terminalProgram) {
	s.press("\x12") // ctrl+r
	s.see("newest pair")
}
