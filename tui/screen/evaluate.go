// This file is the screen of the results: test samples beside their predictions, browsed in the order of their errors.

package screen

import (
	"fmt"
	"strings"

	"rfm/model/experiment"
	"rfm/tui/keys"
	"rfm/tui/plot"
)

// evaluate browses the test samples.
type evaluate struct {
	of      *experiment.Evaluation // what ranking belongs to
	ranking []int                  // test samples by ascending error
	rank    int                    // position in it
	aspect  aspect                 // what was asked for last; a page that shows it is on screen
	cut     int                    // fields: the cut is at x2 = cut h
	picture cache
}

func (v *evaluate) actions(s *session) []keys.Action {
	if s.reached < evaluating {
		return nil
	}
	v.look(s)
	list := []keys.Action{keys.Left, keys.Right}
	if v.of.Side > 0 {
		list = append(list, keys.Up, keys.Down)
	}
	return append(list, keys.View, keys.Best, keys.First, keys.Median, keys.Worst, keys.Last, keys.PageUp, keys.PageDown)
}

func (v *evaluate) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Left, keys.Right:
		return "sample"
	case keys.Up, keys.Down:
		return "cut"
	case keys.PageUp, keys.PageDown:
		return "10 samples"
	case keys.First:
		return keys.Of(keys.Best).Desc
	case keys.Last:
		return keys.Of(keys.Worst).Desc
	}
	return ""
}

func (v *evaluate) do(s *session, action keys.Action) {
	v.look(s)
	last := len(v.ranking) - 1
	switch action {
	case keys.Left:
		v.rank = max(0, v.rank-1)
	case keys.Right:
		v.rank = min(last, v.rank+1)
	case keys.PageUp:
		v.rank = max(0, v.rank-10)
	case keys.PageDown:
		v.rank = min(last, v.rank+10)
	case keys.Best, keys.First:
		v.rank = 0
	case keys.Median:
		v.rank = last / 2
	case keys.Worst, keys.Last:
		v.rank = last
	case keys.View:
		pages := v.layout(s, s.width, s.height-headingLines).pages
		v.aspect = pages[(pageOf(pages, v.aspect)+1)%len(pages)]
	case keys.Up:
		v.moveCut(s, 1)
	case keys.Down:
		v.moveCut(s, -1)
	}
}

// moveCut moves the cut up or down if it is on screen, and else brings it there.
func (v *evaluate) moveCut(s *session, direction int) {
	if !v.layout(s, s.width, s.height-headingLines).cutShows {
		v.aspect = aspectCut
		return
	}
	const moves = 32 // from edge to edge
	step := direction * max(1, (v.of.Side-1)/moves)
	v.cut = min(max(v.cut+step, 0), v.of.Side-1)
}

// look takes note of a new evaluation and begins with its median sample and the cut through the middle.
func (v *evaluate) look(s *session) {
	if e := s.experiment.Evaluation(); e != v.of {
		v.of, v.ranking = e, e.Test.Ranking()
		v.rank = (len(v.ranking) - 1) / 2
		v.cut = e.Side / 2
	}
}

func (v *evaluate) render(s *session, width, height int) string {
	if s.reached < evaluating {
		return progressLine(s, evaluating, width)
	}
	v.look(s)
	type key struct {
		of            *experiment.Evaluation
		rank, cut     int
		aspect        aspect
		width, height int
		stored        string
		appearance    appearance
	}
	k := key{v.of, v.rank, v.cut, v.aspect, width, height, s.stored, s.appearance()}
	return v.picture.get(k, func() string { return v.page(s, width, height) })
}

// headingLines is the height of the line that names the sample.
const headingLines = 1

// page draws the heading of the sample, below it what was asked for, and beside it the tables where there is room.
func (v *evaluate) page(s *session, width, height int) string {
	height -= headingLines
	l := v.layout(s, width, height)
	at := pageOf(l.pages, v.aspect)
	heading := opposite(width, v.heading(s), s.theme.Muted.Render(fmt.Sprintf("view %d of %d", at+1, len(l.pages))))
	body := v.draw(s, l, l.mainWidth, height)
	if l.side {
		body = beside(height, strings.Repeat(" ", sideGap), body, l.mainWidth, v.sidebar(s, l, height))
	}
	return heading + "\n" + body
}

// heading says which sample is on show and how good it is.
func (v *evaluate) heading(s *session) string {
	th := s.theme
	i, n := v.ranking[v.rank], len(v.ranking)
	place := fmt.Sprintf("%d of %d", v.rank+1, n)
	switch v.rank {
	case 0:
		place = fmt.Sprintf("best of %d", n)
	case n - 1:
		place = fmt.Sprintf("worst of %d", n)
	case (n - 1) / 2:
		place = fmt.Sprintf("median of %d", n)
	}
	return th.Value.Render(fmt.Sprintf(" sample %d  error %.4f", i, v.of.Test.Relative[i])) + th.Muted.Render("  "+place)
}

// draw draws the main part of the page.
func (v *evaluate) draw(s *session, l pageLayout, width, height int) string {
	switch {
	case l.aspect == aspectErrors:
		return v.distribution(s)(width, height)
	case l.aspect == aspectRivals:
		return strings.Join(v.rivals(s, width), "\n")
	case v.of.Side == 0:
		i := v.ranking[v.rank]
		return s.functionSample(v.of.TestPairs.Inputs.At(i), v.of.TestPairs.Outputs.At(i), v.of.Predictions.At(i), width, height)
	}
	var mark *int
	if l.cutShows {
		mark = &v.cut
	}
	sample := v.fields()
	maps := sample.maps(s, mark)
	if l.aspect != aspectCut {
		var blocks []block
		for _, m := range maps[l.aspect:min(int(l.aspect)+l.shape.count(), len(maps))] {
			blocks = append(blocks, mapBlock(m))
		}
		return tiles(width, height, min(l.shape.columns, len(blocks)), blocks...)
	}
	truth, prediction, line := mapBlock(maps[aspectTruth]), mapBlock(maps[aspectPrediction]), sample.cutLine(s, v.cut)
	if l.shape.count() == len(maps) {
		return tiles(width, height, 1, func(width, height int) string { return tiles(width, height, 2, truth, prediction) }, line)
	}
	return mapBeside(width, height, truth, line)
}

// mapBeside draws a map as wide as its height asks for, and something else beside it.
func mapBeside(width, height int, m, other block) string {
	const around = 2 // margin of a marked map
	left := min(2*height+around, width*2/5)
	return beside(height, "  ", m(left, height), left, other(width-left-2, height))
}

// fields is the sample on show.
func (v *evaluate) fields() fieldSample {
	i := v.ranking[v.rank]
	return fieldSample{v.of.Side, v.of.TestPairs.Inputs.At(i), v.of.TestPairs.Outputs.At(i), v.of.Predictions.At(i)}
}

// distribution draws the histogram of the errors with the current sample.
func (v *evaluate) distribution(s *session) block {
	i := v.ranking[v.rank]
	current := v.of.Test.Relative[i]
	return func(width, height int) string {
		return plot.Histogram{Values: v.of.Test.Relative, Width: width, Height: height, Log: true, Current: &current, CurrentName: fmt.Sprintf("sample %d", i),
			Style: s.theme.Error, Theme: s.theme}.Render()
	}
}
