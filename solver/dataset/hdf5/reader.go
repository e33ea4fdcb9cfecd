// Package hdf5 reads arrays of real numbers from HDF5 files, as h5py, MATLAB (-v7.3) and netCDF-4 write them. It
// follows "HDF5 File Format Specification Version 3.0", The HDF Group, without its C library.
//
// It reads superblocks 0 to 3, groups of either kind (symbol tables, links; soft links to arrays in the file), object headers 1 and 2, integers, floats
// of 2, 4 and 8 bytes and enumerations of either byte order; data that are compact, contiguous or in chunks with the
// indices that h5py writes, also with libver='latest', packed by gzip, shuffle and fletcher32. Everything else is
// listed and refused by name, and does not keep other arrays from being read.
//
// The reader is strict: addresses lie in the file, structures and chunks do not share bytes, checksums agree, all of
// the data are there. So what it allocates is bounded: once or twice the structures of the file, and two chunks of at
// most 256 MiB each.
package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Dataset is an array of a file.
type Dataset struct {
	Name        string   // its path without the leading slash, as "t0_fields/pressure"
	Type        npy.Type // of the elements; Real if they are numbers
	Class       string   // of elements that are no numbers: "string", "compound", "reference", ...
	Shape       []int
	MATLABClass string // of the attribute MATLAB_class: "double", "char", ...
	MATLABEmpty bool   // the attribute MATLAB_empty is there: the elements are a shape
	Same        string // the array that this is another name of, which is listed before; empty for an array's first name

	refused error // why it cannot be read although its elements are numbers
	storage storage
	element int // bytes of an element
}

// Readable reports whether the numbers of the array can be read.
func (d Dataset) Readable() bool { return d.Type.Real() && d.refused == nil }

// File is an open file. It may be read by several goroutines at once.
type File struct {
	where    string
	in       io.ReaderAt
	size     int64
	base     int64 // of all addresses: the superblock's
	offsets  int   // bytes of an address
	lengths  int   // bytes of a length
	visited  map[int64]bool
	groups   map[int64]bool   // that have been entered
	arrays   map[int64]string // names of arrays by the addresses of their headers
	aliases  []link           // other names, which lead to a path
	sets     []Dataset
	objects  int
	names    int   // of links
	metadata int64 // bytes of structures that were read
	extents  []chunk
	trusting bool   // that checksums agree: a fuzzer does not guess them
	userHead []byte // what is before the superblock, at most 512 bytes
}

const (
	signature  = "\x89HDF\r\n\x1a\n"
	maxBlock   = 1 << 24 // bytes of a structure
	maxObjects = 1 << 12
	maxNames   = 1 << 16 // of links
	maxName    = 1 << 16 // bytes
	maxDepth   = 32      // of groups, and of trees
	maxChunk   = 1 << 28
	maxChunks  = 1 << 20
	maxRank    = 32
)

// Recognise reports whether a file that begins with start may be HDF5: the signature is at byte 0, 512, 1024, 2048 and
// so on.
func Recognise(start []byte) bool {
	for at := 0; at < len(start); at = max(512, 2*at) {
		if bytes.HasPrefix(start[at:], []byte(signature)) {
			return true
		}
	}
	return false
}

// NewReader finds the arrays of the file in, which has size bytes. Errors, also later ones, are *fault.Data at where,
// the file's name.
func NewReader(in io.ReaderAt, size int64, where string) (*File, error) {
	f := &File{where: where, in: in, size: size}
	if err := f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) read() error {
	f.visited, f.groups, f.arrays = map[int64]bool{}, map[int64]bool{}, map[int64]string{}
	root, err := f.superblock()
	if err == nil {
		err = f.object(root, "", 0)
	}
	if err == nil {
		err = f.checkOverlap()
	}
	f.listAliases()
	f.visited, f.groups, f.extents, f.arrays, f.aliases = nil, nil, nil, nil, nil
	if err != nil {
		return f.fault(f.where, err)
	}
	return nil
}

// Datasets are the arrays, in the order of the file's groups.
func (f *File) Datasets() []Dataset { return f.sets }

// Head is what stands before the HDF5 file in the same file, at most 512 bytes: MATLAB writes who made it.
func (f *File) Head() []byte { return f.userHead }

// damaged says what is wrong with the structure of a file.
type damaged string

func (d damaged) Error() string { return string(d) }

// unsupported names what is not read, although it may be right.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func damage(format string, values ...any) error { return damaged(fmt.Sprintf(format, values...)) }

func unread(format string, values ...any) error { return unsupported(fmt.Sprintf(format, values...)) }

// fault makes a *fault.Data of an error.
func (f *File) fault(where string, err error) error {
	var (
		data *fault.Data
		d    damaged
		u    unsupported
	)
	switch {
	case errors.As(err, &data):
		return err
	case errors.As(err, &d):
		return &fault.Data{Where: where, What: "is damaged: " + string(d), Do: "copy or write the file again"}
	case errors.As(err, &u):
		return &fault.Data{Where: where, What: string(u),
			Do: "convert it in Python: import h5py, numpy; numpy.savez('pairs.npz', a=h5py.File('FILE')['NAME'][()])"}
	}
	return fault.Unread(where, err)
}

