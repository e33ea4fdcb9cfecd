package config

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// A Preset is a named configuration.
type Preset struct {
	Name    string
	Summary string
	Config  Config
	About
}

// About is the table [about] of a preset file, which configurations may have and which changes nothing.
type About struct {
	Source   string  // paper, equation
	Solution string  // an exact one; empty: none is known
	Note     string  // why these values, and what the map is like
	Error    float64 // expected relative test error with the seed of the preset
	order    int     // in lists
}

//go:embed presets/*.toml
var presetFiles embed.FS

// embedded are the presets from files, once they are asked for.
var embedded func() []Preset

func init() { embedded = sync.OnceValue(readPresets) } // tables that it needs name presets, too

func readPresets() []Preset {
	names, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic("config: " + err.Error())
	}
	var all []Preset
	for _, file := range names {
		text, err := presetFiles.ReadFile("presets/" + file.Name())
		if err != nil {
			panic("config: " + err.Error())
		}
		tree, err := decode(text)
		if err != nil {
			panic(fmt.Sprintf("config: %s: %v", file.Name(), err))
		}
		p := Preset{Name: strings.TrimSuffix(path.Base(file.Name()), ".toml")}
		about, _ := tree["about"].(map[string]any)
		p.Summary, _ = about["summary"].(string)
		p.Source, _ = about["source"].(string)
		p.Solution, _ = about["solution"].(string)
		p.Note, _ = about["note"].(string)
		p.Error, _ = about["error"].(float64)
		order, _ := about["order"].(int64)
		p.order = int(order)
		problem, _ := tree["problem"].(string)
		if p.Config, err = apply(problemNamed(problem).Defaults, tree); err != nil {
			panic(fmt.Sprintf("config: %s: %v", file.Name(), err))
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Preset) int { return cmp.Compare(a.order, b.order) })
	return all
}

// presets are those of the problem.
func (p Problem) presets() []Preset {
	all := slices.Clone(p.Presets)
	for _, preset := range embedded() {
		if preset.Config.Problem == p.Name {
			all = append(all, preset)
		}
	}
	return all
}

// expected are the expected relative test errors that presets give with their seed.
var expected = map[string]float64{
	"quick": 0.0434, "burgers": 0.0329, "burgers-fine": 0.0328, "burgers-tuned": 0.0057,
	"burgers-fno": 0.0796, "burgers-fno-tuned": 0.0074, "darcy": 0.0413,
	"darcy-tuned": 0.0129, "darcy-quick": 0.0469, "equation": 0.0153,
}

// Expected is the expected relative test error of the preset; 0 if its pairs come from files.
func (p Preset) Expected() float64 { return cmp.Or(p.Error, expected[p.Name]) }

// Presets lists the presets of all problems, the interface's default first.
func Presets() []Preset {
	var all []Preset
	for _, p := range problems {
		all = append(all, p.presets()...)
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
		Suggestion: fmt.Sprintf("did you mean %q?", Nearest(name, names))}
}
