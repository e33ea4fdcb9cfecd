// This file passes on the numbers of arrays of any type and order.

package npy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
)

// Strides returns the distances between neighbours along each axis of an array in C order.
func Strides(shape []int) []int { return StridesOf(shape, false) }

// StridesOf returns the distances between neighbours along each axis of an array in C or in Fortran order.
func StridesOf(shape []int, fortran bool) []int {
	strides := make([]int, len(shape))
	s := 1
	for _, d := range slices.Backward(Slowest(shape, fortran)) {
		strides[d] = s
		s *= shape[d]
	}
	return strides
}

// An Axis maps each index along an axis of an array to its part of a position. The number (i, j, ...) of the array
// belongs at the sum of the parts. It is not wanted if one of them is negative.
type Axis func(index int) int

// Along returns axes with the given distances between neighbours.
func Along(strides ...int) []Axis {
	all := make([]Axis, len(strides))
	for d, stride := range strides {
		all[d] = func(index int) int { return index * stride }
	}
	return all
}

// Of returns the axis of an array of which every step-th index from first on, count in all, is an index of the axis.
func (a Axis) Of(first, step, count int) Axis {
	return func(index int) int {
		k := (index - first) / step
		isIndex := index >= first && first+k*step == index
		if isIndex && k < count {
			return a(k)
		}
		return -1
	}
}

// Put takes numbers that belong at the positions at, and reports whether more are needed. Both slices are reused.
type Put func(at []int, values []float64) (more bool)

// Block is a block of an array whose numbers follow each other in a file.
type Block struct {
	Type    Type
	Shape   Shape // the last index varies fastest
	Fortran bool  // no, the first does
	First   []int // indices of its first number in the array
	Inside  []int // the block's part in the array has as many along each axis
	// Open returns the encoded numbers, after Before other bytes. If Rest is set, more may follow, such as a checksum.
	Open    func() (io.Reader, error)
	Before  int64
	Rest    bool
	Missing int       // numbers at the end of the shape that are not in the file: a view may end inside of its last row
	Values  []float64 // the numbers, in place of Open
}

// chunk is the number of elements that are decoded at once.
const chunk = 1 << 12

// Scan passes on the wanted numbers of the blocks of an array, in the order of the file. Blocks without any are not
// opened. Unless put ends the scan, the others are read to the end: the rest is skipped, by Seek if the reader has it.
// Errors are *fault.Data at where: numbers that do not exist in float64, damage, a failing reader; and ctx.Err().
func Scan(where string, blocks iter.Seq[Block], at []Axis, put Put) error {
	return cursor.Attempt(func() {
		s := scanner{where: where, at: at, put: put}
		for s.Block = range blocks {
			s.block()
		}
	})
}

// scanner scans one block after another.
type scanner struct {
	Block
	where string
	at    []Axis
	put   Put

	axes      []int     // from the slowest to the fastest
	strides   []int     // distances between neighbours in the block
	in        io.Reader // nil until a number is wanted
	raw       []byte
	decoded   []float64 // numbers begin to end of the block
	begin     int
	end       int
	parts     []int // of positions, along the fastest axis from the index piece on
	piece     int
	positions []int // of the numbers that are to be put
	values    []float64
}

func (s *scanner) block() {
	s.check(s.Type.Check(s.where))
	if len(s.Shape) == 0 {
		s.Shape = []int{1}
		s.First = []int{0}
		s.Inside = []int{1}
		s.at = Along(0)
	}
	if Count(s.Inside) == 0 {
		return // at once, because a damaged file may give an array without numbers any length along its other axes
	}
	s.axes = Slowest(s.Shape, s.Fortran)
	s.strides = StridesOf(s.Shape, s.Fortran)
	count := Count(s.Shape) - s.Missing
	if room := min(chunk, count); cap(s.values) < room {
		s.positions = make([]int, 0, room)
		s.values = make([]float64, 0, room)
	}
	s.in = nil
	s.begin = 0
	s.end = 0
	s.parts = s.parts[:0]
	s.walk(0, 0, 0)
	s.flush()
	if s.in == nil {
		return
	}
	s.skip(int64(count-s.end) * int64(s.Type.Width))
	most := int64(1)
	if s.Rest {
		most = math.MaxInt64
	}
	n, err := io.CopyN(io.Discard, s.in, most)
	if n == most {
		err = fault.Damaged(s.where, fmt.Errorf("it has more than %d bytes", count*s.Type.Width))
	}
	if err != io.EOF {
		s.check(err)
	}
}

