// This file implements `rfm show`: stored runs, sweeps and files, from the list of all runs to the table of one.

package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/show/compare"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
	"rfm/tui/words"
)

// showing is one call of `rfm show`.
type showing struct {
	*app
	follow bool
	cost   bool
	verify bool
}

func (a *app) showCommand() *cobra.Command {
	s := &showing{app: a}
	cmd := &cobra.Command{
		Use:        "show [RUN or SWEEP or FILE ...]",
		Short:      "List runs, show one, compare several; describe files",
		SuggestFor: []string{"runs", "list", "compare", "inspect", "cost", "watch"},
		Long: `Without an argument it lists the stored runs, the newest first. For one run it prints all numbers, or the progress while any
process on any machine computes it; for a sweep, its table. It compares several runs: their errors, the settings in which
they differ, and on how many of the same test pairs each is better. For a file it lists what is inside and how it would be
read, with the command that trains on it. It changes nothing.`,
		Example: `  rfm show                             all runs
  rfm show runs/x                      its tables, or how far it is
  rfm show runs/x --follow             until it is complete
  rfm show runs/x --cost               error against time
  rfm show small large                 compared
  rfm show pairs.npz                   the arrays in a file`,
		ValidArgsFunction: a.completeRuns(math.MaxInt),
		RunE:              s.run,
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.BoolVarP(&s.follow, "follow", "f", false, "one run: print its progress until it is complete")
	set.BoolVar(&s.cost, "cost", false, "one run: measure error against time")
	set.BoolVar(&s.verify, "verify", false, "compare checksums of all files (exit code 4 if different)")
	return a.share(cmd, "runs", "json", "workers", "quiet")
}

func (s *showing) run(cmd *cobra.Command, args []string) error {
	kind, paths, err := s.subject(args)
	if err != nil {
		return err
	}
	nothing := "does not apply to " + string(kind)
	err = refuse(cmd,
		rule{kind != oneRun, "follow cost workers quiet", nothing},
		rule{kind == someFiles || kind == oneSweep, "verify", nothing},
		rule{s.follow, "cost verify", "does not go with --follow"},
		rule{s.cost, "verify", "does not go with --cost"},
	)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	switch {
	case kind == someFiles:
		return s.inspect(ctx, paths)
	case kind == oneSweep:
		found, err := sweep.Open(paths[0])
		if err != nil {
			return err
		}
		return s.print(found.Table(found.Read()))
	case kind == listOfRuns || s.verify:
		return s.list(ctx, paths, time.Now())
	case kind == severalRuns:
		return s.compare(ctx, paths)
	case s.cost:
		return s.measure(ctx, paths[0])
	}
	return s.runState(ctx, paths[0])
}

// subject resolves the arguments. Among files, an argument that names nothing counts as a file, so that it does not
// hide the others.
func (s *showing) subject(args []string) (subject, []string, error) {
	if len(args) == 0 {
		return listOfRuns, nil, nil
	}
	var paths []string
	var lost []error
	count := map[subject]int{}
	for _, arg := range args {
		kind, path, err := s.locate(arg)
		if err != nil {
			lost = append(lost, err)
			kind = someFiles
			path = arg
		}
		count[kind]++
		paths = append(paths, path)
	}
	n := len(args)
	runs := count[oneRun]
	sweeps := count[oneSweep]
	files := n - runs - sweeps
	switch {
	case len(lost) == n, len(lost) > 0 && files < n:
		return "", nil, errors.Join(lost...)
	case files == n:
		return someFiles, paths, nil
	case runs == 1 && n == 1:
		return oneRun, paths, nil
	case runs == n:
		return severalRuns, paths, nil
	case sweeps == 1 && n == 1:
		return oneSweep, paths, nil
	}
	return "", nil, misuse("show takes runs, or files, or one sweep, not %s, %s and %s at once",
		printable.Several(runs, "run"), printable.Several(files, "file"), printable.Several(sweeps, "sweep"))
}

// list prints the runs in some directories, or all stored runs, the last changed first.
func (s *showing) list(ctx context.Context, paths []string, now time.Time) error {
	entries, err := s.entries(paths)
	if err != nil {
		return err
	}
	var faults []error
	if s.verify {
		for i := range entries {
			faults = append(faults, entries[i].Verify(ctx)...)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	switch {
	case s.json:
		faults = append(faults, s.encode(entries))
	case len(entries) == 0:
		fmt.Fprintf(s.Out, "There are no runs in %s. `rfm run quick` makes one in seconds; --runs names another directory.\n",
			printable.Line(s.runs))
	default:
		s.printRuns(entries, now)
	}
	return errors.Join(faults...)
}

// entries returns the runs in some directories, or all stored runs without paths; in JSON none are [], not null.
func (s *showing) entries(paths []string) ([]store.Entry, error) {
	list := []store.Entry{}
	if paths == nil {
		stored, err := store.List(s.runs)
		return append(list, stored...), err
	}
	for _, path := range paths {
		list = append(list, store.NewEntry(path))
	}
	return list, nil
}

// printRuns writes a table without empty columns. On a terminal it omits and cuts columns that do not fit. A pipe gets
// one line for each run, of any width; remarks then go to standard error.
func (s *showing) printRuns(list []store.Entry, now time.Time) {
	th := s.Theme()
	remarks := s.Out
	if !terminal.Is(s.Out.Raw) {
		remarks = s.Err
	}
	lines := words.RunLines(list, now, s.Out.Room(), "", "")
	lines[0] = th.Label.Render(lines[0])
	fmt.Fprintln(s.Out, strings.Join(lines, "\n"))
	for _, l := range list {
		if note := runNote(l); note != "" {
			fmt.Fprintln(remarks, th.Muted.Render(note))
		}
	}
}

// runNote returns a remark on a run for which the table has no column.
func runNote(l store.Entry) string {
	if l.Verified != nil {
		if !*l.Verified {
			return "" // the command's errors list the faults
		}
		intact := append([]string{l.Name + ": all files are intact"}, l.Changed...)
		return printable.Line(strings.Join(intact, "; "))
	}
	switch l.State {
	case store.ListedUnreadable:
		return printable.Text(strings.Join(l.Faults, "\n"))
	case store.ListedInUse:
		return printable.Line(fmt.Sprintf("%s: %s, in use by %s", l.Name, l.Progress, l.Holder))
	case store.ListedUnfinished:
		return fmt.Sprintf("%s: %s; `rfm run %s` resumes it", printable.Line(l.Name), l.Progress, printable.Path(l.Path))
	}
	return ""
}

// runState prints the tables of a complete run, or the progress of an incomplete one, repeatedly with --follow.
func (s *showing) runState(ctx context.Context, path string) error {
	for {
		run := store.NewEntry(path)
		if run.Fault != nil {
			return run.Fault
		}
		if run.Run.Complete() {
			e, err := engine.Open(ctx, path, engine.Options{Workers: s.workers})
			if err != nil {
				return err
			}
			return errors.Join(s.printResult(e, e.Summary(), true), e.Close())
		}
		moves, err := s.progress(run)
		if err != nil || !s.follow || !moves {
			return err
		}
		select {
		case <-ctx.Done():
			return nil // an interrupted watch loses nothing
		case <-time.After(2 * time.Second):
		}
	}
}

// progress prints the progress of an incomplete run; moves reports whether a process works on it.
func (s *showing) progress(run store.Entry) (moves bool, err error) {
	m := run.Run
	moves = run.Holder != nil || m.Split != nil && !m.Merges()
	page := words.Progress(run)
	if !moves {
		command := "`rfm run " + printable.Path(run.Path) + "`"
		note := "no process works on it; " + command + " resumes it"
		if m.Merges() {
			note = "all units are done: " + command + " merges them"
		}
		page.Notes = append(page.Notes, note)
	}
	return moves, s.print(page)
}

// compare prints the results of several runs and the settings in which they differ.
func (s *showing) compare(ctx context.Context, paths []string) error {
	c, err := compare.Compare(ctx, paths)
	if err != nil {
		return err
	}
	t, notes := words.Comparison(c, s.width())
	if warning := words.Incomparable(c); warning != "" {
		notes = append(notes, warning)
	}
	return s.conclude(c, report.Page{Tables: []report.Table{t}, Notes: notes}, ending{})
}

// measure measures on one core the cost and the error of one evaluation: of the solver on every grid and to every
// useful tolerance, of the run's model with fewer features and on coarser grids, and of its baselines.
func (s *showing) measure(ctx context.Context, path string) error {
	e, err := engine.Open(ctx, path, engine.Options{Workers: s.workers})
	if err != nil {
		return err
	}
	if !e.Complete() {
		incomplete := &fault.Data{
			Where: path,
			What:  "is not complete, so there is nothing to compare with",
			Do:    "resume it: rfm run " + printable.Path(path),
		}
		return errors.Join(incomplete, e.Close())
	}
	tell := func(what string) { s.tell("measuring %s", what) }
	result, err := compare.Frontier(ctx, e, machine.Workers(s.workers), tell)
	if err := errors.Join(err, e.Close()); err != nil {
		return err
	}
	return s.print(result)
}

// inspect describes files. A file that cannot be read does not hide the others.
func (a *app) inspect(ctx context.Context, names []string) error {
	list := []interchange.Findings{} // in JSON none are [], not null
	var faults []error
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := config.PresetByName(name); err == nil {
			name = "./" + name // for rfm run, the name alone is the preset
		}
		facts, err := interchange.Look(ctx, name)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, facts)
		faults = append(faults, facts.Damaged())
		if !a.json {
			next := strings.TrimPrefix(facts.Command, "rfm ")
			faults = append(faults, a.conclude(nil, describe(facts), ending{next: next}))
		}
	}
	if a.json {
		faults = append(faults, a.encode(list))
	}
	return errors.Join(faults...)
}

// describe returns the page of a file: its arrays and their values, and the facts about it.
func describe(f interchange.Findings) report.Page {
	p := report.Page{
		Title:  printable.Line(f.File),
		Source: f.Kind + ", " + report.Bytes(float64(f.Bytes)),
		Notes:  f.Facts,
	}
	t := report.Table{
		Header: []string{"array", "shape", "type", "from", "to", "mean", ""},
		Words:  []int{1, 2, 6},
	}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf("%.6g", *v)
	}
	for _, m := range f.Arrays {
		name := m.Name
		if name == "" {
			name = "array"
		}
		shape := ""
		if m.Shape != nil {
			shape = m.Shape.String()
		}
		row := []string{
			name,
			shape,
			m.Type,
			number(m.Min),
			number(m.Max),
			number(m.Mean),
			arrayRemarks(m),
		}
		for i, cell := range row {
			row[i] = printable.Line(cell)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(t.Rows) > 0 {
		p.Tables = []report.Table{t}
	}
	return p
}

// arrayRemarks returns what is unusual about an array, and what of it was not looked at.
func arrayRemarks(m interchange.Array) string {
	var remarks []string
	if m.Order == "Fortran" && len(m.Shape) > 1 {
		remarks = append(remarks, "Fortran order")
	}
	if m.Note != "" {
		remarks = append(remarks, m.Note)
	}
	if m.NotFinite > 0 {
		remarks = append(remarks, printable.Several(m.NotFinite, "value")+" not finite")
	}
	if m.Left > 0 {
		left := "not looked at"
		if m.Min != nil {
			left = printable.Several(m.Left, "value") + " at the end not looked at"
		}
		remarks = append(remarks, left)
	}
	if m.Fault != "" {
		reason := m.Reason
		if reason == "" {
			reason = m.Fault
		}
		remarks = append(remarks, reason)
	}
	return strings.Join(remarks, ", ")
}
