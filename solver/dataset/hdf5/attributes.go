// This file reads the attributes of an array that change what its numbers mean, by the conventions of netCDF and of CF
// ("NetCDF Climate and Forecast Metadata Conventions", section 8.1).

package hdf5

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// attribute is the value of an attribute: numbers or a text.
type attribute struct {
	numbers []float64
	text    string
	other   bool // neither, which is not read
}

// attributes are those of an object, by name.
type attributes map[string]attribute

// wanted lists the attributes that change numbers.
var wanted = []string{"scale_factor", "add_offset", "_FillValue", "missing_value", "valid_min", "valid_max", "valid_range",
	"_Unsigned"}

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

const maxValues = 64 // of an attribute

// attributes reads the attributes of an object.
func (f *file) attributes(h header) attributes {
	all := attributes{}
	read := func(c *structure) {
		if name, value, ok := c.attribute(); ok {
			all[name] = value
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
		at, names := c.place(), c.place()
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
func (c *structure) attribute() (name string, value attribute, ok bool) {
	version := c.byte()
	if version < 1 || version > 3 {
		unread("has an attribute of version %d, which is not read", version)
	}
	flags := c.byte()
	nameBytes, typeBytes, spaceBytes := int(c.Uint(2)), int(c.Uint(2)), int(c.Uint(2))
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
	changes := slices.Contains(wanted, text)
	switch text {
	case dimensionName, dimensionList, dimensionOrder, coordinates, matlabClass, matlabEmpty:
	default:
		if !changes {
			return text, value, false
		}
	}
	const sharedType = 1
	if version > 1 && flags&sharedType != 0 {
		return text, attribute{other: true}, true
	}
	const fixedText = 3
	class := int(kind.Rest[0]) & 15
	elements, size := kind.datatype()
	shape, _ := space.extent()
	count := npy.Count(shape)
	switch {
	case class == fixedText && count <= 1:
		value.text = strings.TrimRight(string(c.Take(min(size*count, len(c.Rest)))), "\x00 ")
	case elements.Width > 0 && count <= maxValues:
		value.numbers = make([]float64, count)
		if bad, _ := elements.Decode(value.numbers, c.Take(size*count)); bad >= 0 {
			value.other = true
		}
	default:
		value.other = true
	}
	return text, value, true
}

// The values that netCDF writes where nothing was written, by the type of an array. Bytes have none.
var netcdfFills = map[string]float64{
	"float32": 9.969209968386869e36, "float64": 9.969209968386869e36, "int16": -32767, "uint16": 65535,
	"int32": -2147483647, "uint32": 4294967295,
}

// meaning says what the numbers of an array stand for.
type meaning struct {
	scale, offset float64
	missing       []float64 // stored numbers that stand for a missing value, which becomes NaN
	least, most   float64   // stored numbers outside of these are missing, too
	note          string    // empty if numbers are what they are
}

// asStored is the meaning of numbers that are what they are.
var asStored = meaning{scale: 1, least: math.Inf(-1), most: math.Inf(1)}

// undefined is an attribute that changes the numbers of an array in a way that is not defined.
type undefined string

func (u undefined) Error() string { return string(u) }

func unclear(format string, values ...any) { cursor.End(undefined(fmt.Sprintf(format, values...))) }

// meaning interprets the attributes of an array with elements of a type. What cannot be applied ends the reading of the
// array by unclear.
func (a attributes) meaning(elements npy.Type) meaning {
	m := asStored
	for _, name := range wanted {
		if value, ok := a[name]; ok && value.other {
			unclear("has the attribute %s, which is neither a number nor a short text", name)
		}
	}
	var notes []string
	one := func(name string, into *float64) bool {
		value, ok := a[name]
		if !ok {
			return false
		}
		if len(value.numbers) != 1 || math.IsNaN(value.numbers[0]) || math.IsInf(value.numbers[0], 0) {
			unclear("has the attribute %s, which is not one number", name)
		}
		*into = value.numbers[0]
		return true
	}
	if one("scale_factor", &m.scale) {
		notes = append(notes, "scale_factor")
	}
	if one("add_offset", &m.offset) {
		notes = append(notes, "add_offset")
	}
	if one("valid_min", &m.least) {
		notes = append(notes, "valid_min")
	}
	if one("valid_max", &m.most) {
		notes = append(notes, "valid_max")
	}
	if value, ok := a["valid_range"]; ok {
		if len(value.numbers) != 2 {
			unclear("has the attribute valid_range, which is not two numbers")
		}
		m.least, m.most = value.numbers[0], value.numbers[1]
		notes = append(notes, "valid_range")
	}
	for _, name := range []string{"_FillValue", "missing_value"} {
		value, ok := a[name]
		if !ok {
			continue
		}
		if value.text != "" || len(value.numbers) == 0 {
			unclear("has the attribute %s, which is not a number", name)
		}
		for _, v := range value.numbers {
			m.missing = append(m.missing, elements.Round(v))
		}
		if !math.IsNaN(value.numbers[0]) { // NaN is missing in any case
			notes = append(notes, name)
		}
	}
	if fill, ok := netcdfFills[elements.Name]; ok && (strings.HasPrefix(elements.Name, "float") || a.ofNetCDF()) {
		if _, own := a["_FillValue"]; !own {
			m.missing = append(m.missing, elements.Round(fill))
		}
	}
	if len(notes) > 0 {
		m.note = fmt.Sprintf("%s applied", strings.Join(notes, ", "))
	}
	return m
}

// ofNetCDF tells whether netCDF wrote the array.
func (a attributes) ofNetCDF() bool {
	for _, name := range []string{dimensionList, dimensionOrder, coordinates} {
		if _, ok := a[name]; ok {
			return true
		}
	}
	return false
}

// isUnsigned tells whether integers are without sign although their type has one, since old netCDF has no such types.
func (a attributes) isUnsigned() bool { return strings.EqualFold(a["_Unsigned"].text, "true") }

// isDimension tells whether an array stands for a dimension, and has no numbers of its own.
func (a attributes) isDimension() bool { return strings.HasPrefix(a[dimensionName].text, noVariable) }

// changes tells whether any number is changed.
func (m meaning) changes() bool {
	return m.scale != 1 || m.offset != 0 || len(m.missing) > 0 || !math.IsInf(m.least, -1) || !math.IsInf(m.most, 1)
}

// apply replaces stored numbers by what they stand for.
func (m meaning) apply(values []float64) {
	for i, v := range values {
		if slices.Contains(m.missing, v) || v < m.least || v > m.most {
			values[i] = math.NaN()
		} else {
			values[i] = v*m.scale + m.offset
		}
	}
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
