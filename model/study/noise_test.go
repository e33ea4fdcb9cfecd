package study

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// Every method has its numbers, noise makes none of them better by much, and features with a chosen lambda keep most of
// it out: their error stays below the noise.
func TestNoiseStudy(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	s := tinySession(2)
	for _, problem := range []string{config.Burgers, config.Darcy} {
		r, err := inLab(noiseStudy)(t.Context(), s, problem)
		if err != nil {
			t.Fatal(err)
		}
		table := r.Tables[0]
		if len(table.Rows) < 3 || len(r.Cells) != len(table.Rows)*(len(table.Header)-1) {
			t.Fatalf("%s: %d methods, %d numbers", problem, len(table.Rows), len(r.Cells))
		}
		errors := map[string]float64{}
		for _, c := range r.Cells {
			if errors[c.Where] = c.Ours; !(c.Ours > 0) || math.IsInf(c.Ours, 0) {
				t.Errorf("%s: %s has the error %g", problem, c.Where, c.Ours)
			}
		}
		for where, e := range errors {
			if name, noise, _ := strings.Cut(where, ", "); noise == "noise 0.2" && e < 0.9*errors[name+", noise 0"] {
				t.Errorf("%s: %s has the error %g with noise and %g without", problem, name, e, errors[name+", noise 0"])
			}
		}
	}
}

func TestNoiseHasItsSize(t *testing.T) {
	l := tinyLab(t, config.Burgers)
	pairs, err := l.pairs(t.Context(), 17)(0, l.n)
	if err != nil {
		t.Fatal(err)
	}
	changed := noisy(pairs, 0.05, 1)
	sum := 0.0
	for i := range pairs.Count() {
		u := pairs.Outputs.At(i)
		d := grid.Torus.Distance2(u, changed.Outputs.At(i)) / grid.Torus.Inner(u, u)
		sum += d / float64(pairs.Count())
		if v := changed.Outputs.At(i); v[0] != v[len(v)-1] {
			t.Fatal("noisy functions are not periodic")
		}
	}
	if math.Abs(math.Sqrt(sum)/0.05-1) > 0.1 {
		t.Errorf("relative noise %g, want 0.05", math.Sqrt(sum))
	}
}

// Wider promises are kept more often, and inputs that are larger than those of training have larger leverages.
func TestPosteriorStudy(t *testing.T) {
	r, err := inLab(posteriorStudy)(t.Context(), tinySession(2), config.Burgers)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cells) != 12 || len(r.Tables[0].Rows) != 4 {
		t.Fatalf("%+v", r)
	}
	for i, c := range r.Cells {
		if !(c.Ours >= 0 && c.Ours <= 1) || i%3 > 0 && c.Ours < r.Cells[i-1].Ours {
			t.Errorf("%s: %g", c.Where, c.Ours)
		}
	}
}

func TestSharesInBandsOfNormalErrors(t *testing.T) {
	u := grid.NewBatch(grid.Torus, 4001, 1)
	p, leverages, random := u.Like(1), [][]float64{make([]float64, 4000)}, draw.Stream(1, "test", 0)
	for x := range u.Data {
		u.Data[x] = 3 * random.NormFloat64()
	}
	for x := range leverages[0] {
		leverages[0][x] = 1.25
	}
	for _, level := range []float64{0.5, 0.9, 0.99} {
		share := inBand(p, u, leverages, level, func(float64) float64 { return 2 })
		if math.Abs(share-level) > 0.02 {
			t.Errorf("%g of the points, want %g", share, level)
		}
	}
}
