package engine

import (
	"slices"
	"testing"
	"time"

	"rfm/model/run/store"
)

// The last state is found again, earlier ones go, and not every state is written.
func TestCheckpointsKeepTheLastState(t *testing.T) {
	c := &checkpoints{units: store.Units{Path: t.TempDir(), Key: "test"}}
	state := func(values ...float64) func() []float64 { return func() []float64 { return values } }
	noError(t, c.Keep("network", 20, false, state(1, 2, 3)))
	noError(t, c.Keep("network", 300, false, state(4, 5, 6)))
	noError(t, c.Keep("network-held", 7, false, state(9)))
	c.pause = time.Hour
	noError(t, c.Keep("network", 400, false, state(7, 8, 9))) // too early
	steps, values, err := c.Latest(t.Context(), "network")
	if err != nil || steps != 300 || !slices.Equal(values, []float64{4, 5, 6}) {
		t.Errorf("%d steps, %v, %v", steps, values, err)
	}
	noError(t, c.Keep("network", 500, true, state(1, 1, 1)))
	if steps, _, err := c.Latest(t.Context(), "network"); err != nil || steps != 500 {
		t.Errorf("the last state is that after %d steps, %v", steps, err)
	}
	noError(t, c.Keep("other", 500, true, state(1))) // none was written before
	if steps, _, err := c.Latest(t.Context(), "other"); err != nil || steps != 0 {
		t.Errorf("a short descent is kept after %d steps, %v", steps, err)
	}
	list, err := c.units.List()
	if err != nil || len(list) != 2 {
		t.Errorf("%d files, %v", len(list), err)
	}
}
