package setup

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/dataset/filetest"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

// Every preset of an equation is valid, and its first solution can be computed.
func TestPresetsOfEquationsAreSolved(t *testing.T) {
	for _, p := range config.Presets() {
		c := p.Config
		if c.Problem != config.TextEquation {
			continue
		}
		if testing.Short() && c.Dims() == 2 {
			continue
		}
		s, err := Trajectory(t.Context(), c, 4, c.Data.Grid)
		states := s.States
		if err != nil || len(states) != 5 || states[4].Points != c.Data.Grid || s.Input.Count != 1 {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if c.Equation.Steady() {
			continue
		}
		if d := c.Dims(); d == 1 && Domain(c).Distance2(states[0].Data, states[4].Data) == 0 {
			t.Errorf("%s: nothing moves", p.Name)
		}
	}
}

func TestWrongTextsAreConfigurationErrors(t *testing.T) {
	c, err := config.PresetByName("kdv")
	noError(t, err)
	for assignment, want := range map[string]string{
		"equation.text=u_t = uxx": "column 7: uxx is not known; write u_xx for a derivative",
		"equation.initial=a; 0":   `equation.initial has 2 values for the field u`,
		"equation.initial=b":      "initial value, column 1: b is not known",
		"equation.initial=a_x":    "not of derivatives",
		"equation.output=w":       `equation.output names no field`,
	} {
		wrong := c
		noError(t, config.Assign(&wrong, assignment))
		err := Check(wrong)
		var refused *config.Error
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", assignment, err, want)
		}
	}
}

// The input may be a coefficient of the equation, and the output a field that is not the first.
func TestCoefficientsAreInputsAndFieldsOutputs(t *testing.T) {
	pairs := func(assignments ...string) dataset.Pairs {
		t.Helper()
		c, err := config.PresetByName(config.TextEquation)
		for _, a := range append(assignments, "data.grid=65", "train.grid=33") {
			if err == nil {
				err = config.Assign(&c, a)
			}
		}
		if err == nil {
			err = Check(c)
		}
		noError(t, err)
		p, err := dataset.Generate(t.Context(), Truth(c), truth.Wanted{Purpose: draw.InputTrain, Count: 8}, 1, nil)
		noError(t, err)
		return p
	}
	// u_t = c has the solution c t.
	p := pairs("equation.text=u_t = c", "c=random", "equation.initial=0", "equation.time=2", "input.alpha=6")
	for i, v := range p.Outputs.Data {
		if d := v - 2*p.Inputs.Data[i]; d > 1e-12 || d < -1e-12 {
			t.Fatalf("value %d is %g, the input %g", i, v, p.Inputs.Data[i])
		}
	}
	// v_t = -u with constant u.
	p = pairs("equation.text=u_t = 0*u; v_t = -u", "equation.initial=a; 1", "equation.output=v", "input.alpha=6")
	for i, v := range p.Outputs.Data {
		if d := v - 1 + p.Inputs.Data[i]; d > 1e-12 || d < -1e-12 {
			t.Fatalf("value %d is %g, the input %g", i, v, p.Inputs.Data[i])
		}
	}
}

// A cancelled solution ends soon.
func TestTrajectoriesObeyTheirContext(t *testing.T) {
	c, err := config.PresetByName("ks")
	noError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Trajectory(ctx, c, 8, 129); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Every problem with a known equation can be computed, on its domain and grid.
func TestEveryProblemHasItsTruth(t *testing.T) {
	for _, problem := range config.Problems() {
		c, err := config.PresetByName(problem)
		noError(t, err)
		o := Truth(c)
		if (o == nil) != c.Of().Files {
			t.Errorf("%s: truth %v, from files only: %v", problem, o, c.Of().Files)
		}
		if o == nil {
			continue
		}
		if domain, points := o.Domain, o.Points; domain != Domain(c) || points != c.Data.Grid {
			t.Errorf("%s: computed on %s, configured on %s", problem, domain.Grid(points), Domain(c).Grid(c.Data.Grid))
		}
	}
	if got := Domain(config.Config{Problem: config.Fields}); got != grid.Square {
		t.Errorf("fields live on %s", got.Name())
	}
}

// On a torus of length L the equation of functions of x/L is that of the unit torus with viscosity nu/L at time T/L.
func TestPeriodIsAScale(t *testing.T) {
	unit := config.Reference()
	unit.Data.Grid, unit.Equation.Tolerance = 129, 1e-6
	long := unit
	long.Equation.Length, long.Equation.Time, long.Equation.Parameters = 2, 2, "nu = 0.02"
	var outputs [2]grid.Batch
	for i, c := range []config.Config{unit, long} {
		pairs, err := dataset.Generate(t.Context(), Truth(c), truth.Wanted{Purpose: draw.InputTrain, Count: 8}, 1, nil)
		noError(t, err)
		outputs[i] = pairs.Outputs
	}
	if !slices.Equal(outputs[0].Data, outputs[1].Data) {
		t.Error("the solutions differ")
	}
}
