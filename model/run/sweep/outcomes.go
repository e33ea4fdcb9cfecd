package sweep

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
		o := Outcome{Cell: c, State: notBegun}
		path := filepath.Join(s.Directory, c.Name)
		if e := store.NewEntry(path); e.Fault == nil {
			o.Seconds, o.State = e.Run.Seconds, e.State
			if e.Run.Complete() {
				if err := e.Run.ReadJSON(store.ReportFile, &o.Result); err != nil {
					o.State, o.Why = failedCell, err.Error()
				}
			}
		}
		text, err := files.ReadFile(path+failedExtension, 1<<20)
		if err == nil && (o.State == store.ListedUnfinished || o.State == notBegun) {
			o.State, o.Why = failedCell, printable.Line(strings.TrimSpace(string(text)))
		}
		all = append(all, o)
	}
	return all
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
	values        []string // of all axes except the seed
	seeds         int      // number of cells
	errors, train []float64
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
			r.errors, r.train = append(r.errors, o.Result.Test.ExpectedRelative),
				append(r.train, o.Result.Train.ExpectedRelative)
		}
	}
	return keys, rows
}

// Table returns means and standard deviations of the expected relative test errors over the seeds, with one row for
// each combination of the other keys. Its figure is plotted against the key that has most numeric values.
func (s *Sweep) Table(outcomes []Outcome) report.Page {
	keys, rows := s.rows(outcomes)
	result := report.Page{Name: "sweep", Title: printable.Line(filepath.Base(s.Directory)),
		Source:  fmt.Sprintf("%d of %d cells complete", count(outcomes, store.ListedComplete), len(outcomes)),
		Figures: s.figure(keys, rows)}
	table := report.Table{Title: "expected relative L2 errors", Header: append(slices.Clone(keys), "runs", "test, mean",
		"deviation", "least", "largest", "train, mean")}
	if len(keys) == 0 {
		table.Header = append([]string{""}, table.Header...)
	}
	for _, r := range rows {
		line := slices.Clone(r.values)
		if len(keys) == 0 {
			line = []string{s.Base.Title()}
		}
		count := strconv.Itoa(len(r.errors))
		if len(r.errors) < r.seeds {
			count = fmt.Sprintf("%d of %d", len(r.errors), r.seeds)
		}
		line = append(line, count)
		for _, v := range []float64{report.Mean(r.errors), report.Spread(r.errors), report.Quantile(r.errors, 0),
			report.Quantile(r.errors, 1), report.Mean(r.train)} {
			line = append(line, report.Error(v, 6))
		}
		table.Rows = append(table.Rows, line)
	}
	result.Tables = []report.Table{table}
	for _, o := range outcomes {
		if o.State == failedCell {
			result.Notes = append(result.Notes, fmt.Sprintf("%s failed: %s", o.Name, o.Why))
		}
	}
	for _, state := range []string{store.ListedInUse, store.ListedUnfinished, notBegun} {
		if n := count(outcomes, state); n > 0 {
			result.Notes = append(result.Notes, fmt.Sprintf("%d of %d cells: %s.", n, len(outcomes), state))
		}
	}
	return result
}

// numeric returns the index of the key with the most values, at least two and all numeric; -1 if none has them.
func numeric(keys []string, rows []*row) int {
	best, most := -1, 1
	for k := range keys {
		distinct, numbers := map[string]bool{}, true
		for _, r := range rows {
			_, err := strconv.ParseFloat(r.values[k], 64)
			distinct[r.values[k]], numbers = true, numbers && err == nil
		}
		if numbers && len(distinct) > most {
			best, most = k, len(distinct)
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
	f := report.Figure{Title: "expected relative test error", XLabel: keys[best], LogX: true, LogY: true}
	single := report.Curve{Name: "single runs", Points: true}
	for _, r := range rows {
		if len(r.errors) == 0 {
			continue
		}
		x, _ := strconv.ParseFloat(r.values[best], 64)
		f.LogX = f.LogX && x > 0
		var others []string
		for k, v := range r.values {
			if k != best {
				others = append(others, keys[k]+"="+v)
			}
		}
		name := cmp.Or(strings.Join(others, ", "), "mean")
		i := slices.IndexFunc(f.Curves, func(c report.Curve) bool { return c.Name == name })
		if i < 0 {
			i, f.Curves = len(f.Curves), append(f.Curves, report.Curve{Name: name})
		}
		c := &f.Curves[i]
		at, _ := slices.BinarySearch(c.X, x)
		c.X, c.Y = slices.Insert(c.X, at, x), slices.Insert(c.Y, at, report.Mean(r.errors))
		if len(r.errors) > 1 {
			for _, e := range r.errors {
				single.X, single.Y = append(single.X, x), append(single.Y, e)
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
	return fault.Unwritten(s.Directory, files.WriteAll(s.Directory, s.Directory, list...), "")
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
		line, g := append(slices.Clone(o.Values), o.State), report.Exact
		if t := o.Result.Test; o.State == store.ListedComplete {
			line = append(line, g(t.ExpectedRelative), g(t.Bochner), g(t.Median), g(t.Max), g(o.Result.Train.ExpectedRelative),
				strconv.Itoa(o.Result.Rank), g(o.Result.Lambda))
		} else {
			line = append(line, make([]string, 7)...)
		}
		for _, s := range o.Seconds {
			line = append(line, g(s))
		}
		lines = append(lines, append(line, o.Name, o.Why))
	}
	return report.CSV(lines)
}
