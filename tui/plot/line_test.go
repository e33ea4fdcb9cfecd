// Properties of the data that a picture must show.

package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

// area returns the plotting area of a picture without header and axes.
func area(t *testing.T, picture string) [][]rune {
	t.Helper()
	var rows [][]rune
	for line := range strings.Lines(ansi.Strip(picture)) {
		r := []rune(strings.TrimRight(line, "\n"))
		for i, c := range r {
			if c == '│' || c == '┤' {
				rows = append(rows, r[i+1:])
				break
			}
		}
	}
	if len(rows) == 0 {
		t.Fatalf("no plotting area in\n%s", picture)
	}
	return rows
}

// bare returns a plot of one series without header.
func bare(y []float64, width, height int) Line {
	return Line{Series: []Series{{Y: y}}, Width: width, Height: height, Theme: theme.New(theme.Options{})}
}

func blank(r rune) bool { return r == ' ' }

func countRune(rows [][]rune, want rune) (n int) {
	for _, row := range rows {
		for _, r := range row {
			if r == want {
				n++
			}
		}
	}
	return n
}

func TestSpikeOfOneSampleReachesTheTop(t *testing.T) {
	for _, n := range []int{33, 257, 1025, 100000} {
		for _, at := range []int{n / 3, n / 2, n - 2} {
			y := make([]float64, n)
			y[at] = 1
			l := bare(y, 76, 14)
			l.YMin, l.YMax = new(0.0), new(1.0)
			if top := area(t, l.Render())[0]; strings.TrimSpace(string(top)) == "" {
				t.Errorf("n = %d: spike at sample %d does not reach the top row", n, at)
			}
		}
	}
}

func TestSpikesUpAndDownInOneColumnBothSurvive(t *testing.T) {
	y := make([]float64, 100000)
	y[50001], y[50007] = 1, -1
	l := bare(y, 76, 14)
	l.YMin, l.YMax = new(-1.0), new(1.0)
	rows := area(t, l.Render())
	if strings.TrimSpace(string(rows[0])) == "" || strings.TrimSpace(string(rows[len(rows)-1])) == "" {
		t.Errorf("a spike is missing in\n%s", l.Render())
	}
}

func TestShockIsOneVerticalLine(t *testing.T) {
	y := make([]float64, 1000)
	for i := range y[500:] {
		y[500+i] = 1
	}
	l := bare(y, 61, 12)
	l.YMin, l.YMax = new(0.0), new(1.0)
	l.Theme = theme.New(theme.Options{Lines: true})
	rows := area(t, l.Render())
	for _, row := range rows[1 : len(rows)-1] {
		if s := strings.TrimSpace(string(row)); s != "|" {
			t.Errorf("row %q of a step, want one vertical line", s)
		}
	}
}

func TestNoiseFillsItsEnvelope(t *testing.T) {
	y := make([]float64, 20000)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
	}
	l := bare(y, 61, 12)
	l.YMin, l.YMax = new(-1.0), new(1.0)
	l.Theme = theme.New(theme.Options{Lines: true})
	rows := area(t, l.Render())
	columns := len(rows[0])
	if n := countRune(rows, '|'); n < columns*(len(rows)-2)*9/10 {
		t.Errorf("%d vertical strokes in %d columns of %d rows", n, columns, len(rows))
	}
}

func TestGapIsBlank(t *testing.T) {
	y := wavy(1000, 0)
	for i := 400; i < 600; i++ {
		y[i] = math.NaN()
	}
	rows := area(t, bare(y, 76, 14).Render())
	columns := len(rows[0])
	for c := columns*42/100 + 1; c < columns*58/100; c++ {
		for _, row := range rows {
			if !blank(row[c]) {
				t.Fatalf("column %d of a gap holds %q", c, row[c])
			}
		}
	}
}

func TestSingleNaNLeavesAGap(t *testing.T) {
	y := make([]float64, 100000)
	y[54321] = math.NaN()
	l := bare(y, 76, 14)
	l.Theme = theme.New(theme.Options{Lines: true})
	if countRune(area(t, l.Render()), '.') != 2 { // the caps of two lines
		t.Error("one NaN among 100000 values is not to be seen")
	}
}

func TestLonelyValuesAreDots(t *testing.T) {
	nan := math.NaN()
	rows := area(t, bare([]float64{nan, 1, nan, 2, nan, 3, nan}, 76, 14).Render())
	if n := countRune(rows, '•'); n != 3 {
		t.Errorf("%d dots for 3 values without neighbours", n)
	}
}

func TestIncreasingDataNeverGoDown(t *testing.T) {
	for _, n := range []int{2, 17, 65, 76, 1025, 50000} {
		y := make([]float64, n)
		for i := range y {
			x := float64(i) / float64(n-1)
			y[i] = x*x*x + 0.3*math.Tanh(200*(x-0.37))
		}
		rows := area(t, bare(y, 76, 14).Render())
		if d := countRune(rows, '╮') + countRune(rows, '╰'); d != 0 {
			t.Errorf("n = %d: %d descending strokes of an increasing function", n, d)
		}
		lowest := len(rows)
		for c := range rows[0] {
			for r := len(rows) - 1; r >= 0; r-- {
				if blank(rows[r][c]) {
					continue
				}
				if r > lowest {
					t.Fatalf("n = %d: column %d starts below the one before", n, c)
				}
				lowest = r
				break
			}
		}
	}
}

