// Properties of the data that a picture must show.

package plot

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/report"
	"rfm/tui/theme"
)

// area returns the plotting area of a picture without header and axes.
func area(t *testing.T, picture string) [][]rune {
	t.Helper()
	var rows [][]rune
	for line := range strings.Lines(ansi.Strip(picture)) {
		r := []rune(strings.TrimRight(line, "\n"))
		for i, c := range r {
			if exponent := i > 0 && r[i-1] == 'e'; strings.ContainsRune("│┤|+", c) && !exponent {
				rows = append(rows, r[i+1:])
				break
			}
		}
	}
	if last := len(rows) - 1; last > 0 && strings.Trim(string(rows[last]), "+-") == "" {
		rows = rows[:last] // the horizontal axis in ASCII
	}
	if len(rows) == 0 {
		t.Fatalf("no plotting area in\n%s", picture)
	}
	return rows
}

// bare returns a plot of one series without header.
func bare(y []float64, width, height int) graph {
	g := graph{width: width, height: height, theme: theme.New(theme.Options{})}
	g.show(spaced(line(nil, y...))...)
	return g
}

// show replaces the series of a plot.
func (l *graph) show(list ...series) {
	l.series, l.Curves = list, nil
	for _, s := range list {
		l.Curves = append(l.Curves, s.Curve)
	}
}

// line returns a series of points.
func line(x []float64, y ...float64) series { return series{Curve: report.Curve{X: x, Y: y}} }

// spaced gives series without positions equidistant ones on [0, 1].
func spaced(list ...series) []series {
	for i, s := range list {
		if s.X == nil {
			list[i].X = report.UnitPoints(len(s.Y))
		}
	}
	return list
}

// pinned returns the plotting area of a series drawn in ASCII between two values.
func pinned(t *testing.T, lo, hi float64, y []float64) [][]rune {
	t.Helper()
	l := bare(y, 61, 12)
	l.YMin, l.YMax, l.theme = &lo, &hi, theme.New(theme.Options{ASCII: true, NoColor: true})
	return area(t, l.Render())
}

// Of two points in the same cell both are seen, side by side, and named.
func TestPointsInOneCellStandSideBySide(t *testing.T) {
	l := graph{width: 40, height: 12, theme: theme.New(theme.Options{ASCII: true})}
	first := line([]float64{0.5}, 0.5)
	first.Name = "one"
	first.mark = 'A'
	second := line([]float64{0.5}, 0.5)
	second.Name = "two"
	second.mark = 'B'
	far := line([]float64{1}, 1)
	far.Name = "far"
	far.mark = 'C'
	l.show(first, second, far)
	picture := ansi.Strip(l.Render())
	if !strings.Contains(picture, "AB") {
		t.Errorf("two points in one cell are not side by side in\n%s", picture)
	}
	for _, name := range []string{"one", "two", "far"} {
		if !strings.Contains(picture, name) {
			t.Errorf("no name %q in\n%s", name, picture)
		}
	}
}

func blank(r rune) bool { return r == ' ' }

func countRune(rows [][]rune, want rune) (n int) {
	for _, row := range rows {
		n += strings.Count(string(row), string(want))
	}
	return n
}

// A spike of one sample reaches the top, and so does one with an opposite one in the same column, whichever of them is
// nearest to a vertex of the curve.
func TestSpikesSurvive(t *testing.T) {
	for _, n := range []int{33, 257, 1025, 100000} {
		for _, at := range []int{n / 3, n / 2, n - 2} {
			y := make([]float64, n)
			y[at] = 1
			lone := at == n-2 // the last vertex has no next one for a second spike
			if !lone {
				y[at+6] = -1
			}
			rows := pinned(t, -1, 1, y)
			if blankRow := func(r int) bool { return strings.TrimSpace(string(rows[r])) == "" }; blankRow(0) ||
				!lone && blankRow(len(rows)-1) {
				t.Errorf("n = %d: a spike at sample %d or %d is missing", n, at, at+6)
			}
		}
	}
}

func TestShockIsOneVerticalLine(t *testing.T) {
	rows := pinned(t, 0, 1, append(make([]float64, 500), slices.Repeat([]float64{1}, 500)...))
	for _, row := range rows[1 : len(rows)-1] {
		if s := strings.TrimSpace(string(row)); s != "|" {
			t.Errorf("row %q of a step, want one vertical line", s)
		}
	}
}

