// This file determines the capabilities of the terminal.

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

// inspectTerminal describes the terminal without querying it. Only programs that draw on it wait for its own answers,
// which may add colours.
func (a *app) inspectTerminal() string {
	if !a.onTerminal() {
		return "none: standard input and output are not both one; the interface needs it, commands do not"
	}
	colors := map[colorprofile.Profile]string{colorprofile.TrueColor: "24 bits", colorprofile.ANSI256: "256",
		colorprofile.ANSI: "16"}[colorprofile.Detect(a.terminal.out, a.environ)]
	width, height, _ := size(a.terminal.out)
	text := fmt.Sprintf("%s, %dx%d, colours: %s", a.environ.Getenv("TERM"), width, height, cmp.Or(colors, "none"))
	if !utf8Locale(a.environ) {
		text += ", no UTF-8 locale: drawn in ASCII"
	}
	if a.environ.Getenv("SSH_TTY")+a.environ.Getenv("SSH_CONNECTION") != "" {
		text += ", over SSH"
	}
	if width < shell.MinWidth || height < shell.MinHeight {
		text += fmt.Sprintf("; too small for the interface, which needs %dx%d", shell.MinWidth, shell.MinHeight)
	}
	return text
}

// size returns the current size of a terminal; ok is false if it is unknown.
func size(stream any) (width, height int, ok bool) {
	if f, is := stream.(term.File); is {
		if width, height, err := term.GetSize(f.Fd()); err == nil && width > 1 {
			return width, height, true
		}
	}
	return 0, 0, false
}

// onTerminal reports whether input and output are terminals.
func (a *app) onTerminal() bool { return isTerminal(a.terminal.in) && isTerminal(a.terminal.out) }

// drawable reports whether the terminal has a screen to draw on: input and output are terminals with a cursor to move.
func (a *app) drawable() bool { return a.onTerminal() && a.environ.Getenv("TERM") != "dumb" }

// utf8Locale reports whether the terminal is likely to show more than ASCII: the locale names UTF-8, or names no
// encoding on a system with UTF-8 by default.
func utf8Locale(environ tea.EnvMsg) bool {
	term := environ.Getenv("TERM")
	if l := strings.ToLower(locale(environ)); l != "" {
		return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
	}
	return term != "linux" && (os.PathSeparator == '\\' || term != "dumb")
}

// locale returns the locale of characters, if one is set.
func locale(environ tea.EnvMsg) string {
	return cmp.Or(environ.Getenv("LC_ALL"), environ.Getenv("LC_CTYPE"), environ.Getenv("LANG"))
}
