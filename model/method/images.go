// This file makes any operator commute with motions: its predictions are averaged over them.

package method

import (
	"context"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/feature"
	"rfm/solver/grid"
)

// symmetrised is the operator (1/|G|) sum_g g^-1 F(g a) over the motions g of a Symmetry.
type symmetrised struct {
	Operator
	feature.Symmetry
}

// averaged returns an operator averaged over the motions, apart from translations, that a word of data.symmetry names.
func averaged(o Operator, symmetry string) Operator {
	switch {
	case fixed(o.Domain(), symmetry):
		return symmetrised{o, feature.Symmetry{Motions: motionsOf(o.Domain(), symmetry)}}
	case symmetry == config.Reflection || symmetry == config.OddReflection: // o commutes with translations
		return symmetrised{o, feature.Symmetry{Motions: o.Domain().Reflections(symmetry == config.OddReflection)}}
	}
	return o
}

// Predict implements Operator.
func (s symmetrised) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	if inputs.Domain != s.Domain() {
		return s.Operator.Predict(ctx, inputs, workers, progress) // which reports it
	}
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
		for x, v := range u.Moved(m.Inverse()).Data {
			mean.Data[x] += v / float64(len(s.Motions))
		}
	}
	return mean, nil
}

// String implements Operator.
func (s symmetrised) String() string {
	name := "reflections"
	if s.Motions[1].Turn {
		name = "the motions of the square"
	}
	return s.Operator.String() + ", commutes with " + name
}

// Cost implements Operator.
func (s symmetrised) Cost(points int) float64 {
	return float64(len(s.Motions)) * s.Operator.Cost(points)
}

// symmetricFile is a symmetrised operator in a model file: the mean over motions.
type symmetricFile struct {
	Motions feature.Motions `json:"motions"`
	Of      codec.Part      `json:"of"`
}

// Kind implements codec.Part.
func (*symmetricFile) Kind() string { return "symmetric" }

// Sizes implements codec.Part.
func (p *symmetricFile) Sizes() (map[string][]int, error) { return nil, nil }

// Stored implements Operator.
func (s symmetrised) Stored() codec.Part {
	return &symmetricFile{feature.MotionsOf(s.Motions), s.Operator.Stored()}
}

func (p *symmetricFile) operator() (Operator, error) {
	o, err := operatorOf(p.Of)
	if err != nil {
		return nil, err
	}
	motions, err := p.Motions.On(codec.GridOf(o.Domain(), o.Finest(), 1, 1))
	if in, out := o.Channels(); err == nil && (in*out > 1 || len(motions) < 2) {
		err = codec.Bad("has motions of functions with several channels, or only one")
	}
	return symmetrised{o, feature.Symmetry{Motions: motions}}, err
}
