package feature

import (
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// On equispaced points of an interval, in any order, the features are those of the interval, whose waves are cosines.
func TestFeaturesAtEquispacedPointsAreThoseOfTheInterval(t *testing.T) {
	const K, m = 129, 5
	var at []float64
	order := make([]int, K) // the place on the interval of each point
	for i := range K {
		order[i] = i * 7 % K
		at = append(at, 3*float64(order[i])/(K-1))
	}
	places, _ := points.Weigh(1, at, K, 0, nil)
	c, err := config.PresetByName(config.Points)
	if err != nil {
		t.Fatal(err)
	}
	law := Law{Features: c.Features, Seed: c.Seed}
	drawn, err := Scattered(t.Context(), law, points.New(nil, places), m, 2)
	if err != nil {
		t.Fatal(err)
	}
	input := grid.NewBatch(drawn.Domain(), K, 1)
	ordered := grid.NewBatch(grid.Interval, K, 1)
	random := draw.Stream(1, draw.InputTrain, 0)
	for i := range K {
		input.Data[i] = random.NormFloat64()
		ordered.Data[order[i]] = input.Data[i]
	}
	calibrated, err := drawn.Calibrate(t.Context(), input, 1)
	if err != nil {
		t.Fatal(err)
	}
	scattered := calibrated.(Spectral)
	line := scattered
	line.laplacian = laplacian{}
	line.Theta = grid.NewBatch(grid.Interval, K, scattered.Theta.Count)
	for j := range line.Theta.Count {
		for i := range K {
			line.Theta.At(j)[order[i]] = scattered.Theta.At(j)[i]
		}
	}
	again, err := line.Calibrate(t.Context(), ordered, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := again.(Spectral).Gain; math.Abs(got-scattered.Gain) > 1e-9*got {
		t.Errorf("the gain is %g at points, %g on the interval", scattered.Gain, got)
	}
	for j := range m {
		got, err := scattered.Look(t.Context(), j, input)
		if err != nil {
			t.Fatal(err)
		}
		want, err := line.Look(t.Context(), j, ordered)
		if err != nil {
			t.Fatal(err)
		}
		for i := range K {
			if math.Abs(got.Values[i]-want.Values[order[i]]) > 1e-10 {
				t.Fatalf("feature %d at point %d is %g, want %g", j, i, got.Values[i], want.Values[order[i]])
			}
		}
	}
}

func TestFeaturesNeedCommonPlaces(t *testing.T) {
	own := points.Equal(0, nil, 3)
	for _, cloud := range []points.Cloud{points.New(nil, own), points.New(&own, points.Equal(1, []float64{0, 1}, 2))} {
		c, _ := config.PresetByName(config.Points)
		if m, err := Scattered(t.Context(), Law{Features: c.Features, Seed: c.Seed}, cloud, 4, 1); m != nil || err != nil || cloud.Why() == "" {
			t.Errorf("%s: got %v, %v, why %q", cloud, m, err, cloud.Why())
		}
	}
}
