// This file implements `rfm tune`: feature parameters adapted to training data.

package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/run/tune"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/terminal"
	"rfm/tui/words"
)

// tuning is one call of the command.
type tuning struct {
	*app
	settings
	time        time.Duration
	evaluations int
	file        string // for the result
}

func (a *app) tuneCommand() *cobra.Command {
	t := &tuning{app: a}
	cmd := &cobra.Command{
		Use:   "tune [PRESET or FILE]",
		Short: "Adapt the random features to training data",
		Long: `Searches for parameters of the random features. Each candidate is trained on one part of the training pairs and scored on
the other; test pairs are never made or read. The best few are scored again with fresh random draws, because the smallest
of many scores is partly luck.

The result is a file of settings for rfm run. If the search is interrupted, the same command resumes it.`,
		Example: `  rfm tune burgers                            three minutes
  rfm run burgers-tuned.toml                  the result, tested
  rfm tune burgers --set features.pool=2048   for features chosen greedily
  rfm tune pairs.npz                          your own data`,
		Args:              arguments(0, 1, "one preset or file"),
		ValidArgsFunction: completeSource,
		RunE:              t.run,
	}
	set := cmd.Flags()
	set.SortFlags = false
	t.time = 3 * time.Minute
	checked(cmd, &t.time, "time", "TIME", "how long to search", func(text string) (time.Duration, error) {
		if d, err := time.ParseDuration(text); err == nil && d > 0 {
			return d, nil
		}
		return 0, errors.New("want a time such as 90s or 3m")
	}, nil)
	whole(cmd, &t.evaluations, "evaluations", 1, 1000000, "number of models to try, instead of a time")
	set.StringVar(&t.file, "out", "", "`FILE` for the result (default: NAME-tuned.toml)")
	t.settings.define(cmd)
	return a.share(cmd, "workers", "json", "quiet")
}

