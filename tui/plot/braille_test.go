package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/model/report"
	"rfm/tui/theme"
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
			table[r][c] = cell >= noDots && cell <= noDots+0xff && (cell-noDots)&dotBits[r%dotsDown][c%dotsAcross] != 0
		}
	}
	return table
}

// A smooth curve has one dot a column, within a dot of its value: the first tick is in the middle of the lowest row,
// the last tick in the middle of the highest.
func TestDotsLieOnTheCurve(t *testing.T) {
	const n = 2001
	y := make([]float64, n)
	for i := range y {
		y[i] = 0.5 + 0.2*math.Sin(2*math.Pi*float64(i)/(n-1))
	}
	l := bare(y, 76, 22)
	l.X1, l.YMin, l.YMax = 1, new(0.0), new(1.0)
	table := dotsOf(t, l)
	height, width := len(table), len(table[0])
	for c := 1; c < width; c++ {
		x := (float64(c) + 1) / float64(width)
		value := 0.5 + 0.2*math.Sin(2*math.Pi*x)
		want := float64(height) - (value*float64(height/dotsDown-1)+0.5)*dotsDown - 0.5
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
		l.series = s
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

// Where other glyphs draw marks, dots draw a thin line, which is exact and visible over the thick one below; without
// colour the two would be indistinguishable.
func TestPredictionIsAThinLineOverTheTruth(t *testing.T) {
	zero, one := 0.0, 1.0
	l := graph{Figure: report.Figure{YMin: &zero, YMax: &one}, width: 60, height: 12,
		series: []series{line([]float64{0, 1}, 0.3, 0.3), line([]float64{0, 1}, 0.7, 0.7)}}
	l.series[0].pen, l.series[1].mark, l.series[1].Spacing = heavy, '●', 3
	rows := 0
	for _, row := range dotsOf(t, l) {
		if slices.Contains(row, true) {
			rows++
		}
	}
	if rows != 3 {
		t.Errorf("%d rows of dots, want two of the thick line and one of the thin", rows)
	}
	l.theme = theme.New(theme.Options{NoColor: true})
	if plain := l.Render(); !strings.Contains(plain, "●") {
		t.Errorf("without colour:\n%s", plain)
	}
}
