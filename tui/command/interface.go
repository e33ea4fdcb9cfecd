// This file opens the interface.

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/inspect"
	"rfm/model/machine"
	"rfm/tui/headless"
	"rfm/tui/screen"
	"rfm/tui/shell"
)

// opened is what a file that the interface opens describes.
func opened(name string) (config.Config, error) { return inspect.Learn(context.Background(), name) }

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
	o := screen.Options{Config: c, Workers: workers, Runs: a.flags.runs, Name: a.flags.name, Theme: a.appearance(),
		Load: opened, Calm: a.flags.calm, Mouse: a.flags.mouse}
	if a.flags.noSave {
		o.Runs = ""
	}
	final, err := a.perform(cmd.Context(), screen.New(o))
	if m, ok := final.(*shell.Model); ok {
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
	if m, ok := final.(*shell.Model); ok && m.Cancelled() {
		return context.Canceled
	}
	if ctxErr := cmd.Context().Err(); ctxErr != nil {
		return ctxErr
	}
	return err
}

// makeRoom runs one thread more than there are workers, so that what is typed does not wait until a worker's time slice
// ends: with all workers busy a key is on screen in a third of the time. It returns the number of threads before.
func makeRoom(workers int) (before int) {
	return runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), workers+1))
}

// utf8Locale reports whether the terminal is likely to show more than ASCII: the locale says UTF-8, or says nothing on
// a system where that is the rule.
func utf8Locale(environ []string) bool {
	values := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			values[name] = value
		}
	}
	if values["TERM"] == "linux" && values["LANG"] == "" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := values[name]; v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return os.PathSeparator == '\\' || values["TERM"] != "dumb"
}
