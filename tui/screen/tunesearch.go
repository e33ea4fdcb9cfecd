// This file searches for better features beside the interface: one search can be stopped and gone on with.

package screen

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/model/machine"
	"rfm/model/tune"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/shell"
	"rfm/tui/keys"
)

// search is one search from its beginning to its end, however often it is stopped in between. While a job works on it,
// others read only what is atomic.
type search struct {
	asked  config.Config // the configuration that is to be improved
	budget time.Duration

	made  atomic.Int64 // training pairs so far
	tuner atomic.Pointer[tune.Tuner]

	pairs    dataset.Pairs // once they are made
	complete config.Config // asked, with sizes that follow from files
	state    tune.State    // when it was stopped
	ended    bool          // the budget is spent and the best are scored again
	taken    bool          // something of it is in the configuration
}

// work goes on with a search as a job. Training pairs come from an experiment (which may be nil) if it has the same. To be
// stopped is no failure: what is done is kept.
func (r *search) work(from *experiment.Experiment, workers int) func(context.Context) error {
	return func(ctx context.Context) error {
		err := r.run(ctx, from, machine.Workers(workers))
		if isCancelled(err) {
			return nil
		}
		return err
	}
}

func (r *search) run(ctx context.Context, from *experiment.Experiment, workers int) error {
	if err := r.obtain(ctx, from, workers); err != nil {
		return err
	}
	o := tune.Options{Time: r.budget, Seed: r.asked.Seed, Workers: workers}
	tuner, err := r.prepare(o)
	if err != nil {
		return err
	}
	r.tuner.Store(tuner)
	_, err = tuner.Run(ctx)
	r.state, r.ended = tuner.State(), err == nil
	return err
}

// prepare begins the search, or goes on with it.
func (r *search) prepare(o tune.Options) (*tune.Tuner, error) {
	if len(r.state.Evaluations) == 0 {
		return tune.New(r.complete, r.pairs, o)
	}
	return tune.Resume(r.state, r.pairs, o)
}

// obtain makes the training pairs unless they are there, or takes those of an experiment if they are the same on the same
// grid.
func (r *search) obtain(ctx context.Context, from *experiment.Experiment, workers int) error {
	own, err := experiment.New(r.asked, experiment.Options{Workers: workers})
	if err != nil {
		return err
	}
	r.complete = own.Config
	if r.pairs.Count() > 0 {
		return nil
	}
	if from != nil && own.Reuse(from) {
		if pairs, _ := own.Pairs(); onDataGrid(pairs, r.complete) {
			r.pairs = pairs
			return nil
		}
	}
	r.made.Store(0)
	r.pairs, err = experiment.TrainingPairs(ctx, r.complete, workers, func(added int) { r.made.Add(int64(added)) })
	return err
}

// sameData says whether two configurations have the same pairs.
func sameData(a, b config.Config) bool {
	return a.Problem == b.Problem && a.Seed == b.Seed && a.Data == b.Data && a.Input == b.Input && a.Burgers == b.Burgers && a.Darcy == b.Darcy
}

// onDataGrid says whether pairs are on the data grid of a configuration; stored runs may keep them on a coarser one.
func onDataGrid(pairs dataset.Pairs, c config.Config) bool {
	if c.Planar() {
		return grid.Side(pairs.Inputs.K) == c.Data.Grid
	}
	return pairs.Inputs.K == c.Data.Grid
}

// tunedName is a name for the file of a tuned configuration: NAME-tuned.toml.
func tunedName(s *session) string {
	name := s.source
	if name == "" {
		name = strings.TrimSuffix(s.file, ".toml")
	}
	if name == "" {
		name = s.config.Problem
	}
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}

// tune goes on with the search, or begins one; a configuration that is not valid says so on its own screen.
func (m *Model) tune() tea.Cmd {
	s := &m.session
	switch {
	case s.job != nil || s.preparing != "":
		return nil
	case s.config.Validate() != nil:
		m.correct(s.config.Validate())
		return nil
	case m.tuning.takes(s):
		m.take()
		return nil
	}
	return m.begin(tuneStep, m.tuning.prepare(s).work(s.experiment, s.options.Workers))
}

// take takes the selected features into the configuration and shows that.
func (m *Model) take() {
	s := &m.session
	leader, ok := m.tuning.chosen(s)
	if !ok {
		return
	}
	m.configure.replace(s, edition{tune.Adopt(s.config, leader.Config), s.base, s.source, s.file})
	m.configure.line, m.visible, m.tuning.search.taken = 0, configuring, true
	s.notice = notice{text: fmt.Sprintf("took %s; enter tests it, d lists what has changed, u takes it back", differences(leader.Config, m.tuning.search.complete))}
}

// save asks for the name of a configuration file; the screen of the search first takes its features.
func (m *Model) save() tea.Cmd {
	s := &m.session
	if m.visible != tuneStep {
		return m.views[m.visible].do(s, keys.Save)
	}
	name := tunedName(s)
	m.take()
	m.configure.prompt = newSavePrompt(s, name)
	return nil
}

// epilogue is the best features that were found and not taken, as a command; empty if there are none.
func (v *tuning) epilogue(s *session) string {
	if v.seen == nil || v.search.taken {
		return ""
	}
	best, start, _ := v.gain()
	if !(best < start) {
		return ""
	}
	leader := v.board()[0]
	base, err := config.PresetByName(leader.Config.Problem)
	if err != nil {
		panic("screen: " + err.Error()) // every problem has a preset of its name
	}
	text := fmt.Sprintf("better features were found, error %.4f instead of %.4f on training pairs left out:\nrfm run %s", best, start, leader.Config.Problem)
	for _, k := range config.Keys(leader.Config.Problem) {
		if value := k.Text(leader.Config); value != k.Text(base) {
			text += " --set " + shell.Quote(k.Name+"="+value)
		}
	}
	return text
}
