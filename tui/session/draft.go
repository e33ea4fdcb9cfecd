package session

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
)

// A Draft is a configuration and its origin.
type Draft struct {
	Config config.Config
	Base   config.Config // as the preset or file has it
	Source string        // name of the preset; empty for another source
	File   string        // name of the file; empty for another source

	Read config.Config // of own data: as the file was read last
	Told string        // the settings that were changed by then, a line for each
}

// Preset returns the draft of a preset.
func Preset(p config.Preset) Draft { return Draft{Config: p.Config, Base: p.Config, Source: p.Name} }

// Loaded returns the draft of the configuration in a file. If the file contains pairs, the draft is the problem's
// preset with changes.
func Loaded(name string, c config.Config) Draft {
	if c.Of().Files && filepath.Ext(name) != ".toml" {
		return Draft{Config: c, Source: c.Problem, Base: c.Of().Start(), Read: c}
	}
	return Draft{Config: c, Base: c, File: name}
}

// Origin returns the name of the preset or file that the draft comes from.
func (d Draft) Origin() string { return cmp.Or(d.Source, d.File, "custom") }

// Summary describes the preset or file.
func (d Draft) Summary() string {
	if p := preset(func(p config.Preset) bool { return p.Name == d.Source }); p.Name != "" {
		return p.Summary
	}
	if d.File != "" {
		return "the configuration file " + d.File
	}
	return "a preset, changed by the command line or a file"
}

// Draft returns the configuration that is edited, with its origin.
func (s *Session) Draft() Draft { return s.draft }

// Config returns the configuration as edited.
func (s *Session) Config() config.Config { return s.draft.Config }

// Edit replaces the draft and remembers the old one. A new problem makes its own preset the base.
func (s *Session) Edit(next Draft) {
	if next.Config.Problem != next.Base.Problem {
		next.Source = next.Config.Problem
		next.File = ""
		next.Base = next.Config.Of().Start()
	}
	s.settle()
	if next == s.draft {
		return
	}
	const most = 100
	s.history = append(s.history, s.draft)
	s.history = s.history[max(0, len(s.history)-most):]
	s.draft = next
}

// Set changes a parameter of the draft. With another file of test pairs those of the training file are counted again,
// unless somebody has set their number. The error is the error of the key.
func (s *Session) Set(k config.Key, text string) error {
	next := s.draft
	err := k.Set(&next.Config, text)
	if err != nil {
		return err
	}
	namesTests := k.Name == "data.test_file" && next.Config.Of().Files && !k.Same(next.Config, s.draft.Config)
	if namesTests && s.draft.File == "" && s.countsOfFile() {
		next.Config.Data.Train = 0
		next.Config.Data.Test = 0
	}
	s.Edit(next)
	return nil
}

// countsOfFile reports whether the numbers of pairs are still those that were found in the training file.
func (s *Session) countsOfFile() bool {
	now := s.draft.Config.Data
	found := now
	for _, d := range slices.Backward(s.history) {
		if d.Config.Data.TrainFile != now.TrainFile {
			break
		}
		found = d.Config.Data
	}
	return now.Train == found.Train && now.Test == found.Test
}

// Reread replaces the draft by what follows from its file, read again with the settings told, unless it was edited
// meanwhile. Nothing is to be undone: it belongs to the last change.
func (s *Session) Reread(asked Draft, c config.Config, told string) bool {
	if s.draft != asked {
		return false
	}
	if c.Problem != s.draft.Base.Problem {
		s.draft.Source = c.Problem
		s.draft.Base = c.Of().Start()
	}
	s.draft.Config = c
	s.draft.Read = c
	s.draft.Told = told
	return true
}

// Saved records that the draft is in a file.
func (s *Session) Saved(file string) {
	s.draft.Source = ""
	s.draft.File = file
	s.draft.Base = s.draft.Config
}

// CanUndo reports whether a change can be undone.
func (s *Session) CanUndo() bool { return len(s.history) > 0 }

// Undo undoes the last change, if there is one.
func (s *Session) Undo() {
	if last := len(s.history) - 1; last >= 0 {
		s.draft = s.history[last]
		s.history = s.history[:last]
		s.settle()
	}
}

// settle forgets the outcome of the last job, which was about another draft.
func (s *Session) settle() {
	if s.state >= Cancelled {
		s.state = Idle
		s.failure = nil
	}
}

// Acknowledge forgets that the last job was cancelled or, if everything is set, that it failed.
func (s *Session) Acknowledge(everything bool) {
	if s.state == Cancelled || everything && s.state == Failed {
		s.settle()
	}
}

// Unsaved reports whether the draft was changed here and neither saved nor run.
func (s *Session) Unsaved() bool {
	return s.draft.Config != s.draft.Base && s.CanUndo() && !s.Current()
}

// Correct asks for the parameter that is wrong: the first one of the draft, or else the one that an error names.
func (s *Session) Correct(err error) {
	s.onward = false
	var wrong *config.Error
	if first := s.Fault(); first != nil {
		wrong = first
	} else if !errors.As(err, &wrong) {
		wrong = &config.Error{}
	}
	s.Select(wrong.Key)
}

// Fault returns the first error of the draft; nil if there is none.
func (s *Session) Fault() *config.Error {
	list := Faults(s.draft.Config)
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

// presetOf returns the name of the preset with this configuration; empty if none has it.
func presetOf(c config.Config) string {
	return preset(func(p config.Preset) bool { return p.Config == c }).Name
}

// preset returns the first preset that satisfies a condition; without a name if none does.
func preset(so func(config.Preset) bool) config.Preset {
	if i := slices.IndexFunc(config.Presets(), so); i >= 0 {
		return config.Presets()[i]
	}
	return config.Preset{}
}

// TunedName returns a name for the file of a tuned configuration: NAME-tuned.toml.
func (s *Session) TunedName() string {
	name := cmp.Or(s.draft.Source, strings.TrimSuffix(s.draft.File, ".toml"), s.draft.Config.Title())
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}
