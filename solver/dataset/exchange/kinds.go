// This file shows the files of each format as arrays with names.

package exchange

import (
	"bytes"
	"io"
	"slices"

	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/mat"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/dataset/torch"
)

// member is an array that is stored as a .npy header says.
func member(name string, h npy.Header, verify func() error, scan func([]int, npy.Selection) error) Member {
	m := Member{Name: name, Type: h.Type.String(), Shape: h.Shape, Order: C, Readable: h.Type.Real(), verify: verify,
		scan: scan}
	if h.Fortran {
		m.Order = Fortran
	}
	return m
}

func (f *File) openNPY() error {
	f.Kind = NPY
	open := func() (npy.Header, io.Reader, error) {
		in := io.NewSectionReader(f.obedient, 0, f.Size)
		h, err := npy.ReadHeader(in, f.Size, f.Name)
		return h, in, err
	}
	h, _, err := open()
	if err != nil {
		return err
	}
	f.Members = []Member{member("", h, func() error { return h.Type.Check(f.Name) },
		func(strides []int, s npy.Selection) error {
			h, in, err := open()
			if err == nil {
				_, err = h.Scan(in, f.Name, strides, s)
			}
			return err
		})}
	return nil
}

func (f *File) openNPZ() error {
	r, err := npz.NewReader(f.obedient, f.Size, f.Name)
	if err != nil {
		return err
	}
	if torch.Recognise(r) {
		return f.openTorch(r)
	}
	f.Kind = NPZ
	for _, name := range r.Arrays() {
		h, err := r.Stat(name)
		if err != nil {
			return err
		}
		f.Members = append(f.Members, member(name, h, func() error { return r.Verify(name) },
			func(strides []int, s npy.Selection) error { return r.Scan(name, strides, s) }))
	}
	for _, name := range r.Files() {
		if name == "meta.json" {
			f.Kind = Model
		}
		noArray := func() error { return r.Verify(name) } // which says so
		f.Members = append(f.Members, Member{Name: name, Type: "file", verify: noArray,
			scan: func([]int, npy.Selection) error { return noArray() }})
	}
	return nil
}

func (f *File) openMAT() error {
	r, err := mat.NewReader(f.obedient, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.Kind = MAT
	for _, v := range r.Variables() {
		f.Members = append(f.Members, Member{Name: v.Name, Type: v.Class, Shape: v.Shape, Order: Fortran,
			Readable: v.Numeric, verify: func() error { return r.Verify(v.Name) },
			scan: func(strides []int, s npy.Selection) error { return r.Scan(v.Name, strides, s) }})
	}
	return nil
}

func (f *File) openHDF5() error {
	r, err := hdf5.NewReader(f.obedient, f.Size, f.Name)
	if err != nil {
		return err
	}
	matlab := bytes.HasPrefix(r.Head(), []byte("MATLAB")) // which stores arrays with their axes in the opposite order
	if f.Kind = HDF5; matlab {
		f.Kind = MAT73
	}
	for _, d := range r.Datasets() {
		m := Member{Name: d.Name, Type: d.Class, Shape: slices.Clone(d.Shape), Order: C, Readable: d.Readable(),
			Same: d.Same, verify: func() error { return r.Verify(d) }}
		if d.Type.Real() {
			m.Type = d.Type.String()
		}
		if matlab {
			m.Order = Fortran
			slices.Reverse(m.Shape)
			if d.MATLABClass == "char" || d.MATLABEmpty {
				m.Type, m.Readable = d.MATLABClass, false
			}
		}
		m.scan = func(strides []int, s npy.Selection) error {
			if matlab {
				strides = slices.Clone(strides)
				slices.Reverse(strides)
			}
			return r.Scan(d, strides, s)
		}
		f.Members = append(f.Members, m)
	}
	return nil
}

func (f *File) openTorch(archive *npz.Reader) error {
	r, err := torch.NewReader(archive, f.Name)
	if err != nil {
		return err
	}
	f.Kind = Torch
	for _, t := range r.Tensors() {
		f.Members = append(f.Members, member(t.Name, t.Header, func() error { return r.Verify(t) },
			func(strides []int, s npy.Selection) error { return r.Scan(t, strides, s) }))
	}
	return nil
}
