package shell

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/report"
	"rfm/tui/session"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// The end of long work is announced if nobody looks: another window has the focus, or no key was pressed for long.
func TestOnlyTheUnseenEndOfLongWorkIsAnnounced(t *testing.T) {
	for _, test := range []struct {
		name         string
		takes, since time.Duration // of the work, and since the last key at its end
		blurred      bool
		want         bool
	}{
		{"short", 5 * time.Second, time.Minute, true, false},
		{"long, nobody there", time.Minute, 30 * time.Second, false, true},
		{"long, somebody types", time.Minute, time.Second, false, false},
		{"long, in another window", time.Minute, time.Second, true, true},
	} {
		var a attention
		now := time.Now()
		a.notice(tea.KeyPressMsg{}, true, now)
		a.notice(tea.KeyPressMsg{}, true, now.Add(test.takes-test.since))
		if test.blurred {
			a.notice(tea.BlurMsg{}, true, now.Add(test.takes-test.since))
		}
		if got := a.notice(nil, false, now.Add(test.takes)); got != test.want {
			t.Errorf("%s: announced %t, want %t", test.name, got, test.want)
		}
		if a.notice(nil, false, now.Add(2*test.takes)) {
			t.Errorf("%s: announced twice", test.name)
		}
	}
}

// blank is a screen without content.
type blank struct{}

func (blank) Name() string             { return session.ConfigurePage }
func (blank) Commands() []ui.Command   { return nil }
func (blank) Update(tea.Msg) tea.Cmd   { return nil }
func (blank) Arrange(ui.Canvas)        {}
func (blank) View() string             { return "" }
func (blank) Page() (none report.Page) { return none }

// rings returns how often the interface rings the bell from a command on until nothing follows any more.
func rings(m *Model, cmd tea.Cmd) int {
	if cmd == nil {
		return 0
	}
	msg := cmd()
	if raw, ok := msg.(tea.RawMsg); ok && raw.Msg == "\a" {
		return 1
	}
	if list, several := msg.(tea.BatchMsg); several {
		sum := 0
		for _, one := range list {
			sum += rings(m, one)
		}
		return sum
	}
	_, next := m.Update(msg)
	return rings(m, next)
}

// The interface rings the bell once when a job of more than ten seconds ends and no key was pressed; time is simulated.
func TestTheBellRingsAtTheEndOfLongWork(t *testing.T) {
	for takes, want := range map[time.Duration]int{5 * time.Second: 0, time.Minute: 1} {
		synctest.Test(t, func(t *testing.T) {
			s := session.New(session.Options{Config: tuitest.Tiny(t)})
			m := New(s, new(ui.Dialogs), Options{}, blank{})
			m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
			m.Update(tea.KeyPressMsg{Code: 'L', Text: "L"})
			job := s.Runner.Run(session.Job{Name: "study", Work: func(context.Context) error {
				time.Sleep(takes)
				return nil
			}})
			m.Update(nil) // the shell sees that the job runs
			if got := rings(m, job); got != want {
				t.Errorf("%d rings after %s, want %d", got, takes, want)
			}
		})
	}
}
