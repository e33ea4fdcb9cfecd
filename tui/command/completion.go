// This file completes words of a command line: presets, runs, files, settings and their values, items of the
// paper.

package command

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/run/store"
	"rfm/model/show/paper"
	"rfm/solver/base/printable"
)

// completionCommand finishes cobra's command that prints the completion script of a shell: unknown shells and further
// arguments become usage errors.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("command: " + err.Error())
	}
	var shells []string
	for _, shell := range cmd.Commands() {
		shells = append(shells, shell.Name())
		shell.Args = arguments(0, 0, "no arguments")
	}
	cmd.Use, cmd.Short = "completion SHELL", "Print the completion code for a shell"
	cmd.Long = "Prints the code with which a shell completes commands, presets, runs, files and settings.\n" +
		"`rfm help completion bash` tells where it goes."
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		list := strings.Join(shells, ", ")
		if len(args) == 0 {
			return misuse("completion needs a shell: %s", list)
		}
		return misuse("completion takes one shell: %s, not %q", list, strings.Join(args, " "))
	}
}

// completeRuns completes the names of at most so many runs below --runs. Shells complete files where none matches.
func (a *app) completeRuns(most int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, noFiles
		}
		entries, err := store.List(a.runs)
		if err != nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for _, e := range entries {
			if e.Fault == nil && printable.Is(e.Name) { // shells complete no others
				names = append(names, e.Name)
			}
		}
		return names, cobra.ShellCompDirectiveDefault
	}
}

// completeSource completes a preset, or a file with a configuration or pairs. Shells complete other files, and
// directories, where none matches.
func completeSource(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 1 && exists(args[0]) { // a file of inputs, with one of outputs
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(args) > 0 {
		return nil, noFiles
	}
	var list []cobra.Completion
	for _, p := range config.Catalogue() {
		if strings.HasPrefix(p.Name, typed) {
			list = append(list, cobra.CompletionWithDesc(p.Name, p.Summary))
		}
	}
	files, _ := filepath.Glob(typed + "*")
	for _, name := range files {
		if namesFile(name) {
			list = append(list, name)
		}
	}
	return list, cobra.ShellCompDirectiveDefault
}

// items returns the items of the paper, and its problems.
func items() (names []cobra.Completion) {
	for _, s := range paper.All() {
		names = append(names, s.Name, s.Item, s.Problem)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// completeSetting completes KEY=VALUE for the problem of the preset or file typed before it.
func completeSetting(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c := config.Presets()[0].Config
	if len(args) > 0 {
		other, err := config.PresetByName(args[0])
		if err != nil {
			other, err = store.ReadConfig(args[0])
		}
		if err == nil {
			c = other
		}
	}
	name, _, chosen := strings.Cut(typed, "=")
	var list []cobra.Completion
	if !chosen {
		for _, k := range c.Keys() {
			if strings.HasPrefix(k.Name, typed) {
				list = append(list, cobra.CompletionWithDesc(k.Name+"=", k.Help))
			}
		}
		return list, noFiles | cobra.ShellCompDirectiveNoSpace
	}
	k, err := c.Lookup(name)
	switch {
	case err != nil:
		return nil, noFiles
	case k.Kind == config.Path:
		return nil, cobra.ShellCompDirectiveDefault
	case k.Kind == config.Choice, k.Kind == config.YesNo:
		for _, choice := range k.Choices {
			list = append(list, name+"="+choice)
		}
		return list, noFiles
	}
	return []cobra.Completion{cobra.CompletionWithDesc(name+"="+k.Text(c), "the value now")}, noFiles
}
