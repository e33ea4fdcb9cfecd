// Package tune is the screen of the search that adapts the features to the training data: its progress, leaderboard and
// outcome.
package tune

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// Screen shows the search: the one that runs, or the last one.
type Screen struct {
	session *session.Session
	budgets []time.Duration // budgets of a search to choose from
	budget  int             // index of the chosen budget
	search  *search         // nil before the first
	seen    *tune.Snapshot  // latest state of the search; nil before the first
	looked  time.Time
	page    page.View
}

// New returns the screen of a session.
func New(s *session.Session) *Screen {
	v := &Screen{session: s, budgets: []time.Duration{30 * time.Second, time.Minute, 3 * time.Minute,
		10 * time.Minute}, budget: 2}
	s.AtEnd(func() (string, bool) { return v.left(), v.search != nil && v.search.interrupted })
	return v
}

// job is the name of the job of the search.
const job = "tune"

// Name returns the name of the search's job.
func (v *Screen) Name() string { return job }

// running reports whether the search runs.
func (v *Screen) running() bool { return v.session.Doing() == job }

// resumes reports whether the current search is resumed rather than another one started.
func (v *Screen) resumes() bool {
	return v.search != nil && !v.search.Ended && v.search.Asked == v.session.Config()
}

// prepare returns the search to run: a new one, or the stopped one.
func (v *Screen) prepare() *search {
	if !v.resumes() {
		next := &search{Session: tune.Session{Asked: v.session.Config()}, name: v.session.TunedName(),
			store: v.session.Options().Runs != ""}
		if v.search != nil && v.search.Ended && v.search.Asked == v.session.Config() {
			_ = v.search.Forget() // a new one is requested
		}
		v.search, v.seen = next, nil
	}
	v.search.budget = v.budgets[v.budget]
	return v.search
}

// look copies the state of the search, at most twice a second while it runs: slow lines transfer each change.
func (v *Screen) look() {
	const pause = 500 * time.Millisecond
	if v.running() && v.seen != nil && time.Since(v.looked) < pause {
		return
	}
	if seen := v.search.Snapshot(); seen != nil {
		v.seen, v.looked = seen, time.Now()
	}
}

// best returns the first line of the leaderboard, if its features can be taken into the configuration.
func (v *Screen) best() (leader tune.Leader, ok bool) {
	if v.running() || v.seen == nil || v.search.Asked.Title() != v.session.Config().Title() {
		return tune.Leader{}, false
	}
	leader = v.seen.Leaders[0]
	return leader, !leader.Start || len(leader.Rescored) > 0 // else there is nothing new in it
}

// Commands returns the commands that search and take features. No other key than the one that runs everything starts a
// search, which computes for minutes; while something runs that key leads onward.
func (v *Screen) Commands(c ui.Canvas) []ui.Command {
	why := v.session.Occupied()
	search := ui.Command{Key: keys.Run, Word: "search", Help: "search for better features", Do: v.begin}
	if v.resumes() {
		search.Word = "resume"
		search.Help = "resume the search"
	}
	_, better := v.best()
	take := ui.Command{Key: keys.Take, Word: "take", Help: "take the best features into the configuration",
		Do: ui.Now(v.take)}
	budget := func(key keys.Key, help string, step int) ui.Command {
		return ui.Command{Key: key, Word: "time", Help: help, Why: why,
			Do: ui.Now(func() { v.budget = max(0, min(v.budget+step, len(v.budgets)-1)) })}
	}
	const none = "nothing better has been found yet"
	list := []ui.Command{take.When(better, none),
		budget(keys.Left, "less time for the search", -1),
		budget(keys.Right, "more time for the search", 1)}
	if !v.session.Busy() {
		list = append([]ui.Command{search}, list...)
	}
	return append(list, v.page.Commands(c, headLines, v.shown(c), keys.Up, keys.Down, keys.PageUp, keys.PageDown)...)
}

// Update does nothing: jobs and commands change the state.
func (v *Screen) Update(tea.Msg, ui.Canvas) tea.Cmd { return nil }

// headLines is the number of lines above the page.
const headLines = 2

// View draws the search and its results.
func (v *Screen) View(c ui.Canvas) string {
	return v.page.Draw(c, v.head(c.Theme, c.Width), v.shown(c), v.seen, v.running(), v.session.Config())
}

// shown returns the page for a canvas: a low one has no room for the figure.
func (v *Screen) shown(c ui.Canvas) report.Page {
	const roomy = 16
	p := v.Exhibit(c)
	if c.Height < roomy {
		p.Figures = nil
	}
	return p
}

// Exhibit returns the leaderboard with the parameters of the first line, and the course of the search; before the
// first search its description.
func (v *Screen) Exhibit(c ui.Canvas) report.Page {
	if v.seen == nil {
		return v.explanation(c.Theme)
	}
	text := "the configuration as it was"
	if l := v.seen.Leaders[0]; !l.Start {
		text = config.Differences(l.Config, v.search.Complete)
	}
	return report.Page{Name: job, Tables: []report.Table{chart.Leaderboard(v.seen.Leaders)}, Figures: []report.Figure{v.figure()},
		Notes: []string{text}}
}

// search is a search with the screen's own state.
type search struct {
	tune.Session
	name        string // of the file of the result
	budget      time.Duration
	store       bool // keep the search on disk, so that it survives this program
	taken       bool // features of it are in the configuration
	interrupted bool // leaving the program stopped it
}

// run runs or resumes a search. Training pairs come from an experiment (which may be nil) if it has the same. Stopping
// it is not a failure: the evaluated models are kept.
func (r *search) run(ctx context.Context, from *engine.Experiment, workers int) error {
	err := r.Obtain(ctx, from, workers)
	if err == nil && r.store {
		_, err = r.KeepAs(ctx, r.name)
	}
	if err == nil {
		_, err = r.Begin(tune.Options{Time: r.budget, Seed: r.Asked.Seed, Workers: workers})
	}
	if err == nil {
		_, err = r.Run(ctx)
	}
	if session.IsCancelled(err) {
		return nil
	}
	return err
}

// begin starts or resumes a search; an invalid configuration is reported on its own screen.
func (v *Screen) begin() tea.Cmd {
	if err := v.session.Config().Validate(); err != nil {
		v.session.Correct(err)
		return nil
	}
	r, from := v.prepare(), v.session.Experiment()
	return v.session.Run(session.Job{Name: job, Seen: v.look,
		Work: func(ctx context.Context) error { return r.run(ctx, from, v.session.Workers()) },
		Done: func(error) tea.Cmd {
			r.interrupted = v.session.Leaving() && r.Kept() && !r.Ended
			return nil
		}})
}

// take copies the best features into the configuration and shows it.
func (v *Screen) take() {
	leader, _ := v.best()
	d := v.session.Draft()
	d.Config = v.search.Adopt(d.Config, leader.Config)
	v.session.Edit(d)
	v.search.taken = true
	_ = v.search.Forget() // a remaining file is found again, and can be removed by hand
	v.session.Select("")
	v.session.Say("the features are in the configuration; ctrl+r tests them, s saves them, u takes it back")
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
