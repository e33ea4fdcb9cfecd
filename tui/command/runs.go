// This file is `rfm runs`: what is stored, how far it is, whether it is intact. It also finds runs by their names for other
// commands.

package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/model/store"
	"rfm/solver/fault"
	"rfm/solver/printable"
	"rfm/solver/shell"
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

// The states of a run in a list.
const (
	stateComplete   = "complete"
	stateUnfinished = "unfinished"
	stateInUse      = "in use"
	stateUnreadable = "unreadable"
)

// listed is a run in a list. Its JSON form is an element of what `rfm runs --json` prints.
type listed struct {
	Name      string          `json:"name"`
	Path      string          `json:"path"`
	State     string          `json:"state"`              // complete, unfinished, in use or unreadable
	Progress  string          `json:"progress,omitempty"` // of a run that is not complete, as "45% of training"
	Problem   string          `json:"problem,omitempty"`
	N         int             `json:"n,omitempty"`
	M         int             `json:"m,omitempty"`
	Grid      int             `json:"grid,omitempty"` // of training
	Test      int             `json:"test,omitempty"` // number of test pairs
	Seed      uint64          `json:"seed"`
	TestError *float64        `json:"test_error,omitempty"` // expected relative
	Bytes     int64           `json:"bytes"`
	Created   *time.Time      `json:"created,omitempty"`
	Updated   *time.Time      `json:"updated,omitempty"`
	Resumed   int             `json:"resumed"` // how often it went on after an interruption
	Version   string          `json:"version,omitempty"`
	Holder    *store.Identity `json:"holder,omitempty"` // the process that works on it
	Verified  *bool           `json:"verified,omitempty"`
	Faults    []string        `json:"faults,omitempty"`

	short string // Progress where there is little room
	age   time.Duration
}

func describeRun(e store.Entry, now time.Time) listed {
	l := listed{Name: e.Name, Path: e.Path, State: stateUnreadable}
	if e.Fault != nil {
		l.Faults = []string{e.Fault.Error()}
		return l
	}
	m := e.Manifest
	l.Problem, l.N, l.M, l.Grid, l.Test, l.Seed, l.TestError = m.Problem, m.Train, m.Features, m.Grid, m.Test, m.Seed, m.TestError
	l.Bytes, l.Created, l.Updated, l.Resumed, l.Version, l.Holder, l.age = m.Bytes(), &m.Created, &m.Updated, m.Resumed, m.Program.Version, e.Holder, max(0, now.Sub(m.Updated))
	switch {
	case m.Complete():
		l.State = stateComplete
		return l
	case e.Holder != nil:
		l.State = stateInUse
	default:
		l.State = stateUnfinished
	}
	name, stage := m.Next()
	l.Progress, l.short = unfinished(m), fmt.Sprintf("%s %d%%", stageWords[name].short, stage.Percent())
	return l
}

// stageWords say of a stage that it is under way, and are its name where there is little room.
var stageWords = map[string]struct{ doing, short string }{"generate": {"generating", "data"}, "train": {"training", "train"}, "evaluate": {"evaluating", "test"}}

// unfinished is how much is done of the first stage of a run that is not complete.
func unfinished(m store.Manifest) string {
	name, stage := m.Next()
	return fmt.Sprintf("%d%% of %s", stage.Percent(), stageWords[name].doing)
}

func (a *app) listRuns(verify bool, now time.Time) error {
	root := a.flags.runs
	entries, err := store.List(root)
	if err != nil {
		return err
	}
	slices.Reverse(entries)
	list, faults := []listed{}, []error{}
	for _, e := range entries {
		l := describeRun(e, now)
		if verify {
			faults = append(faults, l.verify(e)...)
		}
		list = append(list, l)
	}
	switch {
	case a.flags.json:
		err = a.encode(list)
	case len(list) == 0:
		fmt.Fprintf(a.out, "There are no runs in %s. `rfm run quick` makes one in seconds; --runs names another directory.\n", printable.Line(root))
	default:
		a.printRuns(list)
	}
	return errors.Join(append([]error{err}, faults...)...)
}

// verify compares the run's files with their checksums, unless a process is just changing them.
func (l *listed) verify(e store.Entry) []error {
	if l.Holder != nil {
		return nil
	}
	faults := []error{e.Fault}
	if e.Fault == nil {
		faults = store.Verify(e.Path)
	}
	intact := len(faults) == 0
	l.Verified, l.Faults = &intact, nil
	for _, err := range faults {
		l.Faults = append(l.Faults, err.Error())
	}
	return faults
}

// printRuns writes a table of at most tableWidth columns: a name for which there is no room has a line of its own.
func (a *app) printRuns(list []listed) {
	const tableWidth = 80
	out, th := a.out, theme.New(theme.Options{ASCII: a.flags.ascii})
	rows := [][]string{{"name", "problem", "n", "m", "grid", "test error", "size", "age"}}
	for _, l := range list {
		rows = append(rows, l.row())
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
		if note := l.note(); note != "" {
			fmt.Fprintln(out, th.Muted.Render(note))
		}
	}
}

// row is the cells of the table.
func (l listed) row() []string {
	if l.State == stateUnreadable {
		return []string{printable.Line(l.Name), "?", "", "", "", l.State, "", ""}
	}
	state := l.State
	if l.Verified != nil && !*l.Verified {
		state = "damaged"
	} else if l.TestError != nil {
		state = fmt.Sprintf("%.4g", *l.TestError)
	} else if l.State == stateUnfinished {
		state = l.short
	}
	symbol := config.Config{Problem: l.Problem}.GridSymbol()
	return []string{printable.Line(l.Name), printable.Line(l.Problem), fmt.Sprint(l.N), fmt.Sprint(l.M), fmt.Sprintf("%s=%d", symbol, l.Grid), state, shortSize(l.Bytes), shortAge(l.age)}
}

// note is what the table has no room for.
func (l listed) note() string {
	switch {
	case l.Verified != nil && !*l.Verified:
		return "" // the faults are the command's errors
	case l.Verified != nil:
		return printable.Line(l.Name) + ": all files are intact"
	case l.State == stateUnreadable:
		return printable.Text(strings.Join(l.Faults, "\n"))
	case l.State == stateInUse:
		return printable.Line(fmt.Sprintf("%s: %s, in use by %s", l.Name, l.Progress, l.Holder))
	case l.State == stateUnfinished:
		return fmt.Sprintf("%s: %s; go on with `rfm resume %s`", printable.Line(l.Name), l.Progress, shell.Path(l.Path))
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
	switch {
	case age < time.Minute:
		return fmt.Sprintf("%.0fs", age.Seconds())
	case age < time.Hour:
		return fmt.Sprintf("%dm", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%dh", int(age.Hours()))
	}
	return fmt.Sprintf("%dd", int(age.Hours()/24))
}

// storedRun is the directory of the run that an argument names: below --runs, or by its path. The error is a *fault.Data.
func (a *app) storedRun(name string) (string, error) {
	if name == "" {
		return "", &fault.Data{Where: `""`, What: "is no name of a run", Do: "`rfm runs` lists the runs there are"}
	}
	for _, path := range []string{filepath.Join(a.flags.runs, name), name} {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return filepath.Clean(path), nil
		}
	}
	return "", &fault.Data{Where: name, What: fmt.Sprintf("is neither a run in %s nor the directory of one", a.flags.runs), Do: "`rfm runs` lists the runs there are, --runs names another directory"}
}

// completeRuns completes the names of stored runs.
func (a *app) completeRuns(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
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
