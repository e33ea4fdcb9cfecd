// This file describes the results of an evaluated run in tables and reports, and writes and reads its files.

package engine

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/model/show/paper/published"
	"rfm/model/show/report"
	"rfm/model/trained/bands"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/space/grid"
)

// Timings is the content of timings.json: the numbers of a run that are not reproducible.
type Timings struct {
	Seconds   Seconds `json:"seconds"`                    // wall time in all sessions
	Choosing  float64 `json:"choosing_seconds,omitempty"` // the part of training that chose the method
	Processor Seconds `json:"processor"`                  // processor time in the last session
	Workers   int     `json:"workers"`                    // in the last session
	Rows      []Row   `json:"compared"`
	// whether the search for the equal solve ended early, see Evaluation
	EqualUnfinished bool  `json:"equal_solve_unfinished,omitempty"`
	Earlier         []Row `json:"rivals,omitempty"` // Rows in files of earlier versions
}

// results returns the reports of e.evaluation, which complete the run.
func (e *Experiment) results() []files.File {
	v := e.evaluation
	rows := [][]string{{"set", "index", "relative_error"}}
	add := func(set string, relative []float64) {
		for i, error := range relative {
			rows = append(rows, []string{set, strconv.Itoa(i), fmt.Sprintf("%.17g", error)})
		}
	}
	add("train", v.Train.Relative)
	add("test", v.Test.Relative)
	timings := func(w io.Writer) error { // when it is written, the stage has ended
		t := Timings{
			Seconds:   e.Seconds(),
			Choosing:  e.choosing,
			Processor: secondsOf(e.processor),
			Workers:   e.workers,
			Rows:      v.Rows,

			EqualUnfinished: v.EqualUnfinished,
		}
		return store.JSON(store.TimingsFile, t, "  ").Content(w)
	}
	all := []files.File{
		files.Text(store.ErrorsFile, report.CSV(rows)),
		files.Text(store.MarkdownFile, []byte(e.markdown())),
		store.Rows(store.TrainPredictionsFile, store.Block{v.trained}),
		store.Rows(store.TestPredictionsFile, store.Block{v.Predictions}),
		store.JSON(store.ReportFile, e.result(), "  "),
		{Name: store.TimingsFile, Content: timings},
	}
	if v.Uncertainty != nil {
		calibrated := v.Uncertainty.bands
		content := func(w io.Writer) error { return bands.Write(w, calibrated) }
		all = append(all, files.File{Name: bands.File, Content: content})
	}
	v.trained = grid.Batch{}
	return all
}

// readResults completes the evaluation of a complete run, which has the errors.
func (e *Experiment) readResults(v *Evaluation) error {
	v.trained = grid.Batch{}
	var t Timings
	err := e.store.ReadJSON(store.TimingsFile, &t)
	if err != nil {
		return err
	}
	var result Result
	if err := e.store.ReadJSON(store.ReportFile, &result); err != nil {
		return err
	}
	e.choosing = t.Choosing
	v.workers = t.Workers
	v.Findings = result.Findings
	v.EqualUnfinished = t.EqualUnfinished
	v.Rows = t.Rows
	if t.Rows == nil {
		v.Rows = t.Earlier
	}
	if e.Config.Evaluation.Bands {
		calibrated, err := bands.ReadFile(e.store.File(bands.File))
		if err != nil {
			return err
		}
		v.Uncertainty, err = uncertainty(calibrated, v)
		if err != nil {
			return err
		}
	}
	e.evaluation = v
	return nil
}

// Result is the result of an experiment; it depends on the configuration alone. Its JSON form is report.json.
type Result struct {
	From   string  `json:"from"` // the equation or the file of the pairs
	N      int     `json:"n"`
	M      int     `json:"m"`
	Grid   int     `json:"grid"` // the training grid
	Lambda float64 `json:"lambda"`
	Rcond  float64 `json:"rcond"`
	Rank   int     `json:"rank"`
	Method string  `json:"method"` // the model's method
	// mean relative error on pairs left out, if it determined lambda or other parameters
	Left    float64          `json:"leave_one_out,omitempty"`
	Seed    uint64           `json:"seed"`
	Train   Measures         `json:"train"`
	Test    Measures         `json:"test"`
	Paper   *published.Value `json:"paper,omitempty"` // published expected relative test error; nil if the paper has none
	Version string           `json:"version"`

	Skill  *Skill  `json:"skill,omitempty"`  // comparison with the mean of the training outputs
	Unlike *Unlike `json:"unlike,omitempty"` // test inputs that are unlike the training inputs; missing if unknown
	Findings
	Notes []string `json:"notes,omitempty"` // assumptions about the files of the pairs
}

