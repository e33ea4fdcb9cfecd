// Package torch reads tensors from the .pt and .pth files of torch.save: zip archives with a pickle that names tensors
// and a file of numbers for each storage. The pickle is never run: the few instructions that tensors in dicts, lists
// and tuples need are understood, all others are refused. Memory is bounded by the pickle, of at most 1 MiB.
package torch

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/fault"
)

// Tensor is an array of a file.
type Tensor struct {
	Name   string // its keys and places, as "x" or "0.weight"; "tensor" if the file holds nothing else
	Header npy.Header

	member string // of its storage in the archive
	whole  int64  // bytes of the storage
	skip   int64  // before its first number
}

// Reader reads a file. It may be used by several goroutines at once.
type Reader struct {
	archive *npz.Reader
	found   int // things in the pickle, one inside of another as often as it is there
	where   string
	tensors []Tensor
}

const (
	maxPickle  = 1 << 20
	maxTensors = 1 << 12
	maxDepth   = 16
	maxName    = 1 << 10
)

var types = map[string]npy.Type{
	"DoubleStorage": npy.Number(npy.Float, 8, false), "FloatStorage": npy.Number(npy.Float, 4, false),
	"HalfStorage":  npy.Number(npy.Float, 2, false),
	"LongStorage":  npy.Number(npy.Signed, 8, false),
	"IntStorage":   npy.Number(npy.Signed, 4, false),
	"ShortStorage": npy.Number(npy.Signed, 2, false), "CharStorage": npy.Number(npy.Signed, 1, false),
	"ByteStorage": npy.Number(npy.Unsigned, 1, false),
	"BoolStorage": npy.Number(npy.Bool, 1, false),
}

// pickleOf is the archive's pickle, "name/data.pkl"; empty if there is none.
func pickleOf(archive *npz.Reader) string {
	files := archive.Files()
	if i := slices.IndexFunc(files, func(name string) bool {
		return path.Base(name) == "data.pkl" &&
			strings.Count(name, "/") == 1
	}); i >= 0 {
		return files[i]
	}
	return ""
}

// Recognise reports whether an archive is one of torch.save.
func Recognise(archive *npz.Reader) bool { return pickleOf(archive) != "" }

// Convert is what to do about a file that is not read.
func Convert(where string) string {
	base := path.Base(where)
	return fmt.Sprintf("convert it in Python:\n  import numpy, torch; d = torch.load(%q, map_location='cpu')\n  "+
		"numpy.savez(%q, **{k: v.numpy() for k, v in d.items()})", base, strings.TrimSuffix(base, path.Ext(base))+".npz")
}

// NewReader finds the tensors in an archive. Errors, also later ones, are *fault.Data at where, the file's name.
func NewReader(archive *npz.Reader, where string) (*Reader, error) {
	pickle := pickleOf(archive)
	text, err := archive.File(pickle, maxPickle)
	if err != nil {
		return nil, err
	}
	r := &Reader{archive: archive, where: where}
	if order, err := archive.File(path.Dir(pickle)+"/byteorder", 16); err == nil && string(order) != "little" {
		return nil, &fault.Data{Where: where, What: fmt.Sprintf("has numbers in the byte order %q, little is read", order),
			Do: Convert(where)}
	}
	content, err := unpickle(text)
	if err == nil {
		err = r.find(content, "", path.Dir(pickle), 0)
	}
	var no refused
	switch {
	case errors.As(err, &no):
		return nil, &fault.Data{Where: where, What: "holds more than tensors, which is never loaded: it " + string(no),
			Do: Convert(where)}
	case err != nil:
		return nil, &fault.Data{Where: where, What: "is damaged", Err: err, Do: "copy or write the file again"}
	}
	return r, nil
}

