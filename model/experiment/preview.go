// This file computes what a configuration means before it is run: one draw of everything random in it.

package experiment

import (
	"rfm/config"
	"rfm/solver/grid"
)

// Preview is one draw of what an experiment works with: the first training input, the first feature parameter (for Darcy
// the predictor's) and the feature they make, on a closed grid that is fine enough to look at.
type Preview struct {
	Input, Theta, Feature []float64
	Filter                []float64 // Burgers: chi(k) at k = 0, 1, 2, ...
	Side                  int       // Darcy: the functions are fields on a closed grid of Side x Side points, row-major; 0 for Burgers
}

// NewPreview draws from a configuration. Draws are those of the run itself, except for modes that its data grid adds or
// leaves out; parameters that files replace are drawn nevertheless.
func NewPreview(c config.Config) Preview { return new(Previewer).Preview(c) }

// Previewer makes previews of configurations that follow one another. It keeps the input while only features, training or
// evaluation change: it may come from a large file. The zero Previewer is ready.
type Previewer struct {
	of    config.Config // what the input belongs to
	input grid.Batch
}

// Preview is NewPreview.
func (p *Previewer) Preview(c config.Config) Preview {
	o, of := operatorOf(c), c
	of.Features, of.Train, of.Evaluation = config.Features{}, config.Train{}, config.Evaluation{}
	if p.of != of {
		p.of, p.input = of, o.firstInput()
	}
	return o.preview(p.input)
}
