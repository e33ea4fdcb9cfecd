package check

import (
	"context"
	"errors"
	"testing"

	"rfm/solver/fault"
)

func TestThisBuildIsSound(t *testing.T) {
	r, err := Run(t.Context(), 2, func(Finding) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if !f.Passed {
			t.Errorf("%s: %s", f.Name, f.Found)
		}
	}
	if !r.Passed || len(r.Findings) != len(tests) {
		t.Errorf("passed %v with %d findings of %d tests", r.Passed, len(r.Findings), len(tests))
	}
	if r.Cores < 1 || r.Workers != 2 || r.SIMD == "" || r.Memory < 0 {
		t.Errorf("the machine has %d cores and %g bytes, %d workers, %q", r.Cores, r.Memory, r.Workers, r.SIMD)
	}
}

func TestTooLittleMemoryIsNotAWrongResult(t *testing.T) {
	want := &fault.Data{Where: "memory"}
	large := test{"large", func(context.Context, int) (string, bool, error) { return "", false, want }}
	_, err := run(t.Context(), []test{large}, 1, func(f Finding) { t.Errorf("told %v", f) })
	if !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledCheckStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, 1, func(Finding) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
