// This file finds NumPy's arrays in a pickle.

package pickle

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// Stream is the content that a pickle is part of.
type Stream struct {
	Where string // for errors
	Start int64  // of the pickle, in the stream
	Open  func() (io.Reader, error)
	Rest  bool // a checksum at its end is compared; if not, Open returns an *io.SectionReader
}

const (
	maxObjects = 1 << 17 // in a pickle, counting shared ones at each occurrence
	maxDepth   = 16
	maxName    = 1 << 10
	maxArrays  = 1 << 15
)

// walk counts the objects that a visit has seen.
type walk struct {
	seen int
	use  func(o *Object, name string) (inside bool)
}

// Visit calls use with the objects in v, and those in the state and the items of an object for which it returns true.
// The name of an object consists of the keys and indices that lead to it, as in "x" or "0.weight"; name is that of v.
// A Damaged panic of package cursor ends it if there are too many objects.
func Visit(v any, name string, use func(o *Object, name string) (inside bool)) {
	w := walk{use: use}
	w.visit(v, name, 0)
}

func (w *walk) visit(v any, name string, depth int) {
	w.seen++
	if w.seen > maxObjects || depth > maxDepth || len(name) > maxName {
		cursor.Damage("has too many things in each other")
	}
	switch v := v.(type) {
	case *Object:
		if !w.use(v, name) {
			return
		}
		w.visit(v.State, name, depth+1)
		for i := range v.Items {
			w.visit(&v.Items[i], name, depth+1)
		}
	case Tuple:
		w.list(v, name, depth)
	case *Collection:
		if !v.Dict {
			w.list(v.Items, name, depth)
			return
		}
		for i := 0; i < len(v.Items); i += 2 { // keys and values in turn
			key := keyOf(v.Items[i])
			w.visit(v.Items[i+1], under(name, key), depth+1)
		}
	}
}

func (w *walk) list(items []any, name string, depth int) {
	for i, item := range items {
		w.visit(item, under(name, fmt.Sprint(i)), depth+1)
	}
}

func under(name, key string) string { return strings.TrimPrefix(name+"."+key, ".") }

// keyOf returns a key of a dict as text. Keys that are no texts or numbers have none.
func keyOf(key any) string {
	switch key := key.(type) {
	case string, int64, float64, bool:
		return fmt.Sprint(key)
	case Bytes:
		return string(key.Content)
	}
	return "?"
}

// All lists the arrays of NumPy in the value of a pickle; a single one has no name. The error is a cursor.Damaged.
func (s Stream) All(value any) (all []npy.Member, err error) {
	err = cursor.Attempt(func() { all = s.Members(value, "") })
	return all, err
}

// Members lists the arrays of NumPy in a pickle. Arrays of objects are what they hold: equal arrays become one array
// with a new first axis, others are listed with their index, as "X[0]". Objects that are no arrays are refused.
// name is that of the object in the pickle, empty if it has none.
func (s Stream) Members(v any, name string) (all []npy.Member) {
	Visit(v, name, func(o *Object, name string) bool {
		if len(all) == maxArrays {
			cursor.Damage("has more than %d arrays", maxArrays)
		}
		found, is := s.array(o, name)
		all = append(all, found...)
		if is {
			return false
		}
		if o.State == nil && len(o.Items) == 0 {
			all = append(all, s.refused(name, "object", s.otherwise(o)))
		}
		return true
	})
	return all
}

// Arrays describes an array in the .npy format of a file, or the arrays that an array of objects holds, which NumPy
// stores as a pickle; name is that of the array. The stream has a checksum at its end, or is an *io.SectionReader.
func Arrays(b npy.Block, file, name string, checksum bool) []npy.Member {
	where := npy.Place(file, name)
	m := b.Member(name, where)
	if b.Type.Name != "object" {
		return []npy.Member{m}
	}
	var all []npy.Member
	value, err := loadIn(b, checksum)
	if err == nil {
		s := Stream{Where: file, Start: b.Before, Open: b.Open, Rest: checksum}
		err = cursor.Attempt(func() { all = s.Members(value, name) })
	}
	if what, ok := err.(cursor.Damaged); ok {
		err = fault.Bad(
			where, objectAdvice,
			"holds pickled Python objects, which are not read: the pickle %v", what,
		)
	}
	if err != nil {
		m.Refused = npy.Broken(where, err)
		return []npy.Member{m}
	}
	return all
}

const objectAdvice = "save the arrays in it on their own: numpy.savez('pairs.npz', a=array[0], u=array[1])"

// loadIn reads the pickle after the header of an array, and to the end of the stream if that compares a checksum.
func loadIn(b npy.Block, checksum bool) (any, error) {
	in, err := b.Open()
	if err != nil {
		return nil, err
	}
	if _, err := io.CopyN(io.Discard, in, b.Before); err != nil {
		return nil, err
	}
	value, err := Load(in)
	if err == nil && checksum {
		_, err = io.Copy(io.Discard, in)
	}
	return value, err
}

// otherwise describes an object that is not read.
func (s Stream) otherwise(o *Object) string {
	maker := strings.ReplaceAll(string(o.Made), " ", ".")
	return fmt.Sprintf("is what %s would make in Python, which is never run", maker)
}

