// This file is the screen that shows the data while they are made.

package screen

import (
	"fmt"
	"time"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/solver/grid"
	"rfm/tui/keys"
	"rfm/tui/plot"
)

// generate shows progress and the newest pair. Once the data are there, it steps through the training pairs.
type generate struct {
	pair     int
	newest   *experiment.Sample // the pair on show while the step runs
	changed  time.Time          // when newest was taken
	solution bool               // where there is room for one map only: it is the solution's
	picture  cache
}

// freshEvery is the time between two new pictures while data are made: numbers change often, pictures cost bytes, and
// those of fields several times more than those of functions. On a terminal that may be far away they wait until the
// last one was worth its bytes.
func (g *generate) freshEvery(s *session, sample *experiment.Sample) time.Duration {
	const bytesPerSecond = 4000
	switch {
	case sample.Side == 0:
		return time.Second
	case s.depth == plot.TrueColor:
		return 3 * time.Second
	}
	return max(3*time.Second, time.Duration(len(g.picture.text))*time.Second/bytesPerSecond)
}

// aboveThePair is the number of lines above the picture: progress, the equation, the title.
const aboveThePair = 3

// together says whether both fields of a pair fit on the screen.
func (g *generate) together(s *session) bool {
	return shapeOf(s.width, s.height-aboveThePair, 2).count() == 2
}

func (g *generate) actions(s *session) []keys.Action {
	var list []keys.Action
	if s.reached >= generating {
		list = append(list, keys.Left, keys.Right)
	}
	if s.experiment.Config.Problem == config.Darcy && !g.together(s) {
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

func (g *generate) do(s *session, action keys.Action) {
	if action == keys.View {
		g.solution = !g.solution
		return
	}
	train, _ := s.experiment.Pairs()
	step := map[keys.Action]int{keys.Left: -1, keys.Right: 1, keys.PageUp: -10, keys.PageDown: 10}[action]
	n := train.Count()
	g.pair = ((g.pair+step)%n + n) % n
}

func (g *generate) render(s *session, width, height int) string {
	th := s.theme
	lines := progressLine(s, generating, width) + "\n" + th.Muted.Render(" "+equation(s.experiment.Config)) + "\n"
	sample, title := g.sample(s)
	if sample == nil {
		return lines + "\n" + th.Muted.Render(" no pair is finished yet")
	}
	type key struct {
		sample        *float64
		title         string
		solution      bool
		width, height int
		appearance    appearance
	}
	return lines + g.picture.get(key{&sample.Input[0], title, g.solution, width, height, s.appearance()}, func() string {
		if sample.Side == 0 {
			return "\n" + s.functionPair(sample, title, width, height-aboveThePair)
		}
		return th.Title.Render(" "+title) + "\n" + g.fields(s, sample, width, height-aboveThePair)
	})
}

// sample is the pair to show, nil if there is none yet, and what to call it.
func (g *generate) sample(s *session) (*experiment.Sample, string) {
	if s.reached >= generating {
		train, _ := s.experiment.Pairs()
		g.pair = min(g.pair, train.Count()-1)
		c := s.experiment.Config
		sample := &experiment.Sample{Input: train.Inputs.At(g.pair), Truth: train.Outputs.At(g.pair)}
		points := train.Inputs.K
		if c.Problem == config.Darcy {
			sample.Side = grid.Side(train.Inputs.K)
			points = sample.Side
		}
		return sample, fmt.Sprintf("training pair %d of %d on %s", g.pair+1, train.Count(), gridText(c, points))
	}
	newest := s.experiment.Progress().Newest
	if newest != nil && newest != g.newest && time.Since(g.changed) >= g.freshEvery(s, newest) {
		g.newest, g.changed = newest, time.Now()
	}
	return g.newest, "the newest pair"
}

// fields draws a pair of fields, or one of the two.
func (g *generate) fields(s *session, sample *experiment.Sample, width, height int) string {
	input, solution := mapBlock(s.permeability(sample.Input, sample.Side)), mapBlock(s.heatMap("solution u", sample.Truth, sample.Side))
	switch {
	case g.together(s):
		return tiles(width, height, shapeOf(width, height, 2).columns, input, solution)
	case g.solution:
		return solution(width, height)
	}
	return input(width, height)
}
