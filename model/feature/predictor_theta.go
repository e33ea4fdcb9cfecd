// This file contains the parameters (theta_1, theta_2) of predictor-corrector features.

package feature

import (
	"fmt"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// thetaPairs are the parameters (theta_1j, theta_2j), j = 0 ... Count-1, on their finest grid. Implementations are safe
// for concurrent use.
type thetaPairs interface {
	Count() int // m
	R() int     // points along an axis of the finest grid
	// Read writes theta_1j and theta_2j, j = first, first+1, ..., to the rows of the two batches, fields with R^2 values.
	Read(predictor, corrector grid.Batch, first int)
}

// drawnPairs draws parameters whenever they are read, from the streams (seed, theta-predictor, j) and
// (seed, theta-corrector, j): the first m are the same for every m, and nothing is stored.
type drawnPairs struct {
	sampler *grf.NeumannSampler
	seed    uint64
	count   int
}

// drawPairs prepares m draws from the measure on the closed r x r grid.
func drawPairs(measure grf.Neumann, seed uint64, m, r int) *drawnPairs {
	return &drawnPairs{grf.NewNeumannSampler(measure, r), seed, m}
}

func (d *drawnPairs) Count() int { return d.count }
func (d *drawnPairs) R() int     { return d.sampler.R() }

// Read draws the parameters.
func (d *drawnPairs) Read(predictor, corrector grid.Batch, first int) {
	d.sampler.Draw(predictor, d.seed, draw.ThetaPredictor, first)
	d.sampler.Draw(corrector, d.seed, draw.ThetaCorrector, first)
}

// StoredPairs are given parameters: the two batches have equally many fields on the same grid.
type StoredPairs struct {
	Predictor, Corrector grid.Batch
}

func (s StoredPairs) Count() int { return s.Predictor.Count }
func (s StoredPairs) R() int     { return s.Predictor.Points }

// Read copies the parameters.
func (s StoredPairs) Read(predictor, corrector grid.Batch, first int) {
	copy(predictor.Data, s.Predictor.Range(first, predictor.Count).Data)
	copy(corrector.Data, s.Corrector.Range(first, corrector.Count).Data)
}

// chosenPairs are those of other parameters with some indices, in that order.
type chosenPairs struct {
	Of      thetaPairs
	Indices []int
}

func (c chosenPairs) Count() int { return len(c.Indices) }
func (c chosenPairs) R() int     { return c.Of.R() }

// Read reads the chosen parameters.
func (c chosenPairs) Read(predictor, corrector grid.Batch, first int) {
	for row := range predictor.Count {
		c.Of.Read(predictor.Range(row, 1), corrector.Range(row, 1), c.Indices[first+row])
	}
}

// pairReader reads sigma(theta_1) and sigma(theta_2) of one feature after the other on a grid; it serves one goroutine.
type pairReader struct {
	PredictorCorrector
	fine          [2]grid.Batch // one function each
	first, second []float64
}

// checkContained returns a *fault.Data that names its subject, unless the R x R grid contains the r x r grid.
func checkContained(what string, r, R int) error {
	if r < 3 || (R-1)%(r-1) != 0 {
		return &fault.Data{Where: what,
			What: fmt.Sprintf("feature parameters on %d x %d points cannot be restricted to %d x %d: %d intervals do not "+
				"divide %d", R, R, r, r, r-1, R-1),
			Do: "choose a grid whose intervals divide those of theta"}
	}
	return nil
}

// newPairReader returns a reader on the r x r grid, which theta's grid contains.
func newPairReader(p PredictorCorrector, r int) *pairReader {
	R := p.Theta.R()
	return &pairReader{p, [2]grid.Batch{grid.NewBatch(grid.Square, R, 1), grid.NewBatch(grid.Square, R, 1)},
		make([]float64, r*r), make([]float64, r*r)}
}

// read returns the fields of feature j, which the next call overwrites.
func (p *pairReader) read(j int) (first, second []float64) {
	p.Theta.Read(p.fine[0], p.fine[1], j)
	grid.Square.Sample(p.first, p.fine[0].Data)
	grid.Square.Sample(p.second, p.fine[1].Data)
	p.sigma(p.first)
	p.sigma(p.second)
	return p.first, p.second
}

// sigma replaces a parameter theta_1 or theta_2 by its field.
func (p PredictorCorrector) sigma(theta []float64) {
	p.Threshold.Apply(theta)
	p.average(theta, grid.Square, grid.Square.PointsOf(theta))
}
