// This file has the viscosity of the first scene, which the audience can change.

package tour

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/paper"
	"rfm/tui/theme"
)

// slider is a choice among some viscosities, with the waves that were solved with them.
type slider struct {
	at    int                                 // index in paper.Viscosities
	waves [len(paper.Viscosities)]*paper.Look // nil until they are asked for
}

func newSlider() slider { return slider{at: paper.ViscosityOfExamples} }

// solved is the message that the wave of the first scene was solved with a viscosity.
type solved struct {
	at   int
	look *paper.Look // nil if there is no solution
}

// move chooses the next viscosity in a direction, and solves the wave unless it has been.
func (s *slider) move(step int, plan paper.Tour, look *paper.Look) tea.Cmd {
	last := len(paper.Viscosities) - 1
	s.at = max(0, min(s.at+step, last))
	at := s.at
	isKnown := at == paper.ViscosityOfExamples || s.waves[at] != nil
	if isKnown {
		return nil
	}
	return func() tea.Msg {
		other, err := plan.Viscous(context.Background(), look, paper.Viscosities[at], 1)
		if err != nil { // the wave of the examples stays
			other = nil
		}
		return solved{
			at:   at,
			look: other,
		}
	}
}

// take takes over a wave.
func (s *slider) take(wave solved) { s.waves[wave.at] = wave.look }

// wave returns the solution with the chosen viscosity; nil if that of the examples is shown.
func (s *slider) wave() *paper.Look { return s.waves[s.at] }

// viscosity returns that of the wave that is shown, which follows the choice when it is solved.
func (s *slider) viscosity() float64 {
	if s.wave() == nil {
		return paper.Viscosities[paper.ViscosityOfExamples]
	}
	return paper.Viscosities[s.at]
}

// draw shows the viscosity of the wave, and the place of the chosen one among those that can be chosen.
func (s *slider) draw(th theme.Theme) string {
	letter := "ν"
	if th.ASCII {
		letter = "nu"
	}
	var text strings.Builder
	for i := range paper.Viscosities {
		mark := th.Glyphs.Horizontal
		if i == s.at {
			mark = th.Glyphs.Current
		}
		text.WriteRune(mark)
	}
	return fmt.Sprintf("%s %-6g %s", letter, s.viscosity(), text.String())
}
