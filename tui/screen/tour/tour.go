// Package tour is a guided tour of the random feature model: a screen of scenes that follow one another by themselves,
// each with a few plain words, one equation and a picture. Their results are computed while the tour runs; nothing is
// stored.
package tour

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/screen/draw"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// Screen is the tour.
type Screen struct {
	session *session.Session
	dialogs *ui.Dialogs
	plan    paper.Tour

	scenes  []scene
	at      int     // current scene
	elapsed float64 // seconds for which it has been shown
	paused  bool
	last    time.Time // of the last tick
	ticking bool      // the next tick is on its way

	viscosity slider // of the first scene
	findings  findings
	done      int // the number of complete parts
	failure   error
	working   atomic.Pointer[engine.Experiment] // experiment in progress, if the part has one
	search    atomic.Pointer[tune.Session]      // search in progress, if the part has one
	seen      sight
	page      page.View
	laid      cast      // the current scene
	on        ui.Canvas // on which it is laid out
	commands  []ui.Command
}

// sight is a copy of the progress of the computation.
type sight struct {
	progress engine.Progress
	search   *tune.Snapshot // nil before the first model
}

// New returns the tour of a session; it computes nothing yet.
func New(s *session.Session, d *ui.Dialogs, plan paper.Tour) *Screen {
	tour := &Screen{
		session: s,
		dialogs: d,
		plan:    plan,
		scenes:  scenes(plan),

		viscosity: newSlider(),
	}
	tour.commands = tour.newCommands()
	return tour
}

// Name implements ui.Screen, as do the other exported methods.
func (d *Screen) Name() string { return session.TourPage }

// Update starts the clock and the computation when the tour becomes active, and stops the computation when it does not
// remain so.
func (d *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ui.Enter:
		d.last = time.Time{}
		return tea.Batch(d.tick(), d.compute())
	case ui.Leave:
		d.session.Runner.Drop(session.TourPage)
	}
	return nil
}

// pace is the time between two ticks: the screen does not change by itself in between.
const pace = time.Second / 10

// tick lets time pass, again and again while the tour is active.
func (d *Screen) tick() tea.Cmd {
	if d.ticking {
		return nil
	}
	d.ticking = true
	return tea.Tick(pace, func(now time.Time) tea.Msg { return ticked{now} })
}

// ticked is the message that time has passed.
type ticked struct{ now time.Time }

// Hear takes over solutions, lets the time until now pass and starts the next tick, unless the tour was left.
func (d *Screen) Hear(msg tea.Msg) tea.Cmd {
	wave, ok := msg.(solved)
	if ok {
		d.viscosity.take(wave)
		return nil
	}
	tick, ok := msg.(ticked)
	if !ok {
		return nil
	}
	d.ticking = false
	if d.session.Shown() != session.TourPage {
		return nil
	}
	d.pass(tick.now)
	return tea.Batch(d.tick(), d.compute())
}

// ready reports whether the results for the current scene have been computed.
func (d *Screen) ready() bool {
	return int(d.scenes[d.at].needs) < d.done
}

// failed reports whether the results for the current scene cannot be computed any more.
func (d *Screen) failed() bool {
	return d.failure != nil && !d.ready()
}

// pass lets the time since the last tick pass. The clock stops while a scene waits for its results; a time in which the
// program was suspended counts as at most one second.
func (d *Screen) pass(now time.Time) {
	const longest = time.Second
	seconds := min(now.Sub(d.last), longest).Seconds()
	if d.last.IsZero() {
		seconds = 0
	}
	d.last = now
	isWaiting := !d.ready() && !d.failed()
	if d.paused || isWaiting {
		return
	}
	whole := d.scenes[d.at].seconds
	d.elapsed = min(d.elapsed+seconds, whole)
	isLast := d.at == len(d.scenes)-1
	if d.elapsed == whole && !isLast {
		d.show(d.at + 1)
	}
}

// show moves to the beginning of a scene; while the tour is paused to its end, where its picture is complete.
func (d *Screen) show(at int) {
	last := len(d.scenes) - 1
	d.at = max(0, min(at, last))
	d.elapsed = 0
	d.page.Open()
	if d.paused {
		d.elapsed = d.scenes[d.at].seconds
	}
}

