package widget

import (
	"rfm/tui/keys"
	"rfm/tui/ui"
)

// Rank is a position among samples in the order of their errors, counted from 0.
type Rank int

// Median returns the rank of the median of n samples.
func Median(n int) Rank { return Rank((n - 1) / 2) }

// leap is the number of samples of a page.
const leap = 10

// Commands returns the keys that choose one of count samples: neighbours, then best, median and worst, then pages.
func (r *Rank) Commands(count func() int) []ui.Command {
	hasSamples := func() bool { return count() > 0 }
	to := func(key keys.Key, word, help string, rank func() Rank) ui.Command {
		move := func() {
			last := Rank(count()) - 1
			*r = min(max(rank(), 0), last)
		}
		command := ui.Command{
			Key:  key,
			Word: word,
			Help: help,
			Do:   ui.Now(move),
		}
		return command.When(hasSamples, "there are no samples yet")
	}
	by := func(samples Rank) func() Rank {
		return func() Rank { return *r + samples }
	}
	best := func() Rank { return 0 }
	median := func() Rank { return Median(count()) }
	worst := func() Rank { return Rank(count()) - 1 }
	return []ui.Command{
		to(keys.Left, "sample", "the next better sample", by(-1)),
		to(keys.Right, "sample", "the next worse sample", by(1)),
		to(keys.First, "best", "sample with the smallest error", best),
		to(keys.Median, "median", "sample with the median error", median),
		to(keys.Last, "worst", "sample with the largest error", worst),
		to(keys.PageUp, "10 samples", "ten samples back", by(-leap)),
		to(keys.PageDown, "10 samples", "ten samples on", by(leap)),
	}
}
