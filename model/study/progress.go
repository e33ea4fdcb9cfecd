package study

import (
	"sync"
	"time"

	"rfm/solver/progress"
)

// Progress is a snapshot of the computation: the study, and its current activity with the count of its units.
type Progress struct {
	progress.Progress
	// Draw is the current draw of data and features, from 1, Draws their number; 0 if there is only one.
	Draw, Draws int
}

// tracker counts finished units. Workers write it while other goroutines take snapshots.
type tracker struct {
	mutex    sync.Mutex
	progress Progress
}

// change applies a change under the lock.
func (t *tracker) change(change func(p *Progress)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	change(&t.progress)
}

// enter sets the current study.
func (t *tracker) enter(study string) {
	t.change(func(p *Progress) { *p = Progress{Progress: progress.Progress{Stage: study, Began: time.Now()}} })
}

// begin sets the current activity and its number of units.
func (t *tracker) begin(activity string, total int) {
	t.change(func(p *Progress) {
		p.Progress = progress.Progress{Stage: p.Stage, Unit: activity, Total: total, Began: time.Now()}
	})
}

// draw sets the number of the current draw and the number of draws.
func (t *tracker) draw(number, count int) {
	t.change(func(p *Progress) { p.Draw, p.Draws = number, count })
}

func (t *tracker) advance(added int) { t.change(func(p *Progress) { p.Done += added }) }

func (t *tracker) snapshot() (now Progress) {
	t.change(func(p *Progress) { now = *p })
	if !now.Began.IsZero() {
		now.Now = time.Now()
	}
	return now
}
