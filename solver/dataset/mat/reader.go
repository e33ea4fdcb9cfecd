// Package mat reads arrays from MATLAB's Level 5 MAT-files, which save writes with -v6 and -v7 and scipy.io.savemat by
// default: full real arrays of numbers, of either byte order, compressed or not. It follows "MAT-File Format", The
// MathWorks, 2021. Variables that are no such arrays are listed, and refused if asked for. Files of other versions are
// recognised and answered with how to convert them.
//
// An array becomes float64 in C order: eight bytes an element, allocated only when the file has been found to hold them
// all. Numbers are often stored narrower than their class: doubles that are whole numbers as uint8. A compressed
// variable that says it is more than 16 times its compressed size, which numbers from computations rarely are, is
// decompressed once and found whole before memory is allocated for it; more than 1100 times is refused, which is beyond
// what zlib can do. Everything else together stays below 1 MiB.
package mat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Variable is an array of a file.
type Variable struct {
	Name string
	// MATLAB's: double, single, int8, ..., logical, char, cell, struct, sparse, ...; complex ones end in ", complex"
	Class   string
	Shape   []int
	Numeric bool // full, real and of numbers: it can be read

	at         int64 // of the first byte of its element's data in the file
	size       int64 // of these data
	compressed bool
	header     npy.Header // of the stored numbers
	skip       int64      // bytes before the first number, in the decompressed data
}

// Reader reads a file. It may be used by several goroutines at once.
type Reader struct {
	where     string
	file      io.ReaderAt
	order     binary.ByteOrder
	variables []Variable
}

const (
	headerBytes = 128
	tagBytes    = 8
	maxElements = 1024
	maxRatio    = 1100
	credible    = 16 // ratio up to which a declared size is believed without a look
)

// NewReader finds the variables of the file r, which has size bytes. Errors, also later ones, are *fault.Data at where,
// the file's name; a file of another version than Level 5 is one of them.
func NewReader(r io.ReaderAt, size int64, where string) (*Reader, error) {
	f := &Reader{where: where, file: r}
	start := make([]byte, headerBytes)
	if n, err := r.ReadAt(start, 0); n < len(start) && err != nil && err != io.EOF {
		return nil, fault.Unread(where, err)
	} else if v := Recognise(start[:n]); v != Level5 {
		return nil, v.refusal(where)
	}
	f.order = binary.ByteOrder(binary.LittleEndian)
	if string(start[126:128]) == "MI" {
		f.order = binary.BigEndian
	}
	p := parser{order: f.order}
	names := map[string]bool{}
	elements := 0
	for at := int64(headerBytes); at < size; elements++ {
		if elements == maxElements {
			return nil, &fault.Data{Where: where, What: fmt.Sprintf("has more than %d variables", maxElements),
				Do: "save fewer in one file"}
		}
		kind, length, err := f.element(at, size)
		if err != nil {
			return nil, err
		}
		at += tagBytes
		v := Variable{at: at, size: length, compressed: kind == miCompressed}
		if at += length; kind != miCompressed {
			at += -length & 7 // padded to a multiple of eight bytes
		}
		if kind != miCompressed && kind != miMatrix {
			continue
		}
		if err := p.describe(&v, f.data(v)); err != nil {
			return nil, &fault.Data{Where: where, What: fmt.Sprintf("variable %d is damaged", elements+1), Err: err,
				Do: "copy or write the file again"}
		}
		switch {
		case v.Name == "": // MATLAB's own workspace, not a variable
			continue
		case names[v.Name]:
			return nil, &fault.Data{Where: where, What: fmt.Sprintf("has two variables with the name %q", v.Name),
				Do: "write the file again"}
		}
		names[v.Name] = true
		f.variables = append(f.variables, v)
	}
	return f, nil
}

// element reads the tag at a place of a file of size bytes: the kind of the data that follow and their length.
func (f *Reader) element(at, size int64) (kind uint32, length int64, err error) {
	tag := make([]byte, tagBytes)
	if n, err := f.file.ReadAt(tag, at); n < len(tag) && err != io.EOF {
		return 0, 0, fault.Unread(f.where, err)
	} else if n < len(tag) {
		return 0, 0, &fault.Data{Where: f.where, What: fmt.Sprintf("is truncated: %d bytes at its end belong to nothing", n),
			Do: "copy or write the file again"}
	}
	kind, length = f.order.Uint32(tag), int64(f.order.Uint32(tag[4:]))
	if kind == 0 || kind>>16 != 0 {
		return 0, 0, &fault.Data{Where: f.where, What: fmt.Sprintf("is damaged: no variable begins at byte %d", at),
			Do: "copy or write the file again"}
	}
	if length > size-at-tagBytes {
		return 0, 0, &fault.Data{Where: f.where,
			What: fmt.Sprintf("is truncated: the variable at byte %d has %d bytes, %d are left", at, length, size-at-tagBytes),
			Do:   "copy or write the file again"}
	}
	return kind, length, nil
}

