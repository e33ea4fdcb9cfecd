// This file reads and writes arrays of rows.

package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// Block is consecutive rows of an array: row i is function i of the first batch, function i of the second, and so on.
type Block []grid.Batch

// Count returns the number of rows.
func (b Block) Count() int { return b[0].Count }

// Range returns count of the rows, from row first on.
func (b Block) Range(first, count int) (some Block) {
	for _, functions := range b {
		some = append(some, functions.Range(first, count))
	}
	return some
}

// Values returns the number of values in a row.
func (b Block) Values() (n int) {
	for _, functions := range b {
		n += functions.Values()
	}
	return n
}

// Put sets consecutive values, from position at on of all values in the order of the rows.
func (b Block) Put(at int, values []float64) {
	length := b.Values()
	for len(values) > 0 {
		row := at / length
		offset := at % length // in the functions of the row
		for _, functions := range b {
			if offset >= functions.Values() {
				offset -= functions.Values()
				continue
			}
			n := copy(functions.At(row)[offset:], values)
			at += n
			values = values[n:]
			break
		}
	}
}

// shape returns the shape of the array of the rows.
func (b Block) shape() []int {
	channels := 0
	for _, functions := range b {
		channels += functions.Domain.Width()
	}
	shape := []int{b.Count()}
	if channels > 1 {
		shape = append(shape, channels)
	}
	first := b[0]
	ofFunction := first.Domain.One().Shape(first.Points)
	return append(shape, ofFunction...)
}

// Write writes the rows as an array.
func (b Block) Write(w io.Writer) error {
	return npy.WriteParts(w, b.shape(), func(yield func([]float64) bool) {
		for i := range b.Count() {
			for _, functions := range b {
				if !yield(functions.At(i)) {
					return
				}
			}
		}
	})
}

// openArray opens a stored array; the caller closes the file. The error is a *fault.Data, or ctx.Err() if ctx ends.
func (r *Run) openArray(ctx context.Context, name string) (npy.Member, io.Closer, error) {
	where := r.File(name)
	if !r.Has(name) {
		return npy.Member{}, nil, fault.Bad(where, "", "is not a file of the run")
	}
	file, err := files.OpenInside(where, os.O_RDONLY)
	if err != nil {
		return npy.Member{}, nil, fault.Unread(where, err)
	}
	info, err := file.Stat()
	if err != nil {
		return npy.Member{}, nil, errors.Join(fault.Unread(where, err), file.Close())
	}
	content := npy.Whole(npy.Until(ctx, file), info.Size())
	array, err := npy.MemberOf("", where, content)
	if ctx.Err() != nil {
		return npy.Member{}, nil, errors.Join(ctx.Err(), file.Close())
	}
	if err != nil {
		return npy.Member{}, nil, errors.Join(err, file.Close())
	}
	hasRows := !array.Fortran && len(array.Shape) >= 2
	if !hasRows {
		err = fault.Bad(where, "", "has shape %v, want rows of numbers", array.Shape)
		return npy.Member{}, nil, errors.Join(err, file.Close())
	}
	return array, file, nil
}

// ReadArray reads rows of a stored array, the first ones if it has more. rows returns the place for an array of the
// given shape. The error is a *fault.Data, ctx.Err(), or one of rows.
func (r *Run) ReadArray(ctx context.Context, name string, rows func(shape []int) (Block, error)) error {
	array, file, err := r.openArray(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	place, err := rows(array.Shape)
	if err != nil {
		return err
	}
	tooFew := array.Shape[0] < place.Count()
	if tooFew || npy.Count(array.Shape[1:]) != place.Values() {
		return &fault.Data{
			Where: r.File(name),
			What:  fmt.Sprintf("has shape %v, want %d rows of %d values", array.Shape, place.Count(), place.Values()),
		}
	}
	wanted := place.Count() * place.Values()
	inOrder := npy.Along(npy.Strides(array.Shape)...)
	return array.Scan(inOrder, func(at []int, some []float64) bool {
		first := at[0]
		count := min(len(some), wanted-first)
		place.Put(first, some[:count])
		return first+len(some) < wanted
	})
}

// ShapeOf returns the shape of a stored array. The error is a *fault.Data, or ctx.Err() if ctx ends.
func (r *Run) ShapeOf(ctx context.Context, name string) (npy.Shape, error) {
	array, file, err := r.openArray(ctx, name)
	if err != nil {
		return nil, err
	}
	return array.Shape, file.Close()
}

// Numbers passes the numbers of a stored array to use, row after row, until that returns false; it keeps a part of them
// in memory. The error is a *fault.Data, or ctx.Err() if ctx ends.
func (r *Run) Numbers(ctx context.Context, name string, use func(some []float64) bool) error {
	array, file, err := r.openArray(ctx, name)
	if err != nil {
		return err
	}
	defer file.Close()
	inOrder := npy.Along(npy.Strides(array.Shape)...)
	return array.Scan(inOrder, func(_ []int, some []float64) bool {
		return use(some)
	})
}

// JSON returns the product with the JSON form of plain data, with a line for each value unless indent is empty.
func JSON(name string, value any, indent string) files.File {
	encode := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", indent)
		return e.Encode(value)
	}
	return files.File{Name: name, Content: encode}
}

// Rows returns the product with the given rows.
func Rows(name string, rows Block) files.File { return files.File{Name: name, Content: rows.Write} }
