package study

import (
	"sync"
	"time"
)

// Progress is a snapshot of what is being computed.
type Progress struct {
	Study    string
	Activity string
	Done     int
	Total    int
	Elapsed  time.Duration // of the activity
	Draw     int           // the draw of data and features that is computed, from 1; 0 if there is only one
	Draws    int           // of them
}

// tracker counts; workers write it and people read it.
type tracker struct {
	mutex    sync.Mutex
	progress Progress
	started  time.Time
}

// enter says which study runs from now on.
func (t *tracker) enter(study string) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress, t.started = Progress{Study: study}, time.Now()
}

// begin says what is counted from now on.
func (t *tracker) begin(activity string, total int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress, t.started = Progress{Study: t.progress.Study, Activity: activity, Total: total, Draw: t.progress.Draw,
		Draws: t.progress.Draws}, time.Now()
}

// draw says which of so many draws is computed from now on.
func (t *tracker) draw(number, count int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress.Draw, t.progress.Draws = number, count
}

func (t *tracker) advance(added int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress.Done += added
}

func (t *tracker) snapshot() Progress {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p := t.progress
	if !t.started.IsZero() {
		p.Elapsed = time.Since(t.started)
	}
	return p
}
