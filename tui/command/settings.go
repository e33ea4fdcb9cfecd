// This file builds a configuration from the command line, a file and a preset.

package command

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/interchange"
	"rfm/model/store"
)

// settings are the flags that change a configuration: the short ones of keyFlags, --set, --equation and --no-baselines.
type settings struct {
	short, long, equation []string // assignments by short flags, --set and --equation
	noBaselines           bool
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
	{"theta", "features.theta_file", "FILE"},
}

// define adds the flags to a command.
func (s *settings) define(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	usual := config.Reference()
	for _, k := range keyFlags {
		key, err := usual.Lookup(k.key)
		if err != nil {
			panic("command: " + err.Error())
		}
		help, _, _ := strings.Cut(key.Help, " (")
		name, letter, _ := strings.Cut(k.name, ",")
		if key.Symbol != "" && key.Symbol != name && key.Symbol != letter {
			help = key.Symbol + ", " + help
		}
		var complete cobra.CompletionFunc
		if key.Kind == config.Path {
			complete = cobra.FixedCompletions(dataExtensions, cobra.ShellCompDirectiveFilterFileExt)
		}
		checked(cmd, new(string), k.name, k.value, fmt.Sprintf("%s [%s]", help, k.key),
			into(&s.short, k.key+"="), complete)
	}
	checked(cmd, new(string), "equation", "TEXT", "an equation, e.g. \"u_t = nu*u_xx - u*u_x\" [equation.text]",
		into(&s.equation, "equation.text="), nil)
	checked(cmd, new(string), "set", "KEY=VALUE", "set any setting, e.g. features.delta=0.005; repeatable",
		into(&s.long, ""), completeSetting)
	cmd.Flags().BoolVar(&s.noBaselines, "no-baselines", false, "do not train baselines [evaluation.baselines]")
}

// into returns the parser of a flag that adds its text, after a prefix, to a list of assignments.
func into(list *[]string, prefix string) func(string) (string, error) {
	return func(text string) (string, error) {
		*list = append(*list, prefix+text)
		return text, nil
	}
}

// given reports whether a flag changes the configuration.
func (s *settings) given() bool {
	return len(s.short)+len(s.long)+len(s.equation) > 0 || s.noBaselines
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
	var first, later []string // the problem resets other keys, so it is assigned first
	if len(s.equation) > 0 {
		if c.Equation.Text == "" {
			first = append(first, "problem="+config.TextEquation)
		}
		first = append(first, s.equation...)
	}
	for _, a := range slices.Concat(s.short, s.long) {
		switch name, text := cut(a); {
		case name == "problem":
			first = append(first, a)
			continue
		case name == "data.test_file" && text != "": // all pairs of the first file are then for training
			if c.Data.Split = 0; learned {
				c.Data.Train, c.Data.Test = 0, 0
			}
		}
		later = append(later, a)
	}
	if s.noBaselines {
		later = append(later, "evaluation.baselines="+config.No)
	}
	assign := func(list []string) error {
		for _, a := range list {
			if err := config.Assign(&c, a); err != nil {
				return err
			}
		}
		return nil
	}
	if err := assign(first); err != nil {
		return c, err
	}
	for _, a := range later {
		if name, _ := cut(a); learned {
			if c, err = interchange.Reread(c, name); err != nil {
				return c, err
			}
		}
	}
	return c, assign(later)
}

// cut splits an assignment into the name of the key and the text of the value.
func cut(assignment string) (name, text string) {
	name, text, _ = strings.Cut(assignment, "=")
	return strings.TrimSpace(name), text
}
