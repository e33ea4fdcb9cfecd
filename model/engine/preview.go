package engine

import (
	"context"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// Preview is one draw of what an experiment works with: the first training input, the first feature parameter (for
// Darcy the predictor's) and the feature they make, on a closed grid that is fine enough to look at.
type Preview struct {
	Input, Theta, Feature []float64
	Filter                []float64 // Burgers: chi(k) at k = 0, 1, 2, ...
	// Darcy: the functions are fields on a closed grid of Side x Side points, row-major; 0 for Burgers
	Side int
}

// NewPreview draws from a configuration. Draws are those of the run itself, except for modes that its data grid adds or
// leaves out; parameters that files replace are drawn nevertheless.
func NewPreview(c config.Config) Preview { return new(Previewer).Preview(c) }

// Previewer makes previews of configurations that follow one another. It keeps the input while only features, training
// or evaluation change: it may come from a large file. The zero Previewer is ready.
type Previewer struct {
	of    config.Config // what the input belongs to
	input grid.Batch
}

// Preview is NewPreview.
func (p *Previewer) Preview(c config.Config) Preview {
	if of := c.DataOnly(); p.of != of {
		p.of, p.input = of, firstInput(c)
	}
	return look(c, p.input)
}

// previewPoints and previewSide are the resolutions of previews of functions and fields: a few milliseconds of work,
// more than a terminal shows.
const previewPoints, previewSide = 257, 65

// previewGrid is the resolution of previews.
func previewGrid(domain grid.Domain) int {
	points := previewPoints
	if domain.Dims == 2 {
		points = previewSide
	}
	for coarse := points; coarse > points/4; coarse-- { // of a rectangle not every grid exists
		if domain.Exists(coarse) {
			return coarse
		}
	}
	for !domain.Exists(points) {
		points++
	}
	return points
}

// firstInput draws or reads the first training input, on the grid of previews; zero if it cannot be read. Features,
// training and evaluation have no part in it.
func firstInput(c config.Config) grid.Batch {
	domain := setup.Domain(c)
	input := grid.NewBatch(domain, previewGrid(domain), 1)
	c.Data.Grid = input.Points // nothing is prepared on the data grid, which may be large
	if o := setup.Truth(c); o != nil {
		o.Draw(input, draw.InputTrain, 0)
	} else {
		source := setup.TrainSource(c)
		source.Brief = true
		if pairs, err := dataset.ReadChosen(context.Background(), source, domain.Dims, []int{0}); err == nil {
			nearest(input, pairs.Inputs)
		}
	}
	return input
}

// nearest takes values at the nearest points of another grid of the domain.
func nearest(dst, src grid.Batch) {
	at := func(i, from, to int) int { return (i*(from-1) + (to-1)/2) / max(1, to-1) }
	rows, columns := dst.Domain.Axes(dst.Points)
	srcRows, srcColumns := src.Domain.Axes(src.Points)
	for i := range dst.Data {
		dst.Data[i] = src.Data[at(i/columns, srcRows, rows)*srcColumns+at(i%columns, srcColumns, columns)]
	}
}

// look shows the input and the first feature.
func look(c config.Config, input grid.Batch) Preview {
	ctx := context.Background() // one feature takes no time
	features, err := feature.New(ctx, c, c.Seed, 1, input.Points, 1)
	if err != nil {
		panic("engine: " + err.Error())
	}
	// a constant input has no gain, and no feature to speak of
	if calibrated, err := features.Calibrate(ctx, input, 1); err == nil {
		features = calibrated
	}
	look, err := features.Look(ctx, 0, input)
	if err != nil { // a permeability of extreme contrast leaves no feature to show
		look.Values = make([]float64, input.Values())
	}
	return Preview{Input: input.At(0), Theta: look.Theta, Feature: look.Values, Filter: look.Filter,
		Side: sideOf(input.Domain, input.Points)}
}
