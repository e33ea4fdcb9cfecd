// This file is `rfm cost`: the error of one evaluation against its time.

package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rfm/model/engine"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/model/study"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

func (a *app) costCommand() *cobra.Command {
	figure := ""
	cmd := &cobra.Command{
		Use:   "cost RUN",
		Short: "Error against time: the solver, every method, smaller models",
		Long: `Measures on one core what an evaluation costs and how accurate it is: the solver on every grid and to every tolerance
that is worth it, the run's model with fewer features and on coarser grids, and the methods that it was compared with. What
nothing else beats in both is marked.`,
		Example: `  rfm cost runs/x
  rfm cost runs/x --figure cost.svg
  rfm cost runs/x --json`,
		Args: arguments(1, 1, "one run"),
		PreRunE: func(*cobra.Command, []string) error {
			if figure != "" && filepath.Ext(figure) != ".svg" {
				return misuse("--figure %s: the name of a .svg file is expected", figure)
			}
			return nil
		},
		RunE: a.onRun(func(ctx context.Context, path string, _ ...string) error {
			e, err := engine.Open(ctx, path, engine.Options{Workers: a.workers})
			if err != nil {
				return err
			}
			if e.Reached() != engine.Evaluating {
				return errors.Join(&fault.Data{Where: path, What: "is not complete, so there is nothing to compare with",
					Do: "go on with it: rfm resume " + printable.Path(path)}, e.Close())
			}
			result, err := study.Frontier(ctx, e, machine.Workers(a.workers), func(what string) {
				if !a.flags.quiet {
					fmt.Fprintf(a.err, "measuring %s\n", what)
				}
			})
			if err = errors.Join(err, e.Close()); err != nil {
				return err
			}
			if figure != "" {
				picture, err := result.SVG()
				if err != nil {
					return err
				}
				if err := interchange.Save(figure, picture, "choose another --figure"); err != nil {
					return err
				}
			}
			if a.flags.json {
				return a.encode(result)
			}
			fmt.Fprint(a.out, a.pageText(result))
			return nil
		}),
	}
	cmd.Flags().StringVar(&figure, "figure", "", "`FILE` for the figure as a vector graphic: .svg")
	return a.flags.share(cmd, "runs", "workers", "json", "quiet")
}
