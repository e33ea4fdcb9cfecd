// Package exchange opens files of other programs, tells their kinds by the content, and lists and reads their arrays.
package exchange

import (
	"context"
	"io"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/npy"
)

// Kind is a kind of file.
type Kind string

// The kinds of files that the package distinguishes.
const (
	NPY    Kind = "npy"            // one NumPy array
	NPZ    Kind = "npz"            // named NumPy arrays
	Model  Kind = "model"          // an npz with a meta.json: a trained model
	MAT    Kind = "MATLAB 5 mat"   // named MATLAB arrays
	MAT73  Kind = "MATLAB 7.3 mat" // the same, in HDF5
	NetCDF Kind = "netCDF"         // arrays with names, in the classic format
	HDF5   Kind = "HDF5"           // arrays with paths as names
	Torch  Kind = "PyTorch"        // named tensors, of torch.save
	Pickle Kind = "pickle"         // arrays of NumPy in an object of Python
	TOML   Kind = "TOML"           // text, without members
	CSV    Kind = "table"          // of numbers in text: one array, or some with names
)

// File is an open file. It is safe for concurrent use.
type File struct {
	Name    string
	Kind    Kind
	Size    int64 // bytes
	Members []npy.Member
	Notes   []string // how the members were put together from several files, in words

	in       io.ReaderAt
	elements []npy.Member // the members before those with numbers in their names were joined
	*reading
}

// reading is the state of a source.
type reading struct {
	ctx    context.Context // its end ends reading
	opener *opener
	stamps []stamped
}

// stamped is a file with the stamp that it had when it was opened.
type stamped struct {
	path  string
	stamp files.Stamp
}

// Open detects the kind of the files that a name means, see Parts, and lists their members. For inputs and outputs in
// two parts, these are the only array of each, named a and u. Files that hold the same arrays, in one part or in
// several, are joined. The caller must close it. Reading, during Open and later, ends soon after ctx does, with its
// error. Other errors are *fault.Data: a file cannot be opened, is damaged, is not read.
func Open(ctx context.Context, name string) (*File, error) {
	r := &reading{ctx: ctx, opener: &opener{}}
	f, err := r.source(Parts(name))
	if err != nil {
		_ = r.Close() // the error of reading comes first
		return nil, err
	}
	if isDirectory(name) {
		f.Name = name // not those of the directories in it
	}
	return f, nil
}

// OpenContent opens content of size bytes that is not a file of its own; name is for people. Close does not close in.
func OpenContent(ctx context.Context, name string, in io.ReaderAt, size int64) (*File, error) {
	r := &reading{ctx: ctx, opener: &opener{}}
	return r.content(name, in, size)
}

func (r *reading) content(name string, in io.ReaderAt, size int64) (*File, error) {
	f := &File{Name: name, Size: size, in: in, reading: r}
	if err := f.recognise(); err != nil {
		return nil, f.orCancelled(err)
	}
	f.advise()
	f.elements = f.Members
	f.Members = stacked(name, f.Kind, f.Members)
	for i, m := range f.Members {
		if m.Numbers == nil {
			continue
		}
		f.Members[i].Numbers = func(at []npy.Axis, put npy.Put) error {
			err := m.Numbers(at, put)
			return f.orCancelled(err)
		}
	}
	return f, nil
}

// Until sets the context that ends reading, in place of that of Open. It must not be called while the file is read.
func (r *reading) Until(ctx context.Context) { r.ctx = ctx }

// Unchanged returns a *fault.Data if a file was replaced or written after it was opened.
func (r *reading) Unchanged() error {
	for _, f := range r.stamps {
		if how := f.stamp.Differs(f.path); how != "" {
			return fault.Bad(f.path, "start again", "%s: it was replaced or written meanwhile", how)
		}
	}
	return nil
}

// Close closes the files.
func (r *reading) Close() error { return r.opener.close() }

// ReadAt reads the content, until the context ends: the readers of all kinds check it at every block.
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	return npy.Until(f.ctx, f.in).ReadAt(p, at)
}

// Only returns the only array of numbers; coordinates next to functions do not count. Errors are *fault.Data.
func (f *File) Only() (npy.Member, error) {
	isRefused := func(m npy.Member) bool { return !m.Readable() }
	readable := slices.DeleteFunc(slices.Clone(f.Members), isRefused)
	if len(readable) > 1 {
		isCoordinate := func(m npy.Member) bool { return npy.LongAxes(m.Shape) < 2 }
		readable = slices.DeleteFunc(readable, isCoordinate)
	}
	if len(readable) != 1 {
		return npy.Member{}, fault.Bad(
			f.Name,
			"give two files with one array each, or one with both",
			"is not a single array",
		)
	}
	return readable[0], nil
}

// Unnamed reports whether the file holds one array without a name.
func (f *File) Unnamed() bool { return len(f.Members) == 1 && f.Members[0].Name == "" }

// Bound limits how many numbers are read to detect the contents, to some seconds: least plus a multiple of the size,
// which exceeds the number of values unless the file is compressed far more than computed numbers usually are.
func (f *File) Bound(least int) int {
	const (
		each = 4
		most = 1 << 28
	)
	size := int(min(f.Size, most))
	return least + min(each*size, most)
}

// recognise detects the kind and the members.
func (f *File) recognise() error {
	start := make([]byte, 4096)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return fault.Unread(f.Name, err)
	}
	start = start[:n]
	for _, format := range formats {
		ok, err := format.open(f, start)
		if ok || err != nil {
			return err
		}
	}
	return f.unknown(start)
}

// Member finds a member by its name, or a part of it: "name[:, 0]" is the same part as in NumPy, with positive steps.
// One that is not there, see Has, is Refused by an error that lists the members.
func (f *File) Member(name string) npy.Member {
	m, ok := f.find(name)
	if !ok {
		return npy.Member{Refused: f.lacks(name)}
	}
	return m
}

// Has reports whether the file has a member, or one that a part belongs to.
func (f *File) Has(name string) bool {
	_, ok := f.find(name)
	return ok
}

func (f *File) find(name string) (npy.Member, bool) {
	for _, m := range slices.Concat(f.Members, f.elements) {
		if m.Name == name {
			return m, true
		}
	}
	at := strings.LastIndexByte(name, '[')
	if at < 0 || !strings.HasSuffix(name, "]") {
		return npy.Member{}, false
	}
	whole, ok := f.find(name[:at]) // which may be a part itself
	if !ok {
		return npy.Member{}, false
	}
	return f.part(whole, name[at+1:len(name)-1]), true
}

// lacks returns the error for a member that is not there.
func (f *File) lacks(name string) error {
	if at := strings.LastIndexByte(name, '['); at > 0 && strings.HasSuffix(name, "]") {
		return f.lacks(name[:at])
	}
	if len(f.Members) == 0 {
		return fault.Bad(f.Name, "give a .npy, .npz, .mat, .h5, .pt or .csv file", "is %s and holds no arrays", f.Kind)
	}
	if f.Unnamed() {
		return fault.Bad(f.Name, "leave the name out", "has no %q: it holds one array without a name", name)
	}
	var names []string
	for _, m := range f.Members {
		names = append(names, m.Name)
	}
	return fault.Bad(f.Name, "name one of these", "has no array %q, only %s", name, printable.Names(names))
}

// orCancelled returns the error of the context if it has one, or else err.
func (f *File) orCancelled(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	return err
}
