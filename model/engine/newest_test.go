package engine

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// The newest pair of a run is read from its units while they are made, and the first one from the whole file.
func TestNewestPairOfARunIsRead(t *testing.T) {
	e := stored(t, tiny(t, "evaluation.baselines=no"), 1)
	s, err := Newest(t.Context(), e.Directory())
	train, _ := e.Pairs()
	if err != nil || s == nil || !slices.Equal(s.Input, train.Inputs.Of(0, 0)) ||
		!slices.Equal(s.Truth, train.Outputs.Of(0, 0)) {
		t.Errorf("%+v, %v", s, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Newest(ctx, e.Directory()); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Newest(t.Context(), t.TempDir()); err == nil {
		t.Error("a directory without a run has a pair")
	}
}
