package bands

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"rfm/solver/fault"
	"rfm/solver/files"
)

// File is the name of the file with the bands of a model, in the model's directory.
const File = "bands.json"

// Write writes bands. The error is the writer's.
func Write(w io.Writer, b *Bands) error {
	text, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("bands have no JSON form: %w", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// ReadFile reads a file of Write. The error is a *fault.Data, which wraps fs.ErrNotExist if the file does not exist.
func ReadFile(name string) (*Bands, error) {
	const limit = 1 << 28 // bytes
	text, err := files.ReadFile(name, limit)
	if err != nil {
		return nil, &fault.Data{Where: name, What: "cannot be read", Err: err,
			Do: "run the experiment with evaluation.bands = yes"}
	}
	b := new(Bands)
	if err := json.Unmarshal(text, b); err != nil {
		return nil, &fault.Data{Where: name, What: "has no bands", Err: err, Do: "run the experiment again"}
	}
	if what := b.wrong(); what != "" {
		return nil, &fault.Data{Where: name, What: what, Do: "run the experiment again"}
	}
	return b, nil
}

// wrong describes why bands cannot be used; it is empty if they can.
func (b *Bands) wrong() string {
	for _, list := range [][]float64{b.Function, b.Whole, b.Point, b.Place} {
		for i, v := range list {
			if math.IsNaN(v) || v < 0 {
				return fmt.Sprintf("has the score %g at %d", v, i)
			}
		}
	}
	switch {
	case b.Pairs < 1 || len(b.Function) != b.Pairs || len(b.Whole) != b.Pairs || len(b.Point) == 0:
		return fmt.Sprintf("has %d and %d scores of %d pairs", len(b.Function), len(b.Whole), b.Pairs)
	case len(b.Exponents) != 3:
		return fmt.Sprintf("has %d exponents, 3 are expected", len(b.Exponents))
	case len(b.Place) == 0 || b.Points < 3 || b.Inputs.Points < 3 || !(b.Inputs.Rest > 0):
		return "has no grid"
	case len(b.Inputs.Modes) == 0 || len(b.Inputs.Sizes) != len(b.Inputs.Modes):
		return fmt.Sprintf("has %d modes and %d sizes", len(b.Inputs.Modes), len(b.Inputs.Sizes))
	}
	for _, mode := range b.Inputs.Modes {
		if len(mode) != len(b.Inputs.Mean) {
			return fmt.Sprintf("has a mode of %d values, %d are expected", len(mode), len(b.Inputs.Mean))
		}
	}
	return ""
}
