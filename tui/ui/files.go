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
	// what the arrow keys choose from, the typed text before the names; nil before the first of them
	choices []string
	chosen  int    // index in choices
	looked  string // the text with which the names begin that are offered
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
	press, _ := msg.(tea.KeyPressMsg)
	switch press.Code {
	case tea.KeyUp:
		f.choose(-1)
		return
	case tea.KeyDown:
		f.choose(1)
		return
	}
	hasChosen := f.choices != nil
	f.choices = nil
	if hasChosen && press.Code == tea.KeyTab { // the text is a whole name already: below a directory, others are looked for
		return
	}
	f.text = Typing(f.text, msg)
}

// choose puts the next or the previous name in place of the typed text, which comes back after the last.
func (f *FileInput) choose(direction int) {
	if f.choices == nil {
		names := f.names()
		if len(names) == 0 {
			return
		}
		f.choices = append([]string{f.Value()}, names...)
		f.chosen = 0
		if f.Value() != "" && len(names) > 1 {
			f.chosen = 1 // the first name has the marks already, see Names
		}
	}
	count := len(f.choices)
	f.chosen = (f.chosen + direction + count) % count
	f.text.SetValue(f.choices[f.chosen])
	f.text.CursorEnd()
}

// names returns the names that begin with the typed text.
func (f *FileInput) names() []string {
	if f.Value() == "" {
		return f.text.AvailableSuggestions()
	}
	return f.text.MatchedSuggestions()
}

// wholeName returns the name of the file that is meant by a text: the text itself, if there is such a file, else the only
// name that begins with it.
func wholeName(text string) string {
	if _, err := os.Stat(text); err == nil {
		return text
	}
	names, more := filesNamed(text)
	if len(names) == 1 && more == 0 {
		return names[0]
	}
	return text
}

// fitsNone reports whether no name begins with the typed text, as far as they have been looked for.
func (f *FileInput) fitsNone() bool {
	return f.Value() != "" && f.looked == f.Value() && len(f.names()) == 0
}

// Completes returns the commands that complete or choose the name of a file, where one is typed. The input has their keys.
func Completes(isFile func() bool) []Command {
	return []Command{
		{Key: KeyNextTab, Word: "complete", If: isFile},
		{Key: KeyUp, Word: "choose", If: isFile},
		{Key: KeyDown, Word: "choose", If: isFile},
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
	if !ok || found.input != f || found.typed != f.Value() || f.choices != nil {
		return
	}
	f.more = found.more
	f.looked = found.typed
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

// Names returns the names that begin with the typed text; the one that tab takes, or that was chosen, is first and between
// marks.
func (f *FileInput) Names(th theme.Theme) string {
	names := f.names()
	at := 0
	if f.choices != nil {
		names = slices.Clone(f.choices[1:])
		at = max(0, f.chosen-1)
	}
	if len(names) == 0 || len(names) == 1 && names[0] == f.Value() {
		return ""
	}
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
