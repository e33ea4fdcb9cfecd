package tune

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/tune"
	"rfm/solver/printable"
	"rfm/tui/session"
)

// search is one search with what this screen knows of it.
type search struct {
	tune.Session
	name        string        // for the file of the result
	source      string        // preset or file that it comes from, as the command takes it
	base        config.Config // what that is
	budget      time.Duration
	store       bool // it is kept on disk, so that it survives this program
	taken       bool // something of it is in the configuration
	interrupted bool // it was stopped by leaving the program
}

// work goes on with a search as a job. Training pairs come from an experiment (which may be nil) if it has the same. To
// be stopped is no failure: what is done is kept.
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
	err := r.Obtain(ctx, from, workers)
	if err == nil && r.store {
		err = r.KeepAs(r.name)
	}
	if err == nil {
		_, err = r.Begin(tune.Options{Time: r.budget, Seed: r.Asked.Seed, Workers: workers})
	}
	if err == nil {
		_, err = r.Run(ctx)
	}
	return err
}

// begin goes on with the search, or begins one; a configuration that is not valid says so on its own screen.
func (v *Screen) begin() tea.Cmd {
	if err := v.session.Config().Validate(); err != nil {
		v.session.Correct(err)
		return nil
	}
	r := v.prepare()
	return v.session.Run(session.Job{Name: job, Work: r.work(v.session.Experiment(), v.session.Workers()),
		Done: func(error) tea.Cmd {
			r.interrupted = v.session.Leaving() && r.Kept() && !r.Ended
			return nil
		}})
}

// take takes the selected features into the configuration and shows that.
func (v *Screen) take() {
	leader, _ := v.chosen()
	d := v.session.Draft()
	d.Config = v.search.Adopt(d.Config, leader.Config)
	v.session.Edit(d)
	v.search.taken = true
	_ = v.search.Forget() // what stays is found again, and can be removed by hand
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

// Epilogue returns how to go on with a search that was stopped, and the best features that were found and not taken, as
// commands; empty if there is neither.
func (v *Screen) Epilogue() string {
	return strings.TrimSpace(v.goOn() + "\n" + v.best())
}

// goOn says how to go on with a search that was stopped.
func (v *Screen) goOn() string {
	r := v.search
	if r == nil || r.Ended || !r.Kept() || r.taken {
		return ""
	}
	command := "rfm tune " + printable.Quote(r.source)
	for _, k := range r.Asked.Keys() {
		if !k.Same(r.Asked, r.base) {
			command += " --set " + printable.Quote(k.Name+"="+k.Text(r.Asked))
		}
	}
	return fmt.Sprintf("the search for features is in %s, %s\n`%s --time %s --out %s` goes on, and so does the "+
		"screen of the search",
		r.Journal(), printable.Several(len(r.State().Evaluations), "model"), command, r.budget, printable.Quote(r.File()))
}

// best returns the best features that were found and not taken, as a command.
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
	text := fmt.Sprintf("better features were found, error %s instead of %s on training pairs left out:\nrfm run %s",
		report.Error(best, 4), report.Error(start, 4), leader.Config.Problem)
	for _, k := range leader.Config.Keys() {
		if value := k.Text(leader.Config); value != k.Text(base) {
			text += " --set " + printable.Quote(k.Name+"="+value)
		}
	}
	return text
}
