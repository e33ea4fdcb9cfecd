package method

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
)

// symmetrised is the operator (1/|G|) sum_g g^-1 F(g a) over some motions g.
type symmetrised struct {
	Motions  []grid.Motion `json:"motions"` // the identity first
	Operator `json:"of"`
}

// averaged returns an operator averaged over the motions, apart from translations, that a word of data.symmetry names.
func averaged(o Operator, symmetry string) Operator {
	switch symmetry {
	case config.WholeSquare:
		return &symmetrised{o.Domain().Motions(), o}
	case config.Reflection, config.OddReflection: // on periodic domains o commutes with translations
		return &symmetrised{o.Domain().Reflections(symmetry == config.OddReflection), o}
	}
	return o
}

// core returns an operator without units and without the mean over a group.
func core(o Operator) Operator {
	o = Unscaled(o)
	if s, ok := o.(*symmetrised); ok {
		return s.Operator
	}
	return o
}

func (s *symmetrised) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	mean := inputs.Like(inputs.Count)
	for q, m := range s.Motions {
		var told func(int)
		if q == len(s.Motions)-1 { // inputs are complete after the last motion
			told = progress
		}
		u, err := s.Operator.Predict(ctx, inputs.Moved(m), workers, told)
		if err != nil {
			return grid.Batch{}, err
		}
		floats.AddScaled(mean.Data, 1/float64(len(s.Motions)), u.Moved(m.Inverse()).Data)
	}
	return mean, nil
}

// Found returns the word of data.symmetry for the motions.
func (s *symmetrised) Found() string {
	if s.Motions[1].Turn {
		return config.WholeSquare
	}
	return config.Reflection
}

func (s *symmetrised) String() string {
	name := "reflections"
	if s.Motions[1].Turn {
		name = "the motions of the square"
	}
	return s.Operator.String() + ", commutes with " + name
}

func (s *symmetrised) Sizes() (map[string][]int, error) {
	if in, out := s.Channels(); in*out > 1 || len(s.Motions) < 2 {
		return nil, codec.Bad("has motions of functions with several channels, or only one")
	}
	return nil, codec.CheckMotions(s.Motions, s.Domain())
}

// still reports whether a method without translations can have a symmetry: all but those of periodic domains.
func still(in, _ grid.Domain, symmetry string) bool {
	return !in.Periodic || !config.Commutes(symmetry)
}
