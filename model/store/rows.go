package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
)

// Block is consecutive rows of an array: row i is function i of the first batch, then function i of the second, and so
// on.
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

// values yields the numbers of the rows, in order.
func (b Block) values() iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		for i := range b.Count() {
			for _, functions := range b {
				if !yield(functions.At(i)) {
					return
				}
			}
		}
	}
}

// shape returns the shape of an array with the given number of such rows.
func (b Block) shape(rows int) []int {
	shape, channels := []int{rows}, 0
	for _, functions := range b {
		channels += functions.Domain.Width()
	}
	if channels > 1 {
		shape = append(shape, channels)
	}
	return append(shape, b[0].Domain.One().Shape(b[0].Points)...)
}

// writeRows writes an array of the given shape; it stops when ctx ends.
func writeRows(ctx context.Context, w io.Writer, shape []int, values iter.Seq[[]float64]) error {
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(npy.Preamble(shape))
	var text []byte
	for v := range values {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if text, err = binary.Append(text[:0], binary.LittleEndian, v); err == nil {
			_, err = out.Write(text)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	return err
}

// readRows calls use for each of count rows of an array of the given shape. The slice is valid during the call. The
// error is a *fault.Data about where.
func readRows(ctx context.Context, in io.Reader, where string, shape []int, count int,
	use func(row int, values []float64)) error {
	buffered := bufio.NewReaderSize(obedient{ctx, in}, 1<<16)
	header := npy.Preamble(shape)
	found := make([]byte, len(header))
	if _, err := io.ReadFull(buffered, found); err != nil {
		return fault.Unread(where, err)
	}
	if !bytes.Equal(found, header) {
		return &fault.Data{Where: where, What: fmt.Sprintf("does not begin as an array of shape %v", shape)}
	}
	row := make([]float64, rowLength(shape))
	text := make([]byte, 8*len(row))
	for i := range count {
		_, err := io.ReadFull(buffered, text)
		if err == nil {
			_, err = binary.Decode(text, binary.LittleEndian, row)
		}
		if err != nil {
			return fault.Unread(where, err)
		}
		use(i, row)
	}
	return nil
}

// rowLength returns the number of values in a row of an array of the given shape.
func rowLength(shape []int) int {
	length := 1
	for _, n := range shape[1:] {
		length *= n
	}
	return length
}

// array opens an existing array of the run and returns its shape; the file is at its beginning.
func (d *Directory) array(name string) (*os.File, []int, error) {
	f, ok := d.Manifest().File(name)
	if !ok {
		return nil, nil, &fault.Data{Where: d.File(name), What: "is no file of the run"}
	}
	file, err := openFile(d.path, f)
	if err != nil {
		return nil, nil, err
	}
	shape, err := shapeOf(file, file.Name())
	if err == nil && len(shape) < 2 {
		err = &fault.Data{Where: file.Name(), What: fmt.Sprintf("has shape %v, which has no rows", shape)}
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, shape, nil
}

// shapeOf reads the header of an array and seeks back to its beginning.
func shapeOf(f *os.File, where string) ([]int, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, fault.Unread(where, err)
	}
	h, err := npy.ReadHeader(f, info.Size(), where)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fault.Unread(where, err)
	}
	return h.Shape, nil
}

// Array returns the shape of a stored array; ok is false if the run has none of that name. The error is a *fault.Data.
func (d *Directory) Array(name string) (shape []int, ok bool, err error) {
	if _, ok := d.Manifest().File(name); !ok {
		return nil, false, nil
	}
	f, shape, err := d.array(name)
	if err != nil {
		return nil, true, err
	}
	return shape, true, f.Close()
}

// ReadArray calls use for each row of a stored array. The slice is valid during the call. The error is a *fault.Data,
// or ctx's.
func (d *Directory) ReadArray(ctx context.Context, name string, use func(row int, values []float64)) error {
	f, shape, err := d.array(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return readRows(ctx, f, f.Name(), shape, shape[0], use)
}

// Rows returns the product with the given rows.
func Rows(ctx context.Context, name string, rows Block) files.File {
	return files.File{Name: name, Content: func(w io.Writer) error {
		return writeRows(ctx, w, rows.shape(rows.Count()), rows.values())
	}}
}

// WriteRows makes a unit of consecutive rows; the first of them is row first of the array. The error is a *fault.Data,
// or ctx's.
func (u Units) WriteRows(ctx context.Context, array string, first int, rows Block) error {
	return u.Write(RowsName(array, first, rows.Count()), Rows(ctx, array, rows).Content)
}
