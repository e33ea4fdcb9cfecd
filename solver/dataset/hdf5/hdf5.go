// Package hdf5 reads arrays of real numbers from HDF5 files, as h5py, MATLAB (-v7.3) and netCDF-4 write them. It
// follows "HDF5 File Format Specification Version 3.0", The HDF Group, without its C library.
//
// It reads superblocks 0 to 3 with addresses of 8 bytes, groups of either kind (symbol tables, links), object headers 1
// and 2, integers, floats of 2, 4 and 8 bytes and enumerations of either byte order; data that are compact, contiguous
// or in chunks with any index, packed by gzip, lzf, shuffle and fletcher32. Elements that were never written have the
// fill value. Numbers stand for what the attributes of netCDF say: scaled, shifted, missing. Lists of references to
// equal arrays, as MATLAB's cells, are one array. All other arrays are listed and refused by name, and the rest of the
// file remains readable. An array has one name; links are listed with the name that they lead to.
//
// The reader is strict: addresses lie in the file, structures and chunks do not share bytes, checksums agree, all data
// are present. This bounds its memory: once or twice the structures of the file, and two chunks of up to 256 MiB.
package hdf5

import (
	"bytes"
	"io"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// file is an open file.
type file struct {
	where    string
	in       io.ReaderAt
	size     int64
	base     int64 // address of the superblock; other addresses are relative to it
	matlab   bool  // MATLAB wrote it, with axes in the opposite order
	trusting bool  // checksums are not compared: a fuzzer does not guess them

	visited  map[int64]bool // addresses of structures
	objects  map[int64]bool // addresses of headers
	arrays   map[int64]int  // numbers of the members that are arrays, by the addresses of their headers
	types    map[int64][]message
	lists    []listed // of references
	members  []npy.Member
	metadata int64 // bytes of structures that were read
	extents  []chunk
}

const (
	signature  = "\x89HDF\r\n\x1a\n"
	maxBlock   = 1 << 24 // bytes of a structure
	maxObjects = 1 << 14
	maxName    = 1 << 16 // bytes
	maxDepth   = 32      // of groups, and of trees
	maxChunk   = 1 << 28
	maxChunks  = 1 << 20

	maxUnwritten = 1 << 28 // bytes of an array that were never written, besides 16 times the file's
)

// Read lists the arrays of the file in, which has size bytes and begins with start, in the order of its groups; ok is
// false if it is not HDF5: the signature is not at byte 0, 512, 1024 and so on. A name is a path without the leading
// slash. Errors, also later ones, are *fault.Data at where, the name of the file.
func Read(in io.ReaderAt, size int64, where string, start []byte) (arrays []npy.Member, ok bool, err error) {
	f := newFile(in, size, where, start)
	if f == nil {
		return nil, false, nil
	}
	err = f.read()
	return f.members, true, err
}

func newFile(in io.ReaderAt, size int64, where string, start []byte) *file {
	for at := 0; at < len(start); at = max(512, 2*at) {
		if !bytes.HasPrefix(start[at:], []byte(signature)) {
			continue
		}
		return &file{
			where:   where,
			in:      in,
			size:    size,
			base:    int64(at),
			matlab:  bytes.HasPrefix(start, []byte("MATLAB")),
			visited: map[int64]bool{},
			objects: map[int64]bool{},
			arrays:  map[int64]int{},
			types:   map[int64][]message{},
		}
	}
	return nil
}

func (f *file) read() error {
	err := cursor.Attempt(func() {
		f.object(f.superblock(), "", 0)
		f.resolve()
		f.checkExtents()
	})
	// What follows is not needed to read numbers.
	f.visited = nil
	f.objects = nil
	f.extents = nil
	f.arrays = nil
	f.types = nil
	f.lists = nil
	if what, ok := err.(unsupported); ok {
		return f.refused("", what)
	}
	return npy.Broken(f.where, err)
}

// superblock returns the address of the root group.
func (f *file) superblock() (root int64) {
	c := within(f.bytes(0, min(128, f.size-f.base)))
	c.Take(len(signature))
	version := c.byte()
	if version > 3 {
		unread("has a superblock of version %d; 0 to 3 are read", version)
	}
	if version < 2 {
		c.Take(4)
	}
	offsets := c.byte()
	lengths := c.byte()
	if offsets != 8 || lengths != 8 {
		cursor.Damage("its addresses and lengths have %d and %d bytes; 8 are read", offsets, lengths)
	}
	before := []int{25, 29, 17, 17} // bytes before the end of the file, by the version
	c.Take(before[version])
	end := c.place()
	if version < 2 {
		c.Take(16) // of the driver, and of the root's name
	} else {
		f.structure("", 0, 48, true)
	}
	root = c.place()
	switch {
	case end > f.size:
		cursor.Damage("it is truncated: %d bytes of %d", f.size, end)
	case root < 0:
		cursor.Damage("there is no root group")
	}
	return root
}
