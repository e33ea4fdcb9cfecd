// Properties of every size and all data: no panic, exact size, plain ASCII.

package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

// nasty returns series that break a plot drawn without care.
func nasty() map[string]series {
	nan, inf := math.NaN(), math.Inf(1)
	holes := wavy(1000, 0)
	for i := range holes {
		if i%2 == 0 {
			holes[i] = nan
		}
	}
	all := map[string]report.Curve{
		"empty":              {},
		"one point":          {Y: []float64{3}},
		"one point at x":     {X: []float64{0.3}, Y: []float64{3}},
		"two points":         {Y: []float64{1, 2}},
		"NaN":                {Y: []float64{nan, nan, nan}},
		"infinite":           {Y: []float64{inf, -inf, inf}},
		"mixed":              {Y: []float64{1, nan, inf, 2, -inf, 3, nan}},
		"every other NaN":    {Y: holes},
		"zero":               {Y: make([]float64, 50)},
		"constant":           {Y: []float64{7, 7, 7}},
		"tiny":               {Y: []float64{1e-300, 2e-300, -1e-300}},
		"denormal":           {Y: []float64{5e-324, 1e-323}},
		"huge":               {Y: []float64{1e300, -1e300, 0}},
		"report.Largest":     {Y: []float64{math.MaxFloat64, -math.MaxFloat64}},
		"tiny to huge":       {Y: []float64{1e-300, 1e300}},
		"all but constant":   {Y: []float64{1, 1 + 1e-15, 1 - 1e-15}},
		"unsorted X":         {X: []float64{0.9, 0.1, 0.5}, Y: []float64{1, 2, 3}},
		"X all equal":        {X: []float64{2, 2, 2}, Y: []float64{1, 2, 3}},
		"X not finite":       {X: []float64{nan, inf, -inf, 0.5}, Y: []float64{1, 2, 3, 4}},
		"X huge":             {X: []float64{-1e300, 1e300}, Y: []float64{1, 2}},
		"X outside":          {X: []float64{-5, 9}, Y: []float64{1, 2}},
		"many":               {Y: wavy(100000, 0)},
		"long name, in wide": {Name: strings.Repeat("世界 e\u0301\x1b[31m", 30), Y: []float64{1, 2}},
	}
	nasty := map[string]series{}
	for name, c := range all {
		nasty[name] = spaced(series{Curve: c})[0]
	}
	return nasty
}

// checkSize fails unless s is height lines of width cells; empty if one of them is not positive.
func checkSize(t *testing.T, s string, width, height int) {
	t.Helper()
	if (width <= 0 || height <= 0) && s == "" {
		return
	}
	lines := strings.Split(s, "\n")
	if len(lines) != height {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), height, s)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w != width {
			t.Fatalf("line %d is %d cells wide, want %d:\n%s", i, w, width, s)
		}
	}
}

// sizes returns all heights up to 45 with widths up to 130, half of these, and all small sizes.
func sizes() (s [][2]int) {
	const width, height, small = 130, 45, 10
	for w := 1; w <= width; w += 4 {
		s = append(s, [2]int{w, 1 + w*7%height})
	}
	for h := 1; h <= height; h++ {
		s = append(s, [2]int{1 + h*29%width, h})
	}
	s = append(s, [2]int{0, 5}, [2]int{5, 0}, [2]int{-3, 5}, [2]int{5, -1})
	for h := 1; h <= small; h++ {
		for _, w := range []int{1, minWidth - 1, minWidth, minWidth + 1, 36} {
			s = append(s, [2]int{w, h})
		}
	}
	return s
}

func TestLineHasExactSizeForAllSizesAndData(t *testing.T) {
	for name, one := range nasty() {
		t.Run(name, func(t *testing.T) {
			for i, size := range sizes() {
				th := theme.New(theme.Options{Lines: i/3%2 == 0})
				l := graph{Figure: report.Figure{LogX: i%3 == 0, LogY: i%2 == 0, Title: "title", YLabel: "y", XLabel: "x"},
					series: []series{one}, width: size[0], height: size[1], theme: th}
				if i%5 < 2 {
					l.X0, l.X1 = 0.1, 1
				}
				if i%7 < 3 {
					l.YMin = new(float64(i%11 - 5))
				}
				if i%4 == 1 {
					l.YMax = new(float64(i%13 - 6))
				}
				if i%6 == 1 {
					marks := report.Curve{Name: "marks", X: one.X, Y: one.Y, Spacing: i % 4}
					l.series = append(l.series, series{Curve: marks, mark: 'x'})
				}
				checkSize(t, l.Render(), size[0], size[1])
			}
		})
	}
}

func TestInlinePlotsHaveExactWidth(t *testing.T) {
	for _, o := range []theme.Options{{}, {ASCII: true}} {
		th := theme.New(o)
		for width := range 131 {
			for _, f := range []float64{-1, 0, 1e-9, 0.3, 0.999999, 1, 2, math.NaN(), math.Inf(1)} {
				checkSize(t, Progress(f, width, th), width, 1)
			}
		}
	}
}

func TestASCIIThemeDrawsPrintableASCIIOnly(t *testing.T) {
	th := theme.New(theme.Options{ASCII: true})
	check := func(s string) {
		for _, b := range []byte(ansi.Strip(s)) {
			if b != '\n' && (b < 0x20 || b > 0x7e) {
				t.Fatalf("byte %#x in\n%s", b, s)
			}
		}
	}
	for _, one := range nasty() {
		for _, one.pen = range []pen{light, heavy, dotted} {
			marked := one
			marked.mark = 'θ'
			check(graph{Figure: report.Figure{Title: "θ₁", XLabel: "χ", YLabel: "…"}, theme: th, width: 76,
				height: 14, series: []series{one, marked}}.Render())
		}
	}
	for _, f := range maps() {
		f.Title = "θ₁"
		check(Field(th, f, 40, 14))
	}
	check(Progress(0.4, 30, th))
}
