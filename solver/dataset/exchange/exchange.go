// Package exchange opens files of other programs, tells their kinds by the content, and lists and reads their arrays.
package exchange

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/mat"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/dataset/pickle"
	"rfm/solver/dataset/torch"
)

// Kind is a kind of file.
type Kind string

// The kinds of files that the package distinguishes.
const (
	NPY   Kind = "npy"            // one NumPy array
	NPZ   Kind = "npz"            // named NumPy arrays
	Model Kind = "model"          // an npz with a meta.json: a trained model
	MAT   Kind = "MATLAB 5 mat"   // named MATLAB arrays
	MAT73 Kind = "MATLAB 7.3 mat" // the same, in HDF5
	HDF5  Kind = "HDF5"           // arrays with paths as names
	Torch Kind = "PyTorch"        // named tensors, of torch.save
	TOML  Kind = "TOML"           // text, without members
	CSV   Kind = "table"          // of numbers in text: one array, or some with names
)

// File is an open file. It is safe for concurrent use.
type File struct {
	Name    string
	Kind    Kind
	Size    int64 // bytes
	Members []npy.Member

	in io.ReaderAt
	*reading
}

// reading is the state of a source of one file, or of those of inputs and outputs.
type reading struct {
	ctx    context.Context // its end ends reading
	open   []*os.File
	stamps []files.Stamp // of these
}

// Paths returns the files in the name of a source: one, or inputs and outputs with a comma, a blank or quotes between.
func Paths(name string) []string {
	is := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	for i, r := range name {
		if r != ',' && r != ' ' || is(name) {
			continue
		}
		inputs, outputs := strings.Trim(name[:i], ` '"`), strings.Trim(name[i:], ` ,'"`)
		a, u, named := is(inputs), is(outputs), inputs != "" && outputs != ""
		if a && u || r == ',' && named && (a || u) { // reading names the one that is missing
			return []string{inputs, outputs}
		}
	}
	return []string{name}
}

// Base returns the last elements of the paths in the name of a source.
func Base(name string) string { return each(name, filepath.Base) }

// Absolute returns the name of a source with absolute paths, as far as the working directory is known.
func Absolute(name string) string {
	return each(name, func(path string) string {
		absolute, _ := filepath.Abs(path)
		return cmp.Or(absolute, path)
	})
}

func each(name string, of func(path string) string) string {
	paths := Paths(name)
	for i, path := range paths {
		paths[i] = of(path)
	}
	return strings.Join(paths, ",")
}

// Open detects the kind of the file with the given name and lists its members. For inputs and outputs in two files, see
// Paths, these are the only array of each, named a and u. The caller must close it. Reading, during Open and later,
// ends soon after ctx does, with its error. Other errors are *fault.Data: it cannot be opened, is damaged, is not read.
func Open(ctx context.Context, name string) (*File, error) {
	paths, r := Paths(name), &reading{ctx: ctx}
	both := &File{Name: strings.Join(paths, ","), reading: r}
	for i, path := range paths {
		f, err := r.file(path)
		if err == nil && len(paths) == 1 {
			return f, nil
		}
		var m npy.Member
		if err == nil {
			m, err = f.Only()
		}
		if err != nil {
			return nil, cmp.Or(err, r.Close())
		}
		m.Name = []string{"a", "u"}[i]
		both.Kind, both.Size, both.Members = f.Kind, both.Size+f.Size, append(both.Members, m)
	}
	return both, nil
}

// file opens the file at a path.
func (r *reading) file(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fault.Bad(path, "name a file; arrays in several files become one file in Python:\n  import numpy\n "+
			" numpy.savez('pairs.npz', a=numpy.load('inputs.npy'), u=numpy.load('outputs.npy'))", "is a directory")
	}
	file, err := files.Open(path)
	if err != nil {
		return nil, &fault.Data{Where: path, What: "cannot be opened", Err: err, Do: "check the name"}
	}
	stamp, err := files.TakeStamp(path)
	r.open, r.stamps = append(r.open, file), append(r.stamps, stamp)
	if err != nil {
		return nil, fault.Unread(path, err)
	}
	return r.content(path, file, stamp.Size)
}

