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

// embedded returns all presets from files, which it reads at the first call; onePreset one of them, of which there is a
// file, without the others, because a command needs few and all take ten milliseconds.
var (
	embedded  func() []Preset
	onePreset func(name string) Preset
)

func init() { // tables that reading needs name presets, too
	var r presetReader
	embedded = sync.OnceValue(r.all)
	onePreset = r.preset
}

// presetReader reads the files and keeps what it has read. It is safe for concurrent use.
type presetReader struct {
	kept sync.Map // of presets, by their names
}

// all returns the presets of all files in their order.
func (r *presetReader) all() []Preset {
	var all []Preset
	for _, name := range presetNames() {
		all = append(all, r.preset(name))
	}
	slices.SortFunc(all, func(a, b Preset) int { return a.Order - b.Order })
	return all
}

// presetNames returns the names of the files.
func presetNames() []string {
	files, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic("config: " + err.Error())
	}
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".toml"))
	}
	return names
}

// preset returns the preset of a file.
func (r *presetReader) preset(name string) Preset {
	if p, ok := r.kept.Load(name); ok {
		return p.(Preset)
	}
	p, err := r.read(name)
	if err != nil { // although the files are a part of the program
		panic(fmt.Sprintf("config: preset %s: %v", name, err))
	}
	r.kept.Store(name, p)
	return p
}

// presetFile returns a preset's file and its table [about].
func presetFile(name string) (text []byte, about About, err error) {
	text, err = presetFiles.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return nil, About{}, err
	}
	var file struct{ About About }
	err = toml.Unmarshal(text, &file)
	return text, file.About, err
}

// read reads a file. The file with a problem's name has all nonzero settings; the others change some settings of the
// preset that they name, or of their problem, as users' files do.
func (r *presetReader) read(name string) (Preset, error) {
	text, about, err := presetFile(name)
	if err != nil {
		return Preset{}, err
	}
	p := Preset{Name: name, About: about}
	tree, err := decode(text)
	if err != nil {
		return Preset{}, err
	}
	problem, _ := tree["problem"].(string)
	p.Of, _ = tree["preset"].(string)
	if base := cmp.Or(p.Of, problem); base != name {
		p.Config = r.preset(base).Config
	} else {
		features, _ := tree["features"].(map[string]any)
		p.Config.Problem = problem
		p.Config.Features.Kind, _ = features["kind"].(string)
	}
	p.Config, err = apply(p.Config, tree)
	return p, err
}

// Presets lists the presets of all problems, the interface's default first.
func Presets() []Preset { return embedded() }

// An Entry of the catalogue of presets.
type Entry struct {
	Name string
	About
}

// Catalogue lists the presets in the order of Presets, without their configurations, which take ten times as long to read.
func Catalogue() []Entry {
	var all []Entry
	for _, name := range presetNames() {
		_, about, err := presetFile(name)
		if err != nil {
			panic(fmt.Sprintf("config: preset %s: %v", name, err))
		}
		all = append(all, Entry{Name: name, About: about})
	}
	slices.SortFunc(all, func(a, b Entry) int { return a.Order - b.Order })
	return all
}

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

// SameProblem reports whether two configurations learn the same operator, so that their errors can be compared: they have
// the same title, equations the same text, and pairs from a file are those of the same arrays.
func (c Config) SameProblem(as Config) bool {
	isSameFile := c.Data.TrainFile == as.Data.TrainFile
	isSameInput := c.Data.Input == as.Data.Input
	isSameOutput := c.Data.Output == as.Data.Output
	isSameText := c.Equation.Text == as.Equation.Text // all that are no preset have one title
	return c.Title() == as.Title() && isSameText && isSameFile && isSameInput && isSameOutput
}

// Reference returns the paper's Burgers experiment, by which speed is measured.
func Reference() Config { return Problem{Name: "burgers"}.Start() }

// PresetByName finds a preset. The error names the most similar one.
func PresetByName(name string) (Config, error) {
	names := presetNames()
	if slices.Contains(names, name) {
		return onePreset(name).Config, nil
	}
	suggestion := ""
	if similar := Similar(name, names); similar != "" {
		suggestion = fmt.Sprintf("did you mean %q? ", similar)
	}
	return Config{}, &Error{
		Key:        "preset",
		Value:      strconv.Quote(name),
		Problem:    "does not exist",
		Suggestion: suggestion + "`rfm run --help` lists presets, `rfm show` runs",
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
