package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rfm/model/run/engine"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/run/sweep"
	"rfm/model/show/interchange"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/terminal"
	"rfm/tui/words"
)

// app is the state that commands share: streams, environment and common flags.
type app struct {
	*terminal.Terminal
	flags
}

// executable returns the path of this program.
func executable() string {
	path, _ := os.Executable()
	return cmp.Or(path, os.Args[0])
}

// encode writes a value as one line of JSON.
func (a *app) encode(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the result has no JSON form: %w", err)
	}
	fmt.Fprintln(a.Out, string(text))
	return nil
}

// tell writes a line of progress to standard error, unless --quiet is given.
func (a *app) tell(format string, values ...any) {
	if !a.quiet {
		fmt.Fprintf(a.Err, format+"\n", values...)
	}
}

// subject is the kind of the arguments of a command.
type subject string

const (
	listOfRuns  subject = "the list of runs"
	oneRun      subject = "one run"
	oneSweep    subject = "a sweep"
	severalRuns subject = "several runs"
	someFiles   subject = "files"
)

// locate returns the kind and the path of the thing that an argument names: a file, or a sweep or a run by its path, by
// its name below --runs, or as store.Find does.
func (a *app) locate(arg string) (subject, string, error) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return someFiles, arg, nil
	}
	for _, path := range []string{arg, filepath.Join(a.runs, arg)} {
		if _, err := sweep.Open(path); err == nil {
			return oneSweep, filepath.Clean(path), nil
		}
	}
	path, err := store.Find(a.runs, arg)
	if interchange.HoldsData(arg) && (err != nil || path == filepath.Clean(arg)) {
		return someFiles, arg, nil
	}
	if err != nil && namesFile(arg) && !exists(arg) {
		err = &fault.Data{
			Where: arg,
			What:  "does not exist",
			Do:    "check the name and the directory of the file",
		}
	}
	return oneRun, path, err
}

// printResult writes the result of a complete experiment: what a person reads first or, in full, all of it.
func (a *app) printResult(e *engine.Experiment, s engine.Summary, full bool) error {
	p := words.Verdict(e, s)
	if full {
		p = words.Result(e, s)
		choosing := ""
		if s.Choosing > 0 {
			choosing = fmt.Sprintf(" (%s of it to choose the method)", report.Duration(s.Choosing))
		}
		p.Notes = append(p.Notes, fmt.Sprintf("generate %s, train %s%s, evaluate %s on %s, %s",
			report.Duration(s.Seconds.Generate), report.Duration(s.Seconds.Train), choosing,
			report.Duration(s.Seconds.Evaluate), printable.Several(s.Workers, "worker"), s.SIMD))
	}
	number, _ := words.Sentence(e.Evaluation())
	end := ending{number, "not stored", ""}
	if s.Run != "" {
		end.where = s.Run
	}
	if s.Run != "" && !full {
		p.Notes = append(p.Notes, "All numbers: rfm show "+printable.Path(s.Run))
	}
	if s.Run != "" && s.Skill.Verdict() == "" { // predictions of a model without skill are of no use
		end.next = strings.TrimPrefix(words.Use(s.Run, e.Config), "rfm ")
	}
	return a.conclude(s, p, end)
}

// An ending is the last line of a command: the result, its location, and the command that uses it.
type ending struct{ result, where, next string }

// conclude writes the outcome of a command: a page and the last line, with --json the value instead.
func (a *app) conclude(value any, p report.Page, end ending) error {
	if a.json {
		return a.encode(value)
	}
	fmt.Fprint(a.Out, a.pageText(p))
	text := end.result + "  " + printable.Line(end.where)
	if end.next != "" {
		text += "  next: rfm " + end.next
	}
	if text = strings.TrimSpace(text); text != "" {
		fmt.Fprintln(a.Out, a.Theme().Title.Render(text))
	}
	return nil
}

// print writes a page, with --json its parts.
func (a *app) print(p report.Page) error {
	return a.conclude(p, p, ending{})
}

// machine describes the workers and the instructions of the computation.
func (a *app) machine() string {
	return printable.Several(machine.Workers(a.workers), "worker") + ", " + machine.Instructions()
}

// pageText returns a page as wide as the help. A terminal cuts its tables.
func (a *app) pageText(p report.Page) string {
	th := a.Theme()
	th.Profile = a.Out.Profile() // the colours of maps do not follow from those of text
	return page.Print(th, p, a.width(), a.Out.Room())
}

// width returns the width of printed text in columns: terminal.Usual, or the width of a narrower terminal.
func (a *app) width() int {
	return min(a.Out.Columns(), terminal.Usual)
}

// remark writes a sentence for a person to standard error; begin is "note", "warning" or the subject.
func (a *app) remark(begin, format string, values ...any) {
	text := printable.Line(fmt.Sprintf(format, values...))
	fmt.Fprintln(a.Err, layout.Hanging(begin+": ", text, 2, a.width()))
}
