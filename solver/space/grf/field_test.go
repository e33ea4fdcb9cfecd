package grf

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

var vorticity = Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus2}

// The sum has every mode exactly once, except for the constant, Nyquist modes and opposites.
func TestFieldHasHalfOfAllModes(t *testing.T) {
	for r, want := range map[int]int{4: 4, 5: 4, 6: 12, 17: (15*15 - 1) / 2, 18: (17*17 - 1) / 2} {
		s := newPeriodicSampler(vorticity, r)
		seen := map[int]bool{}
		for _, mode := range s.modes {
			seen[mode.plus], seen[mode.minus] = true, true
		}
		if len(s.modes) != want || len(seen) != 2*want {
			t.Errorf("r=%d: %d modes at %d positions, want %d", r, len(s.modes), len(seen), want)
		}
	}
}

func TestFieldIsTheKarhunenLoeveSeries(t *testing.T) {
	for _, r := range []int{9, 12} {
		const first, rows = 3, 6
		b := grid.NewBatch(grid.Torus2, r, rows)
		newPeriodicSampler(vorticity, r).Draw(b, 5, draw.InputTest, first)
		for i := range rows {
			stream, want := draw.Stream(5, draw.InputTest, first+i), make([]float64, r*r)
			add := func(k1, k2 int) {
				c, s := stream.NormFloat64(), stream.NormFloat64()
				square := 4*math.Pi*math.Pi*float64(k1*k1+k2*k2) + 49
				a := math.Sqrt(2 * math.Pow(7, 3) * math.Pow(square, -2.5))
				for x := range want {
					phase := 2 * math.Pi * float64(k1*(x/r)+k2*(x%r)) / float64(r-1)
					want[x] += a * (c*math.Cos(phase) + s*math.Sin(phase))
				}
			}
			for shell := 1; 2*shell < r-1; shell++ {
				add(0, shell)
				for k1 := 1; k1 < shell; k1++ {
					add(k1, shell)
					add(k1, -shell)
				}
				for k2 := -shell; k2 <= shell; k2++ {
					add(shell, k2)
				}
			}
			if e := math.Sqrt(grid.Torus2.Distance2(b.At(i), want) / grid.Torus2.Inner(want, want)); e > 1e-14 {
				t.Errorf("r=%d, function %d: relative difference %.2g", r, i, e)
			}
		}
	}
}

// On a finer grid a draw has more modes but is otherwise the same function; its mean stays zero.
func TestFinerFieldsAddModesOnly(t *testing.T) {
	coarse, fine := grid.NewBatch(grid.Torus2, 65, 1), grid.NewBatch(grid.Torus2, 257, 1)
	m := Measure{Tau: 7, Alpha: 4, Space: grid.Torus2}
	newPeriodicSampler(m, 65).Draw(coarse, 1, draw.InputTrain, 4)
	newPeriodicSampler(m, 257).Draw(fine, 1, draw.InputTrain, 4)
	r, err := fine.Restrict(65)
	noError(t, err)
	if e := math.Sqrt(grid.Torus2.Distance2(r.Data, coarse.Data) / grid.Torus2.Inner(coarse.Data, coarse.Data)); e > 1e-3 {
		t.Errorf("relative difference %.2g", e)
	}
	sum := 0.0
	for x, w := range grid.Torus2.Weights(257) {
		sum += w * fine.Data[x]
	}
	if math.Abs(sum) > 1e-15 {
		t.Errorf("mean %.2g", sum)
	}
}
