package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"image/png"
	"math"
	"strconv"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

// element is an SVG element with its content.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e element) attribute(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e element) number(t *testing.T, name string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(e.attribute(name), 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", name, e, err)
	}
	return v
}

// all returns the elements of a name, at any depth.
func (e element) all(name string) (found []element) {
	for _, c := range e.Children {
		if c.XMLName.Local == name {
			found = append(found, c)
		}
		found = append(found, c.all(name)...)
	}
	return found
}

func drawn(t *testing.T, r Page) element {
	t.Helper()
	text, err := r.SVG()
	noError(t, err)
	var e element
	if err := xml.Unmarshal(text, &e); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if strings.Contains(string(text), "NaN") || strings.Contains(string(text), "Inf") {
		t.Errorf("a coordinate is not a number:\n%s", text)
	}
	return e
}

// Long, hostile or extreme names and values stay within the page.
func TestNothingIsCutAtTheEdges(t *testing.T) {
	curve := func(x, y []float64) Curve { return Curve{Name: "c", X: x, Y: y} }
	long := strings.Repeat("a name without end <&> ", 20)
	for name, f := range map[string]Figure{
		"long names": {Title: long, XLabel: long, YLabel: long,
			Curves: []Curve{{Name: long, X: []float64{1}, Y: []float64{2}}}},
		"ideographs": {Title: strings.Repeat("数", 80), Curves: []Curve{{Name: strings.Repeat("数", 80),
			X: []float64{1}, Y: []float64{2}}}},
		"control letters": {Title: "\x1b[31m\x00\xff", Curves: []Curve{curve([]float64{1}, []float64{1})}},
		"extremes":        {Curves: []Curve{curve([]float64{-1e300, 1e300}, []float64{-1e300, 1e300})}},
		"beyond extremes": {Curves: []Curve{curve([]float64{0, 1, 2},
			[]float64{math.Inf(1), math.MaxFloat64, -math.MaxFloat64})}},
		"denormal numbers": {Curves: []Curve{curve([]float64{0, 5e-324}, []float64{5e-324, 1e-310})}},
		"many decades": {LogX: true, LogY: true, Curves: []Curve{curve([]float64{1e-300, 1e300},
			[]float64{5e-324, 1e300})}},
		"all but constant": {Curves: []Curve{curve([]float64{1e9, 1e9 + 2}, []float64{1, 1 + 1e-15})}},
		"narrow logarithm": {LogY: true, Curves: []Curve{curve([]float64{1, 2}, []float64{0.041, 0.0415})}},
		"a small value":    {LogX: true, LogY: true, Curves: []Curve{{X: []float64{1e-4}, Y: []float64{0.04}, Points: true}}},
		"equal values":     {LogX: true, LogY: true, Curves: []Curve{curve([]float64{0.1, 0.1}, []float64{0.04, 0.04})}},
		"nothing":          {LogX: true, LogY: true, Curves: []Curve{curve([]float64{0}, []float64{math.NaN()})}},
		"long labels": {Curves: []Curve{curve([]float64{123456789, 123456790},
			[]float64{-123456789, -123456788})}},
	} {
		ticks := 0
		for _, e := range drawn(t, Page{Figures: []Figure{f}}).all("text") {
			if e.attribute("transform") != "" { // rotated by a right angle
				if wide := textWidth(e.Text); wide > frameHeight {
					t.Errorf("%s: %q is %g wide", name, e.Text, wide)
				}
				continue
			}
			left, wide := e.number(t, "x"), textWidth(e.Text)
			if e.attribute("font-size") != "" {
				wide *= 1.2
			}
			switch e.attribute("text-anchor") {
			case "middle":
				left -= wide / 2
			case "end":
				left -= wide
				ticks++
			}
			if left < 0 || left+wide > width {
				t.Errorf("%s: %q reaches from %.0f to %.0f", name, e.Text, left, left+wide)
			}
		}
		if ticks < 2 || ticks > 12 {
			t.Errorf("%s: %d ticks", name, ticks)
		}
	}
}

func TestLabelsOfAnAxisDoNotTouch(t *testing.T) {
	for name, x := range map[string][]float64{"short": {0, 1}, "long": {123456780, 123456789},
		"longer": {-1.2345678e-9, -1.2345671e-9}} {
		end := math.Inf(-1)
		f := Figure{Curves: []Curve{{Name: "c", X: x, Y: []float64{0, 1}, Points: true}}}
		for _, e := range drawn(t, Page{Figures: []Figure{f}}).all("text") {
			if e.attribute("text-anchor") != "middle" || e.Text == "" {
				continue
			}
			if at, half := e.number(t, "x"), textWidth(e.Text)/2; at-half < end {
				t.Errorf("%s: %q begins at %.0f, before %.0f", name, e.Text, at-half, end)
			} else {
				end = at + half
			}
		}
	}
}

