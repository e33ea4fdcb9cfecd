// This file publishes how far a stage has come.

package experiment

import (
	"sync"
	"time"
)

// Stage is what an experiment is doing.
type Stage int

// The stages. Solving is the second half of training.
const (
	Idle Stage = iota
	Generating
	Training
	Solving
	Evaluating
)

// String is the stage as a heading.
func (s Stage) String() string {
	return [...]string{"idle", "generate", "train", "solve", "evaluate"}[s]
}

// Sample is a pair on one grid, for people to look at.
type Sample struct {
	Input, Truth []float64
	Side         int // points along an axis of fields on the unit square, row-major; 0 for functions of one variable
}

// Progress is an immutable snapshot of a stage.
type Progress struct {
	Stage    Stage
	Unit     string // what is counted
	Done     int
	Total    int // 0 if it is not known how much there is to do
	Finished bool
	Elapsed  time.Duration
	Rate     float64       // units per second
	ETA      time.Duration // time left at that rate; 0 until it is known
	Flops    float64       // floating point operations per second in training, 0 elsewhere
	Newest   *Sample       // the newest pair while generating
}

// Fraction is the share of the stage that is done, between 0 and 1.
func (p Progress) Fraction() float64 {
	switch {
	case p.Finished:
		return 1
	case p.Total == 0:
		return 0
	}
	return float64(p.Done) / float64(p.Total)
}

// tracker counts; workers write it and people read it.
type tracker struct {
	mutex        sync.Mutex
	progress     Progress
	started      time.Time
	flopsPerUnit float64
}

func (t *tracker) begin(stage Stage, unit string, total int) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	newest := t.progress.Newest
	t.progress = Progress{Stage: stage, Unit: unit, Total: total, Newest: newest}
	t.started = time.Now()
	t.flopsPerUnit = 0
}

// work says how many floating point operations a unit takes.
func (t *tracker) work(flopsPerUnit float64) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.flopsPerUnit = flopsPerUnit
}

func (t *tracker) advance(done int, newest *Sample) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress.Done += done
	if newest != nil {
		t.progress.Newest = newest
	}
}

func (t *tracker) finish() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.progress.Elapsed = time.Since(t.started)
	t.progress.Finished = true
}

// Progress is how far the current stage has come.
func (e *Experiment) Progress() Progress {
	t := &e.tracker
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p := t.progress
	if p.Stage == Idle {
		return p
	}
	if !p.Finished {
		p.Elapsed = time.Since(t.started)
	}
	if seconds := p.Elapsed.Seconds(); seconds > 0 && p.Done > 0 {
		p.Rate = float64(p.Done) / seconds
		p.Flops = p.Rate * t.flopsPerUnit
		if !p.Finished && p.Total > 0 {
			p.ETA = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second))
		}
	}
	return p
}
