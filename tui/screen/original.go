// This file trains the features of the paper on the data of the experiment, so that the tab of the gain can compare.

package screen

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
	"rfm/tui/plot"
)

// original is a configuration with the features and the regularisation of its problem's preset, which for the paper's
// problems are the paper's; the data, the number of features and the grids remain.
func original(c config.Config) config.Config {
	preset, err := config.PresetByName(c.Problem)
	if err != nil {
		panic("screen: " + err.Error()) // every problem has a preset of its name
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
		if err != nil {
			return err
		}
		e.Reuse(from)
		r.experiment.Store(e)
		if err := e.Run(ctx); !isCancelled(err) {
			return err
		}
		return nil
	}
}

// compare trains the original features beside the interface.
func (m *Model) compare() tea.Cmd {
	return m.begin(comparing, m.evaluate.gain.retraining.work(m.session.experiment))
}

// compared takes over what a comparison has found, unless it was stopped.
func (m *Model) compared() {
	e := m.evaluate.gain.retraining.experiment.Load()
	if e != nil && e.Evaluation() != nil {
		m.evaluate.follow(&m.session)
		m.evaluate.gain.add(e.Config, e.Evaluation())
	}
	m.evaluate.gain.retraining.experiment.Store(nil) // its sums are large
}

// offers says whether the model has other features than the original ones, which were not compared yet.
func (v *gain) offers(s *session) bool {
	c := alone(s.experiment.Config)
	o := original(c)
	return o != c && !slices.ContainsFunc(v.others, func(other comparison) bool { return other.config == o })
}

// offer says what can be compared, or how far that is.
func (v *gain) offer(s *session, width int) string {
	th, c := s.Theme, s.experiment.Config
	if s.job == nil || s.job.step != comparing {
		text := "Enter trains " + originalName(c) + " on the same data and compares sample by sample. They have " + differences(original(c), c) + "."
		return " " + strings.Join(styled(th.Muted, ansi.Wordwrap(text, width-2, "")), "\n ")
	}
	text := " " + originalName(c)
	if e := v.retraining.experiment.Load(); e != nil {
		p := e.Progress()
		text = " " + plot.Progress(p.Fraction(), max(8, width/3), th) + text + ": " + p.Stage.String()
	}
	return layout.Cut(text, width)
}
