package operator

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
)

// Symmetrised is the operator (1/|G|) sum_g g^-1 F(g a) over some motions g.
type Symmetrised struct {
	Motions  []grid.Motion `json:"motions"` // the identity first
	Operator `json:"of"`
}

// Averaged returns an operator averaged over the motions, apart from translations, that a word of data.symmetry names.
func Averaged(o Operator, symmetry string) Operator {
	switch symmetry {
	case config.WholeSquare:
		return &Symmetrised{Motions: o.Domain().Motions(), Operator: o}
	case config.Reflection, config.OddReflection: // on periodic domains o commutes with translations
		odd := symmetry == config.OddReflection
		return &Symmetrised{Motions: o.Domain().Reflections(odd), Operator: o}
	}
	return o
}

// Core returns an operator without units and without the mean over a group.
func Core(o Operator) Operator {
	o = Unscaled(o)
	if s, ok := o.(*Symmetrised); ok {
		return s.Operator
	}
	return o
}

func (s *Symmetrised) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	mean := inputs.Like(inputs.Count)
	share := 1 / float64(len(s.Motions))
	for q, m := range s.Motions {
		var told func(int)
		if q == len(s.Motions)-1 { // inputs are complete after the last motion
			told = progress
		}
		u, err := s.Operator.Predict(ctx, inputs.Moved(m), workers, told)
		if err != nil {
			return grid.Batch{}, err
		}
		back := u.Moved(m.Inverse())
		floats.AddScaled(mean.Data, share, back.Data)
	}
	return mean, nil
}

// Found returns the word of data.symmetry for the motions.
func (s *Symmetrised) Found() string {
	if s.Motions[1].Turn {
		return config.WholeSquare
	}
	return config.Reflection
}

func (s *Symmetrised) String() string {
	name := "reflections"
	if s.Motions[1].Turn {
		name = "the symmetries of the square"
	}
	return s.Operator.String() + ", commutes with " + name
}

func (s *Symmetrised) Sizes() (map[string][]int, error) {
	in, out := s.Channels()
	if in*out > 1 || len(s.Motions) < 2 {
		return nil, codec.Bad("has symmetries of functions with several channels, or only one")
	}
	return nil, codec.CheckMotions(s.Motions, s.Domain())
}

// Still reports whether a method without translations can have a symmetry: all but those of periodic domains.
func Still(in, _ grid.Domain, symmetry string) bool {
	return !in.Periodic || !config.Commutes(symmetry)
}
