package setup

import (
	"errors"
	"fmt"

	"rfm/config"
	"rfm/solver/equation"
	"rfm/solver/grf"
)

// textEquation is the operator of a text on a grid.
func textEquation(c config.Config) equation.Problem {
	e := c.Equation
	return equation.Problem{Text: config.Lines(e.Text), Parameters: e.Values(), Initial: config.Lines(e.Initial),
		Output: e.Output, Lengths: [2]float64{e.Length, e.Length}, Time: e.Time, Tolerance: e.Tolerance, Steps: e.Steps,
		Points: c.Data.Grid, Seed: c.Seed, Inputs: inputs(c)}
}

// inputs is the measure of periodic inputs.
func inputs(c config.Config) grf.Measure {
	if c.Dims() == 2 {
		return grf.Field{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Scale: c.Input.Scale}
	}
	return grf.Periodic{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Scale: c.Input.Scale}
}

// CheckEquation reports what is wrong with the text of an equation, as a *config.Error; nil for other problems. It takes
// some milliseconds.
func CheckEquation(c config.Config) error {
	if c.Equation.Text == "" {
		return nil
	}
	if err := c.Validate(); err != nil {
		return err
	}
	err := textEquation(c).Check()
	if err == nil {
		return nil
	}
	var place *equation.Error
	if errors.As(err, &place) {
		return &config.Error{Key: "equation.text", Problem: fmt.Sprintf("is wrong: %v\n%s", err, place.Caret())}
	}
	return &config.Error{Key: "equation", Problem: "is wrong: " + err.Error()}
}
