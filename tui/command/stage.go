// This file runs programs that draw on the whole terminal: on the one at hand or on a virtual one, driven by hand or by a
// script, and recorded if that is asked for.

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"rfm/solver/fault"
	"rfm/solver/regular"
	"rfm/tui/emulator"
	"rfm/tui/record"
	"rfm/tui/script"
	"rfm/tui/theme"
)

// staging says where a program runs, what drives it and where it is recorded.
type staging struct {
	script, record string // files
	size           string // of a virtual terminal; empty if the one at hand is to be used
}

// defaultSize is the size of a virtual terminal.
const defaultSize = "80x24"

func (s *staging) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&s.script, "script", "", "press keys and look at the screen as the script in a file says")
	set.StringVar(&s.record, "record", "", "record what is shown in a file, as an asciicast (asciinema)")
	set.StringVar(&s.size, "size", "", "run on a virtual terminal of so many cells, e.g. 120x40; without a terminal it has "+defaultSize)
	for name, value := range map[string]string{"script": "FILE", "record": "FILE.cast", "size": "WIDTHxHEIGHT"} {
		set.Lookup(name).Value = &named{set.Lookup(name).Value, value}
	}
}

// virtual says whether a program that draws on the whole terminal runs on a virtual one: if that is asked for, or if there
// is no terminal but a script or a recording.
func (a *app) virtual() bool {
	s := a.flags.staging
	return s.size != "" || !a.onTerminal() && (s.script != "" || s.record != "")
}

// onTerminal says whether there is a terminal on both sides.
func (a *app) onTerminal() bool { return isTerminal(a.terminal.in) && isTerminal(a.terminal.out) }

// drawable reports whether the terminal at hand has a screen to draw on: there is one, and it can move its cursor.
func (a *app) drawable() bool { return a.onTerminal() && lookupEnv(a.environ, "TERM") != "dumb" }

// appearance is how programs on the whole terminal are drawn.
func (a *app) appearance() theme.Options {
	o := theme.Options{ASCII: a.flags.ascii || !a.virtual() && !utf8Locale(a.environ), HighContrast: a.flags.contrast}
	if curves, chosen := theme.ParseCurves(a.flags.plot); chosen {
		o.Curves = curves
	} else if a.virtual() || lookupEnv(a.environ, "TERM") != "linux" { // the console's font has no Braille
		o.Curves = theme.BrailleCurves
	}
	return o
}

// refuse shows the help of a command that has no terminal to draw on.
func (a *app) refuse(cmd *cobra.Command) error {
	if a.onTerminal() {
		return errDumbTerminal
	}
	cmd.SetOut(a.err)
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNeedsTerminal
}

// perform runs a program until it ends. The error is a *fault.Data, an *script.Unmet, the context's, or the program's.
func (a *app) perform(ctx context.Context, m tea.Model) (tea.Model, error) {
	options := append(a.colours(), tea.WithContext(ctx))
	s := a.flags.staging
	if s == (staging{}) {
		return tea.NewProgram(m, append(options, tea.WithInput(a.terminal.in), tea.WithOutput(a.terminal.out), tea.WithEnvironment(a.environ))...).Run()
	}
	var (
		steps script.Script
		err   error
	)
	if s.script != "" {
		if steps, err = readScript(s.script); err != nil {
			return nil, err
		}
	}
	width, height, err := a.terminalSize()
	if err != nil {
		return nil, err
	}
	st := &stage{screen: emulator.New(width, height), virtual: a.virtual()}
	environ, copies := a.environ, io.Writer(st.screen)
	if st.virtual {
		environ = slices.Concat(a.environ, []string{"TERM=xterm-256color", "TERM_PROGRAM="})
	}
	resized := st.screen.Resize
	var recorder *record.Recorder
	if s.record != "" {
		if _, err := os.Lstat(s.record); err == nil {
			return nil, &fault.Data{Where: s.record, What: "exists already", Do: "choose another --record"}
		}
		recorder, err = record.Create(s.record, record.Header{Width: width, Height: height, Title: "rfm", Env: map[string]string{"TERM": lookupEnv(environ, "TERM")}})
		if err != nil {
			return nil, err
		}
		copies = io.MultiWriter(st.screen, recorder)
		resized = func(w, h int) { st.screen.Resize(w, h); recorder.Resize(w, h) }
	}
	if st.virtual {
		options = append(options, tea.WithInput(nil), tea.WithOutput(cooked{copies}), tea.WithWindowSize(width, height))
	} else {
		options = append(options, tea.WithInput(a.terminal.in), tea.WithOutput(copied{a.terminal.out.(term.File), copies}))
	}
	options = append(options, tea.WithEnvironment(environ), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if size, ok := msg.(tea.WindowSizeMsg); ok && size.Width > 0 && size.Height > 0 {
			resized(size.Width, size.Height)
		}
		return msg
	}))
	st.program = tea.NewProgram(m, options...)
	final, err := st.run(ctx, steps)
	if recorder != nil {
		err = errors.Join(err, recorder.Close())
	}
	return final, err
}

