// This file opens the interface.

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/solver/printable"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
)

// opening is one call of `rfm` without a command.
type opening struct {
	settings
	name   string // of stored runs
	noSave bool
}

// open shows the interface on a terminal, and help elsewhere.
func (a *app) open(cmd *cobra.Command, initial opening) error {
	c, err := initial.configuration(cmd, "quick")
	if err != nil {
		return err
	}
	if !a.drawable() {
		return a.refuse(cmd)
	}
	workers := machine.Workers(a.workers)
	defer runtime.GOMAXPROCS(makeRoom(workers))
	o := session.Options{Config: c, Workers: workers, Runs: a.flags.runs, Name: initial.name,
		Load: interchange.Learn, Start: c == config.Presets()[0].Config}
	if initial.noSave {
		o.Runs = ""
	}
	final, err := a.perform(cmd.Context(), screen.New(o, shell.Options{Theme: a.appearance(),
		Suspends: suspends(), Tour: func() *exec.Cmd { return a.tour(cmd.Context()) }}))
	m, ok := final.(*shell.Model)
	if ok {
		closing := m.Close()
		if text := m.Session().Epilogue(); text != "" {
			fmt.Fprintln(a.out, text)
		}
		if closing != nil {
			return closing
		}
		if path := m.Background(); path != "" {
			return a.leaveGoing(path)
		}
		if m.Session().Interrupted() {
			return interruptedError{errors.New("the interface was left while a step ran")}
		}
	}
	ended := cmd.Context().Err()
	if errors.Is(err, errHangUp) {
		ended = context.Canceled
	}
	switch {
	case ok && m.Session().Lost():
		return context.Canceled
	case ended != nil && ok && m.Session().Resumable(): // a signal between two steps
		return interruptedError{ended}
	case ended != nil:
		return ended
	}
	return err
}

// tour returns a command that runs `rfm demo` with the same appearance as this process.
func (a *app) tour(ctx context.Context) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	args := []string{"demo", "--color", a.flags.color}
	if a.flags.ascii {
		args = append(args, "--ascii")
	}
	if a.workers > 0 {
		args = append(args, "--workers", strconv.Itoa(a.workers))
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// leaveGoing starts a process that continues a run and ends with the run, not with this terminal.
func (a *app) leaveGoing(path string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"run", path, "--quiet"}
	if a.workers > 0 {
		args = append(args, "--workers", strconv.Itoa(a.workers))
	}
	cmd := exec.Command(self, args...)
	cmd.SysProcAttr = detached()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s cannot continue in the background: %w", printable.Path(path), err)
	}
	fmt.Fprintf(a.out, "process %d continues it; the interface follows it on the screen of runs\n", cmd.Process.Pid)
	return cmd.Process.Release()
}
