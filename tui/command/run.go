// This file implements `rfm run`: experiments from the shell.

package command

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/words"
)

// running is one call of `rfm run`.
type running struct {
	*app
	opening
	dryRun bool
	axes   []string // --vary
	split  int      // workers, 0 for none
}

func (a *app) runCommand() *cobra.Command {
	r := &running{app: a}
	cmd := &cobra.Command{
		Use:        "run [PRESET or FILE or RUN or INPUTS OUTPUTS]",
		Short:      "Generate, train, evaluate; or resume a run",
		SuggestFor: []string{"train", "resume", "sweep", "plan"},
		Long: `Runs one experiment: it makes or reads pairs, trains, tests, and stores the run. Name a preset to begin from its settings, a
FILE of pairs to learn from, a FILE.toml with settings of your own, or a stored RUN to resume it; two files are inputs and
outputs, or train.npz and test.npz. Without an argument it resumes the unfinished run that changed last, or runs the preset
quick if there is none.

The result goes to standard output, progress and notes to standard error. If it is interrupted, the same command resumes it.

Presets:
` + helpTable(config.Catalogue(), func(e config.Entry) (name, meaning string) { return e.Name, e.Summary }),
		Example: `  rfm run quick
  rfm run burgers -m 512 --seed 3
  rfm run burgers --train-data train.npy --test-data test.npy --theta theta.npy
  rfm run pairs.npz               learn from your own pairs
  rfm run a.csv u.csv             the same, from inputs and outputs
  rfm run few.npz --low many.npz  the same, with many cheap pairs beside them
  rfm run runs/x                  resume an interrupted run
  rfm run runs/x/config.toml      repeat a run
  rfm run burgers --vary seed=1..20 --vary features.count=512,1024
  rfm run burgers -n 20000 -m 8192 --name wide --split 16   for 16 workers`,
		Args:              oneOrMoreFiles,
		ValidArgsFunction: completeSource,
		RunE:              r.run,
	}
	set := cmd.Flags()
	r.define(cmd)
	a.share(cmd, "workers", "runs", "json", "quiet")
	set.StringArrayVar(&r.axes, "vary", nil, "run all `KEY=VALUES`, e.g. seed=1..20; repeatable")
	whole(cmd, &r.split, "split", 1, mostWorkers, "only split the run or sweep for `N` workers (rfm work)")
	set.BoolVar(&r.dryRun, "dry-run", false, "only check the configuration, estimate time and memory")
	return cmd
}

// oneOrMoreFiles takes an argument at most, or the names of files: inputs and outputs, or files of the same arrays.
func oneOrMoreFiles(cmd *cobra.Command, args []string) error {
	if len(args) == 2 && (interchange.IsThere(args[0]) || interchange.IsThere(args[1])) {
		return nil
	}
	if len(args) > 1 && (interchange.IsThere(args[0]) || slices.ContainsFunc(args, namesFile)) {
		for _, arg := range args {
			if !interchange.IsThere(arg) {
				return &fault.Data{
					Where: printable.Path(arg),
					What:  "does not exist",
					Do:    "check the names of the files",
				}
			}
		}
		return nil
	}
	return arguments(0, 1, "one preset, file or run, or several files of pairs")(cmd, args)
}

// mostWorkers bounds the number of workers of a split run, far above every cluster.
const mostWorkers = 1000000

func (r *running) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	path, err := r.stored(cmd, args)
	if err != nil {
		return err
	}
	if err := r.checkFlags(cmd, path); err != nil {
		return err
	}
	source := "quick"
	if len(args) > 0 {
		source = strings.Join(args, ",")
	}
	if path != "" {
		asStored := !r.given()
		if asStored && r.split > 0 {
			return r.plan(ctx, path)
		}
		if asStored && !r.dryRun {
			return r.resume(ctx, path)
		}
		r.runs, r.name = filepath.Split(filepath.Clean(path))
		source = filepath.Join(path, store.ConfigFile)
	}
	c, err := r.configuration(cmd, source)
	if err != nil {
		return err
	}
	r.assume(&c, r.axes)
	r.assumeLasting(ctx, &c)
	s := sweep.Sweep{Base: c}
	for _, text := range r.axes {
		axis, err := sweep.ParseAxis(c, text)
		if err != nil {
			return err
		}
		s.Axes = append(s.Axes, axis)
	}
	r.remarkWithoutEffect(source, s)
	if r.dryRun {
		return r.estimate(ctx, s)
	}
	if len(s.Axes) > 0 {
		return r.sweep(ctx, s)
	}
	return r.one(ctx, c)
}

