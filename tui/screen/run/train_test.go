package run

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/model/run/engine"
	"rfm/model/trained/price"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
)

// The first models overfit by orders of magnitude: the curve begins beyond the frame.
func TestValidationErrorBeginsBeyondTheFrame(t *testing.T) {
	f := validation(tuitest.Of(t, "quick", "data.train=40"), []engine.Validation{{Samples: 1, Error: 4.2}, {Samples: 2, Error: 0.71}, {Samples: 4, Error: 0.52},
		{Samples: 8, Error: 0.27}, {Samples: 16, Error: 0.16}, {Samples: 32, Error: 0.08}})
	tuitest.Compare(t, filepath.Join("testdata", "validation.txt"),
		ansi.Strip(plot.Figure(theme.New(theme.Options{}), f, 80, 15))+"\n")
}

// The method with the smallest leave-one-out error comes first, and one without an error last.
func TestRaceOfMethods(t *testing.T) {
	table := race([]engine.Row{{Offer: price.Offer{Name: "random features"}},
		{Offer: price.Offer{Name: "linear"}, LeaveOneOut: 0.3, Training: 0.01},
		{Offer: price.Offer{Name: "kernel"}, LeaveOneOut: 2e-5, Training: 2}})
	var got []string
	for _, row := range table.Rows {
		got = append(got, row[0]+" "+row[1])
	}
	if want := []string{"kernel 2.00e-05", "linear 0.3000", "random features -"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The race of methods has a bar for each method, the longest for the smallest error, and is as high as there is room.
func TestRaceIsBars(t *testing.T) {
	th := theme.New(theme.Options{NoColor: true})
	row := func(name string, deviation float64) engine.Row {
		r := engine.Row{LeaveOneOut: deviation, Training: 1}
		r.Name = name
		return r
	}
	list := []engine.Row{row("mean", 1), row("kernel", 0.01), row("linear", 0.1), row("unknown one", 0)}
	for _, height := range []int{5, 9, 20} {
		text := ansi.Strip(bars(th, list, 80, height))
		lines := strings.Split(text, "\n")
		if len(lines) != height {
			t.Errorf("%d lines, want %d", len(lines), height)
		}
		before := math.MaxInt
		for _, name := range []string{"kernel", "linear", "mean", "unknown one"} {
			at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, " "+name) })
			if at < 0 {
				t.Fatalf("height %d: %s is missing:\n%s", height, name, text)
			}
			length := strings.Count(lines[at], "█")
			if length > before || name != "unknown one" && length == before {
				t.Errorf("height %d: the bar of %s is not shorter than the one before:\n%s", height, name, text)
			}
			before = length
		}
	}
}
