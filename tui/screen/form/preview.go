package form

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/theme"
)

// previews are the pictures of one draw of all random quantities of a configuration.
type previews struct {
	fixed    bool      // only the first pictures are shown, as many as fit
	least    page.Size // of a picture
	waiting  bool      // some of the pictures are being computed
	gallery  page.Gallery
	drawing  engine.Previewer
	drawn    latest[engine.Preview]
	seen     engine.Preview
	of       config.Config // configuration of the pictures; the zero value before the first
	small    smallModel
	account  account  // of own data
	solution solution // of an equation given as text
	pace     pace     // the same
	picture  page.Cache
}

// newPreviews returns previews of pictures that have at least a size.
func newPreviews(s *session.Session, least page.Size) *previews {
	return &previews{
		least: least,
		small: smallModel{workers: s.Runner.Workers()},
	}
}

// leastPreview is the size of the smallest useful preview beside the list, leastExample that of one of the first page.
var (
	leastPreview = page.Size{Width: 22, Height: 7}
	leastExample = page.Size{Width: 30, Height: 9}
)

// render draws the previews if they or the size have changed. If one fits, the small model precedes the solution.
func (p *previews) render(th theme.Theme, width, height int, equation bool) string {
	if p.fixed && p.waiting { // one after the other they would be laid out again and again, each time on all the line
		return layout.Fit("", width, height)
	}
	state := []any{
		p.of,
		p.gallery.First,
		equation,
		p.small.tested,
		p.small.err,
		p.solution.page,
		p.solution.err,
		p.account.file,
		p.account.words(),
		p.account.err,
	}
	draw := func() string { return p.pictures(th, width, height, equation) }
	return p.picture.Get(th, width, height, state, draw)
}

// pictures draws as many pictures as fit.
func (p *previews) pictures(th theme.Theme, width, height int, equation bool) string {
	mayBeSlow := th.Coarse
	if p.fixed { // colours by numbers take half the bytes, and this is the first that anybody waits for
		th.Coarse = true
	}
	list := p.list(th)
	gallery := p.gallery
	fit := page.Arrange(width, height, len(list), p.least).Count()
	switch {
	case p.fixed && mayBeSlow:
		list = list[:min(len(list), fit, fewPictures)]
	case p.fixed:
		list = list[:min(len(list), fit)]
	case fit == 1 && len(list) > 1 && !equation && p.isSolved():
		gallery.First = (gallery.First + 1) % len(list)
	}
	return gallery.Render(th, width, height, p.least, list)
}

// isSolved reports whether the first picture is a solution of an equation given as text.
func (p *previews) isSolved() bool {
	return p.solution.page != nil && p.wrong(p.of) == nil
}

// follow starts the computations for a configuration whose results are lacking: without pictures only that of an
// equation, which also checks its text. While the program is busy no model is trained.
func (p *previews) follow(c config.Config, typed, pictures, busy bool) tea.Cmd {
	solve := p.solution.follow(c)
	solves := p.solution.busy()
	if !pictures {
		measure := p.pace.follow(c, busy || solves)
		return tea.Batch(solve, measure)
	}
	draw := p.draw(c)
	train := p.small.follow(c, typed, busy || solves)
	p.waiting = solves || p.drawn.busy() || p.small.busy()
	measure := p.pace.follow(c, busy || p.waiting)
	return tea.Batch(solve, draw, train, measure)
}

// fewPictures is the number of pictures of an example on a line that may be slow.
const fewPictures = 2

// draw draws from a configuration unless it has been done.
func (p *previews) draw(c config.Config) tea.Cmd {
	return p.drawn.want(c, time.Minute, func(context.Context) engine.Preview { return p.drawing.Preview(c) })
}

// hear takes over what was computed in the background, as far as it is still wanted.
func (p *previews) hear(msg tea.Msg, s *session.Session) tea.Cmd {
	switch msg := msg.(type) {
	case computed[engine.Preview]:
		return p.drawn.arrived(msg, func(drawn engine.Preview) { p.show(msg.of, drawn) })
	case computed[trial]:
		return p.small.arrived(msg, p.small.take)
	case computed[solved]:
		return p.solution.arrived(msg, p.solution.take)
	case computed[engine.Pace]:
		return p.pace.arrived(msg, func(measured engine.Pace) { p.pace.known = measured })
	case computed[interpreted]:
		return p.account.arrived(msg, func(got interpreted) { p.account.take(got, s) })
	}
	return nil
}

