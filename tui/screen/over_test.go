// Dialogs over screens that change below them, at sizes that change, too.

package screen

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// Help that is open on its last line, above jobs that go on: lines come and go meanwhile.
func TestHelpStaysOpenOverAMovingScreen(t *testing.T) {
	for name, c := range map[string]struct {
		config config.Config
		screen string
		long   bool // left out of short tests
		enough func(*person) bool
	}{
		"functions": {tuitest.Tiny(t, "data.train=400", "features.count=400", "evaluation.baselines=yes"), "1", true, evaluated},
		"fields":    {tinyDarcy(t, "evaluation.baselines=yes"), "1", false, evaluated},
		"a study":   {tuitest.Tiny(t), "4", false, func(p *person) bool { return !p.S.Runner.Busy() }},
		"a search":  {tuitest.Tiny(t), "5", false, func(p *person) bool { return strings.Contains(p.below(), " models, ") }},
	} {
		if testing.Short() && c.long {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p := newPerson(t, Options{Config: c.config, Workers: 2})
			p.Press(c.screen)
			p.Begin("ctrl+r")
			p.Send(keyPress("?"))
			p.Send(keyPress("end"))
			p.Until("enough", func() bool {
				p.Screen() // draws, as after every message
				return c.enough(p)
			})
			p.Send(keyPress("enter"))
			p.Send(keyPress("ctrl+c"))
			p.Until("leaving", func() bool { return p.Left })
		})
	}
}

// evaluated reports whether the experiment is complete.
func evaluated(p *person) bool { return p.S.Runner.Reached() == session.Evaluate && !p.S.Runner.Busy() }

// below returns the active screen without what lies over it.
func (p *person) below() string {
	on := ui.Canvas{Theme: theme.New(theme.Options{}), Width: 80, Height: 21}
	for _, s := range p.M.Screens {
		if s.Name() == p.S.Shown() {
			s.Arrange(on)
			return ansi.Strip(s.View())
		}
	}
	return ""
}

// The smallest terminal is drawn on; below it no key but those that leave does anything.
func TestTerminalThatIsTooSmallTakesOnlyKeysThatLeave(t *testing.T) {
	small := [][2]int{{59, 15}, {60, 14}, {82, 1}, {1, 60}, {1, 1}}
	for _, before := range [][]string{nil, {"?", "end"}, {":", "x"}, {"o", "y"}, {"/", "z"}, {"p", "end"}, {"s"}} {
		p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1, Load: preset})
		p.Resize(160, 60)
		p.Press(before...)
		shown := p.Screen()
		for _, size := range small {
			p.Resize(size[0], size[1])
			p.within("small", size[0], size[1])
			for _, key := range []string{"enter", "down", "end", "esc", "?", "5", "ctrl+r", "x", "tab"} {
				p.Press(key)
			}
			p.Send(tea.PasteMsg{Content: "pasted"})
			p.Settle()
		}
		if p.Resize(160, 60); p.Screen() != shown {
			t.Errorf("after %v keys that nobody could see had an effect:\n%s\nbefore:\n%s", before, p.Screen(), shown)
		}
		p.Resize(59, 15)
		if p.Press("q"); !p.Left {
			t.Errorf("after %v q does not leave", before)
		}
	}
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "data.test=100000"), Workers: 1})
	p.Begin("ctrl+r")
	p.Send(tea.WindowSizeMsg{Width: 80, Height: 5})
	p.See("ctrl+c stops")
	p.Send(keyPress("q"))
	if p.Left {
		t.Error("q leaves although something runs")
	}
	p.Send(keyPress("ctrl+c"))
	p.Until("leaving", func() bool { return p.Left })
}

// A terminal that shrinks under help leaves fewer terms on the screen than the line that was selected.
func TestHelpOnATerminalThatShrinks(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t, "evaluation.baselines=yes"), Workers: 2})
	p.Press("ctrl+r")
	for _, screen := range []string{"1", "2", "3", "4", "5", "6"} {
		p.Press("1", "home", screen)
		p.Resize(160, 60)
		p.Press("?", "end")
		p.Resize(60, 15)
		p.Press("enter")
		if strings.Contains(p.Screen(), "everywhere") {
			t.Errorf("screen %s: enter does not leave the help:\n%s", screen, p.Screen())
		}
	}
}

// A question does not hide the list below it.
func TestQuestionsAreDrawnOverDialogs(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1})
	p.Visit("data.train")
	p.Press("right", "p")
	p.See("choose an example", "burgers-fno")
	p.Press("q")
	p.See("changed and not saved", "choose an example", "burgers-fno")
}

// wrong is a dialog whose work in the background panics.
type wrong struct{ work tea.Cmd }

func (wrong) Commands() []ui.Command { return nil }
func (wrong) View(ui.Canvas) string  { return "" }
func (wrong) Update(tea.Msg) tea.Cmd { return nil }
func (w *wrong) Hear(msg tea.Msg) tea.Cmd {
	if msg == "begin" {
		return w.work
	}
	return nil
}

// A panic of work in the background is told, as that of a job is: the program goes on.
func TestPanicInTheBackgroundIsTold(t *testing.T) {
	p := newPerson(t, Options{Config: tuitest.Tiny(t), Workers: 1})
	bad := func() tea.Msg { panic("a wrong index") }
	for _, cmd := range []tea.Cmd{bad, tea.Batch(bad, bad), tea.Batch(nil, tea.Batch(bad, tea.RequestBackgroundColor))} {
		d := &wrong{cmd}
		p.D.Open(d)
		p.Send("begin")
		p.Settle()
		p.D.Close(d)
		p.See("internal error, please report it: a wrong index")
		p.Press("down")
	}
}
