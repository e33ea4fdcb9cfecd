// This file is about models of predictor-corrector random features.

package trained

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/darcy"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Flow is a trained model of predictor-corrector random features, of two variables, whose coefficients are already in its
// averaged fields. Its source must be constant. On grids that the fields' own does not contain, they are replaced by their cosine
// interpolants (resample.To).
type Flow feature.Collapsed

// maxSweeps keeps damaged numbers from taking for ever; the iteration converges in tens of sweeps.
const maxSweeps = 1000

// iteration is what meta.json says of a Flow.
type iteration struct {
	Mean   float64 `json:"mean"`   // abar
	Source float64 `json:"source"` // f
	Eta    float64 `json:"eta"`
	Step   float64 `json:"step"`
	Steps  int     `json:"steps"`
	Sweeps int     `json:"sweeps"` // 0 is 1
}

func (f Flow) kind() string { return "flow" }

func (f Flow) domain() grid.Domain { return grid.Square }

func (f Flow) finest() int { return grid.Square.PointsOf(f.Sigma1) }

func (f Flow) label() string { return "predictor-corrector features" }

func (f Flow) predict(ctx context.Context, _ []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	if err := darcy.CheckPermeabilities("input", inputs); err != nil {
		return grid.Batch{}, err
	}
	r := inputs.Points
	for _, field := range []*[]float64{&f.Sigma1, &f.Sigma2} {
		b, err := resample.To(grid.BatchOf(grid.Square, grid.Square.PointsOf(*field), *field), r)
		if err != nil {
			return grid.Batch{}, err
		}
		*field = b.Data
	}
	return rfm.FlowModel{Collapsed: feature.Collapsed(f)}.Predict(ctx, inputs, workers, progress)
}

func (f Flow) check(int) error {
	if len(f.Sigma1) != len(f.Sigma2) || !onGrid(f.domain(), f.Sigma1) {
		return bad(fmt.Sprintf("has averaged fields of %d and %d values, want those of one square grid of at least 3 x 3 points", len(f.Sigma1), len(f.Sigma2)))
	}
	source := f.Source.On(f.finest())
	for _, v := range source {
		if v != source[0] {
			return bad("has a source that is not constant")
		}
	}
	if m := f.Mollifier; !finite(f.Mean, source[0], m.Eta, m.Step) || m.Eta < 0 || m.Step < 0 || m.Steps < 0 {
		return bad(fmt.Sprintf("has the mean coefficient %g, the source %g and the mollifier %+v, want finite numbers, the mollifier's not negative", f.Mean, source[0], m))
	}
	if f.Sweeps < 0 || f.Sweeps > maxSweeps {
		return bad(fmt.Sprintf("has %d sweeps, want 0 to %d", f.Sweeps, maxSweeps))
	}
	return nil
}

func (f Flow) encode() (any, []member) {
	r := f.finest()
	return iteration{Mean: f.Mean, Source: f.Source(0, 0), Eta: f.Mollifier.Eta, Step: f.Mollifier.Step, Steps: f.Mollifier.Steps, Sweeps: f.Sweeps},
		[]member{functions("sigma1", f.Sigma1, r, r), functions("sigma2", f.Sigma2, r, r)}
}

func decodeFlow(d *decoder, _ int) (Map, error) {
	var c iteration
	if err := d.scalars(&c); err != nil {
		return nil, err
	}
	first, err := d.field("sigma1")
	if err != nil {
		return nil, err
	}
	second, err := d.field("sigma2")
	if err != nil {
		return nil, err
	}
	return Flow{Mollifier: feature.Mollifier{Eta: c.Eta, Step: c.Step, Steps: c.Steps}, Source: darcy.Constant(c.Source), Sweeps: c.Sweeps,
		Mean: c.Mean, Sigma1: first, Sigma2: second}, nil
}
