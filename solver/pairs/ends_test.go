package pairs

import (
	"slices"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/npy"
)

// Coordinates on any interval tell whether points count its ends or are the centres of cells.
func TestPlaceOfPoints(t *testing.T) {
	spaced := func(first, step float64) (x []float64) {
		for i := range 16 {
			x = append(x, first+float64(i)*step)
		}
		return x
	}
	for what, test := range map[string]struct {
		x    []float64
		want string
	}{
		"of [0, 1]":           {spaced(0, 1./15), config.Included},
		"of [0, 5]":           {spaced(0, 5./15), config.Included},
		"of [-1, 1]":          {spaced(-1, 2./15), config.Included},
		"of [1, 0]":           {spaced(1, -1./15), config.Included},
		"of [0, pi]":          {spaced(0, 3.14159265/15), config.Included},
		"centres of [0, 1]":   {spaced(1./32, 1./16), config.Centres},
		"centres of [-1, 1]":  {spaced(-1+1./16, 2./16), config.Centres},
		"centres of [0, 2.5]": {spaced(2.5/32, 2.5/16), config.Centres},
		"of no round numbers": {spaced(0.12345, 0.0678), ""},
	} {
		if got := placeOfPoints(test.x); got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}

// Coordinates of a mesh are those along one of its axes.
func TestCoordinatesOfAMesh(t *testing.T) {
	const rows = 3
	const columns = 4
	var data []float64
	for range rows {
		data = append(data, 0, 0.5, 1, 1.5)
	}
	m := npy.Named{Name: "X", Array: npy.Array{Shape: npy.Shape{rows, columns}, Data: data}}.Member()
	axis, along := meshSteps(m)
	if axis != 1 || !slices.Equal(along, []float64{0, 0.5, 1, 1.5}) {
		t.Errorf("axis %d: %v", axis, along)
	}
}
