package check

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"rfm/solver/base/fault"
)

func TestThisBuildIsSound(t *testing.T) {
	for name, suite := range map[string]Suite{"soundness": Soundness(), "orders": Orders(), "speed": Speed()} {
		if testing.Short() && name != "soundness" {
			continue
		}
		r, err := Run(t.Context(), suite, 2, func(Finding) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if !f.Passed {
				t.Errorf("%s: %s: %s", name, f.Name, f.Found)
			}
			if speed := regexp.MustCompile(`^[1-9][0-9.e+]* |^0\.[0-9]+ `); name == "speed" && !speed.MatchString(f.Found) {
				t.Errorf("%s: %s", f.Name, f.Found)
			}
		}
		if !r.Passed || len(r.Findings) != len(suite) {
			t.Errorf("%s: passed %v with %d findings of %d tests", name, r.Passed, len(r.Findings), len(suite))
		}
		if r.Cores < 1 || r.Workers != 2 || r.SIMD == "" || r.Memory < 0 {
			t.Errorf("the machine has %d cores and %g bytes, %d workers, %q", r.Cores, r.Memory, r.Workers, r.SIMD)
		}
	}
}

func TestTooLittleMemoryIsNotAWrongResult(t *testing.T) {
	want := &fault.Data{Where: "memory"}
	large := test{"large", func(context.Context, int) (string, bool, error) { return "", false, want }}
	_, err := Run(t.Context(), Suite{large}, 1, func(f Finding) { t.Errorf("told %v", f) })
	if !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
}

func TestCancelledCheckStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, suite := range []Suite{Soundness(), Speed()} {
		if _, err := Run(ctx, suite, 1, func(Finding) {}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}
