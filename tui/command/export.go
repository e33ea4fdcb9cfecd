// This file implements `rfm export`: a run as files for other programs.

package command

import (
	"context"
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
	var (
		out     string
		names   []string
		formats []interchange.Format
	)
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write data, model and tables of a run for other programs",
		Long: `Writes the arrays and tables of a run to a new directory: training and test pairs, predictions, coefficients, the model,
the errors and the reports. A README.txt explains the files, and how NumPy evaluates the model. Of an unfinished run it
writes the finished parts. It never overwrites anything.`,
		Example: `  rfm export @
  rfm export runs/x --out x-for-matlab --format csv,npy`,
		Args: arguments(1, 1, "one run"),
		PreRunE: func(*cobra.Command, []string) (err error) {
			formats, err = formatsOf(names)
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := store.Find(a.flags.runs, args[0])
			if err != nil {
				return err
			}
			return a.export(cmd.Context(), path, out, formats)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&out, "out", "", "new `DIRECTORY` to write (default: RUN-export)")
	set.StringSliceVar(&names, "format", []string{string(interchange.NPZ)},
		"kinds of files for arrays, a `LIST` of npz, npy, csv")
	return a.flags.share(cmd, "runs", "json")
}

// formatsOf checks the names of formats and omits repetitions.
func formatsOf(names []string) (formats []interchange.Format, err error) {
	for _, name := range names {
		f := interchange.Format(strings.TrimSpace(name))
		if !slices.Contains(interchange.Formats(), f) {
			return nil, misuse("--format %s: npz, npy or csv is expected", name)
		}
		if !slices.Contains(formats, f) {
			formats = append(formats, f)
		}
	}
	if len(formats) == 0 {
		return nil, misuse("--format: npz, npy or csv is expected")
	}
	return formats, nil
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
	if a.flags.json {
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
