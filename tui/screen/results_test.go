// The tabs of the results.

package screen

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

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

func TestSamplesHaveTheirBand(t *testing.T) {
	for _, bands := range []string{"no", "yes"} {
		p := newPerson(t, Options{Config: tiny(t, "evaluation.bands="+bands), Workers: 2})
		p.Press("ctrl+r")
		p.See("|truth - prediction|")
		if strings.Contains(p.Screen(), "90% band") != (bands == "yes") {
			t.Errorf("bands = %s:\n%s", bands, p.Screen())
		}
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
	p.Press("enter")
	p.Resize(120, 60)
	p.See("error of the input", "observed", fmt.Sprintf("most probable input: misfit   %.3g", want.Misfit),
		fmt.Sprintf("%.3f", want.Mixing))
	p.S.Edit(session.Preset(config.Preset{Config: tiny(t, "seed=2")}))
	p.Press("1", "ctrl+r")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
}
