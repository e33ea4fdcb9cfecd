// Package setup constructs the operators, measures and pairs of functions that a configuration describes.
package setup

import (
	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/solver/dataset"
	"rfm/solver/pde/darcy"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// Truth returns the operator of a valid configuration on its data grid; nil if pairs come from files only.
func Truth(c config.Config) *truth.Operator {
	switch c.Problem {
	case config.Darcy:
		return flow(c).Operator()
	case config.TextEquation:
		return textEquation(c).Operator()
	}
	return nil
}

// RoughTruth is Truth for pictures: nothing verifies that solutions are as exact as the tolerance says.
func RoughTruth(c config.Config) *truth.Operator {
	if c.Problem != config.TextEquation {
		return Truth(c)
	}
	return textEquation(c).RoughOperator()
}

// flow returns the problem of Darcy flow.
func flow(c config.Config) darcy.Problem {
	equation := darcy.Paper()
	equation.Tolerance = c.Darcy.Tolerance
	equation.Iterations = c.Darcy.Iterations
	if c.Darcy.Face == "harmonic" {
		equation.Mean = darcy.Harmonic
	}
	return darcy.Problem{
		Level:    darcy.LevelSet{Plus: c.Darcy.High, Minus: c.Darcy.Low},
		Equation: equation,
		Input:    grf.Measure{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Axis: c.Input.Axis, Space: grid.Square},
		Points:   c.Data.Grid,
		Seed:     c.Seed,
	}
}

// NewPairs returns count pairs of zero functions on the grid with the given points along an axis, with the channels of
// the configuration.
func NewPairs(c config.Config, points, count int) dataset.Pairs {
	return newPairs(c, Domain(c), points, count)
}

// NewPairsAt returns count pairs of zero functions at points of any geometry, or if there are none on the grid with the
// given points.
func NewPairsAt(c config.Config, at points.Cloud, points, count int) dataset.Pairs {
	domain := Domain(c)
	domain.Cloud = at
	return newPairs(c, domain, points, count)
}

func newPairs(c config.Config, domain grid.Domain, points, count int) dataset.Pairs {
	in, out := c.Channels()
	return dataset.Pairs{Inputs: grid.NewBatch(domain.With(in), points, count),
		Outputs: grid.NewBatch(domain.With(out), points, count)}
}

// Domain returns the domain of inputs and outputs, with one channel. Points of any geometry are not a part of a
// configuration: the domain has none.
func Domain(c config.Config) grid.Domain {
	d := grid.Domain{
		Dims:     c.Dims(),
		Periodic: !c.Closed(),
		Cells:    c.Cells(),
	}
	if c.Data.Columns != 0 && c.Intervals(c.Data.Grid) > 0 && c.Intervals(c.Data.Columns) > 0 {
		d.Aspect = grid.AspectOf(c.Intervals(c.Data.Grid), c.Intervals(c.Data.Columns))
	}
	return d
}

// Features returns the law of the random features of a configuration.
func Features(c config.Config) feature.Law {
	return feature.Law{
		Features: c.Features,
		Domain:   Domain(c),
		Symmetry: c.Data.Symmetry,
		Seed:     c.Seed,
	}
}

// Check reports an error in a configuration, or in the text of its equation, as a *config.Error, in some milliseconds.
func Check(c config.Config) error {
	if c.Equation.Text != "" {
		err := textEquation(c).Check()
		if err != nil { // it suggests more than a name without a value
			return err
		}
	}
	return c.Validate()
}

// textEquation returns the operator of a text on a grid.
func textEquation(c config.Config) equation.Problem {
	return equation.Problem{
		Equation: c.Equation,
		Input:    c.Input,
		Points:   c.Data.Grid,
		Seed:     c.Seed,
	}
}

// Parities returns how inputs and outputs of an equation between two ends continue to a periodic problem that it is a part of;
// ok is false if it is no part of one.
func Parities(c config.Config) (in, out grid.Ends, ok bool) {
	if c.Problem != config.TextEquation {
		return grid.Ends{}, grid.Ends{}, false
	}
	return textEquation(c).Parities()
}

// Scheme returns how an equation between two ends is solved, in words; "" for other problems.
func Scheme(c config.Config) string {
	if c.Problem != config.TextEquation {
		return ""
	}
	return textEquation(c).Scheme()
}
