package operator

import (
	"context"
	"testing"

	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// learned is an operator with an error, which does nothing.
type learned struct {
	Operator
	score float64
}

func (l *learned) LeaveOneOut() float64 { return l.score }

func (*learned) Name() string { return "test" }

// A candidate that fails numerically is dropped, but not in silence.
func TestFailedCandidatesAreTold(t *testing.T) {
	failure := &fault.Numerical{Where: "test", What: "fails"}
	unsuited := &fault.Data{Where: "test", What: "does not suit"}
	var told []error
	o := Options{Failed: func(err *fault.Numerical) { told = append(told, err) }}
	better := &learned{score: 0.1}
	worse := &learned{score: 0.2}
	best, err := BestOf(o, []int{0, 1, 2, 3}, func(i int) (Result, error) {
		return Result{Operator: []Operator{nil, worse, nil, better}[i]}, []error{failure, nil, unsuited, nil}[i]
	})
	if err != nil || best.Operator != Operator(better) || len(told) != 1 || told[0] != error(failure) {
		t.Errorf("the best is %v, %v; told of %v, want %v", best, err, told, failure)
	}
	_, err = BestOf(o, []int{0}, func(int) (Result, error) { return Result{}, unsuited })
	if err != error(unsuited) {
		t.Errorf("the only candidate fails with %v, want %v", err, unsuited)
	}
	idle, err := BestOf(o, []int{0, 1}, func(i int) (Result, error) {
		if i == 0 {
			return Unimproved(better, "nothing lowers the error %g"), nil
		}
		return Result{}, unsuited
	})
	if err != nil || idle.Operator != nil || idle.Err() == nil {
		t.Errorf("the first candidate gains nothing, and %v, %v is returned", idle, err)
	}
}

// Inputs are divided so that no worker is idle while others have several blocks.
func TestFewInputsAreForAllWorkers(t *testing.T) {
	for _, c := range []struct{ inputs, workers, least, most, blocks, each int }{
		{16, 2, 8, 96, 2, 1}, {16, 2, 2, 16, 2, 1}, {16, 4, 2, 16, 4, 1}, {1, 4, 8, 96, 1, 4}, {1000, 2, 8, 96, 11, 1},
		{6, 2, 2, 16, 2, 1}, {5, 2, 1, 4, 2, 1}, {0, 2, 1, 4, 0, 2}} {
		blocks, inputs := make(chan int, 1000), 0
		p := Base{Grid: codec.GridOf(grid.Torus, 3, 1, 1)}
		_, err := p.InBlocks(t.Context(), grid.NewBatch(grid.Torus, 3, c.inputs), c.workers, c.least, c.most, nil,
			func(_ context.Context, _, inputs grid.Batch, workers int) error {
				if workers != c.each {
					t.Errorf("%+v: a block has %d workers", c, workers)
				}
				blocks <- inputs.Count
				return nil
			})
		close(blocks)
		got := len(blocks)
		for count := range blocks {
			inputs += count
		}
		if err != nil || got != c.blocks || inputs != c.inputs {
			t.Errorf("%+v: %d blocks of %d inputs; %v", c, got, inputs, err)
		}
	}
}

// A method that falls behind the best of the earlier ones is stopped, and the others go on.
func TestMethodsFarBehindEnd(t *testing.T) {
	race := NewRace()
	for _, c := range []struct {
		score  float64
		behind bool
	}{{0.5, false}, {0.1, false}, {0.3, false}, {0.51, true}, {0.05, false}, {0.3, true}} {
		ended, behind := race.Behind(c.score, FarBehind)
		if behind != c.behind || behind != (ended.Err() != nil) {
			t.Errorf("%g is behind: %v (%v), want %v", c.score, behind, ended.Err(), c.behind)
		}
	}
	var none *Race
	if _, behind := none.Behind(1e9, FarBehind); behind {
		t.Error("a method is behind where nothing is compared")
	}
}
