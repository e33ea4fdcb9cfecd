// This file implements `rfm reproduce`: the paper's figures and tables, recomputed next to the published numbers.

package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"rfm/model/run/machine"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
)

func (a *app) reproduceCommand() *cobra.Command {
	o := paper.Options{Seed: 1}
	cmd := &cobra.Command{
		Use:   "reproduce [ITEM...]",
		Short: "Compare our figures and tables with the published numbers",
		Long: `Computes the figures and tables of the paper and compares them with the published numbers. Each published number comes from
a single random draw, so it is compared with our mean over seeds, in units of the standard deviation of one draw. The report
(report.md) and the numbers (.csv) and pictures (.svg) of each item are written to a directory. If it is interrupted, the same command computes the rest.

Items, with or without the equation in front; burgers or darcy stands for all:
` + helpTable(paper.All(), func(s paper.Study) (name, meaning string) { return s.Name, s.Source + ", " + s.Title }),
		Example: `  rfm reproduce                    everything
  rfm reproduce --quick            the same with smaller sizes
  rfm reproduce m-n semigroup      two items
  rfm reproduce burgers            everything about Burgers' equation`,
		ValidArgsFunction: cobra.FixedCompletions(items(), noFiles),
		RunE: func(cmd *cobra.Command, args []string) error {
			studies, err := paper.Select(args)
			if err != nil {
				return coded{err, exitUsage}
			}
			err = machine.CheckBytes("this reproduction", paper.Bytes(o.Quick), "add --quick, or use another machine")
			if err != nil {
				return err
			}
			if o.Directory == "" {
				o.Directory = paper.DirectoryName(o.Quick)
			}
			o.Workers = a.workers
			return a.reproduce(cmd.Context(), paper.Schedule(studies), o)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&o.Quick, "quick", false, "smaller sizes, less than half a minute")
	whole(cmd, &o.Seed, "seed", 0, math.MaxUint64, "root of every random stream")
	set.StringVar(&o.Directory, "out", "", "`DIRECTORY` for the report (default: "+paper.DirectoryName(false)+")")
	return a.share(cmd, "workers", "json", "quiet")
}

// reproduce computes the studies that have no result in the directory, and prints and reports all of them.
func (a *app) reproduce(ctx context.Context, studies []paper.Study, o paper.Options) error {
	items := printable.Several(len(studies), "item")
	a.tell("%s, seed=%d, on %s", items, o.Seed, a.machine())
	session := paper.NewSession(o)
	results := []paper.Result{} // in JSON none are [], not null
	began := time.Now()
	done := func(r paper.Result, stored bool) error {
		results = append(results, r)
		took := "done before"
		if !stored {
			seconds := time.Since(began).Seconds()
			took = report.Duration(seconds)
		}
		a.tell("%s: %s", r.Name, took)
		if !a.json {
			text := a.pageText(r.Page)
			fmt.Fprintln(a.Out, text)
		}
		began = time.Now()
		return nil
	}
	compute := func(between terminal.Between) error {
		tell := func(r paper.Result, stored bool) error {
			return between(func() error { return done(r, stored) })
		}
		return session.Reproduce(ctx, studies, tell)
	}
	progress := func() (string, float64, func(int) string) {
		const unknown = -1 // fraction
		_, p := session.Progress()
		number := len(results) + 1
		what := fmt.Sprintf("%d/%d %s", number, len(studies), p.Stage)
		return what, unknown, p.Line
	}
	err := a.Attend(a.quiet, compute, progress)
	if errors.Is(err, context.Canceled) {
		const text = "%d of %d items are in %s; the same command computes the rest"
		return interrupted(text, len(results), len(studies), o.Directory)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.encode(reproduced{
			Version: machine.Version(),
			Quick:   o.Quick,
			Seed:    o.Seed,
			Results: results,
		})
	}
	agreement := paper.Agreement(results)
	fmt.Fprintf(a.Out, "%sreport in %s\n", agreement, o.Directory)
	return nil
}

// reproduced is what --json prints.
type reproduced struct {
	Version string         `json:"version"`
	Quick   bool           `json:"quick"`
	Seed    uint64         `json:"seed"`
	Results []paper.Result `json:"results"`
}
