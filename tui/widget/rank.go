package widget

import (
	"rfm/tui/keys"
	"rfm/tui/ui"
)

// Rank is a position among samples in the order of their errors, counted from 0.
type Rank int

// Median returns the rank of the median of n samples.
func Median(n int) Rank { return Rank((n - 1) / 2) }

// Commands returns the keys that choose one of n samples: neighbours, then best, median and worst, then pages.
func (r *Rank) Commands(n int) []ui.Command {
	to := func(key keys.Key, word, help string, rank func() Rank) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() { *r = min(max(rank(), 0), Rank(n)-1) })}.
			When(n > 0, "there are no samples yet")
	}
	by := func(samples Rank) func() Rank { return func() Rank { return *r + samples } }
	at := func(rank Rank) func() Rank { return func() Rank { return rank } }
	return []ui.Command{to(keys.Left, "sample", "the next better sample", by(-1)),
		to(keys.Right, "sample", "the next worse sample", by(1)),
		to(keys.First, "best", "sample with the smallest error", at(0)),
		to(keys.Median, "median", "sample with the median error", at(Median(n))),
		to(keys.Last, "worst", "sample with the largest error", at(Rank(n)-1)),
		to(keys.PageUp, "10 samples", "ten samples back", by(-10)),
		to(keys.PageDown, "10 samples", "ten samples on", by(10))}
}
