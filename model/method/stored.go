// This file contains operators in model files. docs/files.md documents the parts of a file for its readers.

package method

import (
	"rfm/model/codec"
	"rfm/model/feature"
	"rfm/solver/grid"
)

// stored is an operator in a model file.
type stored interface {
	codec.Part
	operator() (Operator, error)
}

// Kinds returns the parts of model files: feature maps and operators.
func Kinds() codec.Kinds {
	all := feature.Kinds()
	for _, empty := range []func() codec.Part{
		func() codec.Part { return new(featuresFile) }, func() codec.Part { return new(affineFile) },
		func() codec.Part { return new(multiplierFile) }, func() codec.Part { return new(kernelFile) },
		func() codec.Part { return new(equivariantFile) }, func() codec.Part { return new(layerFile) },
		func() codec.Part { return new(correctedFile) }, func() codec.Part { return new(symmetricFile) },
		func() codec.Part { return new(scaledFile) }, func() codec.Part { return new(shearedFile) },
	} {
		all[empty().Kind()] = empty
	}
	return all
}

// Decode reads an operator from the JSON text and the arrays of a model file. The error is a *fault.Data.
func Decode(text []byte, arrays codec.Arrays) (Operator, error) {
	p, err := codec.Decode(text, Kinds(), arrays)
	if err != nil {
		return nil, err
	}
	return operatorOf(p)
}

// operatorOf returns the operator that a part stores.
func operatorOf(p codec.Part) (Operator, error) {
	s, ok := p.(stored)
	if !ok {
		return nil, codec.Bad("has the kind %q where an operator is expected", p.Kind())
	}
	return s.operator()
}

// placeFile is the stored form of a place.
type placeFile struct {
	codec.Grid
	LeaveOneOut float64 `json:"leave_one_out"`
}

func (p place) file() placeFile {
	return placeFile{codec.GridOf(p.domain, p.points, p.in, p.out), p.leaveOneOut}
}

func (p placeFile) place() place {
	d, _ := p.Domain() // Sizes has checked the file
	in, out := p.Channels()
	return place{domain: d, in: in, out: out, points: p.Points, leaveOneOut: p.LeaveOneOut}
}

// Sizes implements codec.Part.
func (p placeFile) Sizes() (map[string][]int, error) {
	if !grid.Finite(p.LeaveOneOut) || p.LeaveOneOut < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", p.LeaveOneOut)
	}
	return p.Grid.Sizes()
}
