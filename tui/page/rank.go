package page

import (
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
	to := func(key ui.Key, word, help string, rank func() Rank) ui.Command {
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
		to(ui.KeyLeft, "sample", "the next better sample", by(-1)),
		to(ui.KeyRight, "sample", "the next worse sample", by(1)),
		to(ui.KeyFirst, "best", "sample with the smallest error", best),
		to(ui.KeyMedian, "median", "sample with the median error", median),
		to(ui.KeyLast, "worst", "sample with the largest error", worst),
		to(ui.KeyPageUp, "10 samples", "ten samples back", by(-leap)),
		to(ui.KeyPageDown, "10 samples", "ten samples on", by(leap)),
	}
}
