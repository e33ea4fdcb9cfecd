// This file says how often finished rows are stored.

package engine

import (
	"sync"
	"time"
)

// costFactor is how many times the last checkpoint's time passes until the next: they take less than 1/costFactor of
// all time.
const costFactor = 50

// longRun is how many checkpoints are made in the time that a run has taken, if that is long: their number grows
// slowly.
const longRun = 1000

// pace says when it is time for a checkpoint. It may be used from several goroutines.
type pace struct {
	interval time.Duration // least time between two
	factor   int           // costFactor

	begun time.Time

	mutex sync.Mutex
	last  time.Time     // when the last one ended
	cost  time.Duration // what it took
	all   time.Duration // what all of them took
}

// newPace begins now; interval 0 means DefaultCheckpoint.
func newPace(interval time.Duration) *pace {
	if interval == 0 {
		interval = DefaultCheckpoint
	}
	now := time.Now()
	return &pace{interval: interval, factor: costFactor, begun: now, last: now}
}

// due says whether it is time for a checkpoint.
func (p *pace) due(now time.Time) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return now.Sub(p.last) >= max(p.interval, time.Duration(p.factor)*p.cost, now.Sub(p.begun)/longRun)
}

// spent takes note of a checkpoint that has just ended.
func (p *pace) spent(begin, end time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last, p.cost = end, end.Sub(begin)
	p.all += p.cost
}

// total is what all checkpoints took.
func (p *pace) total() time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.all
}
