// Names of axes.

package plot

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/report"
	"rfm/tui/theme"
)

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
			series: []series{line([]float64{0.01, 0.2}, 1, 2)}, theme: theme.New(theme.Options{ASCII: true, NoColor: true})}
		lines := strings.Split(ansi.Strip(l.Render()), "\n")
		axis, labels := lines[len(lines)-2], lines[len(lines)-1]
		ticks, numbers := strings.Count(axis[4:], "+"), len(regexp.MustCompile(`[0-9.]+`).FindAllString(labels, -1))
		if !strings.Contains(labels, "error (log)") || ticks != numbers {
			t.Errorf("%d columns, %d ticks, %d labels:\n%s", width, ticks, numbers, strings.Join(lines, "\n"))
		}
	}
}
