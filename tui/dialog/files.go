package dialog

import (
	"cmp"
	"context"
	"io/fs"
	"os"

	tea "charm.land/bubbletea/v2"

	"rfm/model/interchange"
	"rfm/solver/printable"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// Load asks for a configuration file or a file of pairs, and makes it the draft.
func Load(s *session.Session, dialogs *ui.Dialogs) tea.Cmd {
	return Line{Title: "open a configuration or a file of pairs", Verb: "open", Files: true,
		Try: func(ctx context.Context, name string, _ bool) (func() tea.Cmd, error) {
			read, err := s.Load()(ctx, name)
			return ui.Now(func() {
				s.Edit(session.Loaded(name, read))
				s.Select("")
				s.Say("opened " + printable.Line(name))
			}), err
		}}.Ask(dialogs, s.Draft().File)
}

// Save asks for the name of a file for the configuration, and suggests one; empty is the name of the draft's file.
func Save(s *session.Session, dialogs *ui.Dialogs, name string) tea.Cmd {
	text := s.Config().TOML()
	return Line{Title: "save the configuration as", Verb: "save", Files: true,
		Try: func(_ context.Context, name string, force bool) (func() tea.Cmd, error) {
			return ui.Now(func() {
				s.Saved(name)
				s.Say("saved as " + name)
			}), saveConfig(name, text, force)
		}}.Ask(dialogs, cmp.Or(name, s.Draft().File, s.Config().Problem+".toml"))
}

// saveConfig writes a configuration file. It overwrites an existing file only with force; without, the error is
// fs.ErrExist. Other errors are *fault.Data.
func saveConfig(name string, text []byte, force bool) error {
	if _, err := os.Lstat(name); err == nil && !force {
		return fs.ErrExist
	}
	return interchange.Save(name, text, "give another name")
}
