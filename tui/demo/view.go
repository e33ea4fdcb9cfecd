// This file draws a scene: words, equation, numbers, picture, progress.

package demo

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// View draws the current scene.
func (d *Screen) View(c ui.Canvas) string {
	const roomy = 17 // lines
	s, th, p := d.scenes[d.at], c.Theme, d.Exhibit(c)
	lines := layout.Paragraph(lipgloss.NewStyle(), symbols(th, s.words), c.Width)
	equation := s.equation
	if th.ASCII {
		equation = s.plain
	}
	if c.Height >= roomy {
		lines = append(lines, "")
	}
	left, right := "   "+th.Value.Render(equation), th.Prediction.Render(p.Heading)+" "
	if c.Height < roomy && layout.HaveRoom(c.Width, left, right) {
		lines = append(lines, layout.Opposite(c.Width, left, right))
	} else {
		lines = append(lines, left, " "+right)
	}
	c.Height -= len(lines) + 1
	return strings.Join(append(lines, layout.Fit(d.body(c, p), c.Width, c.Height), d.progress(th, c.Width)), "\n")
}

// symbols returns text with the letters of the formulas, in ASCII unchanged.
func symbols(th theme.Theme, text string) string {
	if th.ASCII {
		return text
	}
	return strings.NewReplacer("theta_1", "θ₁", "theta", "θ", "alpha", "α").Replace(text)
}

// body returns the pictures of a page side by side, or the reason why there are none yet. If not all fit, the first ones
// are dropped, and a zoom shows the last one.
func (d *Screen) body(c ui.Canvas, p report.Page) string {
	th := c.Theme
	switch {
	case d.failed():
		text := fmt.Sprintf("%c this could not be computed: %v", th.Glyphs.Cross, d.failure)
		return strings.Join(layout.Paragraph(th.Bad, text, c.Width), "\n")
	case len(p.Figures)+len(p.Fields) == 0:
		return "\n" + d.waiting(th, c.Width)
	}
	return d.picture.Get(c.Look, c.Width, c.Height, []any{d.at, d.frame(), d.ready(), d.seen.search}, func() string {
		for _, f := range p.Figures {
			for i := range f.Curves {
				f.Curves[i].Name = symbols(th, f.Curves[i].Name)
			}
		}
		var blocks []layout.Block
		for _, picture := range chart.Pictures(c.Look, p, false) {
			blocks = append(blocks, func(width, height int) string {
				const around = 2 // title and scale of a map
				if picture.Map {
					height = min(height, width/2+around)
				}
				return picture.Draw(width, height)
			})
		}
		most := c.Width / 18 // the least width of a picture
		if c.Zoom {
			most = 1
		}
		blocks = blocks[max(0, len(blocks)-most):]
		return layout.Tiles(c.Width, c.Height, len(blocks), blocks...)
	})
}

// waiting describes the progress of the computation that a scene waits for.
func (d *Screen) waiting(th theme.Theme, width int) string {
	p := d.seen.progress
	switch {
	case !d.session.Runs(Name) && d.session.Occupied() != "":
		return th.Warn.Render(" " + d.session.Occupied())
	case !d.seen.working || p.Stage == engine.Idle:
		return th.Muted.Render(fmt.Sprintf(" computing %c", th.Glyphs.Ellipsis))
	}
	bar := plot.Progress(p.Fraction(), min(40, width-2), th)
	return th.Muted.Render(" "+p.Stage.String()+", "+p.Line(width)) + "\n " + bar
}

// progress returns a mark for each scene, the progress of the current one, and whether the clock stands.
func (d *Screen) progress(th theme.Theme, width int) string {
	var marks strings.Builder
	for i := range d.scenes {
		switch {
		case i < d.at:
			marks.WriteString(th.StepDone.Render(string(th.Glyphs.Done)))
		case i == d.at:
			marks.WriteString(th.Title.Render(string(th.Glyphs.Current)))
		default:
			marks.WriteString(th.StepTodo.Render(string(th.Glyphs.Todo)))
		}
	}
	const bar = 16
	state := fmt.Sprintf("%d of %d ", d.at+1, len(d.scenes))
	if d.paused {
		state = "paused  " + state
	}
	return layout.Opposite(width, " "+marks.String()+"  "+plot.Progress(d.elapsed/d.scenes[d.at].seconds, bar, th),
		th.Muted.Render(state))
}
