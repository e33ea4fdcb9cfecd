package paper

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/paper"
	"rfm/solver/progress"
	"rfm/tui/look"
)

// Studies show the progress of all of them, not only the inner step.
func TestStudiesShowTheWhole(t *testing.T) {
	h := newLibrary(false, 1)
	h.count(overall{wanted: paper.All()[2].Title, done: 2, total: 18, begun: time.Now().Add(-20 * time.Second)})
	o := h.look()
	o.now = paper.Progress{Progress: progress.Progress{Stage: "burgers-seeds", Unit: "solving", Done: 5, Total: 10},
		Draw: 2, Draws: 3}
	if f := o.fraction(); math.Abs(f-2.5/18) > 1e-12 {
		t.Errorf("%g of the whole is done", f)
	}
	text := ansi.Strip(strings.Join(o.lines(look.Terminal{}.Look(), 200), "\n"))
	for _, part := range []string{paper.All()[2].Title, "study 3 of 18", "deviation over seeds, draw 2 of 3",
		"20 s, about",
		"left", "solving 5 of 10"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
}