func TestNoiseFillsItsEnvelope(t *testing.T) {
	rows := pinned(t, -1, 1, slices.Repeat([]float64{1, -1}, 10000))
	if n, columns := countRune(rows, '|'), len(rows[0]); n < columns*(len(rows)-2)*9/10 {
		t.Errorf("%d vertical strokes in %d columns of %d rows", n, columns, len(rows))
	}
}

func TestSingleNaNLeavesAGap(t *testing.T) {
	y := make([]float64, 100000)
	y[54321] = math.NaN()
	if countRune(pinned(t, -1, 1, y), '.') != 2 { // the caps of two lines
		t.Error("one NaN among 100000 values is not to be seen")
	}
}

func TestLonelyValuesAreDots(t *testing.T) {
	nan := math.NaN()
	if s := bare([]float64{nan, nan}, 40, 8).Render(); !strings.Contains(s, "no data") {
		t.Errorf("no values at all:\n%s", s)
	}
	rows := area(t, bare([]float64{nan, 1, nan, 2, nan, 3, nan}, 76, 14).Render())
	if n := countRune(rows, '•'); n != 3 {
		t.Errorf("%d dots for 3 values without neighbours", n)
	}
}

// Every column of a line is drawn, and an increasing function never goes down.
func TestIncreasingDataNeverGoDown(t *testing.T) {
	for _, n := range []int{2, 17, 65, 76, 1025, 50000} {
		y := values(n, func(x float64) float64 { return x*x*x + 0.3*math.Tanh(200*(x-0.37)) })
		rows := area(t, bare(y, 76, 14).Render())
		lowest := len(rows)
		for c := range rows[0] {
			r := len(rows) - 1
			for r >= 0 && blank(rows[r][c]) {
				r--
			}
			if r < 0 || r > lowest {
				t.Fatalf("n = %d: column %d is empty or starts below the one before", n, c)
			}
			lowest = r
		}
	}
}

func TestValuesBeyondPinnedEndsAreArrows(t *testing.T) {
	l := bare([]float64{0, 0, 5, 5, 0, 0, -5, -5, 0}, 76, 14)
	l.YMin, l.YMax = new(-1.0), new(1.0)
	rows := area(t, l.Render())
	if n := countRune(rows[:1], '↑'); n < 8 {
		t.Errorf("%d arrows up in the top row", n)
	}
	if n := countRune(rows[len(rows)-1:], '↓'); n < 8 {
		t.Errorf("%d arrows down in the bottom row", n)
	}
}

func TestConstantIsAStraightLineInTheMiddle(t *testing.T) {
	for _, c := range []float64{0, 1, -2.5, 1e-300, 1e300, 12345} {
		l := bare([]float64{c, c, c}, 76, 13)
		l.theme = theme.New(theme.Options{ASCII: true})
		rows := area(t, l.Render())
		middle := len(rows) / 2
		for r, row := range rows {
			drawn := strings.Count(string(row), "-")
			if near := r >= middle-1 && r <= middle+1; drawn > 0 && (!near || drawn != len(row)) {
				t.Errorf("constant %g: %d cells in row %d of %d", c, drawn, r, len(rows))
			}
		}
	}
}

// A later series covers an earlier one, unless it is marks with gaps between them.
func TestLaterSeriesCoversEarlier(t *testing.T) {
	l := bare(nil, 60, 12)
	l.theme = theme.New(theme.Options{ASCII: true})
	l.show(spaced(line(nil, wavy(200, 0)...), line(nil, wavy(200, 0)...))...)
	l.series[1].pen = dotted
	rows := area(t, l.Render())
	if n := countRune(rows, '-') + countRune(rows, '.'); n != 0 {
		t.Errorf("%d cells of the covered series show", n)
	}
	const spacing = 4
	y := make([]float64, 1025)
	l.show(spaced(series{Curve: report.Curve{Y: y}}, series{Curve: report.Curve{Y: y}, mark: 'o', spacing: spacing})...)
	rows = area(t, l.Render())
	marks, line := countRune(rows, 'o'), countRune(rows, '-')
	if columns := len(rows[0]); marks != (columns+spacing-1)/spacing || marks+line != columns {
		t.Errorf("%d marks and %d cells of line in %d columns", marks, line, columns)
	}
}

