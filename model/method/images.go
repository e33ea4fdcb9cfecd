// This file makes methods that know no motions commute with some: they learn from the images of all pairs, and their
// predictions are averaged.

package method

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

// symmetrised is the operator (1/|G|) sum_g g^-1 F(g a) with the motions g of a Symmetry.
type symmetrised struct {
	Operator
	feature.Symmetry
}

// images is pairs with their images under motions: those of each pair one after the other, itself first. Without
// motions they are the pairs.
type images struct {
	dataset.Pairs
	motions []grid.Motion // none: that of doing nothing
	sources [][]int       // where values are brought back from, see grid.Domain.Source
}

// newImages moves pairs on one closed domain with one channel, by the motions of a symmetry if it names some.
func newImages(pairs dataset.Pairs, symmetry string) images {
	domain, points := pairs.Inputs.Domain, pairs.Inputs.Points
	if !fixed(domain, symmetry) {
		return images{Pairs: pairs}
	}
	g := images{motions: motionsOf(domain, symmetry)}
	n := len(g.motions)
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

// group is the number of images of a pair.
func (g images) group() int { return max(1, len(g.motions)) }

// numbers are those of all images of some pairs.
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

// leaveOneOut is the mean relative error of the symmetrised operator when some pairs are left out, each with all of its
// images. of gives, for the pair at a place among them, what is missed of each image, a row each, when nothing is left
// out, times a matrix of the order of the group, and that matrix: I - H, H the block that says how far predictions
// follow their outputs, or a block of the inverse of a kernel. sizes are the L2 norms of their outputs. It is +Inf if a
// matrix is singular.
func (g images) leaveOneOut(sizes, weights []float64, of func(at int) (rows, matrix *mat.Dense)) float64 {
	mean, total := make([]float64, len(weights)), 0.0
	for at, size := range sizes {
		rows, matrix := of(at)
		var left mat.Dense
		if err := left.Solve(matrix, rows); err != nil {
			return unsolved
		}
		g.mean(mean, &left)
		square := 0.0
		for x, v := range mean {
			square += weights[x] * v * v
		}
		total += math.Sqrt(square) / size
	}
	return total / float64(len(sizes))
}

// mean sets dst to the mean of the rows, each brought back by its motion.
func (g images) mean(dst []float64, rows *mat.Dense) {
	clear(dst)
	for q, back := range g.sources {
		row := rows.RawRowView(q)
		for x, y := range back {
			dst[x] += row[y] / float64(len(g.sources))
		}
	}
}

// operator is one that was trained on all images, as one that commutes with the motions.
func (g images) operator(o Operator) Operator {
	if g.motions == nil {
		return o
	}
	return symmetrised{o, feature.Symmetry{Motions: g.motions}}
}

// commuting is an operator averaged over the motions of a closed domain, if a word of data.symmetry names some.
func commuting(o Operator, symmetry string) Operator {
	if !fixed(o.Domain(), symmetry) {
		return o
	}
	return symmetrised{o, feature.Symmetry{Motions: motionsOf(o.Domain(), symmetry)}}
}

// Predict is one of Operator.
func (s symmetrised) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	if inputs.Domain != s.Domain() {
		return s.Operator.Predict(ctx, inputs, workers, progress) // which says so
	}
	mean := inputs.Like(inputs.Count)
	for q, m := range s.Motions {
		var told func(int)
		if q == len(s.Motions)-1 { // inputs are finished with the last motion
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

// String is one of Operator.
func (s symmetrised) String() string {
	name := "reflections"
	if s.Motions[1].Turn {
		name = "the motions of the square"
	}
	return s.Operator.String() + ", commutes with " + name
}

// Cost is one of Operator.
func (s symmetrised) Cost(points int) float64 {
	return float64(len(s.Motions)) * s.Operator.Cost(points)
}

// Encode is one of Operator.
func (s symmetrised) Encode() (string, any, []npy.Named) {
	kind, scalars, arrays := s.Operator.Encode()
	return kind, scalars, append(arrays, s.Symmetry.Encode()...)
}

// readSymmetrised is an operator with the symmetry that a model file has for it.
func readSymmetrised(o Operator, s feature.Stored) (Operator, error) {
	symmetry, err := feature.ReadSymmetry(s, o.Domain())
	if err != nil || symmetry.Motions == nil {
		return o, err
	}
	if in, out := o.Channels(); in*out > 1 || len(symmetry.Motions) < 2 {
		return nil, feature.Unusable("has motions of functions with several channels, or only one")
	}
	return symmetrised{o, symmetry}, nil
}

// NumPy is one of Operator.
func (s symmetrised) NumPy(points int) (imports, program string) {
	imports, program = s.Operator.NumPy(points)
	if program == "" {
		return "", ""
	}
	return imports, s.Symmetry.NumPy(s.Domain().Dims, program)
}
