package configure

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/later"
	"rfm/tui/layout"
	"rfm/tui/live"
	"rfm/tui/look"
	"rfm/tui/widget"
)

// previews are the pictures of one draw of all random quantities of a configuration.
type previews struct {
	fixed   bool // only the first pictures are shown, as many as fit
	gallery widget.Gallery
	drawing engine.Previewer
	drawn   bool // a draw is in progress: one at a time
	seen    engine.Preview
	of      config.Config // configuration of the pictures; the zero value before the first
	live    live.Model
	// of an equation given as text
	solution live.Solution
	picture  widget.Cache
}

// leastPreview is the size of the smallest useful preview.
var leastPreview = widget.Size{Width: 30, Height: 9}

// render draws the previews, again only if the configuration, the size or the look has changed.
func (p *previews) render(on look.Look, width, height int) string {
	return p.picture.Get(on, width, height, []any{p.of, p.gallery.First, p.live.Seen(), p.solution.Seen()}, func() string {
		list := p.list(on)
		if p.fixed {
			list = list[:min(len(list), widget.Arrange(width, height, len(list), leastPreview).Count())]
		}
		return p.gallery.Render(on.Theme, width, height, leastPreview, list)
	})
}

// follow starts the computations for a configuration whose results are lacking: without pictures only that of an
// equation, which also checks its text. While the program is busy no model is trained.
func (p *previews) follow(c config.Config, pictures, busy bool) tea.Cmd {
	solve := p.solution.Follow(c)
	if !pictures {
		return solve
	}
	return tea.Batch(solve, p.draw(c), p.live.Follow(c, busy || p.solution.Computing()))
}

// draw draws from a configuration unless it has been done. A change in the meantime is drawn afterwards.
func (p *previews) draw(c config.Config) tea.Cmd {
	if p.drawn || p.of == c {
		return nil
	}
	p.drawn = true
	return func() tea.Msg {
		seen := p.drawing.Preview(c)
		return later.Then(func() tea.Cmd {
			if p.of.Problem != c.Problem {
				p.gallery = widget.Gallery{}
			}
			p.drawn, p.seen, p.of = false, seen, c
			return nil
		})
	}
}

// wrong returns why an equation given as text has no solution; nil if only other values are wrong or nothing is known.
func (p *previews) wrong(c config.Config) error {
	_, inText := p.solution.Err().(*config.Error)
	if c.Equation.Text == "" || !inText && c.Validate() != nil {
		return nil
	}
	return p.solution.Err()
}

// list returns the pictures.
func (p *previews) list(on look.Look) []widget.Picture {
	if p.of == (config.Config{}) {
		return nil
	}
	if p.of.Of().Files && !slices.ContainsFunc(p.seen.Input, func(v float64) bool { return v != 0 }) {
		return p.nothing(on)
	}
	var list []widget.Picture
	if p.of.Equation.Text != "" {
		list = p.solution.Pictures(on)
	}
	if p.wrong(p.of) == nil {
		list = append(list, p.live.Pictures(on)...)
	}
	if p.seen.Side > 0 {
		return append(list, p.fields(on)...)
	}
	return append(list, p.functions(on)...)
}

// nothing explains why inputs from the user's own data cannot be drawn.
func (p *previews) nothing(on look.Look) []widget.Picture {
	text := "No pairs yet: data.train_file names the file that holds them. 'rfm show FILE' lists the arrays of a file."
	if name := p.of.Data.TrainFile; name != "" {
		text = fmt.Sprintf("No input can be read from %s with these values of data. Enter shows the reason.",
			printable.Line(name))
	}
	return []widget.Picture{{Name: "an input a", Draw: func(width, height int) string {
		return on.Theme.Title.Render("an input a") + "\n\n" + strings.Join(layout.Styled(on.Theme.Muted,
			ansi.Wordwrap(text, width, "")), "\n")
	}}}
}

// functions returns the previews of functions of one variable.
func (p *previews) functions(on look.Look) []widget.Picture {
	var list []widget.Picture
	add := func(title string, y []float64, role report.Role) {
		if len(y) > 0 {
			list = append(list, chart.FigurePicture(on, title, report.Figure{Title: title, XLabel: "x", X1: 1,
				Curves: []report.Curve{{X: report.UnitPoints(len(y)), Y: y, Role: role}}}))
		}
	}
	add("an input a", p.seen.Input, report.AsInput)
	add("a feature phi(a; theta)", p.seen.Feature, report.AsPrediction)
	add("a feature parameter theta", p.seen.Theta, report.AsTruth)
	return append(list, p.filter(on)...)
}

// filter returns the preview of the filter, if the features have one.
func (p *previews) filter(on look.Look) []widget.Picture {
	filter := passed(p.seen.Filter)
	if len(filter) == 0 {
		return nil
	}
	k := report.Counting(len(filter))
	floats.AddConst(-1, k)
	const name = "the filter chi(k)"
	return []widget.Picture{chart.FigurePicture(on, name, report.Figure{Title: name, XLabel: "k", X1: k[len(k)-1],
		Curves: []report.Curve{{X: k, Y: filter, Role: report.AsError}}})}
}

// passed returns a filter up to where it becomes negligible.
func passed(filter []float64) []float64 {
	const fewest, negligible = 9, 0.01 // of the largest
	end := len(filter)
	for end > fewest && filter[end-1] < negligible*slices.Max(filter) {
		end--
	}
	return filter[:end]
}

// fields returns the previews of fields on the unit square.
func (p *previews) fields(on look.Look) []widget.Picture {
	var list []widget.Picture
	add := func(title string, values []float64, smooth bool) {
		if len(values) > 0 {
			list = append(list, chart.FieldPicture(on, report.Field{Title: title, R: p.seen.Side, Values: values,
				Smooth: smooth}))
		}
	}
	add("an input a", p.seen.Input, !p.of.Of().Jumps)
	add("a feature phi(a; theta)", p.seen.Feature, true)
	add("a feature parameter theta_1", p.seen.Theta, true)
	return append(list, p.filter(on)...)
}
