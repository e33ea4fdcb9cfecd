package evaluate

import (
	"fmt"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// selection is one of the test samples in the order of their errors. The tabs share it.
type selection struct {
	session *session.Session
	room    ui.Canvas          // of the screen
	of      *engine.Evaluation // what ranking belongs to
	ranking []int              // test samples by ascending error
	rank    int                // position in it
	channel int                // of functions with several
}

// take begins with the median sample of a new evaluation.
func (c *selection) take(e *engine.Evaluation) {
	c.of, c.ranking = e, e.Test.Ranking()
	c.rank, c.channel = (len(c.ranking)-1)/2, 0
}

// exists: every evaluation has samples.
func (c *selection) exists() bool { return true }

// sample is the index of the chosen one among the test pairs.
func (c *selection) sample() int { return c.ranking[c.rank] }

// browsing are the keys that choose a sample, but for left and right: some tabs have other uses for them.
func (c *selection) browsing() []ui.Command {
	to := func(key keys.Key, word string, rank int) ui.Command {
		return ui.Command{Key: key, Word: word, Help: "sample with the " +
			map[string]string{"best": "smallest", "median": "median", "worst": "largest"}[word] + " error",
			Do: ui.Now(func() { c.rank = rank })}
	}
	last := len(c.ranking) - 1
	return []ui.Command{to(keys.First, "best", 0), to(keys.Median, "median", last/2),
		to(keys.Last, "worst", last),
		c.moving(keys.PageUp, "10 samples", "ten samples back", -10),
		c.moving(keys.PageDown, "10 samples", "ten samples on", 10)}
}

// channels is the number of channels to choose from.
func (c *selection) channels() int {
	if c.of == nil {
		return 1
	}
	return max(c.of.TestPairs.Inputs.Domain.Width(), c.of.TestPairs.Outputs.Domain.Width())
}

// moving is a key that goes on by some samples.
func (c *selection) moving(key keys.Key, word, help string, samples int) ui.Command {
	return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() { c.move(samples) })}
}

// sideways are left and right where they choose a sample.
func (c *selection) sideways() []ui.Command {
	return []ui.Command{c.moving(keys.Left, "sample", "the next better sample", -1),
		c.moving(keys.Right, "sample", "the next worse sample", 1)}
}

// move goes on by some samples, not beyond the ends.
func (c *selection) move(samples int) {
	c.rank = min(max(c.rank+samples, 0), len(c.ranking)-1)
}

// heading says which sample is on show, where, and how good it is.
func (c *selection) heading(on look.Look, where string, relative float64) string {
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
	if c.channels() > 1 {
		in, out := c.of.TestPairs.Inputs.Domain.Width(), c.of.TestPairs.Outputs.Domain.Width()
		place += fmt.Sprintf("  channel %d of %d in, %d of %d out", c.channel%in+1, in, c.channel%out+1, out)
	}
	return on.Theme.Value.Render(fmt.Sprintf(" sample %d%s  error %s", c.sample(), where, report.Error(relative, 4))) +
		on.Theme.Muted.Render("  "+place)
}
