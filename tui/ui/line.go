package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// A Line asks for a line of text.
type Line struct {
	Title string
	Verb  string // what enter does
	Files bool   // names of files are suggested
	Opens bool   // the file exists: of a name that only one file begins with, its beginning is enough
	// Try handles the text in the background; force: the user was asked whether a file may be overwritten. After success
	// the dialog closes and accept runs, in Update. An error is shown and the text stays; fs.ErrExist asks the user.
	Try func(ctx context.Context, text string, force bool) (accept func() tea.Cmd, err error)

	dialogs  *Dialogs
	commands []Command
	input    FileInput
	note     string             // an error or a hint
	bad      bool               // the note is an error
	force    string             // the name that may be overwritten
	cancel   context.CancelFunc // cancels the pending Try
}

// Ask opens a dialog with a text to edit.
func (l Line) Ask(dialogs *Dialogs, text string) tea.Cmd {
	l.dialogs = dialogs
	l.input = NewFileInput(text)
	l.cancel = func() {}
	take := Command{Key: KeyEnter, Word: l.Verb, Do: l.take}
	cancel := Command{Key: KeyCancel, Word: "cancel", Do: Now(l.leave)}
	isFile := func() bool { return l.Files }
	l.commands = slices.Concat([]Command{take}, Completes(isFile), []Command{cancel})
	dialogs.Open(&l)
	return l.suggest()
}

// suggest looks for names of files that begin with the typed text.
func (l *Line) suggest() tea.Cmd {
	if !l.Files {
		return nil
	}
	return l.input.Suggest()
}

// Commands implements Dialog, as do Update and View.
func (l *Line) Commands() []Command { return l.commands }

// leave closes the dialog, and stops what it has begun.
func (l *Line) leave() {
	l.cancel()
	l.dialogs.Close(l)
}

// take tries the typed text.
func (l *Line) take() tea.Cmd {
	text := strings.TrimSpace(l.input.Value())
	if text == "" && l.Files {
		l.refuse("type the name of a file")
		return nil
	}
	l.cancel()
	var ctx context.Context
	ctx, l.cancel = context.WithCancel(context.Background())
	try := l.Try
	force := l.force == text
	return func() tea.Msg {
		if l.Opens {
			text = wholeName(text)
		}
		accept, err := try(ctx, text, force)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return tried{
			line:   l,
			text:   text,
			accept: accept,
			err:    err,
		}
	}
}

// refuse shows an error below the text, which stays.
func (l *Line) refuse(why string) {
	l.note = why
	l.bad = true
}

// Hear offers names of files, and handles the outcome of Try.
func (l *Line) Hear(msg tea.Msg) tea.Cmd {
	l.input.Hear(msg)
	outcome, ok := msg.(tried)
	switch {
	case !ok || outcome.line != l:
	case errors.Is(outcome.err, context.Canceled):
	case errors.Is(outcome.err, fs.ErrExist):
		l.refuse("exists already; enter overwrites it")
		l.force = outcome.text
	case outcome.err != nil:
		l.refuse(outcome.err.Error())
	default:
		l.dialogs.Close(l)
		return outcome.accept()
	}
	return nil
}

func (l *Line) Update(msg tea.Msg) tea.Cmd {
	l.input.Update(msg)
	l.note = ""
	l.bad = false
	return l.suggest()
}

func (l *Line) View(c Canvas) string {
	const widest = 76
	width := min(c.Width-2, widest) - around
	th := c.Theme
	title := th.Title.Render(layout.Cut(l.Title, width))
	left := string(th.Glyphs.FocusLeft)
	right := string(th.Glyphs.FocusRight)
	input := left + l.input.Typed(width-promptMargin) + right
	lines := []string{title, input}
	style := th.Muted
	text := l.note
	if text == "" && l.Files {
		text = l.input.Names(c.Theme)
		switch {
		case text != "":
		case l.Opens && l.input.fitsNone():
			text = "no file has a name that begins so"
		default:
			text = "tab completes names"
		}
	}
	if l.bad {
		style = th.Bad
		text = fmt.Sprintf("%c %s", th.Glyphs.Cross, text)
	}
	if text != "" {
		lines = append(lines, layout.Styled(style, layout.Wrap(text, width))...)
	}
	return Box(th, layout.Head(lines, width, c.Height-3), width)
}

// around is the number of cells of a frame, with a blank on each side.
const around = 4

// promptMargin is the number of cells of the line without text: two brackets and the cursor.
const promptMargin = 3

// Box returns lines in a frame, width cells of text wide.
func Box(th theme.Theme, lines []string, width int) string {
	border := lipgloss.RoundedBorder()
	if th.ASCII {
		border = lipgloss.ASCIIBorder()
	}
	frame := lipgloss.NewStyle().
		Border(border).
		BorderForeground(th.Border.GetForeground()).
		Padding(0, 1).
		Width(width + around)
	return frame.Render(strings.Join(lines, "\n"))
}
