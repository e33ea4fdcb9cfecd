// The trained model on other grids than its own.

package screen

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"rfm/model/engine"
	"rfm/tui/keys"
)

func TestTransferVisitsGrids(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2}) // data on 257 points, trained on 33
	p.press("a")
	p.open("transfer")
	p.see("K=33", "33*", "1 of 6 grids")
	p.perform("right")
	p.see("sample", "on K=65", "2 of 6 grids")
	direct, err := p.m.session.experiment.EvaluateOn(t.Context(), 65)
	if err != nil {
		t.Fatal(err)
	}
	p.see(fmt.Sprintf("%.5f", direct.Test.ExpectedRelative))
	if p.m.evaluate.transfer.shown.Test.ExpectedRelative != direct.Test.ExpectedRelative {
		t.Error("the error differs from that of an evaluation on the grid")
	}
	p.perform("enter")
	p.see("6 of 6 grids")
	if slices.Contains(p.m.actions(), keys.Accept) {
		t.Error("there are grids left")
	}
	p.perform("left", "left", "left", "left", "left", "left")
	p.see("on K=9 ")
}

// The newest wish counts: what was asked for before is neither shown nor kept.
func TestLatestGridWins(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.open("transfer")
	_, first := p.m.Update(key("right"))
	_, second := p.m.Update(key("right"))
	p.carryOut(first) // cancelled before it began
	p.see("on K=33")
	p.carryOut(second)
	p.see("on K=129", "2 of 6 grids")
}

func TestFailedTransferIsShownAndLeavesTheRest(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 2})
	p.press("a")
	p.open("transfer")
	p.m.Update(key("right"))
	p.m.Update(probedMsg{number: p.m.evaluate.transfer.number, grid: 65, err: context.DeadlineExceeded})
	p.see("K=65: context deadline exceeded", "0.1643")
	p.perform("right", "left")
	p.see("on K=65", "3 of 6 grids")
}

func TestTransferForgetsTheFinestGridsFirst(t *testing.T) {
	evaluation := func(K, count int) *engine.Evaluation {
		e := &engine.Evaluation{Grid: K}
		e.Predictions.Data = make([]float64, K*count)
		return e
	}
	own := evaluation(9, 1)
	tr := &transfer{of: own, shown: own, grids: []int{9, 17, 33}, visits: map[int]visit{9: {evaluation: own}, 17: {evaluation: evaluation(17, 1)}, 33: {evaluation: evaluation(33, 2<<20)}}}
	tr.forget()
	if tr.visits[33].evaluation != nil || tr.visits[17].evaluation == nil || tr.visits[9].evaluation == nil {
		t.Error("not the one that takes the memory was forgotten")
	}
}
