package sweep

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
)

// The states of a cell; those of a run in a list are others.
const (
	failedCell = "failed"
	notBegun   = "not begun"
)

// Outcome is the state and the result of a cell.
type Outcome struct {
	Cell
	State   string
	Why     string        // the error of a failed cell
	Result  engine.Result // of a complete cell
	Seconds [3]float64    // of a run that exists
}

// Read returns the outcomes of all cells. It changes nothing, and other processes may be at work.
func (s *Sweep) Read() []Outcome {
	var all []Outcome
	for _, c := range s.Cells() {
		all = append(all, s.outcome(c))
	}
	return all
}

// outcome reads one cell.
func (s *Sweep) outcome(c Cell) Outcome {
	o := Outcome{Cell: c, State: notBegun}
	path := filepath.Join(s.Directory, c.Name)
	e := store.NewEntry(path)
	if e.Fault == nil {
		o.Seconds = e.Run.Seconds
		o.State = e.State
		if e.Run.Complete() {
			err := e.Run.ReadJSON(store.ReportFile, &o.Result)
			if err != nil {
				o.State = failedCell
				o.Why = err.Error()
			}
		}
	}
	const longest = 1 << 20 // bytes of the text of a failure
	text, err := files.ReadFile(path+failedExtension, longest)
	stopped := o.State == store.ListedUnfinished || o.State == notBegun
	if err == nil && stopped {
		o.State = failedCell
		o.Why = printable.Line(strings.TrimSpace(string(text)))
	}
	return o
}

// count returns the number of cells in a state.
func count(outcomes []Outcome, state string) int {
	n := 0
	for _, o := range outcomes {
		if o.State == state {
			n++
		}
	}
	return n
}

// row is the cells that differ in the seed alone.
type row struct {
	values []string // of all axes except the seed
	seeds  int      // number of cells
	errors []float64
	train  []float64 // errors on the training pairs
}

// title returns the values of some keys other than one, the abscissa.
func (r *row) title(keys []string, abscissa int) string {
	var others []string
	for k, v := range r.values {
		if k != abscissa {
			others = append(others, keys[k]+"="+v)
		}
	}
	switch {
	case others == nil && r.seeds > 1:
		return "mean"
	case others == nil:
		return "error"
	}
	return strings.Join(others, ", ")
}

// rows groups outcomes; keys are the axes except the seed, as in shortest.
func (s *Sweep) rows(outcomes []Outcome) (keys []string, rows []*row) {
	seed := slices.IndexFunc(s.Axes, func(a Axis) bool { return a.Key == "seed" })
	for i, a := range s.Axes {
		if i != seed {
			keys = append(keys, shortest(s.Base, a.Key))
		}
	}
	index := map[string]*row{}
	for _, o := range outcomes {
		values := slices.Clone(o.Values)
		if seed >= 0 {
			values = slices.Delete(values, seed, seed+1)
		}
		name := strings.Join(values, "\x00")
		if index[name] == nil {
			index[name] = &row{values: values}
			rows = append(rows, index[name])
		}
		r := index[name]
		r.seeds++
		if o.State == store.ListedComplete {
			r.errors = append(r.errors, o.Result.Test.ExpectedRelative)
			r.train = append(r.train, o.Result.Train.ExpectedRelative)
		}
	}
	return keys, rows
}

// Table returns means and standard deviations of the expected relative test errors over the seeds, with one row for
// each combination of the other keys. Its figure is plotted against the key that has most numeric values.
func (s *Sweep) Table(outcomes []Outcome) report.Page {
	keys, rows := s.rows(outcomes)
	result := report.Page{
		Name:    "sweep",
		Title:   printable.Line(filepath.Base(s.Directory)),
		Source:  fmt.Sprintf("%d of %d runs complete", count(outcomes, store.ListedComplete), len(outcomes)),
		Figures: s.figure(keys, rows),
		Tables:  []report.Table{s.errors(keys, rows)},
	}
	for _, o := range outcomes {
		if o.State == failedCell {
			result.Notes = append(result.Notes, fmt.Sprintf("%s failed: %s", o.Name, o.Why))
		}
	}
	for _, state := range []string{store.ListedInUse, store.ListedUnfinished, notBegun} {
		n := count(outcomes, state)
		if n > 0 {
			result.Notes = append(result.Notes, fmt.Sprintf("%d of %d runs: %s.", n, len(outcomes), state))
		}
	}
	return result
}

