// This file opens the interface.

package command

import (
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"rfm/tui/screen"
	"rfm/tui/theme"
)

// interfaceCommand is `rfm` without a command: the interface on a terminal, help elsewhere.
func (a *app) interfaceCommand(cmd *cobra.Command, _ []string) error {
	workers, err := a.settle(cmd)
	if err != nil {
		return err
	}
	c, err := a.flags.configuration(cmd, "quick")
	if err != nil {
		return err
	}
	if !isTerminal(a.in) || !isTerminal(a.out) {
		cmd.SetOut(a.err)
		if err := cmd.Help(); err != nil {
			return err
		}
		return errNeedsTerminal
	}
	o := screen.Options{Config: c, Workers: workers, Runs: a.flags.runs, Name: a.flags.name, Theme: theme.Options{ASCII: a.flags.ascii || !utf8Locale(a.environ)}}
	if a.flags.noSave {
		o.Runs = ""
	}
	options := []tea.ProgramOption{tea.WithContext(cmd.Context()), tea.WithInput(a.in), tea.WithOutput(a.out), tea.WithEnvironment(a.environ)}
	switch a.flags.color {
	case "never":
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	case "always":
		options = append(options, tea.WithColorProfile(max(colorprofile.Env(a.environ), colorprofile.ANSI256)))
	}
	final, err := tea.NewProgram(screen.New(o), options...).Run()
	if m, ok := final.(*screen.Model); ok {
		if text := m.Epilogue(); text != "" {
			fmt.Fprintln(a.out, text)
		}
	}
	if ctxErr := cmd.Context().Err(); ctxErr != nil {
		return ctxErr
	}
	return err
}

// utf8Locale says whether the terminal is likely to show more than ASCII: the locale says UTF-8, or says nothing on a
// system where that is the rule.
func utf8Locale(environ []string) bool {
	values := map[string]string{}
	for _, entry := range environ {
		if name, value, ok := strings.Cut(entry, "="); ok {
			values[name] = value
		}
	}
	if values["TERM"] == "linux" && values["LANG"] == "" {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := values[name]; v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return os.PathSeparator == '\\' || values["TERM"] != "dumb"
}
