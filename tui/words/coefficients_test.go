package words

import (
	"slices"
	"testing"
)

func TestCoefficientsAreSorted(t *testing.T) {
	table, figure := Coefficients([]float64{0.5, -3, 0, 1}, 4, 1e-3)
	if got := figure.Curves[0].Y; !slices.Equal(got, []float64{3, 1, 0.5, 0}) {
		t.Errorf("sizes %v", got)
	}
	for _, want := range [][]string{{"features m", "4"}, {"largest", "3"}, {"hold 50% of |alpha|^2", "1"},
		{"hold 90% of |alpha|^2", "2"}, {"median", "0.75"}} {
		if !slices.ContainsFunc(table.Rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("%v lacks %v", table.Rows, want)
		}
	}
}
