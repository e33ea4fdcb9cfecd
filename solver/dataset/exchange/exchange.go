// Package exchange opens files of other programs, tells their kinds by the content, and lists and reads their arrays.
package exchange

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
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
		return nil, cmp.Or(err, r.Close())
	}
	return f, nil
}

// OpenContent opens content of size bytes that is not a file of its own; name is for people. Close does not close in.
func OpenContent(ctx context.Context, name string, in io.ReaderAt, size int64) (*File, error) {
	return (&reading{ctx: ctx, opener: &opener{}}).content(name, in, size)
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
		f.Members[i].Numbers = func(at []npy.Axis, put npy.Put) error { return f.orCancelled(m.Numbers(at, put)) }
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
func (f *File) ReadAt(p []byte, at int64) (int, error) { return npy.Until(f.ctx, f.in).ReadAt(p, at) }

// Only returns the only array of numbers; coordinates next to functions do not count. Errors are *fault.Data.
func (f *File) Only() (npy.Member, error) {
	readable := slices.DeleteFunc(slices.Clone(f.Members), func(m npy.Member) bool { return !m.Readable() })
	if len(readable) > 1 {
		isCoordinate := func(m npy.Member) bool { return len(npy.Long(m.Shape)) < 2 }
		readable = slices.DeleteFunc(readable, isCoordinate)
	}
	if len(readable) != 1 {
		return npy.Member{}, fault.Bad(f.Name, "give two files with one array each, or one with both",
			"does not hold one array")
	}
	return readable[0], nil
}

// Unnamed reports whether the file holds one array without a name.
func (f *File) Unnamed() bool { return len(f.Members) == 1 && f.Members[0].Name == "" }

// Bound limits how many numbers are read to detect the contents, to some seconds: least plus a multiple of the size,
// which exceeds the number of values unless the file is compressed far more than computed numbers usually are.
func (f *File) Bound(least int) int {
	const each, most = 4, 1 << 28
	return least + min(each*int(min(f.Size, most)), most)
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
		if ok, err := format.open(f, start); ok || err != nil {
			return err
		}
	}
	return f.unknown(start)
}

// Member finds a member by its name, or a part of it: "name[:, 0]" is the same part as in NumPy, with positive steps.
// One that is not there is Refused by an error that lists the members, and has no Type.
func (f *File) Member(name string) npy.Member {
	var names []string
	for _, m := range f.Members {
		if m.Name == name {
			return m
		}
		names = append(names, m.Name)
	}
	for _, m := range f.elements {
		if m.Name == name {
			return m
		}
	}
	if at := strings.LastIndexByte(name, '['); at >= 0 && strings.HasSuffix(name, "]") {
		return f.part(f.Member(name[:at]), name[at+1:len(name)-1]) // of a part, possibly
	}
	what, do := fmt.Sprintf("has no %q; it has %q", name, names), "name one of these"
	switch {
	case len(names) == 0:
		what = fmt.Sprintf("is %s and holds no arrays", f.Kind)
		do = "give a .npy, .npz, .mat, .h5, .pt or .csv file"
	case f.Unnamed():
		what, do = fmt.Sprintf("has no %q: it holds one array without a name", name), "leave the name out"
	}
	return npy.Member{Refused: fault.Bad(f.Name, do, "%s", what)}
}

// orCancelled returns the error of the context if it has one, or else err.
func (f *File) orCancelled(err error) error {
	if err != nil && f.ctx.Err() != nil {
		return f.ctx.Err()
	}
	return err
}

// part returns the part of an array that an index selects.
func (f *File) part(m npy.Member, index string) npy.Member {
	if m.Refused != nil {
		return m
	}
	sections, err := sectionsOf(index, m.Shape)
	if err != nil {
		m.Refused = fault.Bad(f.Name, "give an index or a slice for each axis, as in NumPy: [:, 0] or [:1000, ::64]",
			"has %q of shape %v, of which there is no [%s]: %v", m.Name, m.Shape, index, err)
	}
	if len(sections) == 0 {
		return m
	}
	numbers := m.Numbers
	m.Name, m.Shape = fmt.Sprintf("%s[%s]", m.Name, index), []int{}
	for _, s := range sections {
		if !s.single {
			m.Shape = append(m.Shape, s.count)
		}
	}
	m.Numbers = func(at []npy.Axis, put npy.Put) error { return numbers(within(sections, at), put) }
	return m
}

// section selects the indices first + i*step of an axis, i from 0 to count-1; a single one drops the axis.
type section struct {
	first, step, count int
	single             bool
}

// sectionsOf parses an index of an array of the given shape.
func sectionsOf(index string, shape []int) ([]section, error) {
	words := strings.Split(index, ",")
	at := slices.IndexFunc(words, func(w string) bool { return strings.TrimSpace(w) == "..." })
	if at < 0 {
		at, words = len(words), append(words, "...")
	}
	words = slices.Concat(words[:at], slices.Repeat([]string{":"}, max(0, len(shape)-len(words)+1)), words[at+1:])
	if len(words) > len(shape) {
		return nil, fmt.Errorf("it has %d axes", len(shape))
	}
	all := make([]section, len(shape))
	for d, n := range shape {
		parts, numbers := strings.Split(words[d], ":"), []int{0, n, 1}
		bad, single := strings.TrimSpace(words[d]) == "" || len(parts) > 3, len(parts) == 1
		for i := 0; i < len(parts) && !bad; i++ {
			if part := strings.TrimSpace(parts[i]); part != "" {
				k, err := strconv.ParseInt(part, 10, 52) // so that no sum overflows
				if bad = err != nil; k < 0 && i < 2 {
					k += int64(n)
				}
				numbers[i] = int(k)
			}
		}
		first, end, step := numbers[0], numbers[1], numbers[2]
		switch {
		case bad || step < 1:
			return nil, fmt.Errorf("%q is not a whole number, and not a slice with a positive step", words[d])
		case single && (first < 0 || first >= n):
			return nil, fmt.Errorf("axis %d has %d", d, n)
		case single:
			end = first + 1
		}
		first, end = min(max(first, 0), n), min(max(end, 0), n)
		all[d] = section{first, step, max(0, (end-first+step-1)/step), single}
	}
	return all, nil
}

// within returns the axes of a whole array with the axes of its part: index first + k step of the whole has index k.
func within(sections []section, part []npy.Axis) (whole []npy.Axis) {
	for _, s := range sections {
		along := npy.Axis(func(int) int { return 0 })
		if !s.single {
			along, part = part[0], part[1:]
		}
		whole = append(whole, along.Of(s.first, s.step, s.count))
	}
	return whole
}
