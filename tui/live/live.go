// Package live is the method at a glance: a small model of what is configured, trained at every change.
package live

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"

	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/widget"
)

// Model is a small model of what is configured, trained on a few pairs beside the work of the program. Data are made once as long as the parameters of the data stay.
type Model struct {
	stop   context.CancelFunc // of the one that is trained; nil if none is
	of     config.Config      // small configuration of what is shown; the zero value before the first
	model  *engine.Experiment // what is shown, or the last one: its data can be used again
	tested *engine.Evaluation // nil if it failed
	before float64            // test error of the one shown before; 0 if there is none
	err    error
}

// Msg brings a small model, or why there is none.
type Msg struct {
	to     *Model
	of     config.Config
	model  *engine.Experiment
	tested *engine.Evaluation
	err    error
}

// small is a configuration that trains in some 20 ms once its data are there: 64 pairs (16 of fields) and the plain
// sum of at most 512 random features (64), without anything to compare with.
func small(c config.Config) config.Config {
	pairs, tests, features := 64, 24, 512
	if c.Dims() == 2 {
		pairs, tests, features = 16, 8, 64
		c.Data.Grid = c.Train.Grid
	}
	c.Data.Train, c.Data.Test, c.Features.Count = min(c.Data.Train, pairs), min(c.Data.Test, tests),
		min(c.Features.Count, features)
	c.Train.Method, c.Evaluation.Baselines, c.Evaluation.Bands, c.Evaluation.Grid = config.RandomFeatures, false, false, 0
	return c
}

// Follow trains a small model of a configuration unless that was done. What is trained for an earlier one is stopped
// first; while the program computes something else (busy) nothing is trained.
func (l *Model) Follow(c config.Config, busy bool) tea.Cmd {
	s := small(c)
	switch {
	case l.stop != nil && (busy || s != l.of):
		l.stop()
		return nil
	case busy || l.stop != nil || s == l.of || c.Of().Files || c.Validate() != nil || s.Validate() != nil:
		return nil
	}
	const longest = 10 * time.Second // the first one makes the data
	ctx, stop := context.WithTimeout(context.Background(), longest)
	l.stop, l.of = stop, s
	previous := l.model
	return func() tea.Msg {
		defer stop()
		msg := Msg{to: l, of: s}
		msg.model, msg.tested, msg.err = trained(ctx, s, previous)
		return msg
	}
}

// trained is a model of a small configuration and its test, on the training grid; data are those of the previous one
// (which may be nil) if they are the same.
func trained(ctx context.Context, c config.Config, previous *engine.Experiment) (e *engine.Experiment,
	v *engine.Evaluation, err error) {
	if e, err = engine.New(ctx, c, engine.Options{Workers: 1}); err != nil {
		return nil, nil, err
	}
	if previous != nil {
		e.Reuse(previous)
	}
	if err = e.Reach(ctx, engine.Training); err == nil {
		v, err = e.EvaluateOn(ctx, e.Config.Train.Grid)
	}
	return e, v, err
}

// Arrive hands a small model over to the one that asked for it; one that was stopped is forgotten.
func (msg Msg) Arrive() {
	l := msg.to
	l.stop = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		l.of = config.Config{}
		return
	case l.tested != nil && msg.tested != nil:
		l.before = l.tested.Test.ExpectedRelative
	}
	l.tested, l.err = msg.tested, msg.err
	if msg.err == nil {
		l.model = msg.model
	}
}

// Seen returns what Pictures depend on, for keys of caches.
func (l *Model) Seen() any { return [2]any{l.tested, l.err} }

// endsInView cuts so much from the left of all lines that the last one fits: it ends with the mark below a text.
func endsInView(text string, width int) string {
	lines := strings.Split(text, "\n")
	beyond := max(0, len(lines[len(lines)-1])-width)
	for i, line := range lines {
		lines[i] = ansi.Cut(line, beyond, beyond+width)
	}
	return strings.Join(lines, "\n")
}

// Pictures returns the reference solution and the prediction of one test input, with the error on all of them.
func (l *Model) Pictures(on look.Look) []widget.Picture {
	if l.err != nil {
		text, place, _ := strings.Cut("No small model: "+printable.Text(l.err.Error()), "\n  ") // a text with its mark
		return []widget.Picture{{Name: "a small model", Draw: func(width, height int) string {
			text := ansi.Wordwrap(text, width, "") + "\n" + endsInView("  "+place, width)
			return layout.Fit(strings.Join(layout.Styled(on.Theme.Muted, text), "\n"), width, height)
		}}}
	}
	if l.tested == nil {
		return nil
	}
	v, problem := l.tested, l.of.Of()
	sample := chart.Sample{Side: v.Side, Name: problem.Input, Jumps: problem.Jumps, Input: v.TestPairs.Inputs.Of(0, 0),
		Truth: v.TestPairs.Outputs.Of(0, 0), Prediction: v.Predictions.Of(0, 0)}
	title := fmt.Sprintf("%d pairs: error %s", l.of.Data.Train, report.Error(v.Test.ExpectedRelative, 3))
	if l.before > 0 {
		title += fmt.Sprintf(", was %s", report.Error(l.before, 3))
	}
	if v.Side == 0 {
		f := sample.Functions()[0]
		return []widget.Picture{{Name: "a small model", Draw: func(width, height int) string {
			return layout.Cut(on.Theme.Value.Render(title), width) + "\n" + chart.Figure(on, f, width, height-1)
		}}}
	}
	fields := sample.Fields(nil)
	fields[2].Title = title
	return chart.Pictures(on, report.Page{Fields: []report.Field{fields[2], fields[1]}}, false) // the prediction first
}
