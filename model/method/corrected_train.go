// This file fits corrections of an operator's predictions.

package method

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

const (
	// The numbers of features of a step. More features help little, as each has a coefficient for every basis function.
	correctionFeatures = 48  // of fields
	lineFeatures       = 192 // of functions of one variable
	fourierFeatures    = 128 // of functions of one variable in a basis with two numbers for each function
	// mostPointed bounds the number of values of functions that have a ridge regression at each point.
	mostPointed = 1200
	// unsmoothed is the width of a Gaussian that smooths nothing.
	unsmoothed = 1e6
	// correctionPairs is the least number of pairs: with fewer the leave-one-out error of so many coefficients misleads.
	correctionPairs = 12
	// correctionWaves bounds the waves along an axis, lineWaves those of functions of one variable.
	correctionWaves, lineWaves = 24, 40
	// mostSteps bounds the number of corrections, leastGain the relative gain in the leave-one-out error that each needs.
	mostSteps, leastGain = 8, 0.02
	// purposeCorrection names the random streams of the features.
	purposeCorrection draw.Purpose = "method-correction"
)

// correctionRidges are the ridges, relative to the mean square of a feature's wave, from which the leave-one-out error
// chooses.
var correctionRidges = [...]float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}

// firstRidge is the index of the ridge with which the search begins.
const firstRidge = 4

// correctedMethod is the entry of Corrected in methods.
var correctedMethod = Method{Name: config.Corrected, Title: "kernel, corrected", Most: 2048,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		first := kernelMethod.Bytes(pairs, o)
		if translated(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) {
			first = max(first, circulantBytes(pairs, o))
		}
		return first + correctionBytes(pairs)
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in.One() == out.One() && still(in, out, symmetry)
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		if n := pairs.Count(); n < correctionPairs {
			return nil, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("%d are too few for corrections: at least %d are needed", n, correctionPairs),
				Do:   "raise data.train, or choose train.method=kernel"}
		}
		starts, err := startsOf(ctx, pairs, o)
		if err != nil {
			return nil, err
		}
		var best *Corrected
		var failure error
		for _, start := range starts {
			c, err := correct(ctx, start, pairs, o)
			switch {
			case err == nil && (best == nil || c.leaveOneOut < best.leaveOneOut):
				best = c
			case err != nil && !fault.BlamesInput(err):
				return nil, err
			case err != nil:
				failure = err
			}
		}
		if best == nil {
			return nil, failure
		}
		return averaged(best, o.Symmetry), nil
	}}

// A correctable operator is a kernel that corrections may begin with.
type correctable interface {
	Operator
	// residuals returns the leave-one-out residuals of the training outputs; none if the operator was read from a file.
	residuals() grid.Batch
}

func (k *KernelRidge) residuals() grid.Batch { return k.left }
func (e *Equivariant) residuals() grid.Batch { return e.left }
func (s *Sheared) residuals() grid.Batch     { return s.left }
func (c *Corrected) residuals() grid.Batch   { return c.left }
func (l *Layered) residuals() grid.Batch     { return l.left }

// startsOf returns the operators to correct: a kernel, see firstOf, and layers that are known from the same pairs.
func startsOf(ctx context.Context, pairs dataset.Pairs, o Options) ([]Operator, error) {
	if like, ok := Unscaled(o.Like).(*Corrected); ok {
		if o.Like = like.First; like.First.Name() == config.Layers {
			l, err := layered(ctx, pairs, o)
			return []Operator{l}, err
		}
	}
	first, err := firstOf(ctx, pairs, o)
	if err != nil {
		return nil, err
	}
	return append([]Operator{first}, o.known(pairs.Count(), config.Layers)...), nil
}

// kernels are the methods with which layers and corrections begin.
var kernels = []Method{kernelMethod, equivariantMethod, shearedMethod}

