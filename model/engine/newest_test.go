package engine

import (
	"slices"
	"testing"
)

// The newest pair of a run is read from its units while they are made, and the first one from the whole file.
func TestNewestPairOfARunIsRead(t *testing.T) {
	e := stored(t, tiny(t, "evaluation.baselines=no"), 1)
	s := Newest(t.Context(), e.Directory())
	if s == nil || !slices.Equal(s.Input, e.train.Inputs.Of(0, 0)) || !slices.Equal(s.Truth, e.train.Outputs.Of(0, 0)) {
		t.Errorf("%+v", s)
	}
	if Newest(t.Context(), t.TempDir()) != nil {
		t.Error("a directory without a run has a pair")
	}
}
