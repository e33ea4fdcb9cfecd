package plot

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

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
