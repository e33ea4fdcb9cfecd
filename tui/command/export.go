// This file implements `rfm export`: a run as files for other programs.

package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/model/interchange"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

func (a *app) exportCommand() *cobra.Command {
	var out string
	var given []interchange.Format
	formats := []interchange.Format{interchange.NPZ}
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write data, model and tables of a run for other programs",
		Long: `Writes the arrays and tables of a run to a new directory: training and test pairs, predictions, coefficients, the model,
the errors and the reports. A README.txt explains the files, and how NumPy evaluates the model. Of an unfinished run it
writes the finished parts. It never overwrites anything.`,
		Example: `  rfm export @
  rfm export runs/x --out x-for-matlab --format csv,npy`,
		Args:              arguments(1, 1, "one run"),
		ValidArgsFunction: a.completeRuns(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := store.Find(a.runs, args[0])
			if err != nil {
				return err
			}
			return a.export(cmd.Context(), path, out, formats)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&out, "out", "", "new `DIRECTORY` to write (default: RUN-export)")
	checked(cmd, &formats, "format", "strings", "kinds of files for arrays, a `LIST` of npz, npy, csv",
		func(list string) ([]interchange.Format, error) {
			for name := range strings.SplitSeq(list, ",") {
				f := interchange.Format(strings.TrimSpace(name))
				if !slices.Contains(interchange.Formats(), f) {
					return nil, errors.New("npz, npy or csv is expected")
				}
				if !slices.Contains(given, f) {
					given = append(given, f)
				}
			}
			return given, nil
		}, cobra.FixedCompletions([]string{"npz", "npy", "csv"}, noFiles))
	return a.share(cmd, "runs", "json")
}

func (a *app) export(ctx context.Context, path, directory string, formats []interchange.Format) error {
	if directory == "" {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return &fault.Data{Where: path, What: "has no absolute name", Err: err, Do: "give a directory with --out"}
		}
		directory = filepath.Base(absolute) + "-export"
	}
	result, err := interchange.Export(ctx, path, directory, formats)
	if err != nil {
		return err
	}
	if a.json {
		return a.encode(result)
	}
	out, th := a.out, a.theme()
	if !result.Complete {
		fmt.Fprintf(out, "%s the run is unfinished; missing: %s\n", th.Warn.Render("note:"),
			strings.Join(result.Missing, ", "))
	}
	fmt.Fprintln(out, paragraph("", strings.Join(result.Files, " "), 0, a.width()))
	a.end(printable.Several(len(result.Files), "file")+", "+report.Bytes(float64(result.Bytes)), result.Directory+
		", README.txt explains them", "")
	return nil
}
