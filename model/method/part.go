// This file is operators that are a part of another one in a model file.

package method

import (
	"bytes"
	"encoding/json"
	"fmt"

	"rfm/model/feature"
	"rfm/solver/dataset/npy"
)

// part is what model files say of an operator that is a part of another one; its arrays have names that begin with its
// own.
type part struct {
	Kind string          `json:"kind"`
	Left float64         `json:"leave_one_out"`
	Map  json.RawMessage `json:"map"`
}

const firstPart = "first_"

func encodePart(o Operator, prefix string) (part, []npy.Named) {
	kind, scalars, arrays := o.Encode()
	for i := range arrays {
		arrays[i].Name = prefix + arrays[i].Name
	}
	text, err := json.Marshal(scalars)
	if err != nil {
		panic("method: scalars of " + kind + ": " + err.Error()) // numbers and words
	}
	return part{Kind: kind, Left: o.LeaveOneOut(), Map: text}, arrays
}

// partStored is the arrays and scalars of a part.
type partStored struct {
	feature.Stored
	prefix  string
	scalars []byte
}

// Scalars is one of feature.Stored.
func (p partStored) Scalars(v any) error {
	d := json.NewDecoder(bytes.NewReader(p.scalars))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return feature.Unusable(fmt.Sprintf("has parameters that are not those of its part: %v", err))
	}
	return nil
}

// Has is one of feature.Stored.
func (p partStored) Has(name string) bool { return p.Stored.Has(p.prefix + name) }

// Array is one of feature.Stored.
func (p partStored) Array(name string, dimensions int) (npy.Array, error) {
	return p.Stored.Array(p.prefix+name, dimensions)
}

// read reads a part.
func (p part) read(s feature.Stored, prefix string) (Operator, error) {
	stored := partStored{s, prefix, p.Map}
	if p.Kind != kernelMethod.Name {
		return nil, feature.Unusable(fmt.Sprintf("corrects a %q, want a kernel", p.Kind))
	}
	o, err := readKernel(p.Left, stored)
	if err != nil {
		return nil, err
	}
	return ReadUnits(o, stored)
}