// Commands returns the commands of the tour.
func (d *Screen) Commands() []ui.Command { return d.commands }

func (d *Screen) newCommands() []ui.Command {
	leave := ui.Now(func() { d.session.Show(session.ConfigurePage) })
	start := ui.Command{
		Key:  ui.KeyRun,
		Word: "start",
		Help: "leave the tour and choose an example",
		Do:   leave,
	}
	back := ui.Command{
		Key:  ui.KeyCancel,
		Word: "back",
		Help: "leave the tour",
		Do:   leave,
	}
	list := []ui.Command{start, d.pausing(), d.drawing()}
	list = append(list, d.sliding()...)
	list = append(list, d.moves()...)
	list = append(list, back)
	return append(list, d.page.Commands()...)
}

// pausing returns the command that stops the clock or lets it run.
func (d *Screen) pausing() ui.Command {
	text := func() (word, help string) {
		word = "pause"
		if d.paused {
			word = "resume"
		}
		return word, "stop the clock of the tour, or let it run"
	}
	return ui.Command{
		Key:  ui.KeyPause,
		Text: text,
		Do:   ui.Now(func() { d.paused = !d.paused }),
	}
}

// slides reports whether the current scene has a slider.
func (d *Screen) slides() bool { return d.scenes[d.at].needs == looking }

// sliding returns the commands that change the viscosity of the first scene, which begins again then.
func (d *Screen) sliding() []ui.Command {
	by := func(key ui.Key, help string, step int) ui.Command {
		move := func() tea.Cmd {
			d.show(d.at)
			return d.viscosity.move(step, d.plan, d.findings.look)
		}
		c := ui.Command{
			Key:  key,
			Word: "viscosity",
			Help: help,
			If:   d.slides,
			Do:   move,
		}
		return c.When(d.ready, "the wave is not solved yet")
	}
	return []ui.Command{
		by(ui.KeyUp, "more viscosity, and the wave begins again", 1),
		by(ui.KeyDown, "less viscosity, and the wave begins again", -1),
	}
}

// moves returns the commands that go to another scene.
func (d *Screen) moves() []ui.Command {
	to := func(key ui.Key, word, help string, at func() int) ui.Command {
		move := func() tea.Cmd {
			d.show(at())
			return d.compute()
		}
		return ui.Command{
			Key:  key,
			Word: word,
			Help: help,
			Do:   move,
		}
	}
	before := func() int { return d.at - 1 }
	next := func() int { return d.at + 1 }
	first := func() int { return 0 }
	last := func() int { return len(d.scenes) - 1 }
	return []ui.Command{
		to(ui.KeyLeft, "scene", "the scene before", before),
		to(ui.KeyRight, "scene", "the next scene", next),
		to(ui.KeyEnter, "", "the next scene", next),
		to(ui.KeyFirst, "", "the first scene", first),
		to(ui.KeyLast, "", "the last scene", last),
	}
}

// drawing returns the command that draws an input for the model of the tour, which waits meanwhile.
func (d *Screen) drawing() ui.Command {
	open := func() tea.Cmd {
		d.paused = true
		e := d.findings.burgers
		trial := func(ctx context.Context) (*engine.Trial, error) {
			return e.Trial(ctx, e.Evaluation())
		}
		return draw.Open(d.session, d.dialogs, d.on.Theme.Coarse, trial)
	}
	isTrained := func() bool { return d.findings.burgers != nil }
	return draw.Command(open).When(isTrained, "the model is not trained yet")
}

// frame returns the index of the current picture of the scene. The last one stays for a while.
func (d *Screen) frame() int {
	const moving = 0.85 // share of the scene
	s := d.scenes[d.at]
	duration := moving * s.seconds
	share := d.elapsed / duration
	frame := int(share * float64(s.frames))
	return min(frame, s.frames-1)
}

// Page returns the page of the current picture.
func (d *Screen) Page() report.Page { return d.laid.whole }

