// Histograms and progress bars show their numbers.

package plot

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

func TestHistogramBarsAreProportional(t *testing.T) {
	values := []float64{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3}
	h := Histogram{Values: values, Width: 44, Height: 10, Theme: theme.New(theme.Options{})}
	rows := area(t, h.Render())
	columns := len(rows[0])
	for bin, want := range []int{8, 0, 4, 0, 2, 1} {
		height := 0
		for _, row := range rows {
			if row[bin*columns/6+1] == '█' {
				height++
			}
		}
		if height != want*len(rows)/8 {
			t.Errorf("bin %d is %d rows high, want %d of %d", bin, height, want*len(rows)/8, len(rows))
		}
	}
}

func TestHistogramMarksMedianAndCurrent(t *testing.T) {
	h := Histogram{Values: []float64{1, 2, 3, 4, 100}, Current: new(4.0), CurrentName: "sample 3", Width: 76, Height: 10,
		Theme: theme.New(theme.Options{})}
	s := ansi.Strip(h.Render())
	header, _, _ := strings.Cut(s, "\n")
	if !strings.Contains(header, "▲ median 3") || !strings.Contains(header, "● sample 3 4") {
		t.Errorf("legend %q", header)
	}
	if strings.Count(s, "▲") != 2 || strings.Count(s, "●") != 2 {
		t.Errorf("marks missing below the bars:\n%s", s)
	}
}

func TestHistogramCountsWhatItCannotShow(t *testing.T) {
	h := Histogram{Values: []float64{1, 2, 0, -1, math.NaN(), math.Inf(1)}, Log: true, Width: 76, Height: 10,
		Theme: theme.New(theme.Options{})}
	if s := ansi.Strip(h.Render()); !strings.Contains(s, "4 not shown") {
		t.Errorf("legend of\n%s", s)
	}
}

// On a logarithmic axis, too, the median is the median of the values, as in tables: 2 for 1 and 3, not 1.73.
func TestMedianIsThatOfTheValues(t *testing.T) {
	h := Histogram{Values: []float64{1, 3}, Log: true, Width: 60, Height: 10, Theme: theme.New(theme.Options{})}
	if s := ansi.Strip(h.Render()); !strings.Contains(s, "median 2") {
		t.Errorf("legend of\n%s", s)
	}
}

func TestProgressGrowsInEighths(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	for fraction, want := range map[float64]string{
		-1: "░░░░", 0: "░░░░", 1e-9: "▏░░░", 0.125: "▌░░░", 0.25: "█░░░", 0.5: "██░░", 0.999: "███▉", 1: "████", 2: "████",
	} {
		if got := ansi.Strip(Progress(fraction, 4, th)); got != want {
			t.Errorf("%g: %s, want %s", fraction, got, want)
		}
	}
}

func TestProgressInASCIIIsWholeCells(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true, ASCII: true})
	for fraction, want := range map[float64]string{0: "....", 0.01: "#...", 0.5: "##..", 0.999: "###.", 1: "####"} {
		if got := ansi.Strip(Progress(fraction, 4, th)); got != want {
			t.Errorf("%g: %s, want %s", fraction, got, want)
		}
	}
}