func (s Stream) refused(name, kind, why string) npy.Member {
	return npy.Member{
		Name:    name,
		Type:    kind,
		Refused: fault.Bad(npy.Place(s.Where, name), "save it as an array of numbers", "%s", why),
	}
}

// array describes an array of NumPy's; is tells whether the object is one.
func (s Stream) array(o *Object, name string) (all []npy.Member, is bool) {
	a, ok := arrayOf(o)
	if !ok {
		return nil, false
	}
	if a.objects == nil {
		block := s.block(a)
		return []npy.Member{block.Member(name, npy.Place(s.Where, name))}, true
	}
	return s.objects(a, name, 0), true
}

// block describes the numbers of an array.
func (s Stream) block(a array) npy.Block {
	b := npy.Block{Type: a.kind, Shape: a.shape, Fortran: a.fortran}
	length := int64(npy.Count(a.shape)) * int64(a.kind.Width)
	if a.kind.Width > 0 && length != a.data.Length {
		cursor.Damage("has an array of shape %v with %d bytes where %d must be", a.shape, a.data.Length, length)
	}
	if a.data.Content != nil {
		content := a.data.Content
		b.Open = func() (io.Reader, error) { return bytes.NewReader(content), nil }
		return b
	}
	b.Before = s.Start + a.data.At
	b.Rest = s.Rest
	b.Open = func() (io.Reader, error) {
		in, err := s.Open()
		if file, ok := in.(*io.SectionReader); ok { // nothing after the numbers is of use
			return io.NewSectionReader(file, 0, b.Before+length), err
		}
		return in, err
	}
	return b
}

// objects describes the arrays in an array of objects.
func (s Stream) objects(a array, name string, depth int) (all []npy.Member) {
	if depth > maxDepth || npy.Count(a.shape) != len(a.objects) {
		cursor.Damage("has an array of objects of shape %v with %d", a.shape, len(a.objects))
	}
	if m, ok := s.equal(a, name); ok {
		return []npy.Member{m}
	}
	if why := raggedIn(a); why != "" {
		m := s.refused(name, "object", why)
		m.Refused = fault.Bad(
			npy.Place(s.Where, name),
			"give all functions on one grid, for example by numpy.interp",
			"%s", why,
		)
		return []npy.Member{m}
	}
	for i, v := range a.objects {
		element := name + index(i, a.shape)
		inner, ok := arrayOf(v)
		switch {
		case !ok:
			all = append(all, s.Members(v, element)...)
		case inner.objects != nil:
			all = append(all, s.objects(inner, element, depth+1)...)
		default:
			block := s.block(inner)
			all = append(all, block.Member(element, npy.Place(s.Where, element)))
		}
		if len(all) > maxArrays {
			cursor.Damage("has more than %d arrays", maxArrays)
		}
	}
	beside := numbers{}
	beside.list(a.objects, name, depth)
	all = append(all, beside.all...)
	if all == nil {
		all = append(all, s.refused(name, "object", "holds Python objects that are not arrays of numbers"))
	}
	return all
}

// raggedIn says which of many arrays of numbers in an array of objects differ in their shapes; empty for other arrays.
func raggedIn(a array) string {
	const many = 8 // of which it is likely that they are functions
	if len(a.objects) < many {
		return ""
	}
	why := ""
	var first array
	for i, v := range a.objects {
		inner, ok := arrayOf(v)
		if !ok || inner.objects != nil {
			return ""
		}
		if i == 0 {
			first = inner
		} else if why == "" && !slices.Equal(inner.shape, first.shape) {
			why = fmt.Sprintf("holds arrays of different shapes: %v at %s, %v at %s",
				first.shape, index(0, a.shape), inner.shape, index(i, a.shape))
		}
	}
	return why
}

