package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Sizes in pixels. The pictures of a result are stacked vertically.
const (
	width       = 640.0
	frameHeight = 300.0 // of curves
	fieldSide   = 360.0 // of heat maps
	header      = 36.0  // with the title
	footer      = 50.0  // with the labels and the name of the horizontal axis
	line        = 20.0  // of a legend
	swatch      = 30.0  // line or mark in a legend
	margin      = 16.0
	letters     = 12.0
)

// inks are colours of Okabe and Ito (2008), which differ for dichromats too, on white.
var inks = map[Ink]string{
	InkPrediction: "#d55e00",
	InkTruth:      "#0072b2",
	InkInput:      "#009e73",
	InkError:      "#cc79a7",
	InkPublished:  "#000000",
	InkOther:      "#666666",
}

// dashes and thicknesses are those of lines.
var (
	dashes = map[Line]string{
		Thin:   "none",
		Heavy:  "none",
		Dotted: "2 3",
	}
	thicknesses = map[Line]float64{
		Thin:   1.5,
		Heavy:  4,
		Dotted: 1.5,
	}
)

// shapes are the paths of the marks.
var shapes = map[Symbol]string{
	Disc:           "m-2,0a2,2 0 1,0 4,0a2,2 0 1,0 -4,0zm-1.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z",
	Circle:         "m-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z",
	Square:         "m-3,-3h6v6h-6zm1.5,1.5h3v3h-3z",
	HollowSquare:   "m-3,-3h6v6h-6z",
	Triangle:       "m0,-4l3.6,6.4h-7.2zm0,2l1.8,3.2h-3.6z",
	HollowTriangle: "m0,-4l3.6,6.4h-7.2z",
	Diamond:        "m0,-4.4l4.4,4.4l-4.4,4.4l-4.4,-4.4z",
	Point:          "m-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z",
	Plus:           "m-4,0h8m-4,-4v8",
	Saltire:        "m-3,-3l6,6m0,-6l-6,6",
	Star:           "m-4,0h8m-4,-4v8m-3,-7l6,6m0,-6l-6,6",
	Hash:           "m-1.5,-4v8m3,-8v8m-5.5,-5.5h8m-8,3h8",
	Percent:        "m3,-4l-6,8m0,-6h1m4,4h1",
	Equals:         "m-3.5,-1.5h7m-7,3h7",
	Minus:          "m-4,0h8",
	Ampersand:      "m0,4l3.6,-6.4h-7.2z",
	At:             "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0zm3,0h2",
	Tilde:          "m-4,1l2.7,-2.5l2.6,2.5l2.7,-2.5",
}

