// This file is the tab of the coefficients: how the trained model spreads over its features.

package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/model/study"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// coefficients shows |alpha_j| in descending order.
type coefficients struct{ picture widget.Cache }

func (*coefficients) actions(*session) []keys.Action { return nil }

func (*coefficients) means(*session, keys.Action) string { return "" }

func (*coefficients) do(*session, keys.Action) tea.Cmd { return nil }

// exists: every model has coefficients.
func (*coefficients) exists(*session) bool { return true }

// sizes are |alpha_j| in descending order.
func (*coefficients) sizes(s *session) []float64 {
	alpha := s.experiment.Solution().Alpha
	sizes := make([]float64, len(alpha))
	for j, a := range alpha {
		sizes[j] = math.Abs(a)
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return sizes
}

// figure is |alpha_j| against its place.
func (v *coefficients) figure(s *session) study.Figure {
	sizes := v.sizes(s)
	return study.Figure{Title: "|alpha_j| in descending order", XLabel: "j", YLabel: "|alpha_j|", LogX: true, LogY: true, Curves: []study.Curve{{Name: "|alpha_j|", X: counting(len(sizes)), Y: sizes}}}
}

// table says in numbers how large the coefficients are, and how many of them carry half of the sum of their squares, and
// most of it.
func (v *coefficients) table(s *session) study.Table {
	sizes, solution := v.sizes(s), s.experiment.Solution()
	total := 0.0
	for _, a := range sizes {
		total += a * a
	}
	holding := func(share float64) int {
		sum := 0.0
		for j, a := range sizes {
			if sum += a * a; sum >= share*total {
				return j + 1
			}
		}
		return len(sizes)
	}
	m := float64(len(sizes))
	return study.Table{Header: []string{"coefficients", ""}, Rows: [][]string{
		{"features m", fmt.Sprint(len(sizes))},
		{"rank", fmt.Sprint(solution.Rank)},
		{"lambda", plot.FormatValue(solution.Lambda)},
		{"largest", plot.FormatValue(sizes[0])},
		{"median", plot.FormatValue(sizes[len(sizes)/2])},
		{"smallest", plot.FormatValue(sizes[len(sizes)-1])},
		{"|alpha| / m", plot.FormatValue(math.Sqrt(total) / m)},
		{"hold 50% of |alpha|^2", fmt.Sprint(holding(0.5))},
		{"hold 90% of |alpha|^2", fmt.Sprint(holding(0.9))},
	}}
}

func (v *coefficients) render(s *session, width, height int) string {
	type key struct {
		alpha         *float64
		width, height int
		appearance    look.Appearance
	}
	return v.picture.Get(key{&s.experiment.Solution().Alpha[0], width, height, s.Appearance()}, func() string {
		th, f := s.Theme, v.figure(s)
		narrow := width - sideWidth - sideGap
		curve := plot.Line{Title: f.Title, XLabel: f.XLabel, LogX: true, LogY: true, X0: 1, X1: math.Max(2, float64(len(f.Curves[0].X))), Width: narrow, Height: height, Theme: th,
			Series: []plot.Series{{X: f.Curves[0].X, Y: f.Curves[0].Y, Style: th.Prediction}}}
		return layout.Beside(height, strings.Repeat(" ", sideGap), curve.Render(), narrow, strings.Join(pairLines(s, v.table(s)), "\n"))
	})
}

// pairLines writes a table of names and values in sideWidth cells.
func pairLines(s *session, t study.Table) []string {
	lines := []string{s.Theme.Title.Render(t.Header[0])}
	for _, row := range t.Rows {
		lines = append(lines, row[0]+strings.Repeat(" ", max(1, sideWidth-ansi.StringWidth(row[0])-ansi.StringWidth(row[1])))+s.Theme.Value.Render(row[1]))
	}
	return clipped(s, lines)
}

func (v *coefficients) exhibit(s *session) study.Result {
	return study.Result{Study: "coefficients", Tables: []study.Table{v.table(s)}, Figures: []study.Figure{v.figure(s)}}
}
