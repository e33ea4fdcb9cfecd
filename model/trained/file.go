package trained

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"rfm/model/learn/method"
	"rfm/model/trained/codec"
	"rfm/model/trained/unlike"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// formatVersion is the version of the file format of Write and Read.
const formatVersion = 6

// inputKinds are the parts of model files beside operators.
var inputKinds = codec.Kinds{"inputs": new(unlike.Inputs)}

// metaName is the member with all data but the arrays, maxMeta bounds its length: configurations have some kilobytes.
const (
	metaName = "meta.json"
	maxMeta  = 1 << 17
)

// meta is the content of meta.json.
type meta struct {
	Format   int             `json:"format"`
	Version  string          `json:"version"` // of the program that trained the model
	Problem  string          `json:"problem"`
	Grid     int             `json:"grid"`             // of the training pairs: K points, or r along the first axis
	Coarse   int             `json:"coarse,omitempty"` // grid on which predictions for finer ones are made
	Operator json.RawMessage `json:"operator"`
	Training json.RawMessage `json:"training,omitempty"` // training inputs; none in files of earlier versions
	Config   string          `json:"config"`             // the complete configuration, TOML
}

// Write writes m as a model file. Equal models give equal bytes. The error is a *fault.Data if Read would not accept m,
// or w's.
func Write(w io.Writer, m Model) error {
	text, arrays, err := m.encode()
	if err != nil {
		return err
	}
	return writeMembers(w, text, arrays)
}

// Arrays returns the arrays of the model's file. Errors are those of Write.
func (m Model) Arrays() ([]npy.Named, error) {
	_, arrays, err := m.encode()
	return arrays, err
}

// Parts returns the operator as meta.json has it, and the arrays that it names. Errors are those of Write.
func (m Model) Parts() (operator json.RawMessage, arrays []npy.Named, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	return method.Kinds().Encode(m.Operator)
}

// encode returns the text of meta.json and the arrays.
func (m Model) encode() (text []byte, arrays []npy.Named, err error) {
	operator, arrays, err := m.Parts()
	if err != nil {
		return nil, nil, err
	}
	facts := meta{
		Format:   formatVersion,
		Version:  m.Version,
		Problem:  m.Problem,
		Grid:     m.Grid,
		Coarse:   m.Coarse,
		Operator: operator,
		Config:   m.Config,
	}
	if m.Training != nil {
		training, more, err := inputKinds.Encode(m.Training)
		if err != nil {
			return nil, nil, err
		}
		facts.Training = training
		arrays = append(arrays, more...)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // readable
	e.SetIndent("", "  ")
	if err := e.Encode(facts); err != nil {
		return nil, nil, err
	}
	if b.Len() > maxMeta {
		return nil, nil, codec.Bad("has %d bytes in %s, want at most %d", b.Len(), metaName, maxMeta)
	}
	return b.Bytes(), arrays, nil
}

// check returns a *fault.Data if m has no operator, or a grid that does not exist.
func (m Model) check() error {
	switch {
	case m.Operator == nil:
		return codec.Bad("has learned nothing")
	case m.Grid < 3:
		return codec.Bad("was trained on a grid of %d points", m.Grid)
	case m.Coarse == 0: // it predicts on any grid
		return nil
	case m.Coarse < 3 || !m.Domain().Exists(m.Coarse):
		return codec.Bad("predicts on a grid of %d points", m.Coarse)
	}
	return nil
}

// writeMembers writes the archive with meta.json and the arrays.
func writeMembers(w io.Writer, text []byte, arrays []npy.Named) error {
	archive := npz.NewWriter(w)
	if err := archive.File(metaName, text); err != nil {
		return err
	}
	for _, a := range arrays {
		err := archive.Array(a.Name, a.Array)
		if err != nil {
			return err
		}
	}
	return archive.Close()
}

// ReadFile reads a model file. The error is a *fault.Data with the file's name, or ctx.Err() if ctx ends.
func ReadFile(ctx context.Context, name string) (Model, error) {
	f, err := files.Open(name)
	if err != nil {
		return Model{}, &fault.Data{
			Where: name,
			What:  "cannot be opened",
			Err:   err,
		}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Model{}, fault.Unread(name, err)
	}
	m, err := read(npy.Until(ctx, f), info.Size(), name)
	if ctx.Err() != nil {
		return Model{}, ctx.Err()
	}
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
	d := &decoder{
		archive: archive,
		unread:  map[string]bool{},
		space:   size,
	}
	for _, name := range slices.Concat(archive.Arrays, archive.Others) {
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
	training, err := d.training(head.Training)
	if err != nil {
		return Model{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(d.unread)) {
		return Model{}, codec.Bad("has a member %q, which format %d does not know", name, head.Format)
	}
	return Model{
		Operator: operator,
		Training: training,
		Problem:  head.Problem,
		Grid:     head.Grid,
		Coarse:   head.Coarse,
		Config:   head.Config,
		Version:  head.Version,
	}, nil
}

// training reads the training inputs; nil if the file has none.
func (d *decoder) training(text json.RawMessage) (*unlike.Inputs, error) {
	if text == nil {
		return nil, nil
	}
	part, err := inputKinds.Decode(text, d)
	if err != nil {
		return nil, err
	}
	return part.(*unlike.Inputs), nil // the only kind
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
	err = json.Unmarshal(text, &origin)
	if err != nil {
		return head, malformed(err)
	}
	if origin.Format != formatVersion {
		return head, &fault.Data{Where: codec.Where,
			What: fmt.Sprintf("has format %d, written by rfm %q; this program reads "+
				"format %d", origin.Format, origin.Version, formatVersion), Do: "use that version, or train the model again"}
	}
	err = codec.Strict(text, &head)
	if err != nil {
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
	return &fault.Data{
		Where: codec.Where,
		What:  "has a malformed " + metaName,
		Err:   err,
		Do:    "train the model again",
	}
}