// firstOf returns the kernel with the smallest leave-one-out error. Kernels known from the same pairs are not trained
// again. The error is the first kernel's if none works.
func firstOf(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	var names []string
	for _, m := range kernels {
		names = append(names, m.Name)
	}
	like := o.Like != nil && slices.Contains(names, o.Like.Name())
	all := o.known(pairs.Count(), names...)
	if len(all) == 0 {
		var first error
		for _, m := range kernels {
			if !m.Suits(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) || like && m.Name != o.Like.Name() {
				continue
			}
			learned, err := m.Train(ctx, pairs, o)
			switch {
			case err == nil:
				all = append(all, learned)
			case !fault.BlamesInput(err):
				return nil, err
			default:
				first = cmp.Or(first, err)
			}
		}
		if len(all) == 0 {
			return nil, first
		}
	}
	return slices.MinFunc(all, func(a, b Operator) int { return cmp.Compare(a.LeaveOneOut(), b.LeaveOneOut()) }), nil
}

// known returns the known operators of some methods that have learned from all pairs, in the units of the training.
func (o Options) known(pairs int, names ...string) (all []Operator) {
	for _, k := range o.Known {
		k, ok := o.units.within(k)
		if !ok || !slices.Contains(names, k.Name()) {
			continue
		}
		if left, ok := residualsOf(k); ok && left.Count == pairs {
			all = append(all, k)
		}
	}
	return all
}

// residualsOf returns the residuals of a correctable operator in the units of its data; ok is false if it has none.
func residualsOf(o Operator) (left grid.Batch, ok bool) {
	k, ok := Unscaled(o).(correctable)
	if !ok || k.residuals().Count == 0 {
		return left, false
	}
	if s, scaled := o.(scaled); scaled {
		return affinely(k.residuals(), func(c int) (float64, float64) { return 0, s.Output[c] }), true
	}
	return k.residuals(), true
}

// basesOf returns the bases of coefficients on a domain.
func basesOf(domain grid.Domain) []string {
	switch {
	case !domain.Periodic:
		return []string{inSines, inCosines, inPoints}
	case domain.Dims == 1:
		return []string{inFourier, inPoints}
	}
	return []string{inPoints}
}

// correct adds steps to a kernel, each fitted to leave-one-out residuals: v is predicted from all other pairs, and so
// is the residual that the next step learns. It stops at a step that hardly lowers the leave-one-out error. That error
// is exact for given v and residuals of v; it neglects that leaving a pair out changes v at the others. The basis and
// whether features see v are those with the least error after a first step.
func correct(ctx context.Context, kernel Operator, pairs dataset.Pairs, o Options) (*Corrected, error) {
	sizes, err := norms(pairs.Outputs)
	if err != nil {
		return nil, err
	}
	left, _ := residualsOf(kernel)
	whole := &correcting{inputs: pairs.Inputs, v: pairs.Outputs.Minus(left), left: left.Clone(), sizes: sizes,
		groups: pairs.Groups}
	few := whole
	if order := draw.Permutation(o.Seed, purposeSearch, pairs.Count()); len(order) > searchPairs {
		few = whole.some(order[:searchPairs])
	}
	var best *Corrected
	var first *correction
	least, slope, corrections := math.Inf(1), 0.0, grid.Batch{}
	for _, basis := range basesOf(pairs.Inputs.Domain) {
		if basis == inPoints && pairs.Outputs.Domain.One().Values(pairs.Outputs.Points) > mostPointed {
			continue
		}
		for _, s := range []float64{0, 1} {
			c := newCorrected(kernel, pairs, basis).prepare()
			step, score, err := few.fit(ctx, c, 0, s, o)
			if err != nil {
				return nil, err
			}
			if score < least || best == nil {
				best, first, least, slope, corrections = c, step, score, s, few.corrections
			}
		}
	}
	if best == nil {
		return nil, &fault.Data{Where: "training pairs", What: "are on too fine a grid for corrections",
			Do: "lower train.grid, or choose train.method=kernel"}
	}
	best.leaveOneOut = kernel.LeaveOneOut()
	for len(best.steps) < mostSteps {
		s, score := first, least
		if whole.corrections = corrections; few != whole || len(best.steps) > 0 {
			if s, score, err = whole.fit(ctx, best, len(best.steps), slope, o); err != nil {
				return nil, err
			}
		}
		if s == nil || !(score < (1-leastGain)*best.leaveOneOut) {
			break
		}
		best.steps, best.leaveOneOut = append(best.steps, s), score
		floats.Add(whole.v.Data, whole.corrections.Data)
		floats.Sub(whole.left.Data, whole.corrections.Data)
	}
	best.left = whole.left
	if best.Steps = len(best.steps); best.Steps == 0 {
		return nil, &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("no correction lowers the leave-one-out error of the kernel, %.3g, by %g%%", best.leaveOneOut,
				100*leastGain), Do: "choose train.method=kernel"}
	}
	return best, nil
}

