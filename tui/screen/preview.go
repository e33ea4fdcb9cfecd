// This file draws the random objects that a configuration describes, before anything is computed.

package screen

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/tui/plot"
)

// preview draws one of the random objects of the configuration.
func (c *configure) preview(s *session, width, height int) string {
	if c.seenOf != s.config {
		c.seen, c.seenOf = experiment.NewPreview(s.config), s.config
	}
	type key struct {
		config        config.Config
		shown         int
		width, height int
		appearance    appearance
	}
	return c.picture.get(key{s.config, c.shown, width, height, s.appearance()}, func() string {
		previews := s.functionPreviews
		if c.seen.Side > 0 {
			previews = s.fieldPreviews
		}
		list := previews(c.seen)
		i := c.shown % len(list)
		return list[i](fmt.Sprintf("(%d of %d, v)", i+1, len(list)))(width, height)
	})
}

// A titled block gets an addition to its title.
type titled func(addition string) block

// functionPreviews are those of functions of one variable.
func (s *session) functionPreviews(p experiment.Preview) []titled {
	line := func(title, xLabel string, x1 float64, y []float64, style lipgloss.Style) titled {
		return func(addition string) block {
			return func(width, height int) string {
				return plot.Line{Width: width, Height: height, X1: x1, XLabel: xLabel, Title: title + " " + addition, Theme: s.theme,
					Series: []plot.Series{{Y: y, Style: style}}}.Render()
			}
		}
	}
	return []titled{
		line("an input a", "x", 1, p.Input, s.theme.Input),
		line("a feature parameter theta", "x", 1, p.Theta, s.theme.Truth),
		line("the filter chi(k)", "k", float64(len(p.Filter)-1), p.Filter, s.theme.Error),
		line("a feature phi(a; theta)", "x", 1, p.Feature, s.theme.Prediction),
	}
}

// fieldPreviews are those of fields on the unit square.
func (s *session) fieldPreviews(p experiment.Preview) []titled {
	input := s.permeability(p.Input, p.Side)
	input.Title = "an input a"
	var list []titled
	for _, h := range []plot.HeatMap{input, s.heatMap("a feature parameter theta_1", p.Theta, p.Side), s.heatMap("a feature phi(a; theta)", p.Feature, p.Side)} {
		list = append(list, func(addition string) block {
			h.Title += " " + addition
			return mapBlock(h)
		})
	}
	return list
}
