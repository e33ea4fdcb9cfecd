// This file shows a solution of the equation that people type.

package form

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/page"
	"rfm/tui/theme"
)

// A solution is one solution of an equation given as text, computed in the background. A wrong equation keeps the last
// picture.
type solution struct {
	latest[solved]
	page  *report.Page // of the last valid equation; nil before the first
	ends  bool         // whether the solution ends before its time: the error says why, the field goes on until then
	err   error        // of the latest equation; a *config.Error has the place in the text
	helps []engine.Remedy
}

// follow solves the equation of a configuration unless it has the solution.
func (l *solution) follow(c config.Config) tea.Cmd {
	const longest = 5 * time.Second
	if c.Equation.Text == "" {
		l.cancel()
		l.page = nil
		l.err = nil
		l.helps = nil
		return nil
	}
	return l.want(c.DataOnly(), longest, func(ctx context.Context) solved {
		picture, err := engine.Picture(ctx, c)
		err = inTime(ctx, err, "a larger equation.tolerance or a smaller equation.time makes it faster")
		got := solved{page: picture, err: err}
		got.ends = len(picture.Fields) > 0 && err != nil
		said, helps := engine.Ended(err)
		got.helps = helps
		if said != nil {
			got.err = said
		}
		return got
	})
}

// A solved is what the solver says of an equation.
type solved struct {
	page  report.Page
	ends  bool // before its time
	err   error
	helps []engine.Remedy
}

// A pace is the time that the solver needs for an equation given as text, measured in the background.
type pace struct {
	latest[engine.Pace]
	known engine.Pace // of the latest equation that has a solution
}

// follow measures the pace for a configuration unless it is known. It waits while other previews are computed, because a
// person looks at pictures first, and because they would disturb the clock.
func (l *pace) follow(c config.Config, busy bool) tea.Cmd {
	if busy || c.Equation.Text == "" {
		l.cancel()
		return nil
	}
	const longest = 2 * time.Second
	return l.want(c.DataOnly(), longest, func(ctx context.Context) engine.Pace {
		const timed = time.Second                        // enough steps of any equation
		measured, _ := engine.MeasurePace(ctx, c, timed) // the picture reports the error
		return measured
	})
}

// take takes over a solution.
func (l *solution) take(got solved) {
	l.err = got.err
	l.ends = got.ends
	l.helps = got.helps
	if got.err == nil || got.ends {
		l.page = &got.page
	}
}

// pictures returns the last solution, grey if the equation is not valid any more.
func (l *solution) pictures(th theme.Theme) []page.Picture {
	switch {
	case l.page == nil:
		return nil
	case l.err == nil || l.ends:
		return page.Pictures(th, *l.page, false)
	}
	before := report.Page{
		Fields:  slices.Clone(l.page.Fields),
		Figures: slices.Clone(l.page.Figures),
	}
	for i := range before.Fields {
		before.Fields[i].Title = "before: " + before.Fields[i].Title
	}
	for i := range before.Figures {
		before.Figures[i].Title = "before: " + before.Figures[i].Title
	}
	return faded(page.Pictures(grey(th), before, false), th)
}
