// A monkey at the keyboard of the interface, on real terminals of all kinds and sizes.

//go:build unix

package command

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// monkeyTime is for how long the monkey plays: a minute in usual tests, ten in those of a night.
var monkeyTime = flag.Duration("monkey", time.Minute, "how long random keys are pressed")

// monkeyKeys are bytes that terminals send: keys, pastes, answers, and what no terminal sends. There is no "b", which
// leaves a run to a process that would outlive the test, and no "/", with which a file could be saved anywhere.
var monkeyKeys = [][]byte{[]byte("\r"), []byte("\r"), []byte("\r"), []byte("\x1b"), []byte("\x1b"), []byte("\x1b[A"),
	[]byte("\x1b[A"), []byte("\x1b[B"), []byte("\x1b[B"), []byte("\x1b[C"), []byte("\x1b[D"), []byte("\x1b[5~"), []byte("\x1b[6~"),
	[]byte("\x1b[H"), []byte("\x1b[F"), []byte("\x1b[3~"), []byte("\x1bOP"), []byte("\x1b[1;5C"), []byte("\x1b[Z"), []byte("\t"),
	[]byte(" "), []byte("\x7f"), []byte("\x01"), []byte("\x05"), []byte("\x0b"), []byte("\x0c"), []byte("\x10"), []byte("\x12"),
	[]byte("\x12"), []byte("\x15"), []byte("\x16"), []byte("\x17"), []byte("\x1a"), []byte("?"), []byte("?\x1b[F"), []byte(":"),
	[]byte("o\x1b[A"), []byte("\x1bq\x1b"), []byte("é"), []byte("漢字"), []byte("\xff\xfe"), {0},
	[]byte("\x1b[200~paste\x1b[31m\x07 text\x1b[201~"), []byte("\x1b[200~51\x1b[201~"), []byte("\x1b[<0;10;10M"), []byte("\x1b[I"),
	[]byte("\x1b[O"), []byte("\x1b[99999;99999R"), []byte("\x1b]52;c;AAAA\x07"), []byte("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")}

// A monkey presses keys by chance.
type monkey struct {
	random *rand.Rand
	keys   int      // pressed so far
	last   []string // the last ones, for a failure
}

// Random keys, pastes, sizes and signals: the program neither crashes nor hangs, ends with a documented code, and leaves
// the terminal as it was.
func TestMonkey(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	m := &monkey{random: rand.New(rand.NewPCG(seed, 0))}
	length := *monkeyTime
	if testing.Short() {
		length = min(length, 5*time.Second)
	}
	sessions := 0
	defer func() {
		if t.Failed() {
			t.Logf("the last keys of session %d of seed %d: %s", sessions, seed, strings.Join(m.last, " "))
		}
	}()
	for begin := time.Now(); time.Since(begin) < length && !t.Failed(); sessions++ {
		m.last = nil
		m.play(t)
	}
	t.Logf("%d keys in %d sessions, seed %d", m.keys, sessions, seed)
}

// play presses keys of one program and ends it.
func (m *monkey) play(t *testing.T) {
	t.Helper()
	args := pick(m.random, [][]string{nil, nil, {"--no-save"}, {"demo"},
		{"-n", "16", "-m", "16", "--test", "8", "--set", "data.grid=129", "-K", "33"}})
	cmd := program(t, t.TempDir(), args...)
	cmd.Env = append(cmd.Env, "TERM="+pick(m.random, []string{"xterm-256color", "xterm", "linux", "vt100", "tmux-256color"}),
		"LANG="+pick(m.random, []string{"C", "C.UTF-8"}))
	size := pick(m.random, []pty.Winsize{{Rows: 24, Cols: 80}, {Rows: 40, Cols: 120}, {Rows: 15, Cols: 60}, {Rows: 60, Cols: 200},
		{Rows: 5, Cols: 20}, {Rows: 1, Cols: 1}, {Rows: 100, Cols: 300}, {Rows: 2, Cols: 80}, {Rows: 80, Cols: 2}})
	s := startOnTerminal(t, cmd, size)
	s.slow.Store(m.random.IntN(7) == 0)
	s.see("\x1b[?1049h") // the alternate screen
	s.started = time.Since(s.begun)
	m.last = append(m.last, fmt.Sprint(args, cmd.Env[len(cmd.Env)-2:], size))
	for range 50 + m.random.IntN(300) {
		if s.gone() {
			break // by q
		}
		m.press(s)
	}
	m.end(t, s)
	if text := s.text(); strings.Contains(text, "panic") || strings.Contains(text, "goroutine") {
		t.Errorf("a panic:\n%.20000q", text[max(0, len(text)-20000):])
	}
}

// press presses a key, or changes the size of the terminal.
func (m *monkey) press(s *terminalProgram) {
	if m.random.IntN(20) == 0 {
		size := pty.Winsize{Rows: uint16(1 + m.random.IntN(90)), Cols: uint16(1 + m.random.IntN(250))}
		m.last = append(m.last, fmt.Sprint(size))
		_ = pty.Setsize(s.terminal, &size) // fails if the program has just ended
	}
	keys := pick(m.random, monkeyKeys)
	if m.random.IntN(2) == 0 {
		letter := byte('!' + m.random.IntN('~'-'!'+1))
		if letter == 'b' || letter == '/' || letter == 'q' && m.random.IntN(5) > 0 {
			letter = 'j'
		}
		keys = []byte{letter}
	}
	if m.random.IntN(30) == 0 {
		keys = bytes.Repeat(keys, 2+m.random.IntN(50))
	}
	m.last = append(m.last, fmt.Sprintf("%q", keys))
	m.keys++
	_, _ = s.terminal.Write(keys) // fails if the program has just ended
	time.Sleep(pick(m.random, []time.Duration{0, 2, 10, 30}) * time.Millisecond)
}

// end ends the program in one of the ways in which programs are ended.
func (m *monkey) end(t *testing.T, s *terminalProgram) {
	t.Helper()
	ends := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGCONT, 0}
	switch how := pick(m.random, ends); {
	case how == syscall.SIGCONT:
		s.send([]syscall.Signal{syscall.SIGTSTP, syscall.SIGSTOP, syscall.SIGCONT, syscall.SIGTERM})
	case how != 0 && !signal.Ignored(how): // else it would be ignored there, too, as under nohup
		s.send([]syscall.Signal{how})
	default: // again, since the first may complete a sequence that the last keys have begun
		for try := 0; try == 0 || try < 5 && !s.isLeaving(2*time.Second); try++ {
			_, _ = s.terminal.WriteString("\x03") // fails if the program has just ended
		}
		if !s.isLeaving(2 * time.Second) { // on a busy machine many keys are still before it
			s.send([]syscall.Signal{syscall.SIGTERM})
		}
	}
	s.leaves(exitDone, exitInterrupted, exitCancelled)
}

// isLeaving reports whether the program ends within some time, or the terminal is as before it: then ctrl+c is a signal, with which
// a terminal drops what it has not shown, and the second one ends a program at once.
func (s *terminalProgram) isLeaving(within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		state, err := term.GetState(s.slave.Fd())
		isAsBefore := err == nil && *state == *s.before
		if s.gone() || isAsBefore {
			return true
		}
	}
	return false
}

// gone reports whether the program has ended.
func (s *terminalProgram) gone() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// pick returns one of some things.
func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }
