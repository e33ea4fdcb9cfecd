// Immediate results: the small model of the first screen, the error in every header, the key that leads onward.

package screen

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"rfm/config"
)

// A small model is trained after each change of the configuration, and shows how its error has changed.
func TestSmallModelFollowsTheConfiguration(t *testing.T) {
	for _, c := range []config.Config{tiny(t), tinyDarcy(t)} {
		p := newPerson(t, Options{Config: c, Workers: 2})
		p.Resize(120, 40)
		small := regexp.MustCompile(fmt.Sprintf(`%d pairs: error ([0-9.]+)`, c.Data.Train))
		first := small.FindStringSubmatch(p.Screen())
		if first == nil {
			t.Fatalf("there is no small model:\n%s", p.Screen())
		}
		p.Set("features.count=3")
		p.See("was " + first[1])
		if second := small.FindStringSubmatch(p.Screen()); second == nil || second[1] == first[1] {
			t.Errorf("the error %s has not changed:\n%s", first[1], p.Screen())
		}
		if p.S.Experiment() != nil {
			t.Error("an experiment has begun")
		}
	}
}

// The header of every screen shows the test error and its change, at every size.
func TestHeaderHasTheTestError(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=no"), Workers: 2})
	p.Press("ctrl+r")
	before := fmt.Sprintf("%.4f", p.S.Experiment().Evaluation().Test.ExpectedRelative)
	p.Press("1")
	p.Set("features.count=12")
	p.Press("ctrl+r")
	now := fmt.Sprintf("%.4f", p.S.Experiment().Evaluation().Test.ExpectedRelative)
	for _, size := range [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}} {
		p.Resize(size[0], size[1])
		for _, screen := range []string{"1", "2", "3", "4", "5", "6"} {
			p.Press(screen)
			if head, _, _ := strings.Cut(p.Screen(), "\n"); !strings.Contains(head, "error "+now) ||
				!strings.Contains(head, before) {
				t.Errorf("screen %s at %dx%d has the header %q", screen, size[0], size[1], head)
			}
		}
	}
	p.Press("1", "home")
	p.Resize(120, 40)
	p.See("error " + now[:4])
}

// One key makes linear axes of plots logarithmic.
func TestAxesBecomeLogarithmic(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Resize(120, 40)
	p.Press("ctrl+r")
	before := p.Screen()
	p.Press("L")
	if p.Screen() == before {
		t.Error("nothing has changed")
	}
	if p.Press("L"); p.Screen() != before {
		t.Error("the second press does not lead back")
	}
}