// featuresOf returns the number of features of a step. With two numbers for each wave or one for each point it is at
// most the number of pairs, as the least leave-one-out error among many fits of few pairs is accidental. Fields have as
// many for each channel of outputs.
func featuresOf(domain grid.Domain, basis string, pairs int) int {
	most := lineFeatures
	switch {
	case domain.Dims == 2:
		most = correctionFeatures * domain.Width()
	case basis == inFourier:
		most = fourierFeatures
	}
	if basis == inFourier || basis == inPoints {
		return min(pairs, most)
	}
	return most
}

// newCorrected returns an operator without steps, which prepare must complete.
func newCorrected(first Operator, pairs dataset.Pairs, basis string) *Corrected {
	c := &Corrected{place: placeOf(pairs), First: first}
	log := false
	if s, ok := first.(scaled); ok {
		log = s.Log
	}
	inputs := pairs.Inputs.Clone()
	if log {
		for x, v := range inputs.Data {
			inputs.Data[x] = math.Log(v)
		}
	}
	mean, deviation := moments(inputs)
	size, spread := moments(pairs.Outputs)
	c.CorrectedParameters = CorrectedParameters{Basis: basis, Log: log, Shift: mean, Input: unit(deviation, mean),
		Output: unit(math.Hypot(size, spread), 0), Count: featuresOf(pairs.Outputs.Domain, basis, pairs.Count())}
	rows, columns := c.domain.Axes(c.points)
	waves := correctionWaves
	if c.domain.Dims == 1 {
		waves = lineWaves
	}
	for axis, size := range []int{rows, columns} {
		switch c.Modes[axis] = 1; {
		case size == 1:
		case basis == inPoints:
			c.Modes[axis] = size
		case basis == inFourier:
			c.Modes[axis] = min((size-2)/2*2, 2*waves) + 1
		case c.domain.Cells:
			c.Modes[axis] = min(size, waves)
		default:
			c.Modes[axis] = min(size-2, waves) // sines
		}
	}
	c.ubar = pairs.Outputs.Mean()
	floats.Scale(1/c.Output, c.ubar)
	return c
}

// correcting holds the pairs and their residuals.
type correcting struct {
	inputs, v, left grid.Batch // left is the residual of v
	sizes           []float64
	groups          []int      // see dataset.Pairs.Groups
	corrections     grid.Batch // of the last fit: the correction of each pair, learned from the others
}

func (p *correcting) some(pairs []int) *correcting {
	q := &correcting{inputs: p.inputs.Take(pairs), v: p.v.Take(pairs), left: p.left.Take(pairs)}
	for _, i := range pairs {
		q.sizes = append(q.sizes, p.sizes[i])
		if p.groups != nil {
			q.groups = append(q.groups, p.groups[i])
		}
	}
	return q
}

// drawn returns a step with its features, but without coefficients.
func (c *Corrected) drawn(at int, slope float64, seed uint64) *correction {
	s := &correction{parameters: mat.NewDense(c.Count, numbers, nil)}
	for j := range c.Count {
		random := draw.Stream(seed, purposeCorrection, at*c.Count+j)
		between := func(low, high float64) float64 {
			return math.Exp(math.Log(low) + random.Float64()*math.Log(high/low))
		}
		width := func() float64 { // in half periods, in the unit of length
			const narrow, wide = 2, 40
			if c.domain.Dims == 1 && random.Float64() < 0.6 {
				return unsmoothed
			}
			return between(narrow, wide)
		}
		s.parameters.SetRow(j, []float64{width(), width(),
			between(0.3, 3) * random.NormFloat64(), slope * random.NormFloat64(), 2 * math.Pi * random.Float64()})
	}
	c.ready(s)
	return s
}

