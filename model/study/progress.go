package study

import (
	"sync"
	"time"

	"rfm/solver/progress"
)

// Progress is a snapshot of what is being computed: the study, and the activity with what is counted as its unit.
type Progress struct {
	progress.Progress
	// Draw is the draw of data and features that is computed, from 1, Draws their number; 0 if there is only one.
	Draw, Draws int
}

// tracker counts; workers write it and people read it.
type tracker struct {
	mutex    sync.Mutex
	progress Progress
}

// change changes what people see.
func (t *tracker) change(change func(p *Progress)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	change(&t.progress)
}

// enter says which study runs from now on.
func (t *tracker) enter(study string) {
	t.change(func(p *Progress) { *p = Progress{Progress: progress.Progress{Stage: study, Began: time.Now()}} })
}

// begin says what is counted from now on.
func (t *tracker) begin(activity string, total int) {
	t.change(func(p *Progress) {
		p.Progress = progress.Progress{Stage: p.Stage, Unit: activity, Total: total, Began: time.Now()}
	})
}

// draw says which of so many draws is computed from now on.
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
