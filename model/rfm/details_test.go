package rfm

import (
	"math"
	"testing"

	"rfm/solver/grid"
)

// wave returns amplitude cos(w k x) + the constant, w half a turn on closed domains.
func wave(d grid.Domain, points int, amplitude float64, k int, constant float64) grid.Batch {
	b := grid.NewBatch(d, points, 1)
	_, columns := d.Axes(points)
	half, turn := 0.0, math.Pi
	if d.Cells {
		half = 0.5
	}
	if d.Periodic {
		turn = 2 * math.Pi
	}
	for x := range b.Data {
		at := (float64(x%columns) + half) / float64(d.Intervals(columns))
		b.Data[x] = constant + amplitude*math.Cos(turn*float64(k)*at)
	}
	return b
}

func named(errors []float64) map[string]float64 {
	all := map[string]float64{}
	for i, name := range DetailNames() {
		all[name] = errors[i]
	}
	return all
}

func TestDetailsOfSingleWaves(t *testing.T) {
	for _, d := range grid.Domains() {
		points := 129 - (d.Intervals(3) - 2) // 128 intervals or cells
		if d.Dims == 2 {
			points = 65 - (d.Intervals(3) - 2)
		}
		u := wave(d, points, 0, 0, 2)
		turn := math.Pi
		if d.Periodic {
			turn = 2 * math.Pi
		}
		for k, part := range map[int]string{2: "low", 7: "middle", 20: "high"} {
			e := wave(d, points, 0.1, k, 0)
			v := named(MeasureDetails(u.Plus(1, e.Data), u)[0])
			near := func(what string, got, want, tolerance float64) {
				if math.Abs(got-want) > tolerance*want+1e-12 {
					t.Errorf("%s, wave %d: %s is %g, want %g", d.Name(), k, what, got, want)
				}
			}
			size := 0.1 / math.Sqrt2 / 2
			near("L2", v["l2"], size, 1e-12)
			near("its part", v[part], size, 1e-12)
			near("all parts", math.Hypot(math.Hypot(v["low"], v["middle"]), v["high"]), size, 1e-12)
			near("maximum", v["maximum"], 0.05, 0.02)
			near("mean", v["mean"], 0, 0)
			near("energy", v["energy"], size*size, 1e-9)
			near("H1", v["h1"], size*math.Sqrt(1+math.Pow(turn*float64(k), 2)), 0.2)
			if (v["boundary"] == 0) != d.Periodic {
				t.Errorf("%s: boundary %g", d.Name(), v["boundary"])
			}
		}
		shifted := named(MeasureDetails(u.Plus(0.5, wave(d, points, 0, 0, 1).Data), u)[0])
		if math.Abs(shifted["mean"]-0.25) > 1e-12 || math.Abs(shifted["h1"]-0.25) > 1e-12 {
			t.Errorf("%s, another constant: %+v", d.Name(), shifted)
		}
	}
}

// Two equal channels have the errors of one channel.
func TestDetailsOfSeveralChannels(t *testing.T) {
	for _, d := range grid.Domains() {
		points := 13 - (d.Intervals(3) - 2)
		u, e := wave(d, points, 1, 1, 2), wave(d, points, 0.1, 3, 0.01)
		twice := func(b grid.Batch) grid.Batch {
			return grid.BatchOf(d.With(2), points, append(append([]float64(nil), b.Data...), b.Data...))
		}
		p := u.Plus(1, e.Data)
		one, two := MeasureDetails(p, u)[0], MeasureDetails(twice(p), twice(u))[0]
		for i, v := range two {
			if math.Abs(v-one[i]) > 1e-12 {
				t.Errorf("%s: %s is %g of two channels, %g of one", d.Name(), DetailNames()[i], v, one[i])
			}
		}
	}
}
