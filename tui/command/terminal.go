// This file finds out what the terminal can show.

package command

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"rfm/tui/shell"
)

// terminalReport is what is known about the terminal without asking it anything.
type terminalReport struct {
	Terminal bool   `json:"terminal"` // standard input and output are one
	Term     string `json:"term"`     // its kind
	Colors   string `json:"colours"`  // none, 16, 256 or 24 bits
	Width    int    `json:"width"`    // cells; 0 if there is no terminal
	Height   int    `json:"height"`
	Unicode  bool   `json:"unicode"` // the locale is UTF-8, as far as it says
	Remote   bool   `json:"remote"`  // it is at the other end of an SSH connection
}

// inspectTerminal describes the terminal. Its own answers to queries, which only a program that draws on it waits for,
// may add colours.
func (a *app) inspectTerminal() terminalReport {
	r := terminalReport{Terminal: a.onTerminal(), Term: a.environ.Getenv("TERM"), Colors: "none",
		Unicode: utf8Locale(a.environ),
		Remote:  a.environ.Getenv("SSH_TTY") != "" || a.environ.Getenv("SSH_CONNECTION") != ""}
	if !r.Terminal {
		return r
	}
	switch p := colorprofile.Detect(a.terminal.out, a.environ); {
	case p == colorprofile.TrueColor:
		r.Colors = "24 bits"
	case p == colorprofile.ANSI256:
		r.Colors = "256"
	case p == colorprofile.ANSI:
		r.Colors = "16"
	}
	if f, ok := a.terminal.out.(term.File); ok {
		if width, height, err := term.GetSize(f.Fd()); err == nil {
			r.Width, r.Height = width, height
		}
	}
	return r
}

func (r terminalReport) String() string {
	if !r.Terminal {
		return "none: standard input and output are not both one; the interface needs it, commands do not"
	}
	text := fmt.Sprintf("%s, %dx%d, colours: %s", r.Term, r.Width, r.Height, r.Colors)
	if r.Unicode {
		text += ", UTF-8"
	} else {
		text += ", no UTF-8 locale: drawn in ASCII"
	}
	if r.Remote {
		text += ", over SSH"
	}
	if r.Width < shell.MinWidth || r.Height < shell.MinHeight {
		text += fmt.Sprintf("; too small for the interface, which needs %dx%d", shell.MinWidth, shell.MinHeight)
	}
	return text
}

// onTerminal reports whether there is a terminal on both sides.
func (a *app) onTerminal() bool { return isTerminal(a.terminal.in) && isTerminal(a.terminal.out) }

// drawable reports whether the terminal at hand has a screen to draw on: there is one, and it can move its cursor.
func (a *app) drawable() bool { return a.onTerminal() && a.environ.Getenv("TERM") != "dumb" }

// utf8Locale reports whether the terminal is likely to show more than ASCII: the locale says UTF-8, or says nothing on
// a system where that is the rule.
func utf8Locale(environ tea.EnvMsg) bool {
	term := environ.Getenv("TERM")
	if l := strings.ToLower(locale(environ)); l != "" {
		return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
	}
	return term != "linux" && (os.PathSeparator == '\\' || term != "dumb")
}

// locale is that of characters, if one is set.
func locale(environ tea.EnvMsg) string {
	return cmp.Or(environ.Getenv("LC_ALL"), environ.Getenv("LC_CTYPE"), environ.Getenv("LANG"))
}
