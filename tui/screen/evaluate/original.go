package evaluate

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
)

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
	c.Evaluation.Baselines = false
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
func (r *retraining) work(from *engine.Experiment) func(context.Context) error {
	r.experiment.Store(nil)
	return func(ctx context.Context) error {
		e, err := engine.New(ctx, alone(original(from.Config)), engine.Options{Workers: from.Workers()})
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
	return v.session.Run(session.Job{Name: comparison, Work: v.retraining.work(v.session.Experiment()), Done: func(error) tea.Cmd {
		if e := v.retraining.experiment.Load(); e != nil && e.Evaluation() != nil {
			v.add(e.Config, e.Evaluation())
		}
		v.retraining.experiment.Store(nil) // its sums are large
		return nil
	}})
}

// offers says whether the model has other features than the original ones, which were not compared yet.
func (v *gain) offers() bool {
	c := alone(v.session.Experiment().Config)
	o := original(c)
	return o != c && !slices.ContainsFunc(v.others, func(m other) bool { return m.config == o })
}

// offer says what can be compared, or how far that is.
func (v *gain) offer(on look.Look, width int) string {
	th, c := on.Theme, v.session.Experiment().Config
	if !v.session.Runs(comparison) {
		text := "Enter trains " + originalName(c) + " on the same data and compares sample by sample. They have " + session.Differences(original(c), c) + "."
		return " " + strings.Join(layout.Styled(th.Muted, ansi.Wordwrap(text, width-2, "")), "\n ")
	}
	text := " " + originalName(c)
	if e := v.retraining.experiment.Load(); e != nil {
		p := e.Progress()
		text = " " + plot.Progress(p.Fraction(), max(8, width/3), th) + text + ": " + p.Stage.String()
	}
	return layout.Cut(text, width)
}
