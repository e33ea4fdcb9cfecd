// Package dialog contains the dialogs that several screens open.
package dialog

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/model/show/interchange"
	"rfm/solver/base/printable"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// A Line asks for a line of text.
type Line struct {
	Title, Verb string
	Files       bool // names of files are suggested
	// Try handles the text in the background; force: the user was asked whether a file may be overwritten. After success
	// the dialog closes and accept runs, in Update. An error is shown and the text stays; fs.ErrExist asks the user.
	Try func(ctx context.Context, text string, force bool) (accept func() tea.Cmd, err error)

	dialogs *ui.Dialogs
	input   FileInput
	note    string             // an error or a hint
	bad     bool               // the note is an error
	force   string             // the name that may be overwritten
	cancel  context.CancelFunc // cancels the pending Try
}

// Ask opens a dialog with a text to edit.
func (l Line) Ask(dialogs *ui.Dialogs, text string) tea.Cmd {
	l.dialogs = dialogs
	l.input = NewFileInput(text)
	l.cancel = func() {}
	dialogs.Open(&l)
	return l.suggest()
}

// suggest looks for names of files that begin with the typed text.
func (l *Line) suggest() tea.Cmd {
	if !l.Files {
		return nil
	}
	return l.input.Suggest(l.dialogs, l)
}

// Commands implements ui.Dialog, as do Update and View.
func (l *Line) Commands() []ui.Command {
	list := []ui.Command{{Key: keys.Enter, Word: l.Verb, Do: l.take}}
	if l.Files {
		list = append(list, Completes)
	}
	return append(list, ui.Command{Key: keys.Cancel, Word: "cancel", Do: ui.Now(func() {
		l.cancel()
		l.dialogs.Close(l)
	})})
}

// take tries the typed text.
func (l *Line) take() tea.Cmd {
	text := strings.TrimSpace(l.input.Value())
	if text == "" && l.Files {
		l.note, l.bad = "a file name is expected", true
		return nil
	}
	l.cancel()
	var ctx context.Context
	ctx, l.cancel = context.WithCancel(context.Background())
	try, force := l.Try, l.force == text
	return func() tea.Msg {
		accept, err := try(ctx, text, force)
		return l.dialogs.Then(l, func() tea.Cmd { return l.tried(text, accept, cmp.Or(ctx.Err(), err)) })
	}
}

// tried handles the outcome of Try.
func (l *Line) tried(text string, accept func() tea.Cmd, err error) tea.Cmd {
	switch {
	case errors.Is(err, context.Canceled):
	case errors.Is(err, fs.ErrExist):
		l.note, l.bad, l.force = "exists already; enter overwrites it", true, text
	case err != nil:
		l.note, l.bad = err.Error(), true
	default:
		l.dialogs.Close(l)
		return accept()
	}
	return nil
}

func (l *Line) Update(msg tea.Msg) tea.Cmd {
	l.input.Update(msg)
	l.note, l.bad = "", false
	return l.suggest()
}

func (l *Line) View(c ui.Canvas) string {
	const widest, around = 76, 4
	width := min(c.Width-2, widest) - around
	th := c.Theme
	lines := []string{th.Title.Render(layout.Cut(l.Title, width)),
		string(th.Glyphs.FocusLeft) + l.input.Typed(width-promptMargin) + string(th.Glyphs.FocusRight)}
	style, text := th.Muted, l.note
	if text == "" && l.Files {
		text = cmp.Or(l.input.Names(c.Theme), "tab completes names")
	}
	if l.bad {
		style, text = th.Bad, fmt.Sprintf("%c %s", th.Glyphs.Cross, text)
	}
	if text != "" {
		lines = append(lines, layout.Styled(style, layout.Wrap(text, width))...)
	}
	return Box(th, layout.Head(lines, width, c.Height-3), width)
}

// promptMargin is the number of cells of the line without text: two brackets and the cursor.
const promptMargin = 3

// Box returns lines in a frame, width cells of text wide.
func Box(th theme.Theme, lines []string, width int) string {
	border := lipgloss.RoundedBorder()
	if th.ASCII {
		border = lipgloss.ASCIIBorder()
	}
	const around = 4 // the frame and a blank on each side
	return lipgloss.NewStyle().Border(border).BorderForeground(th.Border.GetForeground()).Padding(0, 1).
		Width(width + around).Render(strings.Join(lines, "\n"))
}

// Load asks for a configuration file or a file of pairs, and makes it the draft.
func Load(s *session.Session, dialogs *ui.Dialogs) tea.Cmd {
	return Line{Title: "open a configuration, pairs, or inputs and outputs", Verb: "open", Files: true,
		Try: func(ctx context.Context, name string, _ bool) (func() tea.Cmd, error) {
			read, err := s.Options().Load(ctx, name)
			return ui.Now(func() {
				s.Edit(session.Loaded(name, read))
				s.Select("")
				s.Say("opened " + printable.Line(name))
			}), err
		}}.Ask(dialogs, s.Draft().File)
}

// Save asks for the name of a file for the configuration, and suggests one.
func Save(s *session.Session, dialogs *ui.Dialogs) tea.Cmd {
	text := s.Config().TOML()
	return Line{Title: "save the configuration as", Verb: "save", Files: true,
		Try: func(_ context.Context, name string, force bool) (func() tea.Cmd, error) {
			if _, err := os.Lstat(name); err == nil && !force {
				return nil, fs.ErrExist
			}
			return ui.Now(func() {
				s.Saved(name)
				s.Say("saved as " + name)
			}), interchange.Save(name, text, "or give another name")
		}}.Ask(dialogs, cmp.Or(s.Draft().File, s.Config().Title()+".toml"))
}
