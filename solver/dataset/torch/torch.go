// Package torch reads tensors from the .pt and .pth files of torch.save: zip archives with a pickle that names tensors
// and a file of numbers for each storage. Nothing in the pickle is executed: package pickle reads its structure, and
// this package knows the few functions that make tensors. What others make is listed and refused by name.
package torch

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/dataset/pickle"
)

// reader lists the tensors of a file.
type reader struct {
	where    string
	storages storages
	numpy    pickle.Stream
	tensors  []npy.Member
}

// storages are the blocks of numbers of a file, by their keys.
type storages interface {
	size(key, where string) (int64, error) // in bytes
	opener(key, where string) npy.Opener
	sealed() bool // a checksum at the end of each is compared
}

// archived are storages in an archive, each a file.
type archived struct {
	*npz.Reader
	directory string // of all files in the archive
}

func (a archived) size(key, where string) (int64, error) {
	return a.Size(a.directory+"/data/"+key, where)
}

func (a archived) opener(key, where string) npy.Opener {
	return a.Opener(a.directory+"/data/"+key, where)
}

func (a archived) sealed() bool { return true }

const (
	maxPickle  = 1 << 24
	maxTensors = 1 << 15
	maxSize    = 1 << 50 // numbers in a storage
)

// types are the types of the numbers of storages.
var types = map[string]npy.Type{
	"DoubleStorage":        npy.TypeOf("<f8"),
	"FloatStorage":         npy.TypeOf("<f4"),
	"HalfStorage":          npy.TypeOf("<f2"),
	"BFloat16Storage":      npy.BFloat16,
	"LongStorage":          npy.TypeOf("<i8"),
	"IntStorage":           npy.TypeOf("<i4"),
	"ShortStorage":         npy.TypeOf("<i2"),
	"CharStorage":          npy.TypeOf("<i1"),
	"ByteStorage":          npy.TypeOf("<u1"),
	"BoolStorage":          npy.TypeOf("<b1"),
	"ComplexFloatStorage":  npy.TypeOf("<c8"),
	"ComplexDoubleStorage": npy.TypeOf("<c16"),
}

// convert returns advice for a file that cannot be read: it writes the tensors of a dict, or of a list, or a tensor.
var convert = npy.Recipe("torch", "torch.load(NAME, map_location='cpu')", "v.detach().float().numpy()")

// Read lists the tensors in an archive, in the order of the pickle, named by keys and indices, such as "x" or
// "0.weight", or "tensor" for a single tensor; ok is false if torch.save did not write it: it lacks NAME/data.pkl.
// Errors, also later ones, are *fault.Data at where, the name of the file.
func Read(archive *npz.Reader, where string) (tensors []npy.Member, ok bool, err error) {
	files := archive.Others
	at := slices.IndexFunc(files, func(name string) bool {
		return path.Base(name) == "data.pkl" && strings.Count(name, "/") == 1
	})
	if at < 0 {
		return nil, false, nil
	}
	text, err := archive.File(files[at], maxPickle)
	if err != nil {
		return nil, true, err
	}
	directory := path.Dir(files[at])
	r := &reader{
		where:    where,
		storages: archived{Reader: archive, directory: directory},
		numpy:    pickle.Stream{Where: where, Rest: true, Open: archive.Opener(files[at], where)},
	}
	order, err := archive.File(directory+"/byteorder", 16)
	if err == nil && string(order) != "little" { // older archives lack it
		return nil, true, fault.Bad(where, convert(where), "has numbers in the byte order %q, little is read", order)
	}
	value, err := pickle.Load(bytes.NewReader(text))
	if err == nil {
		err = cursor.Attempt(func() { r.find(value) })
		r.tensors = append(r.tensors, pickle.Numbers(value)...)
	}
	if what, ok := err.(cursor.Damaged); ok {
		err = fault.Bad(where, convert(where), "has a pickle that is not read: it %v", what)
	}
	return r.tensors, true, err
}

// find lists the tensors in a value. Numbers and texts are ignored.
func (r *reader) find(value any) {
	pickle.Visit(value, "", func(o *pickle.Object, name string) bool {
		if len(r.tensors) > maxTensors {
			cursor.Damage("has more than %d tensors", maxTensors)
		}
		if view, ok := viewOf(o); ok {
			r.tensors = append(r.tensors, r.member(view, cmp.Or(name, "tensor")))
			return false
		}
		if isClass(o) { // an object whose attributes may be tensors, such as a TensorDataset
			return true
		}
		r.tensors = append(r.tensors, r.numpy.Members(o, cmp.Or(name, "array"))...)
		return false
	})
}

// isClass tells whether an object has attributes or items, and is not made of tensors in a way that changes their
// meaning, as a sparse tensor is.
func isClass(o *pickle.Object) bool {
	made := string(o.Made)
	hasParts := o.State != nil || o.Items != nil
	isTensor := strings.HasPrefix(made, "numpy") || strings.Contains(made, " _rebuild")
	return hasParts && !isTensor
}

