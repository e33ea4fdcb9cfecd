package trained

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"rfm/model/codec"
	"rfm/model/method"
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
	if errors.As(err, &data) && data.Where == codec.Where {
		data.Where = name
	}
	return m, err
}

// Read reads a model file of the given size. Every member has a checksum, so a file with a changed byte is refused, or
// read as it was written. If the members are stored, as Write's are, it allocates at most twice the file's size and 1
// MiB. Errors are *fault.Data; for another format the error names the program version that wrote the file.
func Read(r io.ReaderAt, size int64) (Model, error) { return read(r, size, codec.Where) }

func read(r io.ReaderAt, size int64, where string) (Model, error) {
	archive, err := npz.NewReader(r, size, where)
	if err != nil {
		return Model{}, err
	}
	d := &decoder{archive: archive, unread: map[string]bool{}, space: size}
	for _, name := range slices.Concat(archive.Names()) {
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
	unread  map[string]bool // names of members
	space   int64           // bytes of the size of the file that arrays may still take
}

func (d *decoder) model() (Model, error) {
	head, err := d.meta()
	if err != nil {
		return Model{}, err
	}
	operator, err := method.Decode(head.Operator, d)
	if err != nil {
		return Model{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(d.unread)) {
		return Model{}, codec.Bad("has a member %q, which format %d does not know", name, head.Format)
	}
	return Model{Operator: operator, Problem: head.Problem, Grid: head.Grid, Coarse: head.Coarse, Config: head.Config,
		Version: head.Version}, nil
}

func (d *decoder) meta() (head meta, err error) {
	if !d.unread[metaName] {
		return head, &fault.Data{Where: codec.Where, What: "has no " + metaName + ", so it is not a model",
			Do: "give the model.npz of a run"}
	}
	text, err := d.archive.File(metaName, maxMeta)
	if err != nil {
		return head, err
	}
	delete(d.unread, metaName)
	var origin struct { // common to all formats
		Format  int
		Version string
	}
	if err := json.Unmarshal(text, &origin); err != nil {
		return head, malformed(err)
	}
	if origin.Format != formatVersion {
		return head, &fault.Data{Where: codec.Where,
			What: fmt.Sprintf("has format %d, written by rfm %q; this program reads "+
				"format %d", origin.Format, origin.Version, formatVersion), Do: "use that version, or train the model again"}
	}
	if err := codec.Strict(text, &head); err != nil {
		return head, malformed(err)
	}
	return head, nil
}

func (d *decoder) Array(name string) (npy.Array, error) {
	if !d.unread[name] {
		return npy.Array{}, codec.Bad("has no array %q", name)
	}
	h, err := d.archive.Array(name)
	if err != nil {
		return npy.Array{}, err
	}
	delete(d.unread, name)
	if h.Type != "float64" || h.Fortran {
		return npy.Array{}, codec.Bad("has %q as an array of %v, want float64 in C order", name, h.Type)
	}
	if d.space -= 8 * int64(h.Count()); d.space < 0 {
		return npy.Array{}, codec.Bad("has more numbers than the file has space for")
	}
	return h.Array()
}

func (d *decoder) Has(name string) bool { return d.unread[name] }

func malformed(err error) error {
	return &fault.Data{Where: codec.Where, What: "has a malformed " + metaName, Err: err, Do: "train the model again"}
}
