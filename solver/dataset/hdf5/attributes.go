// This file reads the attributes of an array that change what its numbers mean, and those that tell who wrote it.

package hdf5

import (
	"encoding/binary"
	"strings"

	"rfm/solver/dataset/cf"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// Attributes that tell who wrote an object, and what it is.
const (
	dimensionName  = "NAME"           // of an array that stands for a dimension
	dimensionList  = "DIMENSION_LIST" // of arrays with dimensions
	dimensionOrder = "_Netcdf4Dimid"  // of netCDF's dimensions
	coordinates    = "_Netcdf4Coordinates"
	matlabClass    = "MATLAB_class"
	matlabEmpty    = "MATLAB_empty" // of an array whose elements are the lengths of axes, one of which is 0

	noVariable = "This is a netCDF dimension but not a netCDF variable"
)

// attributes are those of an object, by name.
type attributes struct{ cf.Attributes }

const maxValues = 64 // of an attribute

// attributes reads the attributes of an object.
func (f *file) attributes(h header) attributes {
	all := attributes{cf.Attributes{}}
	read := func(c *structure) {
		if name, value, ok := c.attribute(); ok {
			all.Attributes[name] = value
		}
	}
	for _, m := range h[attributeMessage] {
		if m.shared {
			unread("shares its attributes with others, which are not read")
		}
		read(within(m.data))
	}
	for _, m := range h[attributeInfoMessage] {
		c := within(m.data)
		c.Take(1)
		c.Take(2 * (c.byte() & 1))
		at := c.place()
		names := c.place()
		if at < 0 || names < 0 {
			continue
		}
		heap := f.heap(at)
		f.records(names, func(kind int, record *structure) {
			if kind != attributeNames {
				cursor.Damage("a tree of attributes is of kind %d", kind)
			}
			if object := heap.object(record); object != nil { // long ones are lists of references
				read(within(object))
			}
		})
	}
	return all
}

// attribute reads an attribute message; ok is false if its name is of no interest.
func (c *structure) attribute() (name string, value cf.Value, ok bool) {
	version := c.byte()
	if version < 1 || version > 3 {
		unread("has an attribute of version %d, which is not read", version)
	}
	flags := c.byte()
	nameBytes := int(c.Uint(2))
	typeBytes := int(c.Uint(2))
	spaceBytes := int(c.Uint(2))
	if version == 3 {
		c.Take(1) // the encoding of the name
	}
	padded := func(n int) int {
		if version == 1 {
			return (n + 7) &^ 7
		}
		return n
	}
	text, _, _ := strings.Cut(string(c.Take(padded(nameBytes))), "\x00")
	kind := within(c.Take(padded(typeBytes)))
	space := within(c.Take(padded(spaceBytes)))
	changes := cf.Changes(text)
	switch text {
	case dimensionName, dimensionList, dimensionOrder, coordinates, matlabClass, matlabEmpty:
	default:
		if !changes {
			return text, value, false
		}
	}
	const sharedType = 1
	if version > 1 && flags&sharedType != 0 {
		return text, cf.Value{Other: true}, true
	}
	const fixedText = 3
	ahead := *kind // which is read below
	class := ahead.byte() & 15
	elements, size := kind.datatype()
	shape, _ := space.extent()
	count := npy.Count(shape)
	switch {
	case class == fixedText && count <= 1:
		text := c.Take(min(size*count, len(c.Rest)))
		value.Text = strings.TrimRight(string(text), "\x00 ")
	case elements.Width > 0 && count <= maxValues:
		value.Numbers = make([]float64, count)
		bad, _ := elements.Decode(value.Numbers, c.Take(size*count))
		value.Other = bad >= 0
	default:
		value.Other = true
	}
	return text, value, true
}

// ofNetCDF tells whether netCDF wrote the array.
func (a attributes) ofNetCDF() bool {
	for _, name := range []string{dimensionList, dimensionOrder, coordinates} {
		if _, ok := a.Attributes[name]; ok {
			return true
		}
	}
	return false
}

// isDimension tells whether an array stands for a dimension, and has no numbers of its own.
func (a attributes) isDimension() bool {
	return strings.HasPrefix(a.Attributes[dimensionName].Text, noVariable)
}

// fill returns the element in place of those that were never written.
func (h header) fill(size int) []byte {
	fill := make([]byte, size)
	for _, kind := range []int{fillMessage, oldFillMessage} {
		c := h.first(kind)
		if c == nil {
			continue
		}
		defined := true
		if kind == fillMessage {
			const hasValue = 0x20
			if version := c.byte(); version < 3 {
				c.Take(2)
				defined = c.byte() != 0
			} else {
				defined = c.byte()&hasValue != 0
			}
		}
		if !defined {
			continue
		}
		if n := c.Uint(4); n == uint64(size) {
			copy(fill, c.Take(size))
			break
		}
	}
	return fill
}

// references reads the addresses of objects from elements.
func references(b []byte) (all []int64) {
	for ; len(b) >= 8; b = b[8:] {
		at := int64(binary.LittleEndian.Uint64(b))
		if at < 0 || at > 1<<62 {
			at = -1
		}
		all = append(all, at)
	}
	return all
}
