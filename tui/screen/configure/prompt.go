package configure

import (
	"cmp"
	"context"
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
	"rfm/model/interchange"
	"rfm/solver/printable"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// prompt asks for the name of a file.
type prompt struct {
	title, verb string
	input       textinput.Model
	note        string             // an error or a hint
	bad         bool               // the note is an error
	force       string             // the name that may be overwritten: the user was asked
	cancel      context.CancelFunc // cancels the pending answer
	ask         func(ctx context.Context, name string, force bool) tea.Cmd
}

// configMsg brings a configuration from a file, or the error.
type configMsg struct {
	of     *prompt
	name   string
	config config.Config
	err    error
}

// savedMsg reports that the configuration was written, or the error.
type savedMsg struct {
	of   *prompt
	name string
	err  error
}

func newLoadPrompt(s *session.Session) *prompt {
	load := s.Load()
	p := &prompt{title: "open a configuration or a file of pairs", verb: "open", cancel: func() {},
		input: widget.NewInput(s.Draft().File)}
	p.ask = func(ctx context.Context, name string, _ bool) tea.Cmd {
		return func() tea.Msg {
			c, err := load(ctx, name)
			return configMsg{p, name, c, err}
		}
	}
	return p
}

// newSavePrompt asks for the name of a new configuration file, and suggests one.
func newSavePrompt(s *session.Session, name string) *prompt {
	text := s.Config().TOML()
	p := &prompt{title: "save the configuration as", verb: "save", cancel: func() {}, input: widget.NewInput(name)}
	p.ask = func(_ context.Context, name string, force bool) tea.Cmd {
		return func() tea.Msg { return savedMsg{p, name, saveConfig(name, text, force)} }
	}
	return p
}

// saveConfig writes a configuration file. It overwrites an existing file only with force; without, the error is
// fs.ErrExist. Other errors are *fault.Data.
func saveConfig(name string, text []byte, force bool) error {
	if _, err := os.Lstat(name); err == nil && !force {
		return fs.ErrExist
	}
	return interchange.Save(name, text, "give another name")
}

func (p *prompt) commands() []ui.Command {
	return []ui.Command{{Key: keys.Enter, Word: p.verb, Help: p.title}, completes,
		{Key: keys.Cancel, Word: "cancel", Help: "back to the list"}}
}

// edit handles a key or a paste.
func (p *prompt) edit(c *Screen, msg tea.Msg) tea.Cmd {
	switch widget.Type(&p.input, msg) {
	case keys.Cancel:
		p.cancel()
		c.prompt = nil
		return nil
	case keys.Enter:
		name := strings.TrimSpace(p.input.Value())
		if name == "" {
			p.note, p.bad = "a file name is expected", true
			return nil
		}
		p.cancel()
		var ctx context.Context
		ctx, p.cancel = context.WithCancel(context.Background())
		return p.ask(ctx, name, p.force == name)
	}
	p.note, p.bad = "", false
	return suggest(p.input.Value())
}

// namesMsg brings the names of the files in the directory of the typed text.
type namesMsg struct {
	typed string
	names []string
}

// suggest lists the files and directories in the directory of the typed text.
func suggest(typed string) tea.Cmd {
	return func() tea.Msg {
		directory, begin := filepath.Split(typed)
		list, _ := os.ReadDir(cmp.Or(directory, ".")) // a directory that cannot be read has no names
		var names []string
		for _, e := range list {
			name := e.Name()
			if strings.HasPrefix(name, ".") && !strings.HasPrefix(begin, ".") {
				continue
			}
			if e.IsDir() {
				name += string(filepath.Separator)
			}
			names = append(names, directory+name)
		}
		return namesMsg{typed, names}
	}
}

// suggested hands names to the value or the prompt that is edited.
func (c *Screen) suggested(msg namesMsg) {
	input := c.input
	if c.prompt != nil {
		input = &c.prompt.input
	}
	if input != nil && input.Value() == msg.typed {
		input.ShowSuggestions = true
		input.SetSuggestions(msg.names)
	}
}

// suggestions returns the names that begin with the typed text; the one that tab takes is first and between marks.
func suggestions(on look.Look, input textinput.Model) string {
	names := input.MatchedSuggestions()
	if input.Value() == "" {
		names = input.AvailableSuggestions()
	}
	if len(names) == 0 || len(names) == 1 && names[0] == input.Value() {
		return ""
	}
	at, g := input.CurrentSuggestionIndex(), on.Theme.Glyphs
	for i, name := range names {
		if names[i] = printable.Line(name); i == at && input.Value() != "" {
			names[i] = string(g.FocusLeft) + names[i] + string(g.FocusRight)
		}
	}
	return strings.Join(append(names[at:len(names):len(names)], names[:at]...), "  ")
}

// receive handles the result of a command.
func (c *Screen) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case configMsg:
		if msg.of != c.prompt || errors.Is(msg.err, context.Canceled) {
			return nil // the prompt was closed
		}
		if msg.err != nil {
			c.prompt.fail(msg.err)
			return nil
		}
		c.prompt, c.at.Line = nil, 0
		c.session.Edit(session.Loaded(msg.name, msg.config))
		c.session.Say("opened " + printable.Line(msg.name))
	case savedMsg:
		switch {
		case msg.of != c.prompt && msg.err == nil:
			c.session.Say("saved as " + msg.name)
		case msg.of != c.prompt: // cancelled, and nothing was written
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
	case namesMsg:
		c.suggested(msg)
	}
	return nil
}

// fail shows an error.
func (p *prompt) fail(err error) { p.note, p.bad = err.Error(), true }

// mayOverwrite asks whether a file should be overwritten: the enter key confirms.
func (p *prompt) mayOverwrite(name string) {
	p.note, p.bad, p.force = "exists already; enter overwrites it", true, name
}

// promptMargin is the number of cells of a prompt's line without text: two brackets and the cursor.
const promptMargin = 3

// typed returns the typed text without suggested letters, from which only colours would distinguish it.
func typed(input textinput.Model) string {
	input.SetSuggestions(nil)
	return input.View()
}

// render returns the question, the answer as typed so far, and the note.
func (p *prompt) render(on look.Look, width int) []string {
	th := on.Theme
	lines := []string{th.Title.Render(layout.Cut(p.title, width)),
		string(th.Glyphs.FocusLeft) + typed(p.input) + string(th.Glyphs.FocusRight)}
	style, text := th.Muted, cmp.Or(suggestions(on, p.input), "tab completes names")
	if p.note != "" {
		text = p.note
	}
	if p.bad {
		style, text = th.Bad, fmt.Sprintf("%c %s", th.Glyphs.Cross, text)
	}
	return append(lines, layout.Styled(style, ansi.Wrap(text, width, ""))...)
}
