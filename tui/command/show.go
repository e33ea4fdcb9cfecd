// This file implements `rfm show`: stored runs, sweeps and files, from the list of all runs to the table of one.

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
	"rfm/tui/chart"
)

// showing is one call of `rfm show`.
type showing struct {
	*app
	follow, cost, verify, csv, reverse bool
	order, figure                      string
}

func (a *app) showCommand() *cobra.Command {
	s := &showing{app: a}
	cmd := &cobra.Command{
		Use:   "show [RUN or SWEEP or FILE ...]",
		Short: "List runs, show one, compare several; describe files",
		Long: `Without an argument it lists the stored runs, the newest last. Of one run it prints the tables, or the progress while any
process on any machine computes it; of a sweep its table. Several runs are compared: their results, the settings in which
they differ, and on how many of the same test pairs each is better. Of files it lists the arrays, models or settings, and
for pairs of functions the command that trains on them. It changes nothing.`,
		Example: `  rfm show                             all runs
  rfm show --sort error                the best first
  rfm show runs/x                      its tables, or how far it is
  rfm show runs/x --follow             until it is complete
  rfm show runs/x --cost --figure cost.svg
  rfm show small large --csv > compared.csv
  rfm show pairs.npz                   the arrays in a file`,
		RunE: s.run,
	}
	set := cmd.Flags()
	set.SortFlags = false
	set.BoolVarP(&s.follow, "follow", "f", false, "one run: print its progress until it is complete")
	set.BoolVar(&s.cost, "cost", false, "one run: measure error against time")
	set.StringVar(&s.figure, "figure", "", "with --cost: new `FILE` for the figure, .svg")
	set.BoolVar(&s.verify, "verify", false, "compare checksums of all files (exit code 4 if different)")
	set.StringVar(&s.order, "sort", "", "order of the list by `COLUMN` (default: when)")
	set.BoolVar(&s.reverse, "reverse", false, "reverse the list")
	set.BoolVar(&s.csv, "csv", false, "several runs: print CSV")
	return a.flags.share(cmd, "runs", "json", "workers", "quiet")
}

// subject is the kind of the arguments of `rfm show`.
type subject string

const (
	listOfRuns  subject = "the list of runs"
	oneRun      subject = "one run"
	oneSweep    subject = "a sweep"
	severalRuns subject = "several runs"
	someFiles   subject = "files"
)

// fitting lists the flags with a meaning for each subject, besides --json.
var fitting = map[subject][]string{
	listOfRuns:  {"runs", "verify", "sort", "reverse"},
	oneRun:      {"runs", "follow", "cost", "figure", "verify", "workers", "quiet"},
	oneSweep:    {"runs"},
	severalRuns: {"runs", "csv"},
	someFiles:   {"runs"},
}

func (s *showing) run(cmd *cobra.Command, args []string) error {
	if err := s.check(); err != nil {
		return err
	}
	kind, paths, err := s.subject(args)
	if err != nil {
		return err
	}
	if err := s.fit(cmd, kind); err != nil {
		return err
	}
	ctx := cmd.Context()
	switch kind {
	case listOfRuns:
		return s.list(ctx, s.order, s.reverse, s.verify, time.Now())
	case oneSweep:
		found, err := sweep.Open(paths[0])
		if err != nil {
			return err
		}
		return s.printSweep(found)
	case severalRuns:
		return s.compare(paths, s.csv)
	case someFiles:
		return s.inspect(ctx, paths)
	}
	switch {
	case s.cost:
		return s.measure(ctx, paths[0], s.figure)
	case s.verify:
		return s.verifyRun(paths[0])
	}
	return s.runState(ctx, paths[0])
}

