// Package command implements the command tree: arguments, line output, JSON and exit codes.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/terminal"
)

func run(ctx context.Context, args []string, streams *terminal.Terminal) int {
	a := &app{Terminal: streams}
	root := a.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	_ = a.Err.Flush() // failures are kept
	_ = a.Out.Flush()
	if err == nil && a.Out.Failure != nil {
		const remedy = "and repeat the command: the result there is incomplete"
		err = fault.Unwritten("standard output", a.Out.Failure, remedy)
	}
	if err == nil {
		return exitDone
	}
	code := exitCode(err)
	a.explain(err, code)
	if code == exitUsage {
		fmt.Fprintf(a.Err, "'%s --help' shows how to use it\n", cmd.CommandPath())
	}
	return code
}

// explain writes an error to standard error, styled for a person.
func (a *app) explain(err error, code int) {
	out := a.Err
	th := a.Theme()
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
	width := a.Err.Room()
	for i, line := range strings.Split(text, "\n") { // several configuration errors come one a line
		continues := i > 0 && strings.HasPrefix(line, " ") // the line above, as a recipe
		if !continues {
			line = mark + " " + strings.TrimLeft(line, " ")
		}
		if ansi.StringWidth(line) > width {
			line = layout.Hanging("", line, 2, width)
		}
		fmt.Fprintln(out, line)
	}
	bug, ok := errors.AsType[*fault.Panic](err)
	if ok {
		fmt.Fprintln(out, bug.Stack)
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "rfm",
		Short: "Learn solution operators of PDEs with random features",
		Long: `rfm learns solution operators of PDEs with the random feature model of Nelsen & Stuart (2021).
Without a command it opens the interface, which needs a terminal.`,
		Example: `  rfm -n 100 -m 256     the interface; flags as in rfm run --help
  rfm run quick         a complete experiment in seconds
  rfm run pairs.npz     learn from your own pairs`,
		Args:              noCommand,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Version:           versionLine(machine.Program()),
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error { return resolve(cmd, args, a.Environ) },
	}
	root.SetIn(a.In)
	root.SetOut(a.Out) // cobra's completion command copies it when it is created
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(misused)
	root.SetUsageFunc(usage)
	var initial opening
	initial.define(root)
	a.share(root, "workers", "runs")
	root.RunE = func(cmd *cobra.Command, _ []string) error { return a.open(cmd, initial) }
	addGroup(root, "Learn", a.runCommand(), a.tuneCommand())
	addGroup(root, "Look", a.showCommand(), a.reproduceCommand(), a.demoCommand())
	addGroup(root, "Use a model", a.predictCommand(), a.invertCommand(), a.exportCommand())
	addGroup(root, "Cluster and machine", a.workCommand(), a.checkCommand())
	completionCommand(root)
	root.SetHelpCommand(helpCommand(root))
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long = folded(cmd.Long)
		help(cmd, args)
	})
	return root
}

// helpCommand returns the command that prints the help of another one. It refuses a name that no command has.
func helpCommand(root *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		Long:  "Prints the help of a command, as COMMAND --help does.",
		Args:  arguments(0, 2, "one command"),
		RunE: func(_ *cobra.Command, args []string) error {
			found, left, err := root.Find(args)
			if err != nil {
				return err
			}
			switch {
			case len(left) > 0 && found == root:
				return noCommand(root, args)
			case len(left) > 0:
				return misuse("there is no command %q", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, other := range root.Commands() {
			if len(args) == 0 && other.IsAvailableCommand() {
				names = append(names, other.Name()+"\t"+other.Short)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// addGroup adds commands under a title of their own.
func addGroup(root *cobra.Command, title string, commands ...*cobra.Command) {
	group := &cobra.Group{
		ID:    title,
		Title: title,
	}
	root.AddGroup(group)
	for _, cmd := range commands {
		cmd.GroupID = title
		root.AddCommand(cmd)
	}
}

// noCommand refuses arguments: they are mistyped commands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := args[0]
	message := fmt.Sprintf("there is no command %q", name)
	cmd.SuggestionsMinimumDistance = 2
	similar := cmd.SuggestionsFor(name)
	_, err := config.PresetByName(name)
	switch {
	case name == "version":
		message += "; did you mean rfm --version?"
	case len(similar) > 0:
		message += fmt.Sprintf("; did you mean %s?", strings.Join(similar, " or "))
	case err == nil:
		message += fmt.Sprintf("; to run this preset: rfm run %s", name)
	case exists(name):
		message += fmt.Sprintf("; to learn from this file: rfm run %s", printable.Path(name))
	}
	return misuse("%s", message)
}

// versionLine returns the text that --version prints after the name of the program: the version, and in brackets, as
// far as known, the commit of the build, its date, the Go release, the platform, the instructions that the compiler may
// use and the instructions of the kernels.
func versionLine(p machine.Build) string {
	facts := []string{p.Revision, p.Date, p.Go, p.Platform, p.Target, p.SIMD}
	about := slices.DeleteFunc(facts, func(text string) bool { return text == "" })
	return fmt.Sprintf("%s (%s)", p.Version, strings.Join(about, ", "))
}

// Main runs the program with the process's arguments, environment and streams, and returns its exit code. An interrupt,
// SIGTERM or a hang-up cancels running work; a second one ends the process at once.
func Main() int {
	streams := terminal.New(os.Stdin, os.Stdout, os.Stderr, os.Environ())
	err := checkFiles()
	if err == nil { // the second check opens files
		err = machine.CheckAddressSpace()
	}
	if err != nil {
		code := exitCode(err)
		(&app{Terminal: streams}).explain(err, code)
		return code
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	machine.LimitMemory()
	return run(ctx, os.Args[1:], streams)
}

// oneSignal is the time within which signals count as one: timeout sends one to the process and one to its group, and
// so do a closing terminal and its shell.
const oneSignal = 500 * time.Millisecond

// untilSignal returns a context that ends with the first signal that asks the program to leave; a later one ends the
// process at once. Signals that were ignored when the program started, as by nohup or for background jobs, stay
// ignored.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	heard := slices.DeleteFunc(slices.Clone(leavingSignals), signal.Ignored)
	if len(heard) == 0 { // an empty list would mean all signals
		return context.WithCancel(ctx)
	}
	ctx, stop := signal.NotifyContext(ctx, heard...)
	context.AfterFunc(ctx, func() {
		time.AfterFunc(oneSignal, func() {
			stop()
			signal.Ignore(syscall.SIGHUP) // it may come once more, from the shell of a terminal that is gone
		})
	})
	return ctx, stop
}
