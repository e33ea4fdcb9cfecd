// This file is the tab of the gain: the errors of the model sample by sample beside those of another one on the same test
// inputs.

package screen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/study"
	"rfm/solver/grid"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// comparison is another model: what it is, and its relative errors on the test inputs, in their order.
type comparison struct {
	name     string
	config   config.Config // without baselines
	relative []float64
}

// gain shows one comparison at a time.
type gain struct {
	*selection
	others     []comparison
	at         int
	config     config.Config // of the model, without baselines
	models     []evaluated   // of this session, the newest last
	retraining retraining
	picture    widget.Cache
}

// evaluated is a model that was evaluated in this session.
type evaluated struct {
	config   config.Config // without baselines
	tests    uint64        // fingerprint of the true outputs
	relative []float64     // errors on the test inputs
}

// take compares a new evaluation with the earlier ones on the same test pairs, first with the one just before.
func (v *gain) take(c config.Config, e *engine.Evaluation) {
	v.config, v.at = alone(c), 0
	v.remember(v.config, e)
	v.compare()
}

// add compares with another evaluation on the same test pairs, too, and shows that.
func (v *gain) add(c config.Config, e *engine.Evaluation) {
	c = alone(c)
	v.remember(c, e)
	v.compare()
	v.at = max(0, slices.IndexFunc(v.others, func(o comparison) bool { return o.config == c }))
}

// remember keeps the errors of an evaluation.
func (v *gain) remember(c config.Config, e *engine.Evaluation) {
	const most = 8
	v.models = slices.DeleteFunc(v.models, func(m evaluated) bool { return m.config == c })
	v.models = append(v.models, evaluated{c, fingerprint(e.TestPairs.Outputs), e.Test.Relative})
	v.models = v.models[max(0, len(v.models)-most):]
}

// compare lists the models that were evaluated on the test pairs of this one, the newest first.
func (v *gain) compare() {
	v.others = nil
	tests, paper := fingerprint(v.of.TestPairs.Outputs), original(v.config)
	for _, m := range slices.Backward(v.models) {
		if m.config == v.config || m.tests != tests {
			continue
		}
		name := differences(m.config, v.config)
		if m.config == paper {
			name = originalName(m.config)
		}
		v.others = append(v.others, comparison{name, m.config, m.relative})
	}
}

// fingerprint distinguishes functions from others: the FNV-1a hash of their values, word by word.
func fingerprint(functions grid.Batch) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	for _, v := range functions.Data {
		hash = (hash ^ math.Float64bits(v)) * prime
	}
	return hash
}

// differences names a model by what distinguishes it from another one.
func differences(of, from config.Config) string {
	var list []string
	for _, k := range of.Keys() {
		if k.Same(of, from) {
			continue
		}
		name := k.Symbol
		if name == "" {
			name = k.Short()
		}
		list = append(list, name+"="+k.Text(of))
	}
	return strings.Join(list, " ")
}

// exists says whether there is a model to compare with, or could be.
func (v *gain) exists(s *session) bool { return len(v.others) > 0 || v.offers(s) }

func (v *gain) actions(s *session) []keys.Action {
	var list []keys.Action
	if s.job == nil && v.offers(s) {
		list = append(list, keys.Accept)
	}
	if len(v.others) == 0 {
		return list
	}
	list = append(list, keys.Left, keys.Right, keys.Up, keys.Down)
	if len(v.others) > 1 {
		list = append(list, keys.View)
	}
	return append(list, browsing()...)
}

func (v *gain) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		return "compare"
	case keys.Left, keys.Right:
		return "sample"
	case keys.Up, keys.Down:
		return "factor"
	case keys.View:
		return "other"
	}
	return browseMeans(action)
}

func (v *gain) do(_ *session, action keys.Action) tea.Cmd {
	switch action {
	case keys.Up:
		v.climb(1)
	case keys.Down:
		v.climb(-1)
	case keys.View:
		v.at = (v.at + 1) % len(v.others)
	default:
		v.browse(action)
	}
	return nil
}

// factors are the errors of the other model divided by those of this one: above 1 where this one is better.
func (v *gain) factors() []float64 {
	factors := make([]float64, len(v.of.Test.Relative))
	for i, own := range v.of.Test.Relative {
		factors[i] = v.others[v.at].relative[i] / own
	}
	return factors
}

// climb goes to a sample with a larger factor, or a smaller one, so many places on in their order.
func (v *gain) climb(places int) {
	factors := v.factors()
	order := slices.Clone(v.ranking)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(factors[i], factors[j]) })
	at := slices.Index(order, v.sample()) + places
	v.rank = slices.Index(v.ranking, order[min(max(at, 0), len(order)-1)])
}

