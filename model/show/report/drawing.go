// This file decides how a figure is drawn, so that a screen and an exported file show the same picture: lines, marks and
// inks of the curves, the axes, and what is left out.

package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/printable"
)

// Line is the kind of line of a curve.
type Line uint8

// The kinds of lines.
const (
	NoLine Line = iota
	Thin
	Heavy
	Dotted
)

// Ink is the meaning of a colour.
type Ink uint8

// The inks.
const (
	InkPrediction Ink = iota
	InkTruth
	InkInput
	InkError
	InkPublished // published values only
	InkOther     // other methods, levels of reference
)

// Symbol is the shape of a mark. The zero Symbol is none.
type Symbol uint8

// The symbols. Those of methods are the same in all pictures, see methodSymbols.
const (
	NoSymbol Symbol = iota
	Disc
	Square
	Triangle
	Circle         // hollow Disc
	HollowSquare   // hollow Square
	HollowTriangle // hollow Triangle
	Diamond        // a published value
	Point          // small
	Plus
	Saltire
	Star
	Hash
	Percent
	Equals
	Minus
	Ampersand
	At
	Tilde
)

// methodSymbols are the marks of methods and solvers by the names that tables give them.
var methodSymbols = map[string]Symbol{
	"model": Disc, "random features": Circle, "full solve": Square, "equal solve": Triangle, "solver": Square,
	"linear": Saltire, "kernel ridge": Plus, "equivariant kernel": Star, "kernel, corrected": Hash,
	"kernel, sheared": Percent, "local layers": Equals, "mean of the outputs": Minus,
	"untrained, once": Tilde, "untrained, twice": Ampersand, "neural operator": At,
}

// otherSymbols are the marks of single points with other names, in their order.
var otherSymbols = [...]Symbol{Point, HollowSquare, HollowTriangle}

// seriesInks, seriesSymbols and hollowSymbols are the looks of similar curves, and of their published values.
var (
	seriesInks    = [...]Ink{InkPrediction, InkTruth, InkInput, InkError, InkOther}
	seriesSymbols = [...]Symbol{Disc, Square, Triangle}
	hollowSymbols = [...]Symbol{Circle, HollowSquare, HollowTriangle}
	seriesLines   = [...]Line{Heavy, Thin, Dotted}
)

// Drawn is a curve with its look.
type Drawn struct {
	Curve // its name is empty if the legend does not have it
	Line  Line
	Mark  Symbol // at the points
	Ink   Ink
	// the curve has many points: only some of them are marked, so that what lies below stays visible
	Sparse bool
	Right  bool // the axis on the right measures it
}

// Drawn returns what is drawn of a figure, in order: later ones lie over earlier ones. A prediction over its truth is a
// row of marks on a heavy line, so that both are visible where they agree. Curves of few points have a mark at each, and
// published values of such a curve have the same mark, hollow, in its colour. Of more curves of role Alike than most the
// first, the last and some between are drawn; tables have all of them.
func (f Figure) Drawn(most int) (list []Drawn) {
	const (
		published = 3  // the most published curves that are drawn
		few       = 32 // the most points of a curve that get a mark each
	)
	var lines, marks, points []Curve
	for _, c := range f.Curves {
		switch {
		case c.Role != Alike:
			list = append(list, f.byRole(c)...)
		case c.Published:
			marks = append(marks, c)
		case c.Points:
			points = append(points, c)
		default:
			lines = append(lines, c)
		}
	}
	lines = spreadOut(lines, most)
	for i, c := range lines {
		d := Drawn{
			Curve: c,
			Line:  seriesLines[i%len(seriesLines)],
			Ink:   seriesInks[i%len(seriesInks)],
		}
		if len(c.X) > few {
			list = append(list, d)
			continue
		}
		d.Line = Thin // marks distinguish it from the others
		d.Name = ""
		list = append(list, d, Drawn{
			Curve: c,
			Mark:  seriesSymbols[i%len(seriesSymbols)],
			Ink:   d.Ink,
		})
	}
	list = append(list, singles(points)...)
	for _, c := range spreadOut(marks, published) {
		d := Drawn{Curve: c, Mark: Diamond, Ink: InkPublished}
		belongs := func(to Curve) bool {
			return len(lines) == 1 || c.Name == "paper, "+to.Name
		}
		if i := slices.IndexFunc(lines, belongs); i >= 0 {
			d.Mark = hollowSymbols[i%len(hollowSymbols)]
			d.Ink = seriesInks[i%len(seriesInks)]
		}
		list = append(list, d)
	}
	if f.apart() {
		for i := range list {
			list[i].Right = list[i].Role == AsInput
			if list[i].Right && list[i].Name != "" {
				list[i].Name += " (right)"
			}
		}
	}
	return list
}

