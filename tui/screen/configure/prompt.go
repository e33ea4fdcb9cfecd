package configure

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// prompt is a question for the name of a file.
type prompt struct {
	title, verb string
	input       textinput.Model
	note        string // what is wrong or possible
	bad         bool   // the note is about an error
	force       string // the name that may be overwritten: it was asked about
	ask         func(name string, force bool) tea.Cmd
}

// configMsg brings a configuration from a file, or what is wrong with it.
type configMsg struct {
	name   string
	config config.Config
	err    error
}

// savedMsg says that the configuration was written, or why not.
type savedMsg struct {
	name string
	err  error
}

func newLoadPrompt(s *session.Session) *prompt {
	load := s.Load()
	return &prompt{title: "load the configuration file", verb: "load", input: newInput(s.Draft().File),
		ask: func(name string, _ bool) tea.Cmd {
			return func() tea.Msg {
				c, err := load(name)
				return configMsg{name, c, err}
			}
		}}
}

// newSavePrompt asks under which name to save the configuration, and suggests one.
func newSavePrompt(s *session.Session, name string) *prompt {
	text := s.Config().TOML()
	return &prompt{title: "save the configuration as", verb: "save", input: newInput(name),
		ask: func(name string, force bool) tea.Cmd {
			return func() tea.Msg { return savedMsg{name, saveConfig(name, text, force)} }
		}}
}

// saveConfig writes a configuration file. A file that exists is overwritten only by force; the error is fs.ErrExist
// then, and else a *fault.Data.
func saveConfig(name string, text []byte, force bool) error {
	if _, err := os.Lstat(name); err == nil && !force {
		return fs.ErrExist
	}
	if err := files.WriteFile(name, text); err != nil {
		return &fault.Data{Where: name, What: "cannot be written", Err: err, Do: "give another name"}
	}
	return nil
}

func (p *prompt) commands() []ui.Command {
	return []ui.Command{{Key: keys.Enter, Word: p.verb, Help: p.title}, completes,
		{Key: keys.Cancel, Word: "cancel", Help: "back to the list"}}
}

// edit handles a key or a paste.
func (p *prompt) edit(c *Screen, msg tea.Msg) tea.Cmd {
	if press, ok := msg.(tea.KeyPressMsg); ok {
		name := strings.TrimSpace(p.input.Value())
		switch keys.Lookup(press.String()) {
		case keys.Cancel:
			c.prompt = nil
			return nil
		case keys.Enter:
			if name == "" {
				p.note, p.bad = "a file name is expected", true
				return nil
			}
			return p.ask(name, p.force == name)
		case keys.NextTab:
			return complete(p.input.Value(), func(name string) bool { return filepath.Ext(name) == ".toml" })
		}
	}
	p.note, p.bad = "", false
	updated, _ := p.input.Update(msg)
	p.input = updated
	return nil
}

// completedMsg brings the names that begin with what was typed.
type completedMsg struct {
	typed      string
	candidates []string
}

// complete looks for directories whose names begin with what is typed, and for files that are wanted.
func complete(typed string, wanted func(name string) bool) tea.Cmd {
	return func() tea.Msg {
		directory, begin := filepath.Split(typed)
		list, err := os.ReadDir(orHere(directory))
		if err != nil {
			return completedMsg{typed, nil}
		}
		var names []string
		for _, e := range list {
			name := e.Name()
			switch {
			case !strings.HasPrefix(name, begin) || begin == "" && strings.HasPrefix(name, "."):
			case e.IsDir():
				names = append(names, directory+name+string(filepath.Separator))
			case wanted(name):
				names = append(names, directory+name)
			}
		}
		return completedMsg{typed, names}
	}
}

func orHere(directory string) string {
	if directory == "" {
		return "."
	}
	return directory
}

// receive takes what a command has found out.
func (c *Screen) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case configMsg:
		if msg.err != nil {
			c.prompt.fail(msg.err)
			return nil
		}
		c.prompt, c.at.Line = nil, 0
		c.session.Edit(session.Draft{Config: msg.config, Base: msg.config, File: msg.name})
		c.session.Say("loaded " + msg.name)
	case savedMsg:
		switch {
		case errors.Is(msg.err, fs.ErrExist):
			c.prompt.mayOverwrite(msg.name)
		case msg.err != nil:
			c.prompt.fail(msg.err)
		default:
			c.prompt = nil
			c.session.Saved(msg.name)
			c.session.Say("saved as " + msg.name)
		}
	case checkedMsg:
		c.checked(msg)
	case completedMsg:
		c.prompt.complete(msg)
		return c.completed(msg)
	}
	return nil
}

// fail shows an error, if the prompt is still there.
func (p *prompt) fail(err error) {
	if p != nil {
		p.note, p.bad = err.Error(), true
	}
}

// mayOverwrite asks whether a file should be overwritten: the enter key answers.
func (p *prompt) mayOverwrite(name string) {
	if p != nil {
		p.note, p.bad, p.force = "exists already; enter overwrites it", true, name
	}
}

// common is what all candidates begin with; there is at least one.
func (m completedMsg) common() string {
	common := m.candidates[0]
	for _, name := range m.candidates[1:] {
		for !strings.HasPrefix(name, common) {
			common = common[:len(common)-1]
		}
	}
	return common
}

// complete extends what is typed by what all candidates have in common, and lists them if there are several.
func (p *prompt) complete(found completedMsg) {
	if p == nil || p.input.Value() != found.typed {
		return
	}
	if len(found.candidates) == 0 {
		p.note, p.bad = "no directory or .toml file begins like this", false
		return
	}
	p.input.SetValue(found.common())
	p.input.CursorEnd()
	p.note = ""
	if len(found.candidates) > 1 {
		p.note, p.bad = strings.Join(found.candidates, "  "), false
	}
}

// promptMargin is what of a line of the prompt holds no text: two brackets and the cursor at the end.
const promptMargin = 3

// render is the question, the answer as typed so far, and the note.
func (p *prompt) render(on look.Look, width int) []string {
	th := on.Theme
	lines := []string{th.Title.Render(layout.Cut(p.title, width)),
		string(th.Glyphs.FocusLeft) + p.input.View() + string(th.Glyphs.FocusRight)}
	style, text := th.Muted, "tab completes names"
	if p.note != "" {
		text = p.note
	}
	if p.bad {
		style, text = th.Bad, fmt.Sprintf("%c %s", th.Glyphs.Cross, text)
	}
	return append(lines, layout.Styled(style, ansi.Wrap(text, width, ""))...)
}