// assumeLasting gives settings of a typed equation that nobody has given other values if its first inputs have no solution
// else, and says so.
func (r *running) assumeLasting(ctx context.Context, c *config.Config) {
	if len(r.equations) == 0 {
		return
	}
	settings, why := engine.Lasting(ctx, *c, r.assigns)
	var words []string
	for _, s := range settings {
		if config.Assign(c, s.Key+"="+s.Value) == nil {
			words = append(words, fmt.Sprintf("--set %s=%q", s.Key, s.Value))
		}
	}
	if len(words) > 0 {
		r.remark("note", "%s; assumed instead: %s", why, strings.Join(words, " "))
	}
}

// remarkWithoutEffect names the settings that flags or the source, if it is a configuration file, give although they have no
// effect in any run of a sweep, and says why.
func (r *running) remarkWithoutEffect(source string, s sweep.Sweep) {
	names := r.assigned()
	for _, axis := range s.Axes {
		names = append(names, axis.Key)
	}
	if filepath.Ext(source) == ".toml" {
		names = append(names, store.WrittenSettings(source)...)
	}
	var first config.Config
	for i, cell := range s.Cells() {
		if i == 0 {
			first = cell.Config
		}
		hasEffect := func(name string) bool { return cell.Config.WithoutEffect(name) == nil }
		names = slices.DeleteFunc(names, hasEffect)
	}
	for _, sentence := range first.WithoutEffect(names...) {
		r.remark("note", "%s", sentence)
	}
}

// assigns reports whether a flag sets a key.
func (r *running) assigns(key string) bool {
	short := key[strings.LastIndexByte(key, '.')+1:]
	return slices.ContainsFunc(slices.Concat(r.assignments, r.axes), func(assignment string) bool {
		name, _, _ := strings.Cut(assignment, "=")
		return name == key || name == short
	})
}

// checkFlags refuses combinations of flags of which one would be ignored. The path is that of a stored run, or empty.
func (r *running) checkFlags(cmd *cobra.Command, path string) error {
	repeats := "does not go with a stored run; its " + store.ConfigFile + " repeats it"
	if cmd.Flags().Changed("name") {
		if r.name == "" {
			return misuse("--name is empty; give a name, or leave it out")
		}
		if err := store.CheckName(r.name); err != nil {
			return err
		}
	}
	return refuse(cmd,
		rule{len(r.axes) > 0, "no-save", "does not go with --vary, which stores all runs"},
		rule{path != "", "no-save name vary", repeats},
		rule{r.noSave, "name split", "does not go with --no-save, which stores nothing"},
		rule{r.dryRun, "split", "does not go with --dry-run, which makes nothing"},
	)
}

// one makes or resumes the run of a configuration.
func (r *running) one(ctx context.Context, c config.Config) error {
	if r.split > 0 {
		if err := engine.CheckSplit(c); err != nil {
			return err
		}
	}
	o := r.options
	o.Workers = r.workers
	o.Name = r.name
	if !r.noSave {
		o.Runs = r.runs
	}
	o.Resume = r.name != "" || r.split == 0 // only a split without a name always begins anew
	e, err := engine.New(ctx, c, o)
	if err != nil {
		return resumable(err)
	}
	if r.split > 0 {
		if err := e.Close(); err != nil {
			return err
		}
		return r.plan(ctx, e.Directory())
	}
	unasked := !e.Made() && r.name == "" && !r.noSave // an unfinished run of the same configuration was found
	if unasked {
		fmt.Fprintf(r.Err, "note: resuming %s, an unfinished run of this configuration; --name starts another\n",
			printable.Path(e.Directory()))
	}
	if unasked && e.Split() {
		if err := e.Close(); err != nil {
			return err
		}
		return r.units(ctx, e.Directory())
	}
	return r.finish(ctx, e)
}

