// This file carries out a script.

package headless

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/solver/fault"
)

// stage is what a script drives.
type stage interface {
	Send(tea.Msg)                  // hands a message to the program
	screen() string                // the text on its terminal
	resize(width, height int) bool // gives its terminal another size; false if it has one of its own
}

// Unmet says that a screen did not show what a script wanted. The screen is not part of the message.
type Unmet struct {
	Where  string // the file and the line
	Want   string
	After  time.Duration
	Screen string // what was on it instead
}

func (u *Unmet) Error() string {
	return fmt.Sprintf("%s: the screen does not show %q after %s", u.Where, u.Want, u.After)
}

// look is the time between two looks at the screen.
const look = 20 * time.Millisecond

// play carries out the steps one after the other. The error is an *Unmet, a *fault.Data for a step that the stage does
// not allow, or ctx's.
func (s script) play(ctx context.Context, on stage) error {
	for _, step := range s.steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		where := fmt.Sprintf("%s, line %d", s.name, step.line)
		switch step.verb {
		case key, typing:
			for _, k := range step.keys {
				on.Send(k)
			}
		case wait:
			pause(ctx, step.time)
		case resize:
			if !on.resize(step.width, step.height) {
				return &fault.Data{Where: where, What: "this terminal has a size of its own",
					Do: "resize works on virtual terminals"}
			}
		case until, expect:
			for end := time.Now().Add(step.time); !shows(on.screen(), step.text); pause(ctx, look) {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if time.Now().After(end) {
					return &Unmet{Where: where, Want: step.text, After: step.time, Screen: on.screen()}
				}
			}
		}
	}
	return nil
}

// shows reports whether a line of the screen holds the text; runs of spaces count as one, so that columns may move.
func shows(screen, text string) bool {
	for line := range strings.SplitSeq(screen, "\n") {
		if strings.Contains(line, text) || strings.Contains(strings.Join(strings.Fields(line), " "), text) {
			return true
		}
	}
	return false
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
