package config

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestRangesKeepNumbers(t *testing.T) {
	c := textConfig(t, "equation.text=u_t = nu*u_xx - u*u_x", "nu=0.01 in [0.001, 0.1]")
	if c.Equation.Parameters != "nu = 0.01 in [0.001, 0.1]" || c.Equation.Middle().Parameters != "nu = 0.01" {
		t.Errorf("parameters %q, without ranges %q", c.Equation.Parameters, c.Equation.Middle().Parameters)
	}
	if err := Assign(&c, "nu=0.02"); err != nil || c.Equation.Parameters != "nu = 0.02 in [0.001, 0.1]" {
		t.Errorf("another number gives %q, %v", c.Equation.Parameters, err)
	}
	for value, want := range map[string]string{
		"0.2":                     "parameter \"nu\", column 6: nu is outside its range; write a number from 0.001 to 0.1, or a wider range: 0.2 in [0.001, 0.2]",
		"1 in [0, 2":              "column 8: nu is not a range",
		"1 in [2, 0]":             "write the smaller number first: [0, 2]",
		"1 in [zero, 2]":          `has a range from "zero", which is not a number`,
		"sin(x) in [0, 1]":        "has a range but is not a number",
		"log random in [0, 1]":    "has no logarithm at the lower end",
		"log random":              "has no range",
		"random in [0.1, 0.2] on": "is not a range",
	} {
		before := c
		err := Assign(&c, "nu="+value)
		if err == nil || !strings.Contains(err.Error(), want) || c != before {
			t.Errorf("nu=%s: error %v, want %q", value, err, want)
		}
	}
	if err := Assign(&c, "nu=0.2 in [0.001, 0.2]"); err != nil {
		t.Errorf("the remedy is refused: %v", err)
	}
	if again, err := Parse(c.TOML()); err != nil || again != c {
		t.Errorf("%q became %q, %v", c.Equation.Parameters, again.Equation.Parameters, err)
	}
	read, err := Parse([]byte("problem = \"equation\"\n[equation]\ntext = [\"u_t = k*u_xx\", \"k = 2 in [1, 2*pi]\"]\n"))
	if err != nil || read.Equation.Text != "u_t = k*u_xx" || read.Equation.Parameters != "k = 2 in [1, 2*pi]" {
		t.Errorf("a range in the text gives %q and %q, %v", read.Equation.Text, read.Equation.Parameters, err)
	}
}

// Left and right keep a value within its range, and change it by a tenth of itself if the range spans more than a
// decade, else by a twentieth of the range.
func TestStepsStayWithinRanges(t *testing.T) {
	for value, want := range map[string][]string{
		"0.095 in [0.001, 0.1]": {"0.1 in [0.001, 0.1]"},
		"0.01 in [0.001, 0.1]":  {"0.011 in [0.001, 0.1]", "0.012 in [0.001, 0.1]"},
		"1.5 in [1, 2]":         {"1.55 in [1, 2]", "1.6 in [1, 2]"},
		"0.93 in [-1, 1]":       {"1 in [-1, 1]"},
	} {
		c := textConfig(t, "equation.text=u_t = nu*u_xx", "nu="+value)
		var values []string
		for range 2 {
			k, err := c.Lookup("nu")
			if err != nil {
				t.Fatal(err)
			}
			next, ok := k.Neighbour(c, 1)
			if !ok {
				break
			}
			if err := k.Set(&c, next); err != nil {
				t.Fatal(err)
			}
			values = append(values, next)
		}
		if !slices.Equal(values, want) {
			t.Errorf("%s is followed by %q, want %q", value, values, want)
		}
	}
}

func TestRandomNumbersAreInputs(t *testing.T) {
	c := textConfig(t, "equation.text=u_t = d*u_xx - c*u_x", "d=log random in [0.01, 1]", "c=random in [-1, 3]")
	if in, out := c.Channels(); in != 3 || out != 1 || c.InputNames() != "a,c,d" || c.Train.Method != Best {
		t.Errorf("%d inputs %s, %d outputs, method %s", in, c.InputNames(), out, c.Train.Method)
	}
	middle := c.Equation.Middle().Values()
	if d, err := strconv.ParseFloat(middle["d"], 64); err != nil || math.Abs(d-0.1) > 1e-15 || middle["c"] != "1" {
		t.Errorf("in the middle are %v, %v", middle, err)
	}
	if p := c.Equation.Numbers()[1]; math.Abs(p.At(0.25)-math.Pow(10, -1.5)) > 1e-15 || p.Law() != "d is log-uniform between 0.01 and 1" {
		t.Errorf("a quarter of %s is %g", p.Law(), p.At(0.25))
	}
	if err := Assign(&c, "train.method=features"); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "learns from functions alone, and the inputs are a,c,d; try kernel") {
		t.Errorf("random features: %v", err)
	}
	if err := Assign(&c, "train.method=kernel", "equation.steps=3"); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "c is an input, too") {
		t.Errorf("states as inputs: %v", err)
	}
	asked := textConfig(t, "equation.text=u_t = d*u_xx", "d=random in [0, 1]")
	if err := Assign(&asked, "d=random in [0, 2]", "train.method=linear"); err != nil || asked.Train.Method != Linear {
		t.Errorf("method %s, %v", asked.Train.Method, err)
	}
	fixed := textConfig(t, "equation.text=u_t = d*u_xx", "d=random in [0.1, 1]", "equation.initial=sin(2*pi*x)")
	if in, _ := fixed.Channels(); in != 1 || fixed.InputNames() != "d" {
		t.Errorf("without a random function there are %d inputs %s", in, fixed.InputNames())
	}
}

func TestMissingValuesAreAssumed(t *testing.T) {
	c := textConfig(t, "equation.text=u_t = r*u_xx + uxx + foo(u) + u_x", "r=3")
	if names := c.Assume(); names != nil {
		t.Errorf("assumed are %q", names)
	}
	c = textConfig(t, "equation.text=u_t = r*u_xx + k*u", "r=3")
	if names := c.Assume(); !slices.Equal(names, []string{"equation.parameters.k"}) || c.Validate() != nil {
		t.Errorf("assumed are %q, %v", names, c.Validate())
	}
}

func TestConditionsAtSidesChooseAnotherMethodThanFeatures(t *testing.T) {
	walls := []string{"equation.text=u_t = d*u_xx", "d=0.1", "equation.left=u = 0", "equation.right=u = 0"}
	if c := textConfig(t, walls...); c.Train.Method != Best {
		t.Errorf("between sides the method is %s, want %s", c.Train.Method, Best)
	}
	chosen, err := PresetByName(TextEquation)
	if err == nil {
		err = Assign(&chosen, append([]string{"train.method=features"}, walls...)...)
	}
	if err != nil || chosen.Train.Method != RandomFeatures {
		t.Errorf("the method that was asked for became %s, %v", chosen.Train.Method, err)
	}
	c := textConfig(t, walls...)
	if err := Assign(&c, "train.method=features"); err != nil {
		t.Fatal(err)
	}
	if err := Assign(&c, "equation.right=u_x = 0"); err != nil {
		t.Fatal(err)
	}
	if c.Train.Method != RandomFeatures {
		t.Errorf("another condition changed the method that was chosen to %s", c.Train.Method)
	}
}
