// Package demo is a guided tour of the random feature model: a screen of scenes that follow one another by themselves,
// each with a few plain words, one equation and a picture. Their results are computed while the tour runs; nothing is
// stored.
package demo

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/tui/chart"
	"rfm/tui/draw"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// Name is the name of the screen and of its job.
const Name = "demo"

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

	findings findings
	done     int // the number of complete parts
	failure  error
	working  atomic.Pointer[engine.Experiment] // experiment in progress, if the part has one
	search   atomic.Pointer[tune.Session]      // search in progress, if the part has one
	seen     sight
	page     page.View
}

// sight is a copy of the progress of the computation.
type sight struct {
	progress engine.Progress
	search   *tune.Snapshot // nil before the first model
}

// New returns the tour of a session; it computes nothing yet.
func New(s *session.Session, d *ui.Dialogs, plan paper.Tour) *Screen {
	return &Screen{session: s, dialogs: d, plan: plan, scenes: scenes(plan)}
}

// Name implements ui.Screen, as do the other exported methods.
func (d *Screen) Name() string { return Name }

// Update starts the clock and the computation when the tour becomes active, and stops the computation when it does not
// remain so.
func (d *Screen) Update(msg tea.Msg, _ ui.Canvas) tea.Cmd {
	switch msg.(type) {
	case ui.Enter:
		d.last = time.Time{}
		return tea.Batch(d.tick(), d.compute())
	case ui.Leave:
		d.session.Drop(Name)
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
	return tea.Tick(pace, func(now time.Time) tea.Msg {
		return func() tea.Cmd {
			d.ticking = false
			if d.session.Shown() != Name {
				return nil
			}
			d.pass(now)
			return tea.Batch(d.tick(), d.compute())
		}
	})
}

// ready reports whether the results for the current scene have been computed.
func (d *Screen) ready() bool { return int(d.scenes[d.at].needs) < d.done }

// failed reports whether the results for the current scene cannot be computed any more.
func (d *Screen) failed() bool { return d.failure != nil && !d.ready() }

// pass lets the time since the last tick pass. The clock stops while a scene waits for its results; a time in which the
// program was suspended counts as at most one second.
func (d *Screen) pass(now time.Time) {
	const longest = time.Second
	seconds := min(now.Sub(d.last), longest).Seconds()
	if d.last.IsZero() {
		seconds = 0
	}
	d.last = now
	if d.paused || !d.ready() && !d.failed() {
		return
	}
	d.elapsed += seconds
	if d.elapsed < d.scenes[d.at].seconds {
		return
	}
	if d.elapsed = d.scenes[d.at].seconds; d.at < len(d.scenes)-1 {
		d.show(d.at + 1)
	}
}

// show moves to the beginning of a scene; while the tour is paused to its end, where its picture is complete.
func (d *Screen) show(at int) {
	d.at, d.elapsed = max(0, min(at, len(d.scenes)-1)), 0
	d.page.Open()
	if d.paused {
		d.elapsed = d.scenes[d.at].seconds
	}
}

// Commands returns the commands of the tour.
func (d *Screen) Commands(c ui.Canvas) []ui.Command {
	to := func(key keys.Key, word, help string, at int) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: func() tea.Cmd {
			d.show(at)
			return d.compute()
		}}
	}
	l := d.cast(c)
	pause, leave := "pause", func() { d.session.Show(session.ConfigurePage) }
	if d.paused {
		pause = "resume"
	}
	return append([]ui.Command{
		{Key: keys.Run, Word: "start", Help: "leave the tour and choose an example", Do: ui.Now(leave)},
		{Key: keys.Pause, Word: pause, Help: "stop the clock of the tour, or let it run",
			Do: ui.Now(func() { d.paused = !d.paused })},
		d.drawing(c),
		to(keys.Left, "scene", "the scene before", d.at-1), to(keys.Right, "scene", "the next scene", d.at+1),
		to(keys.Enter, "", "the next scene", d.at+1), to(keys.First, "", "the first scene", 0),
		to(keys.Last, "", "the last scene", len(d.scenes)-1),
		{Key: keys.Cancel, Word: "back", Help: "leave the tour", Do: ui.Now(leave)},
	}, d.page.Commands(l.canvas, l.above(), l.page)...)
}

// drawing returns the command that draws an input for the model of the tour, which waits meanwhile.
func (d *Screen) drawing(c ui.Canvas) ui.Command {
	e := d.findings.burgers
	return draw.Command(func() tea.Cmd {
		d.paused = true
		return draw.Open(d.session, d.dialogs, c.Theme.Coarse, func(ctx context.Context) (*engine.Trial, error) {
			return e.Trial(ctx, e.Evaluation())
		})
	}).When(e != nil, "the model is not trained yet")
}

// frame returns the index of the current picture of the scene. The last one stays for a while.
func (d *Screen) frame() int {
	s := d.scenes[d.at]
	const moving = 0.85 // share of the scene
	return min(s.frames-1, int(d.elapsed/(moving*s.seconds)*float64(s.frames)))
}

// Exhibit returns the page of the current picture under its title and chapter, without data until they are computed.
func (d *Screen) Exhibit(c ui.Canvas) report.Page {
	p := report.Page{}
	switch now := d.seen.search; {
	case d.ready():
		p = d.scenes[d.at].page(&d.findings, d.frame())
	case now != nil && !d.failed():
		p.Figures = []report.Figure{chart.Search(now, float64(max(2, now.Evaluations)))}
		p.Heading = fmt.Sprintf("%d models, %s", now.Evaluations, report.Duration(now.Elapsed.Seconds()))
		if n := len(now.Curve); n > 0 {
			p.Heading += fmt.Sprintf(", best error %s", report.Error(now.Curve[n-1].Error, 4))
		}
	}
	p.Name, p.Title, p.Source = fmt.Sprintf("scene-%d", d.at+1), d.scenes[d.at].title, d.scenes[d.at].chapter
	for _, f := range p.Figures {
		for i := range f.Curves {
			f.Curves[i].Name = symbols(c.Theme, f.Curves[i].Name)
		}
	}
	return p
}

