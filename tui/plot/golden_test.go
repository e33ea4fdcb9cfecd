// Whole pictures against golden files. People judge them: after
// go test ./tui/plot -update, look at them.

package plot

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/show/report"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// gallery returns one figure of each kind: a smooth input, a truth with a steep front and a prediction close to it,
// their difference, a filter, published values, and a curve with a spike, a gap and infinite values.
func gallery() map[string]report.Figure {
	const n = 1025
	s, failure, broken := report.Sample{}, make([]float64, n), make([]float64, n)
	for i, x := range report.UnitPoints(n) {
		u := 0.8 * math.Tanh((0.55-x)*40) * math.Sin(math.Pi*x)
		p := u + 0.03*math.Sin(9*math.Pi*x)
		s.Input = append(s.Input, math.Sin(2*math.Pi*x)+0.5*math.Cos(4*math.Pi*x))
		s.Truth, s.Prediction, failure[i], broken[i] = append(s.Truth, u), append(s.Prediction, p), math.Abs(p-u), u
		switch {
		case i == 200:
			broken[i] = 2
		case i >= 300 && i < 400:
			broken[i] = math.NaN()
		case i >= 900:
			broken[i] = math.Inf(1)
		}
	}
	chi := make([]float64, 400)
	for i, k := range report.Counting(len(chi)) {
		r := 2 * math.Pi * k * 0.0025
		chi[i] = max(0, min(2*r, math.Pow(r+0.5, -4)))
	}
	one := func(x, y []float64, role report.Role) []report.Curve { return []report.Curve{{X: x, Y: y, Role: role}} }
	x, m := report.UnitPoints(n), []float64{64, 128, 256, 512, 1024}
	return map[string]report.Figure{
		"sample": {X1: 1, Title: "Burgers, T = 1", YLabel: "u(x)", XLabel: "x", Curves: s.Functions()[0].Curves},
		"error":  {X1: 1, LogY: true, Title: "Pointwise error", XLabel: "x", Curves: one(x, failure, report.AsError)},
		"filter": {LogX: true, LogY: true, Title: "Filter", YLabel: "chi(k)", XLabel: "k",
			Curves: one(report.Counting(len(chi)), chi, report.AsInput)},
		"convergence": {LogX: true, Title: "Test error", XLabel: "m", Curves: []report.Curve{
			{Name: "here", X: m, Y: []float64{0.12, 0.09, 0.07, 0.052, 0.0416}},
			{Name: "paper", X: m, Y: []float64{0.11, 0.092, 0.069, 0.05, 0.0416}, Published: true}}},
		"broken": {X1: 1, YMax: new(1.0), Title: "Spike, gap, infinity", XLabel: "x", Curves: one(x, broken, report.AsTruth)},
	}
}

// modes are the sets of glyphs for pictures.
var modes = []theme.Options{{NoColor: true}, {ASCII: true, NoColor: true}}

// sheet holds pictures of one kind by name; they are stored below each other in one golden file.
type sheet map[string]string

func (s *sheet) add(name string, size [2]int, ascii bool, picture string) {
	if *s == nil {
		*s = sheet{}
	}
	(*s)[name] += fmt.Sprintf("== %dx%d, ASCII %t\n%s\n", size[0], size[1], ascii, ansi.Strip(picture))
}

