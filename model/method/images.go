// This file makes any method commute with motions: it learns from the images of all pairs, and its predictions are
// averaged over the motions.

package method

import (
	"context"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// symmetrised is the operator (1/|G|) sum_g g^-1 F(g a) over the motions g of a Symmetry.
type symmetrised struct {
	Operator
	feature.Symmetry
}

// images holds pairs with their images under motions: the images of each pair one after the other, the pair first.
// Without motions it holds the pairs.
type images struct {
	dataset.Pairs
	motions []grid.Motion // none: the identity only
	sources [][]int       // indices that bring values back, see grid.Domain.Source
}

// newImages moves pairs on one closed domain with one channel, by the motions of a symmetry if it names any.
func newImages(pairs dataset.Pairs, symmetry string) images {
	domain, points := pairs.Inputs.Domain, pairs.Inputs.Points
	if !fixed(domain, symmetry) {
		return images{Pairs: pairs}
	}
	g := images{motions: motionsOf(domain, symmetry)}
	n := len(g.motions)
	g.Groups = pairs.Groups // of the pairs, not of their images
	g.Inputs, g.Outputs = pairs.Inputs.Like(n*pairs.Count()), pairs.Outputs.Like(n*pairs.Count())
	for q, m := range g.motions {
		inputs, outputs := pairs.Inputs.Moved(m), pairs.Outputs.Moved(m)
		for i := range pairs.Count() {
			copy(g.Inputs.At(i*n+q), inputs.At(i))
			copy(g.Outputs.At(i*n+q), outputs.At(i))
		}
		source, back := domain.Source(points, m.Inverse()), make([]int, pairs.Outputs.Values())
		for x := range back {
			back[x] = source(x)
		}
		g.sources = append(g.sources, back)
	}
	return g
}

// group returns the number of images of a pair.
func (g images) group() int { return max(1, len(g.motions)) }

// numbers returns the indices of all images of some pairs.
func (g images) numbers(pairs []int) []int {
	if g.motions == nil {
		return pairs
	}
	var all []int
	for _, i := range pairs {
		for q := range g.motions {
			all = append(all, i*len(g.motions)+q)
		}
	}
	return all
}

// averaged returns an operator averaged over the motions of a closed domain, if a word of data.symmetry names any.
func averaged(o Operator, symmetry string) Operator {
	if !fixed(o.Domain(), symmetry) {
		return o
	}
	return symmetrised{o, feature.Symmetry{Motions: motionsOf(o.Domain(), symmetry)}}
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