// The entries of a long legend wrap, below the frame, each with its own line or mark, and pictures do not overlap.
func TestLegendsAreBelowTheFrame(t *testing.T) {
	f := Figure{Title: "many", XLabel: "x", YLabel: "y"}
	for i := range 12 {
		f.Curves = append(f.Curves,
			Curve{Name: "curve number " + strconv.Itoa(i), X: []float64{0, 1}, Y: []float64{float64(i), 1}},
			Curve{Name: "of the paper " + strconv.Itoa(i), X: []float64{0, 1}, Y: []float64{float64(i), 1},
				Published: true})
	}
	page := drawn(t, Page{Figures: []Figure{f, f}})
	groups := page.all("g")
	if len(groups) != 2 {
		t.Fatalf("%d pictures", len(groups))
	}
	lowest, entries, lines := 0.0, 0, map[float64]bool{}
	for _, e := range groups[0].all("text") {
		y := e.number(t, "y")
		lowest = max(lowest, y)
		if e.attribute("text-anchor") == "start" {
			entries++
			lines[y] = true
			if y < header+frameHeight+footer-line/2 {
				t.Errorf("%q is at %g, in the frame or its labels", e.Text, y)
			}
		}
	}
	if entries != mostDrawn+3 || len(lines) < 3 { // of many similar curves some are drawn, and three published ones
		t.Errorf("%d entries in %d lines", entries, len(lines))
	}
	offset := strings.TrimSuffix(strings.TrimPrefix(groups[1].attribute("transform"), "translate(0,"), ")")
	if top, err := strconv.ParseFloat(offset, 64); err != nil || top < lowest+4 || 2*top != page.number(t, "height") {
		t.Errorf("the second picture begins at %s, the legend ends at %g, the page at %s", offset, lowest,
			page.attribute("height"))
	}
}

// A value outside the range of an axis interrupts a curve.
func TestGapsAreNotBridged(t *testing.T) {
	f := Figure{LogY: true, Curves: []Curve{{Name: "c", X: []float64{1, 2, 3, 4, 5},
		Y: []float64{1, 2, 0, 2, 1}}}}
	for _, e := range drawn(t, Page{Figures: []Figure{f}}).all("path") {
		if e.attribute("stroke") == inks[InkPrediction] && strings.Contains(e.attribute("d"), "L") {
			if d := e.attribute("d"); strings.Count(d, "M") != 2 {
				t.Errorf("%s is one stroke", d)
			}
			return
		}
	}
	t.Error("there is no curve")
}

// x1 points right and x2 up, zero of signed values has the middle colour, and values that are not finite are white.
func TestHeatMapHasItsValuesInPlace(t *testing.T) {
	nan := math.NaN()
	f := Field{Title: "f", R: 3, Signed: true, Values: []float64{-1, 0, 0, 0, nan, 0, 0, 0, 0.5}}
	images := drawn(t, Page{Fields: []Field{f}}).all("image")
	if len(images) != 2 {
		t.Fatalf("%d images, the field and its scale are expected", len(images))
	}
	content, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(images[0].attribute("href"),
		"data:image/png;base64,"))
	noError(t, err)
	picture, err := png.Decode(bytes.NewReader(content))
	noError(t, err)
	for _, want := range []struct {
		x, y, index int
	}{{0, 2, 0}, {2, 0, 191}, {1, 0, 127}, {1, 1, steps}} {
		r, g, b, _ := picture.At(want.x, want.y).RGBA()
		wr, wg, wb, _ := palette(BlueBrown)[want.index].RGBA()
		if r != wr || g != wg || b != wb {
			t.Errorf("column %d, row %d: %x %x %x, colour %d is %x %x %x", want.x, want.y, r, g, b, want.index, wr, wg, wb)
		}
	}
}

