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
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// exportation holds the flags of `rfm export`.
type exportation struct {
	out      string
	formats  []string
	grid     int
	dataGrid bool
}

func (a *app) exportCommand() *cobra.Command {
	var (
		x exportation
		o interchange.Options
	)
	cmd := &cobra.Command{
		Use:   "export RUN",
		Short: "Write a run's data, model and tables for other programs",
		Long: `Writes what a run has to a new directory, with a README.txt that says what is what and how NumPy evaluates the model:
the training and test pairs, the predictions, the coefficients, the model file, the tables of errors and the reports.
Of an unfinished run it writes what is there. Nothing is ever overwritten.`,
		Example: `  rfm export @
  rfm export runs/x --out x-for-matlab --format csv,json
  rfm export runs/x --grid 257      data and predictions on another grid
  rfm export runs/x --data-grid     the data on the grid of the solver`,
		Args: arguments(1, 1, "one run"),
		PreRunE: func(*cobra.Command, []string) (err error) {
			o, err = x.options()
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := store.Find(a.flags.runs, args[0])
			if err != nil {
				return err
			}
			return a.export(cmd.Context(), path, x, o)
		},
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.StringVar(&x.out, "out", "", "new `DIRECTORY` to write (default: RUN-export)")
	set.StringSliceVar(&x.formats, "format", []string{string(interchange.NPZ)},
		"kinds of files for arrays, a `LIST` of npz, npy, csv, json")
	set.IntVarP(&x.grid, "grid", "K", 0, "grid of data and predictions, K or r (default: as in the run)")
	set.BoolVar(&x.dataGrid, "data-grid", false, "the grid on which the data were generated")
	return a.flags.share(cmd, "runs", "workers", "json")
}

// options checks the flags and converts them.
func (x exportation) options() (interchange.Options, error) {
	var o interchange.Options
	for _, name := range x.formats {
		f := interchange.Format(strings.TrimSpace(name))
		if !slices.Contains(interchange.Formats(), f) {
			return o, misuse("--format %s: npz, npy, csv or json is expected", name)
		}
		if !slices.Contains(o.Formats, f) {
			o.Formats = append(o.Formats, f)
		}
	}
	switch {
	case len(o.Formats) == 0:
		return o, misuse("--format: npz, npy, csv or json is expected")
	case x.grid != 0 && x.dataGrid:
		return o, misuse("--grid and --data-grid exclude each other")
	case x.grid < 0 || x.grid != 0 && x.grid < 3:
		return o, misuse("--grid %d: a grid has at least 3 points", x.grid)
	}
	o.Grid = x.grid
	return o, nil
}

func (a *app) export(ctx context.Context, path string, x exportation, o interchange.Options) error {
	if x.out == "" {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return &fault.Data{Where: path, What: "has no absolute name", Err: err, Do: "give a directory with --out"}
		}
		x.out = filepath.Base(absolute) + "-export"
	}
	m, err := store.Read(path)
	if err != nil {
		return err
	}
	c, err := m.Config(path)
	if err != nil {
		return err
	}
	if x.dataGrid {
		o.Grid = c.Data.Grid
	}
	o.Workers = machine.Workers(a.workers)
	o.Again = func(pairs, grid int) {
		fmt.Fprintf(a.err, "the run has its pairs on a coarser grid: %d pairs on %s=%d are made again, in about %s\n", pairs,
			c.GridSymbol(), grid, report.Duration(machine.MeasureRates().Estimate(c, o.Workers).Generate))
	}
	result, err := interchange.Export(ctx, path, x.out, o)
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
