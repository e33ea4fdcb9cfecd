// This file is `rfm resume`: a stored run goes on where it was interrupted.

package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"rfm/model/store"
	"rfm/solver/printable"
)

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with an interrupted run",
		Long: `Goes on with a run that was interrupted, to the result that it would have had: RUN is a name below --runs, or the path of a
run. Without it the unfinished run that changed last is taken. Of a complete run the result is printed.`,
		Example: `  rfm resume
  rfm resume 20260102-030405-burgers-1a2b3c4d
  rfm resume /data/runs/long --workers 2 --json`,
		Args: arguments(0, 1, "one run"),
		RunE: a.resume,
	}
	a.flags.share(cmd, "runs", "workers", "json", "quiet")
	cmd.Flags().BoolVar(&a.flags.merge, "merge", false,
		"of a split run: do nothing that workers can do; exit code 75 if units are missing")
	cmd.Flags().IntVar(&a.flags.attempts, "attempts", 0,
		"of a split run that was submitted, with --merge: if units are missing, "+
			"and some were done since, submit again, so often at most")
	return cmd
}

func (a *app) resume(cmd *cobra.Command, args []string) error {
	var (
		path string
		err  error
	)
	if a.flags.attempts != 0 && !a.flags.merge {
		return misuse("--attempts is for --merge: without it, what is missing is done here")
	}
	if len(args) == 1 {
		path, err = store.Find(a.flags.runs, args[0])
	} else if path, err = store.NewestUnfinished(a.flags.runs); err == nil {
		fmt.Fprintf(a.err, "going on with %s\n", printable.Line(path))
	}
	if err != nil {
		return err
	}
	return a.goOn(cmd.Context(), path)
}
