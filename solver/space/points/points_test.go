package points

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// plane returns points in the unit square, count x 2.
func plane(count int) []float64 {
	r := rand.New(rand.NewPCG(1, 2))
	at := make([]float64, 2*count)
	for i := range at {
		at[i] = r.Float64()
	}
	return at
}

func TestWeightsIntegrateLinearFunctionsAsTheTrianglesDo(t *testing.T) {
	p, how := Weigh(2, plane(500), 500, 0, nil)
	if how != "weights of a triangulation" {
		t.Fatalf("got %s", how)
	}
	sum, moment := 0.0, 0.0
	for i, w := range p.Weights {
		sum += w
		moment += w * p.Place(i)[0]
	}
	if math.Abs(sum-1) > 1e-12 || math.Abs(moment-0.5) > 0.02 {
		t.Errorf("weights have the sum %g and the mean %g of x, want 1 and about 0.5", sum, moment)
	}
}

// Euler: n points of which h are on the hull have 2n - 2 - h triangles; no circle through the corners of one contains
// another point.
func TestTriangulationIsDelaunay(t *testing.T) {
	at := plane(200)
	triangulated, original := newTriangulation(at)
	for i := range original {
		triangulated.insert(i)
	}
	inner := len(triangulated.at) - 3
	area := 0.0
	for _, f := range triangulated.triangles {
		if f.gone || max(f.corners[0], f.corners[1], f.corners[2]) >= inner {
			continue
		}
		a, b, c := triangulated.at[f.corners[0]], triangulated.at[f.corners[1]], triangulated.at[f.corners[2]]
		if side(a, b, c) <= 0 {
			t.Fatalf("triangle %v is not counterclockwise", f.corners)
		}
		area += side(a, b, c) / 2
		for i := range inner {
			if i != f.corners[0] && i != f.corners[1] && i != f.corners[2] && triangulated.inCircle(f, triangulated.at[i]) {
				t.Fatalf("the circle of %v contains point %d", f.corners, i)
			}
		}
	}
	if area < 0.9 || area > 1.001 {
		t.Errorf("triangles cover %g of the square", area)
	}
}

func TestTrianglesLeaveHolesOpen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var at []float64
	for len(at) < 2*1500 {
		x, y := r.Float64(), r.Float64()
		if math.Hypot(x-0.5, y-0.5) > 0.25 {
			at = append(at, x, y)
		}
	}
	p, _ := Weigh(2, at, len(at)/2, 0, nil)
	area := 0.0
	for c := 0; c < len(p.Cells); c += 3 {
		area += p.size(p.Cells[c : c+3])
	}
	want := 1 - math.Pi*0.25*0.25
	if math.Abs(area-want) > 0.05 {
		t.Errorf("triangles cover %.3f, want about %.3f: the square without its hole", area, want)
	}
}

// In a mesh from a hole to a square some points at the hole have most of their Delaunay edges across it.
func TestTrianglesLeaveTheHoleOfAMappedMeshOpen(t *testing.T) {
	const turns, rings, radius = 42, 16, 0.3
	var at []float64
	for ring := range rings {
		part := math.Pow(float64(ring)/(rings-1), 1.3)
		for turn := range turns {
			sin, cos := math.Sincos(2 * math.Pi * float64(turn) / turns)
			outer := 0.5 / max(math.Abs(sin), math.Abs(cos))
			r := radius + part*(outer-radius)
			at = append(at, r*cos, r*sin)
		}
	}
	p, _ := Weigh(2, at, turns*rings, 0, nil)
	for cell := range slices.Chunk(p.Cells, 3) {
		x, y := 0.0, 0.0
		for _, point := range cell {
			x += p.Place(point)[0] / 3
			y += p.Place(point)[1] / 3
		}
		if math.Hypot(x, y) < 0.9*radius {
			t.Fatalf("a triangle with its centre at (%.2f, %.2f) lies over the hole", x, y)
		}
	}
}

// Seen from the end of the third axis, the upper faces of a tetrahedron hide the others, whichever corner comes last.
func TestUpperFacesOfTetrahedraAreSeen(t *testing.T) {
	at := []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 1}
	p := Equal(3, at, 4)
	p.Corners = 4
	for last := range 4 {
		p.Cells = []int{0, 1, 2, 3}
		p.Cells[last], p.Cells[3] = p.Cells[3], p.Cells[last]
		r := NewRaster(p, 41)
		if seen := r.Nearest[12*41+12]; seen != 3 { // the pixel at (0.3, 0.3)
			t.Errorf("cell %v: under the top is point %d", p.Cells, seen)
		}
	}
}

func TestRegularGridIsRecognisedInAnyOrder(t *testing.T) {
	const rows, columns = 7, 5
	order := rand.New(rand.NewPCG(5, 6)).Perm(rows * columns)
	at := make([]float64, 2*len(order))
	for place, point := range order {
		at[2*point] = 3 + 0.5*float64(place/columns)
		at[2*point+1] = -0.1 * float64(place%columns)
	}
	p, _ := Weigh(2, at, len(order), 0, nil)
	g, ok := RegularOf(p)
	if !ok || g.Lengths != [MostAxes]int{rows, columns, 1} {
		t.Fatalf("got %v, want a grid of %d x %d points", g.Lengths, rows, columns)
	}
	for place, point := range g.Order() {
		i, j := place/columns, place%columns
		if p.Place(point)[0] != 3+0.5*float64(i) || math.Abs(p.Place(point)[1]+0.1*float64(columns-1-j)) > 1e-12 {
			t.Fatalf("place %d of the grid has the point at %v", place, p.Place(point))
		}
	}
	at[0] += 0.1
	if _, ok := RegularOf(Equal(2, at, len(order))); ok {
		t.Error("a grid with a point that is moved is regular")
	}
}

func TestCloudsAreEqualIfTheirPointsAre(t *testing.T) {
	in := Equal(0, nil, 3)
	out, _ := Weigh(1, []float64{0, 0.5, 0.2}, 3, 0, nil)
	a, b := New(&in, out), New(&in, out)
	if a != b || a == New(nil, out) {
		t.Fatal("clouds are not compared by their points")
	}
	f := []float64{1, 2, 3, 4, 5, 6}
	if got := a.OfInput(f); len(got) != 3 || got[0] != 1 || a.OfOutput(f)[0] != 4 || a.Count() != 6 {
		t.Errorf("inputs are %v of %v, outputs %v", got, f, a.OfOutput(f))
	}
	// trapezoid rule on 0, 0.2, 0.5: weights 0.1, 0.25, 0.15 in parts of 0.5
	want := (1.+4.+9.)/3 + (16*0.2 + 25*0.3 + 36*0.5)
	if got := a.Inner(f, f); math.Abs(got-want) > 1e-12 {
		t.Errorf("the inner product is %g, want %g", got, want)
	}
}
