// Package run is the screen of an experiment whose stages proceed: the pairs, then the training.
package run

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

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
	session *session.Session
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

// New returns the screen of a session.
func New(s *session.Session) ui.Screen {
	r := &run{session: s}
	r.commands = r.newCommands()
	return r
}

// Name returns the name of the screen.
func (r *run) Name() string { return session.RunPage }

// made reports whether all pairs are made.
func (r *run) made() bool {
	return r.session.Runner.Reached() >= session.Generate
}

// trains reports whether the training is shown, not pairs.
func (r *run) trains() bool {
	return !r.pairs && trained(r.session)
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
		if r.session.Runner.Stays() {
			word = "stop if lost"
		}
		return word, "if the terminal is lost: continue in the background, or stop"
	}
	return ui.Command{
		Key:  ui.KeyStay,
		Text: text,
		Why:  r.whyNotStay,
		Do:   ui.Now(r.session.Runner.Stay),
	}
}

// whyNotStay says why nothing could continue in the background; empty if something can.
func (r *run) whyNotStay() string {
	switch {
	case r.session.Runner.RunningStage() == session.None:
		return "no stage is running"
	case r.session.Runner.Stored() == "":
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
	isTrained := func() bool { return trained(r.session) }
	return turn.When(isTrained, "the training has nothing to show yet")
}

// toPair returns the command that goes some pairs on, or back; beyond an end it goes on at the other one.
func (r *run) toPair(key ui.Key, word, help string, step int) ui.Command {
	move := func() {
		train, _ := r.session.Runner.Experiment().Pairs()
		n := train.Count()
		r.pair = ((r.pair+step)%n + n) % n
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
	if r.of != r.session.Runner.Experiment() {
		r.begin(r.session.Runner.Experiment())
	}
	p := r.session.Runner.Progress(session.Generate)
	if p.Newest == nil || p.Newest == r.newest {
		return nil
	}
	isMap := p.Newest.Side > 0
	isLast := p.Done == p.Total
	if isLast || time.Since(r.changed) >= r.view.Pace(isMap) {
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
	if r.session.Runner.Experiment() == nil {
		return
	}
	r.above = r.head(c)
	r.view.Arrange(c, len(r.above), r.page())
}

// View draws the stages, and below them as many pictures as fit.
func (r *run) View() string {
	p := r.session.Runner.Progress(session.Train)
	if r.races() {
		rest := max(1, r.on.Height-len(r.above))
		race := bars(r.on.Theme, p.Race, r.on.Width, rest)
		return strings.Join(r.above, "\n") + "\n" + race
	}
	state := []any{
		r.of,
		r.pair,
		r.changed,
		r.session.Runner.Reached(),
		len(p.Validation),
		len(p.Race),
	}
	return r.view.Draw(r.above, state...)
}

// races reports whether methods are compared to train the best: nothing else of the training is known then.
func (r *run) races() bool {
	if !r.trains() || r.session.Runner.Reached() >= session.Train {
		return false
	}
	p := r.session.Runner.Progress(session.Train)
	return len(p.Race) > 0 && len(p.Validation) == 0
}

// tall is the height of a canvas with room for equations above the pictures.
const tall = 16

// head returns the stages, the progress, the equations, and the title of a pair of fields, whose maps have none.
func (r *run) head(c ui.Canvas) []string {
	s := r.session
	head := []string{stepsOf(s, c.Theme, c.Width)}
	head = append(head, barOf(s, c.Theme, c.Width)...)
	runsStored := s.Runner.RunningStage() != session.None && s.Runner.Stored() != ""
	if runsStored && c.Height >= tall {
		text := " if this terminal is lost, the run stops; b lets it continue"
		if s.Runner.Stays() {
			text = " if this terminal is lost, the run continues in the background"
		}
		head = append(head, layout.Cut(c.Theme.Muted.Render(text), c.Width))
	}
	if r.trains() {
		return append(head, r.aboutTraining(c)...)
	}
	return append(head, r.aboutPairs(c)...)
}

// aboutPairs returns the equation, remarks on the pairs, and the title of a pair of fields.
func (r *run) aboutPairs(c ui.Canvas) []string {
	const most = 3 // lines of a note
	config := r.session.Runner.Experiment().Config
	lines := []string{c.Theme.Muted.Render(" " + words.Equation(config))}
	for _, text := range r.session.Runner.Notices() {
		note := layout.Paragraph(c.Theme.Warn, "note: "+printable.Line(text), c.Width)
		lines = append(lines, layout.Head(note, c.Width, most)...)
	}
	if config.Dims() == 2 {
		lines = append(lines, " "+c.Theme.Title.Render(r.title()))
	}
	return lines
}

// aboutTraining returns the formulas of the method that is trained, of the one that leads a race, or of the trained one.
func (r *run) aboutTraining(c ui.Canvas) []string {
	e := r.session.Runner.Experiment()
	learned := e.Config
	done := r.session.Runner.Reached() >= session.Train
	switch {
	case done:
		learned.Train.Method = e.Model().Operator.Name()
	case r.races():
		race := r.session.Runner.Progress(session.Train).Race
		leader := inOrder(race)[0]
		name := engine.MethodOf(leader.Name)
		if name != "" {
			learned.Train.Method = name
		}
	}
	var lines []string
	if c.Height >= tall {
		definitions := words.Features(learned)
		definitions = append(definitions, words.Training(learned)...)
		for _, d := range definitions {
			symbol := c.Theme.Label.Render(symbols(c.Theme, d[0]))
			meaning := c.Theme.Muted.Render(symbols(c.Theme, d[1]))
			lines = append(lines, " "+symbol+" "+meaning)
		}
	}
	if done && !e.Model().Random() { // a table has the facts on random features
		about := layout.Paragraph(c.Theme.Value, e.Model().About(), c.Width)
		lines = append(lines, about...)
	}
	return append(lines, "")
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
func stepsOf(s *session.Session, th theme.Theme, width int) string {
	arrow := th.Muted.Render(" " + string(th.Glyphs.Right) + " ")
	line := func(times bool) string {
		var list []string
		for stage := session.None; stage <= session.Evaluate; stage++ {
			list = append(list, stepOf(s, th, stage, times))
		}
		return " " + strings.Join(list, arrow)
	}
	if width >= roomy && s.Runner.RunningStage() == session.None {
		whole := line(true)
		if lipgloss.Width(whole) <= width {
			return whole
		}
	}
	return line(false)
}

// stepOf returns a stage with its mark, with its time if that is asked for and known.
func stepOf(s *session.Session, th theme.Theme, stage session.Stage, times bool) string {
	p := s.Runner.Progress(stage)
	done := th.StepDone.Render(fmt.Sprintf("%c %s", th.Glyphs.Done, stage))
	switch {
	case stage > s.Runner.Reached() && stage == s.Runner.RunningStage():
		current := fmt.Sprintf("%c %s %.0f%%", th.Glyphs.Current, stage, 100*p.Fraction())
		return th.StepCurrent.Render(current)
	case stage > s.Runner.Reached():
		return th.StepTodo.Render(fmt.Sprintf("%c %s", th.Glyphs.Todo, stage))
	case stage == session.Generate && p.Reused:
		return done + th.Muted.Render(", pairs reused")
	case times && stage > session.None:
		took := s.Runner.Experiment().Seconds().Stages()[stage-session.Generate]
		return done + th.Muted.Render(" "+report.Duration(took))
	}
	return done
}

// title names the pair shown, the newest one while they are made.
func (r *run) title() string {
	if !r.made() {
		return "newest pair"
	}
	e := r.session.Runner.Experiment()
	train, _ := e.Pairs()
	count := train.Count()
	grid := words.Grid(e.Config, train.Inputs.Points)
	return fmt.Sprintf("training pair %d of %d on %s", min(r.pair+1, count), count, grid)
}

// Page returns the page of the stages.
func (r *run) Page() report.Page {
	if r.session.Runner.Experiment() == nil {
		return report.Page{Name: "pair"}
	}
	return r.view.Page()
}

// page returns the training as far as it is known. While that has no pictures, a wide screen has a pair
// next to its table; before it all show one: of the training pairs once they are complete, or else the newest.
func (r *run) page() report.Page {
	p := report.Page{Name: "pair"}
	if r.trains() {
		p = training(r.session)
	}
	sample := r.newest
	if r.made() {
		e := r.session.Runner.Experiment()
		last := e.Config.Data.Train - 1
		sample = e.Sample(min(r.pair, last))
	}
	isFull := len(p.Figures) > 0 || len(p.Tables) > 0 && r.on.Width <= roomy
	if isFull || sample == nil {
		return p
	}
	p.Figures, p.Fields = sample.Pair(r.title())
	return p
}
