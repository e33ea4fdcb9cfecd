// This file is runs that many workers share: `rfm plan`, `rfm work`, `rfm watch`.

package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

func (a *app) planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan [PRESET or FILE.toml or RUN]",
		Short: "Split a run among many workers",
		Long: `Makes a run, or takes a stored one that is not complete, and splits it: into ranges of pairs, and tiles of the sums.
Any number of processes on any machines that see its directory then do these units with 'rfm work', and 'rfm resume' makes
the result of them. It has the bytes of 'rfm run'.`,
		Example: `  rfm plan burgers -n 20000 -m 8192 --name wide
  rfm work runs/wide       on as many machines as you like
  rfm resume wide`,
		Args: arguments(0, 1, "one preset, file or run"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, plan, err := a.plan(cmd, args, 0)
			if err != nil {
				return err
			}
			return a.printPlan(path, plan)
		},
	}
	a.flags.experiment(cmd)
	a.flags.share(cmd, "json")
	a.flags.planned(cmd)
	return cmd
}

// plan makes the run of the arguments if need be, and splits it for so many workers, 0 if it is not known.
func (a *app) plan(cmd *cobra.Command, args []string, workers int) (path string, p share.Plan, err error) {
	source, o := source(args, "quick"), engine.Options{Workers: a.workers}
	if isRun(source) {
		path = source
	} else if path, err = store.Find(a.flags.runs, source); err != nil || a.flags.configured(cmd) || a.flags.name != "" {
		if a.flags.noSave {
			return "", p, misuse("a split run is stored: leave out --no-save")
		}
		c, err := a.flags.configuration(cmd, source)
		if err != nil {
			return "", p, err
		}
		e, err := a.proceed(cmd.Context(), c, o)
		if err != nil {
			return "", p, err
		}
		path = e.Directory()
		if err := e.Close(); err != nil {
			return "", p, err
		}
	}
	p, err = share.MakePlan(cmd.Context(), path, a.flags.band, 0, workers, o)
	return path, p, err
}

// printPlan says what workers will do.
func (a *app) printPlan(path string, plan share.Plan) error {
	w, err := share.Watch(path)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.encode(watched(w))
	}
	progress := w.Split
	d, err := store.Look(path)
	if err != nil {
		return err
	}
	c, err := d.Manifest().Config(path)
	if err != nil {
		return err
	}
	estimate, workers := machine.MeasureRates().Estimate(c, 1), machine.Workers(a.workers)
	fmt.Fprintf(a.out, "%s: %d units of pairs, %d tiles of %d x %d features; %d done\n", printable.Line(path),
		progress.Pairs, progress.Tiles, plan.Width, plan.Width, progress.PairsDone+progress.TilesDone)
	if progress.Pairs > 0 {
		fmt.Fprintf(a.out, "  a unit of pairs  about %s on one core\n",
			report.Duration(estimate.Generate/float64(progress.Pairs)))
	}
	fmt.Fprintf(a.out, "  a tile           about %s on one core, %s on %s\n",
		report.Duration(estimate.Train/float64(progress.Tiles)),
		report.Duration(estimate.Train/float64(progress.Tiles*workers)), printable.Several(workers, "worker"))
	fmt.Fprintf(a.out, "  memory           %s for a worker, %s for the end\n", report.Bytes(plan.Memory(c)),
		report.Bytes(estimate.Bytes))
	fmt.Fprintf(a.out, "  disk             %s while it is split\n", report.Bytes(plan.Disk(c)))
	fmt.Fprintf(a.out, "start workers: rfm work %s; then: rfm resume %[1]s\n", printable.Path(path))
	return nil
}

func (a *app) workCommand() *cobra.Command {
	patience := time.Duration(0)
	cmd := &cobra.Command{
		Use:   "work RUN",
		Short: "Do units of a split run",
		Long: `Does units of a run that 'rfm plan' has split until all are done, beside any number of other workers. What a worker
that was killed leaves behind is taken over. Signals that ask to leave give the unit at hand back (exit code 75).`,
		Example: `  rfm work runs/wide
  rfm work runs/wide --workers 16`,
		Args: arguments(1, 1, "one run"),
		RunE: a.onRun(func(ctx context.Context, path string, _ ...string) error {
			return a.work(ctx, path, func(ctx context.Context, w share.Worker) error {
				w.Patience = patience
				return w.Work(ctx, path)
			})
		}),
	}
	a.flags.share(cmd, "runs", "workers", "quiet")
	cmd.Flags().DurationVar(&patience, "patience", share.Patience,
		"take over units of workers that give no sign of life for so long")
	return cmd
}