// Summary is a result with its directory and times. Its JSON form is the output of `rfm run --json`.
type Summary struct {
	Result
	Seconds Seconds `json:"seconds"`
	// the part of the time of training that the choice of the method took; missing if none was chosen, or if the run was
	// interrupted meanwhile
	Choosing float64 `json:"choosing_seconds,omitempty"`
	Workers  int     `json:"workers"` // goroutines of the last session, to which the times belong
	SIMD     string  `json:"simd"`    // instruction set of that session
	Run      string  `json:"run"`     // directory of the stored run; empty if it is not stored

	// one evaluation of the model and of each baseline: seconds on one core, tolerance and number of inputs per solve
	Compared []Row `json:"compared"`
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

func measures(e score.Errors) Measures {
	return Measures{
		ExpectedRelative: e.ExpectedRelative,
		Bochner:          e.Bochner,
		Median:           e.Median(),
		Max:              e.Max(),
	}
}

// Published returns the published expected relative test error for a configuration; ok is false if none exists.
func Published(c config.Config) (value published.Value, ok bool) {
	return published.ExpectedRelative(c)
}

// Summary returns the summary of a complete experiment.
func (e *Experiment) Summary() Summary {
	return Summary{
		Result:   e.result(),
		Seconds:  e.Seconds(),
		Choosing: e.choosing,
		Workers:  e.evaluation.workers,
		SIMD:     e.program().SIMD,
		Run:      e.Directory(),
		Compared: e.evaluation.Rows,
		Payoff:   e.payoff(),
	}
}

// program returns the program that computed the results: this one if they are not stored.
func (e *Experiment) program() machine.Build {
	if e.store.Program == (machine.Build{}) {
		return machine.Program()
	}
	return e.store.Program
}

// result returns the result of a complete experiment.
func (e *Experiment) result() Result {
	c := e.Config
	solution := e.model.Solution()
	r := Result{
		From:     store.Stem(c),
		N:        c.Data.Train,
		M:        len(solution.Alpha),
		Grid:     c.Train.Grid,
		Lambda:   solution.Lambda,
		Rcond:    c.Train.Rcond,
		Rank:     solution.Rank,
		Method:   e.model.Operator.Name(),
		Left:     solution.LeaveOneOut,
		Seed:     c.Seed,
		Train:    measures(e.evaluation.Train),
		Test:     measures(e.evaluation.Test),
		Version:  e.program().Version,
		Skill:    e.evaluation.Skill,
		Unlike:   e.evaluation.Unlike,
		Findings: e.evaluation.Findings,
		Notes:    e.store.Notes,
	}
	value, ok := Published(c)
	if ok {
		r.Paper = &value
	}
	return r
}

// Page returns the result of a complete experiment without times: it depends on the configuration alone.
func (e *Experiment) Page() report.Page {
	c := e.Config
	v := e.evaluation
	var features, lambda string
	if e.model.Random() {
		s := e.model.Solution()
		features = fmt.Sprintf("  m=%d", len(s.Alpha))
		lambda = "  lambda=" + report.Lambda(s.Lambda)
	}
	grid := fmt.Sprintf("  %s=%d", c.GridSymbol(), c.Train.Grid)
	tested := printable.Several(c.Data.Test, "test input")
	p := report.Page{
		Name:    "result",
		Title:   fmt.Sprintf("%s  n=%d%s%s%s  seed=%d", store.Stem(c), c.Data.Train, features, grid, lambda, c.Seed),
		Heading: fmt.Sprintf("%s, %s on %s=%d", e.model.About(), tested, c.GridSymbol(), v.Grid),
		Tables:  []report.Table{e.ErrorTable(v)},
	}
	if v.Uncertainty != nil {
		const calibrated = "The bands are calibrated on the %d training pairs. %d test inputs lie outside those of the training."
		u := v.Uncertainty
		p.Tables = append(p.Tables, u.Table())
		p.Notes = append(p.Notes, fmt.Sprintf(calibrated, u.Pairs, u.Outside))
	}
	if len(v.Lengths) > 0 {
		const meaning = "Outputs change over the length of a number, in standard deviations of the training inputs: numbers " +
			"with long ones hardly matter."
		p.Tables = append(p.Tables, v.lengthTable())
		p.Notes = append(p.Notes, meaning)
	}
	p.Notes = append(p.Notes, v.Notes()...)
	return p
}

// lengthTable lists the numbers of inputs, those that matter most first.
func (f *Findings) lengthTable() report.Table {
	order := ridge.Others(nil, len(f.Lengths))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(f.Lengths[a], f.Lengths[b])
	})
	t := report.Table{Header: []string{"input", "length"}}
	for _, i := range order {
		name := fmt.Sprintf("number %d", i+1)
		length := fmt.Sprintf("%g", f.Lengths[i])
		t.Rows = append(t.Rows, []string{name, length})
	}
	return t
}