func median(values []float64) float64 {
	ascending := slices.Sorted(slices.Values(values))
	n := len(ascending)
	return (ascending[(n-1)/2] + ascending[n/2]) / 2
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// table sums the comparison up.
func (v *gain) table() study.Table {
	other, factors := v.others[v.at], v.factors()
	better, logarithm := 0, 0.0
	least, most := math.Inf(1), 0.0
	for _, f := range factors {
		if f > 1 {
			better++
		}
		logarithm += math.Log(f)
		least, most = min(least, f), max(most, f)
	}
	n := len(factors)
	factor := func(f float64) string { return fmt.Sprintf("%.3g", f) }
	return study.Table{Header: []string{"beside " + other.name, ""}, Rows: [][]string{
		{"error of the other", fmt.Sprintf("%.5f", mean(other.relative))},
		{"error of this one", fmt.Sprintf("%.5f", v.of.Test.ExpectedRelative)},
		{"better on", fmt.Sprintf("%d of %d, %.0f%%", better, n, 100*float64(better)/float64(n))},
		{"factor, least", factor(least)},
		{"factor, median", factor(median(factors))},
		{"factor, geometric mean", factor(math.Exp(logarithm / float64(n)))},
		{"factor, most", factor(most)},
	}}
}

// figure is a point for each sample, and the diagonal on which nothing is gained.
func (v *gain) figure() study.Figure {
	other := v.others[v.at]
	lo, hi := chart.Extent(other.relative, v.of.Test.Relative)
	return study.Figure{Title: "errors sample by sample", XLabel: "error of the other", YLabel: "error of this model", LogX: true, LogY: true, Curves: []study.Curve{
		{Name: "equal", X: []float64{lo, hi}, Y: []float64{lo, hi}}, {Name: "samples", X: other.relative, Y: v.of.Test.Relative, Points: true}}}
}

func (v *gain) render(s *session, width, height int) string {
	type key struct {
		of            *engine.Evaluation
		other         *float64
		rank          int
		width, height int
		appearance    look.Appearance
	}
	if len(v.others) == 0 {
		return "\n" + v.offer(s, width)
	}
	below := ""
	if s.job != nil && s.job.step == comparing {
		height--
		below = "\n" + v.offer(s, width)
	}
	return v.picture.Get(key{v.of, &v.others[v.at].relative[0], v.rank, width, height, s.Appearance()}, func() string {
		height -= headingLines
		narrow := width - sideWidth - sideGap
		return v.title(s, width) + "\n" + layout.Beside(height, strings.Repeat(" ", sideGap), v.scatter(s, narrow, height), narrow, v.sidebar(s, height))
	}) + below
}

// title names the sample with its factor, and says which of the other models is on show.
func (v *gain) title(s *session, width int) string {
	i := v.sample()
	left := v.heading(s, "", v.of.Test.Relative[i]) + s.Theme.Value.Render(fmt.Sprintf("  %.3g times", v.factors()[i]))
	if len(v.others) == 1 {
		return left
	}
	return layout.Opposite(width, left, s.Theme.Muted.Render(fmt.Sprintf("%d of %d", v.at+1, len(v.others))))
}

// scatter draws the errors of both models against each other. Points below the diagonal are gains.
func (v *gain) scatter(s *session, width, height int) string {
	th, f, i := s.Theme, v.figure(), v.sample()
	diagonal, points := f.Curves[0], f.Curves[1]
	return plot.Line{Title: f.YLabel, XLabel: "the other", LogX: true, LogY: true, Width: width, Height: height, Theme: th, Series: []plot.Series{
		{Name: "equal", X: diagonal.X, Y: diagonal.Y, Style: th.Muted, Pen: plot.Dotted},
		{Name: "samples", X: points.X, Y: points.Y, Style: th.Truth, Mark: '+'},
		{X: points.X[i : i+1], Y: points.Y[i : i+1], Style: th.Prediction, Mark: th.Glyphs.PredictionMark},
	}}.Render()
}

// sidebar is the numbers and, if there is room, how the factors are distributed.
func (v *gain) sidebar(s *session, height int) string {
	lines := pairLines(s, v.table())
	text := strings.Join(lines, "\n")
	rest := height - len(lines) - 1
	if rest < leastPlot {
		return text
	}
	factors := v.factors()
	current := factors[v.sample()]
	histogram := plot.Histogram{Title: "gain", XLabel: "factor", YLabel: "samples", Values: factors, Log: true, Current: &current, Width: sideWidth, Height: rest, Style: s.Theme.Truth, Theme: s.Theme}
	return text + "\n\n" + histogram.Render()
}

func (v *gain) exhibit(*session) study.Result {
	if len(v.others) == 0 {
		return study.Result{Study: "gain"}
	}
	return study.Result{Study: "gain", Tables: []study.Table{v.table()}, Figures: []study.Figure{v.figure()}}
}
