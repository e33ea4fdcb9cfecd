// This file implements `rfm show`: stored runs, sweeps and files, from the list of all runs to the table of one.

package command

import (
	"cmp"
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
	"rfm/tui/chart"
	"rfm/tui/terminal"
)

// showing is one call of `rfm show`.
type showing struct {
	*app
	follow, cost, verify bool
}

func (a *app) showCommand() *cobra.Command {
	s := &showing{app: a}
	cmd := &cobra.Command{
		Use:   "show [RUN or SWEEP or FILE ...]",
		Short: "List runs, show one, compare several; describe files", SuggestFor: []string{"runs", "list", "compare",
			"inspect", "cost", "watch"},
		Long: `Without an argument it lists the stored runs, the newest first. Of one run it prints the tables, or the progress while any
process on any machine computes it; of a sweep its table. Several runs are compared: their results, the settings in which
they differ, and on how many of the same test pairs each is better. Of files it lists the arrays, models or settings, and
for pairs of functions the command that trains on them. It changes nothing.`,
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
	if err := refuse(cmd, rule{kind != oneRun, "follow cost workers quiet", nothing},
		rule{kind == someFiles || kind == oneSweep, "verify", nothing},
		rule{s.follow, "cost verify", "does not go with --follow"},
		rule{s.cost, "verify", "does not go with --cost"}); err != nil {
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
			kind, path, lost = someFiles, arg, append(lost, err)
		}
		count[kind]++
		paths = append(paths, path)
	}
	switch runs, sweeps, n := count[oneRun], count[oneSweep], len(args); {
	case len(lost) == n, len(lost) > 0 && runs+sweeps > 0:
		return "", nil, errors.Join(lost...)
	case runs+sweeps == 0:
		return someFiles, paths, nil
	case runs == 1 && n == 1:
		return oneRun, paths, nil
	case runs == n:
		return severalRuns, paths, nil
	case sweeps == 1 && n == 1:
		return oneSweep, paths, nil
	default:
		return "", nil, misuse("show takes runs, or files, or one sweep, not %s, %s and %s at once",
			printable.Several(runs, "run"), printable.Several(n-runs-sweeps, "file"), printable.Several(sweeps, "sweep"))
	}
}

// list prints the runs in some directories, or all stored runs, the last changed first.
func (s *showing) list(ctx context.Context, paths []string, now time.Time) (err error) {
	entries, faults := []store.Entry{}, []error{}
	for _, path := range paths {
		entries = append(entries, store.NewEntry(path))
	}
	if paths == nil {
		if entries, err = store.List(s.runs); err != nil {
			return err
		}
	}
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
		err = s.encode(append([]store.Entry{}, entries...))
	case len(entries) == 0:
		fmt.Fprintf(s.Out, "There are no runs in %s. `rfm run quick` makes one in seconds; --runs names another directory.\n",
			printable.Line(s.runs))
	default:
		s.printRuns(entries, now)
	}
	return errors.Join(append(faults, err)...)
}

// printRuns writes a table without empty columns. On a terminal it omits and cuts columns that do not fit. A pipe gets
// one line for each run, of any width; remarks then go to standard error.
func (s *showing) printRuns(list []store.Entry, now time.Time) {
	remarks, th := s.Out, s.Theme()
	if !terminal.Is(s.Out.Raw) {
		remarks = s.Err
	}
	lines := chart.RunLines(list, now, s.Out.Room(), "", "")
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
	page, path, m := chart.Progress(run), printable.Path(run.Path), run.Run
	moves = run.Holder != nil || m.Split != nil && !m.Merges()
	switch {
	case !moves && m.Merges():
		page.Notes = append(page.Notes, "all units are done: `rfm run "+path+"` merges them")
	case !moves:
		page.Notes = append(page.Notes, "no process works on it; `rfm run "+path+"` resumes it")
	}
	return moves, s.print(page)
}

// compare prints the results of several runs and the settings in which they differ.
func (s *showing) compare(ctx context.Context, paths []string) error {
	c, err := compare.Compare(ctx, paths)
	if err != nil {
		return err
	}
	t, notes := chart.Comparison(c, s.width())
	if warning := chart.Incomparable(c); warning != "" {
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
		return errors.Join(&fault.Data{Where: path, What: "is not complete, so there is nothing to compare with",
			Do: "resume it: rfm run " + printable.Path(path)}, e.Close())
	}
	result, err := compare.Frontier(ctx, e, machine.Workers(s.workers), func(what string) { s.tell("measuring %s", what) })
	if err = errors.Join(err, e.Close()); err != nil {
		return err
	}
	return s.print(result)
}

// inspect describes files. A file that cannot be read does not hide the others.
func (a *app) inspect(ctx context.Context, names []string) error {
	list, faults := []interchange.Findings{}, []error{}
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
			faults = append(faults, a.conclude(nil, describe(facts), ending{next: strings.TrimPrefix(facts.Command, "rfm ")}))
		}
	}
	if a.json {
		faults = append(faults, a.encode(list))
	}
	return errors.Join(faults...)
}

// describe returns the page of a file: its arrays and their values, and the facts about it.
func describe(f interchange.Findings) report.Page {
	p := report.Page{Title: printable.Line(f.File), Source: f.Kind + ", " + report.Bytes(float64(f.Bytes)), Notes: f.Facts}
	t := report.Table{Header: []string{"array", "shape", "type", "from", "to", "mean", ""}, Words: []int{1, 2, 6}}
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return fmt.Sprintf("%.6g", *v)
	}
	for _, m := range f.Arrays {
		shape, remarks := "", []string{}
		if m.Shape != nil {
			shape = m.Shape.String()
		}
		add := func(holds bool, remark string) {
			if holds {
				remarks = append(remarks, remark)
			}
		}
		add(m.Order == "Fortran" && len(m.Shape) > 1, "Fortran order")
		add(m.Note != "", m.Note)
		add(m.NotFinite > 0, printable.Several(m.NotFinite, "value")+" not finite")
		add(m.Left > 0 && m.Min == nil, "not looked at")
		add(m.Left > 0 && m.Min != nil, printable.Several(m.Left, "value")+" at the end not looked at")
		add(m.Fault != "", cmp.Or(m.Reason, m.Fault))
		row := []string{cmp.Or(m.Name, "array"), shape, m.Type, number(m.Min), number(m.Max), number(m.Mean),
			strings.Join(remarks, ", ")}
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
