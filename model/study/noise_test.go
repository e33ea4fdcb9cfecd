package study

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/grid"
)

// Every method has its numbers, noise makes none of them better by much, and features with a chosen lambda keep most of
// it out: their error stays below the noise.
func TestNoiseStudy(t *testing.T) {
	s := tinySession(2)
	for _, problem := range []string{config.Burgers, config.Darcy} {
		r, err := noiseOf(problem)(t.Context(), s)
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