func TestPowerLawIsStraightOnLogarithmicAxes(t *testing.T) {
	var x, y []float64
	for i := 1; i <= 1000; i++ {
		x, y = append(x, float64(i)), append(y, math.Pow(float64(i), -2))
	}
	p := newPath(series{Curve: report.Curve{X: x, Y: y}}, report.Axis{Lo: 0, Hi: 3, Log: true}, true)
	const chord = 0.05 // of a decade: linear interpolation between k = 1 and 2
	for i, c := range p.vertices(60, func(c float64) float64 { return c }) {
		if want := -2 * 3 * float64(i) / 60; math.Abs(c-want) > chord {
			t.Fatalf("vertex %d at %g, want %g", i, c, want)
		}
	}
}

// values returns n samples of a function on [0, 1].
func values(n int, f func(x float64) float64) []float64 {
	y := report.UnitPoints(n)
	for i, x := range y {
		y[i] = f(x)
	}
	return y
}

// wavy returns n samples of a smooth function with a few oscillations.
func wavy(n int, phase float64) []float64 {
	return values(n, func(x float64) float64 { return math.Sin(6*math.Pi*x+phase) + 0.5*math.Cos(14*math.Pi*x) })
}

// The names of single points stand next to them; a legend has them if there is no room.
func TestNamesOfPointsAreAtThePoints(t *testing.T) {
	f := report.Figure{Title: "error", XLabel: "seconds"}
	for i, name := range []string{"model", "full solve", "kernel ridge"} {
		at := []float64{float64(i)}
		f.Curves = append(f.Curves, report.Curve{Name: name, X: at, Y: at, Points: true})
	}
	picture := func(width int) []string {
		return strings.Split(ansi.Strip(Figure(theme.New(theme.Options{}), f, width, 9)), "\n")
	}
	for i, want := range []string{"kernel ridge +", "■ full solve", "● model"} {
		if text := picture(40); !strings.Contains(strings.Join(text[1:], "\n"), want) || strings.Contains(text[0], want) {
			t.Errorf("point %d is not %q:\n%s", i, want, strings.Join(text, "\n"))
		}
	}
	f.Curves[1].X, f.Curves[1].Y = []float64{0.1}, []float64{0}
	f.Curves[2].X, f.Curves[2].Y = []float64{0.2}, []float64{0}
	f.Curves = append(f.Curves, report.Curve{Name: "far", X: []float64{9}, Y: []float64{1e-9}, Points: true})
	f.YMin, f.YMax = new(0.0), new(1e-30)
	if text := picture(30); !strings.Contains(text[0], "● model") || strings.Contains(text[0], "kernel ridge") {
		t.Errorf("the names without room, and only they, are not in the legend:\n%s", strings.Join(text, "\n"))
	}
}

func TestFewDipsDoNotSetALogarithmicAxis(t *testing.T) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = 0.01 * (1 + 0.5*math.Sin(float64(i)))
	}
	y[500] = 1e-18
	l := bare(y, 76, 14)
	l.LogY = true
	if s := l.Render(); strings.Contains(s, "e-1") {
		t.Errorf("one dip to 1e-18 sets the scale:\n%s", s)
	}
}

// The name of an axis is shown in any width, with a label for every tick.
func TestNameOfAnAxisIsShown(t *testing.T) {
	for _, width := range []int{36, 40, 60, 100} {
		l := graph{Figure: report.Figure{LogX: true, XLabel: "relative error"}, width: width, height: 10,
			theme: theme.New(theme.Options{ASCII: true, NoColor: true})}
		l.show(line([]float64{0.01, 0.2}, 1, 2))
		lines := strings.Split(ansi.Strip(l.Render()), "\n")
		axis, labels := lines[len(lines)-2], lines[len(lines)-1]
		ticks, numbers := strings.Count(axis[4:], "+"), len(regexp.MustCompile(`[0-9.]+`).FindAllString(labels, -1))
		if !strings.Contains(labels, "error (log)") || ticks != numbers {
			t.Errorf("%d columns, %d ticks, %d labels:\n%s", width, ticks, numbers, strings.Join(lines, "\n"))
		}
	}
}

func TestProgressGrowsInEighthsAndInASCIIInWholeCells(t *testing.T) {
	for width := range 131 {
		checkSize(t, Progress(math.NaN(), width, theme.New(theme.Options{})), width, 1)
		checkSize(t, Progress(0.3, width, theme.New(theme.Options{ASCII: true})), width, 1)
	}
	for ascii, cases := range map[bool]map[float64]string{
		false: {-1: "░░░░", 0: "░░░░", 1e-9: "▏░░░", 0.125: "▌░░░", 0.25: "█░░░", 0.5: "██░░", 0.999: "███▉", 1: "████",
			2: "████"},
		true: {0: "....", 0.01: "#...", 0.5: "##..", 0.999: "###.", 1: "####"},
	} {
		for fraction, want := range cases {
			if got := ansi.Strip(Progress(fraction, 4, theme.New(theme.Options{NoColor: true, ASCII: ascii}))); got != want {
				t.Errorf("%g: %s, want %s", fraction, got, want)
			}
		}
	}
}