// show shows a draw from a configuration, with the first pictures if it is of another problem.
func (p *previews) show(of config.Config, drawn engine.Preview) {
	if !p.of.SameProblem(of) {
		p.gallery = page.Gallery{}
	}
	p.seen = drawn
	p.of = of
}

// wrong returns why an equation given as text has no solution; nil if only other values are wrong or nothing is known.
func (p *previews) wrong(c config.Config) error {
	err := p.solution.err
	if err == nil || c.Equation.Text == "" {
		return nil
	}
	_, inText := err.(*config.Error)
	if !inText && c.Validate() != nil {
		return nil
	}
	return err
}

// invalid reports whether the text of an equation is no equation, which only its preview finds out: not before it ends.
func (p *previews) invalid(c config.Config) bool {
	known := !p.solution.busy() && p.solution.of == c.DataOnly()
	_, inText := p.wrong(c).(*config.Error)
	return known && inText
}

// list returns the pictures: how a file is read, the solution, the small model, and what was drawn.
func (p *previews) list(th theme.Theme) []page.Picture {
	if p.of == (config.Config{}) {
		return nil
	}
	list := p.account.pictures(th)
	if p.lacksInputs() {
		return append(list, p.nothing(th)...)
	}
	isWrong := p.wrong(p.of) != nil
	list = append(list, p.solution.pictures(th)...)
	list = append(list, p.small.pictures(th, isWrong)...)
	return append(list, p.drawnPictures(th)...)
}

// lacksInputs reports whether no input can be read from the user's own data.
func (p *previews) lacksInputs() bool {
	isSet := func(v float64) bool { return v != 0 }
	hasInput := p.seen.Pair != nil || slices.ContainsFunc(p.seen.Input, isSet)
	return p.of.Of().Files && !hasInput
}

// drawnPictures returns the pictures of a draw: a pair at points of any geometry, where nothing else has a grid to be drawn
// on, or else an input and a feature.
func (p *previews) drawnPictures(th theme.Theme) []page.Picture {
	if p.seen.Pair != nil {
		figures, fields := p.seen.Pair.Pair("a pair")
		pair := report.Page{Figures: figures, Fields: fields}
		return page.Pictures(th, pair, false)
	}
	var list []page.Picture
	if len(p.seen.Input) > 0 {
		isSmooth := !p.of.Of().Jumps
		list = append(list, p.drawnPicture(th, "an input a", p.seen.Input, report.AsInput, isSmooth))
	}
	if len(p.seen.Values) > 0 && p.of.LearnsFeatures() {
		list = append(list, p.drawnPicture(th, "a feature phi(a; theta)", p.seen.Values, report.AsPrediction, true))
	}
	return list
}

// drawnPicture returns the picture of a function or a field that was drawn.
func (p *previews) drawnPicture(th theme.Theme, name string, values []float64, role report.Role, smooth bool) page.Picture {
	if p.seen.Side > 0 {
		return page.FieldPicture(th, report.Field{
			Title:  name,
			R:      p.seen.Side,
			Values: values,
			Smooth: smooth,
		})
	}
	curve := report.Curve{
		X:    report.UnitPoints(len(values)),
		Y:    values,
		Role: role,
	}
	return page.FigurePicture(th, name, report.Figure{
		Title:  name,
		XLabel: "x",
		X1:     1,
		Curves: []report.Curve{curve},
	})
}

// nothing explains why inputs from the user's own data cannot be drawn.
func (p *previews) nothing(th theme.Theme) []page.Picture {
	const title = "an input a"
	text := "No pairs yet: type the name of the file that holds them into the row training file, or press o and choose it."
	if p.of.Data.TrainFile != "" {
		name := printable.Line(p.of.Data.TrainFile)
		text = fmt.Sprintf("No input can be read from %s as it is described here; the line below the settings says why.", name)
	}
	draw := func(width, height int) string {
		lines := layout.Styled(th.Muted, layout.Wrap(text, width))
		return th.Title.Render(title) + "\n\n" + strings.Join(lines, "\n")
	}
	return []page.Picture{{Name: title, Draw: draw}}
}