func (t *tuning) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	source := config.Reference().Title()
	if len(args) > 0 {
		source = args[0]
	}
	c, err := t.configuration(cmd, source)
	if err != nil {
		if path, notFound := store.Find(t.runs, source); notFound == nil {
			return &fault.Data{
				Where: printable.Path(path),
				What:  "is a run, want a preset or a configuration",
				Do:    "to tune its features: rfm tune " + printable.Path(filepath.Join(path, store.ConfigFile)),
			}
		}
		return err
	}
	t.assume(&c, nil)
	for _, sentence := range c.WithoutEffect(t.assigned()...) {
		t.remark("note", "%s", sentence)
	}
	s := &tune.Session{Asked: c, Files: t.options.Files}
	if err := s.Check(ctx); err != nil {
		return err
	}
	if t.file == "" {
		name := source[strings.LastIndexAny(source, `/\`)+1:]
		t.file = strings.TrimSuffix(name, filepath.Ext(name)) + "-tuned.toml"
	}
	if err := interchange.Unoccupied(t.file, "--out", nil, ""); err != nil {
		return err
	}
	begin := time.Now()
	obtain := func(terminal.Between) error { return s.Obtain(ctx, nil, t.workers) }
	progress := func() (string, float64, func(int) string) {
		p := s.Made()
		return "generate", p.Fraction(), p.Line
	}
	if err := t.Attend(t.quiet, obtain, progress); err != nil {
		return err
	}
	if _, err := s.KeepBeside(ctx, t.file); err != nil {
		return err
	}
	o := tune.Options{
		Evaluations: t.evaluations,
		Seed:        c.Seed,
		Workers:     machine.Workers(t.workers),
	}
	if t.evaluations == 0 {
		left := t.time - time.Since(begin)
		o.Time = max(time.Millisecond, left*95/100) // the last models take the rest
	}
	done, err := s.Begin(o)
	if err != nil {
		return err
	}
	if done > 0 {
		fmt.Fprintf(t.Err, "resuming the search in %s, %d evaluations\n", printable.Line(s.Directory()), done)
	}
	return t.search(ctx, s)
}

func (t *tuning) search(ctx context.Context, s *tune.Session) error {
	var result tune.Result
	run := func(terminal.Between) (err error) {
		result, err = s.Run(ctx)
		return err
	}
	progress := func() (string, float64, func(int) string) {
		now := s.Snapshot()
		took := report.Duration(now.Elapsed.Seconds())
		text := fmt.Sprintf("%s, %d models, %s", now.Stage, now.Evaluations, took)
		if n := len(now.Curve); n > 0 {
			text += ", best " + report.Error(now.Curve[n-1].Error, 4)
		}
		return "tune", now.Done, func(int) string { return text }
	}
	err := t.Attend(t.quiet, run, progress)
	if errors.Is(err, context.Canceled) {
		return interrupted("the search is in %s; the same command resumes it", s.Directory())
	}
	if err != nil && !s.Kept() { // nothing to resume
		return errors.Join(err, s.Forget())
	}
	if err != nil {
		return err
	}
	_, _, checked := s.Snapshot().Gain()
	if !checked {
		return t.unchecked(s, result)
	}
	if err := s.Save(s.Adopt(s.Asked, result.Config)); err != nil {
		return err
	}
	if err := s.Forget(); err != nil {
		return err
	}
	return t.print(s.Snapshot(), s.Complete, result.Improved)
}

// unchecked prints a search that had no time to score anything on fresh draws. Its errors may be luck of its own draws, so
// that it writes no file.
func (t *tuning) unchecked(s *tune.Session, result tune.Result) error {
	t.file = ""
	if err := t.print(s.Snapshot(), s.Complete, result.Improved); err != nil {
		return err
	}
	return interrupted("the time was too short to check anything on fresh draws, so nothing is written; "+
		"the search is in %s, the same command with a longer --time resumes it", s.Directory())
}

// leader is a configuration of the leaderboard for JSON.
type leader struct {
	Start    bool      `json:"start,omitempty"` // the configuration to be improved
	Search   *float64  `json:"search"`          // its error in the search
	Rescored []float64 `json:"rescored"`        // its errors on fresh draws
	Features []string  `json:"features"`        // key=value
}

// parameters returns the settings that a search has changed.
func parameters(of, from config.Config) (list []string) {
	for _, k := range of.Keys() {
		if !k.Same(of, from) {
			list = append(list, k.Short()+"="+k.Rounded(of, 3))
		}
	}
	return list
}

// print writes the leaderboard and the outcome of a search from a configuration, with the file of the result if there is
// one.
func (t *tuning) print(s *tune.Snapshot, from config.Config, improved bool) error {
	var leaders []leader
	for _, l := range s.Leaders {
		row := leader{
			Start:    l.Start,
			Rescored: l.Rescored,
			Features: parameters(l.Config, from),
		}
		if !math.IsNaN(l.Error) {
			row.Search = &l.Error
		}
		leaders = append(leaders, row)
	}
	var end ending
	if t.file != "" {
		outcome, _ := s.Outcome()
		end = ending{
			result: outcome,
			where:  t.file,
			next:   "run " + printable.Path(t.file),
		}
	}
	best := "the configuration as it was"
	if len(leaders[0].Features) > 0 {
		best = strings.Join(leaders[0].Features, " ")
	}
	page := report.Page{
		Title:  printable.Several(s.Evaluations, "model") + " in " + report.Duration(s.Elapsed.Seconds()),
		Tables: []report.Table{words.Leaderboard(s.Leaders)},
		Notes: []string{
			"1: " + best,
			"Errors are on training pairs that were left out; fresh: the mean on other draws and splits, with all features. " +
				"Most draws come first: one alone may be luck.",
		},
	}
	found := struct {
		File     string   `json:"file"`
		Improved bool     `json:"improved"`
		Leaders  []leader `json:"leaders"`
	}{t.file, improved, leaders}
	return t.conclude(found, page, end)
}
