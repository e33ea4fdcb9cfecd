// This file draws fields as SVG: colours, heat maps and their scales.

package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// A Ramp is equally spaced colours of a scale, 8 bits for each of red, green and blue.
type Ramp [][3]uint8

// At returns the colour at fraction t of the scale, 0 to 1, between its neighbours.
func (r Ramp) At(t float64) color.NRGBA {
	at := t * float64(len(r)-1)
	k := min(int(at), len(r)-2)
	part := at - float64(k)
	mix := func(c int) uint8 {
		a := float64(r[k][c])
		b := float64(r[k+1][c])
		return uint8(math.Round(a + part*(b-a)))
	}
	return color.NRGBA{
		R: mix(0),
		G: mix(1),
		B: mix(2),
		A: 0xff,
	}
}

// Viridis is the colour map of Smith and van der Walt (2015) at steps of a tenth: perceptually uniform, with increasing
// lightness for all kinds of colour vision.
var Viridis = Ramp{
	{0x44, 0x01, 0x54},
	{0x48, 0x24, 0x75},
	{0x41, 0x44, 0x87},
	{0x35, 0x5f, 0x8d},
	{0x2a, 0x78, 0x8e},
	{0x21, 0x91, 0x8c},
	{0x22, 0xa8, 0x84},
	{0x44, 0xbf, 0x70},
	{0x7a, 0xd1, 0x51},
	{0xbd, 0xdf, 0x26},
	{0xfd, 0xe7, 0x25},
}

// BlueBrown is the colour map of values whose zero matters. It has CIE lightness 33, 46, 60, 74 and 87 on both sides of
// a grey that contrasts with white and black; blue against brown is safe for all dichromats.
var BlueBrown = Ramp{
	{0x00, 0x4f, 0x93},
	{0x1b, 0x70, 0xb7},
	{0x5c, 0x95, 0xcc},
	{0x98, 0xba, 0xd9},
	{0xda, 0xda, 0xda},
	{0xd4, 0xaf, 0x89},
	{0xc1, 0x84, 0x45},
	{0xa4, 0x5a, 0x1f},
	{0x7e, 0x3a, 0x11},
}

// steps is the number of colours of a heat map. An additional colour, white, represents values that are not finite.
const steps = 255

// heatMap draws a field and its scale. Each value is a square around its point.
func heatMap(f Field) picture {
	ramp := Viridis
	if f.Signed {
		ramp = BlueBrown
	}
	const (
		bottom = header + fieldSide
		left   = (width - fieldSide) / 2
		right  = left + fieldSide
	)
	across, up := f.Axes(standardColumns, standardRows)
	x := around(across, f.R, left, right)
	y := around(up, f.Columns(), bottom, header)
	data, _ := f.Extent()
	scaled := f.Scale(data)
	colors := scale{
		Axis: Axis{
			Lo:    scaled.Lo,
			Hi:    scaled.Hi,
			Ticks: roundTicks(scaled),
		},
		from: bottom,
		to:   header,
	}
	p := picture{height: bottom + footer}
	title := fmt.Sprintf("%s, %.3g to %.3g", f.Title, scaled.Lo, scaled.Hi)
	p.frame(title, x, y, f.Horizontal().Name, f.Vertical().Name)
	p.image(f.pixels(colors, palette(ramp)), x.from, fieldSide)
	p.colorBar(colors, palette(ramp), x.to+margin)
	return p
}

// pixels returns a pixel for each value of the field.
func (f Field) pixels(colors scale, p color.Palette) *image.Paletted {
	columns := f.Columns()
	bounds := image.Rect(0, 0, f.R, columns)
	pixels := image.NewPaletted(bounds, p)
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
	return pixels
}

// colorBar draws the colours of a field from left on, with their values.
func (p *picture) colorBar(colors scale, of color.Palette, left float64) {
	const barWidth = 14.0
	bounds := image.Rect(0, 0, 1, steps)
	bar := image.NewPaletted(bounds, of)
	for i := range steps {
		bar.SetColorIndex(0, steps-1-i, uint8(i))
	}
	p.image(bar, left, barWidth)
	right := left + barWidth
	p.ticksRightOf(right, colors, axisInk, text{room: width - right - 8})
}

// around returns the scale of equispaced points, with half of their distance beyond both ends, from pixel from to pixel
// to.
func around(a Axis, points int, from, to float64) scale {
	intervals := max(points-1, 1)
	half := (a.Hi - a.Lo) / 2 / float64(intervals)
	a.Lo -= half
	a.Hi += half
	return scale{Axis: a, from: from, to: to}
}

// image adds pixels, stretched to a width and the height of a field.
func (p *picture) image(pixels image.Image, left, wide float64) {
	var content bytes.Buffer
	err := png.Encode(&content, pixels)
	if err != nil {
		panic("report: " + err.Error()) // a buffer does not fail
	}
	const element = `<image x="%.2f" y="%g" width="%g" height="%g" preserveAspectRatio="none" ` +
		`image-rendering="optimizeSpeed" xlink:href="data:image/png;base64,%s"/>` + "\n"
	encoded := base64.StdEncoding.EncodeToString(content.Bytes())
	fmt.Fprintf(p, element, left, header, wide, fieldSide, encoded)
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
