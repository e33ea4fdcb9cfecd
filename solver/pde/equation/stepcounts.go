// This file chooses into how many equal steps the time from one stop to the next is divided.

package equation

import "math"

// The numbers of steps that are tried. Those from 4 on have four values an octave (4, 5, 6, 7, 8, 10, 12, 14, 16, ...), so that
// few tables serve many steps. Where tables are matrices, which cost more than steps, they are powers of two.
const (
	firstCount = 16      // of the whole time
	mostCount  = 1 << 30 // between two stops
	// closeEstimate is the error in units of the tolerance for which a step is chosen.
	closeEstimate = 0.64
	mostFiner     = 4 // by which the number of steps grows at once
)

// counts are the numbers of steps that are tried.
type counts struct{ powersOfTwo bool }

// after returns the next larger number.
func (c counts) after(count int) int {
	if c.powersOfTwo {
		return 2 * count
	}
	octave := 1
	for 2*octave <= count {
		octave *= 2
	}
	return count + max(1, octave/4)
}

// finer returns the smallest number that is larger than count and no less than least, with which done of count steps are a
// whole number of steps again.
func (c counts) finer(count, done int, least float64) int {
	next := c.after(count)
	for float64(next) < least || done*next%count != 0 {
		next = c.after(next)
	}
	return next
}

// coarser returns the smallest number that is no less than least, with which done of count steps are a whole number of steps
// again: count itself if there is no smaller one.
func (c counts) coarser(count, done int, least float64) int {
	next := 1
	for next < count && (float64(next) < least || done*next%count != 0) {
		next = c.after(next)
	}
	return min(next, count)
}

// finerBy returns the factor of the number of steps with which an estimate in units of the tolerance becomes closeEstimate, by a
// scheme of order four.
func finerBy(estimate float64) float64 {
	factor := math.Pow(estimate/closeEstimate, 0.25)
	isKnown := factor < mostFiner // NaN is not
	if !isKnown {
		return mostFiner
	}
	return factor
}