// singles returns the looks of single points: methods have marks of their own.
func singles(points []Curve) (list []Drawn) {
	others := 0
	for _, c := range points {
		mark, known := methodSymbols[c.Name]
		if !known {
			mark = otherSymbols[others%len(otherSymbols)]
			others++
		}
		ink := InkOther
		if mark == Square || mark == Triangle {
			ink = InkTruth // a solver
		}
		list = append(list, Drawn{
			Curve: c,
			Mark:  mark,
			Ink:   ink,
		})
	}
	return list
}

// byRole returns the look of a curve with a role: a line, or marks, or both.
func (f Figure) byRole(c Curve) []Drawn {
	over := f.has(AsTruth) && f.has(AsPrediction)
	line := Drawn{Curve: c, Line: Thin}
	mark := Drawn{Curve: c}
	switch c.Role {
	case AsInput:
		line.Ink = InkInput
		mark.Mark = Plus
	case AsTruth:
		line.Ink = InkTruth
		mark.Mark = Plus
		if over {
			line.Line = Heavy
		}
	case AsPrediction:
		line.Ink = InkPrediction
		mark.Mark = Disc
	case AsError:
		line.Ink = InkError
		mark.Mark = Point
		if over {
			mark.Mark = Plus // observed values, on or next to the marks of the prediction
		}
	case AsLevel:
		line.Ink = InkOther
		line.Line = Dotted
		mark.Mark = Diamond
	}
	if c.Published {
		line.Ink = InkPublished
	}
	mark.Ink = line.Ink
	switch {
	case c.Points:
		return []Drawn{mark}
	case over && c.Role == AsPrediction:
		mark.Sparse = true
		return []Drawn{mark}
	case len(f.Curves) == 1:
		line.Line = Thin // there is no second curve to distinguish it from
	}
	if !c.Marked {
		return []Drawn{line}
	}
	line.Name = ""
	return []Drawn{line, mark}
}

// has reports whether a line has a role.
func (f Figure) has(role Role) bool {
	return slices.ContainsFunc(f.Curves, func(c Curve) bool {
		return c.Role == role && !c.Points
	})
}

// spreadOut returns at most count >= 2 of the curves: the first, the last, and some between.
func spreadOut(curves []Curve, count int) []Curve {
	if len(curves) <= count {
		return curves
	}
	var some []Curve
	for i := range count {
		some = append(some, curves[i*(len(curves)-1)/(count-1)])
	}
	return some
}

// Toggled returns the figure with the other kind of vertical axis, linear or logarithmic; the figure itself if it has
// negative values.
func (f Figure) Toggled() Figure {
	var values [][]float64
	for _, c := range f.Curves {
		values = append(values, c.Y)
	}
	if lo, hi := Extent(values...); lo >= 0 && lo <= hi {
		f.LogY = !f.LogY
		f.YMin = nil
		f.YMax = nil
	}
	return f
}

// apart reports whether inputs have an axis of their own, on the right: on that of the outputs either would be flat.
func (f Figure) apart() bool {
	free := !f.LogY && f.YMin == nil && f.YMax == nil
	hasOutputs := f.has(AsTruth) || f.has(AsPrediction)
	if !free || !hasOutputs || !f.has(AsInput) {
		return false
	}
	inputs := newSpan()
	outputs := newSpan()
	for _, c := range f.Curves {
		lo, hi := Extent(c.Y)
		span := &outputs
		if c.Role == AsInput {
			span = &inputs
		}
		span.Add(lo)
		span.Add(hi)
	}
	if inputs.Empty() || outputs.Empty() {
		return false
	}
	const much = 3
	both := max(inputs.Hi, outputs.Hi) - min(inputs.Lo, outputs.Lo)
	flattest := min(inputs.Widened(false).length(), outputs.Widened(false).length())
	return both > much*flattest
}