// OpenContent opens content of size bytes that is not a file of its own; name is for people. Close does not close in.
func OpenContent(ctx context.Context, name string, in io.ReaderAt, size int64) (*File, error) {
	return (&reading{ctx: ctx}).content(name, in, size)
}

func (r *reading) content(name string, in io.ReaderAt, size int64) (*File, error) {
	f := &File{Name: name, Size: size, in: in, reading: r}
	if err := f.recognise(); err != nil {
		return nil, f.orCancelled(err)
	}
	f.Members = stacked(name, f.Members)
	for i, m := range f.Members {
		f.Members[i].Numbers = func(at []npy.Axis, put npy.Put) error { return f.orCancelled(m.Numbers(at, put)) }
	}
	return f, nil
}

// Until sets the context that ends reading, in place of that of Open. It must not be called while the file is read.
func (r *reading) Until(ctx context.Context) { r.ctx = ctx }

// Unchanged returns a *fault.Data if a file was replaced or written after it was opened.
func (r *reading) Unchanged() error {
	for i, f := range r.open {
		if how := r.stamps[i].Differs(f.Name()); how != "" {
			return fault.Bad(f.Name(), "start again", "%s: it was replaced or written meanwhile", how)
		}
	}
	return nil
}

// Close closes the files.
func (r *reading) Close() (err error) {
	for _, f := range r.open {
		err = errors.Join(err, f.Close())
	}
	return err
}

// ReadAt reads the content, until the context ends: the readers of all kinds check it at every block.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return npy.Until(f.ctx, f.in).ReadAt(p, at) }

// Only returns the only array of numbers; columns of a table next to functions do not count. Errors are *fault.Data.
func (f *File) Only() (npy.Member, error) {
	readable := slices.DeleteFunc(slices.Clone(f.Members), func(m npy.Member) bool { return !m.Readable() })
	if f.Kind == CSV && len(readable) > 1 {
		readable = slices.DeleteFunc(readable, func(m npy.Member) bool { return len(m.Shape) < 2 })
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
func (f *File) recognise() (err error) {
	start := make([]byte, 4096)
	n, err := f.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return fault.Unread(f.Name, err)
	}
	start = start[:n]
	begins := func(with string) bool { return bytes.HasPrefix(start, []byte(with)) }
	switch {
	case begins("\x93NUMPY"):
		f.Kind = NPY
		b, err := npy.BlockOf(f.Name, npy.Whole(f, f.Size))
		if err == nil {
			f.Members = pickle.Arrays(b, f.Name, "", false)
		}
		return err
	case begins("PK\x03\x04"), begins("PK\x05\x06"):
		return f.openNPZ()
	}
	ok := false
	f.Kind = map[bool]Kind{false: HDF5, true: MAT73}[begins("MATLAB")]
	if f.Members, ok, err = hdf5.Read(f, f.Size, f.Name, start); ok {
		return err
	}
	f.Kind = MAT
	if f.Members, ok, err = mat.Read(f, f.Size, f.Name, start); ok {
		return err
	}
	for _, kind := range foreign {
		if begins(kind.start) {
			return fault.Bad(f.Name, kind.convert(f.Name), "is %s", kind.what)
		}
	}
	return f.openText(start)
}

func (f *File) openNPZ() error {
	r, err := npz.NewReader(f, f.Size, f.Name)
	if err != nil {
		return err
	}
	var tensors bool
	if f.Members, tensors, err = torch.Read(r, f.Name); tensors {
		f.Kind = Torch
		return err
	}
	if slices.Contains(r.Others, "xl/workbook.xml") {
		return fault.Bad(f.Name, "save its table as CSV", "is a spreadsheet, which is not read")
	}
	f.Kind = NPZ
	for _, name := range r.Arrays {
		arrays, err := r.Members(name)
		if err != nil {
			return err
		}
		f.Members = append(f.Members, arrays...)
	}
	for _, name := range r.Others {
		if name == "meta.json" {
			f.Kind = Model
		}
		f.Members = append(f.Members, npy.Member{Name: name, Type: "file", Refused: fault.Bad(npy.Place(f.Name, name),
			"name an array", "is not an array")})
	}
	return nil
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
