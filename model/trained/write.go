// This file writes model files.

package trained

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

// Format is the format of the files that Write writes, and the newest that Read reads.
const Format = 1

// metaName is the member with what is not an array, maxMeta a bound of its length: configurations have some kilobytes.
const (
	metaName = "meta.json"
	maxMeta  = 1 << 17
)

// meta is what meta.json says.
type meta struct {
	Format  int             `json:"format"`
	Version string          `json:"version"`
	Problem string          `json:"problem"`
	Kind    string          `json:"kind"`
	Grid    int             `json:"grid"`
	Lambda  float64         `json:"lambda"`
	Rank    int             `json:"rank"`
	Left    float64         `json:"leave_one_out,omitempty"`
	Map     json.RawMessage `json:"map"`
	Config  string          `json:"config"`
}

func vector(name string, x []float64) npy.Named {
	return npy.Named{Name: name, Array: npy.Array{Shape: []int{len(x)}, Data: x}}
}

// Write writes m as a model file. Equal models give equal bytes. The error is a *fault.Data if m is not one that Read
// accepts, or w's.
func Write(w io.Writer, m Model) error {
	if err := m.check(); err != nil {
		return err
	}
	text, err := m.meta()
	if err != nil {
		return err
	}
	_, _, arrays := m.encode()
	return writeMembers(w, text, arrays)
}

// meta is the text of meta.json.
func (m Model) meta() ([]byte, error) {
	kind, scalars, _ := m.encode()
	random, err := encodeJSON(scalars)
	if err != nil {
		return nil, err
	}
	text, err := encodeJSON(meta{Format, m.Version, m.Problem, kind, m.Grid, m.Solution.Lambda, m.Solution.Rank, m.Solution.LeaveOneOut, random, m.Config})
	if err == nil && len(text) > maxMeta {
		err = bad(fmt.Sprintf("has %d bytes in %s, at most %d are read", len(text), metaName, maxMeta))
	}
	return text, err
}

// writeMembers writes the archive and its checksum.
func writeMembers(w io.Writer, text []byte, arrays []npy.Named) error {
	out := &sealer{w: w, hash: sha256.New()}
	archive := npz.NewWriter(out)
	if err := archive.File(metaName, text); err != nil {
		return err
	}
	for _, a := range arrays {
		if err := archive.Array(a.Name, a.Array); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return out.close()
}

// encode gives what meta.json says of the map, and all arrays.
func (m Model) encode() (kind string, scalars any, arrays []npy.Named) {
	kind, scalars, arrays = m.Map.Encode()
	if m.Offset != nil {
		arrays = append(arrays, npy.Named{Name: "offset", Array: npy.Array{Shape: m.Domain().Shape(m.Domain().PointsOf(m.Offset)), Data: m.Offset}})
	}
	arrays = append(arrays, vector("alpha", m.Solution.Alpha))
	if m.Solution.Eigenvalues != nil {
		arrays = append(arrays, vector("eigenvalues", m.Solution.Eigenvalues))
	}
	return kind, scalars, arrays
}

// encodeJSON writes v for people, too: indented, and with < and > as they are.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
