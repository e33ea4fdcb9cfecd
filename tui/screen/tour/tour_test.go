// Progress of the tour, and the effect of keys.

package tour

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/model/show/paper"
	"rfm/model/trained/price"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// small returns a plan of a fraction of a second.
func small(t testing.TB) paper.Tour {
	t.Helper()
	p := paper.NewTour(1)
	functions := []string{"data.train=48", "data.test=24", "data.grid=257", "train.grid=33", "features.count=64"}
	p.Burgers, p.Large = tuitest.With(t, p.Burgers, functions...), tuitest.With(t, p.Large, functions...)
	p.Darcy = tuitest.With(t, p.Darcy, "data.train=8", "data.test=8", "data.grid=33", "train.grid=17", "features.count=12")
	p.Grids, p.Bridge.Counts = []int{33, 65, 257}, []int{50, 500}
	p.Models = 4
	return p
}

// tour is a tour in the shell, on a terminal of 80x24.
type tour struct {
	*Screen
	shell *shell.Model
}

// begun returns a tour of which so many parts are computed.
func begun(t testing.TB, o theme.Options, parts int) tour {
	t.Helper()
	s := session.New(session.Options{Config: config.Presets()[0].Config, Workers: 2, Screen: session.TourPage})
	t.Cleanup(func() { _ = s.Close() })
	dialogs := &ui.Dialogs{}
	d := New(s, dialogs, small(t))
	m := tour{d, shell.New(s, dialogs, shell.Options{Theme: o}, d)}
	m.size(80, 24)
	for range parts {
		f, err := d.find(t.Context(), part(d.done), d.findings)
		d.working.Store(nil)
		d.search.Store(nil)
		if d.found(f, err); d.failure != nil {
			t.Fatal(d.failure)
		}
		s.Runner.Drop(session.TourPage) // the tests compute the parts themselves
	}
	return m
}

// whole returns a tour with all parts computed. All such tours share their findings.
func whole(t testing.TB, o theme.Options) tour {
	t.Helper()
	m := begun(t, o, 0)
	m.findings, m.done = everything(t), all
	return m
}

// all is the number of parts.
const all = int(improving) + 1

var shared findings

// everything returns the findings of all parts, computed once.
func everything(t testing.TB) findings {
	if shared.look == nil {
		shared = begun(t, theme.Options{}, all).findings
		for _, e := range []*engine.Experiment{shared.burgers, shared.darcy} {
			if !slices.ContainsFunc(e.Evaluation().Rows, func(r engine.Row) bool { return r.Name == engine.FullSolve }) {
				t.Errorf("%s: the scene of the cost finds no %q", e.Config.Problem, engine.FullSolve)
			}
			e.Evaluation().Rows = []engine.Row{{Offer: price.Offer{Name: "model", Error: 0.0441, Seconds: 220e-6}},
				{Offer: price.Offer{Name: "untrained, twice", Error: 0.0315, Seconds: 180e-6}},
				{Offer: price.Offer{Name: engine.FullSolve, Seconds: 3.4e-3}}} // times differ from run to run
		}
		shared.took = engine.Seconds{Generate: 1.2, Train: 0.34}
		search := *shared.large.search
		search.Elapsed = paper.SearchTime
		shared.large.search = &search
	}
	return shared
}

func (m tour) size(width, height int) {
	m.shell.Update(tea.WindowSizeMsg{Width: width, Height: height})
}

// content returns the screen after a message, which lays out what tests have changed.
func (m tour) content() string {
	m.shell.Update(nil)
	return m.shell.View().Content
}

func (m tour) screen() string { return ansi.Strip(m.content()) }

func press(m tour, names ...string) {
	for _, name := range names {
		c, ok := ui.Find(m.shell.Commands(), ui.LookupKey(name))
		if !ok || c.Why != "" {
			panic("no key is called " + name)
		}
		c.Do()
		m.shell.Update(nil)
	}
}

// let lets time pass, tick by tick.
func let(m tour, d time.Duration) {
	if m.last.IsZero() {
		m.pass(time.Unix(0, 0))
	}
	for end := m.last.Add(d); m.last.Before(end); {
		m.pass(m.last.Add(pace))
	}
}

// The scenes take three minutes, and none needs less than the one before.
func TestTourTakesThreeMinutes(t *testing.T) {
	total, needs := 0.0, part(0)
	for _, s := range scenes(paper.NewTour(1)) {
		if total += s.seconds; s.needs < needs {
			t.Errorf("scene %q needs less than the one before", s.title)
		}
		needs = s.needs
	}
	if total += paper.SearchTime.Seconds(); total != 180 {
		t.Errorf("the scenes take %g s", total)
	}
}

