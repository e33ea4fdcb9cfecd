// This file stores the sums of the normal equations while they are under way, and says how often that may be.

package engine

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"rfm/model/linalg"
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

// pass is a pass over the training samples that is under way.
type pass struct {
	kind    string      // part of the name of its file
	samples *int        // that it has seen
	updated *int        // rows that have seen one block of samples more, see rfm.Normal; nil if there never are any
	rows    [][]float64 // everything that it has summed; they share its memory
}

// passOf is the pass that sums normal equations: the rows of S from the diagonal on, then b.
func passOf(n *rfm.Normal) pass {
	p := pass{kind: kindOf(n.Means), samples: &n.Samples, updated: &n.Updated}
	for i := range n.Sums.Order() {
		p.rows = append(p.rows, n.Sums.Row(i))
	}
	p.rows = append(p.rows, n.RHS)
	return p
}

// passOfQR is the pass that does without them: the rows of R from the diagonal on.
func passOfQR(t *rfm.Triangular) pass {
	p := pass{kind: kindOf(t.Means), samples: &t.Samples}
	for i := range t.Factor.Order() {
		p.rows = append(p.rows, t.Factor.Row(i))
	}
	return p
}

// kindOf tells sums without the means of the samples seen from others: versions that took off the means of all samples
// from the beginning had sums of another meaning under the plain name.
func kindOf(m *rfm.Means) string {
	if m != nil {
		return "centred-"
	}
	return ""
}

// numbers is how many it has summed.
func (p pass) numbers() int {
	n := 0
	for _, row := range p.rows {
		n += len(row)
	}
	return n
}

// name is the name of the checkpoint of a pass that has seen some samples.
func (p pass) name(samples int) string {
	return fmt.Sprintf("%s%s%07d.npy", store.CheckpointPrefix, p.kind, samples)
}

// partial is the pass as it is stored, under another name, if some rows have seen one block more: their number comes
// last.
func (p pass) partial(updated []float64) pass {
	p.kind += "partial-"
	p.rows = append(slices.Clip(p.rows), updated)
	return p
}

// writeSums stores a pass instead of what the run has of it: an array with the rows one after another.
func (s *kept) writeSums(p pass, total int, seconds float64) error {
	if p.updated != nil && *p.updated > 0 {
		p = p.partial([]float64{float64(*p.updated)})
	}
	name := p.name(*p.samples)
	if _, known := s.Committed().File(name); known || *p.samples == 0 {
		return nil
	}
	begin := time.Now()
	defer func() { s.pace.spent(begin, time.Now()) }()
	err := s.Write(name, func(w io.Writer) error {
		if _, err := w.Write(npy.Preamble([]int{p.numbers()})); err != nil {
			return err
		}
		var text []byte
		for _, row := range p.rows {
			text = text[:0]
			for _, v := range row {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.dropSums(name)
	return s.advance(trainStage, *p.samples, total, seconds)
}

// readSums takes a pass to where the run has it, if it has it at all.
func (s *kept) readSums(p pass) error {
	samples := s.Manifest().Training.Done
	name, updated := p.name(samples), make([]float64, 1)
	if _, ok := s.Manifest().File(name); !ok {
		if p.updated == nil {
			return nil
		}
		p = p.partial(updated)
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
	for _, row := range p.rows {
		values = values[copy(row, values):]
	}
	*p.samples = samples
	if p.updated != nil {
		*p.updated = int(updated[0])
		if u := *p.updated; u < 0 || u >= len(p.rows) || u%linalg.UpdateRows != 0 {
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
