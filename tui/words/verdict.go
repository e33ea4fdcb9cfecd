// This file says what a result is worth: a sentence with one number, a table in which every row can be compared with every
// other, and what to do next. Screens and commands begin with it.

package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
)

// Verdict returns the page of a complete experiment that a person reads first. The page of [Result] has the rest.
func Verdict(e *engine.Experiment, s engine.Summary) report.Page {
	v := e.Evaluation()
	number, meaning := Sentence(v)
	p := report.Page{
		Name:   "result",
		Title:  number,
		Source: meaning,
		Tables: []report.Table{Methods(e, v)},
	}
	took := report.Duration(s.Seconds.Train)
	if s.Choosing > 0 {
		took += fmt.Sprintf(", %s of it for the choice", report.Duration(s.Choosing))
	}
	p.Heading = fmt.Sprintf("%s; %s (%s), %s (%s)",
		Equation(e.Config),
		printable.Several(s.N, "training pair"),
		report.Duration(s.Seconds.Generate),
		chosen(e, v),
		took,
	)
	p.Notes = slices.Concat(channels(v), v.Brief(), Payoff(s.Payoff))
	return p
}

// Sentence returns the test error, with what is wrong with it if something is, and what it means.
func Sentence(v *engine.Evaluation) (number, meaning string) {
	digits := errorDigits(v)
	number = "test error " + report.Significant(v.Test.ExpectedRelative, digits)
	verdict := v.Skill.Verdict()
	if verdict != "" {
		number += ", " + verdict
	}
	tests := len(v.Test.Relative)
	inputs := printable.Several(tests, "unseen input")
	if v.Shared > 0 {
		inputs = printable.Several(tests, "input")
		inputs += fmt.Sprintf(", %d of them copies of training inputs, or near them", v.Shared)
	}
	if 2*v.Shared > tests {
		number += ", mostly of copies"
	}
	median := report.Significant(v.Test.Median(), 2)
	worst := report.Significant(v.Test.Max(), 2)
	measure := "relative L2"
	if v.TestPairs.Outputs.Numbers() {
		measure = "relative to the root mean square of the numbers,"
	}
	return number, fmt.Sprintf("%s on %s; median %s, worst %s", measure, inputs, median, worst)
}

// Change says what the test error was before, and how much less or more it is now, if it is that of the same pairs.
func Change(v *engine.Evaluation, before float64, samePairs bool) string {
	const noticeable = 1 // percent
	now := v.Test.ExpectedRelative
	was := "was " + report.Significant(before, errorDigits(v))
	less := 100 * (1 - now/before)
	switch {
	case !samePairs:
		return was + " on other test pairs"
	case now >= 2*before:
		return fmt.Sprintf("%s, %s times as much now", was, times(now/before))
	case less >= noticeable:
		return fmt.Sprintf("%s, %.0f%% less now", was, less)
	case less <= -noticeable:
		return fmt.Sprintf("%s, %.0f%% more now", was, -less)
	}
	return was
}

// channels returns a sentence with the test error of each channel of outputs, because their mean hides a channel that was
// not learned; none if there is one channel.
func channels(v *engine.Evaluation) []string {
	if len(v.Test.Channels) == 0 {
		return nil
	}
	var list []string
	for c, own := range v.Test.Channels {
		wrong := report.Significant(own.ExpectedRelative, errorDigits(v))
		list = append(list, fmt.Sprintf("channel %d %s", c+1, wrong))
	}
	return []string{"Test errors of the outputs: " + strings.Join(list, ", ") + "."}
}

// learned describes the model in a few words.
func learned(e *engine.Experiment) string {
	if e.Model().Random() {
		return printable.Several(len(e.Model().Solution().Alpha), "random feature")
	}
	return e.ModelTitle()
}

// chosen describes the model, and how its method was chosen if it was.
func chosen(e *engine.Experiment, v *engine.Evaluation) string {
	if v.Choice != "" {
		return learned(e) + ", chosen by cross-validation"
	}
	return learned(e)
}

// errorDigits returns the number of digits of mean errors that say something: one beyond the first uncertain digit of the
// model's, whose standard error is that of a mean over the test inputs. Further digits tell models apart on the same inputs
// only.
func errorDigits(v *engine.Evaluation) int {
	const fewest, usual, most = 2, 3, 4
	mean := v.Test.ExpectedRelative
	count := float64(len(v.Test.Relative))
	noise := report.Spread(v.Test.Relative) / math.Sqrt(count)
	if !(noise > 0 && mean > 0) {
		return usual
	}
	first := int(math.Floor(math.Log10(mean)))
	uncertain := int(math.Floor(math.Log10(noise)))
	return max(fewest, min(most, first-uncertain+2))
}

