// This file keeps the states of long descents among the units of a run.

package engine

import (
	"context"
	"io"
	"time"

	"rfm/model/run/store"
	"rfm/solver/dataset/npy"
)

// checkpointPause is the time between two states that are written: what a process that is killed loses at most.
const checkpointPause = 10 * time.Second

// checkpoints implements operator.Checkpoints. A state is a unit of one row, whose number is that of the steps behind it.
type checkpoints struct {
	units   store.Units
	pause   time.Duration
	written time.Time // the last time, or the beginning
}

// checkpoints returns those of the run; nil if it is not stored.
func (s *sink) checkpoints() *checkpoints {
	if s.Directory() == "" {
		return nil
	}
	return &checkpoints{
		units:   s.store.Units(),
		pause:   checkpointPause,
		written: time.Now(),
	}
}

func arrayOf(name string) string { return name + ".npy" }

// Latest implements operator.Checkpoints.
func (c *checkpoints) Latest(ctx context.Context, name string) (steps int, state []float64, err error) {
	list, err := c.units.Of(arrayOf(name))
	if err != nil || len(list) == 0 {
		return 0, nil, err
	}
	last := list[len(list)-1] // names are sorted by their numbers
	steps, _ = last.Rows()
	array, err := c.units.Read(ctx, last)
	return steps, array.Data, err
}

// Keep implements operator.Checkpoints. The last state is written, too, if an earlier one was: another descent follows,
// which may be interrupted.
func (c *checkpoints) Keep(name string, steps int, last bool, state func() []float64) error {
	if time.Since(c.written) < c.pause {
		if !last {
			return nil
		}
		list, err := c.units.Of(arrayOf(name))
		if err != nil || len(list) == 0 {
			return err
		}
	}
	values := state()
	array := npy.Array{Shape: []int{1, len(values)}, Data: values}
	unit := store.RowsName(arrayOf(name), steps, 1)
	err := c.units.Write(unit, func(w io.Writer) error { return npy.Write(w, array) })
	if err != nil {
		return err
	}
	c.units.RemoveOthers(arrayOf(name), unit)
	c.written = time.Now()
	return nil
}
