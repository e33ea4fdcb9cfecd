package npz

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"rfm/solver/dataset/npy"
)

// Writer writes an archive for numpy.load: float64 arrays in C order, stored, in the order of the calls. The same
// content gives the same bytes, since the archive does not contain times.
type Writer struct {
	archive *zip.Writer
	taken   map[string]bool
}

// NewWriter starts an archive that is written to w. The caller must Close it to complete it.
func NewWriter(w io.Writer) *Writer { return &Writer{zip.NewWriter(w), map[string]bool{}} }

// Array adds an array. It panics if the name is already used or not a plain relative path, or if the shape does not fit
// the data. It returns the error of the underlying writer.
func (w *Writer) Array(name string, a npy.Array) error {
	return w.add(name, name+suffix, func(out io.Writer) error { return npy.Write(out, a) })
}

// File adds a member that is not an array, which numpy.load returns as bytes. It panics if the name is already used,
// ends in .npy or is not a plain relative path. It returns the error of the underlying writer.
func (w *Writer) File(name string, content []byte) error {
	if strings.HasSuffix(name, suffix) {
		panic(fmt.Sprintf("npz: file %q would be taken for an array", name))
	}
	return w.add(name, name, func(out io.Writer) error {
		_, err := io.Copy(out, bytes.NewReader(content))
		return err
	})
}

// add writes a member twice: first to compute size and checksum, which precede it in the file.
func (w *Writer) add(name, member string, write func(io.Writer) error) error {
	if !local(member) || w.taken[name] {
		panic(fmt.Sprintf("npz: member %q is taken or not a plain relative path", member))
	}
	w.taken[name] = true
	sum := &checksum{}
	if err := write(sum); err != nil {
		return err
	}
	const firstDay = 1<<5 | 1 // 1 January 1980, the earliest date of the format
	out, err := w.archive.CreateRaw(&zip.FileHeader{Name: member, Method: zip.Store, ModifiedDate: firstDay,
		CRC32: sum.crc, CompressedSize64: sum.size, UncompressedSize64: sum.size})
	if err != nil {
		return err
	}
	return write(out)
}

type checksum struct {
	crc  uint32
	size uint64
}

func (c *checksum) Write(p []byte) (int, error) {
	c.crc = crc32.Update(c.crc, crc32.IEEETable, p)
	c.size += uint64(len(p))
	return len(p), nil
}

// Close completes the archive. It does not close the underlying writer.
func (w *Writer) Close() error { return w.archive.Close() }
