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
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
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
	whole   report.Page // as it is exported: with the figure, also where there is no room for it
	on      ui.Canvas   // on which the screen is laid out

	commands []ui.Command
}

// New returns the screen of a session.
func New(s *session.Session) *Screen {
	budgets := []time.Duration{
		30 * time.Second,
		time.Minute,
		3 * time.Minute,
		10 * time.Minute,
	}
	v := &Screen{
		session: s,
		budgets: budgets,
		budget:  2,
	}
	v.commands = v.newCommands()
	s.AtEnd(func() (string, bool) {
		interrupted := v.search != nil && v.search.interrupted
		return v.left(), interrupted
	})
	return v
}

// job is the name of the job of the search.
const job = "tune"

// Name returns the name of the search's job.
func (v *Screen) Name() string { return job }

// running reports whether the search runs.
func (v *Screen) running() bool {
	return v.session.Runner.Doing() == job
}

// resumes reports whether the current search is resumed rather than another one started.
func (v *Screen) resumes() bool {
	return v.isOfDraft() && !v.search.Ended
}

// isOfDraft reports whether there is a search for the configuration as it is now.
func (v *Screen) isOfDraft() bool {
	return v.search != nil && v.search.Asked == v.session.Draft.Config()
}

// prepare returns the search to run: a new one, or the stopped one.
func (v *Screen) prepare() *search {
	if !v.resumes() {
		next := &search{
			Session: tune.Session{Asked: v.session.Draft.Config()},
			name:    v.session.Draft.TunedName(),
			store:   v.session.Options().Runs != "",
		}
		if v.isOfDraft() && v.search.Ended {
			_ = v.search.Forget() // a new one is requested
		}
		v.search = next
		v.seen = nil
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
	seen := v.search.Snapshot()
	if seen != nil {
		v.seen = seen
		v.looked = time.Now()
	}
}

// best returns the first line of the leaderboard, if its features can be taken into the configuration.
func (v *Screen) best() (leader tune.Leader, ok bool) {
	if v.running() || v.seen == nil {
		return tune.Leader{}, false
	}
	now := v.session.Draft.Config()
	if v.search.Asked.Title() != now.Title() {
		return tune.Leader{}, false
	}
	leader = v.seen.Leaders[0]
	return leader, !leader.Start || len(leader.Rescored) > 0 // else there is nothing new in it
}

// Commands returns the commands that search and take features.
func (v *Screen) Commands() []ui.Command { return v.commands }

// newCommands makes the commands. No other key than the one that runs everything starts a search, which computes for
// minutes; while something runs that key leads onward.
func (v *Screen) newCommands() []ui.Command {
	search := ui.Command{
		Key:  ui.KeyRun,
		Text: v.searchText,
		If:   func() bool { return !v.session.Runner.Busy() },
		Do:   v.begin,
	}
	take := ui.Command{
		Key:  ui.KeyTake,
		Word: "take",
		Help: "take the best features into the configuration",
		Do:   ui.Now(v.take),
	}
	isBetter := func() bool {
		_, better := v.best()
		return better
	}
	list := []ui.Command{
		search,
		take.When(isBetter, "nothing better has been found yet"),
		v.moreTime(ui.KeyLeft, "less time for the search", -1),
		v.moreTime(ui.KeyRight, "more time for the search", 1),
	}
	return append(list, v.page.Commands(ui.KeyUp, ui.KeyDown, ui.KeyPageUp, ui.KeyPageDown)...)
}

// searchText says that a key starts a search, or resumes one.
func (v *Screen) searchText() (word, help string) {
	if v.resumes() {
		return "resume", "resume the search"
	}
	return "search", "search for better features"
}

// moreTime returns the command that chooses a budget some steps further.
func (v *Screen) moreTime(key ui.Key, help string, step int) ui.Command {
	last := len(v.budgets) - 1
	choose := func() { v.budget = max(0, min(v.budget+step, last)) }
	return ui.Command{
		Key:  key,
		Word: "time",
		Help: help,
		Why:  v.session.Runner.Occupied,
		Do:   ui.Now(choose),
	}
}

// Update does nothing: jobs and commands change the state.
func (v *Screen) Update(tea.Msg) tea.Cmd { return nil }

// headLines is the number of lines above the page.
const headLines = 2

// Arrange lays the page out: a low canvas has no room for the figure.
func (v *Screen) Arrange(c ui.Canvas) {
	const roomy = 16
	v.on = c
	v.whole = v.made(c.Theme)
	shown := v.whole
	if c.Height < roomy {
		shown.Figures = nil
	}
	v.page.Arrange(c, headLines, shown)
}

// View draws the search and its results.
func (v *Screen) View() string {
	head := v.head(v.on.Theme, v.on.Width)
	return v.page.Draw(head, v.seen, v.running(), v.session.Draft.Config())
}

// Page returns the page of the search.
func (v *Screen) Page() report.Page { return v.whole }

// made returns the leaderboard with the parameters of the first line, and the course of the search; before the
// first search its description.
func (v *Screen) made(th theme.Theme) report.Page {
	if v.seen == nil {
		return v.explanation(th)
	}
	text := "the configuration as it was"
	leader := v.seen.Leaders[0]
	if !leader.Start {
		text = config.Differences(leader.Config, v.search.Complete)
	}
	return report.Page{
		Name:    job,
		Tables:  []report.Table{words.Leaderboard(v.seen.Leaders)},
		Figures: []report.Figure{v.figure()},
		Notes:   []string{text},
	}
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
		_, err = r.Begin(tune.Options{
			Time:    r.budget,
			Seed:    r.Asked.Seed,
			Workers: workers,
		})
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
	if err := v.session.Draft.Config().Validate(); err != nil {
		v.session.Runner.Correct(err)
		return nil
	}
	r := v.prepare()
	from := v.session.Runner.Experiment()
	work := func(ctx context.Context) error {
		return r.run(ctx, from, v.session.Runner.Workers())
	}
	done := func(error) tea.Cmd {
		r.interrupted = v.session.Runner.Leaving() && r.Kept() && !r.Ended
		return nil
	}
	return v.session.Runner.Run(session.Job{
		Name: job,
		Seen: v.look,
		Work: work,
		Done: done,
	})
}

// take copies the best features into the configuration and shows it.
func (v *Screen) take() {
	leader, _ := v.best()
	d := v.session.Draft.Version()
	d.Config = v.search.Adopt(d.Config, leader.Config)
	v.session.Draft.Edit(d)
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
	best, start, _ := v.seen.Gain()
	if best < start {
		const format = "better features were found, cross-validation error %s instead of %s\n"
		text = fmt.Sprintf(format, report.Error(best, 4), report.Error(start, 4))
	}
	if r.Kept() && !r.Ended {
		const format = "the search is in %s, %s; the same configuration on the screen tune resumes it"
		models := printable.Several(len(r.Evaluations()), "model")
		text += fmt.Sprintf(format, r.Directory(), models)
	}
	return strings.TrimSpace(text)
}
