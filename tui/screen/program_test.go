// The interface as a running program on an emulated terminal.

package screen

import (
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/hinshun/vt10x"

	"rfm/config"
)

// emulator is a terminal that a program draws on.
type emulator struct {
	mutex sync.Mutex
	vt    vt10x.Terminal
	bytes int
}

// private are sequences that the emulator takes for others.
var private = regexp.MustCompile(`\x1b\[[<=>][0-9;]*[a-zA-Z]`)

func newEmulator(width, height int) *emulator {
	e := &emulator{vt: vt10x.New(vt10x.WithSize(width, height))}
	e.vt.Write([]byte("\x1b[20h")) // a new line also returns the carriage, as a terminal line does
	return e
}

func (e *emulator) Write(p []byte) (int, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.bytes += len(p)
	if _, err := e.vt.Write(private.ReplaceAll(p, nil)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (e *emulator) String() string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.vt.String()
}

func (e *emulator) written() int {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.bytes
}

func (e *emulator) wait(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(e.String(), want); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the terminal never shows %q:\n%s", want, e)
		}
	}
}

// startProgram runs the interface on an emulator; stop presses q and waits.
func startProgram(t *testing.T, o Options, width, height int) (p *tea.Program, e *emulator, stop func()) {
	t.Helper()
	e = newEmulator(width, height)
	p = tea.NewProgram(New(o), tea.WithInput(nil), tea.WithOutput(e), tea.WithWindowSize(width, height), tea.WithEnvironment([]string{"TERM=xterm-256color"}),
		tea.WithColorProfile(colorprofile.ANSI256), tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	return p, e, func() {
		t.Helper()
		p.Send(key("ctrl+c"))
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the program does not end")
		}
	}
}

func TestProgramOnATerminal(t *testing.T) {
	for name, c := range map[string]config.Config{"functions": tiny(t), "fields": tinyDarcy(t)} {
		t.Run(name, func(t *testing.T) {
			p, e, stop := startProgram(t, Options{Config: c, Workers: 2}, 80, 24)
			e.wait(t, "an input a")
			for _, step := range []string{"generate done", "rank", "median of"} {
				p.Send(key("enter"))
				e.wait(t, step)
			}
			p.Send(key("w"))
			e.wait(t, "worst of")
			p.Send(key("?"))
			e.wait(t, "any key goes back")
			stop()
		})
	}
}

// A remote line of 9600 baud carries 960 bytes a second; five times that is what a busy screen may use.
func TestBusyScreenIsFrugal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const most, seconds = 5000, 6 // long enough for another picture of fields
	for name, c := range map[string]config.Config{
		"functions": tiny(t, "data.test=200000", "data.grid=1025"),
		"fields":    tinyDarcy(t, "data.test=10000", "data.grid=65", "darcy.high=1e4", "darcy.iterations=10000"), // slow, so that memory stays small
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, e, stop := startProgram(t, Options{Config: c, Workers: 1}, 120, 40)
			e.wait(t, "an input a")
			p.Send(key("enter"))
			e.wait(t, "newest pair")
			before := e.written()
			time.Sleep(seconds * time.Second)
			if rate := (e.written() - before) / seconds; rate > most {
				t.Errorf("%d bytes a second while generating at 120x40, at most %d are allowed", rate, most)
			} else {
				t.Logf("%d bytes a second", rate)
			}
			stop()
		})
	}
}