// markdown returns the report of a complete experiment, which depends on the configuration alone.
func (e *Experiment) markdown() string {
	p := e.Page()
	compared := report.Table{Header: []string{"compared with", "test error"}}
	for i, r := range e.evaluation.Rows {
		if r.Name == EqualSolve { // the choice of the solve depends on times
			continue
		}
		text, star := e.evaluation.RowError(i)
		if star == "*" {
			text += " (better than the trained model)"
		}
		compared.Rows = append(compared.Rows, []string{r.Name, text})
	}
	p.Tables = append(p.Tables, compared)
	left := e.model.Solution().LeaveOneOut
	if left > 0 {
		what := "cross-validation error (5-fold), by which lambda was chosen"
		if !e.model.Random() {
			what = "leave-one-out error, by which its parameters were chosen"
		}
		p.Notes = append(p.Notes, fmt.Sprintf("The %s, is %s.", what, report.Measured(left)))
	}
	p.Notes = append(p.Notes, e.store.Notes...)
	const repeats = "rfm %s; `rfm run config.toml` repeats this run, bit for bit with the same build on the same " +
		"instruction set. Times are in timings.json."
	p.Notes = append(p.Notes, fmt.Sprintf(repeats, machine.Version()))
	return p.Markdown()[1:] // as a page of its own
}

// ErrorTable returns the error table, with the published value for this configuration.
func (e *Experiment) ErrorTable(v *Evaluation) report.Table {
	t := report.Table{Header: []string{"relative L2 error", "train", "test"}}
	if v.TrainGrid != v.Grid {
		symbol := e.Config.GridSymbol()
		t.Header[1] += fmt.Sprintf(", %s=%d", symbol, v.TrainGrid)
		t.Header[2] += fmt.Sprintf(", %s=%d", symbol, v.Grid)
	}
	row := func(name string, train, test float64) {
		t.Rows = append(t.Rows, []string{
			name,
			report.Measured(train),
			report.Measured(test),
		})
	}
	row("expected relative", v.Train.ExpectedRelative, v.Test.ExpectedRelative)
	if s := v.Skill; s != nil {
		row("of the "+mean.Title, s.MeanTrain, s.Mean)
		if s.Fluctuation > 0 {
			row("of the fluctuation", s.FluctuationTrain, s.Fluctuation)
		}
	}
	row("Bochner", v.Train.Bochner, v.Test.Bochner)
	quantile := func(name string, q float64) {
		row(name, v.Train.Quantile(q), v.Test.Quantile(q))
	}
	quantile("best", 0)
	quantile("10% quantile", 0.1)
	quantile("median", 0.5)
	quantile("90% quantile", 0.9)
	quantile("worst", 1)
	for c, test := range v.Test.Channels {
		train := v.Train.Channels[c]
		row(fmt.Sprintf("channel %d", c+1), train.ExpectedRelative, test.ExpectedRelative)
	}
	paper, ok := Published(e.Config)
	if ok {
		value := report.Error(paper.Value, 4)
		t.Rows = append(t.Rows, []string{"paper, one draw, " + paper.Source, "", value})
	}
	return t
}

