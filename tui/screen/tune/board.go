package tune

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/tune"
	"rfm/tui/chart"
)

// columns returns the parameters in which the lines of the leaderboard differ.
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

// columnName returns the symbol of a parameter, or its name.
func columnName(k config.Key) string { return cmp.Or(k.Symbol, k.Short()) }

// errorText returns an error; empty if there is none.
func errorText(e float64) string {
	if math.IsNaN(e) {
		return ""
	}
	return report.Error(e, 5)
}

// standings returns the leaderboard as a table.
func (v *Screen) standings() report.Table {
	board := v.seen.Leaders
	params := columns(board)
	t := report.Table{Header: []string{"", "m", "search", "fresh", "draws"}}
	for _, k := range params {
		t.Header = append(t.Header, columnName(k))
	}
	for i, l := range board {
		place, draws := strconv.Itoa(i+1), ""
		if l.Start {
			place = "as is"
		}
		if i == v.at.Line {
			place = "> " + place
		}
		if n := len(l.Rescored); n > 0 {
			draws = strconv.Itoa(n)
		}
		row := []string{place, strconv.Itoa(l.Features), errorText(l.Error), errorText(l.Mean()), draws}
		for _, k := range params {
			row = append(row, k.Rounded(l.Config, 3))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure returns the course of the search.
func (v *Screen) figure() report.Figure {
	last := float64(max(2, v.seen.Evaluations))
	if v.running() { // the axis grows in steps, of which a factor of ten has so many: few cells change
		const steps = 24
		last = math.Pow(10, math.Ceil(steps*math.Log10(last))/steps)
	}
	return chart.Search(v.seen, last, 1)
}
