// This file splits runs among workers and shows their progress.

package command

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

// plan splits the stored run in the directory path for so many workers and prints the units that workers will compute.
func (a *app) plan(ctx context.Context, path string, workers int) error {
	split, err := share.Split(ctx, path, 0, 0, workers, engine.Options{Workers: a.workers})
	if err != nil {
		return err
	}
	w, err := share.Watch(path)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.encode(watched(w))
	}
	progress := w.Split
	c, err := w.Manifest.Config(path)
	if err != nil {
		return err
	}
	estimate, cores := machine.MeasureRates().Estimate(c, 1), machine.Workers(a.workers)
	fmt.Fprintf(a.out, "%s: %d units of pairs, %d tiles of %d x %d features; %d done\n", printable.Line(path),
		progress.Pairs, progress.Tiles, split.Width, split.Width, progress.PairsDone+progress.TilesDone)
	if progress.Pairs > 0 {
		fmt.Fprintf(a.out, "  a unit of pairs  about %s on one core\n",
			report.Duration(estimate.Generate/float64(progress.Pairs)))
	}
	fmt.Fprintf(a.out, "  a tile           about %s on one core, %s on %s\n",
		report.Duration(estimate.Train/float64(progress.Tiles)),
		report.Duration(estimate.Train/float64(progress.Tiles*cores)), printable.Several(cores, "worker"))
	fmt.Fprintf(a.out, "  memory           %s for a worker, %s for the end\n", report.Bytes(share.Memory(split, c)),
		report.Bytes(estimate.Bytes))
	fmt.Fprintf(a.out, "  disk             %s while it is split\n", report.Bytes(share.Disk(split, c)))
	fmt.Fprintf(a.out, "start workers: rfm work %s\n", printable.Path(path))
	return nil
}

// watchedRun is the output of `rfm show RUN --json`.
type watchedRun struct {
	Run       string            `json:"run"`
	Complete  bool              `json:"complete"`
	Stages    []store.Step      `json:"stages"`
	Holder    *store.Identity   `json:"holder,omitempty"` // the process that works on it
	Pairs     counted           `json:"pairs"`            // this and the next three: for a split run
	Tiles     counted           `json:"tiles"`
	Width     int               `json:"width"`
	AtWork    map[string]string `json:"at_work"` // units and their workers
	TestError *float64          `json:"test_error,omitempty"`
	Result    *engine.Summary   `json:"result,omitempty"` // for a complete run
}

// counted is a number of done units and their total.
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

// look prints the progress of an incomplete run; moves reports whether a process works on it.
func (a *app) look(w share.Watched) (moves bool, err error) {
	m, p, path := w.Manifest, w.Split, w.Path
	moves = !m.Complete() && (w.Holder != nil || p != nil && p.Left() > 0)
	if a.flags.json {
		return moves, a.encode(watched(w))
	}
	fmt.Fprintf(a.out, "%s  %s n=%d m=%d\n", printable.Line(path), m.Problem, m.Train, m.Features)
	if p != nil {
		a.printUnits(w)
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
		fmt.Fprintf(a.out, " no process works on it; `rfm run %s` resumes it\n", printable.Path(path))
	} else {
		fmt.Fprintf(a.out, " %s\n", printable.Line(w.Holder.String()))
	}
	return moves, nil
}

// printUnits prints the done units of a split run, and the worker of each unit in progress.
func (a *app) printUnits(w share.Watched) {
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
	if p.Left() == 0 {
		fmt.Fprintf(a.out, " all units are done: `rfm run %s` merges them\n", printable.Path(path))
	}
}