// Table compares the nominal coverage of the prediction bands with their coverage of the test pairs.
func (u *Uncertainty) Table() report.Table {
	t := report.Table{Header: []string{"bands promise", "functions", "whole", "points", "radius"}}
	for _, c := range u.Coverage {
		row := []string{fmt.Sprintf("%g%%", 100*c.Promised)}
		for _, share := range []float64{c.Function, c.Whole, c.Point} {
			row = append(row, fmt.Sprintf("%.2f%%", 100*share))
		}
		radius := "no bound, too few pairs"
		if c.Radius > 0 {
			radius = report.Measured(c.Radius)
		}
		t.Rows = append(t.Rows, append(row, radius))
	}
	return t
}

// RowError returns the error of baseline i. star is a star if it is smaller than the model's error, which is the first,
// and else a blank.
func (v *Evaluation) RowError(i int) (text, star string) {
	r := v.Rows[i]
	text = "truth"
	star = " "
	if r.Error > 0 || r.Training > 0 {
		text = report.Measured(r.Error)
	}
	if 0 < r.Error && r.Error < v.Rows[0].Error {
		star = "*"
	}
	return text, star
}

// Names of the solver in an evaluation, and of the mean of the training outputs.
const (
	MeanOfOutputs = mean.Title

	FullSolve  = "full solve"  // with the solver's own tolerance, on the evaluation's grid
	EqualSolve = "equal solve" // the fastest with an error of at most the model's, on any grid, to any tolerance
)

// Payoff compares a model with the solver that it replaces: the fastest solve as accurate, or else the full one.
type Payoff struct {
	Against     string  `json:"against"`                  // name of the solve
	Faster      float64 `json:"faster"`                   // time of the solve divided by the time of the model
	Spent       float64 `json:"spent_seconds"`            // upper bound of core time for data, training and search
	Search      float64 `json:"search_seconds,omitempty"` // the part of Spent for the feature search
	Evaluations float64 `json:"evaluations,omitempty"`    // number of evaluations that save Spent; 0: never
}

// payoff returns the payoff of the model of a complete experiment. It is nil if no solver was timed.
func (e *Experiment) payoff() *Payoff {
	rows := e.evaluation.Rows
	named := func(name string) int {
		return slices.IndexFunc(rows, func(r Row) bool {
			return r.Name == name
		})
	}
	at := named(EqualSolve)
	if at < 0 {
		at = named(FullSolve)
	}
	if at < 1 {
		return nil
	}
	model := rows[0].Seconds
	solver := rows[at].Seconds
	search := e.Config.Train.Searched
	stages := e.store.Seconds[0] + e.store.Seconds[1] // generating and training
	p := &Payoff{
		Against: rows[at].Name,
		Faster:  solver / model,
		Spent:   stages*float64(e.evaluation.workers) + search,
		Search:  search,
	}
	if solver > model {
		p.Evaluations = p.Spent / (solver - model)
	}
	return p
}

// Sentences describes the payoff; spent is Spent formatted for people.
func (p Payoff) Sentences(spent string) []string {
	what := "data and training"
	if p.Search > 0 {
		what = "data, training and the search for features"
	}
	if p.Evaluations == 0 {
		return []string{
			fmt.Sprintf("The %s is %.1f times as fast as the model here.", p.Against, 1/p.Faster),
			"So the model never pays for its " + what + ".",
		}
	}
	unit := math.Pow(10, max(0, math.Floor(math.Log10(p.Evaluations))-1))
	count := math.Ceil(p.Evaluations/unit) * unit // rounded up to two digits
	return []string{
		fmt.Sprintf("The model is %.1f times as fast as the %s here.", p.Faster, p.Against),
		fmt.Sprintf("%s took %s of one core at most.", "D"+what[1:], spent),
		fmt.Sprintf("The model has paid for them after %.0f evaluations.", count),
	}
}
