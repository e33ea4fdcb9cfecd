package score

import "testing"

func TestQuantilesAreLinearBetweenOrderStatistics(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		q, want float64
	}{
		{[]float64{3, 1, 2}, 0.25, 1.5},
		{[]float64{5}, 0.5, 5},
		{[]float64{1, 3}, 0.5, 2},
		{[]float64{9, 1, 2}, 0.5, 2},
		{[]float64{4, 1, 2}, 0, 1},
		{[]float64{4, 1, 2}, 1, 4},
		{[]float64{-1e308, 1e308}, 0.5, 0},
	} {
		if got := Quantile(c.values, c.q); got != c.want {
			t.Errorf("Quantile(%v, %g) = %g, want %g", c.values, c.q, got, c.want)
		}
	}
	values := []float64{3, 1, 2}
	if Quantile(values, 0.5); values[0] != 3 {
		t.Errorf("the values are in another order now: %v", values)
	}
}
