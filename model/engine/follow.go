package engine

import (
	"rfm/model/method"
	"rfm/model/rfm"
)

// follower follows the training of an experiment.
type follower struct{ e *Experiment }

// stages are those of the parts of a training.
var stages = map[method.Part]Stage{method.Summing: Training, method.Choosing: Choosing, method.Solving: Solving}

// Begin is one of method.Watch.
func (f *follower) Begin(p method.Part, unit string, total int) {
	f.e.tracker.begin(stages[p], unit, total)
}

// Work is one of method.Watch.
func (f *follower) Work(flops float64) { f.e.tracker.work(flops) }

// Advance is one of method.Watch.
func (f *follower) Advance(units int) { f.e.tracker.advance(units) }

// Skip is one of method.Watch.
func (f *follower) Skip(units int) { f.e.tracker.skip(units) }

// Validated is one of method.Watch.
func (f *follower) Validated(points []rfm.Validation) { f.e.tracker.validated(points) }
