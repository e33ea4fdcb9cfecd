package truth_test

import (
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/pde/truth"
)

// Workers are prepared once for all blocks of an operator, and what they have solved before changes nothing.
func TestIdleWorkersAreUsedAgain(t *testing.T) {
	o := smallBurgers(0.05, 65)
	made := 0
	create := o.NewWorker
	o.NewWorker = func() truth.Worker {
		made++
		return create()
	}
	const blocks = 8
	all := outputsOf(t, o, 0, blocks*o.Block)
	made = 0
	for i := range blocks {
		part := outputsOf(t, o, i*o.Block, o.Block)
		if !slices.Equal(part, all[i*len(part):(i+1)*len(part)]) {
			t.Errorf("block %d depends on the worker", i)
		}
	}
	if made == blocks { // the garbage collector may have taken some
		t.Errorf("each of %d blocks had a new worker", blocks)
	}
}

// outputsOf returns the outputs of pairs by one worker.
func outputsOf(t *testing.T, o *truth.Operator, first, count int) []float64 {
	t.Helper()
	wanted := truth.Wanted{Purpose: draw.InputTrain, First: first, Count: count}
	_, outputs, err := truth.Generate(t.Context(), o, wanted, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return outputs[0].Data
}