func TestAutopilotShowsEveryScene(t *testing.T) {
	m := whole(t, theme.Options{})
	seen := map[int]bool{}
	for range 200 { // seconds
		let(m, time.Second)
		seen[m.at] = true
		if m.at == len(m.scenes)-1 && m.elapsed >= m.scenes[m.at].seconds {
			break
		}
	}
	if m.compute() != nil {
		t.Error("there is another part after the last")
	}
	if len(seen) != len(m.scenes) {
		t.Errorf("%d of %d scenes were shown", len(seen), len(m.scenes))
	}
}

func TestClockStandsWhileASceneWaits(t *testing.T) {
	m := begun(t, theme.Options{}, 0)
	let(m, time.Minute)
	if m.at != 0 || m.elapsed != 0 || !strings.Contains(m.screen(), "computing") {
		t.Errorf("scene %d after %g s:\n%s", m.at+1, m.elapsed, m.screen())
	}
}

func TestPauseBackAndNext(t *testing.T) {
	m := whole(t, theme.Options{})
	press(m, "space")
	let(m, time.Minute)
	if m.at != 0 || !strings.Contains(m.screen(), "paused") {
		t.Fatalf("the tour goes on while it is paused:\n%s", m.screen())
	}
	press(m, "right", "right")
	if m.at != 2 || m.frame() != m.scenes[2].frames-1 {
		t.Errorf("scene %d, picture %d: a scene that is visited while paused shows its last picture", m.at+1, m.frame())
	}
	if press(m, "space", "left"); m.at != 1 || m.elapsed != 0 {
		t.Errorf("going back in scene 3 shows scene %d from %g s on", m.at+1, m.elapsed)
	}
	press(m, "home", "left")
	if m.at != 0 {
		t.Errorf("there is a scene before the first: %d", m.at+1)
	}
	press(m, "end", "right")
	if m.at != len(m.scenes)-1 {
		t.Errorf("after the last scene comes scene %d", m.at+1)
	}
}

func TestFailureIsShownAndTheTourGoesOn(t *testing.T) {
	m := begun(t, theme.Options{}, 1)
	m.found(findings{}, errors.New("the disk is on fire"))
	m.show(7)
	if !strings.Contains(m.screen(), "could not be computed: the disk is on fire") {
		t.Fatalf("the failure is not shown:\n%s", m.screen())
	}
	let(m, time.Minute)
	if m.at == 7 {
		t.Error("the tour has stopped")
	}
}

// The computation stops when the tour is left, and continues when it is entered again.
func TestLeavingTheTourStopsItsComputation(t *testing.T) {
	m := begun(t, theme.Options{}, 0)
	m.Update(ui.Enter{})
	if m.session.Runner.Doing() != session.TourPage {
		t.Fatal("nothing is computed")
	}
	if press(m, "ctrl+r"); m.session.Shown() != session.ConfigurePage {
		t.Errorf("ctrl+r leads to %s", m.session.Shown())
	}
	if m.Update(ui.Leave{}); m.session.Runner.Doing() == session.TourPage {
		t.Error("a part is computed after the end")
	}
	if m.Update(ui.Enter{}); m.session.Runner.Doing() != session.TourPage {
		t.Error("nothing is computed after the return")
	}
}

