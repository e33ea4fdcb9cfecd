// This file completes words of a command line: presets, runs, files, configuration keys and their values, items of the
// paper.

package command

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/paper"
	"rfm/model/store"
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
	what := "one shell: " + strings.Join(shells, ", ")
	cmd.Use, cmd.Short = "completion SHELL", "Print the completion code for a shell"
	cmd.Long = "Prints the code with which a shell completes commands, presets, runs, files and configuration keys.\n" +
		"`rfm help completion bash` tells where it goes."
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		return misuse("completion takes %s, not %q", what, args)
	}
}

// completeSource completes a preset, a configuration file, a file of pairs, a run, or a directory on the way to any of
// them.
func completeSource(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	var list []cobra.Completion
	for _, p := range config.Presets() {
		if strings.HasPrefix(p.Name, typed) {
			list = append(list, cobra.CompletionWithDesc(p.Name, p.Summary))
		}
	}
	directive := noFiles
	directory, start := filepath.Split(typed)
	entries, err := os.ReadDir(filepath.Clean(directory))
	if err != nil {
		return list, directive
	}
	for _, e := range entries {
		switch name := e.Name(); {
		case !strings.HasPrefix(name, start) || strings.HasPrefix(name, ".") && start == "":
		case e.IsDir():
			list = append(list, directory+name+string(filepath.Separator))
			directive |= cobra.ShellCompDirectiveNoSpace
		case filepath.Ext(name) == ".toml", slices.Contains(dataExtensions, strings.TrimPrefix(filepath.Ext(name), ".")):
			list = append(list, directory+name)
		}
	}
	return list, directive
}

// items returns the items of the paper, and its problems.
func items() (list []cobra.Completion) {
	for _, s := range paper.All() {
		list = append(list, cobra.CompletionWithDesc(s.Name, s.Source+", "+s.Title),
			cobra.CompletionWithDesc(s.Item, "this item of every problem"),
			cobra.CompletionWithDesc(s.Problem, "all items of this problem"))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// completeSetting completes KEY=VALUE for the problem of the preset or file typed before it.
func completeSetting(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	c := config.Presets()[0].Config
	if len(args) > 0 {
		if other, err := store.Configuration(args[0]); err == nil {
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
