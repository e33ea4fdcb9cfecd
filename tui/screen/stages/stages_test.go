package stages

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/engine"
	"rfm/model/price"
	"rfm/solver/progress"
	"rfm/tui/golden"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// The time left at the end of a progress line is never cut.
func TestTimeLeftIsNotCut(t *testing.T) {
	th := theme.New(theme.Options{})
	began := time.Unix(1000, 0)
	p := engine.Progress{Progress: progress.Progress{Stage: engine.Generating, Done: 128, Total: 256, Unit: "samples",
		Note: "10.5 GF/s", Began: began, Now: began.Add(410 * time.Millisecond)}}
	line := ansi.Strip(running(th, p, strings.Repeat("#", 20), session.Generate, 2, 80))
	if !strings.HasSuffix(line, " left") || len([]rune(line)) > 80 {
		t.Errorf("line %q", line)
	}
}

// The first models overfit by orders of magnitude: the curve begins beyond the frame.
func TestValidationErrorBeginsBeyondTheFrame(t *testing.T) {
	f := validation(tuitest.Of(t, "quick", "data.train=40"), []engine.Validation{{Samples: 1, Error: 4.2}, {Samples: 2, Error: 0.71}, {Samples: 4, Error: 0.52},
		{Samples: 8, Error: 0.27}, {Samples: 16, Error: 0.16}, {Samples: 32, Error: 0.08}})
	golden.Compare(t, filepath.Join("testdata", "validation.txt"),
		ansi.Strip(plot.Figure(theme.New(theme.Options{}), f, 80, 15))+"\n")
}

// The method with the least leave-one-out error comes first, one without last.
func TestRaceOfMethods(t *testing.T) {
	table := race([]engine.Rival{{Offer: price.Offer{Name: "random features"}},
		{Offer: price.Offer{Name: "linear"}, LeaveOneOut: 0.3, Training: 0.01},
		{Offer: price.Offer{Name: "kernel"}, LeaveOneOut: 2e-5, Training: 2}})
	var got []string
	for _, row := range table.Rows {
		got = append(got, row[0]+" "+row[1])
	}
	if want := []string{"kernel 2.00e-05", "linear 0.300000", "random features -"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
