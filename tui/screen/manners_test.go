// Small things that were cut, silent or wrong.

package screen

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/keys"
)

// The message about the size fits the size it is about.
func TestSizeMessageIsWhole(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.resize(50, 12)
	if text := strings.Join(strings.Fields(p.screen()), " "); text != "rfm needs a terminal of at least 60x15, this one has 50x12" {
		t.Errorf("the screen says %q", text)
	}
}

// A step that cannot be shown says why.
func TestClosedStepsSayWhy(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.press("3")
	p.see("train has nothing to show yet")
}

// The end of a line about progress, the time left, is never cut, and what was stopped still shows how far it is.
func TestTimeLeftIsNotCut(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("enter")
	s := &p.m.session
	s.reached, s.seen[generating] = configuring, engine.Progress{Stage: engine.Generating, Done: 128, Total: 256, Unit: "samples", Rate: 313, Flops: 10.5e9, Elapsed: 410 * time.Millisecond, ETA: 410 * time.Millisecond}
	s.job = &job{step: generating}
	if line := ansi.Strip(progressLine(s, generating, 80)); !strings.HasSuffix(line, " left") || len([]rune(line)) > 80 {
		t.Errorf("line %q", line)
	}
	s.job = nil
	if line := ansi.Strip(progressLine(s, generating, 80)); !strings.Contains(line, "128 of 256 samples") || !strings.Contains(line, "generate is not complete") {
		t.Errorf("stopped: %q", line)
	}
}

func TestListOfPresetsHasEnds(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.press("p", "end")
	picker := p.m.configure.panel.(*presetPicker)
	if picker.line != len(picker.presets)-1 {
		t.Errorf("end goes to line %d", picker.line)
	}
	if p.press("home"); picker.line != 0 {
		t.Errorf("home goes to line %d", picker.line)
	}
}

// The help of a screen has that screen's words.
func TestHelpHasTheWordsOfTheScreen(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t)})
	p.press("5")
	here, _ := p.m.helpKeys()
	text := strings.Join(here, "\n")
	for _, wrong := range []string{keys.Of(keys.Left).Help, keys.Of(keys.Up).Help, keys.Of(keys.Accept).Help} {
		if strings.Contains(text, wrong) {
			t.Errorf("the help of the paper says %q", wrong)
		}
	}
}

// Studies show how far all of them are, not only the inner step.
func TestStudiesShowTheWhole(t *testing.T) {
	h := newLibrary(Options{}).shelf()
	h.count(tally{wanted: study.All()[2].Title, done: 2, total: 18, begun: time.Now().Add(-20 * time.Second)})
	text := h.overall(200)
	for _, part := range []string{study.All()[2].Title, "study 3 of 18", "20 s", "left"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}

// A new result is not hidden behind a study that was looked at before.
func TestNewResultsAreShown(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.open("m-n")
	p.m.session.config.Features.Count = 24
	p.press("a")
	p.see("median of 24")
}

// Data that are used again say so, and keep what is known about them.
func TestReusedDataSaySo(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("enter")
	before := p.m.session.seen[generating]
	p.press("1")
	p.m.session.config.Features.Count = 24
	p.press("enter")
	p.see("the pairs are reused", "expected spectrum")
	if after := p.m.session.seen[generating]; after.Inputs != before.Inputs || after.Outputs != before.Outputs {
		t.Errorf("the sizes are now %+v, %+v", after.Inputs, after.Outputs)
	}
}