// stored returns the path of the stored run that the arguments name, or empty. Without an argument and without settings
// it is the unfinished run that changed last.
func (r *running) stored(cmd *cobra.Command, args []string) (string, error) {
	if len(args) == 0 {
		if r.given() || given(cmd, "name no-save vary dry-run split") != "" {
			return "", nil
		}
		path, err := store.Unfinished(r.runs)
		if path == "" {
			return "", err // without one the preset quick runs
		}
		fmt.Fprintf(r.Err, "note: resuming %s, the unfinished run that changed last; `rfm run quick` starts another\n",
			printable.Path(path))
		return path, nil
	}
	if _, err := config.PresetByName(args[0]); err == nil {
		return "", nil
	}
	kind, path, err := r.locate(args[0])
	if err != nil || kind == someFiles || len(args) > 1 {
		return "", nil // the configuration reports a name that nothing has
	}
	if kind == oneSweep {
		return "", &fault.Data{
			Where: printable.Path(path),
			What:  "is a sweep, not one run",
			Do:    "`rfm work` computes its runs, `rfm show` prints its table",
		}
	}
	program := filepath.Join(path, store.ProgramFile)
	configuration := filepath.Join(path, store.ConfigFile)
	if !exists(program) && !exists(configuration) {
		return "", &fault.Data{
			Where: path,
			What:  "is not a run",
			Do:    "`rfm show` lists the runs; to learn from pairs, name their file",
		}
	}
	return path, nil
}

// sweep computes the incomplete cells of --vary and prints the table.
func (r *running) sweep(ctx context.Context, of sweep.Sweep) error {
	s, err := sweep.Begin(r.runs, r.name, of.Base, of.Axes)
	if err != nil {
		return err
	}
	if r.split > 0 {
		fmt.Fprintf(r.Out, "%d runs in %s\nstart workers: rfm work %[2]s\n", len(s.Cells()), printable.Path(s.Directory))
		return nil
	}
	return r.cells(ctx, s, s.Groups())
}

// plan splits the stored run in the directory path and prints the units that workers will compute.
func (r *running) plan(ctx context.Context, path string) error {
	split, err := engine.Split(ctx, path, r.split, engine.Options{Workers: r.workers})
	if err != nil {
		return err
	}
	run := store.NewEntry(path)
	if run.Fault != nil {
		return run.Fault
	}
	c := run.Run.Config
	forecast := engine.MeasureRates(1).Estimate(c, 1)
	pairs, tiles, disk := engine.UnitsOf(split, c)
	const format = "%d units of pairs and %d tiles of %d x %[3]d features; on one core about %s for all pairs, %s for all tiles"
	forPairs := report.Duration(forecast.Generate)
	forTiles := report.Duration(forecast.Train)
	units := fmt.Sprintf(format, pairs, tiles, split.Width, forPairs, forTiles)
	memory := fmt.Sprintf("memory %s for a worker and %s for the last one, disk %s while it is split",
		report.Bytes(engine.UnitMemory(split, c)), report.Bytes(forecast.Bytes), report.Bytes(disk))
	page := words.Progress(run)
	page.Notes = []string{units, memory, "start workers: rfm work " + printable.Path(path)}
	return r.print(page)
}

// planned is the output of `rfm run --dry-run --json` for a valid configuration, or for the cells of a sweep.
type planned struct {
	From    string         `json:"from"`
	N       int            `json:"n,omitempty"` // these of one configuration
	M       int            `json:"m,omitempty"`
	Grid    int            `json:"grid,omitempty"`
	Cells   int            `json:"cells,omitempty"` // of a sweep
	Workers int            `json:"workers"`
	Bytes   float64        `json:"bytes"`   // of memory, estimated
	Seconds engine.Seconds `json:"seconds"` // estimated
	Least   float64        `json:"least_seconds"`
	Most    float64        `json:"most_seconds"`
}

// time returns the whole time in words.
func (p planned) time() string {
	whole := engine.Estimate{
		Seconds: p.Seconds,
		Less:    p.Seconds.Total() - p.Least,
		More:    p.Most - p.Seconds.Total(),
	}
	return whole.Time()
}

