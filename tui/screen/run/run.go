// Package run is the screen of an experiment whose stages proceed: the pairs, then the training.
package run

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// run shows the stages of the experiment as they proceed: the newest pairs, then the training. Once the pairs are
// complete it steps through them, too.
type run struct {
	runner  *session.Runner
	pairs   bool // they are shown although there is a training
	pair    int
	of      *engine.Experiment // the experiment of newest
	newest  *report.Sample     // the pair in the pictures while pairs are made
	changed time.Time          // time of newest
	view    page.View

	on       ui.Canvas // on which the screen is laid out
	above    []string  // lines above the page
	commands []ui.Command
}

// New returns the screen of what a runner computes.
func New(runner *session.Runner) ui.Screen {
	r := &run{runner: runner}
	r.commands = r.newCommands()
	return r
}

// Name returns the name of the screen.
func (r *run) Name() string { return session.RunPage }

// made reports whether all pairs are made.
func (r *run) made() bool {
	return r.runner.Reached() >= session.Generate
}

// trains reports whether the training is shown, not pairs.
func (r *run) trains() bool {
	return !r.pairs && trained(r.runner)
}

// Commands returns the commands that turn to other pictures and, once the pairs are complete, to other pairs.
func (r *run) Commands() []ui.Command { return r.commands }

func (r *run) newCommands() []ui.Command {
	list := []ui.Command{
		r.stay(),
		r.turn(),
		r.toPair(ui.KeyLeft, "pair", "previous pair", -1),
		r.toPair(ui.KeyRight, "pair", "next pair", 1),
		r.toPair(ui.KeyPageUp, "10 pairs", "ten pairs back", -10),
		r.toPair(ui.KeyPageDown, "10 pairs", "ten pairs on", 10),
	}
	return append(list, r.view.Commands(ui.KeyUp, ui.KeyDown, ui.KeyPageUp, ui.KeyPageDown)...)
}

// stay returns the command that decides what becomes of the run if the terminal is lost.
func (r *run) stay() ui.Command {
	text := func() (word, help string) {
		word = "stay if lost"
		if r.runner.Stays() {
			word = "stop if lost"
		}
		return word, "if the terminal is lost: continue in the background, or stop"
	}
	return ui.Command{
		Key:  ui.KeyStay,
		Text: text,
		Why:  r.whyNotStay,
		Do:   ui.Now(r.runner.Stay),
	}
}

// whyNotStay says why nothing could continue in the background; empty if something can.
func (r *run) whyNotStay() string {
	switch {
	case r.runner.RunningStage() == session.None:
		return "no stage is running"
	case r.runner.Stored() == "":
		return "the run is not stored"
	}
	return ""
}

// turn returns the command that changes between the training and its pairs.
func (r *run) turn() ui.Command {
	text := func() (word, help string) {
		word = "training"
		if r.trains() {
			word = "pairs"
		}
		return word, "the training, or its pairs"
	}
	change := func() {
		r.pairs = !r.pairs
		r.view.Open()
	}
	turn := ui.Command{
		Key:  ui.KeyNextTab,
		Text: text,
		Do:   ui.Now(change),
	}
	isTrained := func() bool { return trained(r.runner) }
	return turn.When(isTrained, "the training has nothing to show yet")
}

// toPair returns the command that goes some pairs on, or back; beyond an end it goes on at the other one.
func (r *run) toPair(key ui.Key, word, help string, step int) ui.Command {
	move := func() {
		train, _ := r.runner.Experiment().Pairs()
		n := train.Count()
		next := (r.pair + step) % n
		if next < 0 {
			next += n
		}
		r.pair = next
	}
	pair := ui.Command{
		Key:  key,
		Word: word,
		Help: help,
		If:   func() bool { return !r.trains() },
		Do:   ui.Now(move),
	}
	return pair.When(r.made, "the newest pair is shown until all are made")
}

// Update takes over the newest pair once the last one was visible long enough. The last of all pairs stays.
func (r *run) Update(tea.Msg) tea.Cmd {
	now := r.runner.Experiment()
	if r.of != now {
		r.begin(now)
	}
	p := r.runner.Progress(session.Generate)
	if p.Newest == nil || p.Newest == r.newest {
		return nil
	}
	isMap := p.Newest.Side > 0
	isLast := p.Done == p.Total
	visible := time.Since(r.changed)
	if isLast || visible >= r.view.Pace(isMap) {
		r.newest = p.Newest
		r.changed = time.Now()
	}
	return nil
}

