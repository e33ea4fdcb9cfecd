// This file builds a configuration from the command line, a file and a preset.

package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/interchange"
)

// settings are the flags that change a configuration.
type settings struct {
	equations   []string // texts, joined as lines of equation.text
	assignments []string // key=value, in the order of the command line
	noBaselines bool
	options     engine.Options // with the open files of the pairs
}

// keyFlags are the flags that abbreviate --set.
var keyFlags = []struct{ name, key, value string }{
	{"train,n", "data.train", "N"},
	{"features,m", "features.count", "M"},
	{"grid,K", "train.grid", "K"},
	{"test", "data.test", "N"},
	{"lambda", "train.lambda", "X"},
	{"seed", "seed", "S"},
	{"train-data", "data.train_file", "FILE"}, // shapes differ between problems
	{"test-data", "data.test_file", "FILE"},
	{"low", "data.low", "FILE"},
	{"theta", "features.theta_file", "FILE"},
}

// define adds the flags to a command.
func (s *settings) define(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	s.defineKeys(cmd)
	s.defineEquation(cmd)
	s.assigning(cmd, "set", "", "KEY=VALUE", "set any setting, e.g. features.delta=0.005; repeatable", completeSetting)
	cmd.Flags().BoolVar(&s.noBaselines, "no-baselines", false, "do not compare with other methods [evaluation.baselines]")
}

// assigning adds a flag whose text is assigned to a setting: behind a prefix that names it.
func (s *settings) assigning(cmd *cobra.Command, flag, prefix, value, help string, complete cobra.CompletionFunc) {
	assign := func(text string) (string, error) {
		s.assignments = append(s.assignments, prefix+text)
		return text, nil
	}
	checked(cmd, new(string), flag, value, help, assign, complete)
}

// defineKeys adds the flags that abbreviate --set, with the help of their settings.
func (s *settings) defineKeys(cmd *cobra.Command) {
	usual := config.Reference()
	own, err := config.PresetByName(config.Functions) // which has the settings of pairs from files
	if err != nil {
		panic("command: " + err.Error())
	}
	for _, k := range keyFlags {
		key, err := usual.Lookup(k.key)
		if err != nil {
			key, err = own.Lookup(k.key)
		}
		if err != nil {
			panic("command: " + err.Error())
		}
		help, _, _ := strings.Cut(key.Help, " (")
		name, letter, _ := strings.Cut(k.name, ",")
		isName := key.Symbol == name || key.Symbol == letter
		if key.Symbol != "" && !isName {
			help = key.Symbol + ", " + help
		}
		var complete cobra.CompletionFunc
		if key.Kind == config.Path {
			complete = cobra.FixedCompletions(dataExtensions, cobra.ShellCompDirectiveFilterFileExt)
		}
		help += " [" + k.key + "]"
		s.assigning(cmd, k.name, k.key+"=", k.value, help, complete)
	}
}

// defineEquation adds the flags of an equation and of the conditions at its ends and sides.
func (s *settings) defineEquation(cmd *cobra.Command) {
	const equation = `an equation, e.g. "u_t = nu*u_xx - u*u_x"; repeatable [equation.text]`
	addEquation := func(text string) (string, error) {
		s.equations = append(s.equations, text)
		return text, nil
	}
	checked(cmd, new(string), "equation", "TEXT", equation, addEquation, nil)
	conditions := func(side, help string) {
		key := "equation." + side
		help = "conditions at the " + help + " [" + key + "]"
		s.assigning(cmd, side, key+"=", "TEXT", help, nil)
	}
	conditions("left", `left end, e.g. "u = 0"`)
	conditions("right", "right end")
	conditions("bottom", "lower side of the square")
	conditions("top", "upper side")
}

// assume gives parameters of the equation without a value one, and says so unless several values are given.
func (a *app) assume(c *config.Config, axes []string) {
	a.assumeInitial(*c)
	for _, name := range c.Assume() {
		dot := strings.LastIndexByte(name, '.')
		short := name[dot+1:]
		isAxis := func(axis string) bool {
			key, _, _ := strings.Cut(axis, "=")
			return key == short || key == name
		}
		if slices.ContainsFunc(axes, isAxis) {
			continue
		}
		const text = "%s has no value and counts as %s, assumed: --set %s=... gives another"
		a.remark("note", text, short, config.AssumedValue, short)
	}
}

// assumeInitial says with which values the fields of a system begin that has none.
func (a *app) assumeInitial(c config.Config) {
	initial := c.Equation.AssumedInitial()
	isSystem := strings.Contains(initial, ";")
	if !isSystem {
		return
	}
	const text = "there are no initial values: %s begin with %s, assumed: --set equation.initial=... gives others"
	fields := strings.Join(c.Equation.Fields(), ", ")
	a.remark("note", text, fields, initial)
}

// given reports whether a flag changes the configuration.
func (s *settings) given() bool {
	texts := len(s.equations) + len(s.assignments)
	return texts > 0 || s.noBaselines
}

// assigned returns the names of the settings that flags give.
func (s *settings) assigned() (names []string) {
	for _, assignment := range s.assignments {
		name, _, _ := strings.Cut(assignment, "=")
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// configuration returns the configuration of a source with the flags. It is not validated.
func (s *settings) configuration(cmd *cobra.Command, source string) (c config.Config, err error) {
	assignments := s.assignments
	if len(s.equations) > 0 {
		text := "equation.text=" + strings.Join(s.equations, "; ")
		assignments = append([]string{text}, assignments...)
	}
	if s.noBaselines {
		assignments = append(assignments, "evaluation.baselines="+config.No)
	}
	c, s.options.Files, err = interchange.Configuration(cmd.Context(), source, assignments...)
	return c, err
}
