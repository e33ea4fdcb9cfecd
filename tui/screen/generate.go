// This file is the screen that shows the data while they are made.

package screen

import (
	"fmt"
	"strings"
	"time"

	"rfm/model/experiment"
	"rfm/tui/keys"
	"rfm/tui/plot"
	"rfm/tui/quantity"
)

// generate shows progress and the newest pair. Once the data are there, it steps through the training pairs.
type generate struct {
	pair    int
	newest  *experiment.Sample // the pair on show while the step runs
	changed time.Time          // when newest was taken
	plot    cache
}

// freshEvery is the time between two new plots while data are made: numbers change often, plots cost bytes.
const freshEvery = time.Second

func (g *generate) actions(s *session) []keys.Action {
	if s.reached < generating {
		return nil
	}
	return []keys.Action{keys.Left, keys.Right, keys.PageUp, keys.PageDown}
}

func (g *generate) do(s *session, action keys.Action) {
	train, _ := s.experiment.Pairs()
	step := map[keys.Action]int{keys.Left: -1, keys.Right: 1, keys.PageUp: -10, keys.PageDown: 10}[action]
	n := train.Count()
	g.pair = ((g.pair+step)%n + n) % n
}

func (g *generate) render(s *session, width, height int) string {
	th := s.theme
	c := s.experiment.Config
	lines := []string{progressLine(s, generating, width), ""}
	title := ""
	var sample *experiment.Sample
	if s.reached >= generating {
		train, _ := s.experiment.Pairs()
		g.pair = min(g.pair, train.Count()-1)
		sample = &experiment.Sample{Input: train.Inputs.At(g.pair), Truth: train.Outputs.At(g.pair)}
		title = fmt.Sprintf("training pair %d of %d on K=%d", g.pair+1, train.Count(), train.Inputs.K)
	} else {
		if newest := s.experiment.Progress().Newest; newest != g.newest && time.Since(g.changed) >= freshEvery {
			g.newest, g.changed = newest, time.Now()
		}
		sample = g.newest
		title = "the newest pair"
	}
	lines[1] = th.Muted.Render(fmt.Sprintf(" u_t + (u^2/2)_x = %g u_xx,  a = u(0),  u = u(%g),  K=%d", c.Burgers.Viscosity, c.Burgers.Time, c.Data.Grid))
	if sample == nil {
		return strings.Join(append(lines, "", th.Muted.Render(" no pair is finished yet")), "\n")
	}
	type key struct {
		sample        *float64
		title         string
		width, height int
		theme         any
	}
	picture := g.plot.get(key{&sample.Input[0], title, width, height, th.Options}, func() string {
		return plot.Line{Width: width, Height: height - len(lines) - 1, X0: 0, X1: 1, XLabel: "x", Title: title, Theme: th, Series: []plot.Series{
			{Name: "input a", Y: sample.Input, Style: th.Input, Pen: plot.Dotted},
			{Name: "solution u", Y: sample.Truth, Style: th.Truth},
		}}.Render()
	})
	return strings.Join(lines, "\n") + "\n\n" + picture
}

// progressLine is the bar of a step with what can be said about its speed.
func progressLine(s *session, which step, width int) string {
	th := s.theme
	p := s.experiment.Progress()
	running := s.job != nil && s.job.step == which
	if !running {
		text := fmt.Sprintf(" %c %s done", th.Glyphs.Check, stepNames[which])
		if s.reached < which {
			return th.Warn.Render(fmt.Sprintf(" %s is not complete", stepNames[which]))
		}
		seconds := s.experiment.Seconds()
		took := [steps]float64{generating: seconds.Generate, training: seconds.Train, evaluating: seconds.Evaluate}[which]
		return th.Good.Render(text) + th.Muted.Render(" in "+quantity.Duration(took))
	}
	if p.Total == 0 {
		return " " + th.Label.Render(p.Stage.String()) + "  " + quantity.Duration(p.Elapsed.Seconds())
	}
	facts := fmt.Sprintf(" %*d of %d %s", len(fmt.Sprint(p.Total)), p.Done, p.Total, p.Unit)
	if p.Rate > 0 {
		facts += fmt.Sprintf("  %s/s", plot.FormatValue(p.Rate))
	}
	if p.Flops > 0 {
		facts += fmt.Sprintf("  %.3g GF/s", p.Flops/1e9)
	}
	facts += fmt.Sprintf("  %d workers  %s", s.experiment.Workers(), quantity.Duration(p.Elapsed.Seconds()))
	if p.ETA > 0 {
		facts += ", " + quantity.Duration(p.ETA.Seconds()) + " left"
	}
	return " " + plot.Progress(p.Fraction(), max(8, width/3-12), th) + facts
}