// storage is a block of memory in a file of its own.
type storage struct {
	kind npy.Type
	key  string
	size int64 // elements
}

// view is a tensor: some elements of a storage.
type view struct {
	of     storage
	offset int64
	shape  npy.Shape
	stride npy.Shape
	// torch.conj and parts of its results change no number in a storage, but are kept with the tensor:
	conjugate bool // imaginary parts have the opposite sign
	negative  bool // all numbers have
}

// viewOf interprets an object as a tensor.
func viewOf(o *pickle.Object) (v view, ok bool) {
	arguments := o.Arguments
	switch o.Made {
	case "torch._utils _rebuild_parameter", "torch._utils _rebuild_parameter_with_state": // (tensor, ...)
		if len(arguments) == 0 {
			return v, false
		}
		inner, ok := arguments[0].(*pickle.Object)
		if !ok || inner.Made == o.Made {
			return v, false
		}
		return viewOf(inner)
	case "torch._tensor _rebuild_from_type_v2": // (function, class, its arguments, attributes)
		if len(arguments) != 4 || arguments[0] != any(pickle.Global("torch._utils _rebuild_tensor_v2")) {
			return v, false
		}
		arguments, ok = arguments[2].(pickle.Tuple)
		if !ok {
			return v, false
		}
	case "torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_tensor":
	default:
		return v, false
	}
	if len(arguments) < 4 { // (storage, offset, shape, strides, ...)
		return v, false
	}
	of, hasStorage := storageOf(arguments[0])
	offset, hasOffset := arguments[1].(int64)
	shape, hasShape := integers(arguments[2])
	stride, hasStride := integers(arguments[3])
	if !hasStorage || !hasOffset || !hasShape || !hasStride {
		return v, false
	}
	v = view{of: of, offset: offset, shape: shape, stride: stride}
	const bits = 6 // the argument that says which numbers are stored with the opposite sign
	if len(arguments) > bits {
		v.conjugate = isSet(arguments[bits], "conj")
		v.negative = isSet(arguments[bits], "neg")
	}
	return v, len(shape) == len(stride)
}

// isSet reports whether a dict has True for a key.
func isSet(dict any, key string) bool {
	c, ok := dict.(*pickle.Collection)
	if !ok || !c.Dict {
		return false
	}
	for i := 0; i+1 < len(c.Items); i += 2 {
		if c.Items[i] == any(key) {
			return c.Items[i+1] == any(true)
		}
	}
	return false
}

// storageOf interprets an object outside of the pickle: ('storage', type, key, device, number of elements).
func storageOf(v any) (s storage, ok bool) {
	outside, ok := v.(pickle.Persistent)
	if !ok {
		return s, false
	}
	id, ok := outside.ID.(pickle.Tuple)
	isView := len(id) == 6 && id[5] != nil // of another storage, in very old files
	if !ok || len(id) < 5 || len(id) > 6 {
		return s, false
	}
	if isView || id[0] != any("storage") {
		return s, false
	}
	class, isClass := id[1].(pickle.Global)
	key, isKey := id[2].(string)
	size, isSize := id[4].(int64)
	if !isClass || !isKey || !isSize || size < 0 || size > maxSize {
		return s, false
	}
	_, name, _ := strings.Cut(string(class), " ")
	s = storage{kind: types[name], key: key, size: size}
	if s.kind.Name == "" {
		s.kind.Name = name
	}
	return s, true
}

func integers(v any) (all npy.Shape, ok bool) {
	tuple, ok := v.(pickle.Tuple)
	if !ok || len(tuple) > npy.MaxRank {
		return nil, false
	}
	all = npy.Shape{}
	for _, item := range tuple {
		n, ok := item.(int64)
		if !ok || n < 0 {
			return nil, false
		}
		all = append(all, int(n))
	}
	return all, true
}

// member describes a tensor.
func (r *reader) member(v view, name string) npy.Member {
	where := npy.Place(r.where, name)
	m := npy.Member{
		Name:    name,
		Type:    v.of.kind.Name,
		Shape:   v.shape,
		Sealed:  r.storages.sealed(),
		Refused: v.of.kind.Check(where),
	}
	if m.Refused != nil {
		return m
	}
	if last, ok := v.last(); !ok || last >= v.of.size {
		cursor.Damage("has the tensor %q of shape %v, from number %d of %d on", name, v.shape, v.offset, v.of.size)
	}
	open := r.storages.opener(v.of.key, where)
	size, err := r.storages.size(v.of.key, where)
	if err != nil {
		m.Refused = err
		return m
	}
	expected := v.of.size * int64(v.of.kind.Width)
	if size != expected {
		m.Refused = fault.Damaged(where, fmt.Errorf("%d bytes are where %d must be", size, expected))
		return m
	}
	m.Fortran = v.isFortran()
	return npy.Decoded(m, v.of.kind, func(t npy.Type) npy.Numbers { return v.signed(t, where, open) })
}