func (f *Reader) data(v Variable) io.Reader { return io.NewSectionReader(f.file, v.at, v.size) }

// Variables are the named variables, in the order of the file.
func (f *Reader) Variables() []Variable { return f.variables }

// Scan hands out the numbers of an array, as npy.Header.Scan does. Errors are *fault.Data, also if all of a compressed
// variable has been read and its checksum does not agree: what has been put before is then of no use.
func (f *Reader) Scan(name string, strides []int, s npy.Selection) error {
	return f.open(name, func(v Variable, where string, in io.Reader) (whole bool, err error) {
		return v.header.Scan(in, where, strides, s)
	})
}

// Verify makes sure that an array of the size its header says is there, or can be, before memory for it is allocated:
// of a compressed variable that claims much only decompressing it can tell. Errors are *fault.Data.
func (f *Reader) Verify(name string) error {
	if v, err := f.find(name); err != nil || !v.compressed || v.bytes()/credible <= v.size {
		return err
	}
	return f.open(name, func(v Variable, where string, in io.Reader) (whole bool, err error) {
		_, err = io.CopyN(io.Discard, in, v.bytes())
		return true, f.damaged(where, err)
	})
}

// Array reads an array. Errors are *fault.Data.
func (f *Reader) Array(name string) (npy.Array, error) {
	if err := f.Verify(name); err != nil {
		return npy.Array{}, err
	}
	var a npy.Array
	err := f.open(name, func(v Variable, where string, in io.Reader) (whole bool, err error) {
		a, err = v.header.Read(in, where)
		return true, err
	})
	if err != nil {
		return npy.Array{}, err
	}
	return a, nil
}

// open passes a reader at the first number of a variable, and sees to it that the checksum of a compressed one that was
// read to its end is compared.
func (f *Reader) open(name string, use func(v Variable, where string, in io.Reader) (whole bool, err error)) error {
	v, err := f.find(name)
	if err != nil {
		return err
	}
	where := fmt.Sprintf("%s, %q", f.where, name)
	in := f.data(v)
	if v.compressed {
		z := &inflater{}
		if err := z.reset(in); err != nil {
			return f.damaged(where, err)
		}
		in = z
	}
	if _, err := io.CopyN(io.Discard, in, v.skip); err != nil {
		return f.damaged(where, err)
	}
	if whole, err := use(v, where, in); err != nil || !whole || !v.compressed {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return f.damaged(where, err)
}

func (f *Reader) damaged(where string, err error) error {
	if err == nil {
		return nil
	}
	return &fault.Data{Where: where, What: "is damaged", Err: err, Do: "copy or write the file again"}
}

func (f *Reader) find(name string) (Variable, error) {
	var names []string
	for _, v := range f.variables {
		names = append(names, v.Name)
		if v.Name != name {
			continue
		}
		if !v.Numeric {
			return v, &fault.Data{Where: fmt.Sprintf("%s, %q", f.where, name),
				What: fmt.Sprintf("is of class %s; full real arrays of numbers are read", v.Class), Do: v.advice()}
		}
		return v, nil
	}
	return Variable{}, &fault.Data{Where: f.where, What: fmt.Sprintf("has no %q; it has %q", name, names),
		Do: "name one of these"}
}

// advice is how to make a variable readable.
func (v Variable) advice() string {
	switch class, complex := strings.CutSuffix(v.Class, ", complex"); {
	case class == "sparse" || complex:
		return fmt.Sprintf("in MATLAB: %s = full(real(%[1]s)), then save it again", v.Name)
	case class == "char":
		return "text is of no use here: name an array of numbers"
	}
	return "save the arrays in it as variables of their own"
}

// bytes is the length of the stored numbers.
func (v Variable) bytes() int64 { return int64(v.header.Count()) * int64(v.header.Type.Bytes()) }

// fits says whether the shape's numbers, w bytes each, are n bytes.
func fits(shape []int, w int, n int64) bool {
	count := int64(1)
	for _, d := range shape {
		if d == 0 {
			return n == 0
		}
	}
	for _, d := range shape {
		if count > math.MaxInt64/8/int64(d) {
			return false
		}
		count *= int64(d)
	}
	return count*int64(w) == n
}

var errDamaged = errors.New("its header is malformed")