// find adds the tensors in v, which has the given name. Numbers and texts are passed over.
func (r *Reader) find(v any, name, directory string, depth int) error {
	if r.found++; r.found > maxItems || depth > maxDepth || len(name) > maxName {
		return refused("has too many things in each other")
	}
	inside := func(v any, key string) error {
		if name != "" {
			key = name + "." + key
		}
		return r.find(v, key, directory, depth+1)
	}
	switch v := v.(type) {
	case tensor:
		if len(r.tensors) == maxTensors {
			return refused("has too many tensors")
		}
		if name == "" {
			name = "tensor"
		}
		t, err := r.locate(v, name, directory)
		if err != nil {
			return err
		}
		r.tensors = append(r.tensors, t)
	case *dict:
		for i, key := range v.keys {
			if _, text := key.(string); !text {
				if _, number := key.(int64); !number {
					return refused("has keys that are no names")
				}
			}
			if err := inside(v.values[i], fmt.Sprint(key)); err != nil {
				return err
			}
		}
	case *list:
		for i, item := range v.items {
			if err := inside(item, strconv.Itoa(i)); err != nil {
				return err
			}
		}
	case tuple:
		for i, item := range v {
			if err := inside(item, strconv.Itoa(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// locate finds out where the numbers of a tensor are.
func (r *Reader) locate(v tensor, name, directory string) (Tensor, error) {
	t := Tensor{Name: name, member: directory + "/data/" + v.of.key,
		Header: npy.Header{Type: types[v.of.kind], Shape: []int{}}}
	width := int64(t.Header.Type.Bytes())
	count := int64(1)
	for _, n := range v.shape {
		if n < 0 || n > 0 && count > 1<<50/n {
			return t, fmt.Errorf("%q has shape %v", name, v.shape)
		}
		count *= n
		t.Header.Shape = append(t.Header.Shape, int(n))
	}
	// Which index runs fastest, of those along axes longer than one, say the strides.
	rows, columns := true, true
	for step, d := int64(1), len(v.shape)-1; d >= 0; d-- {
		rows = rows && (v.shape[d] <= 1 || v.stride[d] == step)
		step *= v.shape[d]
	}
	for step, d := int64(1), 0; d < len(v.shape); d++ {
		columns = columns && (v.shape[d] <= 1 || v.stride[d] == step)
		step *= v.shape[d]
	}
	switch {
	case count > 0 && !rows && !columns:
		return t, refused(fmt.Sprintf("has the tensor %q with gaps between its numbers: save tensor.contiguous()", name))
	case v.offset < 0 || v.offset > v.of.size || count > v.of.size-v.offset || v.of.size > 1<<50:
		return t, fmt.Errorf("%q has %d numbers from the %dth of %d", name, count, v.offset, v.of.size)
	}
	t.Header.Fortran = !rows
	t.whole, t.skip = v.of.size*width, v.offset*width
	return t, nil
}

// Tensors are the arrays, in the order of the pickle.
func (r *Reader) Tensors() []Tensor { return r.tensors }

// Verify makes sure that the numbers of an array are there. Errors are *fault.Data.
func (r *Reader) Verify(t Tensor) error {
	return r.open(t, func(io.Reader) error { return nil })
}

// Scan hands out the numbers of an array, as npy.Header.Scan does. Errors are *fault.Data.
func (r *Reader) Scan(t Tensor, strides []int, s npy.Selection) error {
	return r.open(t, func(in io.Reader) error {
		if _, err := io.CopyN(io.Discard, in, t.skip); err != nil {
			return fault.Unread(r.place(t), err)
		}
		_, err := t.Header.Scan(in, r.place(t), strides, s)
		return err
	})
}

func (r *Reader) open(t Tensor, use func(io.Reader) error) error {
	return r.archive.Member(t.member, func(in io.Reader, size int64) error {
		if size != t.whole {
			return &fault.Data{Where: r.place(t), What: fmt.Sprintf("has %d bytes where %d must be", size, t.whole),
				Do: "copy or write the file again"}
		}
		return use(in)
	})
}

func (r *Reader) place(t Tensor) string { return fmt.Sprintf("%s, %q", r.where, t.Name) }
