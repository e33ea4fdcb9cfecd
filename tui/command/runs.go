// This file is `rfm runs`: what is stored, how far it is, whether it is intact. It also finds runs by their names for
// other commands.

package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/store"
	"rfm/solver/printable"

	"rfm/tui/quantity"
	"rfm/tui/theme"
)

func (a *app) runsCommand() *cobra.Command {
	verify := false
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the stored runs",
		Long: `Lists the runs below a directory, those that changed last at the end. The column of test errors has the expected relative
L2 error of complete runs, and how far the others are.`,
		Example: `  rfm runs
  rfm runs --verify     compare checksums; exit code 4 if anything is off
  rfm runs --json`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.listRuns(verify, time.Now())
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "read all files and compare their checksums")
	a.flags.share(cmd, "runs", "json")
	return cmd
}

func (a *app) listRuns(verify bool, now time.Time) error {
	root := a.flags.runs
	entries, err := store.List(root)
	if err != nil {
		return err
	}
	slices.Reverse(entries)
	list, faults := make([]store.Listed, len(entries)), []error{}
	for i, e := range entries {
		list[i] = e.Listed()
		if verify {
			faults = append(faults, list[i].Verify(e)...)
		}
	}
	switch {
	case a.flags.json:
		err = a.encode(list)
	case len(list) == 0:
		fmt.Fprintf(a.out, "There are no runs in %s. `rfm run quick` makes one in seconds; --runs names another directory.\n",
			printable.Line(root))
	default:
		a.printRuns(entries, list, now)
	}
	return errors.Join(append([]error{err}, faults...)...)
}

// printRuns writes a table of at most tableWidth columns: a name for which there is no room has a line of its own.
func (a *app) printRuns(entries []store.Entry, list []store.Listed, now time.Time) {
	const tableWidth = 80
	out, th := a.out, theme.New(theme.Options{ASCII: a.flags.ascii})
	rows := [][]string{{"name", "problem", "n", "m", "grid", "test error", "size", "age"}}
	for i, l := range list {
		rows = append(rows, runRow(entries[i].Manifest, l, now))
	}
	widths, rest := make([]int, len(rows[0])), 0
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
		if i > 0 {
			rest += widths[i]
		}
	}
	gap := 2
	if widths[0]+rest+gap*(len(widths)-1) > tableWidth {
		gap = 1
	}
	widths[0] = max(len("name"), min(widths[0], tableWidth-rest-gap*(len(widths)-1)))
	for i, row := range rows {
		var line strings.Builder
		name := row[0]
		if ansi.StringWidth(name) > widths[0] {
			line.WriteString(name + "\n")
			name = ""
		}
		line.WriteString(name + strings.Repeat(" ", widths[0]-ansi.StringWidth(name)))
		for j, text := range row[1:] {
			pad := strings.Repeat(" ", widths[j+1]-ansi.StringWidth(text))
			if j == 0 { // a word, the rest are numbers
				text, pad = text+pad, ""
			}
			line.WriteString(strings.Repeat(" ", gap) + pad + text)
		}
		text := strings.TrimRight(line.String(), " ")
		if i == 0 {
			text = th.Label.Render(text)
		}
		fmt.Fprintln(out, text)
	}
	for _, l := range list {
		if note := runNote(l); note != "" {
			fmt.Fprintln(out, th.Muted.Render(note))
		}
	}
}

// runRow is the cells of a run in the table.
func runRow(m store.Manifest, l store.Listed, now time.Time) []string {
	if l.State == store.ListedUnreadable {
		return []string{printable.Line(l.Name), "?", "", "", "", l.State, "", ""}
	}
	state := l.State
	if l.Verified != nil && !*l.Verified {
		state = "damaged"
	} else if l.TestError != nil {
		state = fmt.Sprintf("%.4g", *l.TestError)
	} else if l.State == store.ListedUnfinished {
		name, stage := m.Next()
		state = fmt.Sprintf("%s %d%%", map[string]string{"generate": "data", "train": "train", "evaluate": "test"}[name],
			stage.Percent())
	}
	grid := fmt.Sprintf("%s=%d", config.Config{Problem: l.Problem}.GridSymbol(), l.Grid)
	return []string{printable.Line(l.Name), printable.Line(l.Problem), fmt.Sprint(l.N), fmt.Sprint(l.M), grid, state,
		shortSize(l.Bytes), shortAge(now.Sub(m.Updated))}
}

// runNote is what the table has no room for.
func runNote(l store.Listed) string {
	switch {
	case l.Verified != nil && !*l.Verified:
		return "" // the faults are the command's errors
	case l.Verified != nil:
		return printable.Line(l.Name) + ": all files are intact"
	case l.State == store.ListedUnreadable:
		return printable.Text(strings.Join(l.Faults, "\n"))
	case l.State == store.ListedInUse:
		return printable.Line(fmt.Sprintf("%s: %s, in use by %s", l.Name, l.Progress, l.Holder))
	case l.State == store.ListedUnfinished:
		return fmt.Sprintf("%s: %s; go on with `rfm resume %s`", printable.Line(l.Name), l.Progress, printable.Path(l.Path))
	}
	return ""
}

// shortSize is quantity.Bytes without a blank and without "iB": 8.4M.
func shortSize(n int64) string {
	number, unit, _ := strings.Cut(quantity.Bytes(float64(n)), " ")
	return number + strings.TrimSuffix(unit, "iB")
}

// shortAge is an age with one unit: 20s, 12m, 3h, 5d.
func shortAge(age time.Duration) string {
	switch age = max(0, age); {
	case age < time.Minute:
		return fmt.Sprintf("%.0fs", age.Seconds())
	case age < time.Hour:
		return fmt.Sprintf("%dm", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%dh", int(age.Hours()))
	}
	return fmt.Sprintf("%dd", int(age.Hours()/24))
}

// completeRuns completes the names of stored runs, one or, for comparisons, several.
func (a *app) completeRuns(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 && cmd.Name() != "compare" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []cobra.Completion
	entries, err := store.List(a.flags.runs)
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
