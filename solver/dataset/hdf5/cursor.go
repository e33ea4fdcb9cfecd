// This file reads bytes of the file: each structure once, within the file, and checks its signature and checksum.

package hdf5

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"path"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// unsupported is a valid property that is not read.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func unread(format string, values ...any) { cursor.End(unsupported(fmt.Sprintf(format, values...))) }

// refused returns the error of an array with an unsupported property, or of the file if the name is empty.
func (f *file) refused(name string, what unsupported) error {
	group := fmt.Sprintf("h5py.File(NAME)[%q]", path.Dir("/"+name))
	return fault.Bad(npy.Place(f.where, name), npy.Recipe("h5py", group, "v[()]")(f.where), "%s", what)
}

// inside checks that length bytes at an address lie within the file.
func (f *file) inside(at, length int64) {
	if end := f.size - f.base; at < 0 || length < 0 || at > end || length > end-at {
		cursor.Damage("%d bytes at %d are beyond its end, %d", length, at, end)
	}
}

// count counts bytes in memory: structures that overlap, or names of groups in each other, could have any number.
func (f *file) count(length int64) {
	if f.metadata += length; f.metadata > 8*f.size+maxBlock {
		cursor.Damage("its structures overlap: they have more bytes than the file")
	}
}

// bytes reads length bytes at an address. They must lie within the file and below a size limit.
func (f *file) bytes(at, length int64) []byte {
	f.inside(at, length)
	if length > maxBlock {
		cursor.Damage("a structure at %d has %d bytes", at, length)
	}
	f.count(length)
	b := make([]byte, length)
	if n, err := f.in.ReadAt(b, f.base+at); n < len(b) {
		cursor.End(npy.Broken(f.where, err))
	}
	return b
}

// structure reads length bytes at an address that no other structure has: shared structures could form cycles or expand
// without bound. The result excludes the signature at their beginning, and the checksum at their end if sealed.
func (f *file) structure(signature string, at, length int64, sealed bool) *structure {
	if f.visited[at] {
		cursor.Damage("the structure at %d is used twice", at)
	}
	f.visited[at] = true
	b := f.bytes(at, length)
	if !bytes.HasPrefix(b, []byte(signature)) {
		cursor.Damage("there is no %s at %d", signature, at)
	}
	if sealed {
		n := len(b) - 4
		if n < len(signature) || binary.LittleEndian.Uint32(b[n:]) != lookup3(b[:n]) && !f.trusting {
			cursor.Damage("the checksum of the structure at %d does not agree", at)
		}
		b = b[:n]
	}
	return within(b[len(signature):])
}

// structure is the rest of a structure, from which numbers and addresses are taken one after another.
type structure struct{ cursor.Cursor }

// within returns a structure of some bytes.
func within(b []byte) *structure { return &structure{cursor.Cursor{Rest: b}} }

func (c *structure) byte() int { return int(c.Uint(1)) }

// place returns an address or a length, -1 if it is undefined or beyond the largest possible size of a file.
func (c *structure) place() int64 {
	n := c.Uint(8)
	if n > 1<<62 {
		return -1
	}
	return int64(n)
}

// lookup3 returns the checksum of structures, Bob Jenkins' hash lookup3 with the initial value 0.
func lookup3(b []byte) uint32 {
	rot, word := bits.RotateLeft32, binary.LittleEndian.Uint32
	n := len(b)
	x := 0xdeadbeef + uint32(n)
	y, z := x, x
	add := func() { x, y, z = x+word(b), y+word(b[4:]), z+word(b[8:]) }
	for b = append(bytes.Clone(b), make([]byte, 12)...); n > 12; b, n = b[12:], n-12 { // zeros add nothing
		add()
		x, z = (x-z)^rot(z, 4), z+y
		y, x = (y-x)^rot(x, 6), x+z
		z, y = (z-y)^rot(y, 8), y+x
		x, z = (x-z)^rot(z, 16), z+y
		y, x = (y-x)^rot(x, 19), x+z
		z, y = (z-y)^rot(y, 4), y+x
	}
	if n == 0 {
		return z
	}
	add()
	x, y, z = z, x, y
	for _, k := range []int{14, 11, 25, 16, 4, 14, 24} {
		x, y, z = y, z, (x^z)-rot(z, k) // each word in turn
	}
	return z
}
