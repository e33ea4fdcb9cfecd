package ui

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/solver/base/printable"
	"rfm/tui/theme"
)

// A FileInput is a line of text that may be the name of a file: it offers the names that begin with the text.
type FileInput struct {
	text textinput.Model
	more int // files whose names begin with the text, too, but are not offered
}

// NewFileInput returns an input with a text to edit.
func NewFileInput(text string) FileInput { return FileInput{text: NewInput(text)} }

// Value returns the typed text.
func (f *FileInput) Value() string { return f.text.Value() }

// Position returns the place of the cursor in the typed text, in characters.
func (f *FileInput) Position() int { return f.text.Position() }

// SetValue replaces the typed text.
func (f *FileInput) SetValue(text string) { f.text.SetValue(text) }

// Update handles a key or a paste.
func (f *FileInput) Update(msg tea.Msg) {
	f.text = Typing(f.text, msg)
}

// Completes returns the command that completes the name of a file, where one is typed. The input has the key.
func Completes(isFile func() bool) Command {
	return Command{
		Key:  KeyNextTab,
		Word: "complete",
		If:   isFile,
	}
}

// mostOffered is the number of names that are offered at once. A directory of data may have 100,000, and each key would
// take time in proportion; with more letters all of them can be reached.
const mostOffered = 100

// Suggest looks for the names of the files and directories in the directory of the typed text. Hear offers them.
func (f *FileInput) Suggest() tea.Cmd {
	typed := f.Value()
	return func() tea.Msg {
		names, more := filesNamed(typed)
		return suggested{
			input: f,
			typed: typed,
			names: names,
			more:  more,
		}
	}
}

// Hear offers names of files, unless the text has changed since they were looked for.
func (f *FileInput) Hear(msg tea.Msg) {
	found, ok := msg.(suggested)
	if !ok || found.input != f || found.typed != f.Value() {
		return
	}
	f.more = found.more
	f.text.ShowSuggestions = true
	f.text.SetSuggestions(found.names)
}

// filesNamed returns the first completions of a typed name, in which upper and lower case are the same, and how many
// more there are. Behind the name of a file and a blank or a comma, another name is typed.
func filesNamed(typed string) (names []string, more int) {
	first := 0 // the length of the first name with what ends it
	for i, r := range typed {
		if r != ' ' && r != ',' {
			continue
		}
		if info, err := os.Stat(typed[:i]); err == nil && !info.IsDir() {
			first = i + 1
		}
	}
	directory, begin := filepath.Split(typed[first:])
	list, _ := os.ReadDir(cmp.Or(directory, ".")) // a directory that cannot be read has no names
	for _, e := range list {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".")
		if hidden || !strings.HasPrefix(strings.ToLower(name), strings.ToLower(begin)) {
			continue
		}
		if len(names) == mostOffered {
			more++
			continue
		}
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, typed[:first]+directory+name)
	}
	return names, more
}

// Names returns the names that begin with the typed text; the one that tab takes is first and between marks.
func (f *FileInput) Names(th theme.Theme) string {
	names := f.text.MatchedSuggestions()
	if f.Value() == "" {
		names = f.text.AvailableSuggestions()
	}
	if len(names) == 0 || len(names) == 1 && names[0] == f.Value() {
		return ""
	}
	// The index is -1 after "previous" without matches, and stays when the names become fewer.
	at := max(0, min(f.text.CurrentSuggestionIndex(), len(names)-1))
	for i, name := range names {
		names[i] = printable.Line(name)
	}
	if f.Value() != "" {
		left := string(th.Glyphs.FocusLeft)
		right := string(th.Glyphs.FocusRight)
		names[at] = left + names[at] + right
	}
	fromThere := slices.Concat(names[at:], names[:at])
	text := strings.Join(fromThere, "  ")
	if f.more > 0 {
		text += fmt.Sprintf("  and %d more", f.more)
	}
	return text
}

// Typed returns the text as it is typed, with the cursor, in width + 1 cells. It has no suggested letters, from which only
// colours would distinguish it.
func (f *FileInput) Typed(width int) string {
	return Typed(f.text, width)
}
