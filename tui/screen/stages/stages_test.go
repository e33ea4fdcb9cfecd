package stages

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/trained/price"
	"rfm/tui/golden"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// The first models overfit by orders of magnitude: the curve begins beyond the frame.
func TestValidationErrorBeginsBeyondTheFrame(t *testing.T) {
	f := validation(tuitest.Of(t, "quick", "data.train=40"), []engine.Validation{{Samples: 1, Error: 4.2}, {Samples: 2, Error: 0.71}, {Samples: 4, Error: 0.52},
		{Samples: 8, Error: 0.27}, {Samples: 16, Error: 0.16}, {Samples: 32, Error: 0.08}})
	golden.Compare(t, filepath.Join("testdata", "validation.txt"),
		ansi.Strip(plot.Figure(theme.New(theme.Options{}), f, 80, 15))+"\n")
}

// The method with the least leave-one-out error comes first, one without last.
func TestRaceOfMethods(t *testing.T) {
	table := race([]engine.Row{{Offer: price.Offer{Name: "random features"}},
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
