package fno

import (
	"context"
	"errors"
	"slices"
	"testing"

	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
)

// kept holds the last state of each descent.
type kept struct {
	steps  map[string]int
	states map[string][]float64
}

func (k *kept) Latest(_ context.Context, name string) (int, []float64, error) {
	return k.steps[name], k.states[name], nil
}

func (k *kept) Keep(name string, steps int, _ bool, state func() []float64) error {
	if steps%7 == 0 { // not after each step, as a run does
		k.steps[name] = steps
		k.states[name] = state()
	}
	return nil
}

// interrupted ends a context after some steps.
type interrupted struct {
	operator.Unwatched
	after int
	end   context.CancelFunc
	begun int // steps of an earlier session
}

func (i *interrupted) Skip(steps int) { i.begun = steps }

func (i *interrupted) Advance(steps int) {
	i.after -= steps
	if i.after == 0 {
		i.end()
	}
}

// A descent that was interrupted goes on from its last state, and ends with the same bytes.
func TestInterruptedDescentsGoOn(t *testing.T) {
	pairs := methodtest.BurgersFronts(50, 32, 0.1, 3)
	o := operator.Options{Workers: 2, Seed: 1, Network: operator.Network{Width: 8, Modes: 4, Layers: 2}}
	whole := methodtest.Must(Method.Train(t.Context(), pairs, o))

	o.Checkpoints = &kept{map[string]int{}, map[string][]float64{}}
	ctx, end := context.WithCancel(t.Context())
	o.Watch = &interrupted{after: 17, end: end}
	if _, err := Method.Train(ctx, pairs, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	second := &interrupted{after: 1 << 20}
	o.Watch = second
	o.Workers = 1
	again := methodtest.Must(Method.Train(t.Context(), pairs, o))
	if second.begun != 14 {
		t.Errorf("the descent goes on after step %d, want 14", second.begun)
	}
	got := methodtest.Predict(t, again, pairs.Inputs)
	want := methodtest.Predict(t, whole, pairs.Inputs)
	if !slices.Equal(got.Data, want.Data) {
		t.Error("a descent that was interrupted ends elsewhere")
	}
}
