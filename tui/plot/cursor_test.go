// Values read by a cursor.

package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

// ofCosine returns a plot of a function and of dots near it at 65 points.
func ofCosine(c Cursor) Line {
	truth, prediction := make([]float64, 65), make([]float64, 65)
	for i := range truth {
		truth[i] = math.Cos(2 * math.Pi * float64(i) / 64)
		prediction[i] = truth[i] + 0.25
	}
	return Line{Width: 100, Height: 20, X0: 0, X1: 1, XLabel: "x", Cursor: c, Difference: [2]string{"truth", "model"},
		Theme: theme.New(theme.Options{NoColor: true}), Series: []Series{{Name: "truth", Y: truth},
			{Name: "model", Y: prediction, Mark: '●', Spacing: 3}}}
}

func TestCursorReadsSamples(t *testing.T) {
	text := ansi.Strip(ofCosine(Cursor{Shown: true, X: 0.252}).Render())
	for _, want := range []string{"x 0.25 ", "truth 6.12e-17", "model 0.25", "difference -0.25"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Count(text, "▲") != 2 { // in the legend and on the axis
		t.Errorf("the cursor is not on the axis:\n%s", text)
	}
}

// A cursor reads values between the samples of a line, but not beyond its ends or next to single points.
func TestCursorReadsNoValueThatIsNotThere(t *testing.T) {
	s := Series{X: []float64{1, 3}, Y: []float64{10, 30}}
	if v, ok := s.at(1.5); !ok || v != 15 {
		t.Errorf("the line is %g at 1.5, %v", v, ok)
	}
	if v, ok := s.at(3.5); ok {
		t.Errorf("the line is %g beyond its end", v)
	}
	s.Mark = 'x'
	if v, ok := s.at(1.5); ok {
		t.Errorf("there is a point of %g where none is", v)
	}
}

// A map is read at the value under the cursor.
func TestCursorReadsMaps(t *testing.T) {
	const r = 9
	field := make([]float64, r*r)
	for k := range field {
		field[k] = float64(k)
	}
	h := HeatMap{Field: report.Field{Values: field, R: r, Title: "field"}, Width: 40, Height: 16,
		Theme: theme.New(theme.Options{NoColor: true}), Cursor: Cursor{Shown: true, X: 0.75, Y: 0.25}}
	text := ansi.Strip(h.Render())
	if want := fmt.Sprintf("%d at 0.75, 0.25", 6*r+2); !strings.Contains(text, want) || strings.Count(text, "X") != 1 {
		t.Errorf("no %q, or no cross, in\n%s", want, text)
	}
}