// A picture follows from the messages received, not from the computation meanwhile.
func TestPicturesAreOfTheLastMessage(t *testing.T) {
	m := begun(t, theme.Options{}, 0)
	e, err := engine.New(t.Context(), m.plan.Burgers, engine.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	m.working.Store(e)
	m.see()
	before := m.screen()
	if err := e.Reach(t.Context(), engine.Generating); err != nil {
		t.Fatal(err)
	}
	if after := m.screen(); after != before {
		t.Errorf("without a message\n%s\nbecomes\n%s", before, after)
	}
	m.see()
	if after := m.screen(); after == before || !strings.Contains(after, "72 of 72") {
		t.Errorf("after a message:\n%s", after)
	}
}

// The search begins when its scene is shown, its progress is visible, and its result is shown complete.
func TestSearchIsLive(t *testing.T) {
	m := whole(t, theme.Options{})
	m.done, m.findings.large.after = int(improving), nil
	if m.compute() != nil {
		t.Fatal("the search begins before its scene")
	}
	m.show(len(m.scenes) - 2)
	if m.compute() == nil || m.session.Runner.Doing() != session.TourPage {
		t.Fatal("the search does not begin")
	}
	if m.compute() != nil {
		t.Error("it begins twice")
	}
	m.session.Runner.Drop(session.TourPage)
	f, err := m.find(t.Context(), improving, m.findings)
	if m.found(f, err); m.failure != nil {
		t.Fatal(m.failure)
	}
	if last := m.scenes[m.at].frames - 1; m.elapsed != 0 || m.frame() != last {
		t.Errorf("picture %d of %d, %g s", m.frame(), last, m.elapsed)
	}
	if text := m.screen(); !strings.Contains(text, "times smaller") || !strings.Contains(text, "best error so far") {
		t.Errorf("the result is not shown:\n%s", text)
	}
	m.show(0)
	if m.show(len(m.scenes) - 2); m.frame() != 0 {
		t.Error("shown again, it does not begin with its beginning")
	}
}

// A search without success is not called one.
func TestVainSearchIsAdmitted(t *testing.T) {
	e := whole(t, theme.Options{}).findings.large.before
	if text := (improvement{before: e, after: e}).fact(); !strings.Contains(text, "no better this time") {
		t.Error(text)
	}
}

// Small errors are shown with digits that differ from zero, as everywhere.
func TestSmallErrorsAreLegible(t *testing.T) {
	m := whole(t, theme.Options{})
	const small = 4.21e-5
	f := &m.findings
	f.grids.Y = slices.Repeat([]float64{small}, len(f.grids.Y))
	for _, v := range []*engine.Evaluation{f.burgers.Evaluation(), f.darcy.Evaluation(), f.large.before.Evaluation(),
		f.large.after.Evaluation()} {
		defer func(kept score.Errors) { v.Test = kept }(v.Test)
		v.Test.ExpectedRelative, v.Test.Relative = small, slices.Repeat([]float64{small}, len(v.Test.Relative))
	}
	shown := 0
	for i, s := range m.scenes {
		if m.show(i); s.seconds > 0 {
			m.elapsed = s.seconds
		}
		text := m.screen()
		if strings.Contains(text, "0.0000 ") || strings.Contains(text, "0.0000\n") || strings.Contains(text, "0.0000,") {
			t.Errorf("an error that is not zero is shown as zero:\n%s", text)
		}
		if strings.Contains(text, "4.21e-05") {
			shown++
		}
	}
	if shown < 5 {
		t.Errorf("%d scenes show an error of %g", shown, small)
	}
}

// The input that is pulled begins in the law of the examples and ends far outside, with a far larger error.
func TestPulledInputLeavesTheLaw(t *testing.T) {
	pulls := everything(t).pulls
	first := pulls[0]
	last := pulls[len(pulls)-1]
	if first.Answer.Likeness() != engine.Like || last.Answer.Likeness() != engine.Outside || last.Distance < 3*first.Distance {
		t.Errorf("from %d with error %g to %d with error %g", first.Answer.Likeness(), first.Distance, last.Answer.Likeness(),
			last.Distance)
	}
}

// The tour waits while an input is drawn for its model.
func TestDrawingPausesTheTour(t *testing.T) {
	m := whole(t, theme.Options{})
	draws, ok := ui.Find(m.shell.Commands(), ui.KeyDraw)
	if !ok || draws.Why != "" {
		t.Fatal("no input can be drawn: " + draws.Why)
	}
	m.shell.Update(draws.Do()())
	if !m.paused || m.dialogs.Top() == nil {
		t.Errorf("paused: %t, drawing: %t", m.paused, m.dialogs.Top() != nil)
	}
}

// Up and down change the viscosity of the first scene, which begins again with another wave; no other scene has them.
func TestTheViscosityOfTheFirstSceneIsASlider(t *testing.T) {
	m := whole(t, theme.Options{})
	m.paused = true
	m.show(0)
	before := m.screen()
	c, ok := ui.Find(m.shell.Commands(), ui.KeyUp)
	if !ok {
		t.Fatal("no key changes the viscosity")
	}
	wave := c.Do()()
	if waiting := m.screen(); !strings.Contains(waiting, "ν 0.01 ") {
		t.Errorf("the first wave has another viscosity while the next is solved:\n%s", waiting)
	}
	m.shell.Update(wave)
	after := m.screen()
	if !strings.Contains(before, "ν 0.01 ") || !strings.Contains(after, "ν 0.02 ") {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	picture := func(screen string) string { return screen[strings.Index(screen, "input a   "):] }
	if picture(before) == picture(after) {
		t.Errorf("another viscosity has the same wave:\n%s", after)
	}
	press(m, "down")
	if m.screen() != before {
		t.Errorf("back to the first viscosity:\n%s", m.screen())
	}
	press(m, "right")
	if _, ok := ui.Find(m.shell.Commands(), ui.KeyUp); ok {
		t.Error("the second scene has a viscosity")
	}
}
