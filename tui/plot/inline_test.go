package plot

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"rfm/tui/theme"
)

func TestProgressGrowsInEighthsAndInASCIIInWholeCells(t *testing.T) {
	for ascii, cases := range map[bool]map[float64]string{
		false: {-1: "░░░░", 0: "░░░░", 1e-9: "▏░░░", 0.125: "▌░░░", 0.25: "█░░░", 0.5: "██░░", 0.999: "███▉", 1: "████",
			2: "████"},
		true: {0: "....", 0.01: "#...", 0.5: "##..", 0.999: "###.", 1: "####"},
	} {
		for fraction, want := range cases {
			if got := ansi.Strip(Progress(fraction, 4, theme.New(theme.Options{NoColor: true, ASCII: ascii}))); got != want {
				t.Errorf("%g: %s, want %s", fraction, got, want)
			}
		}
	}
}
