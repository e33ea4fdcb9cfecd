// Package codec stores learned operators in model files: numbers, words and short lists as JSON, arrays of float64 as
// members of the archive, nested parts. A Part is a pointer to a struct whose tags define the form of each field:
//
//	json:"length"                       a number, word or list in the JSON text
//	json:"points" shape:"pairs modes"   an array, []float64, *mat.Dense or *linalg.Panels
//	json:"first" prefix:"first_"        a Part; the names of its arrays begin with the prefix
//
// A shape is a list of lengths: numbers, or names. A name stands for the lengths that Part.Sizes has for it, else for
// one length, which is the same wherever the name occurs in the struct. Only fields with omitempty may be missing.
// Arrays have at least one value along each axis, all of them finite. The same rules hold for writing and for reading.
package codec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Part is a part of a model file. Decode calls the method Restored of parts that have it, which computes fields that
// are not stored, and may refuse the others with a *fault.Data:
//
//	Restored() error
type Part interface {
	// Sizes returns the lengths in shapes that follow from numbers, words and parts. The error is a *fault.Data if these
	// do not fit any trained model.
	Sizes() (map[string][]int, error)
}

// Kinds maps the names of kinds in files to parts of their types, which may be empty.
type Kinds map[string]Part

// of returns the name of a part's kind.
func (k Kinds) of(p Part) string {
	for name, kind := range k {
		if reflect.TypeOf(kind) == reflect.TypeOf(p) {
			return name
		}
	}
	panic(fmt.Sprintf("codec: %T has no name in files", p))
}

// Arrays are the arrays of a file. Each array is read once.
type Arrays interface {
	Has(name string) bool
	Array(name string) (npy.Array, error)
}

// Bad returns the error for a model that no run writes.
func Bad(format string, arguments ...any) error {
	return &fault.Data{
		Where: Where,
		What:  fmt.Sprintf(format, arguments...),
		Do:    "train the model again",
	}
}

// Where is the place of an error if the file is not known.
const Where = "model"

// deepest bounds the nesting of parts: the deepest is units of a symmetric, corrected chain of four layers, each in a
// sum, over a sheared kernel.
const deepest = 14

// Encode returns the JSON text of a part, an object with its kind, and its arrays. The error is a *fault.Data if Decode
// would refuse it.
func (k Kinds) Encode(p Part) (json.RawMessage, []npy.Named, error) {
	e := encoder{kinds: k}
	text, err := e.part(p, "")
	return text, e.arrays, err
}

type encoder struct {
	kinds  Kinds
	arrays []npy.Named
}

func (e *encoder) part(p Part, prefix string) (json.RawMessage, error) {
	sizes, err := sizesOf(p)
	if err != nil {
		return nil, err
	}
	object := map[string]any{"kind": e.kinds.of(p)}
	for _, f := range fieldsOf(p) {
		switch {
		case f.optional && f.value.IsZero():
		case f.shape != "":
			a := npy.Named{Name: prefix + f.name, Array: f.array(sizes)}
			err := sizes.check(a, f.shape)
			if err != nil {
				return nil, err
			}
			e.arrays = append(e.arrays, a)
		default:
			value := f.value.Interface()
			if part, ok := value.(Part); ok {
				value, err = e.part(part, prefix+f.prefix)
				if err != nil {
					return nil, err
				}
			}
			object[f.name] = value
		}
	}
	text, err := json.Marshal(object)
	if err != nil {
		return nil, Bad("cannot be written: %v", err)
	}
	return text, nil
}

// Decode reads a part that Encode wrote. The error is a *fault.Data.
func (k Kinds) Decode(text []byte, arrays Arrays) (Part, error) {
	return decoder{k, arrays}.part(text, "", 0)
}

type decoder struct {
	kinds  Kinds
	arrays Arrays
}

func (d decoder) part(text []byte, prefix string, depth int) (Part, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil || depth > deepest {
		return nil, Bad("has a malformed part, at depth %d: %v", depth, err)
	}
	var kind string
	_ = json.Unmarshal(object["kind"], &kind) // an empty kind is unknown
	if d.kinds[kind] == nil {
		return nil, Bad("has a part of the unknown kind %q", kind)
	}
	delete(object, "kind")
	p := reflect.New(reflect.TypeOf(d.kinds[kind]).Elem()).Interface().(Part)
	fields := fieldsOf(p)
	for _, f := range fields {
		text, there := object[f.name]
		delete(object, f.name)
		if f.shape != "" || !there && f.optional {
			continue
		}
		if !there {
			return nil, Bad("has no %q in the kind %q", f.name, kind)
		}
		err := d.field(f, text, prefix, depth)
		if err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		return nil, Bad("has %q, which the kind %q does not have", name, kind)
	}
	sizes, err := sizesOf(p)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		name := prefix + f.name
		if f.shape == "" || f.optional && !d.arrays.Has(name) {
			continue
		}
		a, err := d.arrays.Array(name)
		if err == nil {
			err = sizes.check(npy.Named{Name: name, Array: a}, f.shape)
		}
		if err != nil {
			return nil, err
		}
		f.set(a)
	}
	if r, ok := p.(interface{ Restored() error }); ok {
		err = r.Restored()
	}
	return p, err
}