// colours say which colours a program may use, unless that is up to the terminal.
func (a *app) colours() []tea.ProgramOption {
	switch {
	case a.flags.color == "never", a.virtual() && a.flags.color == "auto" && lookupEnv(a.environ, "NO_COLOR") != "":
		return []tea.ProgramOption{tea.WithColorProfile(colorprofile.ASCII)}
	case a.flags.color == "always", a.virtual():
		return []tea.ProgramOption{tea.WithColorProfile(max(colorprofile.Env(a.environ), colorprofile.ANSI256))}
	}
	return nil
}

func readScript(name string) (script.Script, error) {
	f, err := regular.Open(name)
	if err != nil {
		return script.Script{}, &fault.Data{Where: name, What: "cannot be read", Err: err, Do: "give a script"}
	}
	defer f.Close()
	return script.Parse(f, name)
}

// terminalSize is the size of the terminal at hand, or that of the virtual one.
func (a *app) terminalSize() (width, height int, err error) {
	if !a.virtual() {
		width, height, err = term.GetSize(a.terminal.out.(term.File).Fd())
		if err != nil {
			err = fmt.Errorf("the terminal does not tell its size: %w", err)
		}
		return width, height, err
	}
	size := a.flags.staging.size
	if size == "" {
		size = defaultSize
	}
	const most = 1000
	if _, err := fmt.Sscanf(size+"\n", "%dx%d\n", &width, &height); err != nil || width < 1 || height < 1 || width > most || height > most {
		return 0, 0, usageError{fmt.Errorf("--size %s: a width and a height up to %d are expected, e.g. 120x40", size, most)}
	}
	return width, height, nil
}

// lookupEnv is the value of an environment variable; the last one counts.
func lookupEnv(environ []string, name string) (value string) {
	for _, entry := range environ {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}

// stage is a program with its terminal.
type stage struct {
	program *tea.Program
	screen  *emulator.Terminal
	virtual bool
}

func (s *stage) Send(msg tea.Msg) { s.program.Send(msg) }

func (s *stage) Screen() string { return s.screen.String() }

func (s *stage) Resize(width, height int) bool {
	if s.virtual {
		s.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
	}
	return s.virtual
}

// run runs the program and the script beside it. On a virtual terminal the end of the script ends the program, too; on
// another one it is up to the person at the keyboard.
func (s *stage) run(ctx context.Context, steps script.Script) (tea.Model, error) {
	running, ended := context.WithCancel(ctx)
	defer ended()
	played := make(chan error, 1)
	if len(steps.Steps) == 0 {
		played <- nil
	} else {
		go func() {
			err := steps.Run(running, s)
			if err != nil || s.virtual {
				s.program.Quit()
			}
			played <- err
		}()
	}
	final, err := s.program.Run()
	ended()
	outcome := <-played
	if errors.Is(outcome, context.Canceled) && ctx.Err() == nil {
		outcome = &fault.Data{Where: steps.Name, What: "has steps that were not reached: the program has ended before"}
	}
	return final, errors.Join(outcome, err)
}

// copied is a terminal whose output goes elsewhere, too.
type copied struct {
	term.File
	to io.Writer
}

func (c copied) Write(p []byte) (int, error) {
	n, err := c.File.Write(p)
	if _, copyErr := c.to.Write(p[:n]); err == nil {
		err = copyErr
	}
	return n, err
}

// cooked is a line to a terminal: after each new line the carriage returns.
type cooked struct{ to io.Writer }

func (c cooked) Write(p []byte) (int, error) {
	if _, err := c.to.Write([]byte(strings.ReplaceAll(string(p), "\n", "\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}