// symbols returns text with the letters of the formulas, in ASCII unchanged.
func symbols(th theme.Theme, text string) string {
	if th.ASCII {
		return text
	}
	return strings.NewReplacer("theta_1", "θ₁", "theta", "θ", "alpha", "α").Replace(text)
}

// A cast is the current scene on a canvas: its words and its equation, above its page or, on a wide terminal, beside it.
type cast struct {
	words  []string // the words, the equation, and beside the page its heading
	page   report.Page
	canvas ui.Canvas // of the page
	beside int       // width of the words; 0 if they are above
}

// wordsBeside is the width of words beside a page, widest that from which they are there.
const wordsBeside, wide = 44, 112

// cast lays the current scene out. Above the page its heading stands next to the equation if there is room.
func (d *Screen) cast(c ui.Canvas) cast {
	const roomy = 17 // lines
	const gap = 2
	s := d.scenes[d.at]
	th := c.Theme
	equation := s.equation
	if th.ASCII {
		equation = s.plain
	}
	c.Height-- // of the progress
	l := cast{page: d.Exhibit(c), canvas: c}
	words := symbols(th, s.words)
	if c.Width >= wide && c.Height >= roomy && len(l.page.Figures)+len(l.page.Fields) > 0 {
		l.beside = wordsBeside
		l.canvas.Width -= wordsBeside + gap
		l.words = append(layout.Paragraph(lipgloss.NewStyle(), words, wordsBeside), "")
		for _, part := range strings.Split(equation, ",  ") { // definitions of what is in the formula
			l.words = append(l.words, layout.Paragraph(th.Value, strings.TrimSpace(part), wordsBeside)...)
		}
		l.words = append(l.words, "")
		l.words = append(l.words, layout.Paragraph(th.Prediction, l.page.Heading, wordsBeside)...)
		l.page.Heading = ""
		return l
	}
	l.words = layout.Paragraph(lipgloss.NewStyle(), words, c.Width)
	if c.Height+1 >= roomy {
		l.words = append(l.words, "")
	}
	left := "   " + th.Value.Render(equation)
	right := th.Prediction.Render(l.page.Heading) + " "
	if layout.HaveRoom(c.Width, left, right) {
		left = layout.Opposite(c.Width, left, right)
		l.page.Heading = ""
	}
	l.words = append(l.words, left)
	return l
}

// above returns the number of lines above the page.
func (l cast) above() int {
	if l.beside > 0 {
		return 0
	}
	return len(l.words)
}

// View draws the current scene: words, equation, the page, the progress.
func (d *Screen) View(c ui.Canvas) string {
	l := d.cast(c)
	height := c.Height - 1
	progress := d.progress(c.Theme, c.Width)
	text := l.words
	switch {
	case d.failed():
		failure := fmt.Sprintf("%c this could not be computed: %v", c.Theme.Glyphs.Cross, d.failure)
		text = append(text, layout.Paragraph(c.Theme.Bad, failure, c.Width)...)
	case len(l.page.Figures)+len(l.page.Fields) == 0:
		text = append(text, "", d.waiting(c.Theme, c.Width))
	case l.beside > 0:
		page := d.page.Draw(l.canvas, nil, l.page, d.frame(), d.ready(), d.seen.search)
		return layout.Beside(height, "  ", strings.Join(text, "\n"), l.beside, page) + "\n" + progress
	default:
		return d.page.Draw(l.canvas, text, l.page, d.frame(), d.ready(), d.seen.search) + "\n" + progress
	}
	return layout.Fit(strings.Join(text, "\n"), c.Width, height) + "\n" + progress
}

// waiting describes the progress of the computation that a scene waits for.
func (d *Screen) waiting(th theme.Theme, width int) string {
	p := d.seen.progress
	switch {
	case d.session.Doing() != Name && d.session.Occupied() != "":
		return th.Warn.Render(" " + d.session.Occupied())
	case p.Stage == "":
		return th.Muted.Render(fmt.Sprintf(" computing %c", th.Glyphs.Ellipsis))
	}
	bar := plot.Progress(p.Fraction(), min(40, width-2), th)
	return th.Muted.Render(" "+p.Stage+", "+p.Line(width)) + "\n " + bar
}

// progress returns a mark for each scene, the progress of the current one, and whether the clock stands.
func (d *Screen) progress(th theme.Theme, width int) string {
	var marks strings.Builder
	for i := range d.scenes {
		switch {
		case i < d.at:
			marks.WriteString(th.StepDone.Render(string(th.Glyphs.Done)))
		case i == d.at:
			marks.WriteString(th.Title.Render(string(th.Glyphs.Current)))
		default:
			marks.WriteString(th.StepTodo.Render(string(th.Glyphs.Todo)))
		}
	}
	const bar = 16
	state := fmt.Sprintf("%d of %d ", d.at+1, len(d.scenes))
	if d.paused {
		state = "paused  " + state
	}
	return layout.Opposite(width, " "+marks.String()+"  "+plot.Progress(d.elapsed/d.scenes[d.at].seconds, bar, th),
		th.Muted.Render(state))
}
