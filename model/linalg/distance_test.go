package linalg

import "testing"

func TestRelativeDistance(t *testing.T) {
	if got := RelativeDistance([]float64{3, 4.5}, []float64{3, 4}); got != 0.1 {
		t.Errorf("got %g, want 0.5/5", got)
	}
	if got := RelativeDistance([]float64{-2, 7}, []float64{-2, 7}); got != 0 {
		t.Errorf("equal vectors are %g apart", got)
	}
}
