// This file is the list of stored runs.

package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

// list prints all stored runs in an order, that of their last change if it is empty; verify compares checksums.
func (a *app) list(ctx context.Context, order string, reverse, verify bool, now time.Time) error {
	root := a.flags.runs
	entries, err := store.List(root)
	if err != nil {
		return err
	}
	if order != "" {
		store.Sort(entries, order, reverse)
	} else if !reverse {
		slices.Reverse(entries) // the end is what a person sees
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

// tableWidth is the width of the table of runs on a terminal.
const tableWidth = 80

// printRuns writes a table. On a terminal it has at most tableWidth columns, and a name for which there is no room has
// a line of its own. A pipe gets one line for each run, of any width; remarks go to standard error then.
func (a *app) printRuns(entries []store.Entry, list []store.Listed, now time.Time) {
	out, remarks, th := a.out, a.out, a.theme()
	rows, words := make([][]string, 1+len(list)), []int{}
	for _, c := range chart.RunColumns {
		if c.Title == "size" || c.Title == "note" || c.Title == "method" && !slices.ContainsFunc(list,
			func(l store.Listed) bool { return l.Method != "" && l.Method != config.RandomFeatures }) {
			continue
		}
		if c.Words {
			words = append(words, len(rows[0]))
		}
		rows[0] = append(rows[0], c.Title)
		for i, e := range entries {
			cell := c.Cell(e, now)
			if v := list[i].Verified; c.Title == "error" && v != nil && !*v {
				cell = "damaged"
			}
			rows[i+1] = append(rows[i+1], cell)
		}
	}
	lines := report.Lines(2, rows, words...)
	if isTerminal(a.terminal.out) {
		lines = fitted(rows, words)
	} else {
		remarks = a.err
	}
	lines[0] = th.Label.Render(lines[0])
	fmt.Fprintln(out, strings.Join(lines, "\n"))
	for _, l := range list {
		if l.Note != "" {
			fmt.Fprintf(remarks, "%s: %s\n", printable.Line(l.Name), l.Note)
		}
		if note := runNote(l); note != "" {
			fmt.Fprintln(remarks, th.Muted.Render(note))
		}
	}
}

// fitted is the table in tableWidth columns: a name for which there is no room has a line of its own above its row.
func fitted(rows [][]string, words []int) []string {
	names, longest := make([]string, len(rows)), 0
	for i, row := range rows {
		names[i], row[0] = row[0], ""
		longest = max(longest, lipgloss.Width(names[i]))
	}
	others := func(gap int) int { return lipgloss.Width(strings.Join(report.Lines(gap, rows, words...), "\n")) }
	gap := 2
	if longest+others(gap) > tableWidth {
		gap = 1
	}
	room := tableWidth - others(gap)
	for i, name := range names {
		if lipgloss.Width(name) <= max(room, len("name")) {
			rows[i][0], names[i] = name, ""
		} else {
			names[i] += "\n"
		}
	}
	lines := report.Lines(gap, rows, words...)
	for i := range lines {
		lines[i] = names[i] + lines[i]
	}
	return lines
}

// runNote is what the table has no room for.
func runNote(l store.Listed) string {
	switch {
	case l.Verified != nil && !*l.Verified:
		return "" // the faults are the command's errors
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
