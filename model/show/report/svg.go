package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
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
	dashes      = map[Line]string{Thin: "none", Heavy: "none", Dotted: "2 3"}
	thicknesses = map[Line]float64{Thin: 1.5, Heavy: 4, Dotted: 1.5}
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
		for _, c := range f.Curves {
			if len(c.X) != len(c.Y) {
				return nil, fmt.Errorf("%s, %s, %s: %d abscissae, %d ordinates",
					p.Name, f.Title, c.Name, len(c.X), len(c.Y))
			}
		}
		add(f.drawing())
	}
	for _, f := range p.Fields {
		if f.R < 1 || len(f.Values) == 0 || len(f.Values)%f.R != 0 {
			return nil, fmt.Errorf("%s, %s: %d values in %d rows", p.Name, f.Title, len(f.Values), f.R)
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

// A picture is a group of SVG elements with a height.
type picture struct {
	bytes.Buffer
	height float64
}

// text draws words that start, are centred or end at (x, y) by anchor, cut with an ellipsis beyond the width room.
func (p *picture) text(x, y float64, anchor string, room float64, words, attributes string) {
	fmt.Fprintf(p, `<text x="%.2f" y="%.2f" text-anchor="%s"%s>`, x, y, anchor, attributes)
	cells := int(room / widest)
	shown := ansi.Truncate(words, cells, "…")
	if err := xml.EscapeText(p, []byte(shown)); err != nil {
		panic("report: " + err.Error()) // a buffer does not fail
	}
	p.WriteString("</text>\n")
}

// stroke draws a path with a line.
func (p *picture) stroke(path, colour, dash string, thickness float64) {
	fmt.Fprintf(p, "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%g\" stroke-dasharray=\"%s\" "+
		"stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n", path, colour, thickness, dash)
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

func (a scale) pixel(c float64) float64 { return a.from + a.Fraction(c)*(a.to-a.from) }

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
	y := scale{Axis: f.Left(rows), from: header + high, to: header}
	x := scale{Axis: f.Bottom(standardColumns)}
	x.from = max(side, margin+16+y.labels()) + line
	x.to = width - margin - x.labels()/2
	right, two := f.Right(rows)
	opposite := scale{right, y.from, y.to}
	if two {
		x.to = width - side
	}
	p := picture{height: header + high + footer}
	p.frame(f.Title, x, y, f.named(f.XLabel, f.LogX), f.leftName())
	list := f.Drawn(mostDrawn)
	if two {
		p.opposite(opposite, x.to)
	}
	empty := true
	legend := legend{picture: &p, x: margin}
	var inside, over picture // lines are cut at the frame, marks are not
	for _, d := range list {
		up := y
		if d.Right {
			up = opposite
		}
		d.trace(&inside, &over, x, up)
		empty = empty && !slices.ContainsFunc(d.Y, func(v float64) bool { return shows(v, f.LogY) })
		if d.Name != "" {
			legend.add(d)
		}
	}
	wide := x.to - x.from
	fmt.Fprintf(&p, "<svg x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" viewBox=\"%[1]g %[2]g %[3]g %[4]g\">\n%s</svg>\n",
		x.from, y.to, wide, y.from-y.to, inside.Bytes())
	p.Write(over.Bytes())
	if empty {
		p.text(x.middle(), y.middle(), "middle", wide, f.Nothing(), "")
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
	if out := f.LeftOut(); out != "" {
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
		if !shows(d.X[i], x.Log) || !shows(d.Y[i], y.Log) {
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
		inside.stroke(path.String(), inks[d.Ink], dashes[line], thicknesses[line])
	}
	if marks.Len() > 0 {
		over.stroke(marks.String(), inks[d.Ink], "none", 1.5)
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
	middle := l.height + line/2 - 4
	if d.Line != NoLine {
		path := fmt.Sprintf("M%.2f,%.2fh%g", l.x, middle, swatch-8)
		l.stroke(path, inks[d.Ink], dashes[d.Line], thicknesses[d.Line])
	}
	if d.Mark != NoSymbol {
		path := fmt.Sprintf("M%.2f,%.2f%s", l.x+swatch/2-4, middle, shapes[d.Mark])
		l.stroke(path, inks[d.Ink], "none", 1.5)
	}
	l.text(l.x+swatch, middle+4, "start", room, d.Name, "")
	l.x += wide
}

// opposite draws an axis on the right, in the colour of inputs.
func (p *picture) opposite(y scale, x float64) {
	ink := inks[InkInput]
	filled := fmt.Sprintf(` fill="%s"`, ink)
	for _, t := range y.Ticks {
		at := y.pixel(t.At)
		p.stroke(fmt.Sprintf("M%.2f,%.2fh4", x, at), ink, "none", 1)
		p.text(x+8, at+4, "start", width, t.Label, filled)
	}
}

// frame draws a frame with a title, ticks, a faint grid and names of the axes.
func (p *picture) frame(title string, x, y scale, xName, yName string) {
	const faint = "#e4e4e4"
	const larger = 1.2 // letters of the title
	p.text(width/2, header-14, "middle", (width-2*margin)/larger, title, fmt.Sprintf(` font-size="%g"`, larger*letters))
	free := 0.0 // left end of the room for the next label
	for _, t := range x.Ticks {
		at := x.pixel(t.At)
		p.stroke(fmt.Sprintf("M%.2f,%.2fV%.2f", at, y.from, y.to), faint, "none", 1)
		p.stroke(fmt.Sprintf("M%.2f,%.2fv4", at, y.from), axisInk, "none", 1)
		if half := textWidth(t.Label) / 2; at-half >= free {
			p.text(at, y.from+18, "middle", width, t.Label, "")
			free = at + half + 6
		}
	}
	for _, t := range y.Ticks {
		at := y.pixel(t.At)
		p.stroke(fmt.Sprintf("M%.2f,%.2fH%.2f", x.from, at, x.to), faint, "none", 1)
		p.stroke(fmt.Sprintf("M%.2f,%.2fh-4", x.from, at), axisInk, "none", 1)
		p.text(x.from-8, at+4, "end", width, t.Label, "")
	}
	edge := fmt.Sprintf("M%.2f,%.2fH%.2fV%.2fH%.2fz", x.from, y.from, x.to, y.to, x.from)
	p.stroke(edge, axisInk, "none", 1)
	p.text(x.middle(), y.from+38, "middle", x.to-x.from, xName, "")
	if yName != "" {
		left := x.from - 8 - y.labels() - 8
		turned := fmt.Sprintf(` transform="rotate(-90 %.2f %.2f)"`, left, y.middle())
		p.text(left, y.middle(), "middle", y.from-y.to, yName, turned)
	}
}

// axisInk is the colour of axes.
const axisInk = "#555555"

// A Ramp is equally spaced colours of a scale, 8 bits for each of red, green and blue.
type Ramp [][3]uint8

// At returns the colour at fraction t of the scale, 0 to 1, between its neighbours.
func (r Ramp) At(t float64) color.NRGBA {
	at := t * float64(len(r)-1)
	k := min(int(at), len(r)-2)
	mix := func(c int) uint8 {
		a := float64(r[k][c])
		b := float64(r[k+1][c])
		return uint8(math.Round(a + (at-float64(k))*(b-a)))
	}
	return color.NRGBA{R: mix(0), G: mix(1), B: mix(2), A: 0xff}
}

// Viridis is the colour map of Smith and van der Walt (2015) at steps of a tenth: perceptually uniform, with increasing
// lightness for all kinds of colour vision.
var Viridis = Ramp{
	{0x44, 0x01, 0x54}, {0x48, 0x24, 0x75}, {0x41, 0x44, 0x87}, {0x35, 0x5f, 0x8d}, {0x2a, 0x78, 0x8e}, {0x21, 0x91, 0x8c},
	{0x22, 0xa8, 0x84}, {0x44, 0xbf, 0x70}, {0x7a, 0xd1, 0x51}, {0xbd, 0xdf, 0x26}, {0xfd, 0xe7, 0x25},
}

// BlueBrown is the colour map of values whose zero matters. It has CIE lightness 33, 46, 60, 74 and 87 on both sides of
// a grey that contrasts with white and black; blue against brown is safe for all dichromats.
var BlueBrown = Ramp{
	{0x00, 0x4f, 0x93}, {0x1b, 0x70, 0xb7}, {0x5c, 0x95, 0xcc}, {0x98, 0xba, 0xd9}, {0xda, 0xda, 0xda},
	{0xd4, 0xaf, 0x89}, {0xc1, 0x84, 0x45}, {0xa4, 0x5a, 0x1f}, {0x7e, 0x3a, 0x11},
}

// steps is the number of colours of a heat map. An additional colour, white, represents values that are not finite.
const steps = 255

// heatMap draws a field and its scale. Each value is a square around its point.
func heatMap(f Field) picture {
	ramp := Viridis
	if f.Signed {
		ramp = BlueBrown
	}
	const bottom = header + fieldSide
	columns := f.Columns()
	across, up := f.Axes(standardColumns, standardRows)
	x := around(across, f.R, (width-fieldSide)/2, (width+fieldSide)/2)
	y := around(up, columns, bottom, header)
	data, _ := f.Extent()
	scaled := f.Scale(data)
	colors := scale{
		Axis: Axis{Lo: scaled.Lo, Hi: scaled.Hi, Ticks: roundTicks(scaled)},
		from: bottom,
		to:   header,
	}
	p := picture{height: bottom + footer}
	title := fmt.Sprintf("%s, %.3g to %.3g", f.Title, scaled.Lo, scaled.Hi)
	p.frame(title, x, y, f.Horizontal().Name, f.Vertical().Name)
	pixels := image.NewPaletted(image.Rect(0, 0, f.R, columns), palette(ramp))
	for k, v := range f.Values { // value i*columns + j is in column i and, from below, row j
		index := steps
		if shows(v, false) {
			t := min(1, max(0, colors.Fraction(v)))
			index = int(math.Round(t * (steps - 1)))
		}
		column := k / columns
		row := columns - 1 - k%columns
		pixels.SetColorIndex(column, row, uint8(index))
	}
	p.image(pixels, x.from, fieldSide)
	const barWidth = 14.0
	left := x.to + margin
	bar := image.NewPaletted(image.Rect(0, 0, 1, steps), palette(ramp))
	for i := range steps {
		bar.SetColorIndex(0, steps-1-i, uint8(i))
	}
	p.image(bar, left, barWidth)
	right := left + barWidth
	for _, t := range colors.Ticks {
		at := colors.at(t.At)
		p.stroke(fmt.Sprintf("M%.2f,%.2fh4", right, at), axisInk, "none", 1)
		p.text(right+8, at+4, "start", width-right-8, t.Label, "")
	}
	return p
}

// around returns the scale of equispaced points, with half of their distance beyond both ends, from pixel from to pixel
// to.
func around(a Axis, points int, from, to float64) scale {
	half := (a.Hi - a.Lo) / 2 / float64(max(points-1, 1))
	a.Lo -= half
	a.Hi += half
	return scale{a, from, to}
}

// image adds pixels, stretched to a width and the height of a field.
func (p *picture) image(pixels image.Image, left, wide float64) {
	var content bytes.Buffer
	if err := png.Encode(&content, pixels); err != nil {
		panic("report: " + err.Error()) // a buffer does not fail
	}
	encoded := base64.StdEncoding.EncodeToString(content.Bytes())
	fmt.Fprintf(p, "<image x=\"%.2f\" y=\"%g\" width=\"%g\" height=\"%g\" preserveAspectRatio=\"none\" "+
		"image-rendering=\"optimizeSpeed\" xlink:href=\"data:image/png;base64,%s\"/>\n",
		left, header, wide, fieldSide, encoded)
}

// palette returns the steps between the colours of a ramp, and white.
func palette(ramp Ramp) color.Palette {
	p := make(color.Palette, steps+1)
	for i := range steps {
		p[i] = ramp.At(float64(i) / (steps - 1))
	}
	p[steps] = color.White
	return p
}
