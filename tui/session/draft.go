package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
)

// A Draft is what is being configured: its version of now, and those before, which Undo restores.
type Draft struct {
	now     Version
	history []Version // the newest last
	changes int       // number of edits and restorations, also of those that changed nothing
}

func newDraft(c config.Config) *Draft {
	return &Draft{now: Version{
		Config: c,
		Base:   c,
		Source: presetOf(c),
		Read:   c,
	}}
}

// Version returns the configuration that is edited, with its origin.
func (d *Draft) Version() Version { return d.now }

// Changes returns a number that every change makes larger, so that what is about another draft can be told.
func (d *Draft) Changes() int { return d.changes }

// Config returns the configuration as edited.
func (d *Draft) Config() config.Config { return d.now.Config }

// Edit replaces the draft and remembers the old one. A new problem makes its own preset the base.
func (d *Draft) Edit(next Version) {
	if next.Config.Problem != next.Base.Problem {
		next.Source = next.Config.Problem
		next.File = ""
		next.Base = next.Config.Of().Start()
	}
	d.changes++
	if next == d.now {
		return
	}
	const most = 100
	d.history = append(d.history, d.now)
	d.history = d.history[max(0, len(d.history)-most):]
	d.now = next
}

// Set changes a parameter of the draft. With another file of test pairs those of the training file are counted again,
// unless somebody has set their number. The error is the error of the key.
func (d *Draft) Set(k config.Key, text string) error {
	next := d.now
	err := k.Set(&next.Config, text)
	if err != nil {
		return err
	}
	namesTests := k.Name == "data.test_file" && next.Config.Of().Files
	isChange := !k.Same(next.Config, d.now.Config)
	if namesTests && isChange && d.now.File == "" && d.countsOfFile() {
		next.Config.Data.Train = 0
		next.Config.Data.Test = 0
	}
	d.Edit(next)
	return nil
}

// countsOfFile reports whether the numbers of pairs are still those that were found in the training file.
func (d *Draft) countsOfFile() bool {
	now := d.now.Config.Data
	found := now
	for _, before := range slices.Backward(d.history) {
		if before.Config.Data.TrainFile != now.TrainFile {
			break
		}
		found = before.Config.Data
	}
	return now.Train == found.Train && now.Test == found.Test
}

// Reread replaces the draft by what follows from its file, read again with the settings told, unless it was edited
// meanwhile. Nothing is to be undone: it belongs to the last change.
func (d *Draft) Reread(asked Version, c config.Config, told string) bool {
	if d.now != asked {
		return false
	}
	if c.Problem != d.now.Base.Problem {
		d.now.Source = c.Problem
		d.now.Base = c.Of().Start()
	}
	d.now.Config = c
	d.now.Read = c
	d.now.Told = told
	return true
}

// Saved records that the draft is in a file.
func (d *Draft) Saved(file string) {
	d.now.Source = ""
	d.now.File = file
	d.now.Base = d.now.Config
}

// CanUndo reports whether a change can be undone.
func (d *Draft) CanUndo() bool { return len(d.history) > 0 }

// Undo undoes the last change, if there is one.
func (d *Draft) Undo() {
	last := len(d.history) - 1
	if last >= 0 {
		d.now = d.history[last]
		d.history = d.history[:last]
		d.changes++
	}
}

// Fault returns the first error of the draft; nil if there is none.
func (d *Draft) Fault() *config.Error {
	list := Faults(d.now.Config)
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Faults returns all errors of a configuration.
func Faults(c config.Config) []*config.Error {
	err := c.Validate()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var list []*config.Error
	for _, e := range joined.Unwrap() {
		if e, ok := e.(*config.Error); ok {
			list = append(list, e)
		}
	}
	return list
}

// TunedName returns a name for the file of a tuned configuration: NAME-tuned.toml.
func (d *Draft) TunedName() string {
	file := strings.TrimSuffix(d.now.File, ".toml")
	name := cmp.Or(d.now.Source, file, d.now.Config.Title())
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}

// A Version of the draft is a configuration and its origin.
type Version struct {
	Config config.Config
	Base   config.Config // as the preset or file has it
	Source string        // name of the preset; empty for another source
	File   string        // name of the file; empty for another source

	Read config.Config // of own data: as the file was read last
	Told string        // the settings that were changed by then, a line for each
}

// Preset returns the version of a preset.
func Preset(p config.Preset) Version {
	return Version{
		Config: p.Config,
		Base:   p.Config,
		Source: p.Name,
	}
}

// Loaded returns the version of the configuration in a file. If the file contains pairs, its source is the problem, and
// the settings that follow from the pairs are not changes of it.
func Loaded(name string, c config.Config) Version {
	if c.Of().Files && filepath.Ext(name) != ".toml" {
		return Version{
			Config: c,
			Source: c.Problem,
			Base:   c,
			Read:   c,
		}
	}
	return Version{
		Config: c,
		Base:   c,
		File:   name,
	}
}

// Origin returns the name of the preset or file that the draft comes from.
func (d Version) Origin() string {
	return cmp.Or(d.Source, d.File, "custom")
}

// Summary describes the preset or file.
func (d Version) Summary() string {
	p := preset(func(p config.Preset) bool { return p.Name == d.Source })
	if p.Name != "" {
		return p.Summary
	}
	if d.File != "" {
		return "the configuration file " + d.File
	}
	return "a preset, changed by the command line or a file"
}

// presetOf returns the name of the preset with this configuration; empty if none has it.
func presetOf(c config.Config) string {
	return preset(func(p config.Preset) bool { return p.Config == c }).Name
}

// preset returns the first preset that satisfies a condition; without a name if none does.
func preset(isWanted func(config.Preset) bool) config.Preset {
	i := slices.IndexFunc(config.Presets(), isWanted)
	if i >= 0 {
		return config.Presets()[i]
	}
	return config.Preset{}
}
