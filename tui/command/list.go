// This file lists stored runs.

package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

// list prints all stored runs in the given order, by their last change if it is empty; verify compares checksums.
func (a *app) list(ctx context.Context, order string, reverse, verify bool, now time.Time) error {
	root := a.flags.runs
	entries, err := store.List(root)
	if err != nil {
		return err
	}
	if order != "" {
		store.Sort(entries, order, reverse)
	} else if !reverse {
		slices.Reverse(entries) // the end remains visible on a terminal
	}
	list, faults := make([]store.Listed, len(entries)), []error{}
	for i, e := range entries {
		list[i] = e.Listed()
		if verify {
			faults = append(faults, list[i].Verify(e)...)
		}
	}
	switch {
	case a.flags.json:
		err = a.encode(list)
	case len(list) == 0:
		fmt.Fprintf(a.out, "There are no runs in %s. `rfm run quick` makes one in seconds; --runs names another directory.\n",
			printable.Line(root))
	default:
		a.printRuns(entries, list, now)
	}
	return errors.Join(append([]error{err}, faults...)...)
}

// printRuns writes a table. On a terminal it omits and cuts columns that do not fit. A pipe gets one line for each run,
// of any width; remarks then go to standard error.
func (a *app) printRuns(entries []store.Entry, list []store.Listed, now time.Time) {
	remarks, th, width := a.out, a.theme(), columns(a.terminal.out)
	if !isTerminal(a.terminal.out) {
		remarks, width = a.err, math.MaxInt
	}
	rows, shown := make([][]string, 1+len(list)), []report.Column{}
	for _, c := range chart.RunColumns {
		if c.Title == "size" || c.Title == "note" || c.Title == "method" && !slices.ContainsFunc(list,
			func(l store.Listed) bool { return l.Method != "" && l.Method != config.RandomFeatures }) {
			continue
		}
		shown, rows[0] = append(shown, c.Column), append(rows[0], c.Title)
		for i, e := range entries {
			cell := c.Cell(e, now)
			if v := list[i].Verified; c.Title == "error" && v != nil && !*v {
				cell = "damaged"
			}
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	lines := report.Fit(shown, 2, rows, width)
	lines[0] = th.Label.Render(lines[0])
	fmt.Fprintln(a.out, strings.Join(lines, "\n"))
	for _, l := range list {
		if l.Note != "" {
			fmt.Fprintf(remarks, "%s: %s\n", printable.Line(l.Name), l.Note)
		}
		if note := runNote(l); note != "" {
			fmt.Fprintln(remarks, th.Muted.Render(note))
		}
	}
}

// runNote returns a remark on a run for which the table has no column.
func runNote(l store.Listed) string {
	switch {
	case l.Verified != nil && !*l.Verified:
		return "" // the command's errors list the faults
	case l.Verified != nil:
		return printable.Line(strings.Join(append([]string{l.Name + ": all files are intact"}, l.Changed...), "; "))
	case l.State == store.ListedUnreadable:
		return printable.Text(strings.Join(l.Faults, "\n"))
	case l.State == store.ListedInUse:
		return printable.Line(fmt.Sprintf("%s: %s, in use by %s", l.Name, l.Progress, l.Holder))
	case l.State == store.ListedUnfinished:
		return fmt.Sprintf("%s: %s; `rfm run %s` resumes it", printable.Line(l.Name), l.Progress, printable.Path(l.Path))
	}
	return ""
}
