// This file contains models of predictor-corrector random features: storage and prediction.

package feature

import (
	"context"
	"fmt"

	"rfm/model/codec"
	"rfm/solver/darcy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
)

// Predict implements Evaluator.
func (e *predictorEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	models := make([]*collapsedEvaluator, len(coefficients))
	err := parallel.For(ctx, workers, len(models), func(_, q int) error {
		models[q] = e.Collapse(coefficients[q])
		return nil
	})
	if err != nil {
		return nil, err
	}
	predictions := make([]grid.Batch, len(models))
	for q, model := range models {
		if q == len(models)-1 { // inputs are complete after the last motion
			predictions[q], err = model.predict(ctx, inputs, workers, progress)
		} else {
			predictions[q], err = model.predict(ctx, inputs, workers, nil)
		}
		if err != nil {
			return nil, err
		}
	}
	return predictions, nil
}

// predict evaluates the model for all inputs.
func (e *collapsedEvaluator) predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	err := parallel.With(ctx, workers, inputs.Count, e.flow.newScratch, func(s *predictorScratch, i int) error {
		if err := e.Predict(outputs.At(i), inputs.At(i), s); err != nil {
			return fmt.Errorf("input %d: %w", i, err)
		}
		if progress != nil {
			progress(1)
		}
		return nil
	})
	if err != nil {
		return grid.Batch{}, err
	}
	return outputs, nil
}

// Domain, Channels, Finest and Label implement Trained.
func (c Collapsed) Domain() grid.Domain     { return grid.Square }
func (c Collapsed) Channels() (in, out int) { return 1, 1 }
func (c Collapsed) Finest() int             { return grid.Square.PointsOf(c.Sigma1) }
func (c Collapsed) Label() string           { return "predictor-corrector features" }

// Predict implements Trained. The coefficients are in the fields already.
func (c Collapsed) Predict(ctx context.Context, _ []float64, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	e, err := c.anywhere(inputs)
	if err != nil {
		return grid.Batch{}, err
	}
	return e.predict(ctx, inputs, workers, progress)
}

// anywhere prepares the model on the grid of inputs, which may be any grid. The error is a *fault.Data.
func (c Collapsed) anywhere(inputs grid.Batch) (*collapsedEvaluator, error) {
	if err := darcy.CheckPermeabilities("input", inputs); err != nil {
		return nil, err
	}
	for _, field := range []*[]float64{&c.Sigma1, &c.Sigma2} {
		b, err := resample.To(grid.BatchOf(grid.Square, grid.Square.PointsOf(*field), *field), inputs.Points)
		if err != nil {
			return nil, err
		}
		*field = b.Data
	}
	return c.On(inputs.Points)
}

// maxSweeps bounds the time that damaged numbers can take; the iteration converges in tens of sweeps.
const maxSweeps = 1000

// collapsedFile is a Collapsed in a model file.
type collapsedFile struct {
	codec.Grid
	Mean   float64   `json:"mean"`   // abar
	Source float64   `json:"source"` // f, a constant
	Eta    float64   `json:"eta"`
	Step   float64   `json:"step"`
	Steps  int       `json:"steps"`
	Sweeps int       `json:"sweeps"` // 0 is 1
	Sigma1 []float64 `json:"sigma1" shape:"grid"`
	Sigma2 []float64 `json:"sigma2" shape:"grid"`
}

// Kind implements codec.Part.
func (*collapsedFile) Kind() string { return "predictor-corrector" }

// Sizes implements codec.Part.
func (p *collapsedFile) Sizes() (map[string][]int, error) {
	if d, err := p.Domain(); err != nil || d != grid.Square || max(p.In, p.Out) > 1 {
		return nil, codec.Bad("has averaged fields on %+v, want those of a square grid of at least 3 x 3 points", p.Grid)
	}
	if !grid.Finite(p.Mean, p.Source, p.Eta, p.Step) || p.Eta < 0 || p.Step < 0 || p.Steps < 0 {
		return nil, codec.Bad("has the mean coefficient %g, the source %g and the mollifier %+v, want finite numbers, the "+
			"mollifier's not negative", p.Mean, p.Source, Mollifier{Eta: p.Eta, Step: p.Step, Steps: p.Steps})
	}
	if p.Sweeps < 0 || p.Sweeps > maxSweeps {
		return nil, codec.Bad("has %d sweeps, want 0 to %d", p.Sweeps, maxSweeps)
	}
	return p.Grid.Sizes()
}

// Stored implements Trained. The source must be constant.
func (c Collapsed) Stored() Stored {
	m := c.Mollifier
	return &collapsedFile{Grid: codec.GridOf(grid.Square, c.Finest(), 1, 1), Mean: c.Mean, Source: c.Source(0, 0),
		Eta: m.Eta, Step: m.Step, Steps: m.Steps, Sweeps: c.Sweeps, Sigma1: c.Sigma1, Sigma2: c.Sigma2}
}

// Trained implements Stored.
func (p *collapsedFile) Trained(int) (Trained, error) {
	return Collapsed{Mollifier: Mollifier{Eta: p.Eta, Step: p.Step, Steps: p.Steps}, Source: darcy.Constant(p.Source),
		Sweeps: p.Sweeps, Mean: p.Mean, Sigma1: p.Sigma1, Sigma2: p.Sigma2}, nil
}
