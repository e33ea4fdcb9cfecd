package config

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func TestSettingsWithoutEffectAreNamed(t *testing.T) {
	tests := []struct {
		preset   string
		settings []string
		want     string // the sentence begins with this; empty: every setting has an effect
	}{
		{"burgers", []string{"train.patience=60"}, "train.patience has no effect, because train.method = features"},
		{"burgers", []string{"train.method=kernel", "train.patience=60"}, ""}, // the network is compared
		{"burgers", []string{"train.method=best", "network.width=64"}, "network.width has no effect, because no neural"},
		{"burgers", []string{"train.method=best", "network.width=64", "patience=60"}, ""},
		{"burgers", []string{"train.method=fno", "network.width=64"}, ""},
		{"burgers", []string{"lambda=0.001"}, ""},
		{"burgers", []string{"choice=loo", "lambda=0.001"}, "train.lambda has no effect, because train.choice = loo"},
		{"burgers", []string{"train.method=best", "relative=0.1"}, "train.relative has no effect, because train.method = best"},
		{"burgers", []string{"train.method=best", "choice=given"}, "train.choice has no effect"},
		{"burgers", []string{"lambda=0.001", "rcond=0.01"}, "train.rcond has no effect, because lambda is above 0"},
		{"burgers", []string{"train.method=kernel", "features.count=64"}, ""}, // the features are compared
		{"burgers", []string{"train.method=kernel", "evaluation.baselines=no", "features.count=64", "features.pool=128"},
			"features.count, features.pool have no effect, because train.method = kernel"},
		{"burgers", []string{"nu=random in [0.005, 0.05]", "features.count=64"}, "features.count has no effect, because random features learn functions with one"},
		{"burgers-tuned", []string{"gain=3"}, "features.gain has no effect, because features.rms"},
		{"burgers-tuned", []string{"rms=0", "gain=3"}, ""},
		{"burgers", []string{"theta_file=theta.npy", "features.tau=3"}, "features.tau has no effect, because theta is read"},
		{"darcy", []string{"features.steps=0", "features.eta=0.1"}, "features.eta has no effect, because features.steps = 0"},
		{"burgers", []string{"data.skip=both"}, "data.skip has no effect, because the pairs are generated"},
		{"burgers", []string{"data.skip=both", "train_file=a.npz"}, ""},
		{"burgers", []string{"input.tau=3", "train_file=a.npz", "test_file=b.npz"}, "input.tau has no effect, because all"},
		{"functions", []string{"suspects=leave-out", "train.method=features"}, "data.suspects has no effect"},
		{"functions", []string{"suspects=leave-out"}, ""},
	}
	for _, test := range tests {
		c, err := PresetByName(test.preset)
		if err != nil {
			t.Fatal(err)
		}
		if err := Assign(&c, test.settings...); err != nil {
			t.Errorf("%s %q: %v", test.preset, test.settings, err)
			continue
		}
		var names []string
		for _, setting := range test.settings {
			name, _, _ := strings.Cut(setting, "=")
			names = append(names, name)
		}
		got := strings.Join(c.WithoutEffect(names...), "\n")
		if !strings.HasPrefix(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%s with %q: got %q, want %q", test.preset, test.settings, got, test.want)
		}
	}
}

func TestSettingsWrittenInAFile(t *testing.T) {
	c, err := PresetByName("burgers")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		want []string
	}{
		{"preset = \"burgers\"\nseed = 7\n[train]\npatience = 60\n[equation.parameters]\nnu = 0.02\n",
			[]string{"equation.parameters.nu", "seed", "train.patience"}},
		{string(c.TOML()), nil}, // every setting, as in a stored run
		{"preset = \"burgers\"\nwrong = 1\n", nil},
		{"no TOML", nil},
	}
	for _, test := range tests {
		if got := Written([]byte(test.text)); !slices.Equal(got, test.want) {
			t.Errorf("%.40q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// A pattern that matches no key would silently find nothing.
func TestPatternsOfSettingsMatchKeys(t *testing.T) {
	for _, d := range dependences {
		for _, pattern := range d.names {
			matches := slices.ContainsFunc(keys, func(k Key) bool {
				ok, err := path.Match(pattern, k.Name)
				return ok && err == nil
			})
			if !matches {
				t.Errorf("%q matches no setting, want at least one", pattern)
			}
		}
	}
}

// Presets set nothing in vain that a reader of the file would take for an effect.
func TestUsualSettingsOfDependencesAreValues(t *testing.T) {
	for _, p := range Presets() {
		if got := p.Config.WithoutEffect("train.patience", "network.width", "data.skip", "data.suspects"); got != nil {
			t.Errorf("%s: got %q, want nothing about settings that the preset leaves as they are", p.Name, got)
		}
	}
}
