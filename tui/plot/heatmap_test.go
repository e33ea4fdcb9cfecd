// Heat maps show the field they are given: orientation, averages, scale, colours, exact size for everything, and few
// bytes.

package plot

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

// readField reads a field written as text, one line for each x1.
func readField(t testing.TB, name string) (field []float64, r int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("#")) {
			continue
		}
		r++
		for word := range bytes.FieldsSeq(line) {
			v, err := strconv.ParseFloat(string(word), 64)
			if err != nil {
				t.Fatal(err)
			}
			field = append(field, v)
		}
	}
	return field, r
}

// onGrid evaluates f on the closed r x r grid.
func onGrid(r int, f func(x1, x2 float64) float64) []float64 {
	field := make([]float64, 0, r*r)
	for i := range r {
		for j := range r {
			field = append(field, f(float64(i)/float64(r-1), float64(j)/float64(r-1)))
		}
	}
	return field
}

// bump vanishes on the boundary, has its maximum off the middle and both signs.
func bump(x1, x2 float64) float64 {
	return math.Sin(math.Pi*x1)*math.Sin(math.Pi*x2) + 0.8*math.Sin(2*math.Pi*x1)*math.Sin(3*math.Pi*x2)
}

func heatMaps(t testing.TB, width, height int, th theme.Theme) map[string]HeatMap {
	coefficient, r := readField(t, "darcy_coefficient.txt")
	solution, _ := readField(t, "darcy_solution.txt")
	failure := onGrid(65, bump)
	broken := slices.Clone(solution)
	broken[8*r+8], broken[3*r+12] = math.NaN(), math.Inf(1)
	return map[string]HeatMap{
		"coefficient": {Field: coefficient, R: r, Width: width, Height: height, Bar: true, Title: "Coefficient a", Theme: th},
		"solution": {Field: solution, R: r, Width: width, Height: height, Bar: true, Smooth: true, Cut: new(4),
			Title: "Solution u", Theme: th},
		"difference": {Field: failure, R: 65, Width: width, Height: height, Bar: true, Smooth: true, Signed: true,
			Title: "u - F(a)", Theme: th},
		"brokenfield": {Field: broken, R: r, Width: width, Height: height, Bar: true, Max: new(0.02), Cut: new(12),
			Title: "Broken", Theme: th},
	}
}

func TestHeatMapsMatchGoldenFiles(t *testing.T) {
	var s sheet
	for _, size := range [][2]int{{38, 18}, {76, 20}, {20, 7}} {
		for _, mode := range modes {
			for name, h := range heatMaps(t, size[0], size[1], theme.New(mode)) {
				s.add(name, size, mode.ASCII, h.Render())
			}
		}
	}
	s.compare(t)
}

// nastyFields returns fields that break a picture drawn without care.
func nastyFields() map[string][]float64 {
	nan, inf := math.NaN(), math.Inf(1)
	fill := func(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n*n) }
	some := onGrid(33, bump)
	for i := 0; i < len(some); i += 7 {
		some[i] = nan
	}
	return map[string][]float64{
		"empty": nil, "one point": {3}, "one NaN": {nan}, "two by two": {1, 2, 3, 4}, "three by three": onGrid(3, bump),
		"zero": fill(5, 0), "constant": fill(17, 7), "all NaN": fill(9, nan), "infinite": fill(4, inf),
		"mixed": {1, nan, inf, 2, -inf, 3, nan, 0, -1}, "some NaN": some,
		"denormal": {5e-324, 0, -5e-324, 1e-323}, "huge": {1e300, -1e300, 0, 1},
		"report.Largest":   {math.MaxFloat64, -math.MaxFloat64, 1, 0},
		"all but constant": {1, 1 + 1e-15, 1 - 1e-15, 1}, "long labels": {-1.23e-200, 1.23e-250, 1e-290, -9.99e-201},
	}
}

