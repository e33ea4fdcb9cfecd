package config

import (
	"math"
	"testing"
)

func TestRealNumbersMayBeExpressions(t *testing.T) {
	for text, want := range map[string]float64{"2*pi": 2 * math.Pi, "2 pi": 2 * math.Pi, "pi/2": math.Pi / 2, "1/3": 1. / 3, "-1e-3": -1e-3, "2^3^2": 512,
		"2**0.5": math.Sqrt2, "sqrt(2)": math.Sqrt2, "4*(1 + pi)": 4 * (1 + math.Pi), "1 - 2 - 3": -4, "8/2/2": 2, "-2^2": -4,
		"1e3": 1000} {
		if v, ok := parseReal(text); !ok || math.Abs(v-want) > 1e-14*math.Abs(want) {
			t.Errorf("%s: %g, %v, want %g", text, v, ok, want)
		}
	}
	for _, text := range []string{"", "pi pi pi x", "2*", "(1", "1)", "1/0", "sqrt(-1)", "x", "**2", "2**", "1..2", "2*e", "--", "pie"} {
		if v, ok := parseReal(text); ok {
			t.Errorf("%q is %g", text, v)
		}
	}
	for text, want := range map[string]float64{"300": 300, "5m": 300, "90 s": 90, "1h30m": 5400, "2*60": 120} {
		c, err := PresetByName("kdv")
		if err != nil {
			t.Fatal(err)
		}
		err = Assign(&c, "train.patience="+text)
		if err != nil || c.Train.Patience != want {
			t.Errorf("train.patience=%s: %g, %v, want %g", text, c.Train.Patience, err, want)
		}
	}
	c, err := PresetByName("kdv")
	if err != nil {
		t.Fatal(err)
	}
	if err := Assign(&c, "equation.length=2*pi"); err != nil || c.Equation.Length != 2*math.Pi {
		t.Errorf("%g, %v", c.Equation.Length, err)
	}
	file, err := Parse([]byte("problem = \"equation\"\n[equation]\nlength = \"2*pi\"\n"))
	if err != nil || file.Equation.Length != 2*math.Pi {
		t.Errorf("%g, %v", file.Equation.Length, err)
	}
}
