// This file builds a configuration from the command line, the environment, a file and a preset.

package command

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/machine"
	"rfm/model/store"
)

// flags are the flags with the same meaning in every command that has them; zero values mean "not given". Flags of a
// single command are in a struct of its file.
type flags struct {
	workers     string
	runs        string
	json, quiet bool
	color       string
	ascii       bool
}

// settings are the flags that change a configuration: the short ones of keyFlags, --set, --equation and --no-baselines.
type settings struct {
	assignments []string // --set
	equation    string
	noBaselines bool
}

// keyFlags are the flags that abbreviate --set.
var keyFlags = []struct{ name, letter, key, value string }{
	{"train", "n", "data.train", "N"},
	{"features", "m", "features.count", "M"},
	{"grid", "K", "train.grid", "K"},
	{"test", "", "data.test", "N"},
	{"lambda", "", "train.lambda", "X"},
	{"seed", "", "seed", "S"},
	{"train-data", "", "data.train_file", "FILE"}, // shapes differ between problems
	{"test-data", "", "data.test_file", "FILE"},
	{"theta", "", "features.theta_file", "FILE"},
}

// define adds the flags to a command.
func (s *settings) define(cmd *cobra.Command) {
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
	set.StringVar(&s.equation, "equation", "", "an equation, e.g. \"u_t = nu*u_xx - u*u_x\" [equation.text]")
	name(set, "equation", "TEXT")
	set.StringArrayVar(&s.assignments, "set", nil, "set any setting, e.g. features.delta=0.005; repeatable")
	name(set, "set", "KEY=VALUE")
	set.BoolVar(&s.noBaselines, "no-baselines", false, "do not train baselines [evaluation.baselines]")
}

// share defines flags with the same meaning in several commands, and returns the command.
func (f *flags) share(cmd *cobra.Command, names ...string) *cobra.Command {
	set := cmd.Flags()
	for _, name := range names {
		switch name {
		case "workers":
			set.StringVar(&f.workers, name, "", "`N` goroutines that compute (default: one for each core)")
		case "runs":
			set.StringVar(&f.runs, name, "runs", "`DIRECTORY` of stored runs")
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

// arguments refuses fewer arguments than least and more than most; what describes the arguments of the command.
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

// name sets the placeholder of a flag's value in the help; the flag has no default.
func name(set *pflag.FlagSet, flag, value string) {
	f := set.Lookup(flag)
	f.Value, f.DefValue = &named{f.Value, value}, ""
}

// common defines the flags of every command.
func (f *flags) common(cmd *cobra.Command) {
	cmd.PersistentFlags().StringVar(&f.color, "color", "auto", "colours: auto, always or never")
	cmd.PersistentFlags().BoolVar(&f.ascii, "ascii", false, "draw with ASCII characters only")
}

// variables are the environment variables that replace a flag that is not given. RFM_SIMD replaces no flag; it is read
// where the kernels are chosen.
var variables = map[string]string{"RFM_WORKERS": "workers", "RFM_RUNS": "runs"}

// resolve finishes the flags of a command: it applies environment variables and checks flags with fixed values.
func (f *flags) resolve(cmd *cobra.Command, environ []string) error {
	for _, entry := range environ {
		variable, value, ok := strings.Cut(entry, "=")
		if !ok || !strings.HasPrefix(variable, "RFM_") {
			continue
		}
		flag, known := variables[variable]
		switch {
		case variable == machine.InstructionsVariable:
			if !slices.Contains(simdLevels, value) {
				return misuse("environment variable %s=%s: %s is expected", variable, value, strings.Join(simdLevels[1:], " or "))
			}
		case !known:
			return misuse("environment variable %s is not known; known are %s and %s: unset it", variable,
				strings.Join(slices.Sorted(maps.Keys(variables)), ", "), machine.InstructionsVariable)
		case cmd.Flags().Lookup(flag) != nil && !cmd.Flags().Changed(flag): // Value.Set does not mark it as changed
			if err := cmd.Flags().Lookup(flag).Value.Set(value); err != nil {
				return misuse("environment variable %s: %w", variable, err)
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

// choices are the values of flags with a fixed set of values.
var choices = map[string][]string{
	"color":    {"auto", "always", "never"},
	"endpoint": {config.Included, config.Excluded},
	"layout":   {config.AutoLayout, config.FunctionsFirst, config.PointsFirst},
}

// simdLevels are the values of RFM_SIMD.
var simdLevels = []string{"", "off", "avx2"}

// given reports whether a flag changes the configuration.
func (s *settings) given(cmd *cobra.Command) bool {
	for _, k := range keyFlags {
		if flag := cmd.Flags().Lookup(k.name); flag != nil && flag.Changed {
			return true
		}
	}
	return len(s.assignments) > 0 || s.noBaselines || s.equation != ""
}

// givesTests reports whether a flag names a file of test pairs, or an assignment does.
func (s *settings) givesTests(cmd *cobra.Command) bool {
	flag := cmd.Flags().Lookup("test-data")
	return flag != nil && flag.Value.String() != "" || slices.ContainsFunc(s.assignments, func(a string) bool {
		key, value, _ := strings.Cut(a, "=")
		return strings.TrimSpace(key) == "data.test_file" && value != ""
	})
}

// configuration builds the configuration: a preset or a file, then the short flags, then --set. It is not validated.
func (s *settings) configuration(cmd *cobra.Command, source string) (config.Config, error) {
	read, learned := store.Configuration, false
	if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() && filepath.Ext(source) != ".toml" {
		learned = true
		read = func(name string) (config.Config, error) { return interchange.Learn(cmd.Context(), name) }
	}
	c, err := read(source)
	if err != nil {
		return c, err
	}
	if s.givesTests(cmd) { // all pairs of the first file are then for training
		if c.Data.Split = 0; learned {
			c.Data.Train, c.Data.Test = 0, 0
		}
	}
	if s.equation != "" {
		if err := assignEquation(&c, s.equation); err != nil {
			return c, err
		}
	}
	var later []string
	for _, a := range s.assignments { // the problem resets other keys, so it is assigned first
		if name, _, _ := strings.Cut(a, "="); strings.TrimSpace(name) != "problem" {
			later = append(later, a)
			if learned {
				if c, err = interchange.Reread(c, strings.TrimSpace(name)); err != nil {
					return c, err
				}
			}
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
	}
	if s.noBaselines {
		later = append(later, "evaluation.baselines="+config.No)
	}
	for _, a := range later {
		if err := config.Assign(&c, a); err != nil {
			return c, err
		}
	}
	return c, nil
}

// assignEquation sets the equation; a configuration of another problem is replaced by a new one.
func assignEquation(c *config.Config, text string) error {
	if c.Equation.Text == "" {
		if err := config.Assign(c, "problem="+config.TextEquation); err != nil {
			return err
		}
	}
	return config.Assign(c, "equation.text="+text)
}

// workerCount returns the value of --workers; 0 if it is not given.
func (f *flags) workerCount() (int, error) {
	if f.workers == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(f.workers)
	if err != nil || n < 1 || n > 1024 {
		return 0, misuse("--workers %s, or RFM_WORKERS: a whole number from 1 to 1024 is expected", f.workers)
	}
	return n, nil
}
