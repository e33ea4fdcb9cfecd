// This file stores the sums of the normal equations while they are under way, and says how often that may be.

package experiment

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"rfm/model/rfm"
	runs "rfm/model/run"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// costFactor is how many times the last checkpoint's time passes until the next: they take less than 1/costFactor of all time.
const costFactor = 50

// pace says when it is time for a checkpoint. It may be used from several goroutines.
type pace struct {
	interval time.Duration // least time between two
	factor   int           // costFactor

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
	return &pace{interval: interval, factor: costFactor, last: time.Now()}
}

// due says whether it is time for a checkpoint.
func (p *pace) due(now time.Time) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return now.Sub(p.last) >= max(p.interval, time.Duration(p.factor)*p.cost)
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

// sums is the name of the checkpoint of the sums over some samples.
func sums(samples int) string { return fmt.Sprintf("%s%07d.npy", runs.CheckpointPrefix, samples) }

// sumsLength is how many numbers it has for m features.
func sumsLength(m int) int { return m*(m+1)/2 + m }

// writeSums stores sums that are under way instead of those that the run has: the upper triangle of S row by row, then b.
func (s *store) writeSums(n *rfm.Normal, total int, seconds float64) error {
	name := sums(n.Samples)
	if _, known := s.Committed().File(name); known || n.Samples == 0 {
		return nil
	}
	begin := time.Now()
	defer func() { s.pace.spent(begin, time.Now()) }()
	m := len(n.RHS)
	err := s.Write(name, func(w io.Writer) error {
		if _, err := w.Write(npy.Preamble([]int{sumsLength(m)})); err != nil {
			return err
		}
		text := make([]byte, 0, 8*m)
		for i := range m + 1 {
			text = text[:0]
			for j := i; j < m; j++ {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(n.Sums.At(i, j)))
			}
			if i == m {
				for _, b := range n.RHS {
					text = binary.LittleEndian.AppendUint64(text, math.Float64bits(b))
				}
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
	return s.advance(trainStage, n.Samples, total, seconds)
}

// readSums restores the sums that the run has, if it has any.
func (s *store) readSums(n *rfm.Normal) error {
	samples := s.Manifest().Training.Done
	name := sums(samples)
	if _, ok := s.Manifest().File(name); !ok {
		return nil
	}
	a, err := npy.ReadFile(s.File(name))
	if err != nil {
		return err
	}
	m := len(n.RHS)
	if len(a.Data) != sumsLength(m) {
		return &fault.Data{Where: s.File(name), What: fmt.Sprintf("has %d numbers, %d features need %d", len(a.Data), m, sumsLength(m))}
	}
	values := a.Data
	for i := range m {
		for j := i; j < m; j++ {
			n.Sums.Set(i, j, values[0])
			values = values[1:]
		}
	}
	copy(n.RHS, values)
	n.Samples = samples
	return nil
}

// dropSums takes all checkpoints of the sums but one out of the run.
func (s *store) dropSums(but string) {
	for _, f := range s.Manifest().Files {
		if f.Name != but && strings.HasPrefix(f.Name, runs.CheckpointPrefix) {
			s.Drop(f.Name)
		}
	}
}
