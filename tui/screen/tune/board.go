package tune

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/study"
	"rfm/model/tune"
	"rfm/tui/look"
	"rfm/tui/table"
)

// board is the leaders with the configuration that is to be improved among them, at the end if it is not ranked yet.
func (v *Screen) board() []tune.Leader {
	board := v.seen.Leaders
	if slices.ContainsFunc(board, func(l tune.Leader) bool { return l.Start }) {
		return board
	}
	features := 0
	if len(v.seen.Curve) > 0 {
		features = v.seen.Curve[0].Features
	}
	return append(slices.Clone(board), tune.Leader{Config: v.search.Complete, Start: true, Features: features,
		Error: v.seen.Start})
}

// columns are the parameters in which the lines of the leaderboard differ.
func columns(board []tune.Leader) []config.Key {
	var list []config.Key
	first := board[0].Config
	for _, k := range first.Keys() {
		if k.Tuned && slices.ContainsFunc(board, func(l tune.Leader) bool { return !k.Same(first, l.Config) }) {
			list = append(list, k)
		}
	}
	return list
}

// columnName is the symbol of a parameter, or its name.
func columnName(k config.Key) string {
	if k.Symbol != "" {
		return k.Symbol
	}
	return k.Short()
}

// columnText is the value of a parameter, a real one to so many digits.
func columnText(k config.Key, c config.Config, digits int) string {
	text := k.Text(c)
	if v, err := strconv.ParseFloat(text, 64); err == nil && k.Kind == config.Real {
		return strconv.FormatFloat(v, 'g', digits, 64)
	}
	return text
}

// errorText is an error; empty if there is none.
func errorText(e float64) string {
	if math.IsNaN(e) {
		return ""
	}
	return fmt.Sprintf("%.5f", e)
}

// drawsText is the number of fresh draws; empty if there are none.
func drawsText(l tune.Leader) string {
	if len(l.Rescored) == 0 {
		return ""
	}
	return strconv.Itoa(len(l.Rescored))
}

// place is the rank of a line of the leaderboard.
func place(i int, l tune.Leader) string {
	if l.Start {
		return "as is"
	}
	return strconv.Itoa(i + 1)
}

// standings is the leaderboard as a table.
func (v *Screen) standings() study.Table {
	board := v.board()
	params := columns(board)
	t := study.Table{Title: "leaderboard", Header: []string{"", "m", "search", "fresh", "draws"}}
	for _, k := range params {
		t.Header = append(t.Header, columnName(k))
	}
	for i, l := range board {
		row := []string{place(i, l), strconv.Itoa(l.Features), errorText(l.Error), errorText(l.Mean()), drawsText(l)}
		for _, k := range params {
			row = append(row, columnText(k, l.Config, 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// table draws the leaderboard: a heading and so many lines, with as many columns as there is room for.
func (v *Screen) table(on look.Look, width, rows int) []string {
	th, t := on.Theme, v.standings()
	columns := make([]table.Column, len(t.Header))
	for i := range columns {
		columns[i].Goes = i // the last first
	}
	text := table.Fit(columns, 2, append([][]string{t.Header}, t.Rows...), width-2)
	lines := []string{" " + th.Label.Render(text[0])}
	return append(lines, v.at.Draw(th, len(t.Rows), rows, func(i int) string { return text[i+1] })...)
}

// detailLines is the room for the parameters of the selected line.
const detailLines = 2

// detail is all parameters of the selected line that differ from the start.
func (v *Screen) detail(on look.Look, width int) []string {
	board := v.board()
	l := board[v.at.Line]
	text := "the configuration as it was"
	if !l.Start {
		text = config.Differences(l.Config, v.search.Complete)
	}
	lines := strings.Split(ansi.Wordwrap(text, width-2, ""), "\n")
	lines = lines[:min(len(lines), detailLines)]
	for len(lines) < detailLines {
		lines = append(lines, "")
	}
	for i, line := range lines {
		lines[i] = " " + on.Theme.Muted.Render(line)
	}
	return lines
}

// figure is the best error so far against the number of models tried, a curve for each number of features.
func (v *Screen) figure() study.Figure {
	last := float64(max(2, v.seen.Evaluations))
	f := study.Figure{Title: "best error so far", XLabel: "models", LogX: true, LogY: true, X0: 1, X1: last}
	f.Curves = []study.Curve{{Name: "as is", X: []float64{1, last}, Y: []float64{v.seen.Start, v.seen.Start},
		Role: study.AsLevel}}
	for _, p := range v.seen.Curve {
		name := fmt.Sprintf("m=%d", p.Features)
		i := slices.IndexFunc(f.Curves, func(c study.Curve) bool { return c.Name == name })
		if i < 0 {
			i = len(f.Curves)
			f.Curves = append(f.Curves, study.Curve{Name: name, Role: [...]study.Role{study.AsPrediction, study.AsTruth}[i%2]})
		}
		c := &f.Curves[i]
		if n := len(c.Y); n > 0 { // it was the best until now
			c.X, c.Y = append(c.X, float64(p.Evaluation)), append(c.Y, c.Y[n-1])
		}
		c.X, c.Y = append(c.X, float64(p.Evaluation)), append(c.Y, p.Error)
	}
	for i := range f.Curves[1:] {
		c := &f.Curves[i+1]
		c.X, c.Y = append(c.X, last), append(c.Y, c.Y[len(c.Y)-1])
	}
	return f
}
