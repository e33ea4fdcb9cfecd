package draw

import (
	"fmt"
	"strings"

	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/ui"
)

// box is a part of the screen in cells.
type box struct {
	left, top     int
	width, height int
}

// headLines is the number of lines above the pictures: how unlike the input is, and how wrong the model.
const headLines = 2

// View implements ui.Dialog: two lines in words, and pictures of the input and of the answers.
func (s *Screen) View(c ui.Canvas) string {
	state := []any{s.shown, s.help, s.turned, s.mouse}
	draw := func() string {
		return layout.Fit(s.draw(c), c.Width, c.Height)
	}
	return s.picture.Get(c.Theme, c.Width, c.Height, state, draw)
}

// draw draws the last frame.
func (s *Screen) draw(c ui.Canvas) string {
	if s.help {
		return s.keyList(c)
	}
	f := s.shown
	if f == nil {
		return c.Theme.Muted.Render(" computing " + string(c.Theme.Glyphs.Ellipsis))
	}
	alarm := f.alarm(c.Theme, c.Width-1)
	outcome := f.outcome(c.Theme, c.Width-1)
	head := fmt.Sprintf(" %s\n %s\n", alarm, outcome)
	if f.sketch.isField() {
		return head + s.maps(c, f)
	}
	left, right := sides(c)
	input := f.inputPicture(c.Theme, left.width, left.height)
	output := f.outputPicture(c.Theme, right.width, right.height)
	between := strings.Repeat(" ", gap)
	return head + indented(layout.Beside(left.height, between, input, left.width, output))
}

const (
	margin = 1 // blank cell left of the pictures, below the first letter of the lines above them
	gap    = 2 // cells between pictures
)

// indented returns pictures behind the margin.
func indented(pictures string) string {
	blank := strings.Repeat(" ", margin)
	return blank + strings.ReplaceAll(pictures, "\n", "\n"+blank)
}

// sides returns the places of the pictures of input and output of functions.
func sides(c ui.Canvas) (input, output box) {
	height := c.Height - headLines
	inside := c.Width - margin
	width := (inside - gap) / 2
	input = box{
		left:   margin,
		top:    headLines,
		width:  width,
		height: height,
	}
	output = box{
		left:   margin + width + gap,
		top:    headLines,
		width:  inside - gap - width,
		height: height,
	}
	return input, output
}

// maps draws the fields: the input with the brush, and as many answers beside it as fit.
func (s *Screen) maps(c ui.Canvas, f *frame) string {
	answers := f.answerFields()
	places := mapPlaces(c, 1+len(answers))
	blocks := []layout.Block{func(width, height int) string {
		return plot.FieldWith(c.Theme, f.inputField(), f.brush(), width, height)
	}}
	fitting := len(places) - 1 // answers
	for i := range fitting {
		field := answers[(s.turned*fitting+i)%len(answers)]
		blocks = append(blocks, func(width, height int) string {
			return plot.Field(c.Theme, field, width, height)
		})
	}
	columns := 1
	for _, p := range places[1:] {
		if p.top == places[0].top {
			columns++
		}
	}
	return indented(layout.Tiles(c.Width-margin, c.Height-headLines, columns, blocks...))
}

// mapPlaces returns the places of maps: two in a row, all if there is room for a second row, or for all in one.
func mapPlaces(c ui.Canvas, count int) []box {
	const (
		least  = 30 // cells, the width of a map
		lowest = 13 // lines, its height where there are two rows
	)
	height := c.Height - headLines
	inside := c.Width - margin
	columns := min(2, count)
	rows := 1
	switch {
	case inside >= count*(least+gap):
		columns = count
	case height >= 2*lowest:
		rows = (count + columns - 1) / columns
	}
	fitting := min(count, columns*rows)
	each := height / rows
	var places []box
	for i := range fitting {
		row := i / columns
		first := row * columns
		inRow := min(columns, fitting-first)
		width := (inside - gap*(inRow-1)) / inRow
		places = append(places, box{
			left:   margin + (width+gap)*(i-first),
			top:    headLines + row*each,
			width:  width,
			height: each,
		})
	}
	return places
}

// keyList lists the keys of the mode, in columns.
func (s *Screen) keyList(c ui.Canvas) string {
	var lines []string
	for _, command := range ui.Offers(s.commands) {
		if command.Help == "" {
			continue
		}
		key := fmt.Sprintf(" %-12s", command.Key.String())
		line := c.Theme.Key.Render(key) + c.Theme.Desc.Render(command.Help)
		lines = append(lines, line)
	}
	const wide = 110
	if c.Width < wide {
		return strings.Join(layout.Head(lines, c.Width, c.Height), "\n")
	}
	half := (len(lines) + 1) / 2
	left := strings.Join(lines[:half], "\n")
	right := strings.Join(lines[half:], "\n")
	return layout.Beside(c.Height, "  ", left, c.Width/2-1, right)
}
