// These tests step through values with the arrow keys.

package config_test

import (
	"testing"

	"rfm/config"
)

func TestNeighboursOfValues(t *testing.T) {
	c := config.Presets()[1].Config
	for _, test := range []struct {
		key       string
		direction int
		want      string
	}{
		{"data.train", 1, "1024"}, {"data.train", -1, "256"},
		{"data.grid", 1, "2049"}, {"data.grid", -1, "513"},
		{"train.grid", 1, "257"}, {"train.grid", -1, "65"}, {"evaluation.grid", 1, "9"},
		{"train.lambda", 1, "1e-12"}, {"features.delta", 1, "0.005"}, {"features.delta", -1, "0.002"},
		{"burgers.time", 1, "2"}, {"features.activation", 1, "relu"}, {"features.activation", -1, "softplus"},
		{"seed", 1, "2"},
	} {
		k, err := c.Lookup(test.key)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := k.Neighbour(c, test.direction); !ok || got != test.want {
			t.Errorf("%s %+d: %q, want %q", test.key, test.direction, got, test.want)
		}
	}
}

// After any arrow the value stays one that the key allows.
func TestNeighboursAreAllowed(t *testing.T) {
	for _, problem := range config.Problems() {
		start, err := config.PresetByName(problem)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range start.Keys() {
			for _, direction := range []int{-1, 1} {
				c := start
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