// Methods returns the table of the model, the other methods by their errors, and the solvers: the error, the time of a
// prediction on one core, the time of the training, and a remark. While they are compared it has their names, so that
// nothing moves at the end.
func Methods(e *engine.Experiment, v *engine.Evaluation) report.Table {
	t := report.Table{
		Header: []string{"", "error", "one prediction", "training", ""},
		Words:  []int{4},
	}
	if len(v.Rows) == 0 {
		for _, name := range v.Expected {
			t.Rows = append(t.Rows, []string{name, "…", "", "", ""})
		}
		return t
	}
	digits := errorDigits(v)
	for _, r := range ordered(v.Rows) {
		row := []string{r.Name, "truth", report.Duration(r.Seconds), "", remark(e, v, r)}
		if r.Error > 0 || r.Training > 0 {
			row[1] = report.Significant(r.Error, digits)
		}
		if r.Seconds == 0 { // it is no more than a copy
			row[2] = ""
		}
		if r.Training > 0 {
			row[3] = report.Duration(r.Training)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Brief returns the first columns of a table of methods, for a narrow place: names, errors and times.
func Brief(t report.Table) report.Table {
	brief := report.Table{Title: t.Title, Header: []string{"", "error", "time"}}
	for _, row := range t.Rows {
		brief.Rows = append(brief.Rows, row[:len(brief.Header)])
	}
	return brief
}

// ordered returns the model, then the other methods by their errors, then the solvers.
func ordered(rows []engine.Row) []engine.Row {
	rank := func(r engine.Row) int {
		switch r.Name {
		case rows[0].Name:
			return 0
		case engine.FullSolve, engine.EqualSolve:
			return 2
		}
		return 1
	}
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b engine.Row) int {
		d := rank(a) - rank(b)
		if d != 0 {
			return d
		}
		if rank(a) == 1 && a.Error != b.Error {
			if a.Error < b.Error {
				return -1
			}
			return 1
		}
		return 0
	})
	return sorted
}

// remark compares a row with the model, in few words so that the table fits into 80 columns.
func remark(e *engine.Experiment, v *engine.Evaluation, r engine.Row) string {
	model := v.Rows[0]
	switch {
	case r.Name == model.Name:
		return learned(e)
	case r.Name == engine.EqualSolve || r.Name == engine.FullSolve:
		return speed(model.Seconds / r.Seconds)
	case r.Name == engine.MeanOfOutputs:
		return "needs no input"
	}
	const noticeable = 1.05
	ratio := model.Error / r.Error
	if r.Error > 0 && ratio >= noticeable {
		return times(ratio) + " times better"
	}
	return ""
}

// speed says how much faster something is, given the ratio of its speed to that of the model.
func speed(ratio float64) string {
	const noise = 1.1 // of timings
	switch {
	case ratio > noise:
		return times(ratio) + " times faster"
	case ratio < 1/noise:
		return times(1/ratio) + " times slower"
	}
	return "as fast"
}

// times writes a factor with two digits.
func times(ratio float64) string {
	return strings.TrimSuffix(report.Significant(ratio, 2), ".0")
}

// Speed compares the time of a model with that of the solver that it replaces.
func Speed(p *engine.Payoff) string {
	if p == nil {
		return "not compared with a solver"
	}
	return speed(p.Faster)
}

// Payoff returns a sentence on whether a model is worth its training; none if it was compared with no solver.
func Payoff(p *engine.Payoff) []string {
	if p == nil {
		return nil
	}
	solver := "solver"
	if p.Against == engine.EqualSolve {
		solver = "solver at the same error"
	}
	if p.Evaluations == 0 {
		return []string{"The " + solver + " is " + speed(1/p.Faster) + ": a model does not pay here."}
	}
	after := count(p.Evaluations) + " predictions"
	if p.Evaluations <= 1 {
		after = "the first prediction"
	}
	return []string{"The model is " + than(p.Faster, "the "+solver) + "; it has paid for data and training after " +
		after + "."}
}

// than completes a comparison of speeds.
func than(ratio float64, other string) string {
	text := speed(ratio)
	if strings.HasPrefix(text, "as ") {
		return text + " as " + other
	}
	return speed(ratio) + " than " + other
}

// count writes a number of predictions, rounded up because there are no parts of them, with two digits, and in words from a
// million on.
func count(n float64) string {
	const million = 1e6
	if n >= million {
		return times(n/million) + " million"
	}
	return times(math.Ceil(n))
}
