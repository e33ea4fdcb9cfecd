// This file is `rfm check`: whether this machine and this build are sound.

package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"rfm/model/check"
	"rfm/tui/quantity"
	"rfm/tui/theme"
)

// errUnsound says that a check has failed; the findings have been printed.
var errUnsound = errors.New("this build does not compute what it should on this machine: do not trust its results, and please report this output")

func (a *app) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Find out in seconds whether this machine and this build are sound",
		Long: `Repeats reference computations of every part of the program and compares: random fields, both solvers, features, training.
Exit code 6 if anything is off.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			workers, err := a.settle(cmd)
			if err != nil {
				return err
			}
			out, th := a.writer(a.out), theme.New(theme.Options{ASCII: true})
			report, err := check.Run(cmd.Context(), workers, func(f check.Finding) {
				if a.flags.json {
					return
				}
				verdict := th.Good.Render("ok  ")
				if !f.Passed {
					verdict = th.Bad.Render("FAIL")
				}
				fmt.Fprintf(out, "%s %-19s %s %s\n", verdict, f.Name, f.Found, th.Muted.Render("("+quantity.Duration(f.Seconds)+")"))
			})
			if err != nil {
				return err
			}
			if a.flags.json {
				err = a.encode(report)
			} else {
				fmt.Fprintf(out, "%s, %s, %d workers, rfm %s\n", report.Platform, report.SIMD, report.Workers, report.Version)
			}
			if err == nil && !report.Passed {
				err = errUnsound
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&a.flags.json, "json", false, "print the findings as one JSON object")
	cmd.Flags().StringVar(&a.flags.workers, "workers", "", "goroutines that compute (default: one for each core)")
	return cmd
}