// made returns the page of the current picture under its title and chapter, without data until they are computed.
func (d *Screen) made(th theme.Theme) report.Page {
	s := d.scenes[d.at]
	var p report.Page
	switch {
	case d.ready():
		shown := d.findings
		wave := d.viscosity.wave()
		if d.slides() && wave != nil {
			shown.look = wave
		}
		p = s.page(&shown, d.frame())
		if d.slides() {
			p.Heading = d.viscosity.draw(th) + " " + p.Heading
		}
	case d.seen.search != nil && !d.failed():
		p = searching(d.seen.search)
	}
	p.Heading = symbols(th, p.Heading)
	p.Name = fmt.Sprintf("scene-%d", d.at+1)
	p.Title = s.title
	p.Source = s.chapter
	for _, f := range p.Figures {
		for i, curve := range f.Curves {
			f.Curves[i].Name = symbols(th, curve.Name)
		}
	}
	return p
}

// searching returns the page of a search in progress.
func searching(now *tune.Snapshot) report.Page {
	const digits = 4
	n := len(now.Curve)
	if n == 0 { // a plot without data looks like a failure to an audience
		return report.Page{Heading: "the first models are trained"}
	}
	models := float64(max(2, now.Evaluations))
	elapsed := report.Duration(now.Elapsed.Seconds())
	best := report.Error(now.Curve[n-1].Error, digits)
	return report.Page{
		Heading: printable.Several(now.Evaluations, "model") + ", " + elapsed + ", best error " + best,
		Figures: []report.Figure{words.Search(now, models)},
	}
}

// symbols returns text with the letters of the formulas, in ASCII unchanged.
func symbols(th theme.Theme, text string) string {
	if th.ASCII {
		return text
	}
	letters := strings.NewReplacer(
		"infinity", "∞",
		"theta_1", "θ₁",
		"theta", "θ",
		"alpha", "α",
	)
	return letters.Replace(text)
}

// A cast is the current scene on a canvas: its words and its equation, above its page or, on a wide terminal, beside it.
type cast struct {
	words  []string // the words, the equation, and beside the page its heading
	whole  report.Page
	page   report.Page // the whole page without what stands among the words
	canvas ui.Canvas   // of the page
	beside int         // width of the words; 0 if they are above
}

// isEmpty reports whether there is nothing to draw on the page.
func (l cast) isEmpty() bool {
	return len(l.page.Figures)+len(l.page.Fields) == 0
}

const (
	wordsBeside = 44  // cells, the width of words beside a page
	wide        = 112 // cells, the width of a terminal from which they are there
	gap         = 2   // cells between them and the page
)

// cast lays the current scene out. Above the page its heading stands next to the equation if there is room.
func (d *Screen) cast(c ui.Canvas) cast {
	const roomy = 17 // lines
	s := d.scenes[d.at]
	equation := s.equation
	if c.Theme.ASCII {
		equation = s.plain
	}
	isRoomy := c.Height >= roomy
	c.Height-- // of the progress
	p := d.made(c.Theme)
	l := cast{
		whole:  p,
		page:   p,
		canvas: c,
	}
	words := symbols(c.Theme, s.words)
	isWide := c.Width >= wide && c.Height >= roomy
	if isWide && !l.isEmpty() {
		return l.putBeside(words, equation)
	}
	return l.putAbove(words, equation, isRoomy)
}

// putBeside puts the words, the equation and the heading beside the page.
func (l cast) putBeside(words, equation string) cast {
	th := l.canvas.Theme
	l.beside = wordsBeside
	l.canvas.Width -= wordsBeside + gap
	l.words = layout.Paragraph(lipgloss.NewStyle(), words, wordsBeside)
	l.words = append(l.words, "")
	for _, part := range strings.Split(equation, ",  ") { // definitions of what is in the formula
		part = strings.TrimSpace(part)
		definition := layout.Paragraph(th.Value, part, wordsBeside)
		l.words = append(l.words, definition...)
	}
	l.words = append(l.words, "")
	for _, fact := range strings.Split(l.page.Heading, "; ") { // a line for each, so that no number is cut from its unit
		heading := layout.Paragraph(th.Prediction, fact, wordsBeside)
		l.words = append(l.words, heading...)
	}
	l.page.Heading = ""
	return l
}

