// This file is the screen of the results: samples beside their predictions, the error table, the errors' distribution.

package screen

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/experiment"
	"rfm/model/paper"
	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/quantity"
)

// evaluate browses the test samples in the order of their errors.
type evaluate struct {
	of      *experiment.Evaluation // what ranking belongs to
	ranking []int                  // test samples by ascending error
	rank    int                    // position in it
	errors  bool                   // show the distribution of errors instead of a sample
	picture cache
}

func (v *evaluate) actions(s *session) []keys.Action {
	if s.reached < evaluating {
		return nil
	}
	return []keys.Action{keys.Left, keys.Right, keys.Best, keys.Median, keys.Worst, keys.View, keys.PageUp, keys.PageDown, keys.First, keys.Last}
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
		v.errors = !v.errors
	}
}

// look takes note of a new evaluation and begins with its median sample.
func (v *evaluate) look(s *session) {
	if e := s.experiment.Evaluation(); e != v.of {
		v.of, v.ranking = e, e.Test.Ranking()
		v.rank = (len(v.ranking) - 1) / 2
	}
}

const tableWidth = 36

func (v *evaluate) render(s *session, width, height int) string {
	if s.reached < evaluating {
		return progressLine(s, evaluating, width)
	}
	v.look(s)
	type key struct {
		of            *experiment.Evaluation
		rank          int
		errors        bool
		width, height int
		stored        string
		theme         any
	}
	k := key{v.of, v.rank, v.errors, width, height, s.stored, s.theme.Options}
	return v.picture.get(k, func() string {
		if width < tableWidth+40 { // one thing at a time
			if v.errors {
				return strings.Join(v.table(s, width), "\n")
			}
			return v.sample(s, width, height)
		}
		left := width - tableWidth - 2
		table := v.table(s, tableWidth)
		main := v.sample
		if v.errors {
			main = v.distribution
		}
		if rest := height - len(table) - 1; rest >= 6 && !v.errors {
			small := v.distribution(s, tableWidth, rest)
			table = append(table, "")
			table = append(table, strings.Split(small, "\n")...)
		}
		return beside(height, "  ", main(s, left, height), left, strings.Join(table, "\n"))
	})
}

// sample draws one test sample above its pointwise error.
func (v *evaluate) sample(s *session, width, height int) string {
	th := s.theme
	i := v.ranking[v.rank]
	input, truth, prediction := v.of.TestPairs.Inputs.At(i), v.of.TestPairs.Outputs.At(i), v.of.Predictions.At(i)
	difference := make([]float64, len(truth))
	for x := range truth {
		difference[x] = math.Abs(truth[x] - prediction[x])
	}
	head := fmt.Sprintf(" sample %d  error %.4f", i, v.of.Test.Relative[i])
	place := fmt.Sprintf("  %d of %d", v.rank+1, len(v.ranking))
	switch v.rank {
	case 0:
		place = "  best of " + fmt.Sprint(len(v.ranking))
	case len(v.ranking) - 1:
		place = "  worst of " + fmt.Sprint(len(v.ranking))
	case (len(v.ranking) - 1) / 2:
		place = "  median of " + fmt.Sprint(len(v.ranking))
	}
	upper := (height - 1) * 3 / 5
	fields := plot.Line{Width: width, Height: upper, X0: 0, X1: 1, Theme: th, Series: []plot.Series{
		{Name: "a", Y: input, Style: th.Input, Pen: plot.Dotted},
		{Name: "truth", Y: truth, Style: th.Truth},
		{Name: "prediction", Y: prediction, Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 4},
	}}
	zero := 0.0
	errors := plot.Line{Width: width, Height: height - 1 - upper, X0: 0, X1: 1, YMin: &zero, XLabel: "x", Theme: th,
		Series: []plot.Series{{Name: "|truth - prediction|", Y: difference, Style: th.Error}}}
	return ansi.Truncate(th.Value.Render(head)+th.Muted.Render(place), width, "") + "\n" + fields.Render() + "\n" + errors.Render()
}

// distribution draws the histogram of the errors with the current sample.
func (v *evaluate) distribution(s *session, width, height int) string {
	i := v.ranking[v.rank]
	current := v.of.Test.Relative[i]
	return plot.Histogram{Values: v.of.Test.Relative, Width: width, Height: height, Log: true, Current: &current, CurrentName: fmt.Sprintf("sample %d", i),
		Style: s.theme.Error, Theme: s.theme}.Render()
}

// table is the error table with what belongs to it, at most width cells wide.
func (v *evaluate) table(s *session, width int) []string {
	th := s.theme
	e := s.experiment
	lines := []string{th.Title.Render(fmt.Sprintf("%-18s%9s%9s", "relative L2 error", "train", "test"))}
	for _, r := range v.of.Rows() {
		line := fmt.Sprintf("%-18s%9.5f%9.5f", r.Name, r.Train, r.Test)
		style := lipgloss.NewStyle()
		if r.Name == "expected relative" {
			style = th.Value.Bold(true)
		}
		lines = append(lines, style.Render(line))
	}
	if p, ok := paper.ExpectedRelative(e.Config); ok {
		lines = append(lines, th.Published.Render(fmt.Sprintf("%-18s%9s%9.5f", "paper, one draw", "", p.Value)), th.Muted.Render("  "+p.Source))
	}
	seconds := e.Seconds()
	lines = append(lines, "",
		th.Muted.Render(fmt.Sprintf("tested on K=%d, rank %d of %d", v.of.Grid, e.Solution().Rank, e.Config.Features.Count)),
		th.Muted.Render(fmt.Sprintf("data %s train %s test %s", quantity.Duration(seconds.Generate), quantity.Duration(seconds.Train), quantity.Duration(seconds.Evaluate))))
	if s.stored != "" {
		directory, name := filepath.Split(s.stored)
		lines = append(lines, th.Muted.Render("stored in "+directory), th.Muted.Render("  "+name))
	}
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, string(th.Glyphs.Ellipsis))
	}
	return lines
}
