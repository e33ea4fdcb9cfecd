// This file is `rfm runs`: what is stored, how far it is, whether it is intact.

package command

import (
	"context"
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
	var verify, reversed bool
	by := ""
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "List the stored runs",
		Long: `Lists the runs below a directory, those that changed last at the end. The column of test errors has the expected relative
L2 error of complete runs, and how far the others are; the time is that of all steps.`,
		Example: `  rfm runs
  rfm runs --sort error   the best first
  rfm runs --verify       compare checksums; exit code 4 if anything is off
  rfm runs --json
  rfm runs note night "wider filter, from Tuesday's data"`,
		Args: arguments(0, 0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if by != "" && !slices.Contains(store.Orders(), by) {
				return usageError{fmt.Errorf("--sort %s: one of %s is expected", by, strings.Join(store.Orders(), ", "))}
			}
			return a.listRuns(cmd.Context(), by, reversed, verify, time.Now())
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "read all files and compare their checksums")
	cmd.Flags().StringVar(&by, "sort", "", "sort by "+strings.Join(store.Orders(),
		", ")+" (default: when, last at the end)")
	cmd.Flags().BoolVar(&reversed, "reverse", false, "sort the other way round")
	cmd.AddCommand(a.noteCommand(), a.renameCommand(), a.deleteCommand(), a.restoreCommand())
	a.flags.share(cmd, "runs", "json")
	return cmd
}

func (a *app) listRuns(ctx context.Context, by string, reversed, verify bool, now time.Time) error {
	root := a.flags.runs
	entries, err := store.List(root)
	if err != nil {
		return err
	}
	if by != "" {
		store.Sort(entries, by, reversed)
	} else if !reversed {
		slices.Reverse(entries) // the end is what a person sees
	}
	list, faults := make([]store.Listed, len(entries)), []error{}
	for i, e := range entries {
		list[i] = e.Listed()
		if verify {
			faults = append(faults, list[i].Verify(ctx, e)...)
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
	rows := [][]string{{"name", "problem", "method", "n", "m", "grid", "test error", "time", "age"}}
	for i, l := range list {
		rows = append(rows, runRow(entries[i].Manifest, l, now))
	}
	if !slices.ContainsFunc(list, func(l store.Listed) bool {
		return l.Method != "" &&
			l.Method != config.RandomFeatures
	}) {
		for i := range rows { // it says nothing
			rows[i] = slices.Delete(rows[i], methodColumn, methodColumn+1)
		}
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
			if rows[0][j+1] == "problem" || rows[0][j+1] == "method" { // words, the rest are numbers
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
		if l.Note != "" {
			fmt.Fprintf(out, "%s: %s\n", printable.Line(l.Name), l.Note)
		}
		if note := runNote(l); note != "" {
			fmt.Fprintln(out, th.Muted.Render(note))
		}
	}
}

// methodColumn is the place of the method in the table.
const methodColumn = 2

// runRow is the cells of a run in the table.
func runRow(m store.Manifest, l store.Listed, now time.Time) []string {
	if l.State == store.ListedUnreadable {
		return []string{printable.Line(l.Name), "?", "", "", "", "", l.State, "", ""}
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
	return []string{printable.Line(l.Name), printable.Line(l.Problem), l.Method, fmt.Sprint(l.N), fmt.Sprint(l.M), grid,
		state, quantity.Age(time.Duration(l.Time * 1e9)), quantity.Age(now.Sub(m.Updated))}
}

// runNote is what the table has no room for.
func runNote(l store.Listed) string {
	switch {
	case l.Verified != nil && !*l.Verified:
		return "" // the faults are the command's errors
	case l.Verified != nil:
		return printable.Line(strings.Join(append([]string{l.Name + ": all files are intact"}, l.Changed...), "; "))
	case l.State == store.ListedUnreadable:
		return printable.Text(strings.Join(l.Faults, "\n"))
	case l.State == store.ListedInUse:
		return printable.Line(fmt.Sprintf("%s: %s, in use by %s", l.Name, l.Progress, l.Holder))
	case l.State == store.ListedUnfinished:
		return fmt.Sprintf("%s: %s; go on with `rfm resume %s`", printable.Line(l.Name), l.Progress, printable.Path(l.Path))
	}
	return ""
}
