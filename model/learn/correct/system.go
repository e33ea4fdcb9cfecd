// This file solves for the coefficients of one step: a ridge regression for each block of basis functions.

package correct

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/space/modes"
)

// correctionSystem is a ridge regression for each block of basis functions that share their numbers: one function, or
// the cosine and the sine of a frequency. Rows of a block are the functions of each pair in turn.
type correctionSystem struct {
	*Corrected
	blocks  [][]int           // numbers of the functions in each block
	fits    []*ridge.Features // of each block, for features times factor
	units   []float64         // of the features
	pairs   int
	values  [][]float64 // of the features in each block: features x rows, row-major
	targets [][]float64 // residuals of each block: rows x channels, row-major
}

// factor returns the factor of coefficients of a feature, as evaluated returns them, at function l of a block. Numbers
// of exchanged features have opposite signs at cosine and sine.
func (y *correctionSystem) factor(feature, l int) float64 {
	numbers := y.numbersOf()
	unit := y.units[feature/numbers]
	exchanged := feature%numbers == 1
	sine := l == 1
	if exchanged && sine {
		return -unit
	}
	return unit
}

// features returns the count of features, those with sines and cosines exchanged counted too.
func (y *correctionSystem) features() int { return y.Count * y.numbersOf() }

// feature returns the values of feature j in block k, one for each function of each pair.
func (y *correctionSystem) feature(k, j int) []float64 {
	rows := y.pairs * len(y.blocks[k])
	return y.values[k][j*rows:][:rows]
}

// system returns the system of a step's features times units; nil: those of unit mean squares. It returns ctx.Err() if
// ctx is done.
func (p *correcting) system(ctx context.Context, c *Corrected, s *correction, units []float64, workers int) (
	*correctionSystem, error) {
	y := &correctionSystem{
		Corrected: c,
		units:     units,
		pairs:     p.Count(),
	}
	y.divide()
	for _, block := range y.blocks {
		rows := y.pairs * len(block)
		y.values = append(y.values, make([]float64, y.features()*rows))
		y.targets = append(y.targets, make([]float64, rows*c.OutChannels()))
	}
	analysis := c.bases[1].Map(modes.Analysis)
	err := parallel.With(ctx, workers, y.pairs, modes.NewBench, func(b *modes.Bench, i int) error {
		defer b.Release(b.Used())
		v := slices.Clone(p.Outputs.At(i))
		floats.Scale(1/c.Output, v)
		a := c.seen(b, p.Inputs.At(i))
		waves := c.evaluated(b, s, a, v)
		left := slices.Clone(p.left.At(i))
		floats.Scale(1/c.Output, left)
		residual := b.Apply(left, analysis)
		for k := range y.blocks {
			y.setPair(i, k, waves, residual)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if y.units == nil {
		y.units = y.unitMeanSquares()
	}
	y.fits = make([]*ridge.Features, len(y.blocks))
	err = parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		functions := len(y.blocks[k])
		for j := range y.features() {
			own := y.feature(k, j)
			for row := range own {
				own[row] *= y.factor(j, row%functions)
			}
		}
		y.fits[k] = ridge.NewFeatures(y.values[k], y.targets[k], c.OutChannels())
		return nil
	})
	y.values = nil // which the fits have
	return y, err
}

// unitMeanSquares returns the units in which the features have mean square 1 over the pairs.
func (y *correctionSystem) unitMeanSquares() []float64 {
	units := make([]float64, y.Count)
	for j := range units {
		square := 0.0
		for k := range y.blocks {
			own := y.feature(k, j*y.numbersOf()) // without exchange, which does not change squares
			square += floats.Dot(own, own) / float64(y.pairs)
		}
		if square == 0 {
			square = 1 // so that a feature that vanishes stays zero
		}
		units[j] = 1 / math.Sqrt(square)
	}
	return units
}

// divide sets the blocks of basis functions that share their numbers.
func (y *correctionSystem) divide() {
	functions := dataset.First(y.functions())
	numbers := y.numbersOf()
	if numbers == 2 { // the constant has no sine
		y.blocks = append(y.blocks, functions[:1])
		functions = functions[1:]
	}
	y.blocks = slices.AppendSeq(y.blocks, slices.Chunk(functions, numbers))
}

// setPair sets the rows of pair i in block k: the values of features, whose coefficients are waves (features x functions,
// row-major), and the targets, whose coefficients are residual (channels x functions).
func (y *correctionSystem) setPair(i, k int, waves, residual []float64) {
	block := y.blocks[k]
	functions := y.functions()
	out := y.OutChannels()
	for l, f := range block {
		row := i*len(block) + l
		for j := range y.features() {
			y.feature(k, j)[row] = waves[j*functions+f]
		}
		target := y.targets[k][row*out:][:out]
		for channel := range target {
			target[channel] = residual[channel*functions+f]
		}
	}
}

// solved returns the coefficients of the features, a row each, and of the prediction for each pair when it is left out
// with its group, a row each. Errors are those of ridge.Features.
func (y *correctionSystem) solved(ctx context.Context, lambda float64, groups ridge.Groups, workers int) (
	coefficients, predicted *mat.Dense, err error) {
	functions := y.functions()
	out := y.OutChannels()
	coefficients = mat.NewDense(y.features(), out*functions, nil)
	predicted = mat.NewDense(y.pairs, out*functions, nil)
	err = parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		block := y.blocks[k]
		s, err := y.fits[k].Solve(ctx, lambda, groups.Times(len(block)))
		if err != nil {
			return err
		}
		for at, v := range s.Coefficients {
			feature := at / out
			channel := at % out
			for l, f := range block {
				coefficients.Set(feature, channel*functions+f, y.factor(feature, l)*v)
			}
		}
		for at, v := range s.Residuals {
			row := at / out
			channel := at % out
			pair := row / len(block)
			f := block[row%len(block)]
			predicted.Set(pair, channel*functions+f, y.targets[k][at]-v)
		}
		return nil
	})
	return coefficients, predicted, err
}
