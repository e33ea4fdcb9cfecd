// This file is the flags: how the command line, the environment, a file and a preset make a configuration.

package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/model/store"
)

// flags are the values of all flags; zero values are "not given".
type flags struct {
	assignments []string // --set
	workers     string
	runs, name  string
	noSave      bool
	noBaselines bool
	details     string // file for errors in other norms
	json, quiet bool
	dryRun      bool
	anew        bool          // --new
	merge       bool          // of a split run
	attempts    int           // of submitting again
	band        int           // the same
	axes        []string      // --vary
	task        string        // I/T
	budget      time.Duration // of one measurement
	color       string
	ascii       bool
	mouse       bool // of the interface
}

// keyFlags are the flags that are short for --set.
var keyFlags = []struct{ name, letter, key, value string }{
	{"train", "n", "data.train", "N"},
	{"features", "m", "features.count", "M"},
	{"grid", "K", "train.grid", "K"},
	{"test", "", "data.test", "N"},
	{"lambda", "", "train.lambda", "X"},
	{"seed", "", "seed", "S"},
	{"train-data", "", "data.train_file", "FILE"}, // their shapes differ from problem to problem
	{"test-data", "", "data.test_file", "FILE"},
	{"theta", "", "features.theta_file", "FILE"},
}

// experiment defines the flags of experiments that are run.
func (f *flags) experiment(cmd *cobra.Command) {
	f.configure(cmd)
	set := cmd.Flags()
	f.share(cmd, "workers", "runs")
	set.StringVar(&f.name, "name", "", "name of the stored run (default: date-time-problem-hash)")
	set.BoolVar(&f.noSave, "no-save", false, "do not store the run")
	set.BoolVar(&f.noBaselines, "no-baselines", false, "do not train other methods to compare with [evaluation.baselines]")
}

// configure defines the flags that change the configuration.
func (f *flags) configure(cmd *cobra.Command) {
	set := cmd.Flags()
	set.SortFlags = false
	for _, k := range keyFlags {
		key, err := config.Presets()[0].Config.Lookup(k.key)
		if err != nil {
			panic("command: " + err.Error())
		}
		help, _, _ := strings.Cut(key.Help, " (")
		if key.Symbol != "" && key.Symbol != k.name && key.Symbol != k.letter {
			help = key.Symbol + ", " + help
		}
		set.StringP(k.name, k.letter, "", fmt.Sprintf("%s [%s]", help, k.key))
		name(set, k.name, k.value)
	}
	set.StringArrayVar(&f.assignments, "set", nil, "set any configuration key, e.g. features.delta=0.005")
	name(set, "set", "KEY=VALUE")
}

// share defines flags that mean the same for several commands, and returns the command.
func (f *flags) share(cmd *cobra.Command, names ...string) *cobra.Command {
	set := cmd.Flags()
	for _, name := range names {
		switch name {
		case "workers":
			set.StringVar(&f.workers, name, "", "goroutines that compute (default: one for each core)")
		case "runs":
			set.StringVar(&f.runs, name, "runs", "directory of stored runs")
		case "json":
			set.BoolVar(&f.json, name, false, "print the result as JSON")
		case "quiet":
			set.BoolVarP(&f.quiet, name, "q", false, "no progress")
		default:
			panic("command: no flag is called " + name)
		}
	}
	return cmd
}

// arguments refuses other numbers of arguments than those from least to most; what says what a command takes.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(args); {
		case least <= n && n <= most:
			return nil
		case most == 0:
			return misuse("%s takes %s, not %q", cmd.Name(), what, args[0])
		default:
			return misuse("%s takes %s, not %d arguments", cmd.Name(), what, n)
		}
	}
}

// named shows a name for a flag's value in the help.
type named struct {
	pflag.Value
	name string
}

func (p *named) Type() string { return p.name }

// name shows a name for the value of a flag, which is empty without it.
func name(set *pflag.FlagSet, flag, value string) {
	f := set.Lookup(flag)
	f.Value, f.DefValue = &named{f.Value, value}, ""
}

// common defines the flags of every command.
func (f *flags) common(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&f.color, "color", "auto", "colours: auto, always or never")
	cmd.PersistentFlags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
}

// interactive defines the flags of the interface.
func (f *flags) interactive(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.mouse, "mouse", false, "use the mouse; selecting text then needs the shift key")
}

// variables are the environment variables that stand in for flags.
var variables = map[string]string{"RFM_WORKERS": "workers", "RFM_RUNS": "runs"}

