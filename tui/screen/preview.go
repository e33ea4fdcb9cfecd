// This file draws the random objects that a configuration describes, before anything is computed.

package screen

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// previews are the pictures of one draw of everything random in a configuration.
type previews struct {
	gallery widget.Gallery
	drawing engine.Previewer
	seen    engine.Preview
	of      config.Config // configuration of seen
	picture widget.Cache
}

// leastPreview is the size of the smallest useful preview.
var leastPreview = widget.Size{Width: 30, Height: 9}

// render draws the previews of a configuration; they are drawn anew only if it, the size or the look has changed.
func (p *previews) render(s *session, c config.Config, width, height int) string {
	type key struct {
		config        config.Config
		first         int
		width, height int
		appearance    look.Appearance
	}
	return p.picture.Get(key{c, p.gallery.First, width, height, s.Appearance()}, func() string {
		return p.gallery.Render(s.Theme, width, height, leastPreview, p.list(s))
	})
}

// look draws from a configuration unless it has been done.
func (p *previews) look(c config.Config) {
	if p.of != c {
		p.seen, p.of = p.drawing.Preview(c), c
	}
}

// list is what there is to see.
func (p *previews) list(s *session) []widget.Picture {
	if p.of.Of().Files && !slices.ContainsFunc(p.seen.Input, func(v float64) bool { return v != 0 }) {
		return p.nothing(s)
	}
	if p.seen.Side > 0 {
		return p.fields(s)
	}
	return p.functions(s)
}

// nothing says why no input of one's own data can be drawn.
func (p *previews) nothing(s *session) []widget.Picture {
	text := "No pairs yet: data.train_file names the file that holds them. 'rfm inspect FILE' says what a file holds."
	if name := p.of.Data.TrainFile; name != "" {
		text = fmt.Sprintf("No input can be read from %s with these values of data. Enter says what is wrong.", printable.Line(name))
	}
	return []widget.Picture{{Name: "an input a", Draw: func(width, height int) string {
		return s.Theme.Title.Render("an input a") + "\n\n" + strings.Join(styled(s.Theme.Muted, ansi.Wordwrap(text, width, "")), "\n")
	}}}
}

// functions are the previews of functions of one variable.
func (p *previews) functions(s *session) []widget.Picture {
	var list []widget.Picture
	add := func(title, xLabel string, x1 float64, y []float64, style lipgloss.Style) {
		if len(y) == 0 {
			return
		}
		list = append(list, widget.Picture{Name: title, Draw: func(width, height int) string {
			return plot.Line{Width: width, Height: height, X1: x1, XLabel: xLabel, Title: title, Theme: s.Theme,
				Series: []plot.Series{{Y: y, Style: style}}}.Render()
		}})
	}
	add("an input a", "x", 1, p.seen.Input, s.Theme.Input)
	add("a feature parameter theta", "x", 1, p.seen.Theta, s.Theme.Truth)
	filter := passed(p.seen.Filter)
	add("the filter chi(k)", "k", float64(len(filter)-1), filter, s.Theme.Error)
	add("a feature phi(a; theta)", "x", 1, p.seen.Feature, s.Theme.Prediction)
	return list
}

// passed is a filter up to where it lets next to nothing pass any more.
func passed(filter []float64) []float64 {
	const fewest, negligible = 9, 0.01 // of the largest
	end, largest := len(filter), 0.0
	for _, v := range filter {
		largest = max(largest, v)
	}
	for end > fewest && filter[end-1] < negligible*largest {
		end--
	}
	return filter[:end]
}

// fields are the previews of fields on the unit square.
func (p *previews) fields(s *session) []widget.Picture {
	var list []widget.Picture
	add := func(title string, field []float64, heatMap func(title string, field []float64, side int) plot.HeatMap) {
		if len(field) == 0 {
			return
		}
		list = append(list, widget.Picture{Name: title, Draw: chart.MapBlock(heatMap(title, field, p.seen.Side))})
	}
	add("an input a", p.seen.Input, func(title string, field []float64, side int) plot.HeatMap {
		h := chart.InputMap(s.Look, p.of, field, side)
		h.Title = title
		return h
	})
	add("a feature parameter theta_1", p.seen.Theta, func(title string, field []float64, side int) plot.HeatMap {
		return chart.HeatMap(s.Look, title, field, side)
	})
	add("a feature phi(a; theta)", p.seen.Feature, func(title string, field []float64, side int) plot.HeatMap {
		return chart.HeatMap(s.Look, title, field, side)
	})
	if filter := passed(p.seen.Filter); len(filter) > 0 {
		list = append(list, widget.Picture{Name: "the filter chi(k)", Draw: func(width, height int) string {
			return plot.Line{Width: width, Height: height, X1: float64(len(filter) - 1), XLabel: "k", Title: "the filter chi(k)", Theme: s.Theme,
				Series: []plot.Series{{Y: filter, Style: s.Theme.Error}}}.Render()
		}})
	}
	return list
}
