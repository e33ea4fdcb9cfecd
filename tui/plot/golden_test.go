// Whole pictures against golden files. People judge them: after
// go test ./tui/plot -update, look at them.

package plot

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/golden"
	"rfm/tui/theme"
)

// burgersLike returns a smooth input, a truth with a steep front, a prediction close to it and their difference, on n
// points of [0,1].
func burgersLike(n int) (input, truth, prediction, failure []float64) {
	for i := range n {
		x := float64(i) / float64(n-1)
		u := 0.8 * math.Tanh((0.55-x)*40) * math.Sin(math.Pi*x)
		p := u + 0.03*math.Sin(9*math.Pi*x)
		input = append(input, math.Sin(2*math.Pi*x)+0.5*math.Cos(4*math.Pi*x))
		truth, prediction, failure = append(truth, u), append(prediction, p), append(failure, math.Abs(p-u))
	}
	return input, truth, prediction, failure
}

// gallery returns one picture of each kind at the given size.
func gallery(width, height int, th theme.Theme) map[string]graph {
	input, truth, prediction, failure := burgersLike(1025)
	k, chi := make([]float64, 400), make([]float64, 400)
	for i := range k {
		k[i] = float64(i + 1)
		r := 2 * math.Pi * k[i] * 0.0025
		chi[i] = max(0, min(2*r, math.Pow(r+0.5, -4)))
	}
	broken := append([]float64(nil), truth...)
	for i := range broken {
		switch {
		case i == 200:
			broken[i] = 2
		case i >= 300 && i < 400:
			broken[i] = math.NaN()
		case i >= 900:
			broken[i] = math.Inf(1)
		}
	}
	m := []float64{64, 128, 256, 512, 1024}
	plots := map[string]graph{
		"sample": {Figure: report.Figure{X1: 1, Title: "Burgers, T = 1", YLabel: "u(x)", XLabel: "x"},
			series: spaced(series{Curve: report.Curve{Name: "input", Y: input}, style: th.Input, pen: dotted},
				series{Curve: report.Curve{Name: "truth", Y: truth}, style: th.Truth},
				series{Curve: report.Curve{Name: "prediction", Y: prediction, Spacing: 4}, style: th.Prediction,
					mark: th.Glyphs.PredictionMark})},
		"error": {Figure: report.Figure{X1: 1, LogY: true, Title: "Pointwise error", XLabel: "x"},
			series: spaced(series{Curve: report.Curve{Y: failure}, style: th.Error})},
		"filter": {Figure: report.Figure{LogX: true, LogY: true, Title: "Filter", YLabel: "chi(k)", XLabel: "k"},
			series: []series{{Curve: report.Curve{X: k, Y: chi}, style: th.Input}}},
		"convergence": {Figure: report.Figure{LogX: true, Title: "Test error", XLabel: "m"}, series: []series{
			{Curve: report.Curve{Name: "here", X: m, Y: []float64{0.12, 0.09, 0.07, 0.052, 0.0416}}, style: th.Prediction,
				pen: heavy},
			{Curve: report.Curve{Name: "paper", X: m, Y: []float64{0.11, 0.092, 0.069, 0.05, 0.0416}}, style: th.Published,
				mark: th.Glyphs.PublishedMark}}},
		"broken": {Figure: report.Figure{X1: 1, YMax: new(1.0), Title: "Spike, gap, infinity", XLabel: "x"},
			series: spaced(series{Curve: report.Curve{Y: broken}, style: th.Bad})},
	}
	for name, p := range plots {
		p.width, p.height, p.theme = width, height, th
		plots[name] = p
	}
	return plots
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
		golden.Compare(t, filepath.Join("testdata", name+".txt"), text)
	}
}

func TestPicturesMatchGoldenFiles(t *testing.T) {
	var s sheet
	for _, size := range [][2]int{{76, 14}, {36, 8}, {60, 10}, {116, 28}} {
		for _, mode := range modes {
			for name, picture := range gallery(size[0], size[1], theme.New(mode)) {
				s.add(name, size, mode.ASCII, picture.Render())
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
		r, g, b, _ := style.GetForeground().RGBA()
		if !regexp.MustCompile(fmt.Sprintf("38;2;%d;%d;%d(;1)?m%s", r>>8, g>>8, b>>8, mark)).MatchString(text) {
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

// An input much larger or smaller than the output is divided by a round number, which its name contains; the data stay.
func TestInputHasAScaleOfItsOwn(t *testing.T) {
	for _, c := range []struct {
		a    float64
		name string
	}{{1, "a"}, {2.9, "a"}, {4, "a / 5"}, {100, "a / 100"}, {0.2, "5 a"}} {
		f := scaled(report.Figure{Curves: []report.Curve{{Name: "a", Y: []float64{0, c.a}, Role: report.AsInput},
			{Name: "u", Y: []float64{0, 1}, Role: report.AsTruth}}})
		if lo, hi := report.Extent(f.Curves[0].Y); f.Curves[0].Name != c.name || hi-lo > 3 || hi-lo < 1./3 {
			t.Errorf("an input up to %g is drawn as %q up to %g", c.a, f.Curves[0].Name, hi)
		}
	}
}
