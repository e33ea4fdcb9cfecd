package look

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"rfm/tui/plot"
	"rfm/tui/theme"
)

func TestDepthFollowsFromTheTerminal(t *testing.T) {
	for _, c := range []struct {
		terminal Terminal
		want     plot.ColorDepth
	}{
		{Terminal{}, plot.NoColor},
		{Terminal{Profile: colorprofile.TrueColor}, plot.TrueColor},
		{Terminal{Profile: colorprofile.ANSI256}, plot.Palette256},
		{Terminal{Profile: colorprofile.ANSI}, plot.NoColor},
		{Terminal{Profile: colorprofile.ASCII}, plot.NoColor},
		{Terminal{Profile: colorprofile.TrueColor, Asked: theme.Options{NoColor: true}}, plot.NoColor},
	} {
		if l := c.terminal.Look(); l.Depth != c.want {
			t.Errorf("%+v: depth %v, want %v", c.terminal, l.Depth, c.want)
		}
	}
}

func TestTerminalWithoutColoursHasAThemeWithoutThem(t *testing.T) {
	if l := (Terminal{Profile: colorprofile.ASCII}).Look(); !l.Theme.NoColor {
		t.Error("the theme has colours")
	}
	if l := (Terminal{Light: true}).Look(); !l.Theme.Light {
		t.Error("the theme is for a dark background")
	}
}
