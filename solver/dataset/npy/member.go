package npy

import (
	"bufio"
	"compress/zlib"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Member is an array of real numbers in a file, or another object, which is listed. It is safe for concurrent use.
type Member struct {
	Name    string // empty for an array without a name
	Type    string // of the elements, as NumPy or MATLAB call it; "file" for a member that is not an array
	Shape   Shape
	Fortran bool   // the first index varies fastest in the file, not the last
	Note    string // how its numbers differ from those in the file; empty if they do not
	Refused error  // why its numbers cannot be read, a *fault.Data; nil if they can
	Sealed  bool   // a checksum covers the numbers, which is compared at their end
	Complex bool   // the last axis of the whole array has real and imaginary parts
	// Doubtful is set if the packed numbers are suspiciously small: they are unpacked once before memory is allocated.
	Doubtful bool

	// Numbers passes on the wanted numbers if they are not refused, as the function Scan does.
	Numbers Numbers
}

// Readable reports whether the member is an array of real numbers.
func (m Member) Readable() bool { return m.Refused == nil }

// Count returns the number of elements of an array.
func (m Member) Count() int { return Count(m.Shape) }

// Scan passes on the wanted numbers with less than 1 MiB, or two chunks of shuffled HDF5. Errors: *fault.Data,
// ctx.Err().
func (m Member) Scan(at []Axis, put Put) error {
	if m.Refused != nil {
		return m.Refused
	}
	return m.Numbers(at, put)
}

// Incredible reports whether numbers are compressed better than computed numbers usually are; both sizes are in bytes.
func Incredible(unpacked, packed int64) bool { return unpacked/16 > packed }

// Verify checks, before memory for an array is allocated, that it is as large as its shape. Errors are those of Scan.
func (m Member) Verify() error {
	if m.Refused != nil || !m.Doubtful {
		return m.Refused
	}
	unwanted := Along(make([]int, len(m.Shape))...)
	return m.Scan(unwanted, func([]int, []float64) bool { return true })
}

// Array reads an array. It returns the errors of Scan.
func (m Member) Array() (Array, error) {
	if err := m.Verify(); err != nil {
		return Array{}, err
	}
	a := Array{Shape: m.Shape, Data: make([]float64, m.Count())}
	inOrder := Along(Strides(m.Shape)...)
	return a, m.Read(a.Data, inOrder, math.MaxInt)
}

// Read stores wanted numbers at their positions in data, and ends after count of them. It returns the errors of Scan.
func (m Member) Read(data []float64, at []Axis, count int) error {
	return m.Scan(at, func(at []int, values []float64) bool {
		for i, v := range values {
			data[at[i]] = v
		}
		count -= len(values)
		return count > 0
	})
}

// Inflater unpacks zlib streams, one after another with the same memory.
type Inflater struct {
	in  *bufio.Reader
	out io.ReadCloser
}

// Open returns the content of a stream; that of the stream before is gone.
func (f *Inflater) Open(packed io.Reader) (content io.Reader, err error) {
	if f.out != nil {
		f.in.Reset(packed)
		return f.out, f.out.(zlib.Resetter).Reset(f.in, nil)
	}
	f.in = bufio.NewReaderSize(packed, 1<<14)
	f.out, err = zlib.NewReader(f.in)
	return f.out, err
}

// Place formats a file and a member for errors.
func Place(file, member string) string {
	if member == "" {
		return file
	}
	return fmt.Sprintf("%s: %q", file, member)
}

// Recipe describes how Python writes a .npz file of the arrays in a file. It takes the module to import, the dictionary
// of the arrays in the file NAME, and the array of each value v.
func Recipe(module, arrays, array string) func(name string) string {
	return func(name string) string {
		base := filepath.Base(name)
		arrays := strings.ReplaceAll(arrays, "NAME", strconv.Quote(base))
		stem := strings.TrimSuffix(base, filepath.Ext(base))
		return "convert it in Python:\n" +
			fmt.Sprintf("  import numpy, %s\n", module) +
			fmt.Sprintf("  d = %s\n", arrays) +
			fmt.Sprintf("  numpy.savez(%q, **{k: %s for k, v in d.items()})", stem+".npz", array)
	}
}

// Member describes an array that is one block. Errors of its numbers are *fault.Data at where.
func (b Block) Member(name, where string) Member {
	b.First = make([]int, len(b.Shape))
	b.Inside = b.Shape
	numbers := func(t Type) Numbers {
		one := b
		one.Type = t
		blocks := func(use func(Block) bool) { use(one) }
		return func(at []Axis, put Put) error { return Scan(where, blocks, at, put) }
	}
	m := Member{
		Name:    name,
		Type:    b.Type.Name,
		Shape:   b.Shape,
		Fortran: b.Fortran,
		Refused: b.Type.Check(where),
	}
	return Decoded(m, b.Type, numbers)
}

// Member describes an array in memory.
func (a Named) Member() Member {
	b := Block{
		Type:   TypeOf("<f8"),
		Shape:  a.Shape,
		Values: a.Data,
	}
	return b.Member(a.Name, "")
}

// Long returns a shape without axes of length one.
func Long(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}

// LongAxes counts the axes of a shape that are longer than one.
func LongAxes(shape []int) int { return len(Long(shape)) }

// Reshaped describes an array whose first axis is divided into several, so that it has the given shape.
func Reshaped(m Member, shape Shape) (Member, bool) {
	divided := len(shape) - len(m.Shape) + 1 // axes in place of the first
	if divided < 1 || Count(shape) != Count(m.Shape) {
		return m, false
	}
	strides := Strides(shape[:divided])
	numbers := m.Numbers
	m.Shape = shape
	m.Numbers = func(at []Axis, put Put) error {
		first := Axis(func(index int) int {
			sum := 0
			for d, stride := range strides {
				part := at[d](index / stride % shape[d])
				if part < 0 {
					return -1
				}
				sum += part
			}
			return sum
		})
		return numbers(append([]Axis{first}, at[divided:]...), put)
	}
	return m, true
}