func themes() map[string]theme.Theme {
	return map[string]theme.Theme{
		"dark": theme.New(theme.Options{}), "light": theme.New(theme.Options{Light: true}),
		"no colour": theme.New(theme.Options{NoColor: true}),
		"ASCII":     theme.New(theme.Options{ASCII: true}), "plain": theme.New(theme.Options{NoColor: true, ASCII: true}),
	}
}

func TestHeatMapHasExactSizeForAllSizesAndData(t *testing.T) {
	th := themes()
	names := []string{"dark", "no colour", "ASCII", "plain", "light"}
	for name, field := range nastyFields() {
		t.Run(name, func(t *testing.T) {
			r := int(math.Sqrt(float64(len(field))))
			for i, size := range sizes() {
				h := HeatMap{Field: field, R: r, Width: size[0], Height: size[1], Theme: th[names[i%len(names)]],
					Colors: ColorDepth(i % 3),
					Signed: i%2 == 0, Smooth: i%3 == 0, Bar: i%4 != 0, Title: "title"}
				if i%5 == 0 && r > 0 {
					h.Cut = new(i % r)
				}
				if i%6 == 1 {
					h.Min = new(float64(i%11 - 5))
				}
				if i%4 == 1 {
					h.Max = new(float64(i%13 - 6))
				}
				checkSize(t, h.Render(), size[0], size[1])
			}
		})
	}
}

func TestHeatMapWithoutCellsIsEmpty(t *testing.T) {
	for _, size := range [][2]int{{0, 5}, {5, 0}, {-3, 5}} {
		if s := (HeatMap{Width: size[0], Height: size[1], Theme: theme.New(theme.Options{})}).Render(); s != "" {
			t.Errorf("heat map of %v: %q", size, s)
		}
	}
}

func TestASCIIHeatMapIsPrintableASCII(t *testing.T) {
	for _, name := range []string{"ASCII", "plain"} {
		for picture, h := range heatMaps(t, 40, 14, themes()[name]) {
			h.Title = "θ₁"
			for _, b := range []byte(ansi.Strip(h.Render())) {
				if b != '\n' && (b < 0x20 || b > 0x7e) {
					t.Fatalf("%s: byte %#x", picture, b)
				}
			}
		}
	}
}

// bareField returns the lines of a picture without colours in a frame of its form.
func bareField(field []float64, r, width, height int) []string {
	h := HeatMap{Field: field, R: r, Width: width, Height: height,
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true})}
	return strings.Split(h.Render(), "\n")
}

