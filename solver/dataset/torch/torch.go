// Package torch reads tensors from the .pt and .pth files of torch.save: zip archives with a pickle that names tensors
// and a file of numbers for each storage. The pickle is never executed: the package interprets the few instructions for
// tensors in dicts, lists and tuples, and refuses all others. Memory is bounded by the pickle, of at most 1 MiB.
package torch

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// reader lists the tensors of a file.
type reader struct {
	archive   *npz.Reader
	where     string
	directory string // common directory in the archive
	found     int    // objects in the pickle, counting nested ones at each occurrence
	tensors   []npy.Member
}

const (
	maxPickle  = 1 << 20
	maxItems   = 1 << 16
	maxTensors = 1 << 12
	maxDepth   = 16
	maxName    = 1 << 10
)

// types are the codes of NumPy for the numbers of storages.
var types = map[string]string{"DoubleStorage": "<f8", "FloatStorage": "<f4", "HalfStorage": "<f2", "LongStorage": "<i8",
	"IntStorage": "<i4", "ShortStorage": "<i2", "CharStorage": "<i1", "ByteStorage": "<u1", "BoolStorage": "<b1"}

// Convert returns advice for a file that cannot be read.
var Convert = npy.Recipe("torch", "torch.load(NAME, map_location='cpu')", "v.numpy()")

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
	r := &reader{archive: archive, where: where, directory: path.Dir(files[at])}
	if order, err := archive.File(r.directory+"/byteorder", 16); err == nil && string(order) != "little" {
		return nil, true, fault.Bad(where, Convert(where), "has numbers in the byte order %q, little is read", order)
	}
	err = cursor.Attempt(func() { r.find(unpickle(text), "", 0) })
	if what, ok := err.(cursor.Damaged); ok {
		err = fault.Bad(where, Convert(where), "holds more than whole tensors, which is never loaded: it %v", what)
	}
	return r.tensors, true, err
}

// find adds the tensors in v, which has the given name. Numbers and texts are ignored.
func (r *reader) find(v any, name string, depth int) {
	if r.found++; r.found > maxItems || depth > maxDepth || len(name) > maxName {
		cursor.Damage("has too many things in each other")
	}
	var items []any
	dict := false
	switch v := v.(type) {
	case tensor:
		if len(r.tensors) == maxTensors {
			cursor.Damage("has too many tensors")
		}
		r.tensors = append(r.tensors, r.tensor(v, cmp.Or(name, "tensor")))
	case *collection:
		items, dict = v.items, v.dict
	case tuple:
		items = v
	}
	for i := 0; i < len(items); i++ {
		key := any(i)
		if dict {
			key, i = items[i], i+1
		}
		switch key.(type) {
		case string, int64, int:
		default:
			cursor.Damage("has keys that are not names")
		}
		r.find(items[i], strings.TrimPrefix(fmt.Sprintf("%s.%v", name, key), "."), depth+1)
	}
}

// tensor locates the numbers of a tensor.
func (r *reader) tensor(v tensor, name string) npy.Member {
	where := npy.Place(r.where, name)
	b := npy.Block{Type: npy.TypeOf(types[v.of.kind]), Shape: append([]int{}, v.shape...)}
	room, ok := npy.Room(v.shape)
	count := int64(room)
	inOrder := func(fortran bool) bool { // by the strides of axes longer than one
		for d, step := range npy.StridesOf(v.shape, fortran) {
			if v.shape[d] > 1 && v.stride[d] != step {
				return false
			}
		}
		return true
	}
	switch {
	case !ok:
		cursor.Damage("has %q with shape %v", name, v.shape)
	case count > 0 && !inOrder(false) && !inOrder(true):
		cursor.Damage("has the tensor %q with gaps between its numbers: save tensor.contiguous()", name)
	case v.offset < 0 || v.offset > v.of.size || count > v.of.size-v.offset || v.of.size > 1<<50:
		cursor.Damage("has %q with %d numbers from the %dth of %d", name, count, v.offset, v.of.size)
	}
	b.Fortran = !inOrder(false)
	width := int64(b.Type.Width)
	b.Before, b.Open = v.offset*width, func() (io.Reader, error) { // of a storage whose size must match its numbers
		in, size, err := r.archive.Open(r.directory+"/data/"+v.of.key, where)
		if err == nil && size != v.of.size*width {
			err = fault.Damaged(where, fmt.Errorf("%d bytes are where %d must be", size, v.of.size*width))
		}
		return io.LimitReader(in, (v.offset+count)*width), err
	}
	if _, err := b.Open(); err != nil {
		cursor.End(err)
	}
	return b.Member(name, where)
}
