package report

import (
	"math"
	"slices"
	"testing"

	"rfm/solver/space/points"
)

// ring returns points on circles around a hole, and their radii.
func ring() (points.Places, []float64) {
	var at, radii []float64
	for k := range 12 {
		radius := 0.4 + 0.05*float64(k)
		for turn := range 48 {
			angle := 2 * math.Pi * (float64(turn) + 0.5*float64(k%2)) / 48
			at = append(at, radius*math.Cos(angle), radius*math.Sin(angle))
			radii = append(radii, radius)
		}
	}
	p, _ := points.Weigh(2, at, len(radii), 0, nil)
	return p, radii
}

func TestMapsShowTheNearestPointAndLeaveHolesBlank(t *testing.T) {
	p, radii := ring()
	f := GeometryOf(p).field("u", radii)
	middle := f.R / 2
	if !math.IsNaN(f.Values[middle*f.R+middle]) || !math.IsNaN(f.Values[0]) {
		t.Fatal("the hole and the corner are not blank")
	}
	_, lost := f.Extent()
	if lost != 0 {
		t.Errorf("%d values outside of the domain count as lost", lost)
	}
	inside := 0
	for at, v := range f.Values {
		if math.IsNaN(v) {
			continue
		}
		inside++
		x := f.Across.At(at/f.R, f.R)
		y := f.Up.At(at%f.R, f.R)
		if math.Abs(math.Hypot(x, y)-v) > 0.1 {
			t.Fatalf("the pixel at (%.2f, %.2f) shows %.2f, want about %.2f", x, y, v, math.Hypot(x, y))
		}
	}
	share := float64(inside) / float64(len(f.Values))
	want := math.Pi * (0.95*0.95 - 0.4*0.4) / (4 * 0.95 * 0.95)
	if math.Abs(share-want) > 0.05 {
		t.Errorf("%.2f of the pixels are inside, want %.2f", share, want)
	}
}

// A picture of points in space says from where they are seen.
func TestMapsInSpaceSayFromWhere(t *testing.T) {
	p := points.Equal(3, []float64{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 4)
	if f := GeometryOf(p).field("u", []float64{1, 2, 3, 4}); f.Title != "u, seen along x3" {
		t.Errorf("the title is %q", f.Title)
	}
}

func TestSamplesAtPointsHaveMapsOrCurvesOfEachSide(t *testing.T) {
	p, radii := ring()
	plane := GeometryOf(p)
	line := GeometryOf(points.Equal(1, []float64{0.5, 0, 1}, 3))
	s := Sample{Input: []float64{1, 2, 3}, Truth: radii, Prediction: radii, In: line, Out: plane}
	figures, fields := s.Pictures()
	if len(figures) != 2 || len(fields) != 3 || !slices.Equal(figures[0].Curves[0].Y, []float64{2, 1, 3}) {
		t.Fatalf("%d figures and %d maps, want the input over its sorted coordinate, a cut and three maps", len(figures), len(fields))
	}
	if _, compared := s.Compared(); len(compared) != 2 || compared[1].Title != "prediction F(a)" {
		t.Errorf("compared are %d maps", len(compared))
	}
	s = Sample{Input: []float64{1, 2, 3}, Truth: []float64{1, 2, 3}, Prediction: []float64{1, 2, 4}, In: line, Out: line}
	figures, fields = s.Pictures()
	if len(fields) != 0 || len(figures) != 2 || len(figures[0].Curves) != 3 || !slices.Equal(figures[1].Curves[0].Y, []float64{0, 0, 1}) {
		t.Errorf("%d figures and %d maps of curves on a line", len(figures), len(fields))
	}
}