// resolve finishes the flags: environment variables stand in for those that are not given.
func (f *flags) resolve(cmd *cobra.Command, environ []string) error {
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch flag := cmd.Flags().Lookup(variables[name]); {
		case name == machine.InstructionsVariable && !slices.Contains(simdLevels, value):
			return misuse("environment variable %s=%s: %s is expected", name, value, strings.Join(simdLevels[1:], " or "))
		case name == machine.InstructionsVariable || !strings.HasPrefix(name, "RFM_"):
		case variables[name] == "":
			return misuse("environment variable %s is not known: RFM_WORKERS, RFM_RUNS and %s are; unset it", name,
				machine.InstructionsVariable)
		case flag != nil && !flag.Changed:
			if err := cmd.Flags().Set(flag.Name, value); err != nil {
				return misuse("environment variable %s: %w", name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		if flag, of := cmd.Flags().Lookup(name), choices[name]; flag != nil && !slices.Contains(of, flag.Value.String()) {
			last := len(of) - 1
			return misuse("--%s %s: %s or %s is expected", name, flag.Value, strings.Join(of[:last], ", "),
				of[last])
		}
	}
	return nil
}

// choices are the values of flags that have only some.
var choices = map[string][]string{
	"color":    {"auto", "always", "never"},
	"endpoint": {config.Included, config.Excluded},
	"layout":   {config.AutoLayout, config.FunctionsFirst, config.PointsFirst},
}

// simdLevels are the values of RFM_SIMD.
var simdLevels = []string{"", "off", "avx2"}

// configured reports whether a flag changes the configuration.
func (f *flags) configured(cmd *cobra.Command) bool {
	for _, k := range keyFlags {
		if flag := cmd.Flags().Lookup(k.name); flag != nil && flag.Changed {
			return true
		}
	}
	return len(f.assignments) > 0 || f.noBaselines
}

// givesTests reports whether a flag names a file of test pairs, or an assignment does.
func (f *flags) givesTests(cmd *cobra.Command) bool {
	flag := cmd.Flags().Lookup("test-data")
	return flag != nil && flag.Changed || slices.ContainsFunc(f.assignments, func(a string) bool {
		key, _, _ := strings.Cut(a, "=")
		return strings.TrimSpace(key) == "data.test_file"
	})
}

// configuration builds the configuration: a preset or a file, then the short flags, then --set. It is not validated.
func (f *flags) configuration(cmd *cobra.Command, source string) (config.Config, error) {
	read, learned := store.Configuration, false
	if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() && filepath.Ext(source) != ".toml" {
		learned = true
		read = func(name string) (config.Config, error) { return interchange.Learn(cmd.Context(), name) }
	}
	c, err := read(source)
	if err != nil {
		return c, err
	}
	if learned && f.givesTests(cmd) { // the pairs of the first file are then all for training
		c.Data.Train, c.Data.Test = 0, 0
	}
	var later []string
	for _, a := range f.assignments { // another problem brings its own values: what else is set must come after it
		if name, _, _ := strings.Cut(a, "="); strings.TrimSpace(name) != "problem" {
			later = append(later, a)
		} else if err := config.Assign(&c, a); err != nil {
			return c, err
		}
	}
	for _, k := range keyFlags {
		flag := cmd.Flags().Lookup(k.name)
		if flag == nil || !flag.Changed {
			continue
		}
		if err := config.Assign(&c, k.key+"="+flag.Value.String()); err != nil {
			return c, err
		}
		if k.key == "data.test_file" && c.Data.TestFile != "" {
			c.Data.Split = 0 // a file's, which has nothing to split any more
		}
	}
	if f.noBaselines {
		later = append(later, "evaluation.baselines="+config.No)
	}
	for _, a := range later {
		if err := config.Assign(&c, a); err != nil {
			return c, err
		}
	}
	return c, nil
}

// workerCount is the value of --workers; 0 if it is not given.
func (f *flags) workerCount() (int, error) {
	if f.workers == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(f.workers)
	if err != nil || n < 1 || n > 1024 {
		return 0, misuse("--workers %s: a whole number from 1 to 1024 is expected", f.workers)
	}
	return n, nil
}

// vary defines the flags of sweeps.
func (f *flags) vary(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringArrayVar(&f.axes, "vary", nil,
		"run all values of a key, e.g. seed=1..20 or features.count=512,1024; may be given again")
	set.StringVar(&f.task, "task", "", "do only part I of T of the cells of --vary, e.g. as one task of an array")
	name(set, "vary", "KEY=VALUES")
	name(set, "task", "I/T")
}

// part is the value of --task: 1 of 1 if it is not given.
func (f *flags) part() (task, tasks int, err error) {
	if f.task == "" {
		return 1, 1, nil
	}
	if _, err := fmt.Sscanf(f.task+"\n", "%d/%d\n", &task, &tasks); err != nil || tasks < 1 || task < 1 || task > tasks {
		return 0, 0, misuse("--task %s: I/T with I from 1 to T is expected, e.g. 3/10", f.task)
	}
	return task, tasks, nil
}

// planned defines the flags of how a run is split.
func (f *flags) planned(cmd *cobra.Command) {
	cmd.Flags().IntVar(&f.band, "band", 0, "features in a band of tiles, a multiple of 24 (default: what suits)")
}
