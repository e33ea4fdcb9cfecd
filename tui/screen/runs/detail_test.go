package runs

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// stored returns a complete run.
func stored(t *testing.T, runs, name string, settings ...string) store.Entry {
	t.Helper()
	e, err := engine.New(t.Context(), tuitest.Tiny(t, settings...), engine.Options{Runs: runs, Name: name, Workers: 1})
	if err == nil {
		err = e.Run(t.Context())
	}
	if err == nil {
		err = e.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return store.NewEntry(e.Directory())
}

// The selected run stands beside the list with a sample, its differences from the run below, and the command that uses it;
// runs that were tested on other pairs are not compared.
func TestSelectedRunIsDescribed(t *testing.T) {
	runs := t.TempDir()
	base := stored(t, runs, "base")
	for _, test := range []struct {
		name, setting string
		want          []string
	}{
		{"wide", "features.count=60", []string{"unlike base: m=60", "of the same test pairs"}},
		{"seeded", "seed=2", []string{"unlike base: seed=2", "tested on other pairs than that run"}},
	} {
		e := stored(t, runs, test.name, test.setting)
		l := New(session.New(session.Options{Runs: runs}), &ui.Dialogs{})
		other := base // of another equation, which is passed over
		other.Name = "other"
		other.Run.Config.Equation.Text = "u_t = u_xx"
		l.shown = []store.Entry{e, other, base}
		found := wanted{of: e.Path, below: base.Path}.read()
		if found.sample == nil || len(found.sample.Prediction) != len(found.sample.Truth) || found.deviation <= 0 {
			t.Fatalf("%s: %+v", test.name, found)
		}
		l.detail = &found
		l.Arrange(ui.Canvas{Theme: theme.New(theme.Options{}), Width: 120, Height: 36})
		text := ansi.Strip(l.View())
		for _, want := range append(test.want, "typical sample", "truth", "prediction", "rfm predict") {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
				t.Errorf("%s: no %q in\n%s", test.name, want, text)
			}
		}
	}
}

// Runs that other processes compute come first, then interrupted ones, unless the list is sorted by something else.
func TestRunsThatGoOnComeFirst(t *testing.T) {
	runs := t.TempDir()
	complete := stored(t, runs, "complete")
	unfinished, held := complete, complete
	unfinished.Name, unfinished.Path = "unfinished", "unfinished"
	unfinished.Run.Sums = nil
	held.Name, held.Path = "held", "held"
	held.Run.Sums = nil
	held.Holder = &store.Identity{}
	l := New(session.New(session.Options{}), &ui.Dialogs{})
	l.from.List = []store.Entry{complete, unfinished, held}
	l.arrange()
	var names []string
	for _, e := range l.shown {
		names = append(names, e.Name)
	}
	if got := strings.Join(names, " "); unfinished.Run.Complete() || got != "held unfinished complete" {
		t.Errorf("in the order %s", got)
	}
}
