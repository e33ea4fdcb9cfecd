// What a cursor reads, and where it is under the mouse.

package plot

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

// ofCosine is a plot of a function and of dots near it at 65 points.
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
	for _, zoom := range []int{0, 2, 6} {
		l := ofCosine(Cursor{Shown: true, X: 0.252, Zoom: zoom})
		text := ansi.Strip(l.Render())
		for _, want := range []string{"x 0.25 ", "truth 6.12e-17", "model 0.25", "difference -0.25"} {
			if !strings.Contains(text, want) {
				t.Errorf("zoom %d: no %q in\n%s", zoom, want, text)
			}
		}
		if strings.Count(text, "▲") != 2 { // in the legend and on the axis
			t.Errorf("zoom %d: the cursor is not on the axis:\n%s", zoom, text)
		}
	}
}

// Between the samples of a line there are values, beyond its ends and beside single points there are none.
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

// A cell of a ruler names the place that the cursor then reads: the axis is marked under it.
func TestRulersLeadToTheCell(t *testing.T) {
	for _, zoom := range []int{0, 1, 3} {
		c := Cursor{Shown: true, X: 0.6, Y: 0.5, Zoom: zoom}
		ruler := c
		ruler.Ruler = true
		lines := strings.Split(ansi.Strip(ofCosine(ruler).Render()), "\n")
		for column := 10; column < 95; column += 17 {
			x, y, ok := Under(string([]rune(lines[8])[column]))
			if !ok || !math.IsNaN(y) {
				t.Fatalf("zoom %d, column %d: %g, %g, %v", zoom, column, x, y, ok)
			}
			lo, hi := c.window()
			l := ofCosine(Cursor{Shown: true, X: x})
			l.X0, l.X1 = 0, 1
			if x < lo-0.01 || x > hi+0.01 {
				t.Errorf("zoom %d, column %d: %g is not in [%g, %g]", zoom, column, x, lo, hi)
			}
			if zoom > 0 {
				continue
			}
			axis := strings.Split(ansi.Strip(l.Render()), "\n")[18]
			at := strings.IndexRune(axis, '▲')
			if at = len([]rune(axis[:at])); at < column-1 || at > column+1 {
				t.Errorf("column %d is read in column %d", column, at)
			}
		}
		if _, _, ok := Under(lines[18]); ok {
			t.Error("the axis is part of the plot")
		}
	}
}

// A map is read at the value under the cursor, whatever the zoom, and its cells lead there.
func TestCursorReadsMaps(t *testing.T) {
	const r = 9
	field := make([]float64, r*r)
	for k := range field {
		field[k] = float64(k)
	}
	for _, zoom := range []int{0, 1, 2} {
		h := HeatMap{Field: field, R: r, Width: 40, Height: 16, Title: "field", Bar: true,
			Theme: theme.New(theme.Options{NoColor: true}), Cursor: Cursor{Shown: true, X: 0.75, Y: 0.25, Zoom: zoom}}
		text := ansi.Strip(h.Render())
		if want := fmt.Sprintf("%d at 0.75, 0.25", 6*r+2); !strings.Contains(text, want) {
			t.Errorf("zoom %d: no %q in\n%s", zoom, want, text)
		}
		if !strings.Contains(text, "80") || strings.Count(text, "X") != 1 {
			t.Errorf("zoom %d: the scale of the whole, or the cross, is missing:\n%s", zoom, text)
		}
		h.Cursor.Ruler = true
		marked := strings.Split(text, "\n")
		for y, line := range strings.Split(ansi.Strip(h.Render()), "\n") {
			at := strings.IndexRune(marked[y], 'X')
			if at < 0 {
				continue
			}
			x, up, ok := Under(string([]rune(line)[len([]rune(marked[y][:at]))]))
			if math.Abs(x-0.75) > 0.04 || math.Abs(up-0.25) > 0.04 || !ok {
				t.Errorf("zoom %d: the cell of the cross is at %g, %g, %v", zoom, x, up, ok)
			}
		}
	}
}

func TestCursorReadsBins(t *testing.T) {
	h := Histogram{Values: []float64{1, 1, 1, 2, 3, 4}, Bins: 4, Width: 50, Height: 12, Cursor: Cursor{Shown: true},
		Theme: theme.New(theme.Options{NoColor: true})}
	if text := h.Render(); !strings.Contains(text, "3 from 1 to 1.75") {
		t.Errorf("the first bin is not read:\n%s", text)
	}
}
