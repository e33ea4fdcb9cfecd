package engine

import (
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/machine"
	"rfm/model/paper/published"
	"rfm/model/report"
	"rfm/model/rfm"
)

// Result is the result of an experiment; it depends on the configuration alone. Its JSON form is report.json.
type Result struct {
	Problem string  `json:"problem"`
	N       int     `json:"n"`
	M       int     `json:"m"`
	Grid    int     `json:"grid"` // the training grid
	Lambda  float64 `json:"lambda"`
	Rcond   float64 `json:"rcond"`
	Rank    int     `json:"rank"`
	Method  string  `json:"method"`           // the model's method
	Choice  string  `json:"choice,omitempty"` // why the method was chosen; empty if the configuration names it
	// mean relative leave-one-function-out error, if it determined lambda
	Left    float64          `json:"leave_one_out,omitempty"`
	Seed    uint64           `json:"seed"`
	Train   Measures         `json:"train"`
	Test    Measures         `json:"test"`
	Paper   *published.Value `json:"paper,omitempty"` // published expected relative test error; nil if the paper has none
	Version string           `json:"version"`

	Uncertainty *Uncertainty `json:"bands,omitempty"`          // coverage of the error bands on the test pairs
	Curve       *Curve       `json:"learning_curve,omitempty"` // of the model's method

	Notes    []string `json:"notes,omitempty"`    // assumptions about the files of the pairs
	Warnings []string `json:"warnings,omitempty"` // groups of pairs, methods that were left out
}

// Summary is a result with its directory and times. Its JSON form is the output of `rfm run --json`.
type Summary struct {
	Result
	Seconds Seconds `json:"seconds"`
	Run     string  `json:"run"` // directory of the stored run; empty if it is not stored

	// one evaluation of the model and of each baseline: seconds on one core, tolerance and number of inputs per solve
	Compared []Rival `json:"compared"`
	// when the model has paid for its data and its training; missing if no solver was timed
	Payoff *Payoff `json:"payoff,omitempty"`
}

// Measures summarise the errors on one set of pairs.
type Measures struct {
	ExpectedRelative float64 `json:"expected_relative"`
	Bochner          float64 `json:"bochner"`
	Median           float64 `json:"median"`
	Max              float64 `json:"max"`
}

func measures(e rfm.Errors) Measures {
	return Measures{e.ExpectedRelative, e.Bochner, e.Median(), e.Max()}
}

// Published returns the published expected relative test error for a configuration; ok is false if none exists.
func Published(c config.Config) (value published.Value, ok bool) {
	return published.ExpectedRelative(c)
}

// Summary returns the summary of a complete experiment.
func (e *Experiment) Summary() Summary {
	return Summary{Result: e.result(), Seconds: e.seconds, Run: e.Directory(), Compared: e.evaluation.Rivals,
		Payoff: e.payoff()}
}

// result returns the result of a complete experiment.
func (e *Experiment) result() Result {
	c := e.Config
	solution := e.model.Solution()
	r := Result{Problem: c.Problem, N: c.Data.Train, M: len(solution.Alpha), Grid: c.Train.Grid,
		Lambda: solution.Lambda, Rcond: c.Train.Rcond,
		Rank: solution.Rank, Method: e.model.Operator.Name(), Choice: e.evaluation.Choice, Left: solution.LeaveOneOut,
		Seed: c.Seed, Train: measures(e.evaluation.Train), Test: measures(e.evaluation.Test),
		Uncertainty: e.evaluation.Uncertainty, Curve: e.evaluation.Curve, Version: machine.Version(), Notes: e.notes,
		Warnings: e.evaluation.Warnings}
	if value, ok := Published(c); ok {
		r.Paper = &value
	}
	return r
}

// Row is a line of the error table: one measure of the training errors and of the test errors.
type Row struct {
	Name        string
	Train, Test float64
}

// Rows returns the error table.
func (v *Evaluation) Rows() []Row {
	row := func(name string, measure func(rfm.Errors) float64) Row {
		return Row{name, measure(v.Train), measure(v.Test)}
	}
	quantile := func(q float64) func(rfm.Errors) float64 { return func(e rfm.Errors) float64 { return e.Quantile(q) } }
	rows := []Row{
		row("expected relative", func(e rfm.Errors) float64 { return e.ExpectedRelative }),
		row("Bochner", func(e rfm.Errors) float64 { return e.Bochner }),
		row("best", quantile(0)),
		row("10% quantile", quantile(0.1)),
		row("median", rfm.Errors.Median),
		row("90% quantile", quantile(0.9)),
		row("worst", rfm.Errors.Max),
	}
	for c := range v.Test.Channels {
		rows = append(rows, row(fmt.Sprintf("channel %d", c+1), func(e rfm.Errors) float64 {
			return e.Channels[c].ExpectedRelative
		}))
	}
	return rows
}

// markdown returns the report of a complete experiment. It depends on the configuration alone.
func (e *Experiment) markdown() string {
	s := e.result()
	var b strings.Builder
	symbol := e.Config.GridSymbol()
	features, solution := fmt.Sprintf("m=%d", s.M), fmt.Sprintf("lambda=%s, rank %d of %d", report.Lambda(s.Lambda),
		s.Rank, s.M)
	if s.Method != config.RandomFeatures {
		features, solution = e.ModelTitle(), e.model.Operator.String()
	}
	fmt.Fprintf(&b, "# %s, n=%d, %s, %s=%d\n\n", s.Problem, s.N, features, symbol, s.Grid)
	fmt.Fprintf(&b, "Seed %d, %s, tested on %s=%d with %d inputs.\n\n", s.Seed, solution, symbol, e.evaluation.Grid,
		e.evaluation.TestPairs.Count())
	b.WriteString(e.ErrorTable(e.evaluation).Markdown())
	if u := s.Uncertainty; u != nil {
		b.WriteString("\n" + u.Table().Markdown())
	}
	if s.Left > 0 {
		what := "by which lambda was chosen"
		if s.Method != config.RandomFeatures {
			what = "by which its parameters were chosen"
		}
		fmt.Fprintf(&b, "\nThe leave-one-function-out error, %s, is %s.\n", what, report.Error(s.Left, 6))
	}
	if s.Choice != "" {
		fmt.Fprintf(&b, "\n%s\n", s.Choice)
	}
	if s.Curve != nil {
		fmt.Fprintf(&b, "\n%s\n", s.Curve)
	}
	for _, note := range slices.Concat(s.Notes, s.Warnings) {
		fmt.Fprintf(&b, "\nNote: %s\n", note)
	}
	compared := report.Table{Header: []string{"compared with", "test error"}}
	for i, r := range e.evaluation.Rivals {
		if r.Name == EqualSolve { // the choice of the solve depends on times
			continue
		}
		text, star := e.evaluation.RivalError(i, digits)
		if star == "*" {
			text += " (better than the trained model)"
		}
		compared.Rows = append(compared.Rows, []string{r.Name, text})
	}
	b.WriteString("\n" + compared.Markdown())
	fmt.Fprintf(&b, "\nrfm %s; `rfm run config.toml` repeats this run, bit for bit with the same build on the same "+
		"instruction set. Times are in timings.json.\n", s.Version)
	return b.String()
}
