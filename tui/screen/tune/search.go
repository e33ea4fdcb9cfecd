package tune

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/tune"
	"rfm/solver/printable"
	"rfm/tui/dialog"
	"rfm/tui/session"
)

// search is a search with the screen's own state.
type search struct {
	tune.Session
	name        string // of the file of the result
	budget      time.Duration
	store       bool // keep the search on disk, so that it survives this program
	taken       bool // features of it are in the configuration
	interrupted bool // leaving the program stopped it
}

// work runs or resumes a search as a job. Training pairs come from an experiment (which may be nil) if it has the same.
// Stopping it is not a failure: the evaluated models are kept.
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
		_, err = r.KeepAs(r.name)
	}
	if err == nil {
		_, err = r.Begin(tune.Options{Time: r.budget, Seed: r.Asked.Seed, Workers: workers})
	}
	if err == nil {
		_, err = r.Run(ctx)
	}
	return err
}

// begin starts or resumes a search; an invalid configuration is reported on its own screen.
func (v *Screen) begin() tea.Cmd {
	if err := v.session.Config().Validate(); err != nil {
		v.session.Correct(err)
		return nil
	}
	r := v.prepare()
	return v.session.Run(session.Job{Name: job, Seen: v.look, Work: r.work(v.session.Experiment(), v.session.Workers()),
		Done: func(error) tea.Cmd {
			r.interrupted = v.session.Leaving() && r.Kept() && !r.Ended
			return nil
		}})
}

// take copies the selected features into the configuration and shows it.
func (v *Screen) take() {
	leader, _ := v.chosen()
	d := v.session.Draft()
	d.Config = v.search.Adopt(d.Config, leader.Config)
	v.session.Edit(d)
	v.search.taken = true
	_ = v.search.Forget() // a remaining file is found again, and can be removed by hand
	v.session.Select("")
	v.session.Say("the features are in the configuration; enter tests them, d lists the changes, u takes it back")
}

// save takes the selected features and asks for the name of a file for the configuration.
func (v *Screen) save() tea.Cmd {
	name := v.session.TunedName()
	v.take()
	return dialog.Save(v.session, v.dialogs, name)
}

// left describes a search that leaving the program has not lost, and the best features that were not taken.
func (v *Screen) left() (text string) {
	r := v.search
	if r == nil || v.seen == nil || r.taken {
		return ""
	}
	if best, start, _ := v.seen.Gain(); best < start {
		text = fmt.Sprintf("better features were found, error %s instead of %s on training pairs left out\n",
			report.Error(best, 4), report.Error(start, 4))
	}
	if r.Kept() && !r.Ended {
		text += fmt.Sprintf("the search is in %s, %s; the same configuration on the screen tune resumes it", r.Directory(),
			printable.Several(len(r.Evaluations()), "model"))
	}
	return strings.TrimSpace(text)
}
