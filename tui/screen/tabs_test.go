// The tabs of the evaluation: their list, contents and pictures.

package screen

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/interchange"
	"rfm/model/paper"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
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
	p.Press("down", "down", "down", "down")
	p.Begin("enter")
	p.See(" parts", "published error") // the picture stays while it is computed
	p.Press("esc")
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

func TestTransferVisitsGrids(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2}) // data on 129 points, trained on 33
	p.Press("ctrl+r")
	p.open("transfer")
	p.See("33*", "1 of 5 grids")
	p.Before = func(context.Context, session.Job) error { return context.DeadlineExceeded }
	p.Press("enter") // a failure leaves the rest
	p.See("K=9: context deadline exceeded", "0.1644")
	p.Before = nil
	p.Press("enter")
	direct, err := p.S.Experiment().EvaluateOn(t.Context(), 65)
	if err != nil {
		t.Fatal(err)
	}
	p.See("5 of 5 grids", fmt.Sprintf("%.5f", direct.Test.ExpectedRelative))
	if all, _ := ui.Find(p.M.Commands(), keys.Enter); all.Why == "" {
		t.Error("there are grids left")
	}
}

// The table of baselines has its size before they are compared: pictures stay where they are when the comparison ends.
func TestRowsOfBaselinesAreReserved(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t, "evaluation.baselines=yes"), Workers: 2})
	p.Press("ctrl+r")
	before := chart.CostTable(p.S.Progress(session.Evaluate).Measured, 5, "error", "one core")
	after := chart.CostTable(p.S.Experiment().Evaluation(), 5, "error", "one core")
	if len(before.Rows) != len(after.Rows) || lipgloss.Width(before.Text()) != lipgloss.Width(after.Text()) {
		t.Errorf("while methods are compared:\n%s\nthen:\n%s", before.Text(), after.Text())
	}
}

// The training stays in view until there are predictions.
func TestTrainingStaysInView(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.Press("enter", "enter")
	predicts := make(chan struct{})
	p.Before = func(context.Context, session.Job) error {
		<-predicts
		return nil
	}
	p.begins("enter")
	if !p.S.Working() || p.S.Shown() != session.Evaluate.String() {
		t.Fatal("no evaluation is under way")
	}
	p.See("|alpha_j|, descending")
	close(predicts)
	p.Settle()
	p.See("truth", "prediction")
}

// The inverse problem of a sample shows the numbers of `rfm invert`; a new model drops them.
func TestInverseProblemOfASample(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2, Runs: t.TempDir()})
	p.Press("ctrl+r")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
	ranking := p.S.Experiment().Evaluation().Test.Ranking()
	want, err := interchange.Invert(t.Context(), filepath.Join(p.S.Stored(), "model.npz"), interchange.Inversion{
		Count: 20, Sample: ranking[widget.Median(len(ranking))], Noise: 0.01, Seed: 1, Chains: 32, Steps: 250, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Hold = true
	p.Press("enter")
	p.See("of 375") // with those of the burn-in
	p.Press("esc")
	p.Hold = false
	p.Press("enter")
	p.Resize(120, 60)
	p.See("error of the input", "observed", fmt.Sprintf("most probable input: misfit   %.3g", want.Misfit),
		fmt.Sprintf("%.3f", want.Mixing))
	p.S.Edit(session.Preset(config.Preset{Config: tiny(t, "seed=2")}))
	p.Press("1", "ctrl+r")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
}
