package trained

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// ReadFile reads a model file. Errors are *fault.Data with the file's name.
func ReadFile(name string) (Model, error) {
	f, err := files.Open(name)
	if err != nil {
		return Model{}, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Model{}, fault.Unread(name, err)
	}
	m, err := read(f, info.Size(), name)
	var data *fault.Data
	if errors.As(err, &data) && data.Where == modelWhere {
		data.Where = name
	}
	return m, err
}

// Read reads a model file of the given size. It accepts no file of which a byte was changed or lost. If the members are
// stored, as Write's are, it allocates at most twice the file's size and 1 MiB. Errors are *fault.Data; that of a newer
// format names the program version that wrote the file.
func Read(r io.ReaderAt, size int64) (Model, error) { return read(r, size, modelWhere) }

func read(r io.ReaderAt, size int64, where string) (Model, error) {
	if err := checkSeal(r, size); err != nil {
		return Model{}, err
	}
	archive, err := npz.NewReader(r, size, where)
	if err != nil {
		return Model{}, err
	}
	d := &decoder{archive: archive, unread: map[string]bool{}, space: size}
	for _, name := range append(archive.Arrays(), archive.Files()...) {
		d.unread[name] = true
	}
	m, err := d.model()
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return Model{}, err
	}
	return m, nil
}

// decoder reads the members of a file.
type decoder struct {
	archive *npz.Reader
	meta    meta
	unread  map[string]bool // names of members
	space   int64           // bytes that arrays may still take: all are there in the file
}

func (d *decoder) model() (Model, error) {
	if err := d.readMeta(); err != nil {
		return Model{}, err
	}
	operator, ok, err := method.Decode(d.meta.Kind, d.meta.Left, d)
	if !ok {
		solution := rfm.Solution{LeaveOneOut: d.meta.Left}
		if d.meta.Lambda != nil && d.meta.Rank != nil {
			solution.Lambda, solution.Rank = *d.meta.Lambda, *d.meta.Rank
		}
		operator, err = method.ReadFeatures(d.meta.Kind, solution, d)
	}
	if err == nil {
		operator, err = method.ReadUnits(operator, d)
	}
	if err != nil {
		return Model{}, err
	}
	for name := range d.unread {
		return Model{}, bad(fmt.Sprintf("has a member %q, which format %d does not know", name, d.meta.Format))
	}
	return Model{Operator: operator, Problem: d.meta.Problem, Grid: d.meta.Grid, Coarse: d.meta.Coarse,
		Config:  d.meta.Config,
		Version: d.meta.Version}, nil
}

func (d *decoder) readMeta() error {
	text, err := d.archive.File(metaName, maxMeta)
	if err != nil {
		return err
	}
	delete(d.unread, metaName)
	var origin struct { // what every format has
		Format  int
		Version string
	}
	if err := json.Unmarshal(text, &origin); err != nil {
		return malformed(err)
	}
	switch {
	case origin.Format > Format:
		return &fault.Data{Where: modelWhere,
			What: fmt.Sprintf("has format %d, written by rfm %s; this program reads formats up to %d", origin.Format,
				origin.Version, Format), Do: "use rfm " + origin.Version + " or later"}
	case origin.Format < 1:
		return bad(fmt.Sprintf("has format %d, which never was", origin.Format))
	}
	return decodeJSON(text, &d.meta)
}

// Array reads an array with the given number of dimensions.
func (d *decoder) Array(name string, dimensions int) (npy.Array, error) {
	if !d.unread[name] {
		return npy.Array{}, bad(fmt.Sprintf("has no array %q", name))
	}
	h, err := d.archive.Stat(name)
	if err != nil {
		return npy.Array{}, err
	}
	delete(d.unread, name)
	if h.Type != npy.Number(npy.Float, 8, false) || h.Fortran || len(h.Shape) != dimensions {
		return npy.Array{}, bad(fmt.Sprintf("has %q as an array of shape %v of %v, want %d dimensions of float64 in C order",
			name, h.Shape, h.Type, dimensions))
	}
	if d.space -= 8 * int64(h.Count()); d.space < 0 {
		return npy.Array{}, bad("has more numbers than the file has space for")
	}
	return d.archive.Array(name)
}

// Has reports whether there is an array that was not read.
func (d *decoder) Has(name string) bool { return d.unread[name] }

// Scalars reads what meta.json says of the map.
func (d *decoder) Scalars(v any) error { return decodeJSON(d.meta.Map, v) }

// decodeJSON reads one value, and nothing that v does not have.
func decodeJSON(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return malformed(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return malformed(errors.New("more than one value"))
	}
	return nil
}

func malformed(err error) error {
	return &fault.Data{Where: modelWhere, What: "has a malformed " + metaName, Err: err, Do: "train the model again"}
}