// fit draws the features of a step and solves for their coefficients with the ridge of the least leave-one-out error.
// It returns the step, nil without a solution, and that error. The error is ctx's.
func (p *correcting) fit(ctx context.Context, c *Corrected, at int, slope float64, o Options) (*correction, float64,
	error) {
	s := c.drawn(at, slope, o.Seed)
	system, err := p.system(ctx, c, s, nil, o.Workers)
	if err != nil {
		return nil, 0, err
	}
	groups := ridge.Labelled(p.groups, p.inputs.Count)
	lambda := func(ridge int) float64 {
		return correctionRidges[ridge] * float64(p.inputs.Count) / float64(c.Modes[0]*c.Modes[1])
	}
	score, fewest := math.Inf(1), math.Inf(1)
	place, least, err := ridge.Search([]ridge.Ladder{{Count: len(correctionRidges), Start: firstRidge}},
		func(at []int) (float64, error) {
			predicted, err := system.predicted(ctx, lambda(at[0]), groups, o.Workers)
			if err != nil {
				return 0, err
			}
			var corrections grid.Batch
			if score, corrections, err = p.score(ctx, c, predicted, o.Workers); score < fewest {
				fewest, p.corrections = score, corrections
			}
			return score, err
		})
	if err != nil || !grid.Finite(least) {
		return nil, least, err
	}
	s.coefficients, err = system.coefficients(ctx, lambda(place[0]), c.numbersOf(), o.Workers)
	return s, least, err
}

// correctionSystem is a ridge regression for each block of basis functions that share their numbers.
type correctionSystem struct {
	functions int               // of the basis
	blocks    [][]int           // one function, or the cosine and the sine of a frequency
	fits      []*ridge.Features // of each block, for features of unit mean square: each pair has as many rows as functions
	units     []float64         // factors of the features
	targets   *mat.Dense        // residuals: a row for each pair, a column for each channel and basis function
}

// blocks returns the blocks of the basis.
func (c *Corrected) blocks() [][]int {
	var all [][]int
	for k := 0; k < c.Modes[0]*c.Modes[1]; k++ {
		if other, ok := partner(k); c.Basis == inFourier && ok {
			all = append(all, []int{k, other})
			k++
			continue
		}
		all = append(all, []int{k})
	}
	return all
}

// correctionBytes returns about the memory of corrections: a system, half of it again for garbage of the system before,
// and its eigenvectors, whose sizes are the numbers of pairs and of features.
func correctionBytes(pairs dataset.Pairs) float64 {
	domain := pairs.Outputs.Domain.One()
	values, most := domain.Values(pairs.Outputs.Points), 0.0
	for _, basis := range basesOf(domain) {
		m, functions := float64(featuresOf(pairs.Outputs.Domain, basis, pairs.Count())), values
		switch {
		case basis == inFourier:
			m, functions = 2*m, 2*lineWaves
		case basis == inPoints && values > mostPointed:
			functions = 0
		case basis != inPoints && domain.Dims == 2:
			functions = min(functions, correctionWaves*correctionWaves)
		}
		most = max(most, 1.5*8*m*(float64(pairs.Count())+m)*float64(functions))
	}
	return most
}

