package draw

import (
	"math"
	"testing"
)

// Stored runs are repeatable only if the streams never change; these are the first numbers of one.
func TestStreamIsFixedForever(t *testing.T) {
	r := Stream(1, InputTrain, 0)
	for i, want := range firstNormals {
		if got := r.NormFloat64(); got != want {
			t.Errorf("number %d is %v, was %v", i, got, want)
		}
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[float64]string{}
	for _, s := range []struct {
		name  string
		first float64
	}{
		{"seed 1", Stream(1, InputTrain, 0).Float64()},
		{"seed 2", Stream(2, InputTrain, 0).Float64()},
		{"index 1", Stream(1, InputTrain, 1).Float64()},
		{"test", Stream(1, InputTest, 0).Float64()},
		{"theta", Stream(1, Theta, 0).Float64()},
	} {
		if other, ok := seen[s.first]; ok {
			t.Errorf("%s and %s are the same stream", s.name, other)
		}
		seen[s.first] = s.name
	}
}

// First numbers of neighbouring streams must look like independent normals: mean 0, variance 1, no correlation.
func TestNeighbouringStreamsAreIndependent(t *testing.T) {
	const count = 20000
	var sum, squares, lag, before float64
	for i := range count {
		x := Stream(7, Theta, i).NormFloat64()
		sum += x
		squares += x * x
		lag += x * before
		before = x
	}
	sigma := math.Sqrt(count)
	if math.Abs(sum) > 4*sigma || math.Abs(squares-count) > 4*math.Sqrt2*sigma || math.Abs(lag) > 4*sigma {
		t.Errorf("sum %g, sum of squares %g, lag-1 products %g of %d numbers", sum, squares, lag, count)
	}
}

var firstNormals = []float64{-0.24034266325388742, -0.04026161736285318, -0.46089203537843904, 0.25951299216328694}
