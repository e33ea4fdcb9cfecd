package config

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// Every value of a search is valid for its key, and every searched key is marked as tuned.
func TestSearchesStayWithinTheKeys(t *testing.T) {
	for _, p := range Presets() {
		for _, k := range p.Config.Keys() {
			s, ok := k.Search(p.Config)
			if !ok {
				continue
			}
			values := s.Values
			if values == nil {
				values = []string{strconv.FormatFloat(s.Low, 'g', -1, 64), strconv.FormatFloat(s.High, 'g', -1, 64)}
				if s.Low >= s.High || s.Log && s.Low <= 0 {
					t.Errorf("%s: %s is searched from %g to %g", p.Name, k.Name, s.Low, s.High)
				}
			}
			for _, text := range values {
				c := p.Config
				if err := k.Set(&c, text); err != nil {
					t.Errorf("%s: %v", p.Name, err)
				}
			}
			if !k.Tuned {
				t.Errorf("%s: %s is searched, but not tuned", p.Name, k.Name)
			}
		}
	}
}

func TestYesAndNo(t *testing.T) {
	for text, want := range map[string]bool{`"yes"`: true, `"no"`: false, "true": true, "false": false, `"Yes"`: true} {
		c, err := Parse([]byte("problem = \"equation\"\n[train]\noffset = " + text + "\n"))
		if err != nil || c.Train.Offset != want {
			t.Errorf("offset = %s: %v, %v", text, c.Train.Offset, err)
		}
		if line := map[bool]string{true: "\noffset = \"yes\" ",
			false: "\noffset = \"no\" "}[want]; !strings.Contains(string(c.TOML()), line) {
			t.Errorf("offset = %s is not written as %q", text, line)
		}
	}
	for _, text := range []string{"1", `"maybe"`, `""`, "0.5"} {
		if _, err := Parse([]byte("problem = \"equation\"\n[train]\noffset = " + text + "\n")); err == nil ||
			!strings.Contains(err.Error(), "must be yes or no") {
			t.Errorf("offset = %s: %v", text, err)
		}
	}
}

func TestSteps(t *testing.T) {
	for _, test := range []struct {
		preset, key, at string
		direction       int
		want            string // empty: there is none
	}{
		{"quick", "seed", "0", -1, ""}, {"quick", "seed", "0", 1, "1"}, {"quick", "seed", "7", -1, "6"},
		{"quick", "seed", strconv.FormatUint(math.MaxUint64, 10), 1, ""},
		{"quick", "data.grid", "129", 1, "257"}, {"quick", "train.grid", "129", -1, "65"},
		{"quick", "evaluation.grid", "9", -1, "0"}, {"quick", "evaluation.grid", "0", 1, "9"},
		{"quick", "data.train", "256", 1, "512"}, {"quick", "data.train", "1", -1, ""},
		{"quick", "train.offset", "no", 1, "yes"}, {"quick", "features.mean", "remove", 1, "keep"},
		{"quick", "features.activation", "elu", 1, "relu"}, {"quick", "features.activation", "elu", -1, "softplus"},
		{"quick", "features.delta", "0.0025", 1, "0.005"}, {"quick", "features.delta", "0.0025", -1, "0.002"},
		{"quick", "features.beta", "4", 1, "5"}, {"quick", "train.lambda", "0", 1, "1e-12"},
		{"quick", "train.lambda", "0", -1, ""},
		{"darcy", "features.sweeps", "2", 1, "3"}, {"darcy", "features.sweeps", "1", -1, ""},
		{"darcy", "features.sweeps", "16", 1, ""},
		{"darcy", "features.minus", "-1", 1, "-0.5"},
		{"quick", "equation.parameters.nu", "0.01", 1, "0.011"}, {"quick", "equation.parameters.nu", "0.01", -1, "0.009"},
		{"quick", "equation.parameters.nu", "0", -1, "-0.1"}, {"quick", "equation.parameters.nu", "-0.5", 1, "-0.45"},
		{"quick", "equation.parameters.nu", "0.0107", -1, "0.01"}, {"quick", "equation.parameters.nu", "0.95", 1, "1"},
		{"quick", "equation.parameters.nu", "sin(x)", 1, ""}, {"quick", "equation.time", "9", 1, "10"},
		{"quick", "equation.time", "1", 1, "1.1"}, {"quick", "equation.time", "1e6", 1, ""},
	} {
		c, err := PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		k, err := c.Lookup(test.key)
		if err == nil {
			err = k.Set(&c, test.at)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := k.Neighbour(c, test.direction); ok != (test.want != "") || ok && got != test.want {
			t.Errorf("%s = %s, %+d: %s, %v; want %q", test.key, test.at, test.direction, got, ok, test.want)
		}
	}
}

// Steps of a tenth lead back on the same numbers, over nine powers of ten.
func TestTenthsLeadBack(t *testing.T) {
	for _, direction := range []int{1, -1} {
		value := 1e-3
		var passed []float64
		for range 200 {
			passed = append(passed, value)
			next := tenth(value, direction)
			if ratio := next / value; ratio < 0.85 || ratio > 1.15 || (next > value) != (direction > 0) {
				t.Fatalf("%g after %g", next, value)
			}
			value = next
		}
		for i := len(passed) - 1; i >= 0; i-- {
			value = tenth(value, -direction)
			if value != passed[i] {
				t.Fatalf("%g on the way back, not %g", value, passed[i])
			}
		}
	}
}

// After any step the value stays one that the key allows.
func TestNeighboursAreAllowed(t *testing.T) {
	for _, problem := range problems {
		for _, k := range problem.Start().Keys() {
			for _, direction := range []int{-1, 1} {
				c := problem.Start()
				for range 80 {
					text, ok := k.Neighbour(c, direction)
					if !ok {
						break
					}
					if err := k.Set(&c, text); err != nil {
						t.Errorf("%s %+d: %v", k.Name, direction, err)
						break
					}
				}
			}
		}
	}
}

// Pairs are stored on the coarsest grid that suffices, because Darcy's fields on the data grid would take 1.2 GB.
func TestGridsOfPairs(t *testing.T) {
	for _, test := range []struct {
		preset            string
		data, train, test int
		want              int
	}{
		{"burgers", 1025, 129, 0, 129},
		{"darcy", 257, 33, 0, 33},
		{"darcy", 257, 33, 65, 65},
		{"burgers", 193, 33, 49, 97}, // 49 does not contain 33
		{"burgers", 129, 129, 33, 129},
		{"burgers", 97, 65, 0, 97}, // refused by Validate
	} {
		c, err := PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		c.Data.Grid, c.Train.Grid, c.Evaluation.Grid = test.data, test.train, test.test
		if got := c.TestPairsGrid(c.Data.Grid); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}
