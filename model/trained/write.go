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

// Format is the newest format that Read reads. Write writes the first one that has what is to be written:
// FeaturesFormat for random feature models, MethodsFormat for what other methods have learned, ChannelsFormat for
// functions with several channels, Format for models with a coarse grid.
const (
	Format         = 4
	ChannelsFormat = 3
	MethodsFormat  = 2
	FeaturesFormat = 1
)

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
	Coarse  int             `json:"coarse,omitempty"`
	Lambda  *float64        `json:"lambda,omitempty"`
	Rank    *int            `json:"rank,omitempty"`
	Left    float64         `json:"leave_one_out,omitempty"`
	Map     json.RawMessage `json:"map"`
	Config  string          `json:"config"`
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
	_, _, arrays := m.Operator.Encode()
	return writeMembers(w, text, arrays)
}

// meta is the text of meta.json.
func (m Model) meta() ([]byte, error) {
	kind, scalars, _ := m.Operator.Encode()
	text, err := encodeJSON(scalars)
	if err != nil {
		return nil, err
	}
	head := meta{Format: MethodsFormat, Version: m.Version, Problem: m.Problem, Kind: kind, Grid: m.Grid,
		Coarse: m.Coarse, Left: m.Operator.LeaveOneOut(), Map: text, Config: m.Config}
	if f, ok := m.Features(); ok {
		head.Format, head.Lambda, head.Rank = FeaturesFormat, &f.Solution.Lambda, &f.Solution.Rank
	}
	if in, out := m.Operator.Channels(); max(in, out) > 1 {
		head.Format = ChannelsFormat
	}
	if m.Coarse != 0 {
		head.Format = Format
	}
	text, err = encodeJSON(head)
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

// encodeJSON writes v for people, too: indented, and with < and > as they are.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
