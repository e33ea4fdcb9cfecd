package shell

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/tui/session"
)

// attention notices work that ends while nobody looks.
type attention struct {
	busy    bool
	began   time.Time // of the work in progress
	pressed time.Time // the last key
	blurred bool      // another window has the focus, as far as the terminal tells
}

// long is the time after which people have turned to something else.
const long = 10 * time.Second

// notice takes over a message and whether work is in progress after it. It reports whether long work has ended unseen:
// another window has the focus, or no key was pressed for long.
func (a *attention) notice(msg tea.Msg, busy bool, now time.Time) (unseen bool) {
	switch msg.(type) {
	case tea.KeyPressMsg:
		a.pressed = now
		a.blurred = false
	case tea.FocusMsg:
		a.blurred = false
	case tea.BlurMsg:
		a.blurred = true
	}
	if busy && !a.busy {
		a.began = now
	}
	ended := a.busy && !busy
	a.busy = busy
	wasLong := now.Sub(a.began) > long
	isAway := a.blurred || now.Sub(a.pressed) > long
	return ended && wasLong && isAway
}

// bell rings the bell of the terminal.
func bell() tea.Cmd { return tea.Raw("\a") }

// progress returns the title of the window and the progress for the bar of the terminal (OSC 9;4), nil while no stage of
// an experiment runs.
func (m *Model) progress() (title string, bar *tea.ProgressBar) {
	stage := m.session.Runner.RunningStage()
	if stage == session.None {
		return "rfm", nil
	}
	percent := int(100 * m.session.Runner.Progress(stage).Fraction())
	return fmt.Sprintf("rfm %d%% %s", percent, stage), tea.NewProgressBar(tea.ProgressBarDefault, percent)
}
