// The interface as a running program on an emulated terminal.

package screen

import (
	"context"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/config"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// window is the terminal of a program under test.
type window struct {
	t testing.TB
	*Terminal
	written *atomic.Int64
	styled  *atomic.Bool // the shape of the cursor was set
}

// cursorStyle matches the sequence that sets the shape of the cursor.
var cursorStyle = regexp.MustCompile(`\x1b\[[0-9]* q`)

func (w window) Write(p []byte) (int, error) {
	w.written.Add(int64(len(p)))
	if cursorStyle.Match(p) {
		w.styled.Store(true)
	}
	return w.Terminal.Write(p)
}

// appears returns the time until a text appears on the terminal, or disappears.
func (w window) appears(text string, there bool) time.Duration {
	w.t.Helper()
	begin := time.Now()
	for strings.Contains(w.String(), text) != there {
		if time.Since(begin) > patience {
			w.t.Fatalf("waiting for %q:\n%s", text, w)
		}
		time.Sleep(100 * time.Microsecond)
	}
	return time.Since(begin)
}

// startProgram runs the interface on an emulator with 256 colours; stop presses ctrl+c and waits.
func startProgram(t testing.TB, m tea.Model, width, height int) (p *tea.Program, e window, stop func()) {
	t.Helper()
	return startColored(t, m, width, height, colorprofile.ANSI256)
}

// startColored runs the interface on an emulator with the colours of a profile.
func startColored(t testing.TB, m tea.Model, width, height int, colors colorprofile.Profile) (
	p *tea.Program, e window, stop func()) {
	t.Helper()
	e = window{t, NewTerminal(t, width, height), new(atomic.Int64), new(atomic.Bool)}
	e.Write([]byte("\x1b[20h")) // a new line also returns the carriage, as a terminal line does
	p = tea.NewProgram(m, tea.WithInput(nil), tea.WithOutput(e), tea.WithWindowSize(width, height),
		tea.WithEnvironment([]string{"TERM=xterm-256color"}),
		tea.WithColorProfile(colors), tea.WithoutSignals())
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	return p, e, func() {
		t.Helper()
		p.Send(keyPress("ctrl+c"))
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(patience):
			t.Error("the program does not end")
		}
	}
}

// staysFrugal allows 5000 bytes a second at 120x40; a remote line of 9600 baud carries 960 bytes a second.
func (w window) staysFrugal(seconds int) {
	w.t.Helper()
	const most = 5000
	before := w.written.Load()
	time.Sleep(time.Duration(seconds) * time.Second)
	rate := (w.written.Load() - before) / int64(seconds)
	if rate > most {
		w.t.Errorf("%d bytes a second at 120x40, at most %d are allowed", rate, most)
	}
	w.t.Logf("%d bytes a second", rate)
}

// unhurried is a context that delays each piece of a job's work. The job takes long but little of the processor; the
// screen shows as much as for any other job.
type unhurried struct {
	context.Context
	pause time.Duration
}

func (c unhurried) Err() error {
	time.Sleep(c.pause)
	return c.Context.Err()
}

// slowly returns the interface in which every job is unhurried.
func slowly(c config.Config, pause time.Duration) *shell.Model {
	s := session.New(session.Options{Config: c, Workers: 1, Around: func(j session.Job) session.Work {
		return func(ctx context.Context) error { return j.Work(unhurried{ctx, pause}) }
	}})
	d := &ui.Dialogs{}
	return shell.New(s, d, shell.Options{}, all(s, d)...)
}

// The output while pairs are made or a search runs suits a slow line, once the first pictures are drawn.
func TestBusyScreenIsFrugal(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, c := range map[string]struct {
		config             config.Config
		key, before, drawn string
	}{
		"functions": {tuitest.Tiny(t, "data.test=10000"), "1", "", "newest pair"},
		"fields":    {tinyDarcy(t, "data.test=10000"), "1", "", "newest pair"},
		"search":    {tuitest.Tiny(t), "5", "Test pairs are never made", "as is"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, w, stop := startProgram(t, slowly(c.config, 20*time.Millisecond), 120, 40)
			w.appears("an input a", true)
			p.Send(keyPress(c.key))
			w.appears(c.before, true)
			p.Send(keyPress("ctrl+r"))
			w.appears(c.drawn, true)
			w.staysFrugal(5)
			stop()
		})
	}
}

// The first page is text at first, then its pictures, which are small on a line that may be slow; then nothing is sent.
func TestFirstPageIsFrugal(t *testing.T) {
	const text = 4500 // bytes, at 120x40
	quick, err := config.PresetByName("quick")
	noError(t, err)
	for name, c := range map[string]struct {
		coarse bool
		colors colorprofile.Profile
		most   int64 // bytes
	}{
		"local":        {false, colorprofile.ANSI256, 7300},
		"of all tints": {false, colorprofile.TrueColor, 7600},
		"slow":         {true, colorprofile.ANSI256, 7000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Options{Config: quick, Workers: 1, Start: true, Theme: theme.Options{Coarse: c.coarse, Profile: c.colors}}
			_, w, stop := startColored(t, o.model(), 120, 40, c.colors)
			w.appears("your own data", true)
			if got := w.written.Load(); got > text {
				t.Errorf("%d bytes before the pictures, at most %d are allowed", got, text)
			}
			w.appears("64 pairs: error", true)
			time.Sleep(200 * time.Millisecond) // the frame is complete
			first := w.written.Load()
			t.Logf("%d bytes with the pictures", first)
			if first > c.most {
				t.Errorf("%d bytes with the pictures, at most %d are allowed", first, c.most)
			}
			time.Sleep(time.Second)
			if later := w.written.Load(); later != first {
				t.Errorf("%d bytes at rest", later-first)
			}
			stop()
		})
	}
}

// The cursor of the terminal is where the person types, in dialogs and in the form, and nowhere else. It looks as its user
// has set it.
func TestTheCursorIsWhereThePersonTypes(t *testing.T) {
	p, w, stop := startProgram(t, Options{Config: tuitest.Tiny(t), Workers: 1}.model(), 100, 30)
	w.appears("an input a", true)
	type step struct {
		keys []string
		text string // before the cursor; empty where nobody types
	}
	for _, s := range []step{
		{[]string{"o", "d", "a"}, "›da"},
		{[]string{"left"}, "›d"},
		{[]string{"esc"}, ""},
		{[]string{"/", "s", "e", "e", "d"}, "/seed"},
		{[]string{"enter"}, ""},
		{[]string{"1", "2", "left"}, "›1"},
	} {
		for _, key := range s.keys {
			p.Send(keyPress(key))
		}
		isThere := func() bool {
			before, visible := w.underCursor()
			return visible == (s.text != "") && strings.HasSuffix(before, s.text)
		}
		for end := time.Now().Add(patience); !isThere(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				before, visible := w.underCursor()
				t.Fatalf("after %v the cursor is behind %q, visible: %t\n%s", s.keys, before, visible, w)
			}
		}
	}
	stop()
	if w.styled.Load() {
		t.Error("the shape of the cursor is set")
	}
}
