// This file implements `rfm export`: a run as files for other programs.

package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
)

func (a *app) exportCommand() *cobra.Command {
	out := ""
	format := string(interchange.NPZ)
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write data, model and tables of a run for other programs",
		Long: `Writes the arrays and tables of a run to a new directory: training and test pairs, predictions, coefficients, the model,
the errors and the reports. A README.txt explains the files, and how NumPy evaluates the model. For an unfinished run it
writes the finished parts. With --format html it writes one page instead, in which anybody can draw an input and see the
prediction, without this program. It never overwrites anything.`,
		Example: `  rfm export @
  rfm export runs/x --out x-for-matlab --format csv
  rfm export @ --format html`,
		Args:              arguments(1, 1, "one run"),
		ValidArgsFunction: a.completeRuns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := interchange.FindRun(a.runs, args[0])
			if err != nil {
				return err
			}
			absolute, err := filepath.Abs(path)
			if err != nil {
				return err
			}
			if format == string(interchange.HTML) {
				if out == "" {
					out = filepath.Base(absolute) + ".html"
				}
				result, err := interchange.ExportPage(cmd.Context(), path, out)
				if err != nil {
					return err
				}
				const use = ", open it in a browser or send it to somebody"
				end := ending{
					result: report.Bytes(float64(result.Bytes)),
					where:  result.Directory + use,
				}
				return a.conclude(result, report.Page{}, end)
			}
			if out == "" {
				out = filepath.Base(absolute) + "-export"
			}
			result, err := interchange.Export(cmd.Context(), path, out, interchange.Format(format))
			if err != nil {
				return err
			}
			p := report.Page{Notes: []string{strings.Join(result.Files, " ")}}
			if !result.Complete {
				p.Notes = append(p.Notes, "The run is unfinished; missing: "+strings.Join(result.Missing, ", "))
			}
			return a.conclude(result, p, ending{printable.Several(len(result.Files), "file") + ", " +
				report.Bytes(float64(result.Bytes)), result.Directory + ", README.txt explains them", ""})
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&out, "out", "", "new `DIRECTORY` or page (default: RUN-export, RUN.html)")
	choice(cmd, &format, "format", "files of arrays: npz, npy or csv; one page: html", "npz", "npy", "csv",
		"html")
	return a.share(cmd, "runs", "json")
}
