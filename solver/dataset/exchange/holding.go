// This file shows files of other programs, HDF5 and PyTorch, as files of arrays.

package exchange

import (
	"bytes"
	"slices"

	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/dataset/torch"
)

// held is an array of a file, as the file's reader hands it out.
type held struct {
	shape  []int
	verify func() error
	scan   func(strides []int, s npy.Selection) error
}

// holding is arrays by their names.
type holding map[string]held

func (h holding) Verify(name string) error { return h[name].verify() }

func (h holding) Scan(name string, strides []int, s npy.Selection) error {
	return h[name].scan(strides, s)
}

func (h holding) Array(name string) (npy.Array, error) {
	if err := h.Verify(name); err != nil {
		return npy.Array{}, err
	}
	a := npy.Array{Shape: h[name].shape}
	a.Data = make([]float64, npy.Header{Shape: a.Shape}.Count())
	return a, h.Scan(name, npy.Strides(a.Shape), npy.Into(a.Data))
}

// hold makes arrays those of the file.
func (f *File) hold(m Member, verify func() error, scan func([]int, npy.Selection) error) {
	all, ok := f.arrays.(holding)
	if !ok {
		all = holding{}
		f.arrays = all
	}
	all[m.Name] = held{m.Shape, verify, scan}
	f.Members = append(f.Members, m)
}

func (f *File) openHDF5() error {
	r, err := hdf5.NewReader(f.obedient, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.Kind, f.arrays = HDF5, holding{}
	order := C
	if bytes.HasPrefix(r.Head(), []byte("MATLAB")) { // which stores arrays with their axes in the opposite order
		f.Kind, order = MAT73, Fortran
	}
	for _, d := range r.Datasets() {
		m := Member{Name: d.Name, Type: d.Class, Shape: slices.Clone(d.Shape), Order: order, Readable: d.Readable()}
		if d.Type.Real() {
			m.Type = d.Type.String()
		}
		if order == Fortran {
			slices.Reverse(m.Shape)
			if d.MATLABClass == "char" || d.MATLABEmpty {
				m.Type, m.Readable = d.MATLABClass, false
			}
		}
		f.hold(m, func() error { return r.Verify(d) }, func(strides []int, s npy.Selection) error {
			if order == Fortran {
				strides = slices.Clone(strides)
				slices.Reverse(strides)
			}
			return r.Scan(d, strides, s)
		})
	}
	return nil
}

func (f *File) openTorch(archive *npz.Reader) error {
	r, err := torch.NewReader(archive, f.Name)
	if err != nil {
		return err
	}
	f.Kind, f.arrays = Torch, holding{}
	for _, t := range r.Tensors() {
		f.hold(member(t.Name, t.Header), func() error { return r.Verify(t) },
			func(strides []int, s npy.Selection) error { return r.Scan(t, strides, s) })
	}
	return nil
}
