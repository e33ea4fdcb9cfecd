package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
)

// kernelMethod is the entry of KernelRidge in methods.
var kernelMethod = Method{Name: "kernel", Title: "kernel ridge", Most: 1 << 16,
	Reference: true, logarithms: true, suits: still,
	Bytes: kernelBytes,
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		return operator(kernelRidge(ctx, pairs, o))
	}}

// kernelBytes counts the needs of a fit with the largest group that may be chosen: its systems, coefficients of the
// inputs and their images in waves, targets and solutions; and a copy of the pairs for the search.
func kernelBytes(pairs dataset.Pairs, o Options) float64 {
	domain, n, V := pairs.Inputs.Domain, float64(pairs.Count()), float64(pairs.Outputs.Values())
	_, most := groupsOf(pairs, o.Symmetry)
	exact, systems := min(n, MostExact), 0.0
	for _, d := range decouple(domain, most) {
		order := exact * float64(d.rows)
		own := ridge.Bytes(order, V*n/exact, len(d.signs), 1, o.Workers) + 8*3*stripRows*order
		if n > exact { // features of one block
			own += 8 * 4 * ridge.Strip * order
		}
		systems = max(systems, own)
	}
	images, waves := float64(len(motionsOf(domain, most))), float64(min(mostFrequencies*domain.Width(), pairs.Inputs.Values()))
	return garbage * (systems + 8*(n*waves*(2*images+3)+2*n*V+
		(min(n, searchPairs)+waves)*float64(pairs.Inputs.Values()+pairs.Outputs.Values())))
}

// KernelRidge is the interpolant
//
//	F(a) = sum_i k(a, a_i) c_i,  (k(a_i, a_j) + Ridge delta_ij) c = u,
//	k(a, a') = 1 + Profile(d(a, a') / Length),
//
// where d is the Euclidean distance of coefficients of the inputs: with a Cutoff the coefficients of waves, multiplied
// by (1 + (frequency/Cutoff)^2)^(-Decay/2), else the first Modes of principal components, coefficient j multiplied by
// variance_j^Weight. The constant in the kernel is an unknown mean output. With a Symmetry the sum is over the images
// g a_i of all inputs, too, whose coefficients are g c_i. Of more than MostExact pairs that many a_i are landmarks, see
// ridge.SolveLandmarks.
type KernelRidge struct {
	expansion
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
	// Symmetry is the group that the operator commutes with: 0: none, 1: reflections of every axis, 2: the whole square
	Symmetry int `json:"symmetry,omitempty"`
}

// scales returns the factors of coefficients for Euclidean distances in units of the length scale.
func (q Parameters) scales(inputs *basis) []float64 {
	scales, sum := make([]float64, q.Modes), 0.0
	for k := range scales {
		if q.Cutoff > 0 {
			f := inputs.frequencies[k] / q.Cutoff
			scales[k] = math.Pow(1+f*f, -q.Decay/2)
		} else {
			scales[k] = math.Pow(inputs.variances[k], q.Weight)
		}
		sum += 2 * scales[k] * scales[k] * inputs.variances[k]
	}
	for k := range scales { // the root of the sum is the root mean square distance of two inputs
		scales[k] /= q.Length * math.Sqrt(sum)
	}
	return scales
}

// points returns coefficients in units of the length scale: rows of Modes numbers.
func (q Parameters) points(inputs *basis, coefficients *mat.Dense) *mat.Dense {
	n, _ := coefficients.Dims()
	points, scales := mat.NewDense(n, q.Modes, nil), q.scales(inputs)
	for i := range n {
		row, c := points.RawRowView(i), coefficients.RawRowView(i)
		for k := range row {
			row[k] = scales[k] * c[k]
		}
	}
	return points
}

// operator returns an operator that is nil after an error.
func operator[T Operator](o T, err error) (Operator, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (*KernelRidge) Name() string { return kernelMethod.Name }

func (k *KernelRidge) String() string {
	described := "principal components"
	if k.Cutoff > 0 {
		described = "weighted frequencies"
	}
	symmetry := [...]string{"", ", commutes with reflections", ", commutes with the motions of the square"}[k.Symmetry]
	pairs := fmt.Sprintf("%d pairs", k.Coefficients.Rows())
	if k.Pairs > 0 {
		pairs = fmt.Sprintf("%d pairs with %d landmarks", k.Pairs, k.Coefficients.Rows())
	}
	return fmt.Sprintf("kernel ridge regression on %s in %d %s%s, %v kernel, %s", pairs, k.Modes,
		described, symmetry, k.Profile, ridge.InWords(k.Ridge, k.Chosen))
}

// prepare computes the fields that are not stored.
func (k *KernelRidge) prepare() *KernelRidge {
	n, sum := k.Coefficients.Rows(), make([]float64, len(k.Constant))
	for i := range n { // the constant in the kernel
		k.Coefficients.AddRow(sum, 1, i)
	}
	k.offset = slices.Clone(k.Constant)
	k.sources = sourcesOf(k.Domain(), k.Points, k.Symmetry)
	for g, from := range k.sources {
		addMoved(k.offset, 1, sum, from)
		k.points = append(k.points, pointsOf(k.Coordinates.Slice(g*n, (g+1)*n, 0, k.Modes).(*mat.Dense)))
	}
	k.work = float64(len(k.sources)*n) * (2*float64(k.Modes) + exponential)
	k.terms = func(ctx context.Context, z *linalg.Panels, g, first, count, workers int) (*linalg.Panels, error) {
		phi := linalg.NewPanels(count, z.Cols())
		return phi, k.Profile.kernels(ctx, z, k.points[g].Columns(first, count), workers,
			func(int) int { return 0 }, phi.SetColumn)
	}
	return k
}

// exponential is about the number of multiplications that take as long as an exponential function.
const exponential = 20

func (*KernelRidge) Kind() string { return config.KernelRidge }

func (k *KernelRidge) Sizes() (map[string][]int, error) {
	all, err := k.place.Sizes()
	if err != nil {
		return nil, err
	}
	if most := groups(k.Domain()); k.Symmetry < 0 || k.Symmetry >= most || k.Symmetry > noMotion && k.in()*k.out() > 1 {
		return nil, codec.Bad("has the symmetry %d, want one of %d", k.Symmetry, most)
	}
	all["modes"] = []int{k.Modes}
	return all, k.Profile.valid()
}

func (k *KernelRidge) Restored() (any, error) {
	motions := motionsOf(k.Domain(), k.Symmetry)
	if points, _ := k.Coordinates.Dims(); points != len(motions)*k.Coefficients.Rows() {
		return nil, codec.Bad("has %d points for %d motions of %d coefficients", points, len(motions), k.Coefficients.Rows())
	}
	return k.prepare(), nil
}