// errors returns the table of the errors: a line for each row, with the values of its keys in front.
func (s *Sweep) errors(keys []string, rows []*row) report.Table {
	t := report.Table{Title: "expected relative L2 errors"}
	t.Header = append(t.Header, keys...)
	if len(keys) == 0 {
		t.Header = []string{""}
	}
	t.Header = append(t.Header, "runs", "test, mean", "deviation", "least", "largest", "train, mean")
	for _, r := range rows {
		line := slices.Clone(r.values)
		if len(keys) == 0 {
			line = []string{s.Base.Title()}
		}
		complete := strconv.Itoa(len(r.errors))
		if len(r.errors) < r.seeds {
			complete = fmt.Sprintf("%d of %d", len(r.errors), r.seeds)
		}
		line = append(line,
			complete,
			report.Error(report.Mean(r.errors), 6),
			report.Error(report.Spread(r.errors), 6),
			report.Error(score.Quantile(r.errors, 0), 6),
			report.Error(score.Quantile(r.errors, 1), 6),
			report.Error(report.Mean(r.train), 6),
		)
		t.Rows = append(t.Rows, line)
	}
	return t
}

// numeric returns the index of the key with the most values, at least two and all numeric; -1 if none has them.
func numeric(keys []string, rows []*row) int {
	best := -1
	most := 1
	for k := range keys {
		distinct := map[string]bool{}
		numbers := true
		for _, r := range rows {
			distinct[r.values[k]] = true
			_, err := strconv.ParseFloat(r.values[k], 64)
			if err != nil {
				numbers = false
			}
		}
		if numbers && len(distinct) > most {
			best = k
			most = len(distinct)
		}
	}
	return best
}

// figure plots the errors against the numeric key with the most values: a curve of means for each combination of the
// other keys, and the single runs as points. It returns none if no key has two values.
func (s *Sweep) figure(keys []string, rows []*row) []report.Figure {
	best := numeric(keys, rows)
	if best < 0 {
		return nil
	}
	f := report.Figure{
		Title:  "expected relative test error",
		XLabel: keys[best],
		LogX:   true,
		LogY:   true,
	}
	single := report.Curve{Name: "single runs", Points: true}
	for _, r := range rows {
		if len(r.errors) == 0 {
			continue
		}
		x, _ := strconv.ParseFloat(r.values[best], 64)
		f.LogX = f.LogX && x > 0
		name := r.title(keys, best)
		i := slices.IndexFunc(f.Curves, func(c report.Curve) bool {
			return c.Name == name
		})
		if i < 0 {
			i = len(f.Curves)
			f.Curves = append(f.Curves, report.Curve{Name: name})
		}
		c := &f.Curves[i]
		at, _ := slices.BinarySearch(c.X, x)
		c.X = slices.Insert(c.X, at, x)
		c.Y = slices.Insert(c.Y, at, report.Mean(r.errors))
		if len(r.errors) > 1 {
			for _, e := range r.errors {
				single.X = append(single.X, x)
				single.Y = append(single.Y, e)
			}
		}
	}
	if len(single.X) > 0 && len(f.Curves) == 1 { // points of several curves could not be distinguished
		f.Curves = append(f.Curves, single)
	}
	if len(f.Curves) == 0 {
		return nil
	}
	return []report.Figure{f}
}

// Keep writes the table to the sweep's directory: sweep.csv and, with a figure, sweep.svg. The error is a *fault.Data.
func (s *Sweep) Keep(outcomes []Outcome) error {
	list, err := s.Table(outcomes).Files()
	if err != nil {
		return err
	}
	list[0] = files.Text("sweep.csv", s.CSV(outcomes)) // of cells, not of means
	err = files.WriteAll(s.Directory, s.Directory, list...)
	return fault.Unwritten(s.Directory, err, "")
}

// CSV returns a table with a line for each cell.
func (s *Sweep) CSV(outcomes []Outcome) []byte {
	var header []string
	for _, a := range s.Axes {
		header = append(header, a.Key)
	}
	lines := [][]string{append(header, "state", "test", "test_bochner", "test_median", "test_max", "train", "rank",
		"lambda", "generate_s", "train_s", "evaluate_s", "run", "failure")}
	for _, o := range outcomes {
		line := append(slices.Clone(o.Values), o.State)
		results := make([]string, 7) // from test to lambda, empty until the cell is complete
		if o.State == store.ListedComplete {
			test := o.Result.Test
			results = []string{
				report.Exact(test.ExpectedRelative),
				report.Exact(test.Bochner),
				report.Exact(test.Median),
				report.Exact(test.Max),
				report.Exact(o.Result.Train.ExpectedRelative),
				strconv.Itoa(o.Result.Rank),
				report.Exact(o.Result.Lambda),
			}
		}
		line = append(line, results...)
		for _, s := range o.Seconds {
			line = append(line, report.Exact(s))
		}
		line = append(line, o.Name, o.Why)
		lines = append(lines, line)
	}
	return report.CSV(lines)
}
