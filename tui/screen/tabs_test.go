// The tabs of the evaluation: their list, contents and pictures.

package screen

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/show/interchange"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/words"
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

// While baselines are compared, the test error is in the header, and their table has its size: pictures stay where they
// are when the comparison ends.
func TestComparisonOfBaselinesMovesNothing(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "evaluation.baselines=yes"), Workers: 2})
	p.begins("ctrl+r")
	p.Until("an error", func() bool { return p.S.Runner.Progress(session.Evaluate).Measured != nil })
	if rule := strings.Split(p.Screen(), "\n")[1]; !strings.Contains(rule, " error 0.") {
		t.Errorf("the header has no test error: %s", rule)
	}
	p.Settle()
	before := words.CostTable(p.S.Runner.Progress(session.Evaluate).Measured, "error", "one core")
	after := words.CostTable(p.S.Runner.Experiment().Evaluation(), "error", "one core")
	if len(before.Rows) != len(after.Rows) || lipgloss.Width(before.Text()) != lipgloss.Width(after.Text()) {
		t.Errorf("while methods are compared:\n%s\nthen:\n%s", before.Text(), after.Text())
	}
}

// The training stays in view until there are predictions, which are then shown.
func TestTrainingStaysInView(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2})
	p.Press("2", "enter", "enter")
	predicts := make(chan struct{})
	p.Before = func(context.Context, session.Job) error {
		<-predicts
		return nil
	}
	p.begins("enter")
	if p.S.Runner.RunningStage() != session.Evaluate || p.S.Shown() != session.RunPage {
		t.Fatal("no evaluation is under way")
	}
	p.See("|alpha_j|, descending")
	close(predicts)
	p.Settle()
	p.See("truth", "prediction")
}

// The inverse problem of a sample shows the numbers of `rfm invert`; a new model drops them.
func TestInverseProblemOfASample(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 2, Runs: t.TempDir()})
	p.Press("ctrl+r")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
	ranking := p.S.Runner.Experiment().Evaluation().Test.Ranking()
	want, err := interchange.Invert(t.Context(), filepath.Join(p.S.Runner.Stored(), "model.npz"), interchange.Inversion{
		Count: 20, Sample: ranking[page.Median(len(ranking))], Noise: 0.01, Seed: 1, Chains: 32, Steps: 250, Workers: 1})
	noError(t, err)
	p.Hold = true
	p.Press("enter")
	p.See("of 375") // with those of the burn-in
	p.Press("esc")
	p.Hold = false
	p.Press("enter")
	p.Resize(120, 60)
	p.See("error of the input", "observed", fmt.Sprintf("most probable input: misfit   %.3g", want.Misfit),
		fmt.Sprintf("%.3f", want.Mixing))
	p.S.Draft.Edit(session.Preset(config.Preset{Config: tuitest.Tiny(t, "seed=2")}))
	p.Press("1", "ctrl+r")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
}
