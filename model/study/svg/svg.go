// Package svg draws the figures and fields of studies as vector graphics.
package svg

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"rfm/model/study"
)

// Size of one picture; those of a result stand one below the other.
const (
	width       = 16 * vg.Centimeter
	height      = 10 * vg.Centimeter
	fieldHeight = 14 * vg.Centimeter
)

// colours are those of Okabe and Ito (2008) that differ for dichromats too, from dark to light.
var colours = [...]color.RGBA{
	{0x00, 0x00, 0x00, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff},
	{0xcc, 0x79, 0xa7, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x99, 0x99, 0x99, 0xff},
}

// dashes and shapes tell curves and marks apart without colour, too.
func dashes(i int) []vg.Length {
	return [...][]vg.Length{nil, {vg.Points(6), vg.Points(3)}, {vg.Points(2), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}[i%4]
}

func shape(i int) draw.GlyphDrawer {
	return [...]draw.GlyphDrawer{draw.RingGlyph{}, draw.CrossGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.PlusGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.CircleGlyph{}}[i%8]
}

// Draw is all figures and fields of a result as one SVG document; nil if it has none. The error says what cannot be drawn.
func Draw(r study.Result) ([]byte, error) {
	type picture struct {
		plot   *plot.Plot
		height vg.Length
	}
	var pictures []picture
	total := vg.Length(0)
	for _, f := range r.Figures {
		p, err := lines(f)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", r.Study, f.Title, err)
		}
		pictures, total = append(pictures, picture{p, height}), total+height
	}
	for _, f := range r.Fields {
		pictures, total = append(pictures, picture{heatMap(f), fieldHeight}), total+fieldHeight
	}
	if len(pictures) == 0 {
		return nil, nil
	}
	canvas := vgsvg.New(width, total)
	page := draw.New(canvas)
	top := vg.Length(0)
	for _, p := range pictures {
		p.plot.Draw(draw.Crop(page, 0, 0, total-top-p.height, -top))
		top += p.height
	}
	var text bytes.Buffer
	if _, err := canvas.WriteTo(&text); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Study, err)
	}
	return text.Bytes(), nil
}

// lines draws curves; published ones are marks in the colour of the curve that stands at the same place among ours.
func lines(f study.Figure) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.Title, f.XLabel, f.YLabel
	p.Legend.Top, p.Legend.TextStyle.Font.Size = true, vg.Points(9)
	p.Legend.Left = rises(f)
	if f.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	if f.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.TickerFunc(logTicks)
	}
	drawn := map[bool]int{} // curves so far, marks and lines apart
	legend := false         // published numbers have one
	for _, c := range f.Curves {
		xys := visible(c, f.LogX, f.LogY)
		marks := c.Published || c.Points
		place := drawn[marks]
		colour := colours[place%len(colours)]
		drawn[marks]++
		if len(xys) == 0 {
			continue
		}
		if marks {
			s, err := plotter.NewScatter(xys)
			if err != nil {
				return nil, err
			}
			s.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: 3, Shape: shape(place)}
			p.Add(s)
			switch {
			case c.Points:
				p.Legend.Add(c.Name, s)
			case !legend: // one entry for all: colours and shapes say which is which
				p.Legend.Add("paper", s)
				legend = true
			}
			continue
		}
		l, err := plotter.NewLine(xys)
		if err != nil {
			return nil, err
		}
		l.Color, l.Width, l.Dashes = colour, 1.2, dashes(place)
		p.Add(l)
		p.Legend.Add(c.Name, l)
	}
	if f.LogX {
		widen(&p.X)
	}
	if f.LogY {
		widen(&p.Y)
	}
	return p, nil
}

// widen gives a logarithmic axis a range of positive numbers also if there is nothing on it, or a single value.
func widen(a *plot.Axis) {
	switch {
	case a.Min > a.Max:
		a.Min, a.Max = 1, 10
	case a.Min == a.Max:
		a.Min, a.Max = a.Min/2, a.Max*2
	}
}

// rises says whether the first curve ends higher than it begins, so that there is room above its beginning.
func rises(f study.Figure) bool {
	if len(f.Curves) == 0 || len(f.Curves[0].Y) == 0 {
		return false
	}
	y := f.Curves[0].Y
	return y[len(y)-1] > y[0]
}

// wide is the ratio from which on a logarithmic axis has labels at powers of ten only.
const wide = 300

// logTicks labels 1, 2 and 5 times the powers of ten, or the powers alone if there are many.
func logTicks(lo, hi float64) (ticks []plot.Tick) {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := 1 + (last-first)/8
	for e := first; e <= last; e++ {
		for _, digit := range []int{1, 2, 5} {
			value, err := strconv.ParseFloat(fmt.Sprintf("%de%d", digit, e), 64) // exact to the last bit, unlike a power
			if err != nil {
				panic("svg: " + err.Error()) // this is a number
			}
			labelled := hi < wide*lo || digit == 1 && (e-first)%every == 0
			if value < lo || value > hi || !labelled {
				continue
			}
			ticks = append(ticks, plot.Tick{Value: value, Label: strconv.FormatFloat(value, 'g', -1, 64)})
		}
	}
	return ticks
}

// visible are the points of a curve that the axes can show.
func visible(c study.Curve, logX, logY bool) plotter.XYs {
	fits := func(v float64, log bool) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) && (v > 0 || !log) }
	var xys plotter.XYs
	for i, x := range c.X {
		if fits(x, logX) && fits(c.Y[i], logY) {
			xys = append(xys, plotter.XY{X: x, Y: c.Y[i]})
		}
	}
	return xys
}

// field is a study's field as the plotter wants it: column c is at x_1, row r at x_2.
type field struct{ study.Field }

func (f field) Dims() (c, r int)   { return f.R, f.R }
func (f field) Z(c, r int) float64 { return f.Values[c*f.R+r] }
func (f field) X(c int) float64    { return float64(c) / float64(f.R-1) }
func (f field) Y(r int) float64    { return float64(r) / float64(f.R-1) }

// colourSteps is the number of colours of a heat map.
const colourSteps = 64

func heatMap(f study.Field) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = "x1", "x2"
	colours := moreland.ExtendedBlackBody().Palette(colourSteps)
	if f.Signed {
		colours = moreland.SmoothBlueRed().Palette(colourSteps)
	}
	h := plotter.NewHeatMap(field{f}, colours)
	if f.Signed {
		h.Max = max(math.Abs(h.Min), math.Abs(h.Max))
		h.Min = -h.Max
	}
	if h.Min == h.Max { // a constant needs a range
		h.Max++
	}
	h.Rasterized = true // no seams between the cells
	p.Title.Text = fmt.Sprintf("%s, %.3g to %.3g", f.Title, h.Min, h.Max)
	p.Add(h)
	return p
}
