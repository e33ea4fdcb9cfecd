// This file reads files of torch.save before PyTorch 1.6: pickles that follow each other, and then the numbers of the
// storages, each with the number of its elements before it.

package torch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/pickle"
)

// magic is the beginning of an old file: the pickle of a large number.
const magic = "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46"

// extent is the place of the numbers of a storage in an old file.
type extent struct {
	at     int64
	length int64
}

// oldStorages are those of an old file, by their keys.
type oldStorages struct {
	in      io.ReaderAt
	extents map[string]extent
}

func (o oldStorages) size(key, where string) (int64, error) {
	e, ok := o.extents[key]
	if !ok {
		return 0, fault.Damaged(where, fmt.Errorf("its numbers are not there"))
	}
	return e.length, nil
}

func (o oldStorages) opener(key, _ string) npy.Opener {
	e := o.extents[key]
	return func() (io.Reader, error) {
		return io.NewSectionReader(o.in, e.at, e.length), nil
	}
}

func (o oldStorages) sealed() bool { return false }

// ReadOld lists the tensors in a file of size bytes that begins with start, as Read does; ok is false if it has another
// format.
func ReadOld(in io.ReaderAt, size int64, where string, start []byte) (tensors []npy.Member, ok bool, err error) {
	if !bytes.HasPrefix(start, []byte(magic)) {
		return nil, false, nil
	}
	old := oldStorages{in: in, extents: map[string]extent{}}
	whole := func() (io.Reader, error) {
		return io.NewSectionReader(in, 0, size), nil
	}
	r := &reader{
		where:    where,
		storages: old,
		numpy:    pickle.Stream{Where: where, Open: whole},
	}
	err = cursor.Attempt(func() {
		at := int64(0)
		next := func() (value any) {
			r.numpy.Start = at
			value, at, err = pickle.LoadAt(in, at, size)
			if err != nil {
				cursor.End(err)
			}
			return value
		}
		next() // the magic number
		next() // the version of the protocol
		if isBigEndian(next()) {
			cursor.Damage("has numbers with the most significant byte first")
		}
		value := next()
		begin := r.numpy.Start // of arrays of NumPy in the pickle
		old.locate(value, next(), at, size)
		r.numpy.Start = begin
		r.find(value)
	})
	if what, ok := err.(cursor.Damaged); ok {
		err = fault.Bad(where, convert(where), "has a pickle that is not read: it %v", what)
	}
	return r.tensors, true, err
}

// isBigEndian tells from the description of a machine whether it stores the most significant byte of a number first.
func isBigEndian(machine any) bool {
	c, ok := machine.(*pickle.Collection)
	if !ok || !c.Dict {
		return false
	}
	for i := 0; i+1 < len(c.Items); i += 2 {
		if c.Items[i] == any("little_endian") {
			return c.Items[i+1] == any(false)
		}
	}
	return false
}

// locate finds the numbers of the storages that a value names: from a position on, in the order of a list of their keys.
func (o oldStorages) locate(value, keys any, at, size int64) {
	list, ok := keys.(*pickle.Collection)
	if !ok || list.Dict {
		cursor.Damage("has no list of storages")
	}
	named := map[string]storage{}
	storagesIn(value, named, 0)
	for _, item := range list.Items {
		key, _ := item.(string)
		s, ok := named[key]
		isUnknown := s.kind.Width == 0
		if !ok || isUnknown && s.size > 0 {
			cursor.Damage("has the storage %q of a type that is not known", key)
		}
		const countBytes = 8
		var count [countBytes]byte
		_, err := o.in.ReadAt(count[:], at)
		if err == io.EOF {
			cursor.Damage("ends before the numbers of a storage")
		}
		if err != nil {
			cursor.End(err)
		}
		n := int64(binary.LittleEndian.Uint64(count[:]))
		if n != s.size {
			cursor.Damage("has a storage of %d elements where %d must be", n, s.size)
		}
		at += countBytes
		length := n * int64(s.kind.Width)
		if length > size-at {
			cursor.Damage("ends within the numbers of a storage")
		}
		o.extents[key] = extent{at: at, length: length}
		at += length
	}
}

// storagesIn collects the storages that are named anywhere in a value.
func storagesIn(v any, all map[string]storage, depth int) {
	const deepest = 32
	if depth > deepest {
		cursor.Damage("has too many things in each other")
	}
	switch v := v.(type) {
	case pickle.Persistent:
		if s, ok := storageOf(v); ok {
			all[s.key] = s
		}
	case pickle.Tuple:
		for _, item := range v {
			storagesIn(item, all, depth+1)
		}
	case *pickle.Collection:
		for _, item := range v.Items {
			storagesIn(item, all, depth+1)
		}
	case *pickle.Object:
		storagesIn(v.Arguments, all, depth+1)
		storagesIn(v.State, all, depth+1)
		for i := range v.Items {
			storagesIn(&v.Items[i], all, depth+1)
		}
	}
}
