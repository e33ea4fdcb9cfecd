// Package kernel learns operators by kernel ridge regression with a radial kernel of coefficients of the inputs, equation
// (M10) of docs/methods.md. The file kernel.go has the operator, search.go the search for its parameters, radial.go the
// kernels and the solution, motions.go the symmetries, lengths.go the length scales of numbers.
package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/expansion"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
)

// Method learns a KernelRidge.
var Method = operator.Method{
	Name:       config.KernelRidge,
	Title:      "kernel ridge",
	Most:       1 << 16,
	Reference:  true,
	Scattered:  true,
	Logarithms: true,
	Accepts:    operator.Still,
	Bytes:      kernelBytes,
	Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		return kernelRidge(ctx, pairs, o, MostExact)
	},
}

// MostExact is the largest number of pairs that all have kernels in the solution. Of more pairs so many are landmarks.
const MostExact = 8192

// kernelBytes counts the needs of a fit with the largest group that may be chosen: its systems, coefficients of the
// inputs and their images in waves, targets and solutions; and a copy of the pairs for the search.
func kernelBytes(pairs dataset.Pairs, o operator.Options) float64 {
	const number = 8 // bytes
	domain := pairs.Inputs.Domain
	n := float64(pairs.Count())
	inputSize := float64(pairs.Inputs.Values())
	outputSize := float64(pairs.Outputs.Values())
	_, most := groupsOf(pairs, o.Symmetry)

	exact := min(n, MostExact)
	systems := 0.0 // of one set of decoupled functions at a time
	for _, d := range decouple(domain, most) {
		order := exact * float64(d.rows)
		columns := outputSize * n / exact
		own := ridge.Bytes(order, columns, len(d.signs), 1, o.Workers)
		own += number * 3 * stripRows * order
		if n > exact { // features of one block
			own += number * 4 * ridge.Strip * order
		}
		systems = max(systems, own)
	}

	images := float64(len(motionsOf(domain, most)))
	mostWaves := expansion.MostFrequencies * domain.Width()
	waves := float64(min(mostWaves, pairs.Inputs.Values()))
	coefficients := n * waves * (2*images + 3)
	targetsAndSolutions := 2 * n * outputSize
	searched := min(n, operator.SearchPairs)
	copies := (searched + waves) * (inputSize + outputSize)
	numbers := coefficients + targetsAndSolutions + copies
	return operator.Garbage * (systems + number*numbers)
}

// KernelRidge is the interpolant
//
//	F(a) = sum_i k(a, a_i) c_i,  (k(a_i, a_j) + Ridge delta_ij) c = u,
//	k(a, a') = 1 + Profile(d(a, a') / Length),
//
// where d is the Euclidean distance of coefficients of the inputs: with Lengths the numbers that they consist of, each
// over its own length, with a Cutoff the coefficients of waves, multiplied by (1 + (frequency/Cutoff)^2)^(-Decay/2),
// else the first Modes of principal components, coefficient j multiplied by variance_j^Weight. The constant in the
// kernel is an unknown mean output. With a Symmetry the sum is over the images g a_i of all inputs, too, whose
// coefficients are g c_i. Of more than MostExact pairs that many a_i are landmarks, see ridge.SolveLandmarks.
type KernelRidge struct {
	expansion.Expansion
	Parameters
	Pairs       int              `json:"pairs,omitempty"`                  // of training; 0: as many as a_i
	Coordinates *mat.Dense       `json:"coordinates" shape:"points modes"` // of g a_i for each g, over Length
	points      []*linalg.Panels // the same for each g, see pointsOf
}

// Parameters are the hyperparameters that minimise the leave-one-out error.
type Parameters struct {
	Profile Profile `json:"profile,omitempty"`
	Modes   int     `json:"modes"`  // number of coefficients
	Weight  float64 `json:"weight"` // exponent: 0 is the L2 distance, -1/2 whitening, above 0 smooth parts count more
	Length  float64 `json:"length"` // length scale, relative to the mean distance of two training inputs
	Ridge   float64 `json:"ridge"`
	Chosen  float64 `json:"chosen_ridge,omitempty"` // ridge of the search, if it was too small for all pairs
	Cutoff  float64 `json:"cutoff,omitempty"`       // frequency above which differences count less; 0: components
	Decay   float64 `json:"decay,omitempty"`
	// Lengths are the length scales of numbers that inputs consist of; then Length and Weight have no effect.
	Lengths lengths `json:"lengths,omitempty"`
	// Symmetry is the group that the operator commutes with: 0: none, 1: reflections of every axis, 2: the whole square
	Symmetry int `json:"symmetry,omitempty"`
}

