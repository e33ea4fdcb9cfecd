// Package progress reports the progress of work: one type and one wording, from inner loops to bars, lines and logs.
package progress

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rfm/solver/base/printable"
)

// Progress is a snapshot of one stage of work.
type Progress struct {
	Stage       string    // title: generate, train
	Unit        string    // of Done and Total, plural: pairs, samples
	Done, Total int       // units; Total is 0 if it is unknown
	Before      int       // units of Done of earlier sessions
	Began, Now  time.Time // when this session began the stage, and the time of the snapshot
	Note        string    // shown next to the count: a speed, the name of a unit
}

// Func receives snapshots. It may be called from any goroutine.
type Func func(Progress)

// Fraction returns the completed share, between 0 and 1, or 0 if the total is unknown.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	fraction := float64(p.Done) / float64(p.Total)
	return min(1, fraction)
}

// Elapsed returns the time since this session began the stage.
func (p Progress) Elapsed() time.Duration {
	return max(0, p.Now.Sub(p.Began))
}

// Rate returns the number of units per second of this session, or 0 before the first unit.
func (p Progress) Rate() float64 {
	seconds := p.Elapsed().Seconds()
	if seconds <= 0 || p.Done <= p.Before {
		return 0
	}
	return float64(p.Done-p.Before) / seconds
}

// few is a total below which units, as methods to learn with, may differ so much in size that a rate tells nothing.
const few = 10

// Left returns the remaining time at this rate, or 0 if it is unknown, units are few, or the work is complete.
func (p Progress) Left() time.Duration {
	rate := p.Rate()
	if rate == 0 || p.Done >= p.Total || p.Total < few {
		return 0
	}
	seconds := float64(p.Total-p.Done) / rate
	return time.Duration(seconds * float64(time.Second))
}

// Line formats a snapshot in at most width characters if possible: count, time, rate, note, time left. To fit, it omits
// first the note, then the rate, then the time; it always keeps the count and the time left. A width of 0 means no
// limit.
func (p Progress) Line(width int) string {
	elapsed := ""
	if !p.Began.IsZero() {
		elapsed = printable.Duration(p.Elapsed().Seconds())
	}
	if p.Total == 0 {
		return elapsed
	}
	const ( // the parts of the line
		count = iota
		since
		pace
		note
		left
	)
	parts := []string{
		count: fmt.Sprintf("%d of %d %s", p.Done, p.Total, p.Unit),
		since: elapsed,
		note:  p.Note,
		left:  "",
	}
	rate := p.Rate()
	switch {
	case rate <= 0 || p.Total < few:
	case rate >= 100:
		parts[pace] = fmt.Sprintf("%.0f/s", rate)
	default:
		parts[pace] = fmt.Sprintf("%.3g/s", rate)
	}
	if rest := p.Left(); rest > 0 {
		parts[left] = printable.Duration(rest.Seconds()) + " left"
	}
	isEmpty := func(part string) bool { return part == "" }
	join := func() string {
		return strings.Join(slices.DeleteFunc(slices.Clone(parts), isEmpty), ", ")
	}
	for _, part := range []int{note, pace, since} {
		if width > 0 && utf8.RuneCountInString(join()) > width {
			parts[part] = ""
		}
	}
	return join()
}
