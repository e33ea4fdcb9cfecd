// This file implements `rfm reproduce`: the paper's figures and tables, recomputed next to the published numbers.

package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/machine"
	"rfm/model/paper"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/layout"
	"rfm/tui/plot"
	"rfm/tui/theme"
)

func (a *app) reproduceCommand() *cobra.Command {
	var (
		quick, figures bool
		seed           uint64
		out            string
	)
	cmd := &cobra.Command{
		Use:   "reproduce [ITEM...]",
		Short: "Compare our figures and tables with the published numbers",
		Long: `Computes figures and tables of the paper and compares them with the published numbers. Each of these is one realisation of
data and features: it is compared with our mean over seeds, in units of the standard deviation of one realisation. A
directory gets report.md and a table of numbers (.csv) for each item. Interrupted, the same command computes the rest.

` + itemHelp(),
		Example: `  rfm reproduce                    everything
  rfm reproduce --quick            the same with smaller sizes
  rfm reproduce m-n semigroup      two items
  rfm reproduce burgers            everything about Burgers' equation`,
		RunE: func(cmd *cobra.Command, args []string) error {
			studies, err := paper.Select(args)
			if err != nil {
				return usageError{err}
			}
			if out == "" {
				out = paper.DirectoryName(quick)
			}
			if err := machine.CheckBytes("this reproduction", paper.Bytes(quick),
				"add --quick, or use another machine"); err != nil {
				return err
			}
			directory, err := paper.OpenDirectory(out)
			if err != nil {
				return err
			}
			r := &reproduction{app: a, session: paper.NewSession(paper.Options{Quick: quick, Seed: seed, Workers: a.workers}),
				directory: directory, studies: paper.Schedule(studies), figures: figures}
			return r.run(cmd.Context(), quick, seed)
		},
	}
	set := cmd.Flags()
	set.BoolVar(&quick, "quick", false, "smaller sizes, less than half a minute")
	set.Uint64Var(&seed, "seed", 1, "root of every random stream")
	set.StringVar(&out, "out", "", "directory for the report (default: "+paper.DirectoryName(false)+")")
	set.BoolVar(&figures, "figures", false, "also draw every item as a vector graphic (.svg)")
	return a.flags.share(cmd, "workers", "json", "quiet")
}

func itemHelp() string {
	var names, titles []string
	for _, s := range paper.All() {
		names, titles = append(names, s.Name), append(titles, s.Source+", "+s.Title)
	}
	return "Items, each also with its problem in front or as all items of a problem:\n" + helpTable(names, titles)
}

// reproduction is one run of the command.
type reproduction struct {
	app       *app
	session   *paper.Session
	directory *paper.Directory
	studies   []paper.Study
	figures   bool
	finished  int
}

func (r *reproduction) run(ctx context.Context, quick bool, seed uint64) error {
	a := r.app
	if !a.flags.quiet {
		fmt.Fprintf(a.err, "%s, seed=%d, on %s\n", printable.Several(len(r.studies), "item"), seed, a.machine())
	}
	var results []paper.Result
	out, th := a.out, a.theme()
	done := func(o paper.Outcome) error {
		r.finished++
		results = append(results, o.Result)
		if !a.flags.quiet {
			took := report.Duration(o.Elapsed.Seconds())
			if o.Stored {
				took = "done before"
			}
			fmt.Fprintf(a.err, "%s: %s\n", o.Result.Name, took)
		}
		if !a.flags.json {
			fmt.Fprintf(out, "%s%s\n", a.pageText(o.Result.Page), strings.Join(append(chart.Verdicts(o.Result, th), ""), "\n"))
		}
		if r.figures {
			picture, err := o.Result.SVG()
			if err == nil && picture != nil {
				err = r.directory.Write(o.Result.Name+".svg", picture)
			}
			if err != nil {
				return err
			}
		}
		return r.directory.Write("report.md", paper.Markdown(r.session.Stored(r.directory), quick, seed, plainPictures))
	}
	err := a.attend(func() error {
		return r.session.Reproduce(ctx, r.studies, r.directory, func(o paper.Outcome) error {
			return a.between(func() error { return done(o) })
		})
	}, r.state)
	draws := max(0, r.session.Progress().Draw-1) // finished ones of the interrupted study
	switch {
	case errors.Is(err, context.Canceled) && r.finished+draws > 0:
		part := ""
		if draws > 0 {
			part = fmt.Sprintf(" and %d draws of the next one", draws)
		}
		return interruptedError{fmt.Errorf("%d of %d items%s are in %s; the same command computes the rest", r.finished,
			len(r.studies), part, r.directory.Path)}
	case err != nil:
		return err
	case a.flags.json:
		return a.encode(struct {
			Version string         `json:"version"`
			Quick   bool           `json:"quick"`
			Seed    uint64         `json:"seed"`
			Results []paper.Result `json:"results"`
		}{machine.Version(), quick, seed, results})
	}
	fmt.Fprintf(out, "%sreport in %s\n", paper.Agreement(results), r.directory.Path)
	return nil
}

// state returns the current activity of the session.
func (r *reproduction) state() (what string, fraction float64, text string) {
	p := r.session.Progress()
	text = p.Unit
	if p.Total > 0 {
		text += fmt.Sprintf(" %d of %d", p.Done, p.Total)
	}
	text += ", " + report.Duration(p.Elapsed().Seconds())
	return fmt.Sprintf("%d/%d %s", r.finished+1, len(r.studies), p.Stage), -1, text
}

// plainPictures returns pictures as characters without colour.
func plainPictures(p report.Page) (plain []string) {
	for _, picture := range pictures(p, plotWidth, theme.New(theme.Options{NoColor: true}), plot.NoColor) {
		plain = append(plain, layout.Plain(picture))
	}
	return plain
}