// bytes reads length bytes at an address. They must be in the file, and not many.
func (f *File) bytes(at, length int64) ([]byte, error) {
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

// visit marks the structure at an address as read: a file in which two share an address has cycles, or makes much of
// little.
func (f *File) visit(at int64) error {
	if f.visited[at] {
		return damage("the structure at %d is used twice", at)
	}
	f.visited[at] = true
	return nil
}

// structure reads length bytes at an address that no other structure has. They begin with four letters and, if sealed,
// end with a checksum, which is left out.
func (f *File) structure(letters string, at, length int64, checksum bool) (*cursor, error) {
	if err := f.visit(at); err != nil {
		return nil, err
	}
	b, err := f.bytes(at, length)
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(b, []byte(letters)) {
		return nil, damage("there is no %s at %d", letters, at)
	}
	if checksum {
		if b, err = f.checksummed(b, at); err != nil {
			return nil, err
		}
	}
	return &cursor{f: f, b: b[len(letters):]}, nil
}

// checksummed compares the checksum at the end of b, and leaves it out.
func (f *File) checksummed(b []byte, at int64) ([]byte, error) {
	if len(b) < 4 {
		return nil, damage("the structure at %d is too short for its checksum", at)
	}
	content := b[:len(b)-4]
	if binary.LittleEndian.Uint32(b[len(b)-4:]) != lookup3(content) && !f.trusting {
		return nil, damage("the checksum of the structure at %d does not agree", at)
	}
	return content, nil
}

// cursor takes numbers from bytes one after another. After the first that is not there all are 0 and short is set.
type cursor struct {
	f     *File
	b     []byte
	short bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.short, c.b = true, nil
		return make([]byte, min(max(n, 0), 64))
	}
	taken := c.b[:n]
	c.b = c.b[n:]
	return taken
}

// uint is a number of up to eight bytes.
func (c *cursor) uint(bytes int) uint64 {
	var word [8]byte
	copy(word[:], c.take(bytes))
	return binary.LittleEndian.Uint64(word[:])
}

func (c *cursor) byte() int { return int(c.uint(1)) }

// address is -1 if it is undefined, or beyond what a file can have.
func (c *cursor) address() int64 {
	a := c.uint(c.f.offsets)
	if c.f.offsets < 8 && a == 1<<(8*c.f.offsets)-1 || a > 1<<62 {
		return -1
	}
	return int64(a)
}

// length is -1 beyond what a file can have.
func (c *cursor) length() int64 {
	n := c.uint(c.f.lengths)
	if n > 1<<62 {
		return -1
	}
	return int64(n)
}

// text takes a text that ends with a zero byte, and pads it to a multiple of bytes.
func (c *cursor) text(multiple int) string {
	end := bytes.IndexByte(c.b, 0)
	if end < 0 {
		c.take(len(c.b) + 1)
		return ""
	}
	s := string(c.b[:end])
	c.take((end + multiple) / multiple * multiple)
	return s
}

// done is an error if something was not there.
func (c *cursor) done(what string) error {
	if c.short {
		return damage("%s is too short", what)
	}
	return nil
}

// superblock finds out where addresses count from and how long they are; root is the address of the root group.
func (f *File) superblock() (root int64, err error) {
	start := make([]byte, 128)
	for at := int64(0); ; at = max(512, 2*at) {
		n, err := f.in.ReadAt(start, at)
		if n < len(signature) {
			if err != nil && err != io.EOF {
				return 0, err
			}
			return 0, unread("is no HDF5 file: it has no superblock")
		}
		if bytes.HasPrefix(start[:n], []byte(signature)) {
			f.base, start = at, start[:n]
			break
		}
	}
	f.userHead = make([]byte, min(f.base, 512))
	if _, err := f.in.ReadAt(f.userHead, 0); err != nil && len(f.userHead) > 0 {
		return 0, err
	}
	c := &cursor{f: f, b: start[len(signature):]}
	version := c.byte()
	switch version {
	case 0, 1:
		c.take(4)
	case 2, 3:
	default:
		return 0, unread("has a superblock of version %d; 0 to 3 are read", version)
	}
	f.offsets, f.lengths = c.byte(), c.byte()
	for _, n := range []int{f.offsets, f.lengths} {
		if !slices.Contains([]int{2, 4, 8}, n) {
			return 0, damage("its addresses and lengths have %d and %d bytes", f.offsets, f.lengths)
		}
	}
	var end int64
	if version < 2 {
		c.take(1 + 4 + 4)
		if version == 1 {
			c.take(4)
		}
		c.address()
		c.address()
		end = c.address()
		c.address()
		c.take(f.offsets) // of the root's name
		root = c.address()
	} else {
		c.take(1)
		c.address()
		c.address()
		end = c.address()
		root = c.address()
		if _, err := f.checksummed(start[:min(len(start), 12+4*f.offsets+4)], f.base); err != nil {
			return 0, err
		}
	}
	if end > f.size {
		return 0, damage("it is truncated: %d bytes of %d", f.size, end)
	}
	if root < 0 {
		return 0, damage("there is no root group")
	}
	return root, c.done("the superblock")
}

// lookup3 is the checksum of structures, Bob Jenkins' hash of that name with the initial value 0.
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
	x, y, z = x+word(0), y+word(4), z+word(8)
	z = (z ^ y) - rot(y, 14)
	x = (x ^ z) - rot(z, 11)
	y = (y ^ x) - rot(x, 25)
	z = (z ^ y) - rot(y, 16)
	x = (x ^ z) - rot(z, 4)
	y = (y ^ x) - rot(x, 14)
	return (z ^ y) - rot(y, 24)
}
