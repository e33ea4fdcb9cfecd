//go:build unix

package engine

import (
	"syscall"
	"testing"

	"rfm/config"
	"rfm/model/machine"
)

// processorSeconds returns the processor time of this process, which does not depend on other programs.
func processorSeconds(t *testing.T) float64 {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Estimates are in seconds of an idle processor: rates are measured in calls too short to be interrupted.
func TestEstimateIsOfTheRightOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector slows Go code, but not the kernels that were timed")
	}
	const order = 10
	for name, c := range map[string]config.Config{
		"burgers": tiny(t, "data.train=128", "features.count=256", "data.test=512", "train.grid=129"),
		"darcy":   tinyDarcy(t, "data.train=64", "data.test=64", "features.count=128", "data.grid=129", "train.grid=33"),
	} {
		estimate := machine.MeasureRates().Estimate(c, 1)
		e, err := New(t.Context(), c, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, stage := range []struct {
			reach    Stage
			estimate float64
		}{{Generating, estimate.Generate}, {Training, estimate.Train}, {Evaluating, estimate.Evaluate}} {
			begin := processorSeconds(t)
			if err := e.Reach(t.Context(), stage.reach); err != nil {
				t.Fatal(err)
			}
			took := processorSeconds(t) - begin
			if t.Logf("%s, %s: %.3g s, estimate %.3g s", name, stage.reach, took, stage.estimate); took < stage.estimate/order ||
				took > stage.estimate*order {
				t.Errorf("%s, %s takes %.3g s of a core, the estimate is %.3g s", name, stage.reach, took, stage.estimate)
			}
		}
	}
}
