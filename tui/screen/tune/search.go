package tune

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/tune"
	"rfm/solver/dataset"
	"rfm/solver/printable"
	"rfm/tui/session"
)

// search is one search from its beginning to its end, however often it is stopped in between. While a job works on it,
// others read only what is atomic.
type search struct {
	asked  config.Config // the configuration that is to be improved
	name   string        // for the file of the result
	source string        // preset or file that asked comes from, as the command takes it
	base   config.Config // what that is
	budget time.Duration

	made  atomic.Int64 // training pairs so far
	tuner atomic.Pointer[tune.Tuner]

	pairs       dataset.Pairs // once they are made
	complete    config.Config // asked, with sizes that follow from files
	state       tune.State    // when it was stopped
	ended       bool          // the budget is spent and the best are scored again
	store       bool          // it is kept on disk, so that it survives this program
	file        string        // of its result: that of the journal, too
	kept        bool          // the journal holds all that is done
	taken       bool          // something of it is in the configuration
	interrupted bool          // it was stopped by leaving the program
}

// work goes on with a search as a job. Training pairs come from an experiment (which may be nil) if it has the same. To be
// stopped is no failure: what is done is kept.
func (r *search) work(from *engine.Experiment, workers int) func(context.Context) error {
	return func(ctx context.Context) error {
		err := r.run(ctx, from, machine.Workers(workers))
		if session.IsCancelled(err) {
			return nil
		}
		return err
	}
}

func (r *search) run(ctx context.Context, from *engine.Experiment, workers int) error {
	if err := r.obtain(ctx, from, workers); err != nil {
		return err
	}
	o := tune.Options{Time: r.budget, Seed: r.asked.Seed, Workers: workers}
	stored := time.Now()
	if r.store {
		if err := r.find(); err != nil {
			return err
		}
		o.Report = func() {
			if time.Since(stored) >= tune.JournalEvery {
				stored = time.Now()
				r.keep(r.tuner.Load().State())
			}
		}
	}
	tuner, err := r.prepare(o)
	if err != nil {
		return err
	}
	r.tuner.Store(tuner)
	_, err = tuner.Run(ctx)
	r.state, r.ended = tuner.State(), err == nil
	if r.store && len(r.state.Evaluations) > 0 {
		r.keep(r.state)
	}
	return err
}

// find gets hold of what is kept of the search, and of a name for it that nothing else has.
func (r *search) find() error {
	if r.file != "" {
		return nil
	}
	var state tune.State
	var err error
	if r.file, state, err = session.FindJournal(r.name, r.complete); err == nil && len(r.state.Evaluations) == 0 && (r.pairs.Count() == 0 || state.Pairs == r.pairs.Count()) {
		r.state = state
	}
	return err
}

// keep stores the search. If that fails it goes on: leaving does not say then that it can be gone on with.
func (r *search) keep(s tune.State) { r.kept = tune.JournalOf(r.file).Keep(s) == nil }

// forget removes what is kept: it is in a configuration, or not wanted.
func (r *search) forget() {
	if r != nil && r.kept {
		r.kept = tune.JournalOf(r.file).Remove() != nil
	}
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
func (r *search) obtain(ctx context.Context, from *engine.Experiment, workers int) error {
	own, err := engine.New(ctx, r.asked, engine.Options{Workers: workers})
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
	r.pairs, err = engine.TrainingPairs(ctx, r.complete, workers, func(added int) { r.made.Add(int64(added)) })
	return err
}

// sameData reports whether two configurations have the same pairs.
func sameData(a, b config.Config) bool {
	a.Features, a.Train, a.Evaluation = b.Features, b.Train, b.Evaluation
	return a == b
}

// onDataGrid says whether pairs are on the data grid of a configuration; stored runs may keep them on a coarser one.
func onDataGrid(pairs dataset.Pairs, c config.Config) bool {
	return pairs.Inputs.Points == c.Data.Grid
}

// begin goes on with the search, or begins one; a configuration that is not valid says so on its own screen.
func (v *Screen) begin() tea.Cmd {
	if err := v.session.Config().Validate(); err != nil {
		v.session.Correct(err)
		return nil
	}
	r := v.prepare()
	return v.session.Run(session.Job{Name: job, Work: r.work(v.session.Experiment(), v.session.Workers()), Done: func(error) tea.Cmd {
		r.interrupted = v.session.Leaving() && r.kept && !r.ended
		return nil
	}})
}

// take takes the selected features into the configuration and shows that.
func (v *Screen) take() {
	leader, _ := v.chosen()
	d := v.session.Draft()
	d.Config = tune.Adopt(d.Config, leader.Config)
	v.session.Edit(d)
	v.search.taken = true
	v.search.forget()
	v.session.Post(session.Taken{})
	v.session.Post(session.Show(session.None.String()))
	v.session.Say("the features are in the configuration; enter tests them, d lists what has changed, u takes it back")
}

// save takes the selected features over and asks under which name to save the configuration.
func (v *Screen) save() {
	name := v.session.TunedName()
	v.take()
	v.session.Post(session.SaveAs(name))
}

// Interrupted reports whether leaving has interrupted a search that is kept.
func (v *Screen) Interrupted() bool { return v.search != nil && v.search.interrupted }

// Epilogue is how to go on with a search that was stopped, and the best features that were found and not taken, as commands;
// empty if there is neither.
func (v *Screen) Epilogue() string {
	return strings.TrimSpace(v.goOn() + "\n" + v.best())
}

// goOn says how to go on with a search that was stopped.
func (v *Screen) goOn() string {
	r := v.search
	if r == nil || r.ended || !r.kept || r.taken {
		return ""
	}
	command := "rfm tune " + printable.Quote(r.source)
	for _, k := range r.asked.Keys() {
		if !k.Same(r.asked, r.base) {
			command += " --set " + printable.Quote(k.Name+"="+k.Text(r.asked))
		}
	}
	return fmt.Sprintf("the search for features is in %s, %d models\n`%s --time %s --out %s` goes on, and so does the screen of the search",
		tune.JournalOf(r.file), len(r.state.Evaluations), command, r.budget, printable.Quote(r.file))
}

// best is the best features that were found and not taken, as a command.
func (v *Screen) best() string {
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
		panic("tune: " + err.Error()) // every problem has a preset of its name
	}
	text := fmt.Sprintf("better features were found, error %.4f instead of %.4f on training pairs left out:\nrfm run %s", best, start, leader.Config.Problem)
	for _, k := range leader.Config.Keys() {
		if value := k.Text(leader.Config); value != k.Text(base) {
			text += " --set " + printable.Quote(k.Name+"="+value)
		}
	}
	return text
}
