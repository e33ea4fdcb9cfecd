// This file is arrays that grow by rows: .npy files whose header is that of the complete array from the beginning.

package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/durable"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/regular"
)

// Array is an array of the run to which rows are added. One goroutine at a time may use it.
type Array struct {
	directory *Directory
	name      string
	shape     []int
	rows      int
	row       int // numbers
	file      *os.File
	hash      hash.Hash
	failure   error
}

// Grow opens an array of float64 of the given shape for adding rows behind those that the manifest counts; it creates the
// array if the run does not have it. The first axis counts rows. The error is a *fault.Data.
func (d *Directory) Grow(name string, shape ...int) (*Array, error) {
	a := &Array{directory: d, name: name, shape: shape, row: 1}
	for _, n := range shape[1:] {
		a.row *= n
	}
	f, known := d.Manifest().File(name)
	if known && !slices.Equal(f.Shape, shape) {
		return nil, &fault.Data{Where: d.File(name), What: fmt.Sprintf("has shape %v, %v is expected", f.Shape, shape), Do: "the run was begun by another version of rfm: use that"}
	}
	flag := os.O_RDWR
	if !known {
		flag |= os.O_CREATE
	}
	var err error
	if a.file, err = regular.OpenInside(d.File(name), flag); err != nil {
		return nil, d.unwritten(name, err)
	}
	d.mutex.Lock()
	d.grown = append(d.grown, name)
	d.mutex.Unlock()
	header := npy.Preamble(shape)
	if known {
		a.rows = rows(f)
		if a.hash, err = d.hashed(f); err == nil {
			err = a.file.Truncate(f.Size) // what a killed process had added
		}
	} else {
		a.hash = sha256.New()
		a.hash.Write(header)
		if err = a.file.Truncate(0); err == nil {
			_, err = a.file.Write(header)
		}
		if err == nil {
			err = durable.SyncDirectory(d.path)
		}
	}
	if err == nil {
		_, err = a.file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, errors.Join(d.unwritten(name, err), a.file.Close())
	}
	return a, nil
}

// Rows is the number of rows that the array has.
func (a *Array) Rows() int { return a.rows }

// Append adds rows: row i is function i of the first batch, then function i of the second, and so on. After an error, a
// *fault.Data, no more rows can be added.
func (a *Array) Append(columns ...grid.Batch) error {
	if a.failure != nil {
		return a.failure
	}
	if a.failure = a.append(columns); a.failure != nil {
		a.failure = a.directory.unwritten(a.name, a.failure)
	}
	return a.failure
}

func (a *Array) append(columns []grid.Batch) error {
	count, width := columns[0].Count, 0
	for _, c := range columns {
		width += c.Values()
	}
	if width != a.row || a.rows+count > a.shape[0] {
		panic(fmt.Sprintf("run: %d rows of %d numbers added to %d rows of an array of shape %v", count, width, a.rows, a.shape))
	}
	const most = 1 << 16
	text := make([]byte, 0, min(8*count*width, most+8*width))
	for i := range count {
		for _, c := range columns {
			for _, v := range c.At(i) {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
			}
		}
		if len(text) < most && i < count-1 {
			continue
		}
		a.hash.Write(text)
		if _, err := a.file.Write(text); err != nil {
			return err
		}
		text = text[:0]
	}
	a.rows += count
	return nil
}

// Sync makes the rows durable; they belong to the run from the next commit on. The error is a *fault.Data.
func (a *Array) Sync() error {
	if a.failure != nil {
		return a.failure
	}
	if err := a.file.Sync(); err != nil {
		a.failure = a.directory.unwritten(a.name, err)
		return a.failure
	}
	size := int64(len(npy.Preamble(a.shape))) + 8*int64(a.rows)*int64(a.row)
	a.directory.put(File{Name: a.name, Size: size, SHA256: hex.EncodeToString(a.hash.Sum(nil)), Shape: a.shape, Growing: a.rows < a.shape[0]})
	return nil
}

// Close closes the file.
func (a *Array) Close() error {
	if err := a.file.Close(); err != nil {
		return a.directory.unwritten(a.name, err)
	}
	return nil
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
func rows(f File) int {
	header, row, _ := layout(f)
	return int((f.Size - int64(len(header))) / row)
}

// Array says which array the run has under a name: its shape when it is complete, and how many rows there are. ok is
// false if there is none.
func (d *Directory) Array(name string) (shape []int, count int, ok bool) {
	f, ok := d.Manifest().File(name)
	if !ok || f.Shape == nil {
		return nil, 0, false
	}
	return f.Shape, rows(f), true
}

// ReadRows calls use for each row of an array that the manifest counts. The slice is valid during the call. The error is a
// *fault.Data.
func (d *Directory) ReadRows(ctx context.Context, name string, use func(row int, values []float64)) error {
	f, ok := d.Manifest().File(name)
	if !ok || f.Shape == nil {
		return &fault.Data{Where: d.File(name), What: "is no array of the run"}
	}
	header, row, _ := layout(f)
	file, err := OpenFile(d.path, f)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(obedient{ctx, file}, 1<<16)
	unreadable := func(err error) error { return &fault.Data{Where: d.File(name), What: "cannot be read", Err: err} }
	found := make([]byte, len(header))
	if _, err := io.ReadFull(in, found); err != nil {
		return unreadable(err)
	}
	if !bytes.Equal(found, header) {
		return &fault.Data{Where: d.File(name), What: fmt.Sprintf("does not begin as an array of shape %v", f.Shape)}
	}
	text, values := make([]byte, row), make([]float64, row/8)
	for i := range rows(f) {
		if _, err := io.ReadFull(in, text); err != nil {
			return unreadable(err)
		}
		for x := range values {
			values[x] = math.Float64frombits(binary.LittleEndian.Uint64(text[8*x:]))
		}
		use(i, values)
	}
	return nil
}