// begin shows an experiment from its beginning.
func (r *run) begin(e *engine.Experiment) {
	r.of = e
	r.pairs = false
	r.pair = 0
	r.newest = nil
	r.changed = time.Time{}
	r.view.Open()
}

// Arrange lays the page out below the stages.
func (r *run) Arrange(c ui.Canvas) {
	r.on = c
	if r.runner.Experiment() == nil {
		r.above = []string{stepsOf(r.runner, c.Theme, c.Width), ""}
		about := layout.Paragraph(c.Theme.Value, beforeAll, c.Width)
		r.above = append(r.above, about...)
		return
	}
	r.above = r.head(c)
	r.view.Arrange(c, len(r.above), r.page())
}

// beforeAll says how to begin.
const beforeAll = "Nothing is computed yet. Enter computes one step and waits, so that you can look at its outcome: the pairs, " +
	"the training, the test. ctrl+r computes all of them."

// View draws the stages, and below them as many pictures as fit.
func (r *run) View() string {
	if r.runner.Experiment() == nil {
		return strings.Join(r.above, "\n")
	}
	p := r.runner.Progress(session.Train)
	if r.races() {
		rest := max(1, r.on.Height-len(r.above))
		race := bars(r.on.Theme, p.Race, r.on.Width, rest)
		return strings.Join(r.above, "\n") + "\n" + race
	}
	state := []any{
		r.of,
		r.pair,
		r.changed,
		r.runner.Reached(),
		len(p.Validation),
		len(p.Race),
	}
	return r.view.Draw(r.above, state...)
}

// races reports whether methods are compared to train the best: nothing else of the training is known then.
func (r *run) races() bool {
	if !r.trains() || r.runner.Reached() >= session.Train {
		return false
	}
	p := r.runner.Progress(session.Train)
	return len(p.Race) > 0 && len(p.Validation) == 0
}

// tall is the height of a canvas with room for equations above the pictures.
const tall = 16

// head returns the stages, the progress, the equations, and the title of a pair of fields, whose maps have none.
func (r *run) head(c ui.Canvas) []string {
	head := []string{stepsOf(r.runner, c.Theme, c.Width)}
	head = append(head, barOf(r.runner, c.Theme, c.Width)...)
	if c.Height >= tall {
		head = append(head, r.fate(c)...)
	}
	if r.trains() {
		return append(head, r.aboutTraining(c)...)
	}
	return append(head, r.aboutPairs(c)...)
}

// fate says what becomes of a stored run if the terminal is lost, while it runs.
func (r *run) fate(c ui.Canvas) []string {
	if r.whyNotStay() != "" {
		return nil
	}
	text := " if this terminal is lost, the run stops; b lets it continue"
	if r.runner.Stays() {
		text = " if this terminal is lost, the run continues in the background"
	}
	line := c.Theme.Muted.Render(text)
	return []string{layout.Cut(line, c.Width)}
}

// aboutPairs returns the equation, remarks on the pairs, and the title of a pair of fields.
func (r *run) aboutPairs(c ui.Canvas) []string {
	const most = 3 // lines of a note
	config := r.runner.Experiment().Config
	equation := " " + words.Equation(config)
	lines := []string{c.Theme.Muted.Render(equation)}
	for _, text := range r.runner.Notices() {
		text = "note: " + printable.Line(text)
		note := layout.Paragraph(c.Theme.Warn, text, c.Width)
		note = layout.Head(note, c.Width, most)
		lines = append(lines, note...)
	}
	if config.Dims() == 2 {
		title := c.Theme.Title.Render(r.title())
		lines = append(lines, " "+title)
	}
	return lines
}

// aboutTraining returns the formulas of the method that is trained, of the one that leads a race, or of the trained one.
func (r *run) aboutTraining(c ui.Canvas) []string {
	var lines []string
	if c.Height >= tall {
		learned := r.learned()
		definitions := words.Features(learned)
		definitions = append(definitions, words.Training(learned)...)
		for _, d := range definitions {
			symbol := symbols(c.Theme, d[0])
			meaning := symbols(c.Theme, d[1])
			line := " " + c.Theme.Label.Render(symbol) + " " + c.Theme.Muted.Render(meaning)
			lines = append(lines, line)
		}
	}
	if r.runner.Reached() >= session.Train {
		model := r.runner.Experiment().Model()
		if !model.Random() { // a table has the facts on random features
			about := layout.Paragraph(c.Theme.Value, model.About(), c.Width)
			lines = append(lines, about...)
		}
	}
	return append(lines, "")
}

