// Package tuitest helps tests of the interface: it makes small configurations, carries out commands of Bubble Tea, and compares
// drawn text with reviewed files.
package tuitest

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
)

// Tiny returns a configuration that runs in a fraction of a second, without other methods.
func Tiny(t testing.TB, assignments ...string) config.Config {
	return Of(t, "quick", append([]string{"data.train=40", "data.test=24", "features.count=48", "data.grid=129",
		"train.grid=33", "tolerance=1e-3", "evaluation.baselines=no"}, assignments...)...)
}

// Of returns a preset with other values of some keys.
func Of(t testing.TB, preset string, assignments ...string) config.Config {
	t.Helper()
	c, err := config.PresetByName(preset)
	if err != nil {
		t.Fatal(err)
	}
	return With(t, c, assignments...)
}

// With returns a configuration with other values of some keys.
func With(t testing.TB, c config.Config, assignments ...string) config.Config {
	t.Helper()
	if err := config.Assign(&c, assignments...); err != nil {
		t.Fatal(err)
	}
	return c
}

// Settle runs a command of a session and all that follow from it. Hear handles its messages.
func Settle(hear func(tea.Msg) tea.Cmd, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			Settle(hear, c)
		}
	default:
		Settle(hear, hear(msg))
	}
}
