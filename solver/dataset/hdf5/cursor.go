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

// unread ends the attempt to read an object with a property that is not read.
func unread(format string, values ...any) {
	what := unsupported(fmt.Sprintf(format, values...))
	cursor.End(what)
}

// refused returns the error of an array with an unsupported property, or of the file if the name is empty.
func (f *file) refused(name string, what unsupported) error {
	group := fmt.Sprintf("h5py.File(NAME)[%q]", path.Dir("/"+name))
	convert := npy.Recipe("h5py", group, "v[()]")(f.where)
	return fault.Bad(npy.Place(f.where, name), convert, "%s", what)
}

// inside checks that length bytes at an address lie within the file.
func (f *file) inside(at, length int64) {
	end := f.size - f.base
	if at < 0 || length < 0 || at > end || length > end-at {
		cursor.Damage("%d bytes at %d are beyond its end, %d", length, at, end)
	}
}

// count counts bytes in memory: structures that overlap, or names of groups in each other, could have any number.
func (f *file) count(length int64) {
	f.metadata += length
	if f.metadata > 8*f.size+maxBlock {
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
	n, err := f.in.ReadAt(b, f.base+at)
	if n < len(b) {
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
		n := len(b) - seal
		if n < len(signature) || !f.agrees(b[:n], b[n:]) {
			cursor.Damage("the checksum of the structure at %d does not agree", at)
		}
		b = b[:n]
	}
	return within(b[len(signature):])
}

// agrees reports whether a structure has a checksum, which nobody looks at in trusted files.
func (f *file) agrees(b, checksum []byte) bool {
	return f.trusting || binary.LittleEndian.Uint32(checksum) == lookup3(b)
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
	const block = 12 // bytes, three words
	n := len(b)
	if n == 0 {
		return 0xdeadbeef
	}
	b = append(bytes.Clone(b), make([]byte, block)...) // zeros add nothing
	x := 0xdeadbeef + uint32(n)
	y := x
	z := x
	for {
		x += binary.LittleEndian.Uint32(b)
		y += binary.LittleEndian.Uint32(b[4:])
		z += binary.LittleEndian.Uint32(b[8:])
		if n <= block {
			break
		}
		x, z = mixed(x, z, y, 4)
		y, x = mixed(y, x, z, 6)
		z, y = mixed(z, y, x, 8)
		x, z = mixed(x, z, y, 16)
		y, x = mixed(y, x, z, 19)
		z, y = mixed(z, y, x, 4)
		b = b[block:]
		n -= block
	}
	z = (z ^ y) - bits.RotateLeft32(y, 14)
	x = (x ^ z) - bits.RotateLeft32(z, 11)
	y = (y ^ x) - bits.RotateLeft32(x, 25)
	z = (z ^ y) - bits.RotateLeft32(y, 16)
	x = (x ^ z) - bits.RotateLeft32(z, 4)
	y = (y ^ x) - bits.RotateLeft32(x, 14)
	return (z ^ y) - bits.RotateLeft32(y, 24)
}

// mixed returns the first two of three words after one step of the hash, which rotates by k bits.
func mixed(p, q, r uint32, k int) (uint32, uint32) {
	return (p - q) ^ bits.RotateLeft32(q, k), q + r
}
