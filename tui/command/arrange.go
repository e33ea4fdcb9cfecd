// This file is `rfm runs note`, `rename`, `delete` and `restore`.

package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
)

func (a *app) noteCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:   "note RUN [TEXT]",
		Short: "Note something about a run",
		Long: `Keeps a line of text with a run, in place of the one before; without a text, that one is removed. Lists of runs show it.
Results do not depend on it.`,
		Example: `  rfm runs note night "wider filter, from Tuesday's data"`,
		Args:    arguments(1, math.MaxInt, "a run and a text"),
		RunE: a.onRun(func(_ context.Context, path string, text ...string) error {
			return store.Annotate(path, strings.Join(text, " "))
		}),
	}, "runs")
}

func (a *app) renameCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:     "rename RUN NAME",
		Short:   "Give a run another name",
		Long:    "Gives a run, which no process works on, another name in the same directory.",
		Example: `  rfm runs rename 20261120-115500-burgers-1a2b3c4d wide`,
		Args:    arguments(2, 2, "a run and its new name"),
		RunE: a.onRun(func(_ context.Context, path string, name ...string) error {
			path, err := store.Rename(path, name[0])
			if err == nil {
				fmt.Fprintf(a.out, "renamed: %s\n", printable.Path(path))
			}
			return err
		}),
	}, "runs")
}

func (a *app) deleteCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:   "delete RUN...",
		Short: "Delete runs; they can be brought back for a week",
		Long: fmt.Sprintf(`Takes runs, which no process works on, out of the list. They are kept in the directory %s beside them, where
'rfm runs restore' finds them; what was deleted more than %s before is then removed.`, store.DeletedDirectory,
			report.Age(store.DeletedFor)),
		Example: `  rfm runs delete first second
  rfm runs restore first`,
		Args: arguments(1, math.MaxInt, "one run or more"),
		RunE: func(_ *cobra.Command, args []string) error {
			var all error
			for _, name := range args {
				path, err := store.Find(a.flags.runs, name)
				if err == nil {
					path, err = store.Delete(path, time.Now())
				}
				if err == nil {
					fmt.Fprintf(a.out, "deleted; `rfm runs restore %s` brings it back\n", printable.Path(filepath.Base(path)))
				}
				all = errors.Join(all, err)
			}
			return all
		},
	}, "runs")
}

func (a *app) restoreCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:     "restore [RUN]",
		Short:   "Bring back a deleted run",
		Long:    "Brings back a run that was deleted; without a name, it lists those that can be brought back.",
		Example: `  rfm runs restore first`,
		Args:    arguments(0, 1, "one deleted run"),
		RunE: func(_ *cobra.Command, args []string) error {
			bin := filepath.Join(a.flags.runs, store.DeletedDirectory)
			if len(args) == 1 {
				path, err := store.Restore(filepath.Join(bin, args[0]), args[0])
				if err == nil {
					fmt.Fprintf(a.out, "restored: %s\n", printable.Path(path))
				}
				return err
			}
			entries, err := store.List(bin)
			if err == nil && len(entries) == 0 {
				fmt.Fprintf(a.out, "No deleted runs are kept in %s.\n", printable.Line(bin))
			}
			for _, e := range entries {
				fmt.Fprintln(a.out, printable.Line(e.Name))
			}
			return err
		},
	}, "runs")
}
