package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/study"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// other is another model: what it is, and its relative errors on the test inputs, in their order.
type other struct {
	name     string
	config   config.Config // without baselines
	relative []float64
}

// gain shows one comparison at a time.
type gain struct {
	*selection
	others     []other
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
	v.at = max(0, slices.IndexFunc(v.others, func(o other) bool { return o.config == c }))
}

// remember keeps the errors of an evaluation.
func (v *gain) remember(c config.Config, e *engine.Evaluation) {
	const most = 8
	v.models = slices.DeleteFunc(v.models, func(m evaluated) bool { return m.config == c })
	v.models = append(v.models, evaluated{c, fingerprint(e.TestPairs.Outputs.Data), e.Test.Relative})
	v.models = v.models[max(0, len(v.models)-most):]
}

// compare lists the models that were evaluated on the test pairs of this one, the newest first.
func (v *gain) compare() {
	v.others = nil
	tests, paper := fingerprint(v.of.TestPairs.Outputs.Data), original(v.config)
	for _, m := range slices.Backward(v.models) {
		if m.config == v.config || m.tests != tests {
			continue
		}
		name := session.Differences(m.config, v.config)
		if m.config == paper {
			name = originalName(m.config)
		}
		v.others = append(v.others, other{name, m.config, m.relative})
	}
}

// fingerprint distinguishes values from others: their FNV-1a hash, word by word.
func fingerprint(values []float64) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	hash := uint64(offset)
	for _, v := range values {
		hash = (hash ^ math.Float64bits(v)) * prime
	}
	return hash
}

// exists reports whether there is a model to compare with, or could be.
func (v *gain) exists() bool { return len(v.others) > 0 || v.offers() }

func (v *gain) commands() []ui.Command {
	var list []ui.Command
	if v.offers() {
		list = append(list, ui.Command{Key: keys.Enter, Word: "compare", Help: "compare with " + originalName(v.config),
			Why: v.session.Occupied(), Do: v.begin})
	}
	if len(v.others) == 0 {
		return list
	}
	list = append(list, v.sideways()...)
	list = append(list, ui.Command{Key: keys.Up, Word: "factor", Help: "a sample with a larger gain",
		Do: ui.Now(func() { v.climb(1) })},
		ui.Command{Key: keys.Down, Word: "factor", Help: "a sample with a smaller gain", Do: ui.Now(func() { v.climb(-1) })})
	if len(v.others) > 1 {
		list = append(list, ui.Command{Key: keys.View, Word: "other", Help: "compare with the next model",
			Do: ui.Now(func() { v.at = (v.at + 1) % len(v.others) })})
	}
	return append(list, v.browsing()...)
}

// factors are the errors of the other model divided by those of this one: above 1 where this one is better.
func (v *gain) factors() []float64 {
	return study.Factors(v.of.Test.Relative, v.others[v.at].relative)
}

// climb goes to a sample with a larger factor, or a smaller one, so many places on in their order.
func (v *gain) climb(places int) {
	factors := v.factors()
	order := slices.Clone(v.ranking)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(factors[i], factors[j]) })
	at := slices.Index(order, v.sample()) + places
	v.rank = slices.Index(v.ranking, order[min(max(at, 0), len(order)-1)])
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
	other, sum := v.others[v.at], study.NewGain(v.factors())
	factor := func(f float64) string { return fmt.Sprintf("%.3g", f) }
	return study.Table{Header: []string{"beside " + other.name, ""}, Rows: [][]string{
		{"error of the other", fmt.Sprintf("%.5f", mean(other.relative))},
		{"error of this one", fmt.Sprintf("%.5f", v.of.Test.ExpectedRelative)},
		{"better on", fmt.Sprintf("%d of %d, %.0f%%", sum.Better, sum.Of, 100*float64(sum.Better)/float64(sum.Of))},
		{"factor, least", factor(sum.Least)},
		{"factor, median", factor(sum.Median)},
		{"factor, geometric mean", factor(sum.Geometric)},
		{"factor, most", factor(sum.Most)},
	}}
}

// figure is a point for each sample, that on show among them, and the diagonal on which nothing is gained.
func (v *gain) figure() study.Figure {
	errors, own, i := v.others[v.at].relative, v.of.Test.Relative, v.sample()
	lo, hi := chart.Extent(errors, own)
	return study.Figure{Title: "error of this model", XLabel: "the other", LogX: true, LogY: true, Curves: []study.Curve{
		{Name: "equal", X: []float64{lo, hi}, Y: []float64{lo, hi}, Role: study.AsLevel},
		{Name: "samples", X: errors, Y: own, Points: true, Role: study.AsTruth},
		{X: errors[i : i+1], Y: own[i : i+1], Points: true, Role: study.AsPrediction}}}
}