// estimate checks the configurations of all cells, one without axes, and prints their estimated time and memory.
func (r *running) estimate(ctx context.Context, s sweep.Sweep) error {
	c := s.Base
	for _, name := range []string{c.Data.TrainFile, c.Data.TestFile, c.Data.Low, c.Features.ThetaFile} {
		if name == "" {
			continue
		}
		_, public := s.Base.PublicSet() // whose error tells where its files come from
		if err := interchange.Readable(name); err != nil && !public {
			return &fault.Data{
				Where: name,
				What:  "cannot be opened",
				Err:   err,
				Do:    "check the name",
			}
		}
	}
	alone := len(s.Axes) == 0
	forecast := r.forecaster()
	sum := planned{
		From:    store.Stem(s.Base),
		Workers: machine.Workers(r.workers),
	}
	for _, group := range s.Groups() {
		for i, cell := range group {
			if cell.Fault != nil {
				return cell.Fault
			}
			c, err := r.check(ctx, cell.Config, sum.Cells == 0)
			if err != nil && !alone {
				err = fmt.Errorf("%s: %w", cell.Name, err)
			}
			if err != nil {
				return err
			}
			price := forecast(ctx, c)
			if sum.Cells == 0 {
				r.remarkSolver(c, price)
				if c.Of().Files { // of equations, a result that is not good enough says it
					r.remarkNetwork(c)
				}
			}
			if alone {
				sum.N = c.Data.Train
				sum.M = c.Features.Count
				sum.Grid = c.Train.Grid
			}
			if i == 0 { // the others of its group share its data
				sum.Seconds.Generate += price.Generate
			}
			sum.Seconds.Train += price.Train
			sum.Seconds.Evaluate += price.Evaluate
			least, most := price.Range()
			if i > 0 {
				least -= price.Generate
				most -= price.Generate
			}
			sum.Least += least
			sum.Most += most
			sum.Bytes = max(sum.Bytes, price.Bytes)
			sum.Cells++
		}
	}
	page := report.Page{
		Title:  "The configurations of " + printable.Several(sum.Cells, "run") + " are valid",
		Tables: []report.Table{r.prices(sum)},
	}
	if alone {
		page.Title = "The configuration is valid"
		sum.Cells = 0 // they are those of a sweep
	}
	return r.conclude(sum, page, ending{})
}

// check returns the complete configuration of a cell that could run. The first one tells what is noticed about its data.
func (r *running) check(ctx context.Context, c config.Config, first bool) (config.Config, error) {
	e, err := engine.New(ctx, c, r.options)
	r.options = engine.Options{} // because the experiment closes the files
	if err != nil {
		return c, err
	}
	defer e.Close()
	if first {
		r.notice(e)
	}
	return e.Config, nil
}

// remarkSolver tells how the equation of a configuration is solved, and what would make it faster.
func (r *running) remarkSolver(c config.Config, price engine.Estimate) {
	if scheme := engine.Scheme(c); scheme != "" {
		r.remark("note", "the equation is solved as %s", scheme)
	}
	isFolded := c.Equation.Bounded() && config.Folds(c.Data.Symmetry)
	if isFolded {
		length := "twice"
		if config.Quarters(c.Data.Symmetry) {
			length = "four times"
		}
		const why = "the equation commutes with reflections at its ends, so that kernels for periodic functions learn it on %s the " +
			"length (data.symmetry = %s)"
		r.remark("note", why, length, c.Data.Symmetry)
	}
	for _, p := range c.Equation.Numbers() {
		r.remark("note", "%s, another number for each pair: an input of the model", p.Law())
	}
	advice := engine.SlowSolver(c, price)
	if advice != "" {
		r.remark("note", "%s", advice)
	}
}

// remarkNetwork tells how to try a neural operator, which takes minutes, if that may be worth it.
func (r *running) remarkNetwork(c config.Config) {
	untried := engine.UntriedNetwork(c)
	if untried != "" {
		r.remark("note", "%s", untried)
	}
}

// prices returns the table of estimated time and memory.
func (r *running) prices(sum planned) report.Table {
	return report.Table{
		Header: []string{"on " + r.machine(), "about"},
		Rows: [][]string{
			{"generate", report.Duration(sum.Seconds.Generate)},
			{"train", report.Duration(sum.Seconds.Train)},
			{"evaluate", report.Duration(sum.Seconds.Evaluate)},
			{"in all", sum.time()},
			{"memory", report.Bytes(sum.Bytes)},
		},
	}
}
