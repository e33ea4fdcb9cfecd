package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/tui/terminal"
)

// app is the state that commands share: streams, environment and common flags.
type app struct {
	*terminal.Terminal
	flags
}

// executable returns the path of this program.
func executable() string {
	path, _ := os.Executable()
	return cmp.Or(path, os.Args[0])
}

// encode writes a value as one line of JSON.
func (a *app) encode(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the result has no JSON form: %w", err)
	}
	fmt.Fprintln(a.Out, string(text))
	return nil
}

// tell writes a line of progress to standard error, unless --quiet is given.
func (a *app) tell(format string, values ...any) {
	if !a.quiet {
		fmt.Fprintf(a.Err, format+"\n", values...)
	}
}

// subject is the kind of the arguments of a command.
type subject string

const (
	listOfRuns  subject = "the list of runs"
	oneRun      subject = "one run"
	oneSweep    subject = "a sweep"
	severalRuns subject = "several runs"
	someFiles   subject = "files"
)

// locate returns the kind and the path of the thing that an argument names: a file, or a sweep or a run by its path, by
// its name below --runs, or as store.Find does.
func (a *app) locate(arg string) (subject, string, error) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return someFiles, arg, nil
	}
	for _, path := range []string{arg, filepath.Join(a.runs, arg)} {
		if _, err := sweep.Open(path); err == nil {
			return oneSweep, filepath.Clean(path), nil
		}
	}
	path, err := store.Find(a.runs, arg)
	return oneRun, path, err
}
