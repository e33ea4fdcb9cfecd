package config

import "testing"

// The notes of a run recommend train.method = best, whatever the preset says about lambda.
func TestEveryPresetComparesAllMethods(t *testing.T) {
	for _, p := range Presets() {
		c := p.Config
		before := c.Train.Choice
		if err := Assign(&c, "train.method=best"); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Config.Of().Files {
			continue // such a configuration needs the names of its files as well
		}
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if !c.ChoosesLambda() || c.Train.Choice != before {
			t.Errorf("%s: lambda is chosen: %v; train.choice = %s, was %s", p.Name, c.ChoosesLambda(), c.Train.Choice, before)
		}
	}
}

// If lambda is chosen by cross-validation, memory and work are those of this choice, even if train.lambda has a
// value.
func TestCostOfTheChoiceOfLambda(t *testing.T) {
	given, err := PresetByName(Darcy)
	if err != nil {
		t.Fatal(err)
	}
	chosen := given
	chosen.Train.Lambda, chosen.Train.Choice = 0, LeaveOneOut
	best := given
	best.Train.Method = Best
	if got, want := best.Cost(), chosen.Cost(); got != want || got.SolveFlops <= given.Cost().SolveFlops {
		t.Errorf("cost of the method best %+v, want that of a chosen lambda, %+v", got, want)
	}
}

func TestConfigurationsAreMadeFromPresets(t *testing.T) {
	for _, p := range Presets() {
		c := p.Config
		if err := Assign(&c, "train.method=best", "seed=7"); err != nil {
			t.Fatal(err)
		}
		preset, assignments := c.FromPreset()
		made, err := PresetByName(preset)
		if err == nil {
			err = Assign(&made, assignments...)
		}
		if err != nil || made != c || len(assignments) > 2 {
			t.Errorf("%s becomes %s with %q, %v", p.Name, preset, assignments, err)
		}
	}
}
