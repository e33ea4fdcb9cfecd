// Package vary computes an experiment with several values of some settings, a run for each, and shows how the error depends
// on them while the runs are computed.
package vary

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// job is the name of the work.
const job = "sweep"

// Screen is the page of a sweep, a dialog over the whole screen that it was opened from: a curve of errors, and a line for
// each run.
type Screen struct {
	*page.List
	session  *session.Session
	dialogs  *ui.Dialogs
	sweep    *sweep.Sweep
	now      atomic.Pointer[standing] // as of the work
	seen     standing                 // copy for drawing
	picture  page.Cache
	commands []ui.Command
}

// standing is how far a sweep has come.
type standing struct {
	outcomes []sweep.Outcome
	running  string             // name of the run that is computed; empty if none is
	of       *engine.Experiment // of that run; nil if none is
	line     string             // its progress
	part     float64            // of it
}

// Open begins a sweep, or resumes it if it exists, and opens its page.
func Open(s *session.Session, dialogs *ui.Dialogs, base config.Config, axes []sweep.Axis) tea.Cmd {
	root := s.Options().Runs
	if root == "" {
		s.Complain("runs are not stored, so that a sweep would be lost: start rfm without an empty --runs")
		return nil
	}
	return func() tea.Msg {
		begun, err := sweep.Begin(root, "", base, axes)
		if err != nil {
			return ui.Prepared{Err: err}
		}
		return ui.Prepared{Dialog: newScreen(s, dialogs, begun, begun.Read())}
	}
}

// Begin starts the runs once the page is open; it closes the page if something else was begun meanwhile.
func (v *Screen) Begin() tea.Cmd {
	if v.session.Runner.Busy() {
		v.dialogs.Close(v)
		return nil
	}
	return v.compute()
}

// newScreen returns the page of a sweep with the outcomes that it has already.
func newScreen(s *session.Session, dialogs *ui.Dialogs, begun *sweep.Sweep, outcomes []sweep.Outcome) *Screen {
	v := &Screen{
		session: s,
		dialogs: dialogs,
		sweep:   begun,
	}
	count := func() int { return len(v.seen.outcomes) }
	v.List = page.NewList("run", dialogs, count)
	v.commands = v.newCommands()
	v.now.Store(&standing{outcomes: outcomes})
	v.see()
	return v
}

// compute starts the runs that are not complete, unless something else runs.
func (v *Screen) compute() tea.Cmd {
	workers := v.session.Runner.Workers()
	work := func(ctx context.Context) error { return v.work(ctx, workers) }
	done := func(err error) tea.Cmd {
		v.see()
		if err == nil {
			v.session.Say("the sweep is complete, in " + printable.Line(v.sweep.Directory))
		}
		return v.session.Runs.Read()
	}
	return v.session.Runner.Run(session.Job{
		Name:  job,
		Place: session.ConfigurePage,
		Seen:  v.see,
		Work:  work,
		Done:  done,
	})
}

// work computes the runs, in a goroutine of its own, and writes the table of their errors.
func (v *Screen) work(ctx context.Context, workers int) error {
	compute := func(ctx context.Context, c sweep.Cell, e *engine.Experiment) error {
		v.now.Store(&standing{
			outcomes: v.sweep.Read(),
			running:  c.Name,
			of:       e,
		})
		return e.Run(ctx)
	}
	defer func() { v.now.Store(&standing{outcomes: v.sweep.Read()}) }()
	options := engine.Options{Workers: workers}
	ignore := func(string) {}
	_, err := v.sweep.Run(ctx, v.sweep.Groups(), options, compute, ignore)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return err
	}
	return v.sweep.Keep(v.sweep.Read())
}

// see copies how far the sweep has come.
func (v *Screen) see() {
	v.seen = *v.now.Load()
	if v.seen.of == nil {
		return
	}
	const narrow = 60
	p := v.seen.of.Progress()
	v.seen.part = p.Fraction()
	v.seen.line = p.Stage
	if p.Total > 0 {
		v.seen.line = p.Stage + ": " + p.Line(narrow)
	}
}

// running reports whether the sweep is being computed.
func (v *Screen) running() bool {
	return v.session.Runner.Doing() == job
}

