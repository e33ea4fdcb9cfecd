package npy

import (
	"fmt"
	"slices"
)

// Member is a thing in a file of any format: an array of real numbers, or something else, which is listed and not read.
// It may be read by several goroutines at once.
type Member struct {
	Name    string // empty for an array without a name
	Type    string // of the elements, as NumPy or MATLAB call it; "file" for a member that is no array
	Shape   []int
	Fortran bool   // the first index runs fastest in the file, not the last
	Same    string // the member that this is another name of, which is listed before; empty for its first name
	Refused error  // why its numbers cannot be read, a *fault.Data; nil if they can
	// Doubtful is set if the numbers take so little of the file that they are unpacked once before memory is allocated.
	Doubtful bool

	// Numbers hands out the numbers if they are not refused, as Header.Scan does. A checksum is compared where the array
	// ends.
	Numbers func(strides []int, s Selection) error
}

// Readable reports whether the member is an array of real numbers.
func (m Member) Readable() bool { return m.Refused == nil }

// Count is how many elements an array has.
func (m Member) Count() int { return Header{Shape: m.Shape}.Count() }

// Scan hands out the numbers in the order of the file, in runs with their positions, see Header.Scan. It allocates less
// than 1 MiB, and for shuffled chunks of HDF5 at most two of them. Errors are *fault.Data, and those of a context.
func (m Member) Scan(strides []int, s Selection) error {
	if m.Refused != nil {
		return m.Refused
	}
	return m.Numbers(strides, s)
}

// Incredible reports whether numbers are packed so well as those from computations rarely are, both in bytes.
func Incredible(unpacked, packed int64) bool { return unpacked/16 > packed }

// Verify makes sure that an array can be read and is as large as its shape says, before memory for it is allocated.
// Errors are those of Scan.
func (m Member) Verify() error {
	if m.Refused != nil || !m.Doubtful {
		return m.Refused
	}
	return m.Scan(Strides(m.Shape), Selection{Put: func(Run, []float64) bool { return true }})
}

// Array reads an array. Errors are those of Scan.
func (m Member) Array() (Array, error) {
	if err := m.Verify(); err != nil {
		return Array{}, err
	}
	a := Array{Shape: m.Shape, Data: make([]float64, m.Count())}
	return a, m.Scan(Strides(m.Shape), Into(a.Data))
}

// Place names a member of a file in errors.
func Place(file, member string) string {
	if member == "" {
		return file
	}
	return fmt.Sprintf("%s, %q", file, member)
}

// Room is the number of elements of a shape; ok is false if no array can have as many.
func Room(shape []int) (count int, ok bool) {
	const most = 1 << 50
	count, ok = product(shape)
	return count, ok && count <= most
}

// Long is a shape without axes of length one.
func Long(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}
