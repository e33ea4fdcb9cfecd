// Package cf interprets the attributes of arrays that change what their numbers mean, by the conventions of netCDF and
// of CF ("NetCDF Climate and Forecast Metadata Conventions", section 8.1).
package cf

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// Value is the value of an attribute: numbers or a text.
type Value struct {
	Numbers []float64
	Text    string
	Other   bool // neither, which is not read
}

// Attributes are those of an array, by name.
type Attributes map[string]Value

// unsigned is the attribute of integers without sign.
const unsigned = "_Unsigned"

// names lists the attributes that change numbers.
var names = []string{
	"scale_factor",
	"add_offset",
	"_FillValue",
	"missing_value",
	"valid_min",
	"valid_max",
	"valid_range",
	unsigned,
}

// Changes reports whether an attribute of a name changes numbers.
func Changes(name string) bool { return slices.Contains(names, name) }

// fills are the values that netCDF writes where nothing was written, by the type of an array. Bytes have none.
var fills = map[string]float64{
	"float32": 9.969209968386869e36,
	"float64": 9.969209968386869e36,
	"int16":   -32767,
	"uint16":  65535,
	"int32":   -2147483647,
	"uint32":  4294967295,
}

// Meaning says what the numbers of an array stand for.
type Meaning struct {
	scale   float64
	offset  float64
	missing []float64 // stored numbers that stand for a missing value, which becomes NaN
	least   float64   // stored numbers below are missing, too
	most    float64   // stored numbers above are missing, too
	Note    string    // in words; empty if numbers are what they are
}

// AsStored is the meaning of numbers that are what they are.
var AsStored = Meaning{
	scale: 1,
	least: math.Inf(-1),
	most:  math.Inf(1),
}

// Undefined is an attribute that changes the numbers of an array in a way that is not defined.
type Undefined string

func (u Undefined) Error() string { return string(u) }

// unclear ends the attempt to interpret attributes with an Undefined.
func unclear(format string, values ...any) {
	why := Undefined(fmt.Sprintf(format, values...))
	cursor.End(why)
}

// Meaning interprets the attributes of an array with elements of a type, which netCDF wrote or another program. What
// cannot be applied ends cursor.Attempt with an Undefined.
func (a Attributes) Meaning(elements npy.Type, ofNetCDF bool) Meaning {
	m := AsStored
	for _, name := range names {
		if value, ok := a[name]; ok && value.Other {
			unclear("has the attribute %s, which is neither a number nor a short text", name)
		}
	}
	var notes []string
	fields := []struct {
		attribute string
		field     *float64
	}{
		{"scale_factor", &m.scale},
		{"add_offset", &m.offset},
		{"valid_min", &m.least},
		{"valid_max", &m.most},
	}
	for _, f := range fields {
		if v, ok := a.number(f.attribute); ok {
			*f.field = v
			notes = append(notes, f.attribute)
		}
	}
	if value, ok := a["valid_range"]; ok {
		if len(value.Numbers) != 2 {
			unclear("has the attribute valid_range, which is not two numbers")
		}
		m.least = value.Numbers[0]
		m.most = value.Numbers[1]
		notes = append(notes, "valid_range")
	}
	for _, name := range []string{"_FillValue", "missing_value"} {
		value, ok := a[name]
		if !ok {
			continue
		}
		if value.Text != "" || len(value.Numbers) == 0 {
			unclear("has the attribute %s, which is not a number", name)
		}
		for _, v := range value.Numbers {
			m.missing = append(m.missing, elements.Round(v))
		}
		if !math.IsNaN(value.Numbers[0]) { // NaN is missing in any case
			notes = append(notes, name)
		}
	}
	kind, _, _ := strings.Cut(elements.Name, ",") // without the order of bytes
	fill, hasFill := fills[kind]
	isFloat := strings.HasPrefix(kind, "float")
	_, hasOwn := a["_FillValue"]
	if hasFill && !hasOwn && (isFloat || ofNetCDF) {
		m.missing = append(m.missing, elements.Round(fill))
	}
	if len(notes) > 0 {
		m.Note = fmt.Sprintf("%s applied", strings.Join(notes, ", "))
	}
	return m
}

// number returns the value of an attribute that is one number, if the array has it.
func (a Attributes) number(name string) (v float64, ok bool) {
	value, ok := a[name]
	if !ok {
		return 0, false
	}
	if len(value.Numbers) != 1 {
		unclear("has the attribute %s, which is not one number", name)
	}
	v = value.Numbers[0]
	if math.IsNaN(v) || math.IsInf(v, 0) {
		unclear("has the attribute %s, which is not one number", name)
	}
	return v, true
}

// IsUnsigned tells whether integers are without sign although their type has one, since old netCDF has no such types.
func (a Attributes) IsUnsigned() bool { return strings.EqualFold(a[unsigned].Text, "true") }

// changes tells whether any number is changed.
func (m Meaning) changes() bool {
	isScaled := m.scale != 1 || m.offset != 0
	isBounded := !math.IsInf(m.least, -1) || !math.IsInf(m.most, 1)
	return isScaled || isBounded || len(m.missing) > 0
}

// Put returns a function that passes on what stored numbers stand for.
func (m Meaning) Put(put npy.Put) npy.Put {
	if !m.changes() {
		return put
	}
	return func(at []int, values []float64) bool {
		m.apply(values)
		return put(at, values)
	}
}

// apply replaces stored numbers by what they stand for.
func (m Meaning) apply(values []float64) {
	for i, v := range values {
		if slices.Contains(m.missing, v) || v < m.least || v > m.most {
			values[i] = math.NaN()
		} else {
			values[i] = v*m.scale + m.offset
		}
	}
}