func TestTicksAreRoundAndFew(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		want   string
	}{
		{0.03, 0.4, "log 0.05 0.1 0.2"},
		{17, 1025, "log 20 50 100 200 500 1000"},
		{1e-12, 0.1, "log 1e-12 1e-10 1e-8 1e-6 1e-4 1e-2"},
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{-0.29, 0.42, "-0.2 -0.1 0.0 0.1 0.2 0.3 0.4"},
		{0.041, 0.0415, "0.0410 0.0411 0.0412 0.0413 0.0414 0.0415"},
		{3, 12, "4 6 8 10 12"},
		{0, 1e6, "0 2e+5 4e+5 6e+5 8e+5 1e+6"},
	} {
		var labels []string
		ticks := roundTicks(Span{test.lo, test.hi})
		if strings.HasPrefix(test.want, "log") {
			labels, ticks = []string{"log"}, logTicks(Span{math.Log10(test.lo), math.Log10(test.hi)}, 8)
		}
		for _, tick := range ticks {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%g to %g: %s, want %s", test.lo, test.hi, got, test.want)
		}
	}
}

func TestWhatHasNoShapeIsRefused(t *testing.T) {
	for name, r := range map[string]Page{
		"curve": {Figures: []Figure{{Curves: []Curve{{X: []float64{1}}}}}},
		"field": {Fields: []Field{{R: 2, Values: []float64{1}}}},
		"empty": {Fields: []Field{{}}},
	} {
		if text, err := r.SVG(); err == nil {
			t.Errorf("%s: drawn as %s", name, text)
		}
	}
	if text, err := new(Page).SVG(); text != nil || err != nil {
		t.Errorf("a page without pictures: %d bytes, %v", len(text), err)
	}
}

// Whatever a figure says about its drawing changes the exported picture: the roles of curves, the ends of the axes, marks,
// the place below another figure, logarithmic axes, points, published values.
func TestExportsDifferInWhateverTheScreenShows(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	base := func() Figure {
		return Figure{XLabel: "x", Curves: []Curve{{Name: "truth", X: x, Y: []float64{1, 2, 4, 3}, Role: AsTruth},
			{Name: "other", X: x, Y: []float64{1, 3, 4, 2}, Role: AsError}}}
	}
	seen := map[string]string{}
	for name, change := range map[string]func(*Figure){
		"nothing": func(*Figure) {}, "role": func(f *Figure) { f.Curves[1].Role = AsPrediction },
		"input": func(f *Figure) { f.Curves[1].Role = AsInput }, "level": func(f *Figure) { f.Curves[1].Role = AsLevel },
		"X0": func(f *Figure) { f.X0, f.X1 = -1, 4 }, "X1": func(f *Figure) { f.X0, f.X1 = 1, 9 },
		"YMin": func(f *Figure) { f.YMin = new(-3.0) }, "YMax": func(f *Figure) { f.YMax = new(9.0) },
		"marked": func(f *Figure) { f.Curves[0].Marked = true }, "below": func(f *Figure) { f.Below = true },
		"log y": func(f *Figure) { f.LogY = true }, "log x": func(f *Figure) { f.LogX = true },
		"points": func(f *Figure) { f.Curves[1].Points = true }, "alike": func(f *Figure) { f.Curves[1].Role = Alike },
		"published": func(f *Figure) { f.Curves[1].Published = true }, "scale": func(f *Figure) {
			f.Curves[1].Role = AsInput
			f.Curves[1].Y = []float64{100, 300, 400, 200}
		},
	} {
		f := base()
		change(&f)
		text, err := Page{Figures: []Figure{f}}.SVG()
		noError(t, err)
		if before, taken := seen[string(text)]; taken {
			t.Errorf("%s and %s give equal bytes", name, before)
		}
		seen[string(text)] = name
	}
}

// A pinned end is the end of the axis: what lies beyond it is cut.
func TestPinnedEndsAreTheEndsOfTheAxis(t *testing.T) {
	f := Figure{X0: 1, X1: 3, YMin: new(0.0), YMax: new(2.0)}
	if a := f.Left(16); a.Lo != 0 || a.Hi != 2 {
		t.Errorf("vertical axis from %g to %g", a.Lo, a.Hi)
	}
	if a := f.Bottom(64); a.Lo != 1 || a.Hi != 3 {
		t.Errorf("horizontal axis from %g to %g", a.Lo, a.Hi)
	}
	f = Figure{X1: 1, Curves: []Curve{{X: []float64{0, 0.5, 1}, Y: []float64{0.01, 0.03, 0.02}}}}
	for want, ends := range map[Span][2]*float64{{Hi: 0.03}: {new(0.0), nil}, {Lo: 0.01, Hi: 0.05}: {nil, new(0.05)}} {
		f.YMin, f.YMax = ends[0], ends[1]
		if got := f.vertical(false).Pinned(f.YMin, f.YMax, false); got != want {
			t.Errorf("range %v, want %v", got, want)
		}
	}
}
