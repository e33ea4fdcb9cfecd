// Progress of the tour, and the effect of keys.

package demo

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/paper"
)

// small returns a plan of a fraction of a second.
func small(t testing.TB) paper.Tour {
	t.Helper()
	p := paper.NewTour(1)
	assign := func(c *config.Config, assignments ...string) {
		for _, a := range assignments {
			if err := config.Assign(c, a); err != nil {
				t.Fatal(err)
			}
		}
	}
	assign(&p.Burgers, "data.train=48", "data.test=24", "data.grid=257", "train.grid=33", "features.count=64")
	assign(&p.Darcy, "data.train=8", "data.test=8", "data.grid=33", "train.grid=17", "features.count=12")
	assign(&p.Large, "data.train=48", "data.test=24", "data.grid=257", "train.grid=33", "features.count=64")
	p.Grids, p.BridgeCounts = []int{33, 65, 257}, []int{50, 500}
	p.Search, p.Models = 0, 4
	return p
}

// begun returns a tour on a terminal of 80x24, of which so many parts are computed.
func begun(t testing.TB, o Options, parts int) *Model {
	t.Helper()
	o.Plan, o.Workers = small(t), 2
	m := New(o)
	t.Cleanup(m.Close)
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.at = len(m.scenes) - 1 // so that live parts are computed
	cmd := m.compute()
	for range parts {
		if _, cmd = m.Update(cmd()); m.Err() != nil {
			t.Fatal(m.Err())
		}
	}
	m.computing = false
	m.show(0)
	return m
}

// whole returns a tour with all parts computed. All such tours share their findings.
func whole(t testing.TB, o Options) *Model {
	t.Helper()
	m := begun(t, o, 0)
	m.findings, m.parts = everything(t), all
	return m
}

// all is the number of parts without a file of one's own.
const all = int(improving) + 1

var shared struct {
	once     sync.Once
	findings findings
}

func everything(t testing.TB) findings {
	shared.once.Do(func() { shared.findings = begun(t, Options{}, all).findings })
	return shared.findings
}

func (m *Model) screen() string { return ansi.Strip(m.content()) }

func keys(m *Model, names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		code := map[string]rune{"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd}[name]
		k := tea.KeyPressMsg{Code: code}
		if code == 0 {
			k = tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
		}
		_, cmd = m.Update(k)
	}
	return cmd
}

// let lets time pass, tick by tick.
func let(m *Model, d time.Duration) (cmd tea.Cmd) {
	if m.last.IsZero() {
		m.pass(time.Unix(0, 0))
	}
	for end := m.last.Add(d); m.last.Before(end); {
		_, cmd = m.Update(tickMsg{m.last.Add(tick)})
	}
	return cmd
}

func TestTourTakesThreeMinutes(t *testing.T) {
	total := 0.0
	for _, s := range scenes(paper.NewTour(1)) {
		total += s.seconds
	}
	if total += paper.NewTour(1).Search.Seconds(); total != 180 {
		t.Errorf("the scenes take %g s", total)
	}
}

func TestScenesNeedWhatIsComputedBeforeThem(t *testing.T) {
	list := scenes(paper.NewTour(1))
	for i, s := range list[1:] {
		if s.needs < list[i].needs {
			t.Errorf("scene %q needs less than the one before", s.title)
		}
	}
}

func TestTextsFit(t *testing.T) {
	for _, s := range scenes(paper.NewTour(1)) {
		if lines := strings.Count(ansi.Wordwrap(s.words, 78, ""), "\n") + 1; lines > 3 {
			t.Errorf("%q: %d lines of words at 80x24", s.title, lines)
		}
		if lines := strings.Count(ansi.Wordwrap(s.words, minWidth-2, ""), "\n") + 1; lines > 4 {
			t.Errorf("%q: %d lines of words at 60x15", s.title, lines)
		}
		for _, equation := range []string{s.equation, s.plain} {
			if w := ansi.StringWidth(equation); w == 0 || w > minWidth-3 {
				t.Errorf("%q: equation of %d cells", s.title, w)
			}
		}
	}
}

func TestAutopilotShowsEveryScene(t *testing.T) {
	m := whole(t, Options{})
	seen := map[int]bool{}
	for range 200 { // seconds
		let(m, time.Second)
		seen[m.at] = true
		if m.at == len(m.scenes)-1 && m.elapsed >= m.scenes[m.at].seconds {
			break
		}
	}
	if len(seen) != len(m.scenes) {
		t.Errorf("%d of %d scenes were shown", len(seen), len(m.scenes))
	}
}

func TestClockStandsWhileASceneWaits(t *testing.T) {
	m := begun(t, Options{}, 0)
	let(m, time.Minute)
	if m.at != 0 || m.elapsed != 0 || !strings.Contains(m.screen(), "computing") {
		t.Errorf("scene %d after %g s:\n%s", m.at+1, m.elapsed, m.screen())
	}
}

func TestPauseBackAndNext(t *testing.T) {
	m := whole(t, Options{})
	keys(m, " ")
	let(m, time.Minute)
	if m.at != 0 || !strings.Contains(m.screen(), "paused") {
		t.Fatalf("the tour goes on while it is paused:\n%s", m.screen())
	}
	keys(m, "right", "right")
	if m.at != 2 || m.frame() != m.scenes[2].frames-1 {
		t.Errorf("scene %d, picture %d: a scene that is visited while paused shows its last picture", m.at+1, m.frame())
	}
	keys(m, " ", "left")
	if m.at != 2 || m.elapsed != 0 {
		t.Errorf("going back late in scene 3 shows scene %d from %g s on", m.at+1, m.elapsed)
	}
	keys(m, "left")
	if m.at != 1 {
		t.Errorf("going back early in scene 3 shows scene %d", m.at+1)
	}
	keys(m, "home", "left")
	if m.at != 0 {
		t.Errorf("there is a scene before the first: %d", m.at+1)
	}
	keys(m, "end", "right")
	if m.at != len(m.scenes)-1 {
		t.Errorf("after the last scene comes scene %d", m.at+1)
	}
}

func TestFailureIsShownAndTheTourGoesOn(t *testing.T) {
	m := begun(t, Options{}, 1)
	m.Update(foundMsg{err: errors.New("the disk is on fire")})
	m.show(7)
	if !strings.Contains(m.screen(), "could not be computed: the disk is on fire") {
		t.Fatalf("the failure is not shown:\n%s", m.screen())
	}
	let(m, time.Minute)
	if m.at == 7 {
		t.Error("the tour has stopped")
	}
}

func TestQuitCancelsTheComputation(t *testing.T) {
	for _, name := range []string{"q", "esc", "ctrl+c"} {
		m := begun(t, Options{}, 0)
		if _, ok := m.key(name)().(tea.QuitMsg); !ok || m.context.Err() == nil {
			t.Errorf("%s does not leave and cancel", name)
		}
	}
	m := begun(t, Options{}, 0)
	m.Close()
	if msg := m.compute()().(foundMsg); msg.err == nil {
		t.Error("a part is computed after the end")
	}
}
