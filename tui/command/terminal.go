// This file determines the capabilities of the terminal, and runs programs that draw on the whole terminal.

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"rfm/model/machine"
	"rfm/tui/shell"
	"rfm/tui/theme"
)

// inspectTerminal describes the terminal without querying it. Only programs that draw on it wait for its own answers,
// which may add colours.
func (a *app) inspectTerminal() string {
	if !a.onTerminal() {
		return "none: standard input and output are not both one; the interface needs it, commands do not"
	}
	colors := map[colorprofile.Profile]string{colorprofile.TrueColor: "24 bits", colorprofile.ANSI256: "256",
		colorprofile.ANSI: "16"}[a.out.profile()]
	width, height := size(a.terminal.out)
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

// size returns the current size of a terminal; 0 if it is unknown.
func size(stream any) (width, height int) {
	if f, is := stream.(term.File); is {
		if width, height, err := term.GetSize(f.Fd()); err == nil && width > 1 {
			return width, height
		}
	}
	return 0, 0
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// onTerminal reports whether input and output are terminals.
func (a *app) onTerminal() bool { return isTerminal(a.terminal.in) && isTerminal(a.terminal.out) }

// drawable reports whether the terminal has a screen to draw on: input and output are terminals with a cursor to move.
func (a *app) drawable() bool { return a.onTerminal() && a.environ.Getenv("TERM") != "dumb" }

// noScreen prints the help of a command and returns an error, since no terminal can show its screen.
func (a *app) noScreen(cmd *cobra.Command) error {
	if a.onTerminal() {
		return misuse("the terminal is TERM=dumb, which can only print lines; set TERM to its type, or use the " +
			"commands: rfm run quick")
	}
	cmd.SetOut(a.err)
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNeedsTerminal
}

// theme returns the theme of output lines.
func (a *app) theme() theme.Theme { return theme.New(a.appearance()) }

// appearance returns the options that the locale and the terminal allow.
func (a *app) appearance() theme.Options {
	return theme.Options{ASCII: !utf8Locale(a.environ),
		Lines: a.environ.Getenv("TERM") == "linux"} // the font of the console has no Braille
}

// utf8Locale reports whether the terminal is likely to show more than ASCII: the locale names UTF-8, or names no
// encoding on a system with UTF-8 by default.
func utf8Locale(environ tea.EnvMsg) bool {
	locale := cmp.Or(environ.Getenv("LC_ALL"), environ.Getenv("LC_CTYPE"), environ.Getenv("LANG"))
	if l := strings.ToLower(locale); l != "" {
		return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
	}
	term := environ.Getenv("TERM")
	return term != "linux" && (os.PathSeparator == '\\' || term != "dumb")
}

// perform runs a program until it ends. The error is context.Canceled if a signal or the end of the terminal has ended
// it, or the program's.
//
// One thread more than there are workers runs meanwhile, so that input does not wait until a worker's time slice ends:
// with all workers busy a key is on screen in a third of the time.
func (a *app) perform(ctx context.Context, m tea.Model) (tea.Model, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), machine.Workers(a.workers)+1)))
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithOutput(a.terminal.out), tea.WithEnvironment(a.environ),
		tea.WithInput(a.terminal.in)}
	if f, ok := a.terminal.in.(*os.File); ok {
		options = append(options, tea.WithInput(keyboard{f, hangUp}))
	}
	final, err := tea.NewProgram(m, options...).Run()
	if ctx.Err() != nil {
		err = context.Canceled
	}
	return final, err
}

// keyboard is the input of a terminal. Where the hang-up signal is ignored, as under nohup, only the end of the input
// indicates that the terminal is gone.
type keyboard struct {
	*os.File
	gone func()
}

func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) {
		k.gone()
	}
	return n, err
}