// SVG returns all figures and fields of the page as one document, below one another; nil if it has none. The error
// names the part that cannot be drawn.
func (p Page) SVG() ([]byte, error) {
	var body bytes.Buffer
	height := 0.0
	add := func(drawn picture) {
		fmt.Fprintf(&body, "<g transform=\"translate(0,%g)\">\n%s</g>\n", height, drawn.Bytes())
		height += drawn.height
	}
	for _, f := range p.Figures {
		if err := f.drawable(); err != nil {
			return nil, fmt.Errorf("%s, %w", p.Name, err)
		}
		add(f.drawing())
	}
	for _, f := range p.Fields {
		values := len(f.Values)
		whole := f.R >= 1 && values > 0 && values%f.R == 0
		if !whole {
			return nil, fmt.Errorf("%s, %s: %d values in %d rows", p.Name, f.Title, values, f.R)
		}
		add(heatMap(f))
	}
	if height == 0 {
		return nil, nil
	}
	var document bytes.Buffer
	fmt.Fprintf(&document, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%g" height="%g" viewBox="0 0 %[1]g %[2]g" font-family="Helvetica, Arial, sans-serif" font-size="%g">
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s</svg>
`, width, height, letters, body.Bytes())
	return document.Bytes(), nil
}

// drawable returns an error if a curve has not as many abscissae as ordinates.
func (f Figure) drawable() error {
	for _, c := range f.Curves {
		abscissae := len(c.X)
		ordinates := len(c.Y)
		if abscissae != ordinates {
			return fmt.Errorf("%s, %s: %d abscissae, %d ordinates", f.Title, c.Name, abscissae, ordinates)
		}
	}
	return nil
}

// A picture is a group of SVG elements with a height.
type picture struct {
	bytes.Buffer
	height float64
}

// An anchor says which part of words is at their place.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

// text is words at a place of a picture.
type text struct {
	x, y       float64
	anchor     anchor
	room       float64 // width beyond which words are cut with an ellipsis
	words      string
	attributes string // of the element, each after a blank
}

// write draws words.
func (p *picture) write(t text) {
	fmt.Fprintf(p, `<text x="%.2f" y="%.2f" text-anchor="%s"%s>`, t.x, t.y, t.anchor, t.attributes)
	cells := int(t.room / widest)
	shown := ansi.Truncate(t.words, cells, "…")
	err := xml.EscapeText(p, []byte(shown))
	if err != nil {
		panic("report: " + err.Error()) // a buffer does not fail
	}
	p.WriteString("</text>\n")
}

// A pen is how a line is drawn.
type pen struct {
	colour    string
	dash      string
	thickness float64
}

// thin returns the pen of axes.
func thin(colour string) pen {
	return pen{
		colour:    colour,
		dash:      "none",
		thickness: 1,
	}
}

// penOf returns the pen of a curve.
func penOf(ink Ink, line Line) pen {
	return pen{
		colour:    inks[ink],
		dash:      dashes[line],
		thickness: thicknesses[line],
	}
}

// markPen returns the pen of the marks of a curve.
func markPen(ink Ink) pen {
	return pen{
		colour:    inks[ink],
		dash:      "none",
		thickness: 1.5,
	}
}

// stroke draws a path with a line.
func (p *picture) stroke(path string, by pen) {
	fmt.Fprintf(p, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-dasharray=\"%s\" "+
		"stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n", path, by.colour, by.thickness, by.dash)
}

// widest is the width of the widest digit in usual sans-serif fonts. An ideograph takes less than two of them.
const widest = 0.64 * letters

// textWidth returns an upper bound of the width of words.
func textWidth(words string) float64 { return widest * float64(ansi.StringWidth(words)) }

// A scale is an axis of a drawing, with pixels from from to to.
type scale struct {
	Axis
	from, to float64
}

// standardColumns and standardRows are the cells of a plot in a terminal whose axes a drawing has.
const (
	standardColumns = 64
	standardRows    = 16
)

// mostTicks is about the largest number of ticks of an axis.
const mostTicks = 8

// roundTicks returns at most mostTicks+1 ticks.
func roundTicks(s Span) []Tick {
	least := s.Hi/mostTicks - s.Lo/mostTicks
	return linearTicks(s.Lo, s.Hi, niceStep(least))
}

// shows reports whether a value lies on an axis.
func shows(v float64, log bool) bool { return math.Abs(Coordinate(v, log)) <= Largest }

// at returns the pixel of a value.
func (a scale) at(v float64) float64 { return a.pixel(Coordinate(v, a.Log)) }

// pixel returns the pixel of a coordinate.
func (a scale) pixel(c float64) float64 {
	length := a.to - a.from
	return a.from + a.Fraction(c)*length
}

func (a scale) middle() float64 { return (a.from + a.to) / 2 }

// labels returns the width of the widest label.
func (a scale) labels() float64 {
	w := 0.0
	for _, t := range a.Ticks {
		w = max(w, textWidth(t.Label))
	}
	return w
}

// mostDrawn is the number of similar curves that are drawn.
const mostDrawn = 8

// drawing draws the figure with the axes, the lines and the marks that a terminal shows of it. The legend is below the
// frame, clear of all curves. A figure below another one is lower, and its horizontal axis begins in the same place.
func (f Figure) drawing() picture {
	const (
		low  = 0.6  // height of a figure below another one
		side = 72.0 // room for the labels of a vertical axis
	)
	high := frameHeight
	rows := standardRows
	if f.Below {
		high = low * frameHeight
		rows = standardRows * 3 / 5
	}
	y := scale{
		Axis: f.Left(rows),
		from: header + high,
		to:   header,
	}
	x := scale{Axis: f.Bottom(standardColumns)}
	x.from = max(side, margin+16+y.labels()) + line
	x.to = width - margin - x.labels()/2
	right, two := f.Right(rows)
	opposite := scale{
		Axis: right,
		from: y.from,
		to:   y.to,
	}
	if two {
		x.to = width - side
	}
	p := picture{height: header + high + footer}
	xName := f.named(f.XLabel, f.LogX)
	p.frame(f.Title, x, y, xName, f.leftName())
	list := f.Drawn(mostDrawn)
	if two {
		p.opposite(opposite, x.to)
	}
	shown := func(v float64) bool { return shows(v, f.LogY) }
	empty := true
	legend := legend{picture: &p, x: margin}
	var inside, over picture // lines are cut at the frame, marks are not
	for _, d := range list {
		up := y
		if d.Right {
			up = opposite
		}
		d.trace(&inside, &over, x, up)
		if slices.ContainsFunc(d.Y, shown) {
			empty = false
		}
		if d.Name != "" {
			legend.add(d)
		}
	}
	wide := x.to - x.from
	const cut = "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%[1]g %[2]g %[3]g %[4]g\">\n%s</svg>\n"
	fmt.Fprintf(&p, cut, x.from, y.to, wide, y.from-y.to, inside.Bytes())
	p.Write(over.Bytes())
	if empty {
		p.write(text{
			x:      x.middle(),
			y:      y.middle(),
			anchor: middle,
			room:   wide,
			words:  f.Nothing(),
		})
	}
	if legend.x > margin {
		p.height += line
	}
	return p
}

// named returns the name of an axis, with a note if it is logarithmic.
func (f Figure) named(name string, log bool) string {
	if !log {
		return name
	}
	return strings.TrimLeft(name+" (log)", " ")
}

// leftName returns the name of the vertical axis with what it leaves out.
func (f Figure) leftName() string {
	name := f.named(f.YLabel, f.LogY)
	out := f.LeftOut()
	if out != "" {
		return strings.TrimLeft(name+", "+out, ", ")
	}
	return name
}

// trace draws a curve: its line, interrupted where a value is not shown, into inside, its marks into over. Marks beyond
// an end of the vertical axis are triangles there.
func (d Drawn) trace(inside, over *picture, x, y scale) {
	const apart = 18.0 // pixels between the marks of a curve with a line below it
	var path, marks bytes.Buffer
	down := false // the pen
	last := ""
	next := math.Inf(-1) // where the next mark may stand
	for i := range d.X {
		shown := shows(d.X[i], x.Log) && shows(d.Y[i], y.Log)
		if !shown {
			down = false
			continue
		}
		across := x.at(d.X[i])
		up := y.at(d.Y[i])
		point := fmt.Sprintf("%.2f,%.2f", across, up)
		switch {
		case d.Line == NoLine && !d.Sparse:
		case !down:
			path.WriteString("M" + point + "L" + point) // a single point is a dot
		case point != last:
			path.WriteString("L" + point)
		}
		down = true
		last = point
		tooNear := d.Sparse && across < next
		beyond := across < x.from-1 || across > x.to+1
		if d.Mark == NoSymbol || tooNear || beyond {
			continue
		}
		next = across + apart
		switch {
		case up < y.to-1:
			fmt.Fprintf(&marks, "M%.2f,%.2f%s", across, y.to+6, "m0,-4l3,5h-6z")
		case up > y.from+1:
			fmt.Fprintf(&marks, "M%.2f,%.2f%s", across, y.from-6, "m0,4l3,-5h-6z")
		default:
			marks.WriteString("M" + point + shapes[d.Mark])
		}
	}
	if path.Len() > 0 {
		line := d.Line
		if line == NoLine {
			line = Thin // a drawing resolves what lies between the marks
		}
		inside.stroke(path.String(), penOf(d.Ink, line))
	}
	if marks.Len() > 0 {
		over.stroke(marks.String(), markPen(d.Ink))
	}
}

// A legend is a list of entries in lines below a picture.
type legend struct {
	*picture
	x float64 // left end of the next entry
}

func (l *legend) add(d Drawn) {
	const room = width - 2*margin - swatch // for a name
	wide := swatch + min(textWidth(d.Name), room) + margin
	if l.x > margin && l.x+wide > width {
		l.x = margin
		l.height += line
	}
	height := l.height + line/2 - 4 // of line and mark
	if d.Line != NoLine {
		path := fmt.Sprintf("M%.2f,%.2fh%g", l.x, height, swatch-8)
		l.stroke(path, penOf(d.Ink, d.Line))
	}
	if d.Mark != NoSymbol {
		left := l.x + swatch/2 - 4
		path := fmt.Sprintf("M%.2f,%.2f%s", left, height, shapes[d.Mark])
		l.stroke(path, markPen(d.Ink))
	}
	l.write(text{
		x:      l.x + swatch,
		y:      height + 4,
		anchor: start,
		room:   room,
		words:  d.Name,
	})
	l.x += wide
}

// opposite draws an axis on the right, in the colour of inputs.
func (p *picture) opposite(y scale, x float64) {
	ink := inks[InkInput]
	p.ticksRightOf(x, y, ink, text{
		room:       width,
		attributes: fmt.Sprintf(` fill="%s"`, ink),
	})
}

// ticksRightOf draws the ticks of a vertical scale to the right of x, and their labels in the manner of a text.
func (p *picture) ticksRightOf(x float64, y scale, colour string, manner text) {
	for _, t := range y.Ticks {
		at := y.pixel(t.At)
		tick := fmt.Sprintf("M%.2f,%.2fh4", x, at)
		p.stroke(tick, thin(colour))
		label := manner
		label.x = x + 8
		label.y = at + 4
		label.anchor = start
		label.words = t.Label
		p.write(label)
	}
}

// frame draws a frame with a title, ticks, a faint grid and names of the axes.
func (p *picture) frame(title string, x, y scale, xName, yName string) {
	const larger = 1.2 // letters of the title
	p.write(text{
		x:          width / 2,
		y:          header - 14,
		anchor:     middle,
		room:       (width - 2*margin) / larger,
		words:      title,
		attributes: fmt.Sprintf(` font-size="%g"`, larger*letters),
	})
	p.columnTicks(x, y)
	p.rowTicks(x, y)
	edge := fmt.Sprintf("M%.2f,%.2fH%.2fV%.2fH%.2fz", x.from, y.from, x.to, y.to, x.from)
	p.stroke(edge, thin(axisInk))
	p.write(text{
		x:      x.middle(),
		y:      y.from + 38,
		anchor: middle,
		room:   x.to - x.from,
		words:  xName,
	})
	if yName != "" {
		left := x.from - 8 - y.labels() - 8
		p.write(text{
			x:          left,
			y:          y.middle(),
			anchor:     middle,
			room:       y.from - y.to,
			words:      yName,
			attributes: fmt.Sprintf(` transform="rotate(-90 %.2f %.2f)"`, left, y.middle()),
		})
	}
}

// columnTicks draws the ticks of the horizontal axis, their lines of the grid, and labels where there is room.
func (p *picture) columnTicks(x, y scale) {
	free := 0.0 // left end of the room for the next label
	for _, t := range x.Ticks {
		at := x.pixel(t.At)
		gridLine := fmt.Sprintf("M%.2f,%.2fV%.2f", at, y.from, y.to)
		p.stroke(gridLine, thin(gridInk))
		tick := fmt.Sprintf("M%.2f,%.2fv4", at, y.from)
		p.stroke(tick, thin(axisInk))
		half := textWidth(t.Label) / 2
		if at-half < free {
			continue
		}
		p.write(text{
			x:      at,
			y:      y.from + 18,
			anchor: middle,
			room:   width,
			words:  t.Label,
		})
		free = at + half + 6
	}
}

// rowTicks draws the ticks of the vertical axis, their lines of the grid and labels.
func (p *picture) rowTicks(x, y scale) {
	for _, t := range y.Ticks {
		at := y.pixel(t.At)
		gridLine := fmt.Sprintf("M%.2f,%.2fH%.2f", x.from, at, x.to)
		p.stroke(gridLine, thin(gridInk))
		tick := fmt.Sprintf("M%.2f,%.2fh-4", x.from, at)
		p.stroke(tick, thin(axisInk))
		p.write(text{
			x:      x.from - 8,
			y:      at + 4,
			anchor: end,
			room:   width,
			words:  t.Label,
		})
	}
}

// The colours of axes, and of the faint grid behind curves.
const (
	axisInk = "#555555"
	gridInk = "#e4e4e4"
)