// scales returns the factors of coefficients for Euclidean distances in units of the length scale.
func (q Parameters) scales(inputs *expansion.Basis) []float64 {
	if inputs.Numbers {
		return q.Lengths.scales(inputs.Variances)
	}
	scales := make([]float64, q.Modes)
	square := 0.0 // mean squared distance of two inputs
	for k := range scales {
		variance := inputs.Variances[k]
		if q.Cutoff > 0 {
			f := inputs.Frequencies[k] / q.Cutoff
			scales[k] = math.Pow(1+f*f, -q.Decay/2)
		} else {
			scales[k] = math.Pow(variance, q.Weight)
		}
		square += 2 * scales[k] * scales[k] * variance
	}
	length := q.Length * math.Sqrt(square)
	for k := range scales {
		scales[k] /= length
	}
	return scales
}

// Found returns the word of data.symmetry for the symmetry that the leave-one-out error chose.
func (k *KernelRidge) Found() string {
	if k.Symmetry == noMotion {
		return ""
	}
	return groupWords[k.Symmetry]
}

func (*KernelRidge) Name() string { return Method.Name }

func (k *KernelRidge) String() string {
	described := "principal components"
	if k.Cutoff > 0 {
		described = "weighted frequencies"
	}
	if lengths := k.Lengths.used(); len(lengths) > 0 {
		described = fmt.Sprintf("numbers with lengths of %v deviations", lengths)
	}
	centres := k.Coefficients.Rows()
	pairs := fmt.Sprintf("%d pairs", centres)
	if k.Pairs > 0 {
		pairs = fmt.Sprintf("%d pairs with %d landmarks", k.Pairs, centres)
	}
	ridges := ridge.InWords(k.Ridge, k.Chosen)
	return fmt.Sprintf("kernel ridge regression on %s in %d %s%s, %v kernel, %s",
		pairs, k.Modes, described, commutes[k.Symmetry], k.Profile, ridges)
}

// commutes describes the symmetries of an operator, each after a comma.
var commutes = [...]string{
	noMotion:    "",
	reflections: ", commutes with reflections",
	wholeSquare: ", commutes with the symmetries of the square",
}

// Error returns the leave-one-out error of kernel ridge regression on a few pairs, by which inputs are compared.
// It returns the errors of Method.Train.
func Error(ctx context.Context, pairs dataset.Pairs, workers int) (float64, error) {
	learned, err := Method.Train(ctx, pairs, operator.Options{Workers: workers})
	if err != nil {
		return 0, err
	}
	return learned.LeaveOneOut(), nil
}

// fit solves with the given parameters, and with a larger ridge where solving fails. The error is ctx.Err(), or a
// *fault.Numerical.
func (p *kernelProblem) fit(ctx context.Context, q Parameters, workers int) (k *KernelRidge, err error) {
	err = ridge.Raise(&q.Ridge, &q.Chosen, "kernel ridge regression", func() (err error) {
		k, err = p.solve(ctx, q, workers)
		return err
	})
	if err != nil {
		return nil, err
	}
	k.Chosen = q.Chosen
	k.Projection = p.inputs.Projection(q.scales(p.inputs))
	if k.Coefficients.Rows() < p.Count() {
		k.Pairs = p.Count()
	}
	return k, k.Restored()
}

func (k *KernelRidge) Sizes() (map[string][]int, error) {
	all, err := k.Base.Sizes()
	if err != nil {
		return nil, err
	}
	count := groups(k.Domain())
	if k.InChannels()*k.OutChannels() > 1 {
		count = 1 + noMotion // only operators of one channel have symmetries
	}
	if k.Symmetry < 0 || k.Symmetry >= count {
		return nil, codec.Bad("has the symmetry %d, want one of %d", k.Symmetry, count)
	}
	all["modes"] = []int{k.Modes}
	return all, k.Profile.valid()
}

// Restored computes the fields that are not stored.
func (k *KernelRidge) Restored() error {
	n := k.Coefficients.Rows()
	motions := len(motionsOf(k.Domain(), k.Symmetry))
	points, _ := k.Coordinates.Dims()
	if points != motions*n {
		return codec.Bad("has %d points for %d symmetries of %d coefficients", points, motions, n)
	}
	sum := make([]float64, len(k.Constant)) // of all c_i, because the kernel has a constant 1
	for i := range n {
		k.Coefficients.AddRow(sum, i)
	}
	k.Offset = slices.Clone(k.Constant)
	k.Sources = sourcesOf(k.Domain(), k.Points, k.Symmetry)
	for g, from := range k.Sources {
		expansion.AddMoved(k.Offset, 1, sum, from)
		image := linalg.RowsOf(k.Coordinates, g*n, (g+1)*n)
		k.points = append(k.points, pointsOf(image))
	}
	k.Terms = k.terms
	return nil
}

// terms returns the kernels, count x inputs, of the inputs with coefficients z and of count points from first on, as
// motion number g moves them.
func (k *KernelRidge) terms(ctx context.Context, z *linalg.Panels, g, first, count, workers int) (
	*linalg.Panels, error) {
	phi := linalg.NewPanels(count, z.Cols())
	points := k.points[g].Columns(first, count)
	err := k.Profile.kernels(ctx, z, points, workers, fromFirst, phi.SetColumn)
	return phi, err
}
