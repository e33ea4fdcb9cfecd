// The tabs of the evaluation: their list, contents and pictures.

package screen

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/model/engine"
	"rfm/model/paper"
	"rfm/tui/session"
)

// open selects a tab of the evaluation.
func (p *person) open(name string) {
	p.T.Helper()
	for range 20 {
		if strings.Contains(p.Screen(), "›"+name+"‹") || strings.Contains(p.Screen(), "["+name+"]") {
			return
		}
		p.Press("tab")
	}
	p.T.Fatalf("there is no tab %q:\n%s", name, p.Screen())
}

// Results of studies are stored where the command finds them, and are there from the start.
func TestStoredStudiesAreThereFromTheStart(t *testing.T) {
	t.Chdir(t.TempDir())
	o := Options{Config: tiny(t), Workers: 2, Runs: "runs"}
	p := newPerson(t, o)
	p.Press("5")
	p.See("Enter computes this study", "quick size")
	p.Press("right")
	p.See("the paper's size")
	p.Press("left", "down", "down", "enter") // a feature costs nothing
	p.See("(Figure 3.1)", "theta")
	if _, err := os.Stat(filepath.Join(string(paper.DirectoryName(true)), "burgers-feature.json")); err != nil {
		t.Error(err)
	}
	p = newPerson(t, o)
	p.Press("5", "down", "down")
	p.See("(Figure 3.1)", "theta")
}

func TestSessionComparesWithEarlierModels(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("ctrl+r")
	p.See("›samples‹")
	before := p.S.Experiment().Evaluation().Test
	p.Set("features.count=96")
	p.Press("ctrl+r")
	after := p.S.Experiment().Evaluation().Test
	p.open("session")
	p.Resize(120, 60)
	i := after.Ranking()[len(after.Relative)/2-1]
	p.See("compared with m=48", "better on", fmt.Sprintf("%.3g times", before.Relative[i]/after.Relative[i]))
	p.See(fmt.Sprintf("%.5f", before.ExpectedRelative), fmt.Sprintf("%.5f", after.ExpectedRelative), "m=96")
	p.Set("seed=2") // other test inputs
	p.Press("ctrl+r")
	p.See("›session‹") // the tab stays
	if strings.Contains(p.Screen(), "compared with") {
		t.Errorf("compared with models that saw other test inputs:\n%s", p.Screen())
	}
}

func TestCostSaysWhenTheModelPays(t *testing.T) {
	p := newPerson(t, Options{Config: tinyDarcy(t), Workers: 2})
	p.Press("ctrl+r")
	v := p.S.Experiment().Evaluation()
	v.Rivals = rivals()
	p.open("cost")
	p.Resize(100, 60)
	p.See("15.5 times as fast as the full", "has paid for them after", "0.03150*", "* better than the trained model")
	v.Rivals = []engine.Rival{{Name: "model", Error: 0.04, Seconds: 1e-3},
		{Name: "full solve", Error: math.NaN(), Seconds: 5e-4}}
	p.Resize(101, 60)
	p.See("full solve is 2.0 times as fast as the", "never pays")
	if strings.Contains(p.Screen(), "better than") {
		t.Error("something is marked as better")
	}
}

// Errors and samples can be seen before other methods have been compared, and stay afterwards.
func TestSamplesAreShownBeforeMethodsAreCompared(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=yes"), Workers: 2})
	p.Press("enter", "enter")
	p.Hold = true
	p.Press("enter") // all is computed, but the step does not end
	if p.S.Reached() != session.Train {
		t.Fatalf("stage %s is complete", p.S.Reached())
	}
	p.See("median of 24", "expected relative", "prediction")
	p.begins("end")
	p.See("worst of 24")
	p.begins("tab")
	p.See("the tabs open when the other methods")
	p.Press("esc")
	p.Hold = false
	p.See("worst of 24")
	p.Press("enter")
	p.See("worst of 24", "one evaluation")
}

// A low terminal shows a sample or its error, each with all lines; a higher one has both.
func TestLowTerminalsTurnFromASampleToItsError(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=no"), Workers: 2})
	p.Press("ctrl+r")
	p.See("|truth - prediction|", "⠶⠶ truth")
	p.Press("v")
	p.See("there is no other picture")
	p.Resize(60, 15)
	p.See("1 of 2", "⠶⠶ truth")
	p.Press("v")
	p.See("2 of 2", "|truth - prediction|")
}

// A wide terminal shows the best and the worst sample next to the chosen one.
func TestBestAndWorstStandBesideTheSample(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=no"), Workers: 2})
	p.Press("ctrl+r")
	p.Resize(200, 60)
	p.See("best of 24: ", "median of 24: ", "worst of 24: ")
	p.Press("end")
	if text := p.Screen(); strings.Contains(text, "median of 24: ") || strings.Count(text, "worst of 24: ") != 1 {
		t.Errorf("the worst sample is not beside the best:\n%s", text)
	}
}
