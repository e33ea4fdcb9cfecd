package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Block is consecutive rows of an array: row i is function i of the first batch, then function i of the second, and so
// on.
type Block []grid.Batch

// Count is the number of rows.
func (b Block) Count() int { return b[0].Count }

// values are the numbers of the rows, in order.
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

// shape is that of an array of so many rows.
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

// writeRows writes an array of a shape until ctx ends.
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

// readRows calls use for each of count rows of an array of a shape. The slice is valid during the call. The error is a
// *fault.Data about where.
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

// rowLength is how many numbers a row of an array of a shape has.
func rowLength(shape []int) int {
	length := 1
	for _, n := range shape[1:] {
		length *= n
	}
	return length
}

// layout is the header of an array and the size of a row in bytes; ok is false if the entry is inconsistent.
func layout(f File) (header []byte, row int64, ok bool) {
	const most = math.MaxInt64 >> 8
	if len(f.Shape) < 2 || len(f.Shape) > 4 {
		return nil, 0, false
	}
	all := int64(8)
	for _, n := range f.Shape {
		if n < 1 || int64(n) > most/all {
			return nil, 0, false
		}
		all *= int64(n)
	}
	row = all / int64(f.Shape[0])
	header = npy.Preamble(f.Shape)
	data := f.Size - int64(len(header))
	ok = data >= 0 && data%row == 0 && data/row <= int64(f.Shape[0]) && f.Growing == (data/row < int64(f.Shape[0]))
	return header, row, ok
}

// rows is the number of rows of an array that are counted.
func (f File) rows() int {
	header, row, _ := layout(f)
	return int((f.Size - int64(len(header))) / row)
}

// Array is the shape of an array that the run has; ok is false if there is none of that name.
func (d *Directory) Array(name string) (shape []int, ok bool) {
	f, ok := d.Manifest().File(name)
	return f.Shape, ok && f.Shape != nil
}

// ReadArray calls use for each row of an array that the run has. The slice is valid during the call. The error is a
// *fault.Data, or ctx's.
func (d *Directory) ReadArray(ctx context.Context, name string, use func(row int, values []float64)) error {
	f, ok := d.Manifest().File(name)
	if !ok || f.Shape == nil {
		return &fault.Data{Where: d.File(name), What: "is no array of the run"}
	}
	file, err := OpenFile(d.path, f)
	if err != nil {
		return err
	}
	defer file.Close()
	return readRows(ctx, file, d.File(name), f.Shape, f.rows(), use)
}

// WriteArray makes an array appear whole, durably, instead of its shards, which are removed after the next commit. The
// array belongs to the run from then on. The error is a *fault.Data, or ctx's.
func (d *Directory) WriteArray(ctx context.Context, name string, rows Block) error {
	shape := rows.shape(rows.Count())
	if err := d.Write(name, func(w io.Writer) error { return writeRows(ctx, w, shape, rows.values()) }); err != nil {
		return err
	}
	shards, err := d.Shards().List(name)
	if err != nil {
		return err
	}
	d.mutex.Lock()
	defer d.mutex.Unlock()
	i, _ := d.manifest.find(name)
	d.manifest.Files[i].Shape = shape
	for _, s := range shards {
		d.dropped = append(d.dropped, s.file)
	}
	return nil
}

// adopt makes shards of the rows of arrays that earlier versions let grow.
func (d *Directory) adopt(ctx context.Context) error {
	for _, f := range d.Manifest().Files {
		if !f.Growing {
			continue
		}
		if count := f.rows(); count > 0 {
			values := make([]float64, 0, count*rowLength(f.Shape))
			err := d.ReadArray(ctx, f.Name, func(_ int, row []float64) { values = append(values, row...) })
			if err == nil {
				shape := append([]int{count}, f.Shape[1:]...)
				err = d.Shards().write(ctx, f.Name, 0, shape, func(yield func([]float64) bool) { yield(values) })
			}
			if err != nil {
				return err
			}
		}
		d.Drop(f.Name)
	}
	return nil
}

// ReadArray calls use for each row that the run in the directory path, whose manifest is m, has of an array from the
// first on, be it whole or in shards, and returns the shape of these rows: nil if there are none. The slice is valid
// during the call. The error is a *fault.Data: what is not as its checksum says, too; or ctx's.
func (m Manifest) ReadArray(ctx context.Context, path, name string, use func(row int, values []float64)) (shape []int,
	err error) {
	d := &Directory{path: path, manifest: m}
	if f, ok := m.File(name); ok && f.Shape != nil {
		if err := d.check(ctx, f); err != nil {
			return nil, err
		}
		return append([]int{f.rows()}, f.Shape[1:]...), d.ReadArray(ctx, name, use)
	}
	shards, err := d.Shards().List(name)
	rows := 0
	for _, s := range shards {
		if s.First > rows {
			break
		}
		row, err := d.Shards().Row(s)
		if err == nil && shape == nil {
			shape = append([]int{0}, row...)
		}
		if err == nil {
			err = d.Shards().Read(ctx, s, func(row int, values []float64) {
				if row == rows {
					use(row, values)
					rows++
				}
			})
		}
		if errors.Is(err, fs.ErrNotExist) { // the process that works on the run has joined it meanwhile
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if rows == 0 {
		return nil, err
	}
	shape[0] = rows
	return shape, err
}