// index returns the index of the i-th element of an array, as "[0, 3]".
func index(i int, shape []int) string {
	if len(shape) == 0 {
		return ""
	}
	words := make([]string, len(shape))
	for d, n := range slices.Backward(shape) {
		words[d] = fmt.Sprint(i % n)
		i /= n
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// least is the number of equal arrays in a list that are taken for one array: two may be two different things.
const least = 3

// equal describes the array that equal arrays in an array of objects make.
func (s Stream) equal(a array, name string) (npy.Member, bool) {
	if len(a.objects) < least {
		return npy.Member{}, false
	}
	var parts []npy.Block
	inMemory := []byte{}
	end := int64(0) // in the stream, of the last array
	for _, v := range a.objects {
		inner, ok := arrayOf(v)
		if !ok || inner.objects != nil {
			return npy.Member{}, false
		}
		b := s.block(inner)
		if len(parts) > 0 {
			first := parts[0]
			if !npy.Alike(b, first) || b.Fortran != first.Fortran {
				return npy.Member{}, false
			}
		}
		switch {
		case inner.data.Content != nil:
			b.Before = int64(len(inMemory))
			inMemory = append(inMemory, inner.data.Content...)
		case b.Before < end: // one array at two places of the list
			return npy.Member{}, false
		default:
			end = b.Before + inner.data.Length
		}
		parts = append(parts, b)
	}
	if len(inMemory) > 0 && end > 0 {
		return npy.Member{}, false
	}
	open := s.Open
	if end == 0 {
		open = func() (io.Reader, error) { return bytes.NewReader(inMemory), nil }
	}
	inStream := end > 0
	m := npy.Series(name, npy.Place(s.Where, name), parts, s.Rest && inStream, open)
	if len(a.shape) == 1 {
		return m, true
	}
	return npy.Reshaped(m, slices.Concat(a.shape, parts[0].Shape))
}

// array is an array of NumPy's in a pickle.
type array struct {
	kind    npy.Type
	shape   npy.Shape
	fortran bool
	data    Bytes
	objects []any // of an array of objects, in place of data
}

// arrayOf interprets an object as an array.
func arrayOf(v any) (a array, ok bool) {
	o, ok := v.(*Object)
	if !ok {
		return a, false
	}
	module, name, _ := strings.Cut(string(o.Made), " ")
	if !strings.HasPrefix(module, "numpy") {
		return a, false
	}
	switch name {
	case "_reconstruct":
		return reconstructed(o)
	case "_frombuffer":
		return fromBuffer(o)
	case "scalar":
		return scalar(o)
	}
	return a, false
}

// reconstructed interprets an object whose state is (version, shape, type, whether in Fortran order, bytes or a list).
func reconstructed(o *Object) (a array, ok bool) {
	state, _ := o.State.(Tuple)
	if len(state) != 5 {
		return a, false
	}
	shape, hasShape := shapeOf(state[1])
	code, hasType := codeOf(state[2])
	if !hasShape || !hasType {
		return a, false
	}
	a.shape = shape
	a.fortran = state[3] == any(true) || state[3] == any(int64(1))
	if list, ok := state[4].(*Collection); ok && !list.Dict {
		a.objects = append([]any{}, list.Items...)
		return a, true
	}
	a.kind = npy.TypeOf(code)
	a.data, ok = bytesOf(state[4])
	return a, ok
}

// fromBuffer interprets an object that is made of (bytes, type, shape, order).
func fromBuffer(o *Object) (a array, ok bool) {
	if len(o.Arguments) != 4 {
		return a, false
	}
	data, hasData := bytesOf(o.Arguments[0])
	code, hasType := codeOf(o.Arguments[1])
	shape, hasShape := shapeOf(o.Arguments[2])
	a = array{
		kind:    npy.TypeOf(code),
		shape:   shape,
		fortran: o.Arguments[3] == any("F"),
		data:    data,
	}
	return a, hasData && hasType && hasShape
}

// scalar interprets an object that is made of (type, bytes).
func scalar(o *Object) (a array, ok bool) {
	if len(o.Arguments) != 2 {
		return a, false
	}
	code, hasType := codeOf(o.Arguments[0])
	data, hasData := bytesOf(o.Arguments[1])
	a = array{
		kind:  npy.TypeOf(code),
		shape: npy.Shape{},
		data:  data,
	}
	return a, hasType && hasData
}

func shapeOf(v any) (shape npy.Shape, ok bool) {
	tuple, ok := v.(Tuple)
	if !ok || len(tuple) > npy.MaxRank {
		return nil, false
	}
	shape = npy.Shape{}
	for _, item := range tuple {
		n, ok := item.(int64)
		if !ok {
			return nil, false
		}
		shape = append(shape, int(n))
	}
	_, ok = npy.Room(shape)
	return shape, ok
}

// codeOf returns the code of a type, as "<f8": made by dtype("f8", ...), with the state (3, "<", ...).
func codeOf(v any) (code string, ok bool) {
	o, ok := v.(*Object)
	if !ok || o.Made != "numpy dtype" || len(o.Arguments) == 0 {
		return "", false
	}
	code = keyOf(o.Arguments[0])
	order := "|"
	if state, ok := o.State.(Tuple); ok && len(state) > 3 {
		order = keyOf(state[1])
		if state[3] != nil { // names of the fields of records
			return "[", true
		}
	}
	return cmp.Or(order, "|") + code, true
}

// bytesOf returns bytes, which Python 3 writes as a text for readers that know no bytes.
func bytesOf(v any) (b Bytes, ok bool) {
	switch v := v.(type) {
	case Bytes:
		return v, true
	case *Object:
		return encoded(v)
	}
	return b, false
}

// encoded returns the bytes that an object makes of a text.
func encoded(o *Object) (b Bytes, ok bool) {
	if o.Made == "builtins bytes" && len(o.Arguments) == 0 {
		return Bytes{Content: []byte{}}, true
	}
	if o.Made != "_codecs encode" || len(o.Arguments) != 2 || o.Arguments[1] != any("latin1") {
		return b, false
	}
	text, ok := o.Arguments[0].(string)
	if !ok {
		return b, false
	}
	b.Content = []byte{}
	for _, r := range text {
		if r > 255 {
			return b, false
		}
		b.Content = append(b.Content, byte(r))
	}
	b.Length = int64(len(b.Content))
	return b, true
}