// field reads a field other than an array.
func (d decoder) field(f field, text json.RawMessage, prefix string, depth int) error {
	if f.value.Kind() == reflect.Interface {
		part, err := d.part(text, prefix+f.prefix, depth+1)
		if err != nil {
			return err
		}
		if !reflect.TypeOf(part).AssignableTo(f.value.Type()) {
			return Bad("has a part in %q whose kind does not belong there", f.name)
		}
		f.value.Set(reflect.ValueOf(part))
		return nil
	}
	err := Strict(text, f.value.Addr().Interface())
	if err != nil {
		return Bad("has %q that cannot be read: %v", f.name, err)
	}
	return nil
}

// Strict reads JSON, and refuses fields that v does not have.
func Strict(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

// field is a field of a part.
type field struct {
	name, shape, prefix string
	optional            bool
	value               reflect.Value
}

// fieldsOf returns the fields with tags, including those of embedded structs.
func fieldsOf(p Part) []field {
	var all []field
	of := reflect.ValueOf(p).Elem()
	for _, f := range reflect.VisibleFields(of.Type()) {
		if name, option, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			all = append(all, field{name, f.Tag.Get("shape"), f.Tag.Get("prefix"), option == "omitempty",
				of.FieldByIndex(f.Index)})
		}
	}
	return all
}

// array returns a field in the form of model files.
func (f field) array(s sizes) npy.Array {
	var data []float64
	switch m := f.value.Interface().(type) {
	case *mat.Dense:
		rows, columns := m.Dims()
		contiguous := mat.DenseCopyOf(m).RawMatrix().Data // whatever the stride of m
		return npy.Array{Shape: []int{rows, columns}, Data: contiguous}
	case *linalg.Panels:
		return npy.Array{Shape: []int{m.Rows(), m.Cols()}, Data: m.Dense()}
	case []float64:
		data = m
	}
	shape, _ := s.lengths(f.shape)
	rest := len(data) // over the known lengths
	unknown := -1
	for axis, n := range shape {
		if n < 0 {
			unknown = axis
		} else if rest%n == 0 {
			rest /= n
		}
	}
	if unknown >= 0 {
		shape[unknown] = rest
	}
	return npy.Array{Shape: shape, Data: data}
}

// set sets a field to an array.
func (f field) set(a npy.Array) {
	switch f.value.Interface().(type) {
	case *mat.Dense:
		m := mat.NewDense(a.Shape[0], a.Shape[1], a.Data)
		f.value.Set(reflect.ValueOf(m))
	case *linalg.Panels:
		m := mat.NewDense(a.Shape[0], a.Shape[1], a.Data)
		f.value.Set(reflect.ValueOf(linalg.PanelsOf(m.RawMatrix())))
	default:
		f.value.Set(reflect.ValueOf(a.Data))
	}
}

// sizes holds the lengths of the names in shapes, as far as they are known.
type sizes map[string][]int

func sizesOf(p Part) (sizes, error) {
	known, err := p.Sizes()
	if known == nil {
		known = map[string][]int{}
	}
	return known, err
}

// lengths returns the lengths of a shape, -1 for one that is not known yet, with its name.
func (s sizes) lengths(shape string) (lengths []int, names []string) {
	for _, name := range strings.Fields(shape) {
		n, err := strconv.Atoi(name)
		known, ok := s[name]
		switch {
		case err == nil:
			known = []int{n}
		case !ok:
			known = []int{-1}
		}
		lengths = append(lengths, known...)
		names = append(names, slices.Repeat([]string{name}, len(known))...)
	}
	return lengths, names
}

// check compares an array with a shape, and records the lengths of its names.
func (s sizes) check(a npy.Named, shape string) error {
	want, names := s.lengths(shape)
	count := 1
	fits := len(want) == len(a.Shape)
	for axis := 0; fits && axis < len(want); axis++ {
		n := a.Shape[axis]
		fits = n >= 1 && (want[axis] < 0 || want[axis] == n)
		if !fits {
			break
		}
		count *= n
		if s[names[axis]] == nil {
			s[names[axis]] = []int{n}
		}
	}
	if !fits || count != len(a.Data) {
		return Bad("has %d numbers of shape %v in %q, want %s = %v (-1: any)", len(a.Data), a.Shape, a.Name, shape,
			npy.Shape(want))
	}
	if !grid.Finite(a.Data...) {
		return Bad("has values in %q that are not finite", a.Name)
	}
	return nil
}
