// Package exchange opens files of arrays that other programs write or read, whatever their kind: it tells the kind by
// the content, lists the arrays, and reads them.
package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/mat"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/torch"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Kind is a kind of file.
type Kind string

// The kinds of files that are told apart.
const (
	NPY   Kind = "npy"            // one NumPy array
	NPZ   Kind = "npz"            // named NumPy arrays
	Model Kind = "model"          // an npz with a meta.json: a trained model
	MAT   Kind = "MATLAB 5 mat"   // named MATLAB arrays
	MAT73 Kind = "MATLAB 7.3 mat" // the same, in HDF5
	HDF5  Kind = "HDF5"           // arrays with paths as names
	Torch Kind = "PyTorch"        // named tensors, of torch.save
	TOML  Kind = "TOML"           // text, without members
	JSON  Kind = "JSON"           // text, without members
	CSV   Kind = "table"          // of numbers in text: one array, or some with names
)

// Order is the order in which an array's numbers are stored.
type Order string

// The orders of storage. Arrays are always handed out in C order.
const (
	C       Order = "C"       // the last index runs fastest
	Fortran Order = "Fortran" // the first index runs fastest
)

// Member is one of the things a file holds.
type Member struct {
	Name     string // empty in a .npy file, which holds one array without a name
	Type     string // of the elements, NumPy's name or MATLAB's class; "file" for a member that is no array
	Shape    []int
	Order    Order
	Readable bool   // an array of real numbers
	Same     string // the member that this is another name of; empty for its first name

	verify func() error
	scan   func(strides []int, s npy.Selection) error
}

// Count is how many elements an array has.
func (m Member) Count() int { return npy.Header{Shape: m.Shape}.Count() }

// File is an open file. It may be read by several goroutines at once.
type File struct {
	Name    string
	Kind    Kind
	Size    int64 // bytes
	Members []Member

	obedient obedient
	close    func() error // nil if there is nothing to close
}

// Only is the name of the one array of numbers in the file; ok is false if there are several, or none.
func (f *File) Only() (name string, ok bool) {
	for _, m := range f.Members {
		if m.Readable && ok {
			return "", false
		}
		if m.Readable {
			name, ok = m.Name, true
		}
	}
	return name, ok
}

// Unnamed reports whether the file holds one array without a name.
func (f *File) Unnamed() bool { return len(f.Members) == 1 && f.Members[0].Name == "" }

// obedient is content that is read until a context ends: the readers of all kinds look at it at every block that way.
type obedient struct {
	ctx     context.Context
	content io.ReaderAt
}

func (o obedient) ReadAt(p []byte, at int64) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	return o.content.ReadAt(p, at)
}

// Open finds out what the file with the given name is and lists its members. Close it after use. Reading, then and
// later, ends soon after ctx has, with its error. Other errors are *fault.Data with the name: it cannot be opened, is
// damaged, or is of no kind that is read; for MATLAB 4 the error says how to convert it.
func Open(ctx context.Context, name string) (*File, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, &fault.Data{Where: name, What: "is a directory", Do: "name a file; arrays in several files become one " +
			"file in Python:\n  import numpy\n  numpy.savez('pairs.npz', a=numpy.load('inputs.npy'), u=numpy.load('outputs.npy'))"}
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, fault.Unread(name, err)
	}
	f, err := OpenContent(ctx, name, file, info.Size())
	if err != nil {
		file.Close()
		return nil, err
	}
	f.close = file.Close
	return f, nil
}

// OpenContent is Open for content of a known size in bytes that has no file of its own; name is for people. Content is
// not closed with it.
func OpenContent(ctx context.Context, name string, content io.ReaderAt, size int64) (*File, error) {
	f := &File{Name: name, Size: size, obedient: obedient{ctx, content}}
	if err := f.recognise(); err != nil {
		return nil, f.orCancelled(err)
	}
	return f, nil
}

// Bound is how many numbers are looked at to find out what the file holds: least and some for each of its bytes, which
// are all unless it is packed in a way that numbers from computations hardly are, and no more than take some seconds.
func (f *File) Bound(least int) int {
	const each, most = 4, 1 << 28
	return least + min(each*int(min(f.Size, most)), most)
}