// open opens the selected run if it exists; others are computed first.
func (v *Screen) open() tea.Cmd {
	o := v.seen.outcomes[v.Line]
	switch {
	case v.running():
		v.session.Complain("the sweep is running: esc stops it; finished runs are kept")
		return nil
	case o.State != store.ListedComplete:
		text := "this run is not complete: ctrl+r computes the others"
		if o.Why != "" {
			text = o.Why
		}
		v.session.Complain(text)
		return nil
	}
	v.dialogs.Close(v)
	path := filepath.Join(v.sweep.Directory, o.Name)
	return v.session.Runner.Open(store.NewEntry(path))
}

// Commands implements ui.Dialog, as do Update and View.
func (v *Screen) Commands() []ui.Command { return v.commands }

func (v *Screen) newCommands() []ui.Command {
	run := ui.Command{
		Key:  ui.KeyRun,
		Word: "resume",
		Help: "compute the runs that are not complete",
		Why:  v.whyNotResume,
		Do:   v.compute,
	}
	open := ui.Command{
		Key:  ui.KeyEnter,
		Word: "open",
		Help: "show the selected run",
		Do:   v.open,
	}
	leave := ui.Command{
		Key:  ui.KeyCancel,
		Text: v.leaveText,
		Do:   ui.Now(v.leave),
	}
	quit := ui.Command{
		Key: ui.KeyQuit,
		Do:  ui.Now(v.leave),
	}
	list := []ui.Command{run, open}
	list = append(list, v.Moves(ui.KeyUp, ui.KeyDown)...)
	list = append(list, leave, quit)
	return append(list, v.Moves(ui.KeyPageUp, ui.KeyPageDown, ui.KeyFirst, ui.KeyLast)...)
}

// whyNotResume says why there is nothing to compute; empty if there is.
func (v *Screen) whyNotResume() string {
	switch {
	case v.complete() == len(v.seen.outcomes):
		return "all runs are complete"
	case v.running():
		return "the sweep is running"
	}
	return ""
}

// leaveText says that a key stops the sweep, or leaves its page.
func (v *Screen) leaveText() (word, help string) {
	if v.running() {
		return "stop", "stop; finished runs are kept"
	}
	return "back", "leave the sweep"
}

// leave stops the sweep, or leaves its page.
func (v *Screen) leave() {
	if v.running() {
		v.session.Runner.Cancel()
		return
	}
	v.dialogs.Close(v)
}

// Update does nothing: all keys of the page are commands.
func (v *Screen) Update(tea.Msg) tea.Cmd { return nil }

// complete counts the complete runs.
func (v *Screen) complete() int {
	n := 0
	for _, o := range v.seen.outcomes {
		if o.State == store.ListedComplete {
			n++
		}
	}
	return n
}

// View draws how far the sweep has come, the curve of the errors, and the runs beside it or, where there is no room, below.
func (v *Screen) View(c ui.Canvas) string {
	const (
		besideFrom = 100 // cells, the width from which the runs are beside the curve
		narrow     = 44  // cells, their width there
		gap        = 2   // cells between them and the curve
		share      = 0.6 // of the height, for the curve above them
	)
	lines := v.head(c)
	rest := c.Height - len(lines)
	figures := v.page().Figures
	switch {
	case len(figures) == 0:
		lines = append(lines, v.list(c, c.Width, rest)...)
	case c.Width >= besideFrom:
		list := strings.Join(v.list(c, narrow, rest), "\n")
		figure := v.figure(c, figures[0], c.Width-narrow-gap, rest)
		between := strings.Repeat(" ", gap)
		lines = append(lines, layout.Beside(rest, between, list, narrow, figure))
	default:
		high := int(share * float64(rest))
		lines = append(lines, v.figure(c, figures[0], c.Width, high))
		lines = append(lines, v.list(c, c.Width, rest-high)...)
	}
	return layout.Fit(strings.Join(lines, "\n"), c.Width, c.Height)
}

