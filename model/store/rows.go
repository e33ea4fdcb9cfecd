package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
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
	for length := b.Values(); len(values) > 0; {
		row, offset := at/length, at%length
		for _, functions := range b {
			if offset >= functions.Values() {
				offset -= functions.Values()
				continue
			}
			n := copy(functions.At(row)[offset:], values)
			at, values = at+n, values[n:]
			break
		}
	}
}

// shape returns the shape of the array of the rows.
func (b Block) shape() []int {
	shape, channels := []int{b.Count()}, 0
	for _, functions := range b {
		channels += functions.Domain.Width()
	}
	if channels > 1 {
		shape = append(shape, channels)
	}
	return append(shape, b[0].Domain.One().Shape(b[0].Points)...)
}

// Write writes the rows as an array.
func (b Block) Write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(npy.Preamble(b.shape()))
	var text []byte
	for i := range b.Count() {
		for _, functions := range b {
			if text, err = binary.Append(text[:0], binary.LittleEndian, functions.At(i)); err == nil {
				_, err = out.Write(text)
			}
			if err != nil {
				return err
			}
		}
	}
	return cmp.Or(err, out.Flush())
}

// ReadArray reads rows of a stored array, the first ones if it has more. rows returns the place for an array of the
// given shape. The error is a *fault.Data, ctx's, or one of rows.
func (r *Run) ReadArray(ctx context.Context, name string, rows func(shape []int) (Block, error)) error {
	where := r.File(name)
	if !r.Has(name) {
		return fault.Bad(where, "", "is not a file of the run")
	}
	file, size, err := r.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	h, err := npy.ReadHeader(npy.Whole(npy.Until(ctx, file), size), where)
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return err
	}
	b, err := rows(h.Shape)
	if err != nil {
		return err
	}
	if h.Fortran || len(h.Shape) < 2 || h.Shape[0] < b.Count() || npy.Count(h.Shape[1:]) != b.Values() {
		return fault.Bad(where, "", "has shape %v, %d rows of %d values are expected", h.Shape, b.Count(), b.Values())
	}
	values := b.Count() * b.Values()
	return h.Member("", where).Scan(npy.Along(npy.Strides(h.Shape)...), func(at []int, some []float64) bool {
		b.Put(at[0], some[:min(len(some), values-at[0])])
		return at[0]+len(some) < values
	})
}

// JSON returns the product with the JSON form of plain data, with a line for each value unless indent is empty.
func JSON(name string, value any, indent string) files.File {
	return files.File{Name: name, Content: func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", indent)
		return e.Encode(value)
	}}
}

// Rows returns the product with the given rows.
func Rows(name string, rows Block) files.File { return files.File{Name: name, Content: rows.Write} }