// subject resolves the arguments: files, or runs and sweeps by their path or by their name below --runs. Among files,
// an argument that names nothing counts as a file, so that it does not hide the others.
func (s *showing) subject(args []string) (subject, []string, error) {
	if len(args) == 0 {
		return listOfRuns, nil, nil
	}
	paths := map[subject][]string{}
	var lost []error
	for _, arg := range args {
		below := filepath.Join(s.flags.runs, arg)
		kind, path := someFiles, arg
		info, err := os.Stat(arg)
		switch {
		case err == nil && !info.IsDir():
		case err == nil && isSweep(arg):
			kind, path = oneSweep, filepath.Clean(arg)
		case err != nil && isSweep(below):
			kind, path = oneSweep, below
		default:
			if path, err = store.Find(s.flags.runs, arg); err == nil {
				kind = oneRun
			} else {
				path, lost = arg, append(lost, err)
			}
		}
		paths[kind] = append(paths[kind], path)
	}
	files, runs, sweeps := paths[someFiles], paths[oneRun], paths[oneSweep]
	switch {
	case len(lost) == len(args), len(lost) > 0 && len(files) < len(args):
		return "", nil, errors.Join(lost...)
	case len(files) == len(args):
		return someFiles, files, nil
	case len(runs) == len(args) && len(runs) > 1:
		return severalRuns, runs, nil
	case len(args) == 1:
		return map[bool]subject{true: oneRun, false: oneSweep}[len(runs) == 1], append(runs, sweeps...), nil
	}
	return "", nil, misuse("show takes runs, or files, or one sweep, not %s, %s and %s at once",
		printable.Several(len(runs), "run"), printable.Several(len(files), "file"), printable.Several(len(sweeps), "sweep"))
}

// check refuses flags that contradict each other.
func (s *showing) check() error {
	switch {
	case s.order != "" && !slices.Contains(store.Orders(), s.order):
		return misuse("--sort %s: %s is expected", s.order, strings.Join(store.Orders(), ", "))
	case s.csv && s.flags.json:
		return misuse("--csv and --json exclude each other")
	case s.follow && s.cost, s.follow && s.verify, s.cost && s.verify:
		return misuse("--follow, --cost and --verify exclude each other")
	case s.figure != "" && !s.cost:
		return misuse("--figure is drawn by --cost, which is not given")
	case s.figure != "" && filepath.Ext(s.figure) != ".svg":
		return misuse("--figure %s: the name of a .svg file is expected", s.figure)
	case s.figure != "":
		return unoccupied(s.figure, "--figure")
	}
	return nil
}

// fit refuses flags without a meaning for the subject.
func (s *showing) fit(cmd *cobra.Command, kind subject) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		known := f.Name == "json" || cmd.InheritedFlags().Lookup(f.Name) != nil || slices.Contains(fitting[kind], f.Name)
		if !known && err == nil {
			err = misuse("--%s means nothing for %s: leave it out", f.Name, kind)
		}
	})
	return err
}

// isSweep reports whether a directory holds a sweep.
func isSweep(directory string) bool {
	_, err := sweep.Open(directory)
	return err == nil
}

// runState prints the tables of a complete run, or the progress of an incomplete one, repeatedly with --follow.
func (s *showing) runState(ctx context.Context, path string) error {
	for {
		w, err := engine.Watch(path)
		if err != nil {
			return err
		}
		if w.Manifest.Complete() {
			return s.result(ctx, w)
		}
		moves, err := s.look(w)
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

// result prints the tables of a complete run.
func (s *showing) result(ctx context.Context, w engine.Watched) error {
	e, err := engine.Open(ctx, w.Path, engine.Options{Workers: s.workers})
	if err != nil {
		return err
	}
	return errors.Join(s.printResult(e, e.Summary()), e.Close())
}

// verifyRun compares the checksums of the files of one run.
func (s *showing) verifyRun(path string) error {
	entry := store.NewEntry(path)
	l := entry.Listed()
	faults := l.Verify(entry)
	if s.flags.json {
		faults = append(faults, s.encode(l))
	} else if note := runNote(l); note != "" {
		fmt.Fprintln(s.out, note)
	}
	return errors.Join(faults...)
}

// compare prints the results of several runs and the settings in which they differ.
func (a *app) compare(paths []string, csv bool) error {
	c, err := compare.Compare(paths)
	switch {
	case err != nil:
		return err
	case csv:
		_, err = a.out.Write(c.CSV())
		return err
	case a.flags.json:
		return a.encode(c)
	}
	t, names := chart.Comparison(c, a.width())
	if len(names) > 0 {
		fmt.Fprintf(a.out, "%s\n\n", strings.Join(names, "\n"))
	}
	head, lines, _ := strings.Cut(t.Text(), "\n")
	fmt.Fprintf(a.out, "%s\n%s\n", a.theme().Label.Render(head), lines)
	return nil
}
