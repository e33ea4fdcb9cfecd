// This file reads the numbers of a tensor, which may lie in any order and with gaps in its storage.

package torch

import (
	"cmp"
	"io"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
)

// maxSpan is the number of elements that are read into memory for views that share elements between their indices.
const maxSpan = 1 << 23

// last returns the number of the last element of the storage that belongs to the view, which is -1 if none does; ok is
// false if there is no such number.
func (v view) last() (number int64, ok bool) {
	count, ok := npy.Room(v.shape)
	if !ok || v.offset < 0 || v.offset > maxSize {
		return 0, false
	}
	if count == 0 {
		return -1, true
	}
	number = v.offset
	for d, n := range v.shape {
		if n > 1 && v.stride[d] > maxSize/(n-1) {
			return 0, false
		}
		number += int64(n-1) * int64(v.stride[d])
		if number > maxSize {
			return 0, false
		}
	}
	return number, true
}

// isFortran tells whether the first index varies fastest in the storage.
func (v view) isFortran() bool {
	inOrder := func(fortran bool) bool { // by the strides of axes longer than one
		for d, step := range npy.StridesOf(v.shape, fortran) {
			if v.shape[d] > 1 && v.stride[d] != step {
				return false
			}
		}
		return true
	}
	return !inOrder(false) && inOrder(true)
}

// signed returns how the numbers of a view are read, with their signs, if its elements are decoded as those of a type.
func (v view) signed(t npy.Type, where string, open npy.Opener) npy.Numbers {
	v.of.kind = t
	stored := v.numbers(where, open)
	isOpposite := v.conjugate && t.IsImaginary()
	if v.negative == isOpposite {
		return stored
	}
	return func(at []npy.Axis, put npy.Put) error {
		return stored(at, func(places []int, values []float64) bool {
			for i := range values {
				values[i] = -values[i]
			}
			return put(places, values)
		})
	}
}

// numbers returns how the stored numbers of a view are read.
func (v view) numbers(where string, open npy.Opener) npy.Numbers {
	axes, block, ok := v.block()
	if !ok {
		return func(at []npy.Axis, put npy.Put) error {
			return v.gather(where, open, at, put)
		}
	}
	block.Before = v.offset * int64(v.of.kind.Width)
	readBefore(&block, open)
	return func(at []npy.Axis, put npy.Put) error {
		inStorage := make([]npy.Axis, len(block.Shape))
		for i := range inStorage {
			inStorage[i] = func(int) int { return 0 } // between neighbours along the last axis
			if i < len(axes) {
				inStorage[i] = at[axes[i]]
			}
		}
		blocks := func(use func(npy.Block) bool) { use(block) }
		return npy.Scan(where, blocks, inStorage, put)
	}
}

// readBefore lets a block be read from a storage. After its numbers the rest follows, up to a checksum; a part of a file
// ends there, since nothing after them is of use.
func readBefore(b *npy.Block, open npy.Opener) {
	b.Rest = true
	stored := npy.Count(b.Shape) - b.Missing
	end := b.Before + int64(stored)*int64(b.Type.Width)
	b.Open = func() (io.Reader, error) {
		in, err := open()
		if file, ok := in.(*io.SectionReader); ok {
			return io.NewSectionReader(file, 0, end), err
		}
		return in, err
	}
}

// block describes the storage from the first element of the view on as a larger array of which the view is a part, with
// the axes of the view from the slowest to the fastest, and a last one for the gaps between neighbours. For example
// x[:, 0] of x with shape (n, 2, k) is the part (n, k) of (n, 2k); ok is false if indices share elements.
func (v view) block() (axes []int, b npy.Block, ok bool) {
	b = npy.Block{Type: v.of.kind, Shape: npy.Shape{}}
	for d := range v.shape {
		axes = append(axes, d)
	}
	slices.SortStableFunc(axes, func(a, b int) int {
		// axes of length one first, because their strides mean nothing
		byLength := cmp.Compare(min(2, v.shape[a]), min(2, v.shape[b]))
		if byLength != 0 {
			return byLength
		}
		return cmp.Compare(v.stride[b], v.stride[a])
	})
	size := 1 // of the rows of the axis before, in elements
	for i, d := range axes {
		n := v.shape[d]
		b.Inside = append(b.Inside, n)
		if n <= 1 {
			b.Shape = append(b.Shape, n)
			continue
		}
		stride := v.stride[d]
		if i == 0 || v.shape[axes[i-1]] <= 1 {
			size = n * max(1, stride)
		}
		if stride < 1 || size%stride != 0 || size/stride < n {
			return nil, b, false
		}
		b.Shape = append(b.Shape, size/stride)
		size = stride
	}
	isLong := slices.ContainsFunc(v.shape, func(n int) bool { return n > 1 })
	if npy.Count(v.shape) > 0 && isLong && size > 1 {
		b.Shape = append(b.Shape, size)
		b.Inside = append(b.Inside, 1)
	}
	b.First = make([]int, len(b.Shape))
	all, ok := npy.Room(b.Shape)
	stored := int(v.of.size - v.offset)
	b.Missing = min(all, max(0, all-stored))
	return axes, b, ok
}

// gather reads the part of the storage that a view needs into memory, and passes on its numbers line by line.
func (v view) gather(where string, open npy.Opener, at []npy.Axis, put npy.Put) error {
	last, _ := v.last()
	span := int(last - v.offset + 1)
	if span > maxSpan {
		return fault.Bad(
			where,
			"save tensor.contiguous()",
			"has indices that share numbers, of which there are %d; want at most %d", span, maxSpan,
		)
	}
	width := int64(v.of.kind.Width)
	b := npy.Block{
		Type:   v.of.kind,
		Shape:  npy.Shape{span},
		Before: v.offset * width,
	}
	readBefore(&b, open)
	values, err := b.Member("", where).Array()
	if err != nil {
		return err
	}
	axis := len(v.shape) - 1 // the axis of lines
	step := v.stride[axis]
	lines := slices.Clone(v.shape)
	lines[axis] = 1
	line := make([]float64, v.shape[axis])
	shape := slices.Repeat(npy.Shape{1}, len(v.shape))
	shape[axis] = len(line)
	blocks := func(use func(npy.Block) bool) {
		for i := range npy.Count(lines) {
			first := make([]int, len(v.shape))
			from := 0
			rest := i
			for d := axis - 1; d >= 0; d-- {
				first[d] = rest % lines[d]
				rest /= lines[d]
				from += first[d] * v.stride[d]
			}
			for k := range line {
				line[k] = values.Data[from+k*step]
			}
			b := npy.Block{
				Type:   npy.TypeOf("<f8"),
				Shape:  shape,
				First:  first,
				Inside: shape,
				Values: line,
			}
			if !use(b) {
				return
			}
		}
	}
	return npy.Scan(where, blocks, at, put)
}