// putAbove puts the words and the equation above the page, with a blank line between them if there is room.
func (l cast) putAbove(words, equation string, isRoomy bool) cast {
	th := l.canvas.Theme
	width := l.canvas.Width
	l.words = layout.Paragraph(lipgloss.NewStyle(), words, width)
	if isRoomy {
		l.words = append(l.words, "")
	}
	line := "   " + th.Value.Render(equation)
	heading := th.Prediction.Render(l.page.Heading) + " "
	if layout.HaveRoom(width, line, heading) {
		line = layout.Opposite(width, line, heading)
		l.page.Heading = ""
	}
	l.words = append(l.words, line)
	return l
}

// above returns the number of lines above the page.
func (l cast) above() int {
	if l.beside > 0 {
		return 0
	}
	return len(l.words)
}

// Arrange lays the current scene out.
func (d *Screen) Arrange(c ui.Canvas) {
	d.on = c
	d.laid = d.cast(c)
	d.page.Arrange(d.laid.canvas, d.laid.above(), d.laid.page)
}

// View draws the current scene: words, equation, the page, the progress.
func (d *Screen) View() string {
	c := d.on
	l := d.laid
	th := c.Theme
	height := c.Height - 1
	var instead []string // of the pictures
	switch {
	case d.failed():
		failure := fmt.Sprintf("%c this could not be computed: %v", th.Glyphs.Cross, d.failure)
		instead = layout.Paragraph(th.Bad, failure, c.Width)
	case l.isEmpty():
		instead = []string{"", d.waiting(th, c.Width)}
	}
	body := ""
	if instead == nil {
		body = d.pictures(l, height)
	} else {
		lines := slices.Concat(l.words, instead)
		text := strings.Join(lines, "\n")
		body = layout.Fit(text, c.Width, height)
	}
	return body + "\n" + d.progress(th, c.Width)
}

// pictures draws the page of a scene with its words, in a height.
func (d *Screen) pictures(l cast, height int) string {
	draw := func(above []string) string {
		return d.page.Draw(above, d.frame(), d.ready(), d.seen.search, d.viscosity.at, d.viscosity.wave())
	}
	if l.beside == 0 {
		return draw(l.words)
	}
	words := strings.Join(l.words, "\n")
	between := strings.Repeat(" ", gap)
	return layout.Beside(height, between, words, l.beside, draw(nil))
}

// waiting describes the progress of the computation that a scene waits for.
func (d *Screen) waiting(th theme.Theme, width int) string {
	const longest = 40 // cells of the bar
	runner := d.session.Runner
	isOther := runner.Doing() != session.TourPage
	occupied := runner.Occupied()
	if isOther && occupied != "" {
		return th.Warn.Render(" " + occupied)
	}
	p := d.seen.progress
	if p.Stage == "" {
		text := fmt.Sprintf(" computing %c", th.Glyphs.Ellipsis)
		return th.Muted.Render(text)
	}
	cells := min(longest, width-2)
	bar := plot.Progress(p.Fraction(), cells, th)
	stage := " " + p.Stage + ", "
	room := width - len(stage)
	return th.Muted.Render(stage+p.Line(room)) + "\n " + bar
}

// progress returns a mark for each scene, the progress of the current one, and whether the clock stands.
func (d *Screen) progress(th theme.Theme, width int) string {
	const cells = 16 // of the bar
	done := th.StepDone.Render(string(th.Glyphs.Done))
	current := th.Title.Render(string(th.Glyphs.Current))
	todo := th.StepTodo.Render(string(th.Glyphs.Todo))
	count := len(d.scenes)
	marks := strings.Repeat(done, d.at) + current + strings.Repeat(todo, count-1-d.at)

	share := d.elapsed / d.scenes[d.at].seconds
	bar := plot.Progress(share, cells, th)
	left := fmt.Sprintf(" %s  %s", marks, bar)
	state := fmt.Sprintf("%d of %d ", d.at+1, count)
	if d.paused {
		state = "paused  " + state
	}
	return layout.Opposite(width, left, th.Muted.Render(state))
}
