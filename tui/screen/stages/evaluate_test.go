package stages

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/tui/keys"
	"rfm/tui/screen/configure"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/shell/shelltest"
	"rfm/tui/ui"
)

// person is a person at the interface with the screen of the results.
type person struct {
	*shelltest.Person
	v *evaluate
}

func newPerson(t *testing.T, c config.Config, runs string) *person {
	p := &person{}
	p.Person = shelltest.New(t, session.Options{Config: c, Workers: 2, Runs: runs}, shell.Options{},
		func(s *session.Session, d *ui.Dialogs) []ui.Screen {
			list := New(s)
			p.v = list[2].(*evaluate)
			return append([]ui.Screen{configure.New(s, d)}, list...)
		})
	return p
}

// open selects a tab.
func (p *person) open(name string) {
	p.T.Helper()
	for range 10 {
		if p.v.tabs.At() == name {
			return
		}
		p.Press("tab")
	}
	p.T.Fatalf("there is no tab %q", name)
}

func TestTransferVisitsGrids(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "") // data on 129 points, trained on 33
	p.Press("a")
	p.open("transfer")
	p.See("33*", "1 of 5 grids")
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

func TestFailedTransferIsShownAndLeavesTheRest(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("a")
	p.open("transfer")
	p.Before = func(context.Context, session.Job) error { return context.DeadlineExceeded }
	p.Press("enter")
	p.See("K=9: context deadline exceeded", "0.1644")
	p.Before = nil
	p.Press("enter")
	p.See("5 of 5 grids")
}

func TestSamplesHaveTheirBand(t *testing.T) {
	c := shelltest.Tiny(t)
	p := newPerson(t, c, "")
	p.Press("a")
	p.See("|truth - prediction|")
	if strings.Contains(p.Screen(), "90% band") {
		t.Error("a band that nobody asked for")
	}
	c.Evaluation.Bands = true
	p = newPerson(t, c, "")
	p.Press("a")
	p.See("|truth - prediction|", "90% band")
}

// The table of baselines has its size before they are compared: pictures stay where they are when the comparison ends.
func TestRowsOfBaselinesAreReserved(t *testing.T) {
	c := shelltest.Tiny(t)
	c.Evaluation.Baselines = true
	p := newPerson(t, c, "")
	p.Press("a")
	after := p.v.tables()
	p.v.take(p.S.Progress(session.Evaluate).Measured)
	before := p.v.tables()
	if len(before) != len(after) || len(before[1].Rows) != len(after[1].Rows) ||
		lipgloss.Width(before[1].Text()) != lipgloss.Width(after[1].Text()) {
		t.Errorf("while methods are compared:\n%s\nthen:\n%s", before[len(before)-1].Text(), after[len(after)-1].Text())
	}
}

// The training stays in view until there are predictions.
func TestTrainingStaysInView(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("enter", "enter")
	predicts := make(chan struct{})
	p.Before = func(context.Context, session.Job) error {
		<-predicts
		return nil
	}
	p.Send(shelltest.Key("enter"))
	if !p.S.Working() || p.v.of != nil {
		t.Fatal("no evaluation is under way")
	}
	p.See("|alpha_j|, descending")
	close(predicts)
	p.Settle()
	p.See("truth", "prediction")
}

// The inverse problem of a sample shows the numbers of `rfm invert`; a new model drops them.
func TestInverseProblemOfASample(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), t.TempDir())
	p.Press("a")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
	p.Press("enter")
	p.See("most probable input", "error of the input", "observed")
	want, err := interchange.Invert(t.Context(), filepath.Join(p.S.Stored(), "model.npz"), interchange.Inversion{
		Count: places, Sample: p.v.sample(), Noise: noise, Seed: seed, Chains: chains, Steps: steps, Workers: 1})
	if err != nil || want.Misfit != p.v.inverse.found.Misfit {
		t.Errorf("misfit %g, `rfm invert` has %g, %v", p.v.inverse.found.Misfit, want.Misfit, err)
	}
	p.S.Edit(session.Preset(config.Preset{Config: shelltest.Tiny(t, "seed=2")}))
	p.Press("1", "a")
	p.open("inverse")
	p.See("the input of this sample from 20 values")
}
