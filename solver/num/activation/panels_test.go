// The sums over panels against direct formulas.

package activation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sumTolerance bounds the rounding of a sum, relative to the sum of the moduli.
const sumTolerance = 1e-14

var rowCounts = []int{0, 1, 2, 3, 4, 5, 7, 15, 16, 17, 65, 255, 256, 257, 513, 1025}

func normal(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func TestDotIsTheWeightedSumOfRows(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		for _, rows := range rowCounts {
			panel, y, acc := normal(4*rows, 1), normal(rows, 2), []float64{1, 2, 3, 4}
			want, size := slices.Clone(acc), slices.Clone(acc)
			for r, w := range y {
				for l := range 4 {
					want[l] += w * panel[4*r+l]
					size[l] += math.Abs(w * panel[4*r+l])
				}
			}
			f.Dot(panel, y, acc)
			for l := range acc {
				if !(math.Abs(acc[l]-want[l]) <= sumTolerance*size[l]) {
					t.Errorf("%d rows: lane %d sums to %v, want %v", rows, l, acc[l], want[l])
				}
			}
		}
	})
}

func TestAccumulateIsTheWeightedSum(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		for _, rows := range rowCounts {
			p0, p1, out, alpha := normal(4*rows, 1), normal(4*rows, 2), normal(4*rows, 3), normal(8, 4)
			f0, f1, want := slices.Clone(p0), slices.Clone(p1), slices.Clone(out)
			f.Apply(f0)
			f.Apply(f1)
			for i := range want {
				want[i] += alpha[i%4]*f0[i] + alpha[4+i%4]*f1[i]
			}
			f.Accumulate(out, p0, p1, alpha)
			for i := range out {
				if size := 1 + math.Abs(want[i]); !(math.Abs(out[i]-want[i]) <= sumTolerance*size) {
					t.Fatalf("%d rows: entry %d is %v, want %v", rows, i, out[i], want[i])
				}
			}
		}
	})
}

func TestAccumulateWideIsTheWeightedSum(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		for _, rows := range rowCounts {
			block := normal(16*rows, 1)
			out := normal(8*rows, 3)
			weights := normal(16, 4)
			applied := slices.Clone(block)
			f.Apply(applied)
			want := slices.Clone(out)
			for i := range want {
				row := applied[16*(i/8):]
				want[i] += weights[i%8]*row[i%8] + weights[8+i%8]*row[8+i%8]
			}
			added := slices.Clone(out)
			f.AddWide(added, applied, weights)
			f.AccumulateWide(out, block, weights)
			for i := range out {
				size := 1 + math.Abs(want[i])
				if !(math.Abs(out[i]-want[i]) <= sumTolerance*size) {
					t.Fatalf("%d rows: entry %d is %v, want %v", rows, i, out[i], want[i])
				}
				if out[i] != added[i] {
					t.Fatalf("%d rows: entry %d is %v, and %v of values that are stored first", rows, i, out[i], added[i])
				}
			}
		}
	})
}

func TestSplitWideAppliesWritesAndSums(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		for _, rows := range rowCounts {
			block := normal(16*rows, 1)
			y := normal(rows, 2)
			applied := slices.Clone(block)
			f.Apply(applied)
			sums := [16]float64(normal(16, 3))
			want := sums
			var size [16]float64
			var panels [4][]float64
			for i := range panels {
				panels[i] = make([]float64, 4*rows)
			}
			f.SplitWide(panels, block, y, &sums)
			for r := range rows {
				for l := range 16 {
					value := applied[16*r+l]
					want[l] += y[r] * value
					size[l] += math.Abs(y[r] * value)
					panel := panels[l/8+l/4%2*2]
					if got := panel[4*r+l%4]; got != value {
						t.Fatalf("%d rows: lane %d of row %d is %v, want %v", rows, l, r, got, value)
					}
				}
			}
			for l, got := range sums {
				if !(math.Abs(got-want[l]) <= sumTolerance*(1+size[l])) {
					t.Errorf("%d rows: lane %d sums to %v, want %v", rows, l, got, want[l])
				}
			}
		}
	})
}

func TestMismatchedLengthsPanic(t *testing.T) {
	f, _ := ByName("elu")
	four, eight := make([]float64, 4), make([]float64, 8)
	for name, call := range map[string]func(){
		"Dot with too many rows":           func() { f.Dot(eight, four, four) },
		"Dot with too many sums":           func() { f.Dot(eight, eight[:2], eight) },
		"Accumulate of unequal panels":     func() { f.Accumulate(eight, eight, four, eight) },
		"Accumulate with too few weights":  func() { f.Accumulate(eight, eight, eight, four) },
		"AccumulateWide of too few values": func() { f.AccumulateWide(eight, eight, make([]float64, 16)) },
		"SplitWide into short panels": func() {
			f.SplitWide([4][]float64{four, four, four, four}, make([]float64, 32), four[:2], new([16]float64))
		},
		"AddWide with too few weights": func() { f.AddWide(eight, make([]float64, 16), eight) },
		"Accumulate of half a row":     func() { f.Accumulate(eight[:6], eight[:6], eight[:6], eight) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}

func TestNothingIsAllocated(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		const rows = 301
		p0, p1, out, y, acc, alpha := normal(4*rows, 1), normal(4*rows, 2), normal(4*rows, 3), normal(rows, 4),
			make([]float64, 4), normal(8, 5)
		allocations := testing.AllocsPerRun(5, func() {
			f.Dot(p0, y, acc)
			f.Accumulate(out, p0, p1, alpha)
		})
		if allocations != 0 {
			t.Errorf("%v allocations", allocations)
		}
	})
}
