// Heat maps show the field they are given: orientation, averages, scale, colours, exact size for everything, and few
// bytes.

package plot

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/report"
	"rfm/solver/space/grid"
	"rfm/tui/theme"
)

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

// maps returns fields by the names of their golden files.
func maps() map[string]report.Field {
	const r = 17
	solution := onGrid(r, func(x1, x2 float64) float64 { return 0.01 * x1 * (1 - x1) * math.Sin(math.Pi*x2) * (1 + x2) })
	coefficient := onGrid(r, func(x1, x2 float64) float64 { // 3 or 12, with a jump along a curve
		return 7.5 + math.Copysign(4.5, bump(x1, x2)-0.2)
	})
	broken := slices.Clone(solution)
	broken[8*r+8], broken[3*r+12] = math.NaN(), math.Inf(1)
	return map[string]report.Field{
		"coefficient": {Values: coefficient, R: r, Title: "Coefficient a"},
		"solution":    {Values: solution, R: r, Smooth: true, Title: "Solution u"},
		"difference":  {Values: onGrid(65, bump), R: 65, Smooth: true, Signed: true, Title: "u - F(a)"},
		"brokenfield": {Values: broken, R: r, Max: new(0.003), Title: "Broken"},
	}
}

func TestHeatMapsMatchGoldenFiles(t *testing.T) {
	var s sheet
	for _, size := range [][2]int{{38, 18}, {76, 20}, {20, 7}} {
		for _, mode := range modes {
			for name, f := range maps() {
				s.add(name, size, mode.ASCII, Field(theme.New(mode), f, size[0], size[1]))
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

func TestHeatMapHasExactSizeForAllSizesAndData(t *testing.T) {
	var themes []theme.Theme
	for _, o := range []theme.Options{{}, {NoColor: true}, {ASCII: true}, {NoColor: true, ASCII: true}, {Light: true}} {
		for _, o.Profile = range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256, colorprofile.ANSI} {
			themes = append(themes, theme.New(o))
		}
	}
	for name, field := range nastyFields() {
		t.Run(name, func(t *testing.T) {
			r := int(math.Sqrt(float64(len(field))))
			for i, size := range sizes() {
				h := report.Field{Values: field, R: r, Signed: i%2 == 0, Smooth: i%3 == 0, Title: "title"}
				if i%6 == 1 {
					h.Min = new(float64(i%11 - 5))
				}
				if i%4 == 1 {
					h.Max = new(float64(i%13 - 6))
				}
				checkSize(t, Field(themes[i%len(themes)], h, size[0], size[1]), size[0], size[1])
			}
		})
	}
}

// rowsOf returns the cells between the vertical axis and the key of a heat map.
func rowsOf(text string, columns int) (rows []string) {
	for line := range strings.Lines(text) {
		if _, cells, ok := strings.Cut(strings.NewReplacer("┤", "│").Replace(line), "│"); ok {
			rows = append(rows, string([]rune(cells)[:columns]))
		}
	}
	return rows
}

// The horizontal axis points to the right, the vertical one upwards.
func TestAxesPointRightAndUp(t *testing.T) {
	shades := string(theme.New(theme.Options{NoColor: true}).Glyphs.Shades)
	lines := func(r, width, height, columns int, f func(x1, x2 float64) float64) []string {
		return rowsOf(Field(theme.New(theme.Options{NoColor: true}), report.Field{Values: onGrid(r, f), R: r}, width, height), columns)
	}
	for _, line := range lines(30, 50, 17, 30, func(x1, _ float64) float64 { return x1 }) {
		want := ""
		for _, shade := range shades {
			want += strings.Repeat(string(shade), 6)
		}
		if line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
	for i, line := range lines(5, 40, 7, 10, func(_, x2 float64) float64 { return x2 }) {
		want := strings.Repeat(string([]rune(shades)[4-i]), 10)
		if line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
		}
	}
}

// The axes have the numbers of the field, also if they point the other way; the name of the vertical one is next to it.
func TestMapsHaveAxesWithNumbers(t *testing.T) {
	f := report.Field{Values: onGrid(9, bump), R: 9, Unlike: true, Across: report.FieldAxis{Name: "x", To: 6},
		Up: report.FieldAxis{Name: "t", From: 30, To: 0}}
	for _, width := range []int{38, 76} {
		text := ansi.Strip(Field(theme.New(theme.Options{}), f, width, 16))
		lines := strings.Split(text, "\n")
		last := lines[len(lines)-1]
		for _, want := range []string{" 0 ", " x ", " 6 "} {
			if !strings.Contains(last+" ", want) {
				t.Errorf("the horizontal axis lacks %q:\n%s", want, text)
			}
		}
		if !strings.HasPrefix(lines[0], " 0┤") || !strings.HasPrefix(lines[13], "30┤") || !strings.Contains(text, " t│") {
			t.Errorf("the vertical axis does not go from 30 down to 0 with its name:\n%s", text)
		}
		if picture := []rune(lines[3])[3:]; len(picture) < width-16 {
			t.Errorf("the picture is %d wide:\n%s", len(picture), text)
		}
	}
}

// A coefficient of two values has two colours in its key, each next to its value.
func TestTwoValuesHaveTwoColours(t *testing.T) {
	jump := onGrid(17, func(x1, _ float64) float64 { return 3 + 9*math.Round(x1) })
	text := Field(theme.New(theme.Options{NoColor: true}), report.Field{Values: jump, R: 17}, 40, 14)
	var key string
	for line := range strings.Lines(text) {
		if runes := []rune(line); len(runes) > 33 {
			key += strings.TrimSpace(string(runes[28:])) + ";"
		}
	}
	if want := "██;██;██;██ 12;██;██;··;··;·· 3;··;··;··;;;"; !strings.Contains(strings.ReplaceAll(key, " ;", ";"), want) {
		t.Errorf("key %q in\n%s", key, text)
	}
}

const roundingOfSums = 1e-12 // at most a few hundred terms of order one

func TestMeanOfAveragesIsTrapezoidRule(t *testing.T) {
	for _, r := range []int{9, 65, 257} {
		field := onGrid(r, func(x1, x2 float64) float64 { return math.Exp(x1) * math.Cos(3*x2) })
		want := grid.Square.Inner(field, slices.Repeat([]float64{1}, r*r))
		for _, pixels := range [][2]int{{1, 1}, {7, 5}, {8, 3}} {
			got := report.Mean(resample(field, r, pixels[0], pixels[1], false))
			if math.Abs(got-want) > roundingOfSums {
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

func TestSignedScaleIsSymmetricAboutZero(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	zero := Field(th, report.Field{R: 9, Values: make([]float64, 81), Signed: true}, 40, 14)
	if n := strings.Count(zero, "·"); n < 12*24 {
		t.Errorf("zero has %d cells of the middle:\n%s", n, zero)
	}
	field := make([]float64, 81)
	field[40] = -2
	field[41] = 1
	text := Field(th, report.Field{R: 9, Values: field, Signed: true}, 40, 14)
	for _, want := range []string{"▓▓ 2 ", "·· 0 ", "≡≡ -2 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestLayoutDoesNotDependOnData(t *testing.T) {
	for _, size := range [][2]int{{38, 18}, {120, 40}, {60, 10}, {20, 6}} {
		picture := func(v float64) string { // the glyphs of a constant field, without the key
			f := report.Field{Values: slices.Repeat([]float64{v}, 9), R: 3, Title: "constant"}
			text := Field(theme.New(theme.Options{NoColor: true}), f, size[0], size[1])
			return strings.Join(rowsOf(text, size[1]), "\n")
		}
		if a, b := picture(1), picture(-1.23e-123); a != b {
			t.Errorf("%v:\n%s\n%s", size, a, b)
		}
	}
}

// painted draws a field of n x n values from 0 to 1 in n x n/2 cells.
func painted(n int, field []float64, signed bool, profile colorprofile.Profile) mosaic {
	th := theme.New(theme.Options{Profile: profile})
	m := newMosaic(newCanvas(n, n/2, th), n/2, signed)
	m.picture(report.Field{Values: field, R: n}, 0, 0, n, n/2, report.Span{Lo: 0, Hi: 1})
	return m
}

func TestEveryPixelHasTheColourOfItsValue(t *testing.T) {
	const n = 24
	field, noise := make([]float64, n*n), rand.New(rand.NewPCG(1, 2)) // some neighbours are equal
	for i := range field {
		field[i] = float64(noise.IntN(8)) / 7
	}
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI256} {
		for _, signed := range []bool{false, true} {
			m := painted(n, field, signed, profile)
			for y := range n / 2 {
				for x := range n {
					cell := m.at(x, y)
					fg, bg := slices.Index(m.fg, cell.fg), slices.Index(m.bg, cell.bg)
					pixels := map[rune][2]int{' ': {bg, bg}, fullBlock: {fg, fg}, upperHalf: {fg, bg}, lowerHalf: {bg, fg}}[cell.rune]
					for k, got := range pixels {
						v := field[x*n+n-1-2*y-k]
						if want := level(v, len(m.fg)); got != want {
							t.Fatalf("%v, signed %v, cell %d, %d: colour %d of %g, want %d", profile, signed, x, y, got, v, want)
						}
					}
				}
			}
		}
	}
}

// Of all ways to write a row of cells the shortest is taken.
func TestRowsTakeFewBytes(t *testing.T) {
	shortest := func(row []duo) int {
		ways := []*way{{tint: tint{fg: unset, bg: unset}}}
		for _, cell := range row {
			var longer []*way
			for _, w := range ways {
				for _, choice := range w.choices(cell) {
					longer = append(longer, w.with(choice))
				}
			}
			ways = longer
		}
		return slices.MinFunc(ways, func(a, b *way) int { return a.bytes - b.bytes }).bytes
	}
	noise := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		row := make([]duo, 10)
		for i := range row {
			row[i] = duo{upper: noise.IntN(4), lower: noise.IntN(4)}
		}
		taken := &way{tint: tint{fg: unset, bg: unset}}
		for _, t := range tints(row) {
			taken = taken.with(t)
		}
		if want := shortest(row); taken.bytes != want {
			t.Errorf("%v takes %d bytes, want %d", row, taken.bytes, want)
		}
	}
}
