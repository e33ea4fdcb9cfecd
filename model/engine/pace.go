// This file decides how often finished rows are stored.

package engine

import (
	"sync"
	"time"
)

// costFactor is the ratio of the pause after a checkpoint to its duration: checkpoints take less than 1/costFactor of
// the run's time.
const costFactor = 50

// longRun limits the number of checkpoints of a long run: an interval is at least 1/longRun of the elapsed time.
const longRun = 1000

// pace decides when a checkpoint is due. It may be used from several goroutines.
type pace struct {
	interval time.Duration // least time between two checkpoints
	factor   int           // costFactor

	begun time.Time

	mutex sync.Mutex
	last  time.Time     // end of the last checkpoint
	cost  time.Duration // duration of the last checkpoint
	all   time.Duration // total duration of all checkpoints
}

// newPace returns a pace that begins now; interval 0 means DefaultCheckpoint.
func newPace(interval time.Duration) *pace {
	if interval == 0 {
		interval = defaultCheckpoint
	}
	now := time.Now()
	return &pace{interval: interval, factor: costFactor, begun: now, last: now}
}

// due reports whether it is time for a checkpoint.
func (p *pace) due(now time.Time) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return now.Sub(p.last) >= max(p.interval, time.Duration(p.factor)*p.cost, now.Sub(p.begun)/longRun)
}

// spent records a checkpoint that has just ended.
func (p *pace) spent(begin, end time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.last, p.cost = end, end.Sub(begin)
	p.all += p.cost
}

// total returns the total duration of all checkpoints.
func (p *pace) total() time.Duration {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.all
}
