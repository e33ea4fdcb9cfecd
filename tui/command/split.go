// This file splits runs among workers and shows their progress.

package command

import (
	"context"
	"fmt"
	"strings"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

// plan splits the stored run in the directory path for so many workers and prints the units that workers will compute.
func (a *app) plan(ctx context.Context, path string, workers int) error {
	split, err := engine.Split(ctx, path, workers, engine.Options{Workers: a.workers})
	if err != nil {
		return err
	}
	w, err := engine.Watch(path)
	if err != nil {
		return err
	}
	c, err := w.Manifest.Config(path)
	if err != nil {
		return err
	}
	p, estimate, cores := w.Split, machine.MeasureRates().Estimate(c, 1), machine.Workers(a.workers)
	each := func(done, all int, seconds float64) []string {
		return []string{fmt.Sprint(done), fmt.Sprint(all), report.Duration(seconds / float64(max(1, all))),
			report.Duration(seconds / float64(max(1, all)*cores))}
	}
	return a.print(report.Page{Name: "plan", Title: printable.Line(path),
		Heading: fmt.Sprintf("tiles of %d x %d features", split.Width, split.Width),
		Tables: []report.Table{
			{Header: []string{"units", "done", "of", "one on 1 core", "on " + printable.Several(cores, "core")},
				Rows: [][]string{
					append([]string{"pairs"}, each(p.PairsDone, p.Pairs, estimate.Generate)...),
					append([]string{"tiles"}, each(p.TilesDone, len(p.Tiles), estimate.Train)...)}},
			{Header: []string{"needs", ""}, Rows: [][]string{
				{"memory of a worker", report.Bytes(engine.UnitMemory(split, c))}, {"memory of the last one",
					report.Bytes(estimate.Bytes)},
				{"disk while it is split", report.Bytes(engine.UnitDisk(split, c))}}}},
		Notes: []string{"start workers: rfm work " + printable.Path(path)}}, nil)
}

// look prints the progress of an incomplete run; moves reports whether a process works on it.
func (a *app) look(w engine.Watched) (moves bool, err error) {
	page, path, split := chart.Progress(w), printable.Path(w.Path), w.Split
	switch {
	case split != nil && split.Left() == 0:
		page.Notes = append(page.Notes, "all units are done: `rfm run "+path+"` merges them")
	case split == nil && w.Holder == nil:
		page.Notes = append(page.Notes, "no process works on it; `rfm run "+path+"` resumes it")
	}
	if err := a.print(page, nil); err != nil || split == nil {
		return w.Holder != nil, err
	}
	if !a.flags.json && split.Pairs == split.PairsDone {
		fmt.Fprintln(a.out, strings.Join(chart.Units(*split, a.theme()), "\n"))
	}
	return split.Left() > 0, nil
}
