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
	solid  bool           // points are in space, of which the raster shows what is seen from the end of x3
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
		return &Geometry{
			raster: &raster,
			solid:  p.Axes == points.MostAxes,
		}
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
	if g.solid {
		title += ", seen along x3"
	}
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
	c := Curve{
		Name: name,
		X:    g.x,
		Role: role,
	}
	for _, point := range g.order {
		c.Y = append(c.Y, values[point])
	}
	return c
}

// figure returns the figure of curves over the points of a line.
func (g *Geometry) figure(title string, curves ...Curve) Figure {
	f := Figure{
		Title:  title,
		XLabel: g.label,
		Curves: curves,
	}
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
		input := s.In.field(name, s.Input)
		fields = append(fields, input)
	case !together:
		input := s.In.curve("a", s.Input, AsInput)
		figures = append(figures, s.In.figure("", input))
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
		figures = append(figures, cutThrough(truth, prediction))
		fields = append(fields, truth, prediction, wrong)
		return figures, fields
	}
	var curves []Curve
	if together {
		curves = append(curves, s.In.curve("a", s.Input, AsInput))
	}
	curves = append(curves,
		s.Out.curve("truth", s.Truth, AsTruth),
		s.Out.curve("prediction", s.Prediction, AsPrediction),
	)
	for i, d := range difference {
		difference[i] = math.Abs(d)
	}
	zero := 0.0
	pointwise := s.Out.curve("|truth - prediction|", difference, AsError)
	below := s.Out.figure("", pointwise)
	below.YMin = &zero
	below.Below = true
	figures = append(figures, s.Out.figure("", curves...), below)
	return figures, fields
}

// withTruth returns the pictures of a sample without a prediction.
func (s Sample) withTruth(figures []Figure, fields []Field, together bool) ([]Figure, []Field) {
	if s.Out.Plane() {
		solution := s.Out.field("solution u", s.Truth)
		return figures, append(fields, solution)
	}
	var curves []Curve
	if together {
		curves = append(curves, s.In.curve("input a", s.Input, AsInput))
	}
	curves = append(curves, s.Out.curve("solution u", s.Truth, AsTruth))
	figures = append(figures, s.Out.figure("", curves...))
	return figures, fields
}

// cutThrough returns truth and prediction on the line along x1 with the most pixels inside, of those near the middle.
func cutThrough(truth, prediction Field) Figure {
	columns := truth.Columns()
	inside := func(line int) float64 { // pixels
		count := 0
		for i := range truth.R {
			if !math.IsNaN(truth.Values[i*columns+line]) {
				count++
			}
		}
		return float64(count)
	}
	const better = 1.1 // so that the middle is taken unless there is a hole
	best := columns / 2
	for line := columns / 4; line < 3*columns/4; line++ {
		if inside(line) > better*inside(best) {
			best = line
		}
	}
	at := truth.Vertical().At(best, columns)
	return Figure{
		Title:  fmt.Sprintf("cut at x2 = %.3g", at),
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
	columns := f.Columns()
	for i := range f.R {
		v := f.Values[i*columns+line]
		if math.IsNaN(v) {
			continue
		}
		x := f.Horizontal().At(i, f.R)
		c.X = append(c.X, x)
		c.Y = append(c.Y, v)
	}
	return c
}