// learned returns the configuration with the method that was trained, or leads, in place of the best.
func (r *run) learned() config.Config {
	e := r.runner.Experiment()
	learned := e.Config
	if r.runner.Reached() >= session.Train {
		learned.Train.Method = e.Model().Operator.Name()
		return learned
	}
	if !r.races() {
		return learned
	}
	race := r.runner.Progress(session.Train).Race
	leader := inOrder(race)[0]
	name := engine.MethodOf(leader.Name)
	if name != "" {
		learned.Train.Method = name
	}
	return learned
}

// symbols returns a formula with the signs of mathematics where the terminal has them.
func symbols(th theme.Theme, text string) string {
	if th.ASCII {
		return text
	}
	return words.Symbols(text)
}

const roomy = 80 // columns

// stepsOf returns the stages with their marks, the finished part of the one that runs or, if there is room, the times of
// complete ones. A running stage would change the times, so that they have to wait.
func stepsOf(runner *session.Runner, th theme.Theme, width int) string {
	arrow := th.Muted.Render(" " + string(th.Glyphs.Right) + " ")
	line := func(times bool) string {
		var list []string
		for stage := session.None; stage <= session.Evaluate; stage++ {
			list = append(list, stepOf(runner, th, stage, times))
		}
		return " " + strings.Join(list, arrow)
	}
	isIdle := runner.RunningStage() == session.None
	if isIdle && width >= roomy {
		whole := line(true)
		if lipgloss.Width(whole) <= width {
			return whole
		}
	}
	return line(false)
}

// stepOf returns a stage with its mark, with its time if that is asked for and known.
func stepOf(runner *session.Runner, th theme.Theme, stage session.Stage, times bool) string {
	p := runner.Progress(stage)
	isAhead := stage > runner.Reached()
	if isAhead && stage == runner.RunningStage() {
		percent := 100 * p.Fraction()
		current := fmt.Sprintf("%c %s %.0f%%", th.Glyphs.Current, stage, percent)
		return th.StepCurrent.Render(current)
	}
	if isAhead {
		ahead := fmt.Sprintf("%c %s", th.Glyphs.Todo, stage)
		return th.StepTodo.Render(ahead)
	}
	done := fmt.Sprintf("%c %s", th.Glyphs.Done, stage)
	done = th.StepDone.Render(done)
	if stage == session.Generate && p.Reused {
		return done + th.Muted.Render(", pairs reused")
	}
	if times && stage > session.None {
		stages := runner.Experiment().Seconds().Stages()
		took := report.Duration(stages[stage-session.Generate])
		return done + th.Muted.Render(" "+took)
	}
	return done
}

// title names the pair shown, the newest one while they are made.
func (r *run) title() string {
	if !r.made() {
		return "newest pair"
	}
	e := r.runner.Experiment()
	train, _ := e.Pairs()
	count := train.Count()
	number := min(r.pair+1, count)
	grid := words.Grid(e.Config, train.Inputs.Points)
	title := fmt.Sprintf("training pair %d of %d on %s", number, count, grid)
	channels := report.Channels(0, train.Inputs.Domain.Width(), train.Outputs.Domain.Width())
	if channels != "" { // the first ones are drawn
		title += ", " + channels
	}
	return title
}

// Page returns the page of the stages.
func (r *run) Page() report.Page {
	if r.runner.Experiment() == nil {
		return report.Page{Name: "pair"}
	}
	return r.view.Page()
}

// page returns the training as far as it is known. While that has no pictures, a wide screen has a pair
// next to its table; before it all show one: of the training pairs once they are complete, or else the newest.
func (r *run) page() report.Page {
	p := report.Page{Name: "pair"}
	if r.trains() {
		p = training(r.runner)
	}
	sample := r.newest
	if r.made() {
		e := r.runner.Experiment()
		last := e.Config.Data.Train - 1
		sample = e.Sample(min(r.pair, last))
	}
	hasTable := len(p.Tables) > 0
	isNarrow := r.on.Width <= roomy
	isFull := len(p.Figures) > 0 || hasTable && isNarrow
	if isFull || sample == nil {
		return p
	}
	p.Figures, p.Fields = sample.Pair(r.title())
	return p
}
