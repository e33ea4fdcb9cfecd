// This file shows progress on standard error: one line that is rewritten on a terminal, a line now and then elsewhere.

package command

import (
	"fmt"
	"io"
	"time"

	"rfm/model/experiment"
	"rfm/tui/plot"
	"rfm/tui/quantity"
	"rfm/tui/theme"
)

type progressLines struct {
	out        io.Writer
	rewrite    bool
	period     time.Duration
	experiment *experiment.Experiment
	last       experiment.Progress
	theme      theme.Theme
}

func newProgressLines(out io.Writer, terminal bool, e *experiment.Experiment) *progressLines {
	p := &progressLines{out: out, rewrite: terminal, period: 5 * time.Second, experiment: e, theme: theme.New(theme.Options{NoColor: true, ASCII: true})}
	if terminal {
		p.period = 200 * time.Millisecond // a slow line gets 400 bytes a second
	}
	return p
}

// show writes the current state.
func (p *progressLines) show() {
	now := p.experiment.Progress()
	if p.rewrite {
		fmt.Fprintf(p.out, "\r\x1b[K%-8s %s %s", now.Stage, plot.Progress(now.Fraction(), 20, p.theme), describe(now))
		return
	}
	fmt.Fprintf(p.out, "%s: %s\n", now.Stage, describe(now))
}

// end clears the line.
func (p *progressLines) end() {
	if p.rewrite {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// describe is a snapshot in words: how much, how fast, how long.
func describe(p experiment.Progress) string {
	if p.Total == 0 {
		return quantity.Duration(p.Elapsed.Seconds())
	}
	text := fmt.Sprintf("%d of %d %s, %s", p.Done, p.Total, p.Unit, quantity.Duration(p.Elapsed.Seconds()))
	if p.Rate > 0 {
		text += fmt.Sprintf(", %.4g/s", p.Rate)
	}
	if p.Flops > 0 {
		text += fmt.Sprintf(", %.3g GF/s", p.Flops/1e9)
	}
	if p.ETA > 0 {
		text += ", " + quantity.Duration(p.ETA.Seconds()) + " left"
	}
	return text
}
