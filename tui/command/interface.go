// This file opens the interface.

package command

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/tui/headless"
	"rfm/tui/screen"
	"rfm/tui/session"
	"rfm/tui/shell"
)

// interfaceCommand is `rfm` without a command: the interface on a terminal, help elsewhere.
func (a *app) interfaceCommand(cmd *cobra.Command, _ []string) error {
	c, err := a.flags.configuration(cmd, "quick")
	if err != nil {
		return err
	}
	if !a.drawable() && !a.virtual() {
		return a.refuse(cmd)
	}
	workers := machine.Workers(a.workers)
	defer runtime.GOMAXPROCS(makeRoom(workers))
	album := a.album()
	o := session.Options{Config: c, Workers: workers, Runs: a.flags.runs, Name: a.flags.name,
		Load: func(name string) (config.Config, error) { return interchange.Learn(context.Background(), name) }}
	if a.flags.noSave {
		o.Runs = ""
	}
	if a.flags.calm {
		o.Every = time.Second / 2
	}
	final, err := a.illustrated(cmd.Context(), screen.New(o, shell.Options{Theme: a.appearance(), Album: album,
		Mouse: a.flags.mouse}), album)
	m, ok := final.(*shell.Model)
	if ok {
		closing := m.Close()
		if text := m.Epilogue(); text != "" {
			fmt.Fprintln(a.out, text)
		}
		if closing != nil {
			return closing
		}
		var unmet *headless.Unmet
		if m.Interrupted() && !errors.As(err, &unmet) {
			return interruptedError{errors.New("the interface was left while a step ran")}
		}
	}
	switch ended := cmd.Context().Err(); {
	case ok && m.Session().Lost():
		return context.Canceled
	case ended != nil && ok && m.Session().Resumable(): // a signal between two steps
		return interruptedError{ended}
	case ended != nil:
		return ended
	}
	return err
}
