// Package kernel learns operators by kernel ridge regression with a radial kernel of coefficients of the inputs, equation
// (M10) of docs/methods.md. The file kernel.go has the operator and the search for its parameters, radial.go the kernels
// and the solution, motions.go the symmetries.
package kernel

import (
	"cmp"
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
	"rfm/solver/base/draw"
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

// kernelBytes counts the needs of a fit with the largest group that may be chosen: its systems, coefficients of the
// inputs and their images in waves, targets and solutions; and a copy of the pairs for the search.
func kernelBytes(pairs dataset.Pairs, o operator.Options) float64 {
	const number = 8 // bytes
	domain := pairs.Inputs.Domain
	n := float64(pairs.Count())
	values := float64(pairs.Inputs.Values())
	V := float64(pairs.Outputs.Values())
	_, most := groupsOf(pairs, o.Symmetry)
	exact := min(n, MostExact)
	systems := 0.0
	for _, d := range decouple(domain, most) {
		order := exact * float64(d.rows)
		own := ridge.Bytes(order, V*n/exact, len(d.signs), 1, o.Workers)
		own += number * 3 * stripRows * order
		if n > exact { // features of one block
			own += number * 4 * ridge.Strip * order
		}
		systems = max(systems, own)
	}
	images := float64(len(motionsOf(domain, most)))
	waves := float64(min(expansion.MostFrequencies*domain.Width(), pairs.Inputs.Values()))
	coefficients := n * waves * (2*images + 3)
	targetsAndSolutions := 2 * n * V
	searched := min(n, operator.SearchPairs)
	copies := (searched + waves) * (values + V)
	return operator.Garbage * (systems + number*(coefficients+targetsAndSolutions+copies))
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
	sum := 0.0
	for k := range scales {
		if q.Cutoff > 0 {
			f := inputs.Frequencies[k] / q.Cutoff
			scales[k] = math.Pow(1+f*f, -q.Decay/2)
		} else {
			scales[k] = math.Pow(inputs.Variances[k], q.Weight)
		}
		sum += 2 * scales[k] * scales[k] * inputs.Variances[k]
	}
	for k := range scales { // the root of the sum is the root mean square distance of two inputs
		scales[k] /= q.Length * math.Sqrt(sum)
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
	count := k.Lengths.numbers()
	if count > 0 {
		described = fmt.Sprintf("numbers with lengths of %v deviations", k.Lengths[:count])
	}
	pairs := fmt.Sprintf("%d pairs", k.Coefficients.Rows())
	if k.Pairs > 0 {
		pairs = fmt.Sprintf("%d pairs with %d landmarks", k.Pairs, k.Coefficients.Rows())
	}
	ridges := ridge.InWords(k.Ridge, k.Chosen)
	return fmt.Sprintf("kernel ridge regression on %s in %d %s%s, %v kernel, %s",
		pairs, k.Modes, described, commutes[k.Symmetry], k.Profile, ridges)
}

// commutes describes the symmetries of an operator, each after a comma.
var commutes = [...]string{
	noMotion:    "",
	reflections: ", commutes with reflections",
	wholeSquare: ", commutes with the motions of the square",
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

// look is a result of a search on few pairs.
type look struct {
	problem *kernelProblem
	Parameters
	leaveOneOut float64
}

// score returns the error by which looks are compared.
func (l look) score() float64 { return l.leaveOneOut }

// Searches are repeated on more pairs for lookBest results of a first look, if their errors are within lookWithin of
// the least.
const (
	lookBest   = 3
	lookWithin = 1.5
)

// kernelRidge fits kernel ridge regression to the pairs, of which at most a number are exact: the others lie between
// landmarks. Its parameters minimise the leave-one-out error, exact in closed form, by descents along each in turn on
// operator.FirstPairs pairs: with each profile, from principal components with and without whitening, and from frequencies.
// The best descend again on operator.SearchPairs pairs; the fit uses all. Errors: those of Method.Train.
func kernelRidge(ctx context.Context, pairs dataset.Pairs, o operator.Options, exact int) (operator.Result, error) {
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	marks := order[:min(exact, len(order))]
	if like, known := operator.Core(o.Like).(*KernelRidge); known {
		p, err := newKernelProblem(ctx, pairs, like.description(), o.Symmetry, o.Workers)
		if err != nil {
			return operator.Result{}, err
		}
		p.marks = marks
		q := like.Parameters
		q.Modes = min(q.Modes, len(p.inputs.Variances))
		return fitted(p.fit(ctx, q, o.Workers))
	}
	looks, err := firstLooks(ctx, pairs, o, order, marks)
	if err != nil {
		return operator.Result{}, err
	}
	looks = operator.Near(looks, look.score, lookWithin)
	ended, behind := o.Race.Behind(looks[0].leaveOneOut, operator.FarBehind)
	if behind {
		return ended, nil
	}
	looks = looks[:min(lookBest, len(looks))]
	for i := range looks {
		err := looks[i].again(ctx, order, o.Workers)
		if err != nil {
			return operator.Result{}, err
		}
	}
	best := slices.MinFunc(looks, func(a, b look) int {
		return cmp.Compare(a.leaveOneOut, b.leaveOneOut)
	})
	if math.IsInf(best.leaveOneOut, 1) {
		return operator.Result{}, operator.Unsolved("kernel ridge regression", "no length and ridge give")
	}
	return fitted(best.problem.fit(ctx, best.Parameters, o.Workers))
}

// fitted returns the result of a fit.
func fitted(k *KernelRidge, err error) (operator.Result, error) {
	if err != nil {
		return operator.Result{}, err
	}
	return operator.Result{Operator: k}, nil
}

// firstLooks searches with each description of the inputs, from the length and the ridge that the one before has found.
func firstLooks(ctx context.Context, pairs dataset.Pairs, o operator.Options, order, marks []int) (looks []look, err error) {
	descriptions := []expansion.Description{expansion.NewPrincipal}
	if !pairs.Inputs.Domain.Scattered() {
		descriptions = append(descriptions, expansion.NewFrequencies)
	}
	if expansion.NumbersIn(pairs.Inputs) > 0 {
		descriptions = append(descriptions, expansion.NewNumbers)
	}
	q := Parameters{Length: 1, Ridge: 1e-8}
	for _, describe := range descriptions {
		p, err := newKernelProblem(ctx, pairs, describe, o.Symmetry, o.Workers)
		if err != nil {
			return nil, err
		}
		p.marks = marks
		found, err := p.look(ctx, order, q, o.Workers)
		if err != nil {
			return nil, err
		}
		q = found[0].Parameters
		// Principal components and numbers do not belong to a group, so that operators of them do not commute.
		if p.waves() || !config.Commutes(o.Symmetry) {
			looks = append(looks, found...)
		}
	}
	return looks, nil
}

// description returns the basis that has these parameters.
func (q Parameters) description() expansion.Description {
	switch {
	case q.Lengths.numbers() > 0:
		return expansion.NewNumbers
	case q.Cutoff > 0:
		return expansion.NewFrequencies
	}
	return expansion.NewPrincipal
}

// look searches on firstPairs pairs, from a length and a ridge, with one profile after the other from the result of the
// last. The first result is of Matern's. The error is ctx's.
func (p *kernelProblem) look(ctx context.Context, order []int, from Parameters, workers int) (all []look, err error) {
	few := p.some(order, operator.FirstPairs)
	for _, q := range p.startsFrom(from) {
		for _, profile := range profiles {
			q.Profile = profile
			found, score, err := few.choose(ctx, q, few.ladders(), workers)
			if err != nil {
				return nil, err
			}
			all = append(all, look{
				problem:     p,
				Parameters:  found,
				leaveOneOut: score,
			})
			if !math.IsInf(score, 1) {
				q = found
			}
		}
	}
	return all, nil
}

// startsFrom returns the parameters from which searches begin: of numbers and of waves one, of principal components one
// without weights and one with whitening.
func (p *kernelProblem) startsFrom(from Parameters) []Parameters {
	start := Parameters{
		Modes:    len(p.inputs.Variances),
		Length:   from.Length,
		Ridge:    from.Ridge,
		Symmetry: p.least,
	}
	if p.inputs.Numbers {
		start.Length = 1
		start.Ridge = 1e-8
		for k := range start.Modes {
			start.Lengths[k] = numberLadder[len(numberLadder)/2]
		}
		return []Parameters{start}
	}
	if p.waves() {
		start.Cutoff = 2
		start.Decay = 0.75
		return []Parameters{start}
	}
	white := start
	white.Weight = weightLadder[0]
	return []Parameters{start, white}
}

// again searches from a result of a look on more pairs, up to searchPairs. The error is ctx's.
func (l *look) again(ctx context.Context, order []int, workers int) (err error) {
	some := l.problem.some(order, operator.SearchPairs)
	if some.Count() <= operator.FirstPairs {
		return nil
	}
	few := some
	if l.Symmetry != noMotion { // systems are larger
		few = l.problem.some(order, operator.SearchPairs/2)
	}
	l.Parameters, l.leaveOneOut, err = few.choose(ctx, l.Parameters, few.ladders(), workers)
	if err == nil && few.Count() < some.Count() {
		_, l.leaveOneOut, err = some.choose(ctx, l.Parameters, nil, workers)
	}
	return err
}

// fit solves with the given parameters, and with a larger ridge where solving fails. The error is ctx's, or a
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

// MostExact is the largest number of pairs that all have kernels in the solution. Of more pairs so many are landmarks.
const MostExact = 8192

// modeLadder, weightLadder and lengthLadder are the parameters' possible values.
var (
	modeLadder   = [...]int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, expansion.MostComponents}
	weightLadder = [...]float64{-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
	lengthLadder = [...]float64{0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
)

// ladders returns the possible values of the parameters of pairs, in the order in which a search descends along them.
func (p *kernelProblem) ladders() []ridge.Ladder[Parameters] {
	over := ridge.Over[Parameters, float64]
	ridges := over(operator.Ridges[:], func(q *Parameters) *float64 { return &q.Ridge })
	if p.inputs.Numbers {
		ladders := []ridge.Ladder[Parameters]{ridges}
		for k := range p.inputs.Variances {
			length := over(numberLadder[:], func(q *Parameters) *float64 { return &q.Lengths[k] })
			ladders = append(ladders, length)
		}
		return ladders
	}
	lengthScales := over(lengthLadder[:], func(q *Parameters) *float64 { return &q.Length })
	permitted := []int{noMotion, reflections, wholeSquare}[p.least : p.most+1]
	symmetries := ridge.Over(permitted, func(q *Parameters) *int { return &q.Symmetry })
	if p.waves() {
		cutoffs := over(operator.Cutoffs[:], func(q *Parameters) *float64 { return &q.Cutoff })
		decays := over(operator.Decays[:], func(q *Parameters) *float64 { return &q.Decay })
		return []ridge.Ladder[Parameters]{cutoffs, decays, lengthScales, ridges, symmetries}
	}
	counts := slices.Clone(modeLadder[:])
	for i := range counts {
		counts[i] = min(counts[i], len(p.inputs.Variances))
	}
	modes := ridge.Over(slices.Compact(counts), func(q *Parameters) *int { return &q.Modes })
	weights := over(weightLadder[:], func(q *Parameters) *float64 { return &q.Weight })
	return []ridge.Ladder[Parameters]{modes, weights, lengthScales, ridges, symmetries}
}

// choose descends from a start along ladders, and also returns the leave-one-out error, +Inf if none is finite. The
// error is ctx's.
func (p *kernelProblem) choose(ctx context.Context, from Parameters, ladders []ridge.Ladder[Parameters], workers int) (
	Parameters, float64, error) {
	found, err := ridge.Search(from, ladders, func(q Parameters) (float64, error) {
		k, err := p.solve(ctx, q, workers)
		if err != nil {
			return 0, err
		}
		return k.Error, nil
	})
	return found.Best, found.Score, err
}

func (k *KernelRidge) Sizes() (map[string][]int, error) {
	all, err := k.Base.Sizes()
	if err != nil {
		return nil, err
	}
	most := groups(k.Domain())
	exists := k.Symmetry >= 0 && k.Symmetry < most
	scalar := k.InChannels()*k.OutChannels() <= 1 // only operators of one channel have symmetries
	if !exists || k.Symmetry > noMotion && !scalar {
		return nil, codec.Bad("has the symmetry %d, want one of %d", k.Symmetry, most)
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
		return codec.Bad("has %d points for %d motions of %d coefficients", points, motions, n)
	}
	sum := make([]float64, len(k.Constant))
	for i := range n { // the constant in the kernel
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
func (k *KernelRidge) terms(ctx context.Context, z *linalg.Panels, g, first, count, workers int) (*linalg.Panels, error) {
	phi := linalg.NewPanels(count, z.Cols())
	points := k.points[g].Columns(first, count)
	err := k.Profile.kernels(ctx, z, points, workers, fromFirst, phi.SetColumn)
	return phi, err
}

// lengths are the length scales of a kernel for each number of the input, in standard deviations of the training inputs:
// a number with a long one hardly matters. They are 0 where there are fewer numbers.
type lengths [expansion.MostNumbers]float64

// numberLadder holds the possible lengths of a number, in standard deviations.
var numberLadder = [...]float64{0.3, 0.5, 0.7, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80}

// numbers returns the number of lengths.
func (l lengths) numbers() int {
	count := slices.Index(l[:], 0)
	if count < 0 {
		return expansion.MostNumbers
	}
	return count
}

// scales returns the factors of numbers with given variances for distances in units of the lengths. A number that never
// changes has none.
func (l lengths) scales(variances []float64) []float64 {
	scales := make([]float64, len(variances))
	for k, variance := range variances {
		if variance > 0 {
			scales[k] = 1 / (l[k] * math.Sqrt(variance))
		}
	}
	return scales
}

// Lengths returns the length scale of each number of the inputs of a kernel, in standard deviations of the training
// inputs; nil if it has none.
func Lengths(o operator.Operator) []float64 {
	k, ok := operator.Core(o).(*KernelRidge)
	if !ok || k.Lengths.numbers() == 0 {
		return nil
	}
	return slices.Clone(k.Lengths[:k.Lengths.numbers()])
}
