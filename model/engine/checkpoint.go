// This file stores the sums of the normal equations while they are under way, and says how often that may be.

package engine

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"rfm/model/linalg"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
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

// follower follows the training of an experiment.
type follower struct {
	e  *Experiment
	to *kept // where sums are kept; nil: nowhere
}

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

// Resume is one of method.Watch.
func (f *follower) Resume(p rfm.Pass) error {
	if f.to == nil {
		return nil
	}
	return f.to.readSums(pass{Pass: p})
}

// Keep is one of method.Watch.
func (f *follower) Keep(p rfm.Pass, last bool) error {
	if f.to == nil || !last && !f.to.pace.due(time.Now()) {
		return nil
	}
	return f.to.writeSums(pass{Pass: p}, f.e.Config.Data.Train, f.e.watch())
}

// pass is a pass over the training samples as it is stored.
type pass struct {
	rfm.Pass
	partial bool // some rows have seen one block more
}

// kind is a part of its file's name. It tells sums without the means of the samples seen from others: versions that
// took off the means of all samples from the beginning had sums of another meaning under the plain name.
func (p pass) kind() (kind string) {
	if p.Centred {
		kind = "centred-"
	}
	if p.partial {
		kind += "partial-"
	}
	return kind
}

// numbers is how many it has summed.
func (p pass) numbers() int {
	n := 0
	for _, row := range p.Rows {
		n += len(row)
	}
	return n
}

// name is the name of the checkpoint of a pass that has seen some samples.
func (p pass) name(samples int) string {
	return fmt.Sprintf("%s%s%07d.npy", store.CheckpointPrefix, p.kind(), samples)
}

// withUpdated is the pass as it is stored, under another name, if some rows have seen one block more: their number
// comes last.
func (p pass) withUpdated(updated []float64) pass {
	p.partial = true
	p.Rows = append(slices.Clip(p.Rows), updated)
	return p
}

// writeSums stores a pass instead of what the run has of it: an array with the rows one after another.
func (s *kept) writeSums(p pass, total int, seconds float64) error {
	if p.Updated != nil && *p.Updated > 0 {
		p = p.withUpdated([]float64{float64(*p.Updated)})
	}
	name := p.name(*p.Samples)
	if _, known := s.Committed().File(name); known || *p.Samples == 0 {
		return nil
	}
	begin := time.Now()
	defer func() { s.pace.spent(begin, time.Now()) }()
	err := s.Write(name, func(w io.Writer) error {
		if _, err := w.Write(npy.Preamble([]int{p.numbers()})); err != nil {
			return err
		}
		for _, row := range p.Rows {
			if err := binary.Write(w, binary.LittleEndian, row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.dropSums(name)
	return s.advance(trainStage, *p.Samples, total, seconds)
}

// readSums takes a pass to where the run has it, if it has it at all.
func (s *kept) readSums(p pass) error {
	samples := s.Manifest().Training.Done
	name, updated := p.name(samples), make([]float64, 1)
	if _, ok := s.Manifest().File(name); !ok {
		if p.Updated == nil {
			return nil
		}
		p = p.withUpdated(updated)
		name = p.name(samples)
		if _, ok := s.Manifest().File(name); !ok {
			return nil
		}
	}
	a, err := npy.ReadFile(s.File(name))
	if err != nil {
		return err
	}
	if len(a.Data) != p.numbers() {
		return &fault.Data{Where: s.File(name), What: fmt.Sprintf("has %d numbers, %d are expected", len(a.Data),
			p.numbers())}
	}
	values := a.Data
	for _, row := range p.Rows {
		values = values[copy(row, values):]
	}
	*p.Samples = samples
	if p.Updated != nil {
		*p.Updated = int(updated[0])
		if u := *p.Updated; u < 0 || u >= len(p.Rows) || u%linalg.UpdateRows != 0 {
			return &fault.Data{Where: s.File(name), What: fmt.Sprintf("has sums over one more block in %d rows", u)}
		}
	}
	return nil
}

// dropSums takes all checkpoints of the sums but one out of the run.
func (s *kept) dropSums(but string) {
	for _, f := range s.Manifest().Files {
		if f.Name != but && strings.HasPrefix(f.Name, store.CheckpointPrefix) {
			s.Drop(f.Name)
		}
	}
}
