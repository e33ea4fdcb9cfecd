package config

import "fmt"

// A Preset is a named configuration.
type Preset struct {
	Name    string
	Summary string
	Config  Config
}

// expected are the expected relative test errors that presets give with their seed.
var expected = map[string]float64{
	"quick": 0.0434, "burgers": 0.0329, "burgers-fine": 0.0328, "burgers-tuned": 0.0057,
	"burgers-fno": 0.0796, "burgers-fno-tuned": 0.0074, "darcy": 0.0413,
	"darcy-tuned": 0.0129, "darcy-quick": 0.0469, "advection": 0.0022,
	"advection-variable": 0.5128, "heat": 0.0017, "ks": 0.2473, "navier-stokes": 0.1841,
}

// Expected is the expected relative test error of the preset; 0 if its pairs come from files.
func (p Preset) Expected() float64 { return expected[p.Name] }

// Presets lists the presets of all problems, the interface's default first.
func Presets() []Preset {
	var all []Preset
	for _, p := range problems {
		all = append(all, p.Presets...)
	}
	return all
}

// adapted is a configuration with other Fourier features without their mean, and lambda relative to the largest
// eigenvalue.
func adapted(c Config, f Features, relative float64) Config {
	f.Kind, f.Count, f.Gain, f.Mean = c.Features.Kind, c.Features.Count, 1, RemoveMean
	c.Features = f
	c.Train.Relative = relative
	return c
}

// Reference is the paper's experiment by which speed is measured: Burgers' equation.
func Reference() Config { return burgers.Start() }

// PresetByName finds a preset. The error lists those there are.
func PresetByName(name string) (Config, error) {
	presets := Presets()
	names := make([]string, len(presets))
	for i, p := range presets {
		if p.Name == name {
			return p.Config, nil
		}
		names[i] = p.Name
	}
	return Config{}, &Error{Key: "preset", Value: fmt.Sprintf("%q", name),
		Problem:    fmt.Sprintf("does not exist: there are %q", names),
		Suggestion: fmt.Sprintf("did you mean %q?", nearestOf(name, names))}
}
