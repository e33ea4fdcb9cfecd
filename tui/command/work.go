// This file implements `rfm work`: a worker of a split run or of a sweep.

package command

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
)

func (a *app) workCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "work RUN or SWEEP",
		Short: "Join the workers of a split run or of a sweep",
		Long: `Computes units of a run that 'rfm run --split' has split, or cells of a sweep, together with any number of other workers
on any machines that see its directory. Units of a killed worker are taken over. The last worker merges the units into the
run, whose bytes are those of 'rfm run'. A worker that is asked to stop releases its unit (exit code 75). 'rfm run --split'
prints the command that submits workers to Slurm.`,
		Example: `  rfm run burgers -n 20000 -m 8192 --name wide --split 16
  rfm work wide                        on as many machines as you like`,
		Args:              arguments(1, 1, "one run or sweep"),
		ValidArgsFunction: a.completeRuns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, path, err := a.locate(args[0])
			if err != nil {
				return err
			}
			if kind == oneSweep {
				s, err := sweep.Open(path)
				if err != nil {
					return err
				}
				groups := s.Groups()
				first := os.Getpid() % len(groups) // workers begin with different groups, whose cells share their data
				return a.cells(cmd.Context(), s, append(groups[first:len(groups):len(groups)], groups[:first]...))
			}
			if m, err := store.Read(path); err == nil && m.Complete() {
				fmt.Fprintf(a.err, "%s is complete already\n", printable.Line(path))
				return nil
			}
			return a.units(cmd.Context(), path)
		},
	}
	return a.share(cmd, "runs", "workers", "json", "quiet")
}
