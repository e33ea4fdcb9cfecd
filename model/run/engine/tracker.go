// This file counts the progress of the stages.

package engine

import (
	"fmt"
	"sync"
	"time"

	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/show/report"
	"rfm/solver/base/progress"
)

// Progress is an immutable snapshot of a stage; without a name, before the first one.
type Progress struct {
	progress.Progress
	Reused   bool // the pairs come from another experiment; see Experiment.Reuse
	Finished bool
	Newest   *report.Sample // the newest pair while generating

	Validation []score.Validation // training: errors of models of the samples so far
	Race       []Row              // train.method = best: the methods trained so far
	// evaluating: errors and predictions as soon as they are known, before the baselines
	Measured *Evaluation
}

// Validation is the error of a model of the first training samples on the next ones.
type Validation = score.Validation

// Fraction returns the finished share of the stage, between 0 and 1.
func (p Progress) Fraction() float64 {
	if p.Finished {
		return 1
	}
	return p.Progress.Fraction()
}

// Tracker counts finished units. Workers write it while other goroutines take snapshots.
type Tracker struct {
	mutex        sync.Mutex
	progress     Progress
	flopsPerUnit float64
}

func (t *Tracker) begin(stage, unit string, total int) (before Progress) {
	t.Set(func(p *Progress) {
		before = *p
		t.flopsPerUnit = 0
		now := progress.Progress{
			Stage: stage,
			Unit:  unit,
			Total: total,
			Began: time.Now(),
		}
		*p = Progress{
			Progress:   now,
			Newest:     before.Newest,
			Validation: before.Validation,
			Race:       before.Race,
		}
		if stage != Evaluating {
			p.Measured = before.Measured
		}
	})
	return before
}

// parts maps the parts of a training to stages.
var parts = map[operator.Part]string{
	operator.Summing:    Training,
	operator.Choosing:   Choosing,
	operator.Solving:    Solving,
	operator.Descending: Training,
}

// Begin implements operator.Watch, as do Work, Advance, Skip and Validated.
func (t *Tracker) Begin(p operator.Part, unit string, total int) { t.begin(parts[p], unit, total) }

// digress begins the comparison of a finished stage with others; the returned function ends it.
func (t *Tracker) digress(unit string, total int) func() {
	finished := t.begin(Comparing, unit, total)
	return func() {
		t.Set(func(p *Progress) {
			finished.Race = p.Race
			*p = finished
		})
	}
}

// Set changes the progress.
func (t *Tracker) Set(change func(*Progress)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	change(&t.progress)
}

// Skip counts units of an earlier session.
func (t *Tracker) Skip(units int) {
	t.Set(func(p *Progress) {
		p.Done += units
		p.Before += units
	})
}

// Work sets the number of floating point operations of a unit.
func (t *Tracker) Work(flopsPerUnit float64) {
	t.Set(func(*Progress) { t.flopsPerUnit = flopsPerUnit })
}

// Advance counts finished units.
func (t *Tracker) Advance(done int) { t.Set(func(p *Progress) { p.Done += done }) }

// Validated publishes validation errors.
func (t *Tracker) Validated(points []score.Validation) {
	t.Set(func(p *Progress) { p.Validation = points })
}

func (t *Tracker) finish() {
	t.Set(func(p *Progress) {
		if !p.Finished {
			p.Now = time.Now()
			p.Finished = true
		}
	})
}

// Now returns a snapshot.
func (t *Tracker) Now() (now Progress) {
	t.Set(func(p *Progress) {
		now = *p
		if !now.Began.IsZero() && !now.Finished {
			now.Now = time.Now()
		}
		flops := now.Rate() * t.flopsPerUnit
		if flops > 0 {
			now.Note = fmt.Sprintf("%.3g GF/s", flops/1e9)
		}
	})
	return now
}

// Progress returns a snapshot of the current stage.
func (e *Experiment) Progress() Progress {
	now := e.tracker.Now()
	now.Reused = e.reused
	return now
}
