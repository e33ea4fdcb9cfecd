// This file runs a program on the terminal at hand or on one in memory.

package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"

	"rfm/solver/fault"
)

// maxSide bounds the sizes of terminals in memory, in cells.
const maxSide = 1000

// ParseSize reads the size of a terminal in memory, e.g. 120x40; ok reports whether it is one, up to 1000x1000.
func ParseSize(text string) (width, height int, ok bool) {
	n, err := fmt.Sscanf(text+"\n", "%dx%d\n", &width, &height)
	return width, height, n == 2 && err == nil && min(width, height) >= 1 && max(width, height) <= maxSide
}

// Options say where a program runs, what drives it, and what is kept of it.
type Options struct {
	In            io.Reader // the terminal at hand
	Out           io.Writer
	Environ       []string
	Virtual       bool   // run on a terminal in memory
	Width, Height int    // of that
	Script        string // file with the steps that drive the program; empty for none
	Record        string // file to make, with what the terminal shows, as an asciicast; empty for none
}

// Run runs a program until it ends; on a terminal in memory the end of the script ends it, too. The error is a
// *fault.Data, an *Unmet, the context's, or the program's.
func Run(ctx context.Context, m tea.Model, o Options, options ...tea.ProgramOption) (tea.Model, error) {
	options = append(options, tea.WithContext(ctx))
	if !o.Virtual && o.Script == "" && o.Record == "" {
		options = append(options, tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environ))
		return tea.NewProgram(m, options...).Run()
	}
	steps, err := readScript(o.Script)
	if err != nil {
		return nil, err
	}
	width, height, environ := o.Width, o.Height, o.Environ
	if o.Virtual {
		environ = slices.Concat(environ, []string{"TERM=xterm-256color", "TERM_PROGRAM="})
	} else if width, height, err = term.GetSize(o.Out.(term.File).Fd()); err != nil {
		return nil, fmt.Errorf("the terminal does not tell its size: %w", err)
	}
	st := &theatre{terminal: NewTerminal(width, height), virtual: o.Virtual}
	copies, resized := io.Writer(st.terminal), st.terminal.Resize
	var r *recorder
	if o.Record != "" {
		if r, err = create(o.Record, header{Width: width, Height: height, Title: "rfm",
			Env: map[string]string{"TERM": tea.EnvMsg(environ).Getenv("TERM")}}); err != nil {
			return nil, err
		}
		copies = io.MultiWriter(st.terminal, r)
		resized = func(w, h int) { st.terminal.Resize(w, h); r.Resize(w, h) }
	}
	if o.Virtual {
		options = append(options, tea.WithInput(nil), tea.WithOutput(cooked{copies}), tea.WithWindowSize(width, height))
	} else {
		options = append(options, tea.WithInput(o.In), tea.WithOutput(copied{o.Out.(term.File), copies}))
	}
	options = append(options, tea.WithEnvironment(environ), tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
		if size, ok := msg.(tea.WindowSizeMsg); ok && size.Width > 0 && size.Height > 0 {
			resized(size.Width, size.Height)
		}
		return msg
	}))
	st.Program = tea.NewProgram(m, options...)
	final, err := st.run(ctx, steps)
	if r != nil {
		err = errors.Join(err, r.Close())
	}
	return final, err
}

// theatre is a program on its terminal.
type theatre struct {
	*tea.Program
	terminal *Terminal
	virtual  bool
}

func (t *theatre) screen() string { return t.terminal.String() }

func (t *theatre) resize(width, height int) bool {
	if t.virtual {
		t.Send(tea.WindowSizeMsg{Width: width, Height: height})
	}
	return t.virtual
}

// run runs the program and the script beside it. On a terminal that is not in memory it is up to the person at the
// keyboard to end the program.
func (t *theatre) run(ctx context.Context, steps script) (tea.Model, error) {
	running, ended := context.WithCancel(ctx)
	defer ended()
	played := make(chan error, 1)
	if len(steps.steps) == 0 {
		played <- nil
	} else {
		go func() {
			err := steps.play(running, t)
			if err != nil || t.virtual {
				t.Quit()
			}
			played <- err
		}()
	}
	final, err := t.Run()
	ended()
	outcome := <-played
	if errors.Is(outcome, context.Canceled) && ctx.Err() == nil {
		outcome = &fault.Data{Where: steps.name, What: "has steps that were not reached: the program has ended before"}
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