func TestX1PointsRight(t *testing.T) {
	for _, line := range bareField(onGrid(36, func(x1, _ float64) float64 { return x1 }), 36, 36, 18) {
		if want := "....::::----====++++****####%%%%@@@@"; line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
}

func TestX2PointsUp(t *testing.T) {
	ramp := "@%#*+=-:."
	for i, line := range bareField(onGrid(9, func(_, x2 float64) float64 { return x2 }), 9, 18, 9) {
		if want := strings.Repeat(ramp[i:i+1], 18); line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
}

const roundingOfSums = 1e-12 // at most a few hundred terms of order one

func TestResampledConstantIsConstant(t *testing.T) {
	for _, r := range []int{1, 2, 3, 17, 33, 257} {
		for _, pixels := range []int{1, 2, 7, 16, 17, 32, 80} {
			for _, smooth := range []bool{false, true} {
				for _, v := range resample(onGrid(r, func(_, _ float64) float64 { return 0.1 }), r, pixels, pixels+3, smooth) {
					if math.Abs(v-0.1) > roundingOfSums {
						t.Fatalf("r = %d, %d pixels: %g", r, pixels, v)
					}
				}
			}
		}
	}
}

func TestMeanOfAveragesIsTrapezoidRule(t *testing.T) {
	for _, r := range []int{9, 65, 257} {
		field := onGrid(r, func(x1, x2 float64) float64 { return math.Exp(x1) * math.Cos(3*x2) })
		want := 0.0
		for i := range r {
			for j := range r {
				w := 1 / float64((r-1)*(r-1))
				if i == 0 || i == r-1 {
					w /= 2
				}
				if j == 0 || j == r-1 {
					w /= 2
				}
				want += w * field[i*r+j]
			}
		}
		for _, pixels := range [][2]int{{1, 1}, {7, 5}, {8, 3}} {
			sum := 0.0
			for _, v := range resample(field, r, pixels[0], pixels[1], false) {
				sum += v
			}
			if got := sum / float64(pixels[0]*pixels[1]); math.Abs(got-want) > roundingOfSums {
				t.Errorf("r = %d, %v pixels: mean %g, want %g", r, pixels, got, want)
			}
		}
	}
}

func TestSmoothIsExactForBilinearFields(t *testing.T) {
	f := func(x1, x2 float64) float64 { return 1 + 2*x1 - 3*x2 + 4*x1*x2 }
	const columns, rows = 50, 31
	pixels := resample(onGrid(17, f), 17, columns, rows, true)
	for y := range rows {
		for x := range columns {
			want := f((float64(x)+0.5)/columns, 1-(float64(y)+0.5)/rows)
			if got := pixels[y*columns+x]; math.Abs(got-want) > roundingOfSums {
				t.Fatalf("pixel %d, %d: %g, want %g", x, y, got, want)
			}
		}
	}
}

func TestDiscontinuityStaysCrisp(t *testing.T) {
	jump := func(x1, _ float64) float64 {
		if x1 > 0.4 {
			return 12
		}
		return 3
	}
	for _, r := range []int{17, 33, 257} {
		for _, pixels := range []int{16, 30, 60, 300} {
			between := 0
			for _, v := range resample(onGrid(r, jump), r, pixels, 1, false) {
				if math.Abs(v-3) > roundingOfSums && math.Abs(v-12) > roundingOfSums {
					between++
				}
			}
			if between > 1 || pixels >= r && between > 0 {
				t.Errorf("r = %d: %d of %d pixels across a jump are neither value", r, between, pixels)
			}
		}
	}
}

func TestCut(t *testing.T) {
	field := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	if got, want := Cut(field, 3, 2), []float64{3, 6, 9}; !slices.Equal(got, want) {
		t.Errorf("along x1 at x2 = 1: %v, want %v", got, want)
	}
}

func TestCutMarksPointAtItsLine(t *testing.T) {
	peak := make([]float64, 9*9)
	peak[5*9+2] = 1 // x1 = 5/8, x2 = 2/8
	h := HeatMap{Field: peak, R: 9, Width: 20, Height: 11,
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true})}
	h.Cut = new(2)
	found := false
	for line := range strings.Lines(ansi.Strip(h.Render())) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, ">") {
			found = strings.HasSuffix(line, "<") && strings.Contains(line, "@")
		}
	}
	if !found {
		t.Errorf("no arrows beside the peak in\n%s", h.Render())
	}
}

