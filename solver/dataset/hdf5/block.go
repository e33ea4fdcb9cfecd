// This file reads bytes of the file: each structure once, within the file, and checks its signature and checksum.

package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// damaged describes a defect in the structure of a file.
type damaged string

func (d damaged) Error() string { return string(d) }

// unsupported names a valid but unsupported property of a file.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func damage(format string, values ...any) error { return damaged(fmt.Sprintf(format, values...)) }

func unread(format string, values ...any) error { return unsupported(fmt.Sprintf(format, values...)) }

// fault makes a *fault.Data of an error of the file, or of the array with a name.
func (f *file) fault(name string, err error) error {
	where := npy.Place(f.where, name)
	var (
		data *fault.Data
		d    damaged
		u    unsupported
	)
	switch {
	case errors.As(err, &data):
		return err
	case errors.As(err, &d):
		return fault.Damaged(where, d)
	case errors.As(err, &u):
		group := fmt.Sprintf("h5py.File(NAME)[%q]", path.Dir("/"+name))
		return fault.Bad(where, npy.Recipe("h5py", group, "v[()]")(f.where), "%s", u)
	}
	return fault.Unread(where, err)
}

// bytes reads length bytes at an address. They must lie within the file and below a size limit.
func (f *file) bytes(at, length int64) ([]byte, error) {
	switch {
	case at < 0 || length < 0 || at > f.size-f.base || length > f.size-f.base-at:
		return nil, damage("%d bytes at %d are beyond its end, %d", length, at, f.size-f.base)
	case length > maxBlock:
		return nil, damage("a structure at %d has %d bytes", at, length)
	}
	if f.metadata += length; f.metadata > 8*f.size+maxBlock {
		return nil, damage("its structures overlap: they have more bytes than the file")
	}
	b := make([]byte, length)
	if n, err := f.in.ReadAt(b, f.base+at); n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// structure reads length bytes at an address that no other structure has: shared structures could form cycles or expand
// without bound. The bytes begin with a signature, which may be empty, and end with a checksum if sealed. The result
// excludes both.
func (f *file) structure(signature string, at, length int64, sealed bool) *cursor {
	c := &cursor{f: f}
	if f.visited[at] {
		c.err = damage("the structure at %d is used twice", at)
		return c
	}
	f.visited[at] = true
	if c.b, c.err = f.bytes(at, length); c.err != nil {
		return c
	}
	if !bytes.HasPrefix(c.b, []byte(signature)) {
		c.fail(damage("there is no %s at %d", signature, at))
		return c
	}
	if sealed {
		n := len(c.b) - 4
		if n < 0 || binary.LittleEndian.Uint32(c.b[n:]) != lookup3(c.b[:n]) && !f.trusting {
			c.fail(damage("the checksum of the structure at %d does not agree", at))
			return c
		}
		c.b = c.b[:n]
	}
	c.take(len(signature))
	return c
}

// cursor takes numbers from bytes one after another. Beyond the end of the bytes, numbers are 0 and err is set.
type cursor struct {
	f   *file
	b   []byte
	err error
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
	c.b = nil
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.fail(damage("a structure is too short"))
		return make([]byte, min(max(n, 0), 64))
	}
	taken := c.b[:n]
	c.b = c.b[n:]
	return taken
}

// uint returns a number of up to eight bytes.
func (c *cursor) uint(bytes int) uint64 {
	var word [8]byte
	copy(word[:], c.take(bytes))
	return binary.LittleEndian.Uint64(word[:])
}

func (c *cursor) byte() int { return int(c.uint(1)) }

// address returns an address, or -1 if it is undefined or beyond the largest possible size of a file.
func (c *cursor) address() int64 { return c.place(c.f.offsets) }

// length returns a length, or -1 beyond the largest possible size of a file.
func (c *cursor) length() int64 { return c.place(c.f.lengths) }

func (c *cursor) place(bytes int) int64 {
	n := c.uint(bytes)
	if bytes < 8 && n == 1<<(8*bytes)-1 || n > 1<<62 {
		return -1
	}
	return int64(n)
}

// lookup3 returns the checksum of structures, Bob Jenkins' hash lookup3 with the initial value 0.
func lookup3(b []byte) uint32 {
	rot := func(x uint32, k uint) uint32 { return x<<k | x>>(32-k) }
	x := 0xdeadbeef + uint32(len(b))
	y, z := x, x
	word := func(at int) (v uint32) {
		for i := range 4 {
			if at+i < len(b) {
				v |= uint32(b[at+i]) << (8 * i)
			}
		}
		return v
	}
	for ; len(b) > 12; b = b[12:] {
		x, y, z = x+word(0), y+word(4), z+word(8)
		x, z = (x-z)^rot(z, 4), z+y
		y, x = (y-x)^rot(x, 6), x+z
		z, y = (z-y)^rot(y, 8), y+x
		x, z = (x-z)^rot(z, 16), z+y
		y, x = (y-x)^rot(x, 19), x+z
		z, y = (z-y)^rot(y, 4), y+x
	}
	if len(b) == 0 {
		return z
	}
	x, y, z = z+word(8), x+word(0), y+word(4)
	for _, k := range []uint{14, 11, 25, 16, 4, 14, 24} {
		x, y, z = y, z, (x^z)-rot(z, k) // each word in turn
	}
	return z
}