// system returns the system of a step's features times units; nil: those of unit mean squares. Errors: ctx's.
func (p *correcting) system(ctx context.Context, c *Corrected, s *correction, units []float64, workers int) (
	*correctionSystem, error) {
	n, m, blocks := p.inputs.Count, c.Count, c.blocks()
	y := &correctionSystem{functions: c.Modes[0] * c.Modes[1], blocks: blocks,
		fits: make([]*ridge.Features, len(blocks)), units: units,
		targets: mat.NewDense(n, c.out*c.Modes[0]*c.Modes[1], nil)}
	phi := make([][]float64, len(blocks)) // of each block, feature after feature
	for k, block := range blocks {
		phi[k] = make([]float64, n*m*len(block)*len(block))
	}
	analysis := c.analysis()
	least, most := c.blockInputs()
	err := inBlocks(ctx, n, workers, least, most, func(first, count, _ int) error {
		b := c.newBlock(count)
		b.load(p.inputs.Range(first, count), p.v.Range(first, count))
		for j := range m {
			b.feature(s, j)
			for k, f := range blocks {
				for i := range count {
					value := func(k int) float64 { return b.waves[b.at(i, k/c.Modes[1], k%c.Modes[1])] }
					if len(f) == 1 {
						phi[k][j*n+first+i] = value(f[0])
						continue
					}
					cos, sin := value(f[0]), value(f[1])
					own, turned := phi[k][2*(j*n+first+i):], phi[k][2*((m+j)*n+first+i):]
					own[0], own[1], turned[0], turned[1] = cos, sin, sin, -cos
				}
			}
		}
		for i := first; i < first+count; i++ {
			row := y.targets.RawRowView(i)
			for d := range c.out {
				target := analysis.of(c.matrix(p.left.Of(i, d))).RawMatrix().Data
				floats.ScaleTo(row[d*len(target):][:len(target)], 1/c.Output, target)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if units == nil {
		y.units = make([]float64, m)
		for j := range m {
			square := 0.0
			for k, block := range blocks {
				of := phi[k][j*n*len(block) : (j+1)*n*len(block)]
				square += floats.Dot(of, of) / float64(n)
			}
			if square > 0 {
				y.units[j] = 1 / math.Sqrt(square)
			}
		}
	}
	return y, parallel.For(ctx, workers, len(blocks), func(_, k int) error {
		rows := n * len(blocks[k])
		for j := 0; j*rows < len(phi[k]); j++ {
			floats.Scale(y.units[j%m], phi[k][j*rows:(j+1)*rows])
		}
		y.fits[k] = ridge.NewFeatures(phi[k], y.target(k, c.out), c.out)
		return nil
	})
}

// target returns the targets of block k, one channel after the other, each in the order of the block's rows.
func (y *correctionSystem) target(k, channels int) []float64 {
	n, _ := y.targets.Dims()
	all := make([]float64, 0, n*len(y.blocks[k])*channels)
	for d := range channels {
		for i := range n {
			for _, f := range y.blocks[k] {
				all = append(all, y.targets.At(i, d*y.functions+f))
			}
		}
	}
	return all
}

// coefficients returns the coefficients of the unscaled features, rows of them for each. Errors are ridge.Features'.
func (y *correctionSystem) coefficients(ctx context.Context, lambda float64, rows, workers int) (*mat.Dense, error) {
	_, columns := y.targets.Dims()
	m := len(y.units)
	all := mat.NewDense(m*rows, columns, nil)
	return all, parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		block := y.blocks[k]
		c, err := y.fits[k].Coefficients(ctx, lambda)
		if err != nil {
			return err
		}
		for first := 0; len(c) > 0; first, c = first+y.functions, c[len(block)*m:] { // of each channel
			for j, unit := range y.units {
				for _, f := range block {
					all.Set(rows*j, first+f, unit*c[j])
				}
				if len(block) == 2 {
					all.Set(rows*j+1, first+block[0], unit*c[m+j])
					all.Set(rows*j+1, first+block[1], -unit*c[m+j])
				}
			}
		}
		return nil
	})
}

// predicted returns the prediction for each pair when it is left out with its group, like targets. Errors are those of
// ridge.Features.
func (y *correctionSystem) predicted(ctx context.Context, lambda float64, groups ridge.Groups, workers int) (*mat.Dense,
	error) {
	all := mat.DenseCopyOf(y.targets)
	return all, parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		block := y.blocks[k]
		missed, err := y.fits[k].Residuals(ctx, lambda, groups.Times(len(block)))
		for row, v := range missed { // of one channel after the other
			i, f := row/len(block), block[row%len(block)]
			f += i / all.RawMatrix().Rows * y.functions
			i %= all.RawMatrix().Rows
			all.Set(i, f, all.At(i, f)-v)
		}
		return err
	})
}

// score returns the mean relative error after corrections with the given wave coefficients, and the corrections.
func (p *correcting) score(ctx context.Context, c *Corrected, predicted *mat.Dense, workers int) (float64, grid.Batch,
	error) {
	corrections := p.left.Like(p.left.Count)
	missed, synthesis := make([]float64, p.left.Count), c.synthesis()
	err := parallel.For(ctx, workers, p.left.Count, func(_, i int) error {
		size := c.Modes[0] * c.Modes[1]
		for d := range c.out {
			floats.ScaleTo(corrections.Of(i, d), c.Output, synthesis.of(mat.NewDense(c.Modes[0], c.Modes[1],
				predicted.RawRowView(i)[d*size:(d+1)*size])).RawMatrix().Data)
		}
		missed[i] = math.Sqrt(p.left.Domain.Distance2(p.left.At(i), corrections.At(i))) / p.sizes[i]
		return nil
	})
	return floats.Sum(missed) / float64(len(missed)), corrections, err
}