func (s Span) length() float64 { return s.Hi - s.Lo }

// horizontal returns the range of the horizontal axis.
func (f Figure) horizontal() Span {
	s := newSpan()
	for _, c := range f.Curves {
		for _, x := range c.X {
			s.Add(Coordinate(x, f.LogX))
		}
	}
	s = s.Widened(f.LogX)
	if f.X0 < f.X1 {
		s = s.Pinned(&f.X0, &f.X1, f.LogX)
	}
	return s
}

// vertical returns the range of the values on the left or on the right axis, within the range of the horizontal one.
func (f Figure) vertical(right bool) Span {
	x := Axis{Lo: f.horizontal().Lo, Hi: f.horizontal().Hi}
	apart := f.apart()
	s := newSpan()
	for _, c := range f.Curves {
		if (apart && c.Role == AsInput) != right {
			continue
		}
		var inside []float64
		for i, y := range c.Y {
			if at := x.Fraction(Coordinate(c.X[i], f.LogX)); at >= -edge && at <= 1+edge {
				inside = append(inside, Coordinate(y, f.LogY))
			}
		}
		lo, hi := Extent(inside)
		if f.LogY {
			lo = max(lo, floorOfDips(inside))
		}
		s.Add(lo) // infinite if empty, and then ignored
		s.Add(hi)
	}
	return s
}

// edge is the rounding of positions on an axis.
const edge = 1e-9

// floorOfDips returns a lower end for decimal logarithms c that a few of them may cross: a decade below all but the
// lowest fiftieth. An error that changes sign comes arbitrarily close to zero at single points, and would otherwise
// squeeze all other values into the uppermost rows. It is -Inf for fewer than 50 values.
func floorOfDips(c []float64) float64 {
	const few = 50
	c = slices.DeleteFunc(slices.Clone(c), func(v float64) bool {
		return math.IsNaN(v) || math.IsInf(v, 0)
	})
	if len(c) < few {
		return math.Inf(-1)
	}
	slices.Sort(c)
	return c[len(c)/few] - 1
}

// Bottom returns the horizontal axis for a picture of some columns.
func (f Figure) Bottom(columns int) Axis {
	s := f.horizontal()
	a := columnAxis(s.Lo, s.Hi, columns, f.LogX)
	if f.Timed {
		inUnits(a.Ticks, f.LogX)
	}
	if f.Counted {
		a.Ticks = slices.DeleteFunc(a.Ticks, func(t Tick) bool { return t.At != math.Round(t.At) })
	}
	return a
}

// Left returns the vertical axis for a picture of some rows: its ends are pinned, or follow the data.
func (f Figure) Left(rows int) Axis {
	s := f.vertical(false).Pinned(f.YMin, f.YMax, f.LogY)
	return rowAxis(s, rows, f.YMin != nil, f.YMax != nil, f.LogY)
}

// Right returns the axis of the inputs; ok is false if they have none of their own.
func (f Figure) Right(rows int) (a Axis, ok bool) {
	if !f.apart() {
		return Axis{}, false
	}
	return rowAxis(f.vertical(true).Widened(false), rows, false, false, false), true
}

// LeftOut describes the values that a logarithmic vertical axis does not show; empty if there are none.
func (f Figure) LeftOut() string {
	zeros := 0
	negative := 0
	if f.LogY {
		for _, c := range f.Curves {
			for _, y := range c.Y {
				switch {
				case y == 0:
					zeros++
				case y < Smallest:
					negative++
				}
			}
		}
	}
	var parts []string
	if zeros > 0 {
		parts = append(parts, printable.Several(zeros, "zero"))
	}
	if negative > 0 {
		parts = append(parts, fmt.Sprintf("%d negative", negative))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, " and ") + " left out"
}

// Nothing describes why a figure without a value to draw is empty.
func (f Figure) Nothing() string {
	if f.LeftOut() == "" {
		return "no data"
	}
	for _, c := range f.Curves {
		for _, y := range c.Y {
			if y != 0 {
				return "no value is positive"
			}
		}
	}
	return "all values are 0"
}
