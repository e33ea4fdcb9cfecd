package trained

import (
	"bytes"
	"encoding/json"
	"io"

	"rfm/model/codec"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// formatVersion is the version of the file format of Write and Read.
const formatVersion = 6

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
	Config   string          `json:"config"` // the complete configuration, TOML
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

// encode returns the text of meta.json and the arrays.
func (m Model) encode() (text []byte, arrays []npy.Named, err error) {
	if err := m.check(); err != nil {
		return nil, nil, err
	}
	operator, arrays, err := codec.Encode(m.Operator)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // readable
	e.SetIndent("", "  ")
	err = e.Encode(meta{Format: formatVersion, Version: m.Version, Problem: m.Problem, Grid: m.Grid, Coarse: m.Coarse,
		Operator: operator, Config: m.Config})
	if err == nil && b.Len() > maxMeta {
		err = codec.Bad("has %d bytes in %s, at most %d are read", b.Len(), metaName, maxMeta)
	}
	return b.Bytes(), arrays, err
}

// check returns a *fault.Data if m has no operator, or a grid that does not exist.
func (m Model) check() error {
	switch {
	case m.Operator == nil:
		return codec.Bad("has learned nothing")
	case m.Grid < 3:
		return codec.Bad("was trained on a grid of %d points", m.Grid)
	case m.Coarse != 0 && (m.Coarse < 3 || !m.Domain().Exists(m.Coarse)):
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
		if err := archive.Array(a.Name, a.Array); err != nil {
			return err
		}
	}
	return archive.Close()
}
