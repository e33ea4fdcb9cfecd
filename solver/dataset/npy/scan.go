// This file decodes the numbers of an array of any type and order one after another.

package npy

import (
	"errors"
	"fmt"
	"io"

	"rfm/solver/fault"
)

// Strides returns the distances between neighbours along each axis of an array in C order.
func Strides(shape []int) []int {
	strides := make([]int, len(shape))
	for d, s := len(shape)-1, 1; d >= 0; d-- {
		strides[d] = s
		s *= shape[d]
	}
	return strides
}

// Run is a sequence of Count consecutive numbers in a file, along the axis whose index varies fastest there: number i
// belongs at position At + i Step.
type Run struct{ At, Step, Count int }

// Selection describes which numbers of a file are needed.
type Selection struct {
	// Want reports whether a number of the run is needed; nil wants all. Others are skipped.
	Want func(Run) bool
	// Put takes the numbers of a run and reports whether more are needed. The slice is reused.
	Put func(run Run, values []float64) bool
}

// Into returns a Selection that stores all numbers in data at their positions.
func Into(data []float64) Selection {
	return Selection{Put: func(run Run, values []float64) bool {
		if run.Step == 1 {
			copy(data[run.At:], values)
			return true
		}
		for i, v := range values {
			data[run.At+i*run.Step] = v
		}
		return true
	}}
}

// Scan decodes the numbers that follow in r, in the order of the file, and passes them on in runs. A position is the
// sum of index times stride over the axes: with Strides(h.Shape) that is the position in C order, with other strides
// the array arrives transposed or with gaps. It reports whether r has been read to the end of the array; if r can seek,
// it skips unwanted numbers. Errors are *fault.Data at where: elements that are not real numbers, integers beyond 2^53,
// a failing or ending r. After an error, the numbers already put are invalid.
func (h Header) Scan(r io.Reader, where string, strides []int, s Selection) (whole bool, err error) {
	if err := h.Type.Check(where); err != nil {
		return false, err
	}
	const chunk = 1 << 12
	count, width := h.Count(), h.Type.width
	buffer, values := make([]byte, min(chunk, count)*width), make([]float64, min(chunk, count))
	begin, end := 0, 0 // range of the numbers of the file in values
	next := h.lines(strides)
	for at := 0; at < count; {
		run := next()
		for run.Count > 0 {
			if s.Want != nil && !s.Want(run) {
				at += run.Count
				break
			}
			if at >= end {
				if err := skip(r, int64(at-end)*int64(width)); err != nil {
					return false, broken(where, err)
				}
				begin, end = at, min(at+chunk, count)
				b := buffer[:(end-begin)*width]
				if _, err := io.ReadFull(r, b); err != nil {
					return false, broken(where, err)
				}
				if bad, what := h.Type.Decode(values[:end-begin], b); bad >= 0 {
					return false, BadValue(where, fmt.Sprintf("element %d in the order of the file is %s", begin+bad, what))
				}
			}
			part := run
			part.Count = min(run.Count, end-at)
			if !s.Put(part, values[at-begin:at-begin+part.Count]) {
				return false, nil
			}
			at += part.Count
			run.At, run.Count = run.At+part.Count*run.Step, run.Count-part.Count
		}
	}
	if err := skip(r, int64(count-end)*int64(width)); err != nil {
		return false, broken(where, err)
	}
	return true, nil
}

// broken returns the error of numbers that are unreadable because of err.
func broken(where string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return fault.Damaged(where, err)
	}
	return fault.Unread(where, err)
}

// skip skips bytes of r.
func skip(r io.Reader, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	if seeker, ok := r.(io.Seeker); ok {
		_, err := seeker.Seek(bytes, io.SeekCurrent)
		return err
	}
	_, err := io.CopyN(io.Discard, r, bytes)
	return err
}

// Slowest returns the axes in the order of the file, from the slowest to the fastest index.
func (h Header) Slowest() []int {
	axes := make([]int, len(h.Shape))
	for d := range axes {
		axes[d] = d
		if h.Fortran {
			axes[d] = len(axes) - 1 - d
		}
	}
	return axes
}

// lines returns a function that iterates over the runs of whole lines along the fastest axis, in the order of the file.
func (h Header) lines(strides []int) func() Run {
	axes := h.Slowest()
	if len(axes) == 0 {
		return func() Run { return Run{Step: 1, Count: 1} }
	}
	last := len(axes) - 1
	index, following := make([]int, last), 0
	return func() Run {
		run := Run{At: following, Step: strides[axes[last]], Count: h.Shape[axes[last]]}
		for d := last - 1; d >= 0; d-- {
			index[d]++
			following += strides[axes[d]]
			if index[d] < h.Shape[axes[d]] {
				break
			}
			following -= index[d] * strides[axes[d]]
			index[d] = 0
		}
		return run
	}
}
