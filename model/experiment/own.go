// This file is operators of which nothing is known but pairs in files, the paper's non-intrusive setting.

package experiment

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/setup"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Complete fills in what a configuration of a problem from files leaves to them: numbers of pairs and grids. Other
// configurations stay as they are. Only headers are read. Errors are *config.Error and *fault.Data.
func Complete(c config.Config) (config.Config, error) {
	if !c.FromFiles() || c.Data.TrainFile == "" { // Validate says what is missing
		return c, nil
	}
	dims, usual := 1, 129
	if c.Planar() {
		dims, usual = 2, 33
	}
	info, err := dataset.StatPairs(setup.Source(c, c.Data.TrainFile), dims)
	if err != nil {
		return c, err
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = info.Grid
	}
	if c.Data.Grid != info.Grid {
		return c, &config.Error{Key: "data.grid", Symbol: c.GridSymbol(), Value: fmt.Sprint(c.Data.Grid),
			Problem: fmt.Sprintf("is not the grid of %s, which has %s=%d", c.Data.TrainFile, c.GridSymbol(), info.Grid), Suggestion: "leave it out, or set data.endpoint"}
	}
	available := info.Count
	if c.Data.TestFile != "" {
		test, err := dataset.StatPairs(setup.Source(c, c.Data.TestFile), dims)
		if err != nil {
			return c, err
		}
		if c.Data.Test == 0 {
			c.Data.Test = test.Count
		}
	} else {
		if c.Data.Test == 0 {
			c.Data.Test = max(1, info.Count/5)
		}
		available -= c.Data.Test
	}
	if c.Data.Train == 0 {
		c.Data.Train = available
	}
	if c.Data.Train < 1 || c.Data.Train > available {
		return c, &fault.Data{Where: c.Data.TrainFile, What: fmt.Sprintf("has %d pairs, %d for training and %d for testing are wanted", info.Count, c.Data.Train, c.Data.Test),
			Do: "lower data.train or data.test, or give a file of test pairs"}
	}
	if c.Train.Grid == 0 {
		for _, K := range config.Grids(c.Data.Grid) {
			if K <= usual || c.Train.Grid == 0 {
				c.Train.Grid = K
			}
		}
	}
	return c, nil
}

// readPart reads the first pairs of a file, or, if training and test pairs come from one file, a random part of it.
func readPart(c config.Config, p part, file string, count int, read func(dataset.Source, int) (dataset.Pairs, error)) (dataset.Pairs, error) {
	source := setup.Source(c, file)
	if !c.FromFiles() || c.Data.TestFile != "" {
		return read(source, count)
	}
	all, err := read(source, 0)
	if err != nil {
		return dataset.Pairs{}, err
	}
	training, held, err := dataset.Split(all.Count(), c.SplitSeed(), c.Data.Train, c.Data.Test)
	if err != nil {
		return dataset.Pairs{}, fmt.Errorf("%s: %w", file, err)
	}
	if p == testPart {
		training = held
	}
	return all.Take(training), nil
}

// ownFunctions is an operator between periodic functions of one variable.
type ownFunctions struct{ periodic }

func (o ownFunctions) generate(context.Context, draw.Purpose, span, int, dataset.Report) (dataset.Pairs, error) {
	panic("experiment: pairs of functions from files cannot be generated") // every side has a file
}

func (o ownFunctions) together() int { return 1 }

func (o ownFunctions) rivals(context.Context, *Evaluation, int) ([]Rival, error) { return nil, nil }

func (o ownFunctions) firstInput() grid.Batch {
	input := grid.NewBatch(grid.Torus, previewPoints, 1)
	if pairs, err := dataset.ReadPairs(setup.Source(o.config, o.config.Data.TrainFile), 1); err == nil {
		sample(input.At(0), pairs.Inputs.At(0))
	}
	return input
}

// sample takes values at the nearest points of a closed grid.
func sample(dst, src []float64) {
	for i := range dst {
		dst[i] = src[(i*(len(src)-1)+(len(dst)-1)/2)/(len(dst)-1)]
	}
}

// ownFields is an operator between fields on the closed unit square.
type ownFields struct{ config config.Config }

func (o ownFields) generate(context.Context, draw.Purpose, span, int, dataset.Report) (dataset.Pairs, error) {
	panic("experiment: pairs of fields from files cannot be generated") // every side has a file
}

func (o ownFields) together() int { return 1 }

func (o ownFields) read(p part, file string, count int) (dataset.Pairs, error) {
	return readPart(o.config, p, file, count, dataset.ReadFieldPairs)
}

func (o ownFields) drawTheta(ctx context.Context, workers int) (featureMap, error) {
	c := o.config
	features, err := setup.Cosine(ctx, c, c.Seed, setup.PoolSize(c), c.Data.Grid, workers)
	return cosineMap{c, features}, err
}

// cosineMap is cosine space random features.
type cosineMap struct {
	config   config.Config
	features feature.Cosine
}

func (f cosineMap) calibrated(ctx context.Context, inputs grid.Batch, workers int) (featureMap, error) {
	gain, err := setup.Gain(ctx, f.config, f.features, inputs, workers)
	f.features.Gain = gain
	return f, err
}

func (f cosineMap) selected(indices []int) featureMap {
	return cosineMap{f.config, f.features.Select(indices)}
}

func (f cosineMap) evaluator(ctx context.Context, r, workers int) (feature.Evaluator, error) {
	return f.features.On(ctx, r, workers)
}

func (f cosineMap) trained(context.Context, []float64, int) (trained.Map, error) {
	return trained.Cosine(f.features), nil
}

func (o ownFields) domain() grid.Domain { return grid.Square }

func (o ownFields) rivals(context.Context, *Evaluation, int) ([]Rival, error) { return nil, nil }

func (o ownFields) firstInput() grid.Batch {
	r := previewSide
	input := grid.NewBatch(grid.Square, r, 1)
	if pairs, err := dataset.ReadFieldPairs(setup.Source(o.config, o.config.Data.TrainFile), 1); err == nil {
		side := pairs.Inputs.Points
		for y := range r {
			row := (y*(side-1) + (r-1)/2) / (r - 1)
			sample(input.Data[y*r:(y+1)*r], pairs.Inputs.Data[row*side:(row+1)*side])
		}
	}
	return input
}

func (o ownFields) preview(input grid.Batch) Preview {
	ctx, r := context.Background(), previewSide // one feature takes no time
	features, err := setup.Cosine(ctx, o.config, o.config.Seed, 1, r, 1)
	if err != nil {
		panic("experiment: " + err.Error())
	}
	if gain, err := setup.Gain(ctx, o.config, features, input, 1); err == nil {
		features.Gain = gain
	}
	e, err := features.On(ctx, r, 1)
	if err != nil {
		panic("experiment: " + err.Error()) // theta is on that grid
	}
	return Preview{Input: input.Data, Theta: features.Theta.At(0), Feature: e.Values(0, input.Data), Side: r}
}