// check ends the scan if the content is unreadable because of an error.
func (s *scanner) check(err error) {
	if err != nil {
		cursor.End(Broken(s.where, err))
	}
}

// walk visits the wanted numbers for the slowest axes, whose indices begin at number from and add up to a position.
func (s *scanner) walk(depth, from, position int) {
	axis := s.axes[depth]
	if depth == len(s.axes)-1 {
		length := s.Inside[axis]
		for i := 0; i < length; i += chunk {
			s.line(axis, i, min(chunk, length-i), from+i, position)
		}
		return
	}
	for i := range s.Inside[axis] {
		part := s.at[axis](s.First[axis] + i)
		if part >= 0 {
			s.walk(depth+1, from+i*s.strides[axis], position+part)
		}
	}
}

// line visits the wanted ones of count numbers from number from on, along the fastest axis from an index on.
func (s *scanner) line(axis, index, count, from, position int) {
	if len(s.values)+count > chunk {
		s.flush()
	}
	isBefore := index < s.piece
	isBehind := index+count > s.piece+len(s.parts)
	if isBefore || isBehind { // usually the parts are those of the line before
		length := min(2*chunk, s.Inside[axis]-index)
		first := s.First[axis] + index
		s.parts = slices.Grow(s.parts[:0], length)
		s.piece = index
		for i := range length {
			s.parts = append(s.parts, s.at[axis](first+i))
		}
	}
	for i, part := range s.parts[index-s.piece:][:count] {
		if part < 0 {
			continue
		}
		if from+i >= s.end {
			s.fill(from + i)
		}
		s.positions = append(s.positions, position+part)
		s.values = append(s.values, s.decoded[from+i-s.begin])
	}
}

// fill decodes numbers from number from on.
func (s *scanner) fill(from int) {
	if s.Values != nil {
		s.decoded = s.Values
		s.end = len(s.Values)
		return
	}
	if s.in == nil {
		in, err := s.Open()
		s.check(err)
		s.in = in
		s.skip(s.Before)
	}
	width := s.Type.Width
	s.skip(int64(from-s.end) * int64(width))
	s.begin = from
	s.end = min(from+chunk, Count(s.Shape)-s.Missing)
	n := s.end - s.begin
	if len(s.raw) < n*width {
		s.raw = make([]byte, n*width)
		s.decoded = make([]float64, n)
	}
	_, err := io.ReadFull(s.in, s.raw[:n*width])
	s.check(err)
	bad, what := s.Type.Decode(s.decoded[:n], s.raw)
	if bad >= 0 {
		s.check(ValueError{fault.Bad(
			s.where,
			"convert it with array.astype('float64') if that is meant",
			"element %d in the order of the file is %s", from+bad, what,
		)})
	}
}

// flush passes on the numbers that were collected.
func (s *scanner) flush() {
	if len(s.values) > 0 && !s.put(s.positions, s.values) {
		cursor.End(nil)
	}
	s.positions = s.positions[:0]
	s.values = s.values[:0]
}

// skip skips bytes of the block.
func (s *scanner) skip(bytes int64) {
	var err error
	if seeker, ok := s.in.(io.Seeker); ok {
		_, err = seeker.Seek(bytes, io.SeekCurrent)
	} else {
		_, err = io.CopyN(io.Discard, s.in, bytes)
	}
	s.check(err)
}

// Broken returns the error of content that err makes unreadable: damage, unless the file itself fails; nil for nil.
func Broken(where string, err error) error {
	var (
		data   *fault.Data
		system *fs.PathError
	)
	isCancelled := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	switch {
	case err == nil, isCancelled, errors.As(err, &data):
		return err
	case errors.As(err, &system):
		return fault.Unread(where, err)
	case errors.Is(err, io.EOF):
		err = io.ErrUnexpectedEOF
	}
	return fault.Damaged(where, err)
}

// Slowest returns the axes of an array from the slowest to the fastest index; in Fortran order the last is the slowest.
func Slowest(shape []int, fortran bool) []int {
	axes := make([]int, len(shape))
	for d := range axes {
		axes[d] = d
	}
	if fortran {
		slices.Reverse(axes)
	}
	return axes
}
