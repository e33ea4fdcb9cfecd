package config

import (
	"cmp"
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// A Preset is a named configuration.
type Preset struct {
	Name   string
	Of     string // the preset that it varies; empty: none
	Config Config
	About
}

// About is the table [about] of a preset file. Configurations may have one, without effect.
type About struct {
	Summary  string
	Source   string   // paper, equation
	Solution string   // exact solution; empty: none is known
	Note     string   // the choice of these values, and properties of the map
	Try      []string // sentences that say what to change, and what is seen then
	Error    float64  // expected relative test error with the seed of the preset; 0 if its pairs come from files
	Order    int      // position among all presets

	Files     string   // of presets whose pairs come from public files: their names and where they come from
	Published []string // errors of others on the pairs, each behind the name of the method
}

// PublicSet returns the description of the preset that learns the same pairs of the same public files; ok is false if
// there is none.
func (c Config) PublicSet() (about About, ok bool) {
	for _, p := range Presets() {
		if p.Files != "" && p.Config.Problem == c.Problem && p.Config.samePairs(c) {
			return p.About, true
		}
	}
	return About{}, false
}

// samePairs reports whether two configurations name the same parts of files of the same names, in any directory.
func (c Config) samePairs(as Config) bool {
	a := c.Data
	b := as.Data
	isSameTraining := a.Input == b.Input && a.Output == b.Output
	isSameTest := a.TestInput == b.TestInput && a.TestOutput == b.TestOutput
	return isSameTraining && isSameTest && baseNames(a.TrainFile) == baseNames(b.TrainFile)
}

// baseNames returns names of files without their directories, joined by commas as before.
func baseNames(files string) string {
	var all []string
	for name := range strings.SplitSeq(files, ",") {
		all = append(all, filepath.Base(name))
	}
	return strings.Join(all, ",")
}

//go:embed presets/*.toml
var presetFiles embed.FS

// embedded returns the presets from files, which it reads at the first call.
var embedded func() []Preset

func init() { embedded = sync.OnceValue(readPresets) } // tables that it needs name presets, too

// readPresets reads the files. The file with a problem's name has all nonzero settings; the others change some settings
// of the preset that they name, or of their problem, as users' files do.
func readPresets() []Preset {
	names, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic("config: " + err.Error())
	}
	var all []Preset
	var read func(name string) Config
	read = func(name string) Config {
		if i := slices.IndexFunc(all, func(p Preset) bool { return p.Name == name }); i >= 0 {
			return all[i].Config
		}
		p := Preset{Name: name}
		must := func(err error) { // the files are a part of the program
			if err != nil {
				panic(fmt.Sprintf("config: preset %s: %v", name, err))
			}
		}
		text, err := presetFiles.ReadFile("presets/" + name + ".toml")
		must(err)
		must(toml.Unmarshal(text, &struct{ About *About }{&p.About}))
		tree, err := decode(text)
		must(err)
		problem, _ := tree["problem"].(string)
		p.Of, _ = tree["preset"].(string)
		if base := cmp.Or(p.Of, problem); base != name {
			p.Config = read(base)
		} else {
			features, _ := tree["features"].(map[string]any)
			p.Config.Problem = problem
			p.Config.Features.Kind, _ = features["kind"].(string)
		}
		p.Config, err = apply(p.Config, tree)
		must(err)
		all = append(all, p)
		return p.Config
	}
	for _, file := range names {
		read(strings.TrimSuffix(file.Name(), ".toml"))
	}
	slices.SortFunc(all, func(a, b Preset) int { return a.Order - b.Order })
	return all
}

// Presets lists the presets of all problems, the interface's default first.
func Presets() []Preset { return embedded() }

// Title names the operator: the first preset with its equation, with the same parameters if there is one, or else the
// problem. Presets that vary others give no names.
func (c Config) Title() string {
	title := ""
	for _, p := range Presets() {
		e := p.Config.Equation
		isSameProblem := p.Of == "" && p.Config.Problem == c.Problem
		if !isSameProblem || e.Text != c.Equation.Text || e.Bounded() != c.Equation.Bounded() {
			continue
		}
		if e.Parameters == c.Equation.Parameters {
			return p.Name
		}
		title = cmp.Or(title, p.Name)
	}
	return cmp.Or(title, c.Problem)
}

// Reference returns the paper's Burgers experiment, by which speed is measured.
func Reference() Config { return Problem{Name: "burgers"}.Start() }

// PresetByName finds a preset. The error names the most similar one.
func PresetByName(name string) (Config, error) {
	var names []string
	for _, p := range Presets() {
		if p.Name == name {
			return p.Config, nil
		}
		names = append(names, p.Name)
	}
	return Config{}, &Error{
		Key:        "preset",
		Value:      strconv.Quote(name),
		Problem:    "does not exist",
		Suggestion: fmt.Sprintf("did you mean %q? `rfm run --help` lists presets, `rfm show` runs", Nearest(name, names)),
	}
}

// FromPreset describes the configuration by a preset and the assignments with which Assign makes it from that preset: of
// all presets, the one with the fewest. The preset is empty if no preset leads there, because some assignments reset
// other settings.
func (c Config) FromPreset() (preset string, assignments []string) {
	for _, p := range Presets() {
		if p.Config.Problem != c.Problem {
			continue
		}
		changes := assignmentsTo(c, p.Config)
		if preset != "" && len(changes) >= len(assignments) {
			continue
		}
		made := p.Config
		if err := Assign(&made, changes...); err == nil && made == c {
			preset = p.Name
			assignments = changes
		}
	}
	return preset, assignments
}

// assignmentsTo returns an assignment for each key of c whose value differs from that in another configuration.
func assignmentsTo(c, from Config) (assignments []string) {
	for _, k := range c.Keys() {
		if !k.Same(c, from) {
			assignments = append(assignments, k.Name+"="+k.Text(c))
		}
	}
	return assignments
}
