// Wishes of speakers: current pictures, a search in view of the audience, an end card.

package demo

import (
	"slices"
	"strings"
	"testing"

	"rfm/model/engine"
	"rfm/model/rfm"
	"rfm/tui/theme"
)

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
	if m.compute() == nil || m.session.Doing() != Name {
		t.Fatal("the search does not begin")
	}
	if m.compute() != nil {
		t.Error("it begins twice")
	}
	m.session.Drop(Name)
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
	evaluations := append([]*engine.Evaluation{f.burgers.Evaluation(), f.darcy.Evaluation(), f.large.before.Evaluation(),
		f.large.after.Evaluation()}, f.grids...)
	for _, v := range evaluations {
		defer func(kept rfm.Errors) { v.Test = kept }(v.Test)
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

// The tour ends with a card: one input before and after the search, the ratio of their errors, and how to continue.
func TestTourEndsWithACard(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}} {
		m := whole(t, theme.Options{})
		m.size(size[0], size[1])
		press(m, "end")
		text := m.screen()
		for _, want := range []string{"times smaller", "before: 0.", "now: 0.", "rfm tune"} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: no %q on the last screen:\n%s", size, want, text)
			}
		}
	}
}
