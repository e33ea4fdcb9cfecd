// This file computes what a configuration means before it is run: one draw of everything random in it.

package experiment

import "rfm/config"

// Preview is one draw of what an experiment works with: the first training input, the first feature parameter (for Darcy
// the predictor's) and the feature they make, on a closed grid that is fine enough to look at.
type Preview struct {
	Input, Theta, Feature []float64
	Filter                []float64 // Burgers: chi(k) at k = 0, 1, 2, ...
	Side                  int       // Darcy: the functions are fields on a closed grid of Side x Side points, row-major; 0 for Burgers
}

// NewPreview draws from a configuration. Draws are those of the run itself, except for modes that its data grid adds or
// leaves out; parameters that files replace are drawn nevertheless.
func NewPreview(c config.Config) Preview { return operatorOf(c).preview() }
