package plot

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

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