func (v *gain) render(on look.Look, width, height int) string {
	if len(v.others) == 0 {
		return "\n" + v.offer(on, width)
	}
	below := ""
	if v.session.Runs(comparison) {
		height--
		below = "\n" + v.offer(on, width)
	}
	return v.picture.Get(on, width, height, []any{v.of, &v.others[v.at].relative[0], v.rank}, func() string {
		height -= headingLines
		narrow := width - sideWidth - sideGap
		return v.title(on, width) + "\n" + layout.Beside(height, strings.Repeat(" ", sideGap),
			chart.Figure(on, v.figure(), narrow, height), narrow, v.sidebar(on, height))
	}) + below
}

// title names the sample with its factor, and says which of the other models is on show.
func (v *gain) title(on look.Look, width int) string {
	i := v.sample()
	left := v.heading(on, "", v.of.Test.Relative[i]) + on.Theme.Value.Render(fmt.Sprintf("  %.3g times", v.factors()[i]))
	if len(v.others) == 1 {
		return left
	}
	return layout.Opposite(width, left, on.Theme.Muted.Render(fmt.Sprintf("%d of %d", v.at+1, len(v.others))))
}

// sidebar is the numbers and, if there is room, how the factors are distributed.
func (v *gain) sidebar(on look.Look, height int) string {
	lines := pairLines(on, v.table())
	text := strings.Join(lines, "\n")
	rest := height - len(lines) - 1
	if rest < leastPlot {
		return text
	}
	factors := v.factors()
	current := factors[v.sample()]
	histogram := plot.Histogram{Title: "gain", XLabel: "factor", YLabel: "samples", Values: factors, Log: true,
		Current: &current, Width: sideWidth, Height: rest, Style: on.Theme.Truth, Theme: on.Theme, Cursor: on.Cursor}
	return text + "\n\n" + histogram.Render()
}

func (v *gain) Exhibit() study.Result {
	if len(v.others) == 0 {
		return study.Result{Study: "gain"}
	}
	return study.Result{Study: "gain", Tables: []study.Table{v.table()}, Figures: []study.Figure{v.figure()}}
}

// original is a configuration with the features and the regularisation of its problem's preset, which for the paper's
// problems are the paper's; the data, the number of features and the grids remain.
func original(c config.Config) config.Config {
	preset, err := config.PresetByName(c.Problem)
	if err != nil {
		panic("evaluate: " + err.Error()) // every problem has a preset of its name
	}
	count, grid := c.Features.Count, c.Train.Grid
	c.Features, c.Train = preset.Features, preset.Train
	c.Features.Count, c.Train.Grid = count, grid
	return c
}

// alone is a configuration without baselines: the model is the same.
func alone(c config.Config) config.Config {
	c.Evaluation.Baselines, c.Evaluation.Bands = false, false
	return c
}

// originalName says whose features those of original are.
func originalName(c config.Config) string {
	if !c.Of().Paper {
		return "the features of the preset " + c.Problem
	}
	return "the paper's features"
}

// retraining trains the original features. While its job runs, others read only what is atomic.
type retraining struct {
	experiment atomic.Pointer[engine.Experiment] // that of the original features
}

// work is the training and the evaluation as a job, with the data of another experiment. To be stopped is no failure.
func (r *retraining) work(from *engine.Experiment, workers int) func(context.Context) error {
	r.experiment.Store(nil)
	return func(ctx context.Context) error {
		e, err := engine.New(ctx, alone(original(from.Config)), engine.Options{Workers: workers})
		if err == nil {
			e.Reuse(from)
			r.experiment.Store(e)
			err = e.Run(ctx)
		}
		if session.IsCancelled(err) {
			return nil
		}
		return err
	}
}

// comparison is what the training for a comparison is called as a job.
const comparison = "comparison"

// begin trains the original features beside the interface.
func (v *gain) begin() tea.Cmd {
	return v.session.Run(session.Job{Name: comparison, Work: v.retraining.work(v.session.Experiment(),
		v.session.Workers()),
		Done: func(error) tea.Cmd {
			if e := v.retraining.experiment.Load(); e != nil && e.Evaluation() != nil {
				v.add(e.Config, e.Evaluation())
			}
			v.retraining.experiment.Store(nil) // its sums are large
			return nil
		}})
}

// offers reports whether the model has other features than the original ones, which were not compared yet.
func (v *gain) offers() bool {
	c := alone(v.session.Experiment().Config)
	o := original(c)
	return o != c && !slices.ContainsFunc(v.others, func(m other) bool { return m.config == o })
}

// offer says what can be compared, or how far that is.
func (v *gain) offer(on look.Look, width int) string {
	th, c := on.Theme, v.session.Experiment().Config
	if !v.session.Runs(comparison) {
		text := "Enter trains " + originalName(c) + " on the same data and compares sample by sample. They have " +
			session.Differences(original(c), c) + "."
		return " " + strings.Join(layout.Styled(th.Muted, ansi.Wordwrap(text, width-2, "")), "\n ")
	}
	text := " " + originalName(c)
	if e := v.retraining.experiment.Load(); e != nil {
		p := e.Progress()
		text = " " + plot.Progress(p.Fraction(), max(8, width/3), th) + text + ": " + p.Stage.String()
	}
	return layout.Cut(text, width)
}