func TestEachColumnOfALineIsDrawn(t *testing.T) {
	for _, n := range []int{2, 5, 75, 1000} {
		rows := area(t, bare(wavy(n, 0), 76, 14).Render())
		for c := range rows[0] {
			drawn := false
			for _, row := range rows {
				drawn = drawn || !blank(row[c])
			}
			if !drawn {
				t.Errorf("n = %d: column %d is empty", n, c)
			}
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

func TestInfinityIsAnArrowAndDoesNotScale(t *testing.T) {
	y := []float64{0, 1, 0, 1, math.Inf(1), 0, 1, 0}
	picture := bare(y, 76, 14).Render()
	if countRune(area(t, picture), '↑') == 0 {
		t.Error("no arrow for +Inf")
	}
	if !strings.Contains(picture, "1.0") {
		t.Errorf("axis does not follow the finite values:\n%s", picture)
	}
}

func TestConstantIsAStraightLineInTheMiddle(t *testing.T) {
	for _, c := range []float64{0, 1, -2.5, 1e-300, 1e300, 12345} {
		l := bare([]float64{c, c, c}, 76, 13)
		l.Theme = theme.New(theme.Options{Lines: true})
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

func TestLaterSeriesCoversEarlier(t *testing.T) {
	y := wavy(200, 0)
	l := Line{Series: []Series{{Y: y}, {Y: y, Pen: Dotted}}, Width: 60, Height: 12,
		Theme: theme.New(theme.Options{Lines: true})}
	rows := area(t, l.Render())
	if n := countRune(rows, '-') + countRune(rows, '.'); n != 0 {
		t.Errorf("%d cells of the covered series show", n)
	}
}

func TestSpacedMarksLeaveTheLineBelowVisible(t *testing.T) {
	const spacing = 4
	y := make([]float64, 1025)
	l := Line{Series: []Series{{Y: y}, {Y: y, Mark: 'o', Spacing: spacing}}, Width: 80, Height: 12,
		Theme: theme.New(theme.Options{Lines: true})}
	rows := area(t, l.Render())
	marks, line := countRune(rows, 'o'), countRune(rows, '-')
	if columns := len(rows[0]); marks != (columns+spacing-1)/spacing || marks+line != columns {
		t.Errorf("%d marks and %d cells of line in %d columns", marks, line, columns)
	}
}

func TestEveryPublishedValueIsMarked(t *testing.T) {
	m := []float64{64, 128, 256, 512, 1024}
	l := Line{LogX: true, Series: []Series{{X: m, Y: []float64{5, 4, 3, 2, 1}, Mark: '◆'}}, Width: 60, Height: 12,
		Theme: theme.New(theme.Options{})}
	if n := countRune(area(t, l.Render()), '◆'); n != len(m) {
		t.Errorf("%d marks for %d values", n, len(m))
	}
}

func TestUnsortedPositionsDrawTheSortedCurve(t *testing.T) {
	th := theme.New(theme.Options{})
	sorted := Line{Series: []Series{{X: []float64{0, 1, 2, 3}, Y: []float64{0, 3, 1, 2}}}, Width: 60, Height: 12,
		Theme: th}
	shuffled := Line{Series: []Series{{X: []float64{2, 0, 3, 1}, Y: []float64{1, 0, 2, 3}}}, Width: 60, Height: 12,
		Theme: th}
	if sorted.Render() != shuffled.Render() {
		t.Error("order of the samples changes the picture")
	}
}

func TestPowerLawIsStraightOnLogarithmicAxes(t *testing.T) {
	var x, y []float64
	for i := 1; i <= 1000; i++ {
		x, y = append(x, float64(i)), append(y, math.Pow(float64(i), -2))
	}
	at := newPath(Series{X: x, Y: y}, report.Axis{Lo: 0, Hi: 3, Log: true}, true).interpolate(60)
	const chord = 0.05 // of a decade: linear interpolation between k = 1 and 2
	for i, c := range at {
		if want := -2 * 3 * float64(i) / 120; math.Abs(c-want) > chord {
			t.Fatalf("vertex %d at %g, want %g", i, c, want)
		}
	}
}

func TestLegendNamesEverySeriesWithItsSample(t *testing.T) {
	l := Line{Width: 76, Height: 14, Theme: theme.New(theme.Options{NoColor: true}), Title: "T",
		Series: []Series{{Name: "truth", Y: []float64{1, 2}}, {Name: "model", Y: []float64{2, 1}, Pen: Heavy},
			{Name: "paper", Y: []float64{1, 1}, Mark: '◆'}}}
	header, _, _ := strings.Cut(ansi.Strip(l.Render()), "\n")
	for _, want := range []string{"⠒⠒ truth", "⠶⠶ model", "◆ paper"} {
		if !strings.Contains(header, want) {
			t.Errorf("%q is not in %q", want, header)
		}
	}
}

func TestEmptyPlotSaysSo(t *testing.T) {
	for _, y := range [][]float64{nil, {math.NaN(), math.NaN()}} {
		if s := bare(y, 40, 8).Render(); !strings.Contains(s, "no data") {
			t.Errorf("%v:\n%s", y, s)
		}
	}
}

func TestOneEndPinnedLeavesTheOtherToTheData(t *testing.T) {
	y := []float64{0.01, 0.03, 0.02}
	for name, l := range map[string]Line{
		"lower": {YMin: new(0.0)},
		"upper": {YMax: new(0.05)},
	} {
		l.Series, l.X1 = []Series{{X: []float64{0, 0.5, 1}, Y: y}}, 1
		got := l.vertical(l.horizontal())
		want := report.Span{Lo: 0.01, Hi: 0.03}
		if l.YMin != nil {
			want.Lo = *l.YMin
		} else {
			want.Hi = *l.YMax
		}
		if got != want {
			t.Errorf("%s end pinned: range %v, want %v", name, got, want)
		}
	}
}