// head says what is varied and how far it has come.
func (v *Screen) head(c ui.Canvas) []string {
	th := c.Theme
	count := len(v.seen.outcomes)
	name := printable.Line(filepath.Base(v.sweep.Directory))
	title := " " + th.Title.Render("sweep "+name)
	done := fmt.Sprintf("%d of %d runs ", v.complete(), count)
	first := layout.Opposite(c.Width, title, th.Muted.Render(done))
	if !v.running() {
		return []string{first, ""}
	}
	part := (float64(v.complete()) + v.seen.part) / float64(max(1, count))
	bar := plot.Progress(min(1, part), max(8, c.Width/4), th)
	run := printable.Line(v.seen.running)
	second := fmt.Sprintf(" %s %s  %s", bar, run, th.Muted.Render(v.seen.line))
	return []string{first, layout.Cut(second, c.Width)}
}

// list draws a line for each run: its values and its error, or its state.
func (v *Screen) list(c ui.Canvas, width, height int) []string {
	all := v.seen.outcomes
	line := func(i int) string { return v.line(c, all[i], width) }
	return v.Draw(c.Theme, len(all), height, line)
}

// line draws the line of a run.
func (v *Screen) line(c ui.Canvas, o sweep.Outcome, width int) string {
	const around = 14 // cells for the mark and the result
	mark := ' '
	result := o.State
	switch {
	case o.State == store.ListedComplete:
		mark = c.Glyphs.Check
		result = report.Error(o.Result.Test.ExpectedRelative, 4)
	case o.Name == v.seen.running && v.running():
		mark = c.Glyphs.Current
		result = "running"
	case o.Why != "":
		mark = c.Glyphs.Cross
	}
	room := width - around
	name := layout.Cut(printable.Line(o.Name), room)
	text := fmt.Sprintf("%c %-*s %s", mark, room, name, result)
	return layout.Fit(text, width-2, 1)
}

// page returns the table of the sweep with its figure, as wide as all of its runs need, with the expected rate where there
// is one.
func (v *Screen) page() report.Page {
	p := v.sweep.Table(v.seen.outcomes)
	for i, f := range p.Figures {
		for _, a := range v.sweep.Axes {
			_, last, _ := strings.Cut(a.Key, ".")
			if f.XLabel != a.Key && f.XLabel != last {
				continue
			}
			f = withRange(f, a.Values)
			if a.Key == countKey {
				f = withRate(f)
			}
			f.XLabel = v.nameOf(a.Key)
		}
		p.Figures[i] = f
	}
	return p
}

// countKey is the number of random features, on which the error is known to depend.
const countKey = "features.count"

// nameOf returns the name of a setting on an axis: its symbol if it has one.
func (v *Screen) nameOf(key string) string {
	k, err := v.sweep.Base.Lookup(key)
	switch {
	case err != nil:
		return key
	case k.Name == countKey:
		return "features " + k.Symbol
	}
	return cmp.Or(k.Symbol, k.Short())
}

// withRange makes the axis of a figure reach from the least to the largest of some values, so that nothing moves when runs
// end.
func withRange(f report.Figure, values []string) report.Figure {
	least := math.Inf(1)
	largest := math.Inf(-1)
	for _, text := range values {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return f
		}
		least = min(least, x)
		largest = max(largest, x)
	}
	f.X0 = least
	f.X1 = largest
	return f
}

// withRate adds the rate at which the error of random features falls with their number, m^(-1/2), from the first point of
// the first curve on.
func withRate(f report.Figure) report.Figure {
	const rate = -0.5
	if len(f.Curves) == 0 {
		return f
	}
	first := f.Curves[0]
	if len(first.X) < 2 || !(first.X[0] > 0) {
		return f
	}
	line := report.Curve{
		Name: "m^(-1/2)",
		Role: report.AsLevel,
	}
	for _, x := range first.X {
		fall := math.Pow(x/first.X[0], rate)
		line.X = append(line.X, x)
		line.Y = append(line.Y, first.Y[0]*fall)
	}
	f.Curves = append(slices.Clip(f.Curves), line)
	return f
}

// figure draws the curve, which changes only when a run ends.
func (v *Screen) figure(c ui.Canvas, f report.Figure, width, height int) string {
	for i, curve := range f.Curves {
		isLine := !curve.Points
		f.Curves[i].Marked = isLine && curve.Role != report.AsLevel
	}
	state := []any{v.complete()}
	draw := func() string { return plot.Figure(c.Theme, f, width, height) }
	return v.picture.Get(c.Theme, width, height, state, draw)
}
