// This file is the screen that shows the data while they are made.

package screen

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/engine"
	"rfm/tui/chart"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/widget"
)

// generate shows the newest pairs and what the pairs so far have in common. Once the data are there, it steps through the
// training pairs.
type generate struct {
	pair    int
	of      *engine.Experiment // what seen belongs to
	seen    engine.Progress    // what the pictures show while the step runs
	changed time.Time          // when it was taken
	gallery widget.Gallery
	picture widget.Cache
}

// freshEvery is the time between two new pictures while data are made: numbers change often, pictures cost bytes. On a
// terminal that may be far away they wait until the last one was worth its bytes.
func (g *generate) freshEvery(s *session, sample *engine.Sample) time.Duration {
	const functions, fields = 4000, 2000 // bytes a second; of a new plot most cells are blank again, of a map none
	least, rate := 3*time.Second, time.Duration(fields)
	switch {
	case sample.Side == 0:
		least, rate = time.Second, functions
	case s.Depth == plot.TrueColor:
		return least
	}
	return max(least, time.Duration(g.picture.Size())*time.Second/rate)
}

// Smallest useful pictures of a pair of functions, of a field, and of fields when there is a choice.
var (
	leastPair  = widget.Size{Width: 36, Height: 12}
	leastField = widget.Size{Width: 26, Height: 8}
	goodField  = widget.Size{Width: 28, Height: 13}
)

const newestPair = "newest pair"

func (g *generate) least(s *session) widget.Size {
	if s.experiment.Config.Dims() == 2 {
		return leastField
	}
	return leastPair
}

func (g *generate) actions(s *session) []keys.Action {
	var list []keys.Action
	if s.reached >= generating {
		list = append(list, keys.Left, keys.Right)
	}
	if g.gallery.Turns(s.width, s.height-len(g.head(s)), len(g.pictures(s)), g.least(s)) {
		list = append(list, keys.View)
	}
	if s.reached >= generating {
		list = append(list, keys.PageUp, keys.PageDown)
	}
	return list
}

func (g *generate) means(_ *session, action keys.Action) string {
	switch action {
	case keys.Left, keys.Right:
		return "pair"
	case keys.PageUp, keys.PageDown:
		return "10 pairs"
	}
	return ""
}

func (g *generate) do(s *session, action keys.Action) tea.Cmd {
	if action == keys.View {
		g.gallery.Next(s.width, s.height-len(g.head(s)), len(g.pictures(s)), g.least(s))
		return nil
	}
	train, _ := s.experiment.Pairs()
	step := map[keys.Action]int{keys.Left: -1, keys.Right: 1, keys.PageUp: -10, keys.PageDown: 10}[action]
	n := train.Count()
	g.pair = ((g.pair+step)%n + n) % n
	return nil
}

func (g *generate) render(s *session, width, height int) string {
	head := g.head(s)
	list := g.pictures(s)
	if len(list) == 0 {
		return strings.Join(append(head, "", s.Theme.Muted.Render(" no pair is finished yet")), "\n")
	}
	type key struct {
		experiment    *engine.Experiment
		pair          int
		seen          time.Time
		done          bool
		first         int
		width, height int
		appearance    look.Appearance
	}
	k := key{s.experiment, g.pair, g.changed, s.reached >= generating, g.gallery.First, width, height, s.Appearance()}
	return strings.Join(head, "\n") + "\n" + g.picture.Get(k, func() string {
		return g.gallery.Render(s.Theme, width, height-len(head), g.least(s), list)
	})
}

// head is the progress, the problem that is solved, and how large the functions are.
func (g *generate) head(s *session) []string {
	th := s.Theme
	title := "" // pairs of functions have theirs in the plot
	if s.experiment.Config.Dims() == 2 {
		title = th.Title.Render(g.title(s)) + "  "
	}
	return []string{progressLine(s, generating, s.width), th.Muted.Render(" " + formula.Equation(s.experiment.Config)), " " + title + g.sizes(s, s.width-1-lipgloss.Width(title))}
}

