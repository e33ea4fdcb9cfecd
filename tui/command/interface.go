// This file opens the interface and shows `rfm demo`, the guided tour.

package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/show/interchange"
	"rfm/model/show/paper"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
)

// opening is the configuration and the run of a call of `rfm` without a command, or of `rfm run`.
type opening struct {
	settings
	name   string // of the stored run
	noSave bool
}

// define adds the flags to a command.
func (o *opening) define(cmd *cobra.Command) {
	o.settings.define(cmd)
	cmd.Flags().StringVar(&o.name, "name", "", "`NAME` of the stored run (default: from its settings)")
	cmd.Flags().BoolVar(&o.noSave, "no-save", false, "do not store the run")
}

// open shows the interface.
func (a *app) open(cmd *cobra.Command, initial opening) error {
	c, err := initial.configuration(cmd, "quick")
	if err != nil {
		return err
	}
	o := session.Options{
		Config: c,
		Runs:   a.runs,
		Name:   initial.name,
		Start:  c == config.Presets()[0].Config,
	}
	if initial.noSave {
		o.Runs = ""
	}
	return a.interact(cmd, o)
}

// interact runs the interface and prints its epilogue. Without a terminal it shows the help.
func (a *app) interact(cmd *cobra.Command, o session.Options) error {
	switch {
	case !a.Interactive():
		cmd.SetOut(a.Err)
		return cmp.Or(cmd.Help(), errNeedsTerminal)
	case !a.Drawable():
		return misuse("the terminal is TERM=dumb, which can only print lines; set TERM to its type, or use the " +
			"commands: rfm run quick")
	}
	o.Workers = machine.Workers(a.workers)
	o.Load = load
	appearance := a.Appearance()
	if appearance.Coarse { // the line may be slow
		const rarely = 300 * time.Millisecond
		o.Every = rarely
	}
	m := screen.New(o, shell.Options{Theme: appearance, Suspends: suspends()}, paper.NewTour(1))
	err := a.Run(cmd.Context(), m, o.Workers)
	ended := errors.Is(err, context.Canceled) // by a signal or a hang-up
	lost := ended && !a.Interactive()         // a terminal that is gone is none
	closing := m.Close()
	text := m.Session().Epilogue()
	if text != "" {
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintln(a.Out, layout.Hanging("", line, 2, a.Out.Columns()))
		}
	}
	switch path := m.Background(lost); {
	case closing != nil:
		return closing
	case path != "":
		return a.leaveGoing(path)
	case m.Session().Interrupted():
		return coded{errors.New("the interface was left while a step ran"), exitInterrupted}
	case m.Session().Runner.Lost():
		return context.Canceled
	case ended && m.Session().Runner.Resumable(): // a signal between two steps
		return coded{context.Canceled, exitInterrupted}
	}
	return err
}

// load reads the configuration that a file holds, or the one that learns from the pairs in a file, or in one of inputs
// and one of outputs.
func load(ctx context.Context, name string) (config.Config, error) {
	c, files, err := interchange.Configuration(ctx, name)
	var wrong *config.Error
	isUnknown := errors.As(err, &wrong) && wrong.Key == "preset"
	if isUnknown { // a person who opens something thinks of a file
		err = fault.Bad(printable.Line(name), "tab completes the names of files", "is neither a file nor a preset")
	}
	return c, errors.Join(err, files.Close())
}

// leaveGoing starts a process that continues a run and ends with the run, not with this terminal.
func (a *app) leaveGoing(path string) error {
	args := []string{"run", path, "--quiet"}
	if a.workers > 0 {
		args = append(args, "--workers", strconv.Itoa(a.workers))
	}
	cmd := exec.Command(executable(), args...)
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s cannot continue in the background: %w", printable.Path(path), err)
	}
	fmt.Fprintf(a.Out, "process %d continues it; the interface follows it on the screen of runs\n", cmd.Process.Pid)
	return cmd.Process.Release()
}

func (a *app) demoCommand() *cobra.Command {
	return a.share(&cobra.Command{
		Use:   "demo",
		Short: "Show a guided tour of three minutes",
		Long: `Explains the random feature model step by step, each with one equation and one picture: Brownian bridges, Burgers'
equation, Darcy flow, and a search for better features, computed while the tour runs. Space pauses it, the arrow keys turn
scenes.`,
		Example: `  rfm demo`,
		Args:    arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.interact(cmd, session.Options{
				Config: config.Presets()[0].Config,
				Runs:   a.runs,
				Screen: session.TourPage,
				Start:  true,
			})
		},
	}, "workers", "runs")
}
