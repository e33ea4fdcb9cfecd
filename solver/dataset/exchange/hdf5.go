// This file shows HDF5 files as files of arrays.

package exchange

import (
	"bytes"
	"slices"

	"rfm/solver/dataset/hdf5"
	"rfm/solver/dataset/npy"
)

// hierarchy is the arrays of an HDF5 file by their names.
type hierarchy struct {
	file    *hdf5.File
	arrays  map[string]hdf5.Dataset
	swapped bool // the axes of arrays are in the opposite order, as MATLAB stores them
}

func (f *File) openHDF5() error {
	r, err := hdf5.NewReader(f.obedient, f.Size, f.Name)
	if err != nil {
		return err
	}
	f.Kind = HDF5
	h := hierarchy{r, map[string]hdf5.Dataset{}, bytes.HasPrefix(r.Head(), []byte("MATLAB"))}
	order := C
	if h.swapped {
		f.Kind, order = MAT73, Fortran
	}
	for _, d := range r.Datasets() {
		m := Member{Name: d.Name, Type: d.Class, Shape: slices.Clone(d.Shape), Order: order, Readable: d.Readable()}
		if d.Type.Real() {
			m.Type = d.Type.String()
		}
		if h.swapped {
			slices.Reverse(m.Shape)
			if class := d.Attributes["MATLAB_class"].Text; class == "char" || d.Attributes["MATLAB_empty"].Numbers != nil {
				m.Type, m.Readable = class, false
			}
		}
		h.arrays[d.Name] = d
		f.Members = append(f.Members, m)
	}
	f.arrays = h
	return nil
}

func (h hierarchy) Verify(name string) error { return h.file.Verify(h.arrays[name]) }

func (h hierarchy) Scan(name string, strides []int, s npy.Selection) error {
	if h.swapped {
		strides = slices.Clone(strides)
		slices.Reverse(strides)
	}
	return h.file.Scan(h.arrays[name], strides, s)
}

func (h hierarchy) Array(name string) (npy.Array, error) {
	if err := h.Verify(name); err != nil {
		return npy.Array{}, err
	}
	a := npy.Array{Shape: slices.Clone(h.arrays[name].Shape)}
	if h.swapped {
		slices.Reverse(a.Shape)
	}
	count := 1
	for _, n := range a.Shape {
		count *= n
	}
	a.Data = make([]float64, count)
	return a, h.Scan(name, npy.Strides(a.Shape), npy.Into(a.Data))
}