// sizes sums up the norms of the pairs so far in room cells, and their energy beside that of the measure they are drawn from.
func (g *generate) sizes(s *session, room int) string {
	th, p := s.Theme, s.progress(generating)
	if p.Inputs.Count == 0 {
		return ""
	}
	write := func(symbol string, a engine.Amplitudes, spread string) string {
		if spread != "" {
			spread += plot.FormatValue(a.Spread)
		}
		return th.Label.Render(symbol+" ") + th.Value.Render(plot.FormatValue(a.Mean)) + th.Muted.Render(spread+"  ")
	}
	text := ""
	for _, spread := range []string{" spread ", " +- ", ""} {
		if text = write("|a|", p.Inputs, spread) + write("|u|", p.Outputs, spread); lipgloss.Width(text) <= room+1 { // blanks at the end
			break
		}
	}
	const energyWidth = 25
	if expected := sum(p.Expected); expected > 0 && len(p.Spectrum) > 0 && lipgloss.Width(text)+energyWidth <= room {
		text += th.Label.Render("energy ") + th.Value.Render(plot.FormatValue(sum(p.Spectrum)/expected)) + th.Muted.Render(" of expected")
	}
	return text
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// pictures are the pairs, newest first, and the spectrum; while the step runs they change only every freshEvery.
func (g *generate) pictures(s *session) []widget.Picture {
	if s.experiment == nil {
		return nil
	}
	p := s.progress(generating)
	if s.reached >= generating {
		return append(g.samplePictures(s, g.chosen(s), g.title(s)), spectrumPictures(s, p)...)
	}
	if g.seen.Newest == nil {
		return nil
	}
	list := g.samplePictures(s, g.seen.Newest, newestPair)
	list = append(list, spectrumPictures(s, g.seen)...)
	for i := range g.before(s) {
		list = append(list, g.samplePictures(s, g.seen.Recent[len(g.seen.Recent)-2-i], "pair before")...)
	}
	return list
}

// follow takes over the newest pair once the last one was on show long enough.
func (g *generate) follow(s *session) {
	if g.of != s.experiment {
		g.of, g.seen, g.changed, g.pair = s.experiment, engine.Progress{}, time.Time{}, 0
	}
	if s.experiment == nil {
		return
	}
	if s.reached >= generating {
		train, _ := s.experiment.Pairs()
		g.pair = min(g.pair, train.Count()-1)
		return
	}
	if p := s.progress(generating); p.Newest != nil && p.Newest != g.seen.Newest && time.Since(g.changed) >= g.freshEvery(s, p.Newest) {
		g.seen, g.changed = p, time.Now()
	}
}

// before is how many pairs are shown besides the newest one: fields only if they are large enough.
func (g *generate) before(s *session) int {
	count := len(g.seen.Recent) - 1
	if g.seen.Newest.Side > 0 {
		const maps = 4 // of two pairs
		if widget.Arrange(s.width, s.height-len(g.head(s)), maps, goodField).Count() < maps {
			return 0
		}
		count = min(count, 1)
	}
	return max(0, count)
}

// chosen is the training pair on show once the data are there.
func (g *generate) chosen(s *session) *engine.Sample {
	train, _ := s.experiment.Pairs()
	sample := &engine.Sample{Input: train.Inputs.At(g.pair), Truth: train.Outputs.At(g.pair)}
	if train.Inputs.Domain.Dims == 2 {
		sample.Side = train.Inputs.Points
	}
	return sample
}

// title names the pair on show, the newest one while the step runs.
func (g *generate) title(s *session) string {
	if s.reached < generating {
		return newestPair
	}
	train, _ := s.experiment.Pairs()
	return fmt.Sprintf("training pair %d of %d on %s", g.pair+1, train.Count(), formula.Grid(s.experiment.Config, train.Inputs.Points))
}

// samplePictures draws a pair: two functions in one plot, or two fields.
func (g *generate) samplePictures(s *session, sample *engine.Sample, title string) []widget.Picture {
	if sample.Side == 0 {
		return []widget.Picture{{Name: title, Draw: func(width, height int) string { return chart.Pair(s.Look, sample, title, width, height) }}}
	}
	input, solution := chart.InputMap(s.Look, s.experiment.Config, sample.Input, sample.Side), chart.HeatMap(s.Look, "solution u", sample.Truth, sample.Side)
	return []widget.Picture{{Name: input.Title, Draw: chart.MapBlock(input)}, {Name: solution.Title, Draw: chart.MapBlock(solution)}}
}

// spectrumPictures draws the mean spectrum of the inputs beside that of the measure, if there are any.
func spectrumPictures(s *session, p engine.Progress) []widget.Picture {
	if len(p.Spectrum) < 3 {
		return nil
	}
	const name = "spectrum of a"
	return []widget.Picture{{Name: name, Draw: func(width, height int) string {
		k := counting(len(p.Spectrum) - 1)
		line := plot.Line{Width: width, Height: height, X0: 1, X1: k[len(k)-1], LogX: true, LogY: true, XLabel: "k", Title: name, Theme: s.Theme}
		if len(p.Expected) == len(p.Spectrum) {
			line.Series = append(line.Series, plot.Series{Name: "expected spectrum", Y: p.Expected[1:], X: k, Style: s.Theme.Published, Pen: plot.Dotted})
		}
		line.Series = append(line.Series, plot.Series{Name: "mean |a_k|^2", Y: p.Spectrum[1:], X: k, Style: s.Theme.Input})
		return line.Render()
	}}}
}
