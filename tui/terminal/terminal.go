package terminal

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/tui/layout"
	"rfm/tui/theme"
)

// Terminal is the standard streams and the environment of the process.
type Terminal struct {
	In       io.Reader
	Out, Err *Stream
	Environ  tea.EnvMsg
}

// New returns the terminal with these streams.
func New(in io.Reader, out, err io.Writer, environ []string) *Terminal {
	return &Terminal{
		In:      in,
		Out:     newStream(out, environ),
		Err:     newStream(err, environ),
		Environ: environ,
	}
}

// Describe describes the terminal without querying it. Only programs that draw on it wait for its own answers, which may
// add colours.
func (t *Terminal) Describe() string {
	if !t.Interactive() {
		return "none: standard input or output is no terminal, which only the interface needs"
	}
	colors := "none"
	switch t.Out.Profile() {
	case colorprofile.TrueColor:
		colors = "24 bits"
	case colorprofile.ANSI256:
		colors = "256"
	case colorprofile.ANSI:
		colors = "16"
	}
	width, height := t.Out.size()
	kind := t.Environ.Getenv("TERM")
	text := fmt.Sprintf("%s, %dx%d, colours: %s", kind, width, height, colors)
	if !utf8Locale(t.Environ) {
		text += ", no UTF-8 locale: drawn in ASCII"
	}
	if layout.TooSmall(width, height) {
		text += fmt.Sprintf("; too small for the interface, which needs %dx%d", layout.MinWidth, layout.MinHeight)
	}
	return text
}

// Interactive reports whether input and output are terminals.
func (t *Terminal) Interactive() bool {
	return Is(t.In) && Is(t.Out.Raw)
}

// Drawable reports whether the terminal has a screen to draw on: input and output are terminals with a cursor to move.
func (t *Terminal) Drawable() bool {
	return t.Interactive() && t.Environ.Getenv("TERM") != "dumb"
}

// Theme returns the theme of output lines.
func (t *Terminal) Theme() theme.Theme {
	return theme.New(t.Appearance())
}

// ThemeVariable is the environment variable that says whether the background is light or dark.
const ThemeVariable = "RFM_THEME"

// Appearance returns the options that the locale, the environment and the terminal allow.
func (t *Terminal) Appearance() theme.Options {
	o := theme.Options{
		ASCII:  !utf8Locale(t.Environ),
		Lines:  t.Environ.Getenv("TERM") == "linux", // the font of the console has no Braille
		Coarse: t.Environ.Getenv("SSH_CONNECTION") != "",
		Light:  lightBackground(t.Environ.Getenv("COLORFGBG")), // until the terminal answers, which some never do
	}
	switch t.Environ.Getenv(ThemeVariable) {
	case "light":
		o.Light = true
		o.Fixed = true
	case "dark":
		o.Light = false
		o.Fixed = true
	}
	return o
}

// lightBackground reports whether the variable COLORFGBG names a light background. Its last number is that of the colour:
// 7 and 9 to 15 are light.
func lightBackground(colours string) bool {
	number, err := strconv.Atoi(colours[strings.LastIndex(colours, ";")+1:])
	return err == nil && (number == 7 || number >= 9 && number <= 15)
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

// Run runs a program until it ends, beside some workers. The error is context.Canceled if a signal or the end of the
// terminal has ended it, or the program's. Half the usual frames a second halve the wake-ups of an idle program.
//
// More threads than workers run meanwhile, so that a key waits neither for the end of a worker's time slice nor for the
// collector of garbage.
//
// Signals end the context alone: Bubble Tea's own handler beside it would change the exit code whenever it is first.
func (t *Terminal) Run(ctx context.Context, m tea.Model, workers int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), processors(workers))))
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	in := t.In
	if f, ok := in.(*os.File); ok {
		in = &keyboard{File: f, gone: hangUp}
	}
	out := t.Out.Raw
	if f, ok := out.(*os.File); ok {
		screen := newScreen(ctx, f)
		defer screen.release()
		out = screen
	}
	const framesPerSecond = 30
	program := tea.NewProgram(m,
		tea.WithContext(ctx),
		tea.WithoutSignalHandler(),
		tea.WithInput(in),
		tea.WithOutput(out),
		tea.WithEnvironment(t.Environ),
		tea.WithFPS(framesPerSecond),
	)
	_, err := program.Run()
	if ctx.Err() != nil {
		err = context.Canceled
	}
	return err
}

// processors returns how many goroutines have to run at once, so that one that handles keys never waits for workers: the
// runtime gives a quarter of them, rounded to the nearest number, to the collector of garbage while it marks.
func processors(workers int) int {
	n := workers + 1
	for n-(n+2)/4 <= workers {
		n++
	}
	return n
}
