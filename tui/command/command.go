// Package command is the command tree: what a person types in a shell, line output, JSON and exit codes.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/machine"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

func run(ctx context.Context, args []string, s streams, environ []string) int {
	a := newApp(s, environ)
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if failure := a.flush(); err == nil && failure != nil {
		err = fault.Unwritten("standard output", failure, "the result is incomplete there")
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(err)
	a.explain(err, code)
	return code
}

// explain writes an error for a person.
func (a *app) explain(err error, code int) {
	out, th := a.err, a.theme()
	text := printable.Text(err.Error())
	switch code {
	case exitCancelled:
		fmt.Fprintln(out, th.Warn.Render("cancelled:")+" nothing was stored")
		return
	case exitInterrupted:
		fmt.Fprintln(out, th.Warn.Render("interrupted:")+" "+text)
		return
	}
	mark := th.Bad.Underline(false).Render("error:") // underlined letters would be styled one by one
	for i, line := range strings.Split(text, "\n") { // several configuration errors come one a line
		if i == 0 || !strings.HasPrefix(line, " ") { // others continue the one above, as a recipe
			line = mark + " " + strings.TrimLeft(line, " ")
		}
		fmt.Fprintln(out, line)
	}
	var bug *fault.Panic
	switch {
	case errors.As(err, &bug):
		fmt.Fprintln(out, bug.Stack)
	case code == exitUsage:
		fmt.Fprintln(out, "'rfm --help' shows how to use it")
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "rfm",
		Short: "Learn solution operators of PDEs with random features",
		Long: `rfm learns solution operators of partial differential equations with the random feature model of
Nelsen & Stuart (2021): it generates data with a trusted solver, trains by one linear solve, and evaluates.

Without a command it opens the interface, which needs a terminal.`,
		Example: `  rfm                          the interface
  rfm run pairs.npz            learn from your own pairs
  rfm run quick                a complete experiment in seconds
  rfm run burgers --seed 2     the paper's Burgers experiment
  rfm run burgers -n 100 -m 256 --set features.delta=0.005 --json`,
		Args:              noCommand,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           versionLine(machine.Program()),
		PersistentPreRunE: a.settle,
		RunE:              a.interfaceCommand,
	}
	root.SetIn(a.terminal.in)
	root.SetOut(a.out) // cobra's completion keeps it when it is made
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.SetUsageFunc(usage)
	a.flags.experiment(root)
	a.flags.interactive(root)
	a.flags.common(root)
	root.AddCommand(a.runCommand(), a.sweepCommand(), a.planCommand(), a.workCommand(),
		a.submitCommand(), a.watchCommand(), a.cancelCommand(), a.tuneCommand(), a.resumeCommand(), a.runsCommand(),
		a.compareCommand(), a.costCommand(),
		a.exportCommand(), a.predictCommand(), a.invertCommand(), a.inspectCommand(), a.benchCommand(), a.reproduceCommand(),
		a.demoCommand(),
		a.checkCommand(), a.versionCommand(),
		a.manCommand())
	completionCommand(root)
	a.completions(root)
	fold(root)
	return root
}

// Main runs the program with the process's arguments, environment and streams, and returns its exit code. Interrupts,
// SIGTERM and a hang-up cancel what is running; a second one ends the process at once.
func Main() int {
	if err := checkFiles(); err != nil {
		code := exitCode(err)
		newApp(streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Environ()).explain(err, code)
		return code
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	machine.LimitMemory()
	return run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.Environ())
}
