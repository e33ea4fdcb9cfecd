// This file is the screen of the training: the sums, then the solution of the linear system.

package screen

import (
	"fmt"
	"math"
	"strings"

	"rfm/tui/keys"
	"rfm/tui/plot"
)

// train shows how the normal equations grow and what their solution looks like.
type train struct {
	plot cache
}

func (t *train) actions(*session) []keys.Action { return nil }

func (t *train) means(*session, keys.Action) string { return "" }

func (t *train) do(*session, keys.Action) {}

func (t *train) render(s *session, width, height int) string {
	th := s.theme
	c := s.experiment.Config
	head := []string{progressLine(s, training, width), ""}
	for _, d := range append(features(c), trainingProblem(c)...) {
		head = append(head, fmt.Sprintf(" %s %s", th.Label.Render(d.symbol), th.Muted.Render(d.text)))
	}
	if s.reached < training {
		return strings.Join(head, "\n")
	}
	solution := s.experiment.Solution()
	head = append(head, th.Value.Render(fmt.Sprintf(" rank %d of %d", solution.Rank, c.Features.Count))+rankNote(s), "")
	type key struct {
		alpha         *float64
		width, height int
		appearance    appearance
	}
	pictures := t.plot.get(key{&solution.Alpha[0], width, height, s.appearance()}, func() string {
		rows := height - len(head)
		left := width
		if solution.Eigenvalues != nil {
			left = width / 2
		}
		sizes := make([]float64, len(solution.Alpha))
		for j, a := range solution.Alpha {
			sizes[j] = math.Abs(a)
		}
		histogram := plot.Histogram{Values: sizes, Width: width - left, Height: rows, Log: true, Title: "|alpha_j|", Style: th.Prediction, Theme: th}
		if solution.Eigenvalues == nil {
			histogram.Width = width
			return histogram.Render()
		}
		index := make([]float64, len(solution.Eigenvalues))
		for i := range index {
			index[i] = float64(i + 1)
		}
		spectrum := plot.Line{Width: left - 1, Height: rows, X0: 1, X1: math.Max(2, float64(len(index))), LogX: true, LogY: true, Title: "eigenvalues of G", XLabel: "j", Theme: th,
			Series: []plot.Series{{X: index, Y: solution.Eigenvalues, Style: th.Truth}}}
		return beside(rows, " ", spectrum.Render(), left-1, histogram.Render())
	})
	return strings.Join(head, "\n") + "\n" + pictures
}

// rankNote gives the condition number if the eigenvalues are known.
func rankNote(s *session) string {
	solution := s.experiment.Solution()
	if solution.Rank == 0 || solution.Eigenvalues == nil {
		return ""
	}
	return s.theme.Muted.Render(fmt.Sprintf(", largest eigenvalue %s, smallest kept %s", plot.FormatValue(solution.Eigenvalues[0]), plot.FormatValue(solution.Eigenvalues[solution.Rank-1])))
}
