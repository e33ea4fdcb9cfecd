// This file is the screen of the training: the sums, then the solution of the linear system.

package screen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// train shows how the error falls while the normal equations grow, and what their solution looks like.
type train struct {
	gallery widget.Gallery
	picture widget.Cache
}

// leastChart is the size of the smallest useful plot of a training.
var leastChart = widget.Size{Width: 36, Height: 9}

func (t *train) actions(s *session) []keys.Action {
	if t.gallery.Turns(s.width, s.height-len(t.head(s)), len(t.pictures(s)), leastChart) {
		return []keys.Action{keys.View}
	}
	return nil
}

func (t *train) means(*session, keys.Action) string { return "" }

func (t *train) do(s *session, _ keys.Action) tea.Cmd {
	t.gallery.Next(s.width, s.height-len(t.head(s)), len(t.pictures(s)), leastChart)
	return nil
}

func (t *train) render(s *session, width, height int) string {
	head := t.head(s)
	text := strings.Join(head, "\n") + "\n"
	type key struct {
		experiment    *engine.Experiment
		solved        bool
		points, first int
		width, height int
		appearance    look.Appearance
	}
	k := key{s.experiment, s.reached >= training, len(s.progress(training).Validation), t.gallery.First, width, height, s.Appearance()}
	return text + t.picture.Get(k, func() string {
		return t.gallery.Render(s.Theme, width, height-len(head), leastChart, t.pictures(s))
	})
}

// head is the progress and, where there is room, what is computed; once it is, the rank and the spectrum in numbers.
func (t *train) head(s *session) []string {
	const roomy = 16
	th, c := s.Theme, s.experiment.Config
	head := []string{progressLine(s, training, s.width)}
	if s.height >= roomy {
		head = append(head, "")
		for _, d := range append(formula.Features(c), formula.Training(c)...) {
			head = append(head, fmt.Sprintf(" %s %s", th.Label.Render(d.Symbol), th.Muted.Render(d.Text)))
		}
	}
	if s.reached >= training {
		head = append(head, th.Value.Render(fmt.Sprintf(" rank %d of %d", s.experiment.Solution().Rank, c.Features.Count))+th.Muted.Render(spectrumNote(s)))
	}
	return append(head, "")
}

// pictures are the validation error, the eigenvalues and the coefficients, as far as they are known; what is new comes first.
func (t *train) pictures(s *session) []widget.Picture {
	var list []widget.Picture
	if s.reached >= training {
		if len(s.experiment.Solution().Eigenvalues) > 0 {
			list = append(list, widget.Picture{Name: "eigenvalues", Draw: s.eigenvalues})
		}
		list = append(list, widget.Picture{Name: "coefficients", Draw: s.coefficients})
	}
	if points := s.progress(training).Validation; len(points) > 0 {
		list = append(list, widget.Picture{Name: "validation error", Draw: func(width, height int) string { return s.validation(points, width, height) }})
	}
	return list
}

// validation draws the error of models of the samples seen so far.
func (s *session) validation(points []engine.Validation, width, height int) string {
	th, c := s.Theme, s.experiment.Config
	var seen, errors []float64
	for _, p := range points {
		seen, errors = append(seen, float64(p.Samples)), append(errors, p.Error)
	}
	line := plot.Line{Width: width, Height: height, X0: 1, X1: math.Max(2, float64(c.Data.Train)), LogX: true, LogY: true, XLabel: "n", Theme: th,
		Title: fmt.Sprintf("validation error, %s at n=%d", plot.FormatValue(errors[len(errors)-1]), points[len(points)-1].Samples)}
	const worthless = 1.0 // the error of predicting zero
	if top := worthless; errors[len(errors)-1] < worthless && slices.Max(errors) > worthless {
		line.YMax = &top // the first models overfit by orders of magnitude
	}
	if p, ok := engine.Published(c); ok {
		line.Series = append(line.Series, plot.Series{Name: "paper, in the end", X: []float64{1, line.X1}, Y: []float64{p.Value, p.Value}, Style: th.Published, Pen: plot.Dotted})
	}
	line.Series = append(line.Series, plot.Series{X: seen, Y: errors, Style: th.Error}, plot.Series{X: seen, Y: errors, Style: th.Error, Mark: th.Glyphs.PointMark})
	return line.Render()
}

// eigenvalues draws the spectrum of G with what regularises it, if that is near.
func (s *session) eigenvalues(width, height int) string {
	th, values := s.Theme, s.experiment.Solution().Eigenvalues
	index := counting(len(values))
	line := plot.Line{Width: width, Height: height, X0: 1, X1: math.Max(2, float64(len(index))), LogX: true, LogY: true, Title: "eigenvalues of G", XLabel: "j", Theme: th,
		Series: []plot.Series{{X: index, Y: values, Style: th.Truth}}}
	const near = 1e-3 // of the smallest: a line farther away would only flatten the curve
	least := smallestPositive(values)
	line.YMin, line.YMax = &least, &values[0]
	if name, level := regularisation(s); level > near*least {
		least = min(least, level)
		line.Series = append(line.Series, plot.Series{Name: name, X: []float64{1, line.X1}, Y: []float64{level, level}, Style: th.Warn, Pen: plot.Dotted})
	}
	return line.Render()
}

// regularisation is the level in the spectrum below which the solution is damped or cut off, and its name.
func regularisation(s *session) (name string, level float64) {
	solution := s.experiment.Solution()
	if solution.Lambda > 0 {
		return "lambda", solution.Lambda
	}
	return "cut-off", s.experiment.Config.Train.Rcond * solution.Eigenvalues[0]
}

// smallestPositive is the smallest value above zero; 0 if there is none.
func smallestPositive(values []float64) float64 {
	least := math.Inf(1)
	for _, v := range values {
		if v > 0 {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return least
}

// coefficients draws how the sizes of the coefficients are distributed.
func (s *session) coefficients(width, height int) string {
	th, alpha := s.Theme, s.experiment.Solution().Alpha
	sizes := make([]float64, len(alpha))
	for j, a := range alpha {
		sizes[j] = math.Abs(a)
	}
	return plot.Histogram{Values: sizes, Width: width, Height: height, Log: true, Title: "|alpha_j|", YLabel: "features", Style: th.Prediction, Theme: th}.Render()
}

// spectrumNote gives the ends of the spectrum, if it is known, and what regularises it.
func spectrumNote(s *session) string {
	solution := s.experiment.Solution()
	if solution.Rank == 0 || len(solution.Eigenvalues) == 0 {
		return ""
	}
	name, level := regularisation(s)
	return fmt.Sprintf(", eigenvalues from %s down to %s, %s %s", plot.FormatValue(solution.Eigenvalues[0]), plot.FormatValue(solution.Eigenvalues[solution.Rank-1]), name, plot.FormatValue(level))
}
