package engine

import (
	"testing"

	"rfm/config"
	"rfm/model/machine"
)

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
		noError(t, err)
		for _, stage := range []struct {
			reach    Stage
			estimate float64
		}{{Generating, estimate.Generate}, {Training, estimate.Train}, {Evaluating, estimate.Evaluate}} {
			begin := machine.ProcessorTime()
			noError(t, e.Reach(t.Context(), stage.reach))
			took := (machine.ProcessorTime() - begin).Seconds()
			if t.Logf("%s, %s: %.3g s, estimate %.3g s", name, stage.reach, took, stage.estimate); took < stage.estimate/order ||
				took > stage.estimate*order {
				t.Errorf("%s, %s takes %.3g s of a core, the estimate is %.3g s", name, stage.reach, took, stage.estimate)
			}
		}
	}
}
