// This file lays out the help, and sentences.

package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rfm/tui/layout"
	"rfm/tui/terminal"
)

// folded returns the help of a command with paragraphs folded to the usual width. Tables and lists, of lines that
// begin with a blank, stay unchanged.
func folded(help string) string {
	parts := strings.Split(help, "\n\n")
	for i, part := range parts {
		if !strings.Contains(part, "\n ") {
			parts[i] = layout.Hanging("", part, 0, terminal.Usual)
		}
	}
	return strings.Join(parts, "\n\n")
}

// usage writes the usage of a command as cobra does, with flags folded to the usual width. It does not use a
// template: templates keep the linker from dropping methods, and the program becomes a quarter larger.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage: " + strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	if cmd.HasAvailableSubCommands() { // the root shares the flags of rfm run; its help fits on a screen
		b.WriteString(" [COMMAND]\n")
		for _, group := range cmd.Groups() {
			fmt.Fprintf(&b, "\n%s:", group.Title)
			for _, child := range cmd.Commands() {
				if child.GroupID == group.ID {
					fmt.Fprintf(&b, "\n  %-*s %s", child.NamePadding(), child.Name(), child.Short)
				}
			}
		}
		fmt.Fprintf(&b, "\n\n%s\nrfm COMMAND --help shows flags and examples; rfm completion SHELL, rfm --version",
			cmd.Example)
	} else {
		if cmd.HasExample() {
			fmt.Fprintf(&b, "\n\nExamples:\n%s", cmd.Example)
		}
		fmt.Fprintf(&b, "\n\nFlags:\n%s", strings.TrimRight(cmd.LocalFlags().FlagUsagesWrapped(terminal.Usual), " \n"))
	}
	fmt.Fprintln(cmd.OutOrStderr(), b.String())
	return nil
}

// helpTable lists things with their names and meanings.
func helpTable[T any](things []T, of func(T) (name, meaning string)) (text string) {
	width := 0
	for _, thing := range things {
		name, _ := of(thing)
		width = max(width, len(name))
	}
	for _, thing := range things {
		name, meaning := of(thing)
		text += layout.Hanging(fmt.Sprintf("  %-*s  ", width, name), meaning, width+4, terminal.Usual) + "\n"
	}
	return text
}
