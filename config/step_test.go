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

// Pairs are on the coarsest grid that suffices: Darcy's fields on the data grid would take 1.2 GB.
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
