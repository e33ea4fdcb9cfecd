package engine

import (
	"fmt"
	"sync"
	"time"

	"rfm/model/method"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/grid"
	"rfm/solver/progress"
)

// The stages of an experiment, and parts of them. Choosing lambda by leaving functions out, if it is not given, and
// Solving belong to training. Comparing with other methods belongs to evaluation.
const (
	Generating = store.Generating
	Training   = store.Training
	Choosing   = "leave out"
	Solving    = "solve"
	Evaluating = store.Evaluating
	Comparing  = "compare"
)

// Sample returns training pair i for display, with the first channels. The first stage must be complete.
func (e *Experiment) Sample(i int) *report.Sample {
	return e.sample(e.train.Inputs.Range(i, 1), e.train.Outputs.Range(i, 1))
}

func (e *Experiment) sample(a, u grid.Batch) *report.Sample {
	p := e.Config.Of()
	return &report.Sample{Name: p.Input, Jumps: p.Jumps, Side: sideOf(a.Domain, a.Points), Input: a.Of(0, 0),
		Truth: u.Of(0, 0)}
}

// sideOf returns the number of points along an axis of fields on a grid; 0 for functions of one variable.
func sideOf(domain grid.Domain, points int) int {
	if domain.Dims == 1 {
		return 0
	}
	return points
}

// Progress is an immutable snapshot of a stage; without a name, before the first one.
type Progress struct {
	progress.Progress
	Reused   bool // the pairs come from another experiment; see Experiment.Reuse
	Finished bool
	Newest   *report.Sample // the newest pair while generating

	Validation []rfm.Validation // training: errors of models of the samples so far
	Race       []Rival          // train.method = best: the methods trained so far
	// evaluating: errors and predictions as soon as they are known, before the baselines
	Measured *Evaluation
}

// Validation is the error of a model of the first training samples on the next ones.
type Validation = rfm.Validation

// Fraction returns the finished share of the stage, between 0 and 1.
func (p Progress) Fraction() float64 {
	if p.Finished {
		return 1
	}
	return p.Progress.Fraction()
}

// tracker counts finished units. Workers write it while other goroutines take snapshots.
type tracker struct {
	mutex        sync.Mutex
	progress     Progress
	flopsPerUnit float64
}

func (t *tracker) begin(stage, unit string, total int) (before Progress) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	before = t.progress
	t.progress = Progress{Progress: progress.Progress{Stage: stage, Unit: unit, Total: total, Began: time.Now()},
		Newest: before.Newest, Validation: before.Validation, Race: before.Race}
	if stage != Evaluating {
		t.progress.Measured = before.Measured
	}
	t.flopsPerUnit = 0
	return before
}

// parts maps the parts of a training to stages.
var parts = map[method.Part]string{method.Summing: Training, method.Choosing: Choosing, method.Solving: Solving}

// Begin implements method.Watch, as do Work, Advance, Skip and Validated.
func (t *tracker) Begin(p method.Part, unit string, total int) { t.begin(parts[p], unit, total) }

// digress begins the comparison of a finished stage with others; the returned function ends it.
func (t *tracker) digress(unit string, total int) func() {
	finished := t.begin(Comparing, unit, total)
	return func() {
		t.set(func(p *Progress) {
			finished.Race = p.Race
			*p = finished
		})
	}
}

// set changes the progress.
func (t *tracker) set(change func(*Progress)) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	change(&t.progress)
}

// Skip counts units of an earlier session.
func (t *tracker) Skip(units int) {
	t.set(func(p *Progress) { p.Done, p.Before = p.Done+units, p.Before+units })
}

// Work sets the number of floating point operations of a unit.
func (t *tracker) Work(flopsPerUnit float64) {
	t.set(func(*Progress) { t.flopsPerUnit = flopsPerUnit })
}

// Advance counts finished units.
func (t *tracker) Advance(done int) { t.set(func(p *Progress) { p.Done += done }) }

// Validated publishes validation errors.
func (t *tracker) Validated(points []rfm.Validation) {
	t.set(func(p *Progress) { p.Validation = points })
}

func (t *tracker) finish() {
	t.set(func(p *Progress) {
		if !p.Finished {
			p.Now, p.Finished = time.Now(), true
		}
	})
}

// Progress returns a snapshot of the current stage.
func (e *Experiment) Progress() Progress {
	t := &e.tracker
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p := t.progress
	p.Reused = e.reused
	if p.Stage == "" {
		return p
	}
	if !p.Finished {
		p.Now = time.Now()
	}
	if flops := p.Rate() * t.flopsPerUnit; flops > 0 {
		p.Note = fmt.Sprintf("%.3g GF/s", flops/1e9)
	}
	return p
}
