package check

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

func TestMeasuredSpeedIsCompleteAndPositive(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	told := 0
	r, err := Measure(t.Context(), 2, time.Millisecond, func(Measurement) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	if told != len(r.Measurements) || told < 8 {
		t.Errorf("%d measurements told, %d in the report", told, len(r.Measurements))
	}
	for _, m := range r.Measurements { // speed itself is not tested: it depends on the load
		positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 0) }
		if !positive(m.Value) || m.Unit == "" || m.Share != 0 && (!positive(m.Share) || m.Note == "") {
			t.Errorf("%+v", m)
		}
		if m.Group != "kernel" && m.Group != "stage" || m.Name == "" {
			t.Errorf("%+v is of no group, or has no name", m)
		}
	}
}

func TestMeasuringIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, 1, time.Minute, func(Measurement) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
