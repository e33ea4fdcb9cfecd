package evaluate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/solver/parallel/detector"
	"rfm/tui/keys"
	"rfm/tui/screen/configure"
	"rfm/tui/screen/generate"
	"rfm/tui/screen/train"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/shell/shelltest"
	"rfm/tui/ui"
)

// person is a person at the interface with the screen of the results.
type person struct {
	*shelltest.Person
	v *Screen
}

func newPerson(t *testing.T, c config.Config, runs string) *person {
	p := &person{}
	p.Person = shelltest.New(t, session.Options{Config: c, Workers: 2, Runs: runs}, shell.Options{},
		func(s *session.Session, d *ui.Dialogs) []ui.Screen {
			t := train.New(s)
			p.v = New(s, t.Exhibit)
			return []ui.Screen{configure.New(s, d), generate.New(s), t, p.v}
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
	p := newPerson(t, shelltest.Tiny(t), "") // data on 257 points, trained on 33
	p.Press("a")
	p.open("transfer")
	p.See("K=33", "33*", "1 of 6 grids")
	p.Press("down")
	p.See("sample", "on K=65", "2 of 6 grids")
	direct, err := p.S.Experiment().EvaluateOn(t.Context(), 65)
	if err != nil {
		t.Fatal(err)
	}
	p.See(fmt.Sprintf("%.5f", direct.Test.ExpectedRelative))
	if p.v.transfer.shown.Test.ExpectedRelative != direct.Test.ExpectedRelative {
		t.Error("the error differs from that of an evaluation on the grid")
	}
	p.Press("enter")
	p.See("6 of 6 grids")
	if all, _ := ui.Find(p.M.Commands(), keys.Enter); all.Why == "" {
		t.Error("there are grids left")
	}
	p.Press("up", "up", "up", "up", "up", "up")
	p.See("on K=9 ")
}

// The latest request counts: the result of an earlier one is neither shown nor kept.
func TestLatestGridWins(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("a")
	p.open("transfer")
	p.Send(shelltest.Key("down"))
	p.Send(shelltest.Key("down")) // the first is cancelled
	p.Settle()
	p.See("on K=129", "2 of 6 grids")
}

func TestFailedTransferIsShownAndLeavesTheRest(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t), "")
	p.Press("a")
	p.open("transfer")
	p.Before = func(context.Context, session.Job) error { return context.DeadlineExceeded }
	p.Press("down")
	p.See("K=65: context deadline exceeded", "0.1643")
	p.Before = nil
	p.Press("down", "up")
	p.See("on K=65", "3 of 6 grids")
}

func TestTransferForgetsTheFinestGridsFirst(t *testing.T) {
	evaluation := func(K, count int) *engine.Evaluation {
		e := &engine.Evaluation{Grid: K}
		e.Predictions.Data = make([]float64, K*count)
		return e
	}
	own := evaluation(9, 1)
	tr := &transfer{of: own, shown: own, grids: []int{9, 17, 33},
		visits: map[int]visit{9: {evaluation: own}, 17: {evaluation: evaluation(17, 1)},
			33: {evaluation: evaluation(33, 2<<20)}}}
	tr.forget()
	if tr.visits[33].evaluation != nil || tr.visits[17].evaluation == nil || tr.visits[9].evaluation == nil {
		t.Error("not the one that takes the memory was forgotten")
	}
}

// The progress of a comparison is drawn as of the last message.
func TestComparisonIsDrawnAsItWasSeen(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t, "activation=tanh", "bias=0.5"), "")
	p.Press("a")
	p.open("gain")
	p.Hold = true
	p.Press("enter")
	t.Cleanup(p.S.Leave)
	e, err := engine.New(t.Context(), p.S.Config(), engine.Options{Workers: 1})
	if err == nil {
		err = e.Reach(t.Context(), engine.Generating)
	}
	if err != nil {
		t.Fatal(err)
	}
	before := p.Screen()
	p.v.gain.retraining.Store(e)
	if after := p.Screen(); after != before {
		t.Errorf("without a message\n%s\nbecomes\n%s", before, after)
	}
	p.Send(nil)
	p.See(" "+engine.Generating.String(), "features are trained")
}

// The factors equal those of a separate experiment with the paper's features.
func TestGainOverThePaper(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := newPerson(t, shelltest.Tiny(t, "activation=tanh", "bias=0.5", "delta=0.01", "seed=3"), "")
	p.Press("a")
	own := p.S.Experiment().Evaluation().Test.Relative
	p.open("gain")
	p.See("Enter trains the paper's features", "sigma=elu", "enter compare")
	p.Press("enter")
	p.See("beside the paper's features")
	if p.v.gain.offers() {
		t.Error("the comparison is offered again")
	}
	q := newPerson(t, shelltest.Tiny(t, "seed=3"), "")
	q.Press("a")
	for i, paper := range q.S.Experiment().Evaluation().Test.Relative {
		if got := p.v.gain.factors()[i]; got != paper/own[i] {
			t.Fatalf("sample %d has the factor %g, want %g", i, got, paper/own[i])
		}
	}
}

func TestStoppedComparisonIsOfferedAgain(t *testing.T) {
	p := newPerson(t, shelltest.Tiny(t, "activation=tanh"), "")
	p.Press("a")
	p.open("gain")
	p.Begin("enter")
	p.Press("esc")
	if p.S.Failure() != nil {
		t.Fatal(p.S.Failure())
	}
	if len(p.v.gain.others) == 0 { // it may have been faster
		p.See("Enter trains the paper's features")
	}
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