// Sealed reports whether checksums are those of whole arrays, which are compared where an array ends.
func (f *File) Sealed() bool {
	return f.Kind == NPZ || f.Kind == Model || f.Kind == MAT
}

// Close closes the file.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

func (f *File) recognise() error {
	start := make([]byte, 4096)
	n, err := f.obedient.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return fault.Unread(f.Name, err)
	}
	switch start = start[:n]; {
	case hasPrefix(start, "\x93NUMPY"):
		return f.openNPY()
	case hasPrefix(start, "PK\x03\x04"), hasPrefix(start, "PK\x05\x06"):
		return f.openNPZ()
	case hdf5.Recognise(start):
		return f.openHDF5()
	case hasPrefix(start, "\x80\x02"), hasPrefix(start, "\x80\x03"), hasPrefix(start, "\x80\x04"),
		hasPrefix(start, "\x80\x05"):
		return &fault.Data{Where: f.Name, What: "is a pickle of Python's, which is a program and never run",
			Do: torch.Convert(f.Name)}
	case mat.Recognise(start) != mat.Other:
		return f.openMAT()
	}
	return f.openText(start)
}

func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// Member finds a member by its name, or a part of it: "name[:, 0]" is what NumPy makes of it, with steps above zero.
// The error is a *fault.Data that lists those there are.
func (f *File) Member(name string) (Member, error) {
	p, err := f.part(name)
	return p.Member, err
}

func (f *File) whole(name string) (Member, error) {
	var names []string
	for _, m := range f.Members {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if len(f.Members) == 0 {
		do := cmp.Or(f.Convert(), "give a .npy, .npz, .mat, .h5, .pt or .csv file")
		return Member{}, &fault.Data{Where: f.Name, What: fmt.Sprintf("is %s and holds no arrays", f.Kind), Do: do}
	}
	if f.Unnamed() {
		return Member{}, &fault.Data{Where: f.Name, What: fmt.Sprintf("has no %q: it holds one array without a name", name),
			Do: "leave the name out"}
	}
	return Member{}, &fault.Data{Where: f.Name, What: fmt.Sprintf("has no %q; it has %q", name, names),
		Do: "name one of these"}
}

// Verify makes sure that a member is an array of real numbers and that as many can be there as its shape says, so that
// memory can be allocated for it. Errors are *fault.Data.
func (f *File) Verify(member string) error {
	p, err := f.part(member)
	if err != nil {
		return err
	}
	return f.orCancelled(p.verify())
}

// Scan hands out the numbers of a member in the order of the file, in runs with their positions, the sums of index
// times stride over the axes; len(strides) is the number of axes. It allocates less than 1 MiB. A checksum is compared
// if the member is read to its end. Errors are *fault.Data and the context's; what has been put before is then of no
// use.
func (f *File) Scan(member string, strides []int, s npy.Selection) error {
	p, err := f.part(member)
	if err != nil {
		return err
	}
	if p.sections == nil {
		return f.orCancelled(p.scan(strides, s))
	}
	return f.orCancelled(p.scan(npy.Strides(p.whole), p.selection(strides, s)))
}

// orCancelled is the context's error if there is one, or else err.
func (f *File) orCancelled(err error) error {
	if err != nil && f.obedient.ctx.Err() != nil {
		return f.obedient.ctx.Err()
	}
	return err
}

// Array reads a member. Errors are *fault.Data.
func (f *File) Array(member string) (npy.Array, error) {
	p, err := f.part(member)
	if err != nil {
		return npy.Array{}, err
	}
	if err := f.orCancelled(p.verify()); err != nil {
		return npy.Array{}, err
	}
	a := npy.Array{Shape: p.Shape, Data: make([]float64, p.count())}
	return a, f.Scan(member, npy.Strides(p.Shape), npy.Into(a.Data))
}

var errKind = errors.New("neither .npy, .npz, MATLAB .mat, HDF5, PyTorch, TOML, JSON nor a table of numbers")
