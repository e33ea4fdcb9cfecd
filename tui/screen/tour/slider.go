// This file lets the audience change the viscosity of the first scene.

package tour

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/paper"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// solved is the message that the wave of the first scene was solved with a viscosity.
type solved struct {
	viscosity int         // index in paper.Viscosities
	look      *paper.Look // nil if there is no solution
}

// slides reports whether the current scene has a slider.
func (d *Screen) slides() bool { return d.scenes[d.at].needs == looking }

// sliding returns the commands that change the viscosity.
func (d *Screen) sliding() []ui.Command {
	by := func(key ui.Key, help string, step int) ui.Command {
		c := ui.Command{
			Key:  key,
			Word: "viscosity",
			Help: help,
			If:   d.slides,
			Do:   func() tea.Cmd { return d.slide(step) },
		}
		return c.When(d.ready, "the wave is not solved yet")
	}
	return []ui.Command{
		by(ui.KeyUp, "more viscosity, and the wave begins again", 1),
		by(ui.KeyDown, "less viscosity, and the wave begins again", -1),
	}
}

// slide changes the viscosity, lets the scene begin again, and solves the wave unless it has been.
func (d *Screen) slide(step int) tea.Cmd {
	last := len(paper.Viscosities) - 1
	d.viscosity = max(0, min(d.viscosity+step, last))
	d.elapsed = 0
	if d.paused {
		d.elapsed = d.scenes[d.at].seconds
	}
	at := d.viscosity
	isKnown := at == paper.ViscosityOfExamples || d.waves[at] != nil
	if isKnown {
		return nil
	}
	plan := d.plan
	look := d.findings.look
	return func() tea.Msg {
		other, err := plan.Viscous(context.Background(), look, paper.Viscosities[at], 1)
		if err != nil { // the wave of the examples stays
			other = nil
		}
		return solved{
			viscosity: at,
			look:      other,
		}
	}
}

// slider shows the viscosity, and its place among those that can be chosen.
func (d *Screen) slider(th theme.Theme) string {
	letter := "ν"
	if th.ASCII {
		letter = "nu"
	}
	var text strings.Builder
	for i := range paper.Viscosities {
		mark := th.Glyphs.Horizontal
		if i == d.viscosity {
			mark = th.Glyphs.Current
		}
		text.WriteRune(mark)
	}
	return fmt.Sprintf("%s %-6g %s", letter, paper.Viscosities[d.viscosity], text.String())
}
