// This file chooses the test sample that the tabs of the evaluation show.

package screen

import (
	"fmt"

	"rfm/model/engine"
	"rfm/tui/keys"
)

// selection is one of the test samples in the order of their errors. The tabs share it.
type selection struct {
	of      *engine.Evaluation // what ranking belongs to
	ranking []int              // test samples by ascending error
	rank    int                // position in it
}

// take begins with the median sample of a new evaluation.
func (c *selection) take(e *engine.Evaluation) {
	c.of, c.ranking = e, e.Test.Ranking()
	c.rank = (len(c.ranking) - 1) / 2
}

// exists: every evaluation has samples.
func (c *selection) exists(*session) bool { return true }

// sample is the index of the chosen one among the test pairs.
func (c *selection) sample() int { return c.ranking[c.rank] }

// browsing are the keys that choose a sample, but for left and right: some tabs have other uses for them.
func browsing() []keys.Action {
	return []keys.Action{keys.Best, keys.First, keys.Median, keys.Worst, keys.Last, keys.PageUp, keys.PageDown}
}

// move goes on by some samples, not beyond the ends.
func (c *selection) move(samples int) {
	c.rank = min(max(c.rank+samples, 0), len(c.ranking)-1)
}

// browse carries out one of the browsing keys, or left and right.
func (c *selection) browse(action keys.Action) {
	switch action {
	case keys.Left:
		c.move(-1)
	case keys.Right:
		c.move(1)
	case keys.PageUp:
		c.move(-10)
	case keys.PageDown:
		c.move(10)
	case keys.Best, keys.First:
		c.rank = 0
	case keys.Median:
		c.rank = (len(c.ranking) - 1) / 2
	case keys.Worst, keys.Last:
		c.rank = len(c.ranking) - 1
	}
}

// browseMeans are the words for the browsing keys.
func browseMeans(action keys.Action) string {
	switch action {
	case keys.PageUp, keys.PageDown:
		return "10 samples"
	case keys.First:
		return keys.Of(keys.Best).Desc
	case keys.Last:
		return keys.Of(keys.Worst).Desc
	}
	return ""
}

// heading says which sample is on show, where, and how good it is.
func (c *selection) heading(s *session, where string, relative float64) string {
	n := len(c.ranking)
	place := fmt.Sprintf("%d of %d", c.rank+1, n)
	switch c.rank {
	case 0:
		place = fmt.Sprintf("best of %d", n)
	case n - 1:
		place = fmt.Sprintf("worst of %d", n)
	case (n - 1) / 2:
		place = fmt.Sprintf("median of %d", n)
	}
	return s.Theme.Value.Render(fmt.Sprintf(" sample %d%s  error %.4f", c.sample(), where, relative)) + s.Theme.Muted.Render("  "+place)
}
