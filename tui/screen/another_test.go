// One more screen is its package and a place in the list: the rest follows from its methods.

package screen

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/ui"
)

// another is a screen as a newcomer may write it.
type another struct{ greeted bool }

func (a *another) Name() string                      { return "another" }
func (a *another) Exhibit(ui.Canvas) report.Page     { return report.Page{} }
func (a *another) Update(tea.Msg, ui.Canvas) tea.Cmd { return nil }
func (a *another) Commands(ui.Canvas) []ui.Command {
	return []ui.Command{{Key: keys.Median, Word: "greet", Help: "say good morning",
		Do: ui.Now(func() { a.greeted = true })}}
}

func (a *another) View(ui.Canvas) string {
	if a.greeted {
		return "good morning"
	}
	return "nothing has been said"
}

func TestOneMoreScreenIsOneLine(t *testing.T) {
	p := personAt(t, session.Options{Config: tiny(t), Workers: 1}, shell.Options{},
		func(s *session.Session, d *ui.Dialogs) []ui.Screen {
			return append(all(s, d), &another{})
		})
	p.Resize(120, 40)
	p.Press("8")
	p.See("8 another", "nothing has been said", "m greet")
	p.Press(":")
	p.Type("greet")
	p.See("say good morning")
	p.Press("enter")
	p.See("good morning")
	p.Press("?")
	p.See("say good morning")
}

// The tour has a key on the start page and leads back to it. It is a screen without a place in the header.
func TestTourIsAScreen(t *testing.T) {
	p := newPerson(t, Options{Config: tiny(t), Workers: 1, Start: true})
	p.See("choose an example")
	p.Send(keyPress("0"))
	p.See("Random features   A simulation, learned from examples", "space pause")
	p.Send(keyPress("esc"))
	p.See("choose an example", "7 runs")
}
