// This file is `rfm bench`: what this machine does with this build.

package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"rfm/model/check"
	"rfm/solver/printable"
)

func (a *app) benchCommand() *cobra.Command {
	var budget time.Duration
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the kernels and stages on this machine",
		Long: `Measures, in less than a minute, the rate of every kernel beside the kernel's own peak, and the throughput of every
stage of an experiment at the paper's sizes. RFM_SIMD=off or RFM_SIMD=avx2 in the environment show what the
instruction sets are worth. Times are medians; on a shared machine compare lines of one report only.`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			th := a.theme()
			out := a.out
			group := ""
			report, err := check.Measure(cmd.Context(), a.workers, budget, func(m check.Measurement) {
				if a.flags.json {
					return
				}
				if m.Group != group {
					group = m.Group
					fmt.Fprintln(out, th.Title.Render(group+"s"))
				}
				fmt.Fprintf(out, "  %-38s %9s %-5s", m.Name, fmt.Sprintf("%.4g", m.Value), m.Unit)
				if m.Share > 0 {
					fmt.Fprintf(out, " %s", th.Muted.Render(fmt.Sprintf("%3.0f%% %s", 100*m.Share, m.Note)))
				}
				fmt.Fprintln(out)
			})
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.encode(report)
			}
			fmt.Fprintf(out, "%s, %s, rfm %s\n", report.SIMD, printable.Several(report.Workers, "worker"), report.Version)
			return nil
		},
	}
	a.flags.share(cmd, "json", "workers")
	cmd.Flags().DurationVar(&budget, "budget", 500*time.Millisecond, "time for each measurement")
	return cmd
}
