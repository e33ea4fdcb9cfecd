package report

import (
	"fmt"
	"math"

	"rfm/solver/space/points"
)

// Geometry tells where values at points of any geometry are drawn: on a raster of the plane, or over the coordinate of a
// line, or over the numbers of points whose places are not known.
type Geometry struct {
	raster *points.Raster // nil: a line
	x      []float64      // of the points in their order along the line
	order  []int
	label  string // of x
}

// rasterSide is the number of pixels along an axis of a raster, above the resolution of terminals.
const rasterSide = 121

// GeometryOf returns how values at points are drawn.
func GeometryOf(p points.Places) *Geometry {
	if p.Axes >= 2 {
		raster := points.NewRaster(p, rasterSide)
		return &Geometry{raster: &raster}
	}
	g := &Geometry{order: p.Order(), label: "x"}
	for k, point := range g.order {
		if p.Axes == 1 {
			g.x = append(g.x, p.At[point])
		} else {
			g.x = append(g.x, float64(k+1))
			g.label = "number of the point, without an order"
		}
	}
	return g
}

// Plane reports whether values are drawn as maps.
func (g *Geometry) Plane() bool { return g.raster != nil }

// Pixels returns the number of pixels along an axis of maps.
func (g *Geometry) Pixels() int { return g.raster.Side }

// field returns the map of values at the points.
func (g *Geometry) field(title string, values []float64) Field {
	r := g.raster
	return Field{
		Title:  title,
		R:      r.Side,
		Values: r.Values(values),
		Masked: true,
		Across: FieldAxis{Name: "x1", From: r.Low[0], To: r.High[0]},
		Up:     FieldAxis{Name: "x2", From: r.Low[1], To: r.High[1]},
	}
}

// curve returns values at the points as a curve.
func (g *Geometry) curve(name string, values []float64, role Role) Curve {
	c := Curve{Name: name, X: g.x, Role: role}
	for _, point := range g.order {
		c.Y = append(c.Y, values[point])
	}
	return c
}

// figure returns the figure of curves over the points of a line.
func (g *Geometry) figure(title string, curves ...Curve) Figure {
	f := Figure{Title: title, XLabel: g.label, Curves: curves}
	if len(g.x) > 1 {
		f.X0 = g.x[0]
		f.X1 = g.x[len(g.x)-1]
	}
	return f
}

// atPoints are the pictures of a sample of functions at points of any geometry: maps in the plane with a cut through
// their middle, curves elsewhere.
func (s Sample) atPoints() (figures []Figure, fields []Field) {
	name := s.Name
	if name == "" {
		name = "input a"
	}
	together := !s.Out.Plane() && len(s.Input) == len(s.Truth)
	switch {
	case s.In.Plane():
		fields = append(fields, s.In.field(name, s.Input))
	case !together:
		figures = append(figures, s.In.figure("", s.In.curve("a", s.Input, AsInput)))
	}
	if s.Prediction == nil {
		return s.withTruth(figures, fields, together)
	}
	difference := s.Error()
	if s.Out.Plane() {
		lo, hi := Extent(s.Truth, s.Prediction)
		truth := s.Out.field("truth u", s.Truth)
		prediction := s.Out.field("prediction F(a)", s.Prediction)
		for _, f := range []*Field{&truth, &prediction} {
			f.Min = &lo
			f.Max = &hi
		}
		wrong := s.Out.field("error u - F(a)", difference)
		wrong.Signed = true
		return append(figures, cutThrough(truth, prediction)), append(fields, truth, prediction, wrong)
	}
	curves := []Curve{
		s.Out.curve("truth", s.Truth, AsTruth),
		s.Out.curve("prediction", s.Prediction, AsPrediction),
	}
	if together {
		curves = append([]Curve{s.In.curve("a", s.Input, AsInput)}, curves...)
	}
	for i, d := range difference {
		difference[i] = math.Abs(d)
	}
	zero := 0.0
	below := s.Out.figure("", s.Out.curve("|truth - prediction|", difference, AsError))
	below.YMin = &zero
	below.Below = true
	return append(figures, s.Out.figure("", curves...), below), fields
}

// withTruth returns the pictures of a sample without a prediction.
func (s Sample) withTruth(figures []Figure, fields []Field, together bool) ([]Figure, []Field) {
	if s.Out.Plane() {
		return figures, append(fields, s.Out.field("solution u", s.Truth))
	}
	curves := []Curve{s.Out.curve("solution u", s.Truth, AsTruth)}
	if together {
		curves = append([]Curve{s.In.curve("input a", s.Input, AsInput)}, curves...)
	}
	return append(figures, s.Out.figure("", curves...)), fields
}

// cutThrough returns truth and prediction on the line along x1 with the most pixels inside, of those near the middle.
func cutThrough(truth, prediction Field) Figure {
	columns := truth.Columns()
	inside := func(j int) (count int) {
		for i := range truth.R {
			if !math.IsNaN(truth.Values[i*columns+j]) {
				count++
			}
		}
		return count
	}
	best := columns / 2
	for j := columns / 4; j < 3*columns/4; j++ {
		const better = 1.1 // so that the middle is taken unless there is a hole
		if float64(inside(j)) > better*float64(inside(best)) {
			best = j
		}
	}
	return Figure{
		Title:  fmt.Sprintf("cut at x2 = %.3g", truth.Vertical().At(best, columns)),
		XLabel: "x1",
		X0:     truth.Across.From,
		X1:     truth.Across.To,
		YMin:   truth.Min,
		YMax:   truth.Max,
		Curves: []Curve{
			truth.along("truth", AsTruth, best),
			prediction.along("prediction", AsPrediction, best),
		},
	}
}

// along returns the values of a map on a line along its first axis, those that exist.
func (f Field) along(name string, role Role, line int) Curve {
	c := Curve{Name: name, Role: role}
	for i := range f.R {
		v := f.Values[i*f.Columns()+line]
		if math.IsNaN(v) {
			continue
		}
		c.X = append(c.X, f.Horizontal().At(i, f.R))
		c.Y = append(c.Y, v)
	}
	return c
}
