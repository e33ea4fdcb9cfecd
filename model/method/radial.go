// This file computes radial kernels of points, and their matrices for the parts of functions of each parity.

package method

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/codec"
	"rfm/model/linalg"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Profile names the function p of a kernel k(a, a') = p(d(a, a') / Length). Smoother ones learn smoother operators from
// fewer pairs:
//
//	Matern 5/2          (1 + sqrt5 s + 5/3 s^2) exp(-sqrt5 s)
//	rational quadratic  1 / (1 + s^2 / 2)
//	Gaussian            exp(-s^2 / 2)
type Profile string

// The profiles.
const (
	matern   Profile = ""
	rational Profile = "rational"
	gaussian Profile = "gaussian"
)

// profiles lists all profiles in the order in which searches try them.
var profiles = []Profile{matern, rational, gaussian}

// profileTable holds the names of profiles in sentences, and their functions of squared distances.
var profileTable = map[Profile]struct {
	name   string
	radial activation.Radial
}{matern: {"Matern 5/2", activation.Matern}, rational: {"rational quadratic", activation.Rational},
	gaussian: {"Gaussian", activation.Gaussian}}

func (p Profile) String() string { return profileTable[p].name }

// valid returns an error unless a profile of a model file exists.
func (p Profile) valid() error {
	if p.String() == "" {
		return codec.Bad("has the kernel profile %q, want rational, gaussian or none for Matern 5/2", string(p))
	}
	return nil
}

// apply replaces numbers by the values of the profile at squared distances, in units of the length scale: the numbers
// plus a constant, which rounding may leave negative.
func (p Profile) apply(x []float64, constant float64) {
	shift := [8]float64{constant, constant, constant, constant, constant, constant, constant, constant}
	profileTable[p].radial.Apply(x, &shift)
}

// pointsOf returns the points y in rows of a matrix as columns (-2 y, |y|^2), whose products with (z, 1) are the
// squared distances |z - y|^2 less |z|^2.
func pointsOf(rows *mat.Dense) *linalg.Panels {
	n, modes := rows.Dims()
	p, column := linalg.NewPanels(modes+1, n), make([]float64, modes+1)
	for i := range n {
		floats.ScaleTo(column[:modes], -2, rows.RawRowView(i))
		column[modes] = sumOfSquares(rows.RawRowView(i))
		p.SetColumn(i, column)
	}
	return p
}

// parities is the kernel of functions of each parity under the reflections among some motions, for the pairs and their
// images under exchanges of the axes.
type parities struct {
	*kernelProblem
	profile Profile
	motions []grid.Motion
	turns   int
	points  *mat.Dense // of the images under all motions, one set of pairs after the other
}

func (k parities) Blocks() int { return len(k.motions) / k.turns }

func (k parities) Together(int) int { return paritiesTogether(k.Count()*k.turns, k.Blocks()) }

// Targets returns the parts of the outputs, and of their images with axes exchanged, that have a parity.
func (k parities) Targets(parity int) []float64 {
	if len(k.motions) == 1 { // any number of channels
		return slices.Clone(k.Outputs.Data)
	}
	size := len(k.Outputs.Data)
	all := make([]float64, k.turns*size)
	for q, m := range k.motions {
		flip, turn := q/k.turns, q%k.turns
		floats.AddScaled(all[turn*size:(turn+1)*size], sign(parity, flip)/float64(k.Blocks()), k.Outputs.Moved(m).Data)
	}
	return all
}

func (k parities) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	values := make([]*linalg.Symmetric, count)
	for q := range values {
		values[q] = linalg.NewSymmetric(k.Count() * k.turns)
	}
	for flip := range k.Blocks() {
		if err := k.add(ctx, values, first, flip, workers); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// parityBytes bounds the memory of the matrices of parities that are built at the same time, except for one.
const parityBytes = 1 << 28

// paritiesTogether returns the number of parities whose matrices of order n are built at the same time: a divisor of
// the number of parities, which is a power of two.
func paritiesTogether(n, parities int) int {
	for parities > 1 && 8*n*n*parities > parityBytes {
		parities /= 2
	}
	return parities
}

// stripRows is the number of rows of kernel matrices whose inner products are known at the same time.
const stripRows = 256

// add adds the share of one reflection of the points to the kernels of the parities from first on.
func (k parities) add(ctx context.Context, values []*linalg.Symmetric, first, flip, workers int) error {
	points, n, modes := k.points, values[0].Order(), k.points.RawMatrix().Cols
	image := pointsOf(points.Slice(flip*n, (flip+1)*n, 0, modes).(*mat.Dense))
	for from := 0; from < n; from += stripRows {
		to := min(from+stripRows, n)
		strip, products := linalg.NewPanels(modes+1, to-from), linalg.NewRectangle(to-from, n)
		for i := range to - from {
			strip.SetColumn(i, append(slices.Clone(points.RawRowView(from+i)), 1))
		}
		if err := products.AddProduct(ctx, strip, image, modes+1, workers); err != nil {
			return err
		}
		err := parallel.For(ctx, workers, to-from, func(_, row int) error {
			i := from + row
			kernels := products.Row(row)[i:]
			k.profile.apply(kernels, sumOfSquares(points.RawRowView(i)))
			floats.AddConst(1, kernels)
			for q := range values {
				floats.AddScaled(values[q].Row(i), sign(first+q, flip), kernels)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
