// This file implements `rfm check`: the soundness of this machine and this build, and their speed.

package command

import (
	"context"
	"fmt"
	"time"

	"rfm/model/check"
	"rfm/model/report"
	"rfm/solver/printable"

	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	bench, orders := false, false
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check this machine and this build, or measure their speed",
		Long: `Repeats reference computations of every part of the program and compares: solvers and their orders, training. Then it
describes the machine and the terminal. Exit code 6 if anything is wrong.

With --orders it solves equations with known solutions and prints errors and orders of convergence, within a minute. With
--bench it measures in less than a minute the rate of every kernel relative to the peak of the processor, and the
throughput of every stage at the paper's sizes. RFM_SIMD=off or RFM_SIMD=avx2 limit the instruction sets.`,
		Example: `  rfm check
  rfm check --orders
  rfm check --bench --workers 1`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuse(cmd, rule{bench, "orders", "does not go with --bench"}); err != nil {
				return err
			}
			if bench {
				return a.bench(cmd.Context())
			}
			run := check.Run
			if orders {
				run = check.Orders
			}
			out, th := a.out, a.theme()
			report, err := run(cmd.Context(), a.workers, func(f check.Finding) {
				if a.json {
					return
				}
				verdict := th.Good.Render("ok  ")
				if !f.Passed {
					verdict = th.Bad.Render("FAIL")
				}
				fmt.Fprintf(out, "%s %-23s %s %s\n", verdict, f.Name, f.Found,
					th.Muted.Render("("+report.Duration(f.Seconds)+")"))
			})
			if err != nil {
				return err
			}
			terminal := a.inspectTerminal()
			if a.json {
				err = a.encode(struct {
					check.Report
					Terminal string `json:"terminal"`
				}{report, terminal})
			} else {
				fmt.Fprintf(out, "\nmachine  %s\nterminal %s\n", hardware(report), terminal)
			}
			if err == nil && !report.Passed {
				err = errUnsound
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&bench, "bench", false, "measure the kernels and stages on this machine")
	cmd.Flags().BoolVar(&orders, "orders", false, "check orders on equations with known solutions")
	return a.share(cmd, "json", "workers")
}

// bench measures and prints the speed of the kernels and stages.
func (a *app) bench(ctx context.Context) error {
	th, out, group, contradictions := a.theme(), a.out, "", 0
	speed, err := check.Measure(ctx, a.workers, 500*time.Millisecond, func(m check.Measurement) {
		if m.Contradicts() {
			contradictions++
		}
		if a.json {
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
	if a.json {
		return a.encode(speed)
	}
	fmt.Fprintf(out, "%s, %s, rfm %s\n", speed.SIMD, printable.Several(speed.Workers, "worker"), speed.Version)
	if contradictions > 0 {
		fmt.Fprintln(out, th.Warn.Render("Shares above 100% cannot be: other programs disturb the measurement; try again "+
			"when the machine is idle."))
	}
	return nil
}

// hardware describes the processor and the memory of the machine.
func hardware(r check.Report) string {
	text := fmt.Sprintf("%s, %s, %s, %s", r.Platform, r.SIMD, printable.Several(r.Cores, "core"),
		printable.Several(r.Workers, "worker"))
	if r.Memory > 0 {
		text += ", " + report.Bytes(r.Memory) + " of memory available"
	}
	return text + ", rfm " + r.Version
}
