// This file is `rfm check`: whether this machine and this build are sound.

package command

import (
	"fmt"

	"rfm/model/check"
	"rfm/model/report"
	"rfm/solver/printable"

	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	return a.flags.share(&cobra.Command{
		Use:   "check",
		Short: "Find out in seconds whether this machine and this build are sound",
		Long: `Repeats reference computations of every part of the program and compares: random fields, both solvers and their orders,
features, training. Says what the machine and the terminal have to offer. Exit code 6 if anything is off.`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			out, th := a.out, a.theme()
			report, err := check.Run(cmd.Context(), a.workers, func(f check.Finding) {
				if a.flags.json {
					return
				}
				verdict := th.Good.Render("ok  ")
				if !f.Passed {
					verdict = th.Bad.Render("FAIL")
				}
				fmt.Fprintf(out, "%s %-19s %s %s\n", verdict, f.Name, f.Found,
					th.Muted.Render("("+report.Duration(f.Seconds)+")"))
			})
			if err != nil {
				return err
			}
			terminal := a.inspectTerminal()
			if a.flags.json {
				err = a.encode(struct {
					check.Report
					Terminal terminalReport `json:"terminal"`
				}{report, terminal})
			} else {
				fmt.Fprintf(out, "\nmachine  %s\nterminal %s\n", hardware(report), terminal)
			}
			if err == nil && !report.Passed {
				err = errUnsound
			}
			return err
		},
	}, "json", "workers")
}

// hardware is what there is to compute with, in words.
func hardware(r check.Report) string {
	text := fmt.Sprintf("%s, %s, %s, %s", r.Platform, r.SIMD, printable.Several(r.Cores, "core"),
		printable.Several(r.Workers, "worker"))
	if r.Memory > 0 {
		text += ", " + report.Bytes(r.Memory) + " of memory available"
	}
	return text + ", rfm " + r.Version
}