func (s sheet) compare(t *testing.T) {
	for name, text := range s {
		tuitest.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

func TestPicturesMatchGoldenFiles(t *testing.T) {
	var s sheet
	for _, size := range [][2]int{{76, 14}, {36, 8}, {60, 10}, {116, 28}} {
		for _, mode := range modes {
			for name, f := range gallery() {
				s.add(name, size, mode.ASCII, Figure(theme.New(mode), f, size[0], size[1]))
			}
		}
	}
	s.compare(t)
}

// Published values of a curve have its colour and its mark, hollow; where both are the same number, both are visible.
func TestPublishedPointsBelongToTheirCurve(t *testing.T) {
	th := theme.New(theme.Options{})
	x := []float64{1, 2, 3}
	f := report.Figure{Title: "error", XLabel: "K", LogX: true, Curves: []report.Curve{
		{Name: "m=64", X: x, Y: []float64{3, 3, 3}}, {Name: "m=128", X: x, Y: []float64{1, 1, 1}},
		{Name: "paper, m=128", X: x[1:2], Y: []float64{2}, Published: true}}}
	text := Figure(th, f, 60, 12)
	for mark, style := range map[string]lipgloss.Style{"●": th.Prediction, "■": th.Truth, "□": th.Truth} {
		if !strings.Contains(text, fmt.Sprintf("38;5;%vm%s", style.GetForeground(), mark)) {
			t.Errorf("%s is not in its colour in\n%q", mark, text)
		}
	}
	plain := ansi.Strip(text)
	if n := strings.Count(plain, "●") + strings.Count(plain, "■"); n != 2*len(x)+2 {
		t.Errorf("%d marks of computed points, two curves of %d and a legend:\n%s", n, len(x), plain)
	}
	if !strings.Contains(plain, "K (log)") {
		t.Errorf("the horizontal axis does not say that it is logarithmic:\n%s", plain)
	}
}

// A prediction is marks over the heavy line of the truth, in every palette: both are visible where they agree. The
// legend shows what is drawn.
func TestTruthIsVisibleUnderItsPrediction(t *testing.T) {
	x := report.UnitPoints(200)
	y := values(200, func(x float64) float64 { return math.Sin(7 * x) })
	f := report.Figure{Curves: []report.Curve{{Name: "truth", X: x, Y: y, Role: report.AsTruth},
		{Name: "model", X: x, Y: y, Role: report.AsPrediction},
		{Name: "observed", X: x[:1], Y: y[:1], Role: report.AsError, Points: true}}}
	for _, test := range []struct {
		theme   theme.Options
		legend  string
		mark    string
		between string // characters of the truth
	}{
		{theme.Options{}, "⠶⠶ truth   ● model   + observed", "●", "⠶⠒⠤⣀⠛⠉⠢⠔⠴⠲⠖⠦⢤⡤⣤⢖⡲"},
		{theme.Options{NoColor: true}, "⠶⠶ truth   ● model   + observed", "●", "⠶⠒⠤⣀⠛⠉⠢⠔⠴⠲⠖⠦⢤⡤⣤⢖⡲"},
		{theme.Options{Lines: true}, "██ truth   ● model   + observed", "●", "▀▄█"},
		{theme.Options{ASCII: true}, "== truth   o model   + observed", "o", "#="},
	} {
		text := Figure(theme.New(test.theme), f, 60, 12)
		plain := ansi.Strip(text)
		if !strings.Contains(plain, test.legend) {
			t.Errorf("the legend is not %q:\n%s", test.legend, plain)
		}
		marks := strings.Count(plain, test.mark) - 1 - strings.Count(test.legend[:len(test.legend)-len("+ observed")], test.mark+"bserved")
		truth := 0
		for _, r := range plain {
			if r >= '\u2801' && r <= '\u28ff' || strings.ContainsRune("▀▄█#=", r) {
				truth++
			}
		}
		if marks < 10 || truth < 2*marks {
			t.Errorf("%+v: %d marks of the prediction, %d cells of the truth:\n%s", test.theme, marks, truth, plain)
		}
	}
}

// An input of another size or level than the output has an axis of its own, in its colour: neither is a flat line.
func TestInputOfAnotherScaleHasItsOwnAxis(t *testing.T) {
	x := report.UnitPoints(100)
	wave := values(100, func(x float64) float64 { return math.Sin(6 * x) })
	for _, test := range []struct {
		name         string
		level, swing float64
		own          bool
	}{
		{"alike", 0, 2, false}, {"far away", 101325, 1, true}, {"large", 0, 100, true}, {"small", 0, 0.01, true},
	} {
		u := values(100, func(x float64) float64 { return test.level + test.swing*math.Cos(5*x) })
		f := report.Figure{XLabel: "x", Curves: []report.Curve{{Name: "a", X: x, Y: wave, Role: report.AsInput},
			{Name: "truth", X: x, Y: u, Role: report.AsTruth}, {Name: "prediction", X: x, Y: u, Role: report.AsPrediction}}}
		text := ansi.Strip(Figure(theme.New(theme.Options{}), f, 76, 16))
		if _, own := f.Right(12); own != test.own || strings.Contains(text, "a (right)") != test.own ||
			strings.Contains(text, "├") != test.own {
			t.Errorf("%s: an axis of its own is %t, want %t:\n%s", test.name, own, test.own, text)
		}
		used := 0
		for _, row := range area(t, text) {
			if strings.ContainsRune(string(row), '●') {
				used++
			}
		}
		if used < 8 {
			t.Errorf("%s: the output takes %d rows:\n%s", test.name, used, text)
		}
	}
}

// A logarithmic axis leaves zeros out and says how many; a curve of nothing else says that.
func TestZerosOnALogarithmicAxisAreLeftOut(t *testing.T) {
	x := report.Counting(40)
	y := make([]float64, len(x))
	f := report.Figure{Title: "error", XLabel: "j", LogY: true, Curves: []report.Curve{{X: x, Y: y, Role: report.AsError}}}
	th := theme.New(theme.Options{})
	if text := Figure(th, f, 76, 14); !strings.Contains(text, "all values are 0") || strings.ContainsAny(text, "↑↓") {
		t.Errorf("only zeros:\n%s", text)
	}
	for i := range y {
		if i%2 == 0 {
			y[i] = float64(i + 1)
		}
	}
	text := ansi.Strip(Figure(th, f, 76, 14))
	if !strings.Contains(text, "20 zeros left out") || strings.ContainsAny(text, "↑↓") {
		t.Errorf("every second value is zero:\n%s", text)
	}
	if n := strings.Count(text, "•"); n != 20 {
		t.Errorf("%d of 20 positive values are marked:\n%s", n, text)
	}
}

// Wide characters are shown in titles and legends, and take two cells.
func TestWideCharactersAreShown(t *testing.T) {
	x := report.Counting(40)
	f := report.Figure{Title: "日本語の実行", XLabel: "時間", Curves: []report.Curve{
		{Name: "温度", X: x, Y: x, Role: report.AsTruth}, {Name: "모델", X: x, Y: x, Role: report.AsPrediction}}}
	th := theme.New(theme.Options{NoColor: true})
	for width := 16; width < 90; width++ {
		text := Figure(th, f, width, 12)
		checkSize(t, text, width, 12)
		if width < 60 {
			continue
		}
		for _, want := range []string{"日本語の実行", "時間", "温度", "모델"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d columns: no %s in\n%s", width, want, text)
			}
		}
	}
	c := newCanvas(6, 1, th)
	c.text(0, 0, "日本語", ink{})
	c.text(1, 0, "ab", ink{})
	if got := c.String(); got != " ab 語" {
		t.Errorf("overwritten in part: %q", got)
	}
}

// An exported figure has the ticks and the range of the screen, in a plot of as many cells.
func TestExportHasTheAxesOfTheScreen(t *testing.T) {
	const columns, rows = 64, 16
	for name, f := range gallery() {
		svg, err := report.Page{Figures: []report.Figure{f}}.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, height := range []int{rows + 3, rows + 4} { // one or two lines of header
			picture := ansi.Strip(Figure(theme.New(theme.Options{}), f, columns+10, height))
			if len(area(t, picture)) != rows {
				continue
			}
			for _, line := range strings.Split(picture, "\n") {
				if label, _, tick := strings.Cut(line, "┤"); tick && !strings.Contains(string(svg), ">"+strings.TrimSpace(label)+"<") {
					t.Errorf("%s: the export has no tick %q of\n%s", name, label, picture)
				}
			}
			for _, tick := range f.Bottom(columns).Ticks {
				if !strings.Contains(string(svg), ">"+tick.Label+"<") {
					t.Errorf("%s: the export has no tick %q", name, tick.Label)
				}
			}
		}
	}
}

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
					width: size[0], height: size[1], theme: th}
				l.show(one)
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
					marks := report.Curve{Name: "marks", X: one.X, Y: one.Y}
					l.series = append(l.series, series{Curve: marks, mark: 'x', spacing: i % 4})
				}
				checkSize(t, l.Render(), size[0], size[1])
			}
		})
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
			marked.mark = th.Symbol(report.Disc)
			l := graph{Figure: report.Figure{Title: "θ₁", XLabel: "χ", YLabel: "…"}, theme: th, width: 76, height: 14}
			l.show(one, marked)
			check(l.Render())
		}
	}
	for _, f := range maps() {
		f.Title = "θ₁"
		check(Field(th, f, 40, 14))
	}
	check(Progress(0.4, 30, th))
}
