package session

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/tune"
	"rfm/tui/later"
)

// A Draft is a configuration and its origin.
type Draft struct {
	Config config.Config
	Base   config.Config // as the preset or file has it
	Source string        // name of the preset; empty for another source
	File   string        // name of the file; empty for another source
}

// Preset returns the draft of a preset.
func Preset(p config.Preset) Draft { return Draft{Config: p.Config, Base: p.Config, Source: p.Name} }

// Loaded returns the draft of the configuration in a file. If the file contains pairs, the draft is the problem's
// preset with changes.
func Loaded(name string, c config.Config) Draft {
	if c.Of().Files && filepath.Ext(name) != ".toml" {
		return Draft{Config: c, Source: c.Problem, Base: c.Of().Start()}
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

// Changed returns the keys whose values differ from the preset or file.
func (d Draft) Changed() []config.Key {
	var list []config.Key
	for _, k := range d.Config.Keys() {
		if !k.Same(d.Config, d.Base) {
			list = append(list, k)
		}
	}
	return list
}

// Draft returns the configuration that is edited, with its origin.
func (s *Session) Draft() Draft { return s.draft }

// Config returns the configuration as edited.
func (s *Session) Config() config.Config { return s.draft.Config }

// Edit replaces the draft and remembers the old one. A new problem makes its own preset the base.
func (s *Session) Edit(next Draft) {
	if next.Config.Problem != next.Base.Problem {
		p := preset(func(p config.Preset) bool { return p.Name == next.Config.Problem })
		next.Source, next.File, next.Base = p.Name, "", p.Config
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

// Set changes a parameter of the draft. A file of test pairs ends the split of the training file, whose pairs are then
// counted again. The error is the error of the key.
func (s *Session) Set(k config.Key, text string) error {
	next := s.draft
	err := k.Set(&next.Config, text)
	if err == nil && k.Name == "data.test_file" && next.Config.Of().Files && !k.Same(next.Config, s.draft.Config) {
		found, now := s.draft.Config.Data, &next.Config.Data
		for _, d := range slices.Backward(s.history) {
			if d.Config.Data.TrainFile != found.TrainFile {
				break
			}
			found = d.Config.Data
		}
		if now.TestFile != "" {
			now.Split = 0
		}
		if s.draft.File == "" && now.Train == found.Train && now.Test == found.Test {
			now.Train, now.Test = 0, 0
		}
	}
	if err == nil {
		s.Edit(next)
	}
	return err
}

// Saved records that the draft is in a file.
func (s *Session) Saved(file string) {
	s.draft.Source, s.draft.File, s.draft.Base = "", file, s.draft.Config
}

// CanUndo reports whether a change can be undone.
func (s *Session) CanUndo() bool { return len(s.history) > 0 }

// Undo undoes the last change, if there is one.
func (s *Session) Undo() {
	if last := len(s.history) - 1; last >= 0 {
		s.draft, s.history = s.history[last], s.history[:last]
		s.settle()
	}
}

// settle forgets the outcome of the last job, which was about another draft.
func (s *Session) settle() {
	if s.state >= Paused {
		s.state, s.failure = Idle, nil
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

// Correct asks for the parameter that an error of the draft, or of its data, is about.
func (s *Session) Correct(err error) {
	s.onward = false
	s.Select(faultyKey(s.draft.Config, err))
}

// faultyKey returns the name of the parameter that an error names, or else of the one whose file it names; empty if it
// names neither.
func faultyKey(c config.Config, err error) string {
	if list := Faults(c); len(list) > 0 {
		return list[0].Key
	}
	var wrong *config.Error
	if errors.As(err, &wrong) {
		return wrong.Key
	}
	text, file := err.Error(), ""
	for _, k := range c.Keys() {
		if strings.Contains(text, k.Name) {
			return k.Name
		}
		if value := k.Text(c); k.Kind == config.Path && value != "" && file == "" && strings.Contains(text, value) {
			file = k.Name
		}
	}
	return file
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

// kept is an interrupted search for features of an earlier session.
type kept struct {
	asked  config.Config // the zero value if there is none
	models int
}

// FindKept looks for an interrupted search from the draft; it returns nil if nothing is stored.
func (s *Session) FindKept() tea.Cmd {
	if s.options.Runs == "" || s.draft.Config.Validate() != nil {
		return nil
	}
	name, asked := s.TunedName(), s.draft.Config
	return func() tea.Msg {
		found, search := kept{}, tune.Session{Asked: asked}
		if search.Check(context.Background()) == nil {
			if models, err := search.KeepAs(name); err == nil && models > 0 {
				found = kept{asked, models}
			}
		}
		return later.Then(func() tea.Cmd { s.kept = found; return nil })
	}
}

// Kept returns the number of models that an interrupted search from the draft has tried; 0 if there is none.
func (s *Session) Kept() int {
	if s.kept.asked != s.draft.Config {
		return 0
	}
	return s.kept.models
}

// ForgetKept forgets the interrupted search: it is resumed, or not wanted.
func (s *Session) ForgetKept() { s.kept = kept{} }

// TunedName returns a name for the file of a tuned configuration: NAME-tuned.toml.
func (s *Session) TunedName() string {
	name := cmp.Or(s.draft.Source, strings.TrimSuffix(s.draft.File, ".toml"), s.draft.Config.Problem)
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}