func TestBugsOfTheCallerPanic(t *testing.T) {
	th := theme.New(theme.Options{})
	for name, f := range map[string]func(){
		"wrong length": func() { _ = HeatMap{Field: make([]float64, 8), R: 3, Width: 20, Height: 10, Theme: th}.Render() },
		"cut outside":  func() { Cut(make([]float64, 9), 3, 3) },
		"mark outside": func() {
			_ = HeatMap{Field: []float64{1}, R: 1, Cut: new(-1), Width: 20, Height: 10, Theme: th}.Render()
		},
		"cut wrong length": func() { Cut(make([]float64, 8), 3, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// stripped returns a heat map of 9 x 9 values without colours, 24 x 12 cells unless it has a header, above a bar.
func stripped(field []float64, h HeatMap) string {
	h.Field, h.R, h.Width, h.Height, h.Bar = field, 9, 28, 13, true
	h.Theme = theme.New(theme.Options{NoColor: true})
	return ansi.Strip(h.Render())
}

func TestSignedScaleIsSymmetricAboutZero(t *testing.T) {
	field := make([]float64, 81)
	field[40], field[41] = -2, 1
	s := stripped(field, HeatMap{Signed: true})
	_, bar, _ := strings.Cut(s, "-2 ")
	bar, _, ok := strings.Cut(bar, " 2")
	negative, positive, zero := strings.Cut(bar, "0")
	if !ok || !zero || len([]rune(negative)) != len([]rune(positive)) || !strings.HasPrefix(negative, "≡") ||
		!strings.HasSuffix(positive, "▓") {
		t.Errorf("bar %q in\n%s", bar, s)
	}
}

func TestZeroErrorIsDrawnAsZero(t *testing.T) {
	if s := stripped(make([]float64, 81), HeatMap{Signed: true}); strings.Count(s, "·") < 12*24 {
		t.Errorf("zero error:\n%s", s)
	}
}

func TestPinnedScaleSaysWhatIsBeyond(t *testing.T) {
	s := stripped(onGrid(9, func(x1, _ float64) float64 { return x1 }), HeatMap{Min: new(0.25), Max: new(0.75)})
	if !strings.Contains(s, "0.25↓ ") || !strings.Contains(s, " 0.75↑") {
		t.Errorf("no arrows at the ends of the bar in\n%s", s)
	}
}

func TestScaleIsPinned(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		min, max *float64
		signed   bool
		want     report.Span
	}{
		{nil, nil, false, report.Span{Lo: 1, Hi: 3}}, {new(0.0), nil, false, report.Span{Lo: 0, Hi: 3}},
		{nil, new(9.0), false, report.Span{Lo: 1, Hi: 9}},
		{new(2.0), new(2.5), false, report.Span{Lo: 2, Hi: 2.5}},
		{&nan, new(math.Inf(1)), false, report.Span{Lo: 1, Hi: 3}}, {new(10.0), nil, false, report.Span{Lo: 9, Hi: 11}},
		{nil, new(-10.0), false, report.Span{Lo: -11, Hi: -9}},
		{nil, nil, true, report.Span{Lo: -3, Hi: 3}}, {new(-5.0), new(2.0), true, report.Span{Lo: -5, Hi: 5}},
		{new(0.0), new(0.0), true, report.Span{Lo: -1, Hi: 1}},
	} {
		if got := (HeatMap{Min: c.min, Max: c.max, Signed: c.signed}).scale(report.Span{Lo: 1, Hi: 3}); got != c.want {
			t.Errorf("%v: %v, want %v", c, got, c.want)
		}
	}
}

func TestNotFiniteIsCrossedAndCounted(t *testing.T) {
	field := onGrid(9, bump)
	field[40], field[3], field[77] = math.NaN(), math.Inf(1), math.Inf(-1)
	s := stripped(field, HeatMap{})
	if !strings.Contains(s, "✗ 3 not finite") || strings.Count(s, "✗") < 4 {
		t.Errorf("three values are not finite:\n%s", s)
	}
}

func TestLayoutDoesNotDependOnData(t *testing.T) {
	for _, size := range [][2]int{{38, 18}, {120, 40}, {60, 10}, {20, 6}} {
		short := HeatMap{Field: slices.Repeat([]float64{1}, 9), R: 3, Width: size[0], Height: size[1], Bar: true,
			Theme: theme.New(theme.Options{NoColor: true})}
		long := short
		long.Field = slices.Repeat([]float64{-1.23e-123}, 9)
		area := func(s string) string { // without the bar: the glyphs of constant fields
			return strings.Map(func(r rune) rune {
				if r == '▒' || r == '\n' {
					return r
				}
				return ' '
			}, strings.Join(strings.Split(s, "\n")[:size[1]-1], "\n"))
		}
		if a, b := area(short.Render()), area(long.Render()); a != b {
			t.Errorf("%v:\n%s\n%s", size, a, b)
		}
	}
}

func TestPictureIsSquare(t *testing.T) {
	for _, size := range sizes() {
		h := HeatMap{Width: size[0], Height: size[1], Bar: true, Theme: theme.New(theme.Options{})}
		l := h.layout(&frame{canvas: newCanvas(h.Width, h.Height, h.Theme), right: h.Width, bottom: h.Height})
		if l.columns != 2*l.rows {
			t.Errorf("%v: %d columns, %d rows", size, l.columns, l.rows)
		}
	}
}

// pixel is half a cell of a terminal: a colour as in an SGR sequence.
type pixel string

// emulate shows s on a terminal: two pixels for each cell, and the number of SGR parameters that set a colour which was
// set already.
func emulate(t *testing.T, s string) (upper, lower [][]pixel, wasted int) {
	t.Helper()
	for line := range strings.Lines(s) {
		var up, down []pixel
		var fg, bg pixel
		for line = strings.TrimSuffix(line, "\n"); line != ""; {
			if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
				parameters, rest, _ := strings.Cut(rest, "m")
				line = rest
				for word := strings.Split(parameters, ";"); len(word) > 0; {
					n := 1
					if len(word) > 1 && word[1] == "2" {
						n = 5
					} else if len(word) > 1 && word[1] == "5" {
						n = 3
					}
					c := pixel(strings.Join(word[1:n], ";"))
					switch word[0] {
					case "38":
						if c == fg {
							wasted++
						}
						fg = c
					case "48":
						if c == bg {
							wasted++
						}
						bg = c
					case "", "0":
						fg, bg = "", ""
					}
					word = word[n:]
				}
				continue
			}
			r := []rune(line)[0]
			line = line[len(string(r)):]
			switch r {
			case ' ':
				up, down = append(up, bg), append(down, bg)
			case upperHalf:
				up, down = append(up, fg), append(down, bg)
			case lowerHalf:
				up, down = append(up, bg), append(down, fg)
			case fullBlock:
				up, down = append(up, fg), append(down, fg)
			default:
				t.Fatalf("%q in a picture of half-blocks", r)
			}
		}
		if fg != "" || bg != "" {
			t.Fatalf("a line ends in colours %q on %q", fg, bg)
		}
		upper, lower = append(upper, up), append(lower, down)
	}
	return upper, lower, wasted
}

// noise returns n x n values in [0,1], some neighbours equal, the same every time.
func noise(n int) []float64 {
	state := uint32(3)
	field := make([]float64, n*n)
	for i := range field {
		state = state*1664525 + 1013904223
		if field[i] = float64(state>>29) / 7; state>>20%4 == 0 && i >= n {
			field[i] = field[i-n]
		}
	}
	return field
}

func TestEveryPixelHasTheColourOfItsValue(t *testing.T) {
	const n = 24
	for _, depth := range []ColorDepth{TrueColor, Palette256} {
		for _, signed := range []bool{false, true} {
			th := theme.New(theme.Options{})
			field := noise(n)
			h := HeatMap{Field: field, R: n, Width: n, Height: n / 2, Signed: signed, Min: new(-1.0), Max: new(1.0),
				Colors: depth, Theme: th}
			upper, lower, _ := emulate(t, h.Render())
			r := newRamp(signed, depth, th)
			for y := range n / 2 {
				for x := range n {
					for k, got := range []pixel{upper[y][x], lower[y][x]} {
						v := field[x*n+n-1-2*y-k]
						if want := pixel(r.colors[level((v+1)/2, r.steps())][2:]); got != want {
							t.Fatalf("depth %d, signed %v, cell %d, %d: colour %s of %g, want %s", depth, signed, x, y, got, v, want)
						}
					}
				}
			}
		}
	}
}

func TestCellsOfASmoothFieldShareColours(t *testing.T) {
	for step := range uint8(30) {
		a, b := halfBlock(step+1, step), halfBlock(step+2, step+1)
		if (a.fg == b.fg) == (a.bg == b.bg) {
			t.Errorf("steps %d to %d: %v, then %v", step, step+2, a, b)
		}
	}
}

func TestCellDependsOnItsOwnPixelsOnly(t *testing.T) {
	field := noise(24)
	h := HeatMap{Field: field, R: 24, Width: 24, Height: 12, Theme: theme.New(theme.Options{})}
	mosaicOf := func() []cell {
		m := newMosaic(newCanvas(24, 12, h.Theme), newRamp(false, TrueColor, h.Theme), h.Theme)
		h.picture(m, layout{columns: 24, rows: 12}, report.Span{Lo: 0, Hi: 1})
		return m.cells
	}
	before := mosaicOf()
	field[10*24+9] = 1 - field[10*24+9] // x = 10, row 14 of pixels
	after := mosaicOf()
	for i := range before {
		if changed := before[i] != after[i]; changed != (i == 7*24+10) {
			t.Errorf("cell %d, %d: changed is %v", i%24, i/24, changed)
		}
	}
}

func TestFrameIsFewBytes(t *testing.T) {
	// 544 cells with, in 24 bits, less than two new colours each
	for depth, most := range map[ColorDepth]int{TrueColor: 16000, Palette256: 4500, NoColor: 2000} {
		for _, r := range []int{33, 257} {
			h := HeatMap{Field: onGrid(r, bump), R: r, Width: 38, Height: 18, Smooth: true, Bar: true, Title: "Solution u",
				Colors: depth, Theme: theme.New(theme.Options{})}
			if n := len(h.Render()); n > most {
				t.Errorf("depth %d, r = %d: %d bytes, want at most %d", depth, r, n, most)
			}
		}
	}
}

func linearLight(s uint8) float64 {
	c := float64(s) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// luminance returns the luminance of a colour relative to white.
func luminance(c report.RGB) float64 {
	return 0.2126*linearLight(c[0]) + 0.7152*linearLight(c[1]) + 0.0722*linearLight(c[2])
}

// lightness returns CIE L*, 0 to 100.
func lightness(c report.RGB) float64 {
	const linearBelow = 216.0 / 24389
	if y := luminance(c); y > linearBelow {
		return 116*math.Cbrt(y) - 16
	} else {
		return y * 24389 / 27
	}
}

// ramps returns the colours of every ramp by a name.
func ramps() map[string][]report.RGB {
	of := func(palette []uint8) (out []report.RGB) {
		for _, c := range palette {
			r, g, b, _ := ansi.IndexedColor(c).RGBA()
			out = append(out, report.RGB{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)})
		}
		return out
	}
	return map[string][]report.RGB{
		"values, dark": gradient(false, false, 32), "values, light": gradient(false, true, 32),
		"values, 256": of(viridis256[:]),
		"signed":      gradient(true, false, 31), "signed, 256": of(blueBrown256[:]),
	}
}

func TestLightnessIsMonotoneOnEachArm(t *testing.T) {
	for name, colors := range ramps() {
		top := len(colors) - 1
		if strings.HasPrefix(name, "signed") {
			top = len(colors) / 2
		}
		for i := 1; i < len(colors); i++ {
			if up := lightness(colors[i]) > lightness(colors[i-1]); up != (i <= top) {
				t.Errorf("%s: lightness %.1f after %.1f at step %d", name, lightness(colors[i]), lightness(colors[i-1]), i)
			}
		}
	}
}

// contrast returns the ratio of WCAG 2.1 between two luminances.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// A picture is an area, not a text: its edge has to be visible, also when a projector adds light.
func TestPictureStandsOutFromTheBackground(t *testing.T) {
	const least = 1.3 // of a large area; WCAG 2.1 asks 3 of small marks and 4.5 of text
	for _, c := range []struct {
		ramp       string
		background float64
	}{{"values, dark", 0}, {"values, light", 1}, {"signed", 0}, {"signed", 1}, {"values, 256", 0}, {"values, 256", 1},
		{"signed, 256", 0}, {"signed, 256", 1}} {
		for i, color := range ramps()[c.ramp] {
			if got := contrast(luminance(color), c.background); got < least {
				t.Errorf("%s: step %d has contrast %.2f with luminance %g, want %.1f", c.ramp, i, got, c.background, least)
			}
		}
	}
}

func TestThemeWithoutColourOverridesDepth(t *testing.T) {
	h := HeatMap{Field: onGrid(9, bump), R: 9, Width: 40, Height: 12, Bar: true,
		Theme: theme.New(theme.Options{NoColor: true})}
	if s := h.Render(); strings.Contains(s, "38;") || strings.Contains(s, "48;") {
		t.Errorf("colours in %q", s)
	}
}

func TestArmsAreEquallyLight(t *testing.T) {
	most := map[string]float64{"signed": 2, "signed, 256": 7} // the palette has no closer pair
	for name, colors := range ramps() {
		for i := range len(colors) / 2 {
			if d := math.Abs(lightness(colors[i]) - lightness(colors[len(colors)-1-i])); most[name] > 0 && d > most[name] {
				t.Errorf("%s: step %d and its opposite differ by %.1f in lightness", name, i, d)
			}
		}
	}
}

func TestTextOnARampHasContrast(t *testing.T) {
	const least = 3.8 // the better of black and white has 4.6 at worst; choosing by green alone loses a little
	for name, colors := range ramps() {
		depth := TrueColor
		if strings.HasSuffix(name, "256") {
			depth = Palette256
		}
		r := newRamp(strings.HasPrefix(name, "signed"), depth, theme.New(theme.Options{Light: strings.HasSuffix(name,
			"light")}))
		for i, color := range colors {
			text := 0.0
			if r.white[i] {
				text = 1
			}
			if got := contrast(text, luminance(color)); got < least {
				t.Errorf("%s: text on step %d has contrast %.2f, want %.1f", name, i, got, least)
			}
		}
	}
}

// lab returns CIE L*a*b* (D65) of linear RGB.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func TestSignsDifferForEveryColourVision(t *testing.T) {
	const least = 20                     // CIE76; 2 is just noticeable
	visions := map[string][3][3]float64{ // Machado, Oliveira and Fernandes (2009), severity 1
		"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for vision, m := range visions {
		seen := func(c report.RGB) (d [3]float64) {
			for j := range d {
				for k := range c {
					d[j] += m[j][k] * linearLight(c[k])
				}
				d[j] = max(0, d[j])
			}
			return lab(d)
		}
		for _, name := range []string{"signed", "signed, 256"} {
			colors := ramps()[name]
			for i := range len(colors) * 3 / 8 { // beyond a quarter of the scale
				a, b := seen(colors[i]), seen(colors[len(colors)-1-i])
				if d := math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2])); d < least {
					t.Errorf("%s, %s: step %d and its opposite are %.0f apart", name, vision, i, d)
				}
			}
		}
	}
}

func ExampleHeatMap() {
	field := onGrid(17, func(x1, x2 float64) float64 { return x1 * x2 })
	picture := HeatMap{
		Field: field, R: 17, Bar: true, Title: "x1 x2", Width: 32, Height: 10,
		Theme: theme.New(theme.Options{NoColor: true, ASCII: true}),
	}.Render()
	for line := range strings.Lines(ansi.Strip(picture)) {
		fmt.Println(strings.TrimRight(line, " \n"))
	}
	fmt.Println(Cut(field, 17, 8)[:3])
	// Output:
	// x1 x2
	// ..::--==+++**##%%@ @@ 1
	// ...::--===++**##%% %%
	// ...::---===+++**## ##
	// ...:::----===+++** **
	// ....::::----====++ ++
	// .....::::::----=== ==
	// .......:::::::---- --
	// ............:::::: ::
	// .................. .. 0
	// [0 0.03125 0.0625]
}