// watchedRun is what `rfm watch --json` prints.
type watchedRun struct {
	Run       string            `json:"run"`
	Complete  bool              `json:"complete"`
	Stages    []store.Step      `json:"stages"`
	Holder    *store.Identity   `json:"holder,omitempty"` // the process that works on it
	Pairs     counted           `json:"pairs"`            // these four of a split run
	Tiles     counted           `json:"tiles"`
	Width     int               `json:"width"`
	AtWork    map[string]string `json:"at_work"` // units, and who is at them
	TestError *float64          `json:"test_error,omitempty"`
}

// counted is units that are done, of how many.
type counted struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

func watched(w share.Watched) watchedRun {
	r := watchedRun{Run: w.Path, Complete: w.Manifest.Complete(), Stages: w.Manifest.Steps(), Holder: w.Holder,
		TestError: w.Manifest.TestError}
	if p := w.Split; p != nil {
		r.Pairs, r.Tiles, r.Width, r.AtWork = counted{p.PairsDone, p.Pairs}, counted{p.TilesDone, p.Tiles}, p.Width, p.Working
	}
	return r
}

func (a *app) watchCommand() *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: "See how far a run is",
		Long: `Shows how far a run is that any process computes, on any machine; of a run that 'rfm plan' has split, which units are
done, and who is at which. It takes no lock and writes nothing; leaving it stops nothing.`,
		Example: `  rfm watch runs/wide
  rfm watch runs/wide --follow`,
		Args: arguments(1, 1, "one run"),
		RunE: a.onRun(func(ctx context.Context, path string, _ ...string) error {
			for {
				w, err := share.Watch(path)
				if err != nil {
					return err
				}
				moves, err := a.look(ctx, w)
				if err != nil || !follow || !moves {
					return err
				}
				select {
				case <-ctx.Done():
					return nil // nothing is lost
				case <-time.After(2 * time.Second):
				}
			}
		}),
	}
	a.flags.share(cmd, "runs", "json")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false,
		"look again every two seconds until all is done, or nobody works on it")
	return cmd
}

// look prints how far a run is; moves reports whether more is to come of it.
func (a *app) look(ctx context.Context, w share.Watched) (moves bool, err error) {
	m, p, path := w.Manifest, w.Split, w.Path
	moves = !m.Complete() && (w.Holder != nil || p != nil && p.Left() > 0)
	if a.flags.json {
		return moves, a.encode(watched(w))
	}
	if m.Complete() {
		text := printable.Line(path) + " is complete"
		if m.TestError != nil {
			text += fmt.Sprintf(": test error %.6f", *m.TestError)
		}
		fmt.Fprintln(a.out, text)
		return false, nil
	}
	fmt.Fprintf(a.out, "%s  %s n=%d m=%d\n", printable.Line(path), m.Problem, m.Train, m.Features)
	if p != nil {
		a.printUnits(ctx, w)
		return moves, nil
	}
	for _, s := range m.Steps() {
		text := fmt.Sprintf(" %-8s %-8s", s.Name, s.State)
		if s.State == store.Partial {
			text += fmt.Sprintf(" %d of %d %s", s.Done, s.Total, s.Unit)
		}
		if s.State != store.Pending {
			text += ", " + report.Duration(s.Seconds)
		}
		if s.Left > 0 {
			text += ", about " + report.Duration(s.Left) + " left"
		}
		fmt.Fprintln(a.out, strings.TrimRight(text, " "))
	}
	if w.Holder == nil {
		fmt.Fprintf(a.out, " nobody works on it: rfm resume %s\n", printable.Path(path))
	} else {
		fmt.Fprintf(a.out, " %s\n", printable.Line(w.Holder.String()))
	}
	return moves, nil
}

// printUnits prints which units of a split run are done, and who is at which.
func (a *app) printUnits(ctx context.Context, w share.Watched) {
	p, path := w.Split, w.Path
	fmt.Fprintf(a.out, " pairs %d of %d units   tiles %d of %d   %d at work\n", p.PairsDone, p.Pairs, p.TilesDone, p.Tiles,
		len(p.Working))
	if p.Pairs == p.PairsDone {
		for _, line := range chart.Units(*p, a.theme()) {
			fmt.Fprintln(a.out, line)
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(p.Working)) {
		fmt.Fprintf(a.out, "  %s  %s\n", unit, printable.Line(p.Working[unit]))
	}
	for _, line := range a.jobs(ctx, path) {
		fmt.Fprintf(a.out, " %s\n", line)
	}
	if p.Left() == 0 {
		fmt.Fprintf(a.out, " all units are done: rfm resume %s\n", printable.Path(path))
	}
}
