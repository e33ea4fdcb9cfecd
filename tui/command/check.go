// This file implements `rfm check`: the soundness of this machine and this build, and their speed.

package command

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rfm/model/show/check"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
)

func (a *app) checkCommand() *cobra.Command {
	var bench, orders bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check this machine and this build, or measure their speed",
		Long: `Solves and trains small problems and compares the results with reference numbers, in a few seconds. Then it describes the
machine and the terminal. The exit code is 6 if anything is wrong.

With --orders it solves equations with known solutions instead, and prints errors and orders of convergence; with --bench it
measures the kernels on one core. RFM_SIMD=off or RFM_SIMD=avx2 limits the vector instructions.`,
		Example: `  rfm check
  rfm check --orders`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			suite := check.Soundness
			name := "ok  "
			switch {
			case bench && orders:
				return misuse("--orders does not go with --bench; leave it out")
			case bench:
				suite = check.Speed
				name = "    "
			case orders:
				suite = check.Orders
			}
			th := a.Theme()
			line := func(begin, text string) {
				fmt.Fprintln(a.Out, layout.Hanging(begin, text, ansi.StringWidth(begin), a.width()))
			}
			found, err := check.Run(cmd.Context(), suite(), a.workers, func(f check.Finding) {
				verdict := th.Good.Render(name)
				if !f.Passed {
					verdict = th.Bad.Render("FAIL")
				}
				if !a.json {
					begin := fmt.Sprintf("%s %-25s ", verdict, f.Name)
					line(begin, f.Found+", "+report.Duration(f.Seconds))
				}
			})
			if err != nil {
				return err
			}
			if terminal := a.Describe(); a.json {
				err = a.encode(struct {
					check.Report
					Terminal string `json:"terminal"`
				}{found, terminal})
			} else {
				line("\nmachine  ", fmt.Sprintf("%s, %s, %s, %s, %s of memory available, rfm %s", found.Platform, found.SIMD,
					printable.Several(found.Cores, "core"), printable.Several(found.Workers, "worker"),
					report.Bytes(found.Memory), found.Version))
				if found.Slow != "" {
					line("         ", found.Slow)
				}
				line("terminal ", terminal)
			}
			if err == nil && !found.Passed {
				err = errUnsound
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&bench, "bench", false, "measure the kernels on one core")
	cmd.Flags().BoolVar(&orders, "orders", false, "check orders on equations with known solutions")
	return a.share(cmd, "json", "workers")
}
