// This file decodes the numbers of an array one after another, whatever their type and order.

package npy

import (
	"fmt"
	"io"

	"rfm/solver/fault"
)

// Strides are the distances between neighbours along each axis of an array in C order.
func Strides(shape []int) []int {
	strides := make([]int, len(shape))
	for d, s := len(shape)-1, 1; d >= 0; d-- {
		strides[d] = s
		s *= shape[d]
	}
	return strides
}

// Read reads the array whose numbers follow in r. It allocates eight bytes an element: r must be known to hold them all.
// Errors are *fault.Data at where.
func (h Header) Read(r io.Reader, where string) (Array, error) {
	if err := h.Type.Check(where); err != nil {
		return Array{}, err
	}
	a := Array{Shape: h.Shape, Data: make([]float64, h.Count())}
	err := h.Scan(r, where, Strides(h.Shape), func(position int, value float64) { a.Data[position] = value })
	if err != nil {
		return Array{}, err
	}
	return a, nil
}

// Scan decodes the numbers that follow in r, in the order of the file, and calls put for each with its position, the sum of
// index times stride over the axes: with Strides(h.Shape) that is the position in C order, with others the array arrives
// transposed or with gaps. Errors are *fault.Data at where: elements that are no real numbers, integers beyond 2^53, a
// failing or ending r; what has been put before is then of no use.
func (h Header) Scan(r io.Reader, where string, strides []int, put func(position int, value float64)) error {
	if err := h.Type.Check(where); err != nil {
		return err
	}
	const chunk = 1 << 12
	count := h.Count()
	buffer, values := make([]byte, min(chunk, count)*h.Type.width), make([]float64, min(chunk, count))
	next := h.walk(strides)
	for done := 0; done < count; done += len(values) {
		values = values[:min(len(values), count-done)]
		b := buffer[:len(values)*h.Type.width]
		if _, err := io.ReadFull(r, b); err != nil {
			return &fault.Data{Where: where, What: "cannot be read", Err: err}
		}
		if at, what := h.Type.decode(values, b); at >= 0 {
			return &fault.Data{Where: where, What: fmt.Sprintf("element %d in the order of the file is %s", done+at, what), Do: "convert it with array.astype('float64') if that is meant"}
		}
		for _, v := range values {
			put(next(), v)
		}
	}
	return nil
}

// walk returns a function that gives the position of each number of the file in turn.
func (h Header) walk(strides []int) func() int {
	rank := len(h.Shape)
	shape, step := make([]int, rank), make([]int, rank) // fastest axis first
	for d := range rank {
		axis := rank - 1 - d
		if h.Fortran {
			axis = d
		}
		shape[d], step[d] = h.Shape[axis], strides[axis]
	}
	index, following := make([]int, rank), 0
	return func() int {
		position := following
		for d := range rank {
			index[d]++
			following += step[d]
			if index[d] < shape[d] {
				break
			}
			following -= index[d] * step[d]
			index[d] = 0
		}
		return position
	}
}