// dotsAcross and dotsDown are the dots in a cell.
const (
	dotsAcross = 2
	dotsDown   = 4
)

// dotsOf renders bare with curves of dots and returns the dots, rows from the top.
func dotsOf(t *testing.T, l graph) [][]bool {
	t.Helper()
	l.theme = theme.New(theme.Options{})
	cells := area(t, l.Render())
	table := make([][]bool, dotsDown*len(cells))
	for r := range table {
		table[r] = make([]bool, dotsAcross*len(cells[0]))
		for c := range table[r] {
			cell := cells[r/dotsDown][c/dotsAcross]
			table[r][c] = braille.bits(cell)&braille.bit[r%dotsDown][c%dotsAcross] != 0
		}
	}
	return table
}

// A smooth curve has one dot a column, within a dot of its value: the first tick is in the middle of the lowest row,
// the last tick in the middle of the highest.
func TestDotsLieOnTheCurve(t *testing.T) {
	curve := func(x float64) float64 { return 0.5 + 0.2*math.Sin(2*math.Pi*x) }
	l := bare(values(2001, curve), 76, 22)
	l.X1, l.YMin, l.YMax = 1, new(0.0), new(1.0)
	table := dotsOf(t, l)
	height, width := len(table), len(table[0])
	for c := 1; c < width; c++ {
		x := (float64(c) + 1) / float64(width)
		want := float64(height) - (curve(x)*float64(height/dotsDown-1)+0.5)*dotsDown - 0.5
		set := 0
		for r := range height {
			if table[r][c] {
				set++
				if math.Abs(float64(r)-want) > 1.01 {
					t.Errorf("column %d: a dot in row %d, %.2f is expected", c, r, want)
				}
			}
		}
		if set != 1 {
			t.Errorf("column %d has %d dots", c, set)
		}
	}
}

func TestDotsOfCurvesThatMeetAreAllShown(t *testing.T) {
	up, down := line([]float64{0, 1}, 0, 1), line([]float64{0, 1}, 1, 0)
	l := bare(nil, 40, 10)
	count := func(s ...series) (n int) {
		l.show(s...)
		for _, row := range dotsOf(t, l) {
			for _, set := range row {
				if set {
					n++
				}
			}
		}
		return n
	}
	one, other, both := count(up), count(down), count(up, down)
	if one < 50 || both < one+other-2 || both > one+other {
		t.Errorf("%d and %d dots alone, %d together", one, other, both)
	}
}

// A cell of a curve is at the data that the curve has there, and cells outside are those of the nearest one inside.
func TestCellsHaveTheirData(t *testing.T) {
	th := theme.New(theme.Options{})
	low, high := -1.0, 1.0
	x := report.UnitPoints(201)
	y := make([]float64, len(x))
	for i := range y {
		y[i] = 2*x[i] - 1
	}
	f := report.Figure{Title: "a", XLabel: "x", X1: 1, YMin: &low, YMax: &high,
		Curves: []report.Curve{{X: x, Y: y, Role: report.AsInput}}}
	const width, height = 60, 20
	area, ok := FigureArea(th, f, width, height)
	if !ok {
		t.Fatal("no area")
	}
	lines := strings.Split(ansi.Strip(Figure(th, f, width, height)), "\n")
	for row := area.Top; row < area.Bottom; row++ {
		for column, r := range []rune(lines[row]) {
			if column < area.Left || column >= area.Right || r == ' ' {
				continue
			}
			if at, value, inside := area.At(column, row); !inside || math.Abs(value-(2*at-1)) > 0.15 {
				t.Errorf("cell %d, %d has a dot, but is %t at (%g, %g)", column, row, inside, at, value)
			}
		}
	}
	if at, value, inside := area.At(0, -3); inside || at > 0.02 || value < 0.9 {
		t.Errorf("(%g, %g), %t for a cell outside", at, value, inside)
	}
	if _, ok := FigureArea(th, f, 5, 2); ok {
		t.Error("an area in a frame that is too small")
	}
}
