package pairs

import (
	"strings"
	"testing"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// An array of numbers for each axis, with steps of any sizes, makes points of all combinations, in whatever order axes are.
func TestCoordinatesAlongTwoAxesAreCombined(t *testing.T) {
	const n, width, height = 12, 9, 7
	place := func(length int) npy.Array {
		return filled(func(p []int) float64 { return float64(p[0]*p[0]) / 10 }, length)
	}
	across := filled(func(p []int) float64 { return float64(p[0]+p[1]*p[1]+10*p[2]) / 10 }, n, width, height)
	down := filled(func(p []int) float64 { return float64(p[0]+p[2]*p[2]+10*p[1]) / 10 }, n, height, width)
	last := filled(func(p []int) float64 { return float64(p[2]+p[0]*p[0]+10*p[1]) / 10 }, width, height, n)
	for name, test := range map[string]struct {
		values npy.Array
		x, y   string
		second float64 // x of the second point
	}{
		"y last":         {values: across, x: "x", y: "y", second: 0},
		"x last":         {values: down, x: "x", y: "y", second: 0.1},
		"pairs last":     {values: last, x: "lon", y: "lat", second: 0},
		"names of grids": {values: across, x: "x_grid", y: "y_grid", second: 0},
	} {
		path := saved(t, map[string]npy.Array{"a": test.values, "u": test.values, test.x: place(width), test.y: place(height)})
		f, err := exchange.Open(t.Context(), path)
		noError(t, err)
		g, ok := AtPoints(f, "", "", "", false)
		if !ok || g.Points != test.x+","+test.y || g.Regular != nil {
			t.Errorf("%s: points in %q, %v", name, g.Points, ok)
			continue
		}
		pairs, err := ReadPairs(t.Context(), Source{File: path, Input: g.Input, Output: g.Output, Points: g.Points}, n)
		noError(t, err)
		places := pairs.Inputs.Domain.Cloud.Outputs()
		if pairs.Count() != n || places.Count() != width*height || places.Corners != 3 || places.Place(1)[0] != test.second {
			t.Errorf("%s: %d pairs, %v, the second at %v", name, pairs.Count(), places, places.Place(1))
		}
	}
}

// Coordinates with equal steps are those of a grid. One uneven axis without the other makes no points: what is then advised
// names the axis of the array.
func TestUnevenAxesAreNamedOrRefused(t *testing.T) {
	const n, width, height = 12, 9, 7
	values := filled(func(p []int) float64 { return float64(p[0]+p[1]*p[1]+10*p[2]) / 10 }, n, width, height)
	even := filled(func(p []int) float64 { return float64(p[0]) }, width)
	other := filled(func(p []int) float64 { return 2 * float64(p[0]) }, height)
	uneven := filled(func(p []int) float64 { return -float64(p[0] * p[0]) }, width)
	tooMany := filled(func(p []int) float64 { return float64(p[0]+p[1]*p[1]) + float64(p[2]) }, n, width, 17)
	for name, arrays := range map[string]map[string]npy.Array{
		"a grid":     {"a": values, "u": values, "x": even, "y": other},
		"one uneven": {"a": tooMany, "u": tooMany, "x": uneven},
	} {
		f, err := exchange.Open(t.Context(), saved(t, arrays))
		noError(t, err)
		if g, ok := AtPoints(f, "", "", "", false); ok {
			t.Errorf("%s: points in %q", name, g.Points)
		}
	}
	path := saved(t, map[string]npy.Array{"a": tooMany, "u": tooMany, "x": uneven})
	opened, err := exchange.Open(t.Context(), path)
	noError(t, err)
	f, err := Find(Source{File: path, Open: opened, Input: "a", Output: "u", Domain: grid.Domain{Dims: 2}})
	noError(t, err)
	_, _, err = Coordinates(f)
	if err == nil || !strings.Contains(err.Error(), "x = -x") || !strings.Contains(err.Error(), "numpy.interp(grid, x, f), 1, a)") {
		t.Errorf("one uneven axis: %v", err)
	}
}

// Tags that Gmsh keeps of nodes, (points, 2), are no functions.
func TestTagsOfNodesAreNoFunctions(t *testing.T) {
	const n, count = 12, 30
	values := filled(func(p []int) float64 { return float64((p[0]*7+p[1]*p[1])%23) - 11 }, n, count)
	tags := filled(func(p []int) float64 { return float64(p[0] * p[1]) }, count, 2)
	places := filled(func(p []int) float64 { return float64((p[0]*(5+p[1]*6))%31) / 31 }, count, 2)
	f, err := exchange.Open(t.Context(), saved(t, map[string]npy.Array{"source": values, "temperature": values, "gmsh:dim_tags": tags,
		"points": places}))
	noError(t, err)
	g, ok := AtPoints(f, "", "", "", false)
	if !ok || g.Points != "points" || strings.Contains(g.Input+g.Output, "gmsh") {
		t.Errorf("points %q, inputs %q, outputs %q", g.Points, g.Input, g.Output)
	}
}
