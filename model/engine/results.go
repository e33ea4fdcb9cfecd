// This file writes and reads the files of an evaluated run, and forecasts the times of others from them.

package engine

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"rfm/config"
	"rfm/model/bands"
	"rfm/model/machine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/files"
	"rfm/solver/grid"
)

// Timings is the content of timings.json: the numbers of a run that are not reproducible.
type Timings struct {
	Seconds   machine.Seconds `json:"seconds"`   // wall time in all sessions
	Processor machine.Seconds `json:"processor"` // processor time in the last session
	Workers   int             `json:"workers"`   // in the last session
	Rivals    []Rival         `json:"rivals"`
	Config    config.Config   `json:"-"` // of the run
}

// errorRows returns the content of errors.csv.
func (v *Evaluation) errorRows() []byte {
	rows := [][]string{{"set", "index", "relative_error"}}
	add := func(set string, errors []float64) {
		for i, e := range errors {
			rows = append(rows, []string{set, strconv.Itoa(i), fmt.Sprintf("%.17g", e)})
		}
	}
	add("train", v.Train.Relative)
	add("test", v.Test.Relative)
	return report.CSV(rows)
}

// keepResults stores the reports of e.evaluation and completes the run.
func (e *Experiment) keepResults() error {
	v := e.evaluation
	products := []files.File{files.Text(store.ErrorsFile, v.errorRows()),
		files.Text(store.MarkdownFile, []byte(e.markdown())),
		store.Rows(store.TrainPredictionsFile, store.Block{v.trained}),
		store.Rows(store.TestPredictionsFile, store.Block{v.Predictions}),
		store.JSON(store.ReportFile, e.result(), "  "), store.JSON(store.TimingsFile,
			Timings{Seconds: e.Seconds(), Processor: machine.SecondsOf(e.processor), Workers: e.workers, Rivals: v.Rivals},
			"  ")}
	if u := v.Uncertainty; u != nil {
		products = append(products, files.File{Name: bands.File, Content: func(w io.Writer) error {
			return bands.Write(w, u.bands)
		}})
	}
	if err := e.put(products...); err != nil {
		return err
	}
	v.trained = grid.Batch{}
	return e.store.Close() // a complete run needs no lock
}

// readResults restores the evaluation of a complete run.
func (e *Experiment) readResults(ctx context.Context) error {
	v, err := e.evaluateOn(ctx, e.Config.TestGrid(), true)
	if err != nil {
		return err
	}
	v.trained = grid.Batch{}
	var t Timings
	var report Result
	for name, into := range map[string]any{store.TimingsFile: &t, store.ReportFile: &report} {
		if err := e.store.ReadJSON(name, into); err != nil {
			return err
		}
	}
	v.workers, v.Rivals = t.Workers, t.Rivals
	v.Warnings, v.Choice, v.Curve = report.Warnings, report.Choice, report.Curve
	if e.Config.Evaluation.Bands {
		calibrated, err := bands.ReadFile(e.store.File(bands.File))
		if err == nil {
			v.Uncertainty, err = uncertainty(calibrated, v)
		}
		if err != nil {
			return err
		}
	}
	e.evaluation = v
	return nil
}

// Lately returns the times of the newest complete runs of a list, in its order, that one process computed without
// interruption. It skips runs whose files cannot be read.
func Lately(list []store.Entry) []Timings {
	const most = 32 // runs whose files are read
	var past []Timings
	for _, e := range list {
		if len(past) == most {
			break
		}
		if e.Fault != nil || !e.Run.Complete() || e.Run.Resumed > 0 || e.Run.Split != nil {
			continue
		}
		var t Timings
		if e.Run.ReadJSON(store.TimingsFile, &t) == nil && t.Processor != (machine.Seconds{}) {
			t.Config = e.Run.Config
			past = append(past, t)
		}
	}
	return past
}

// Forecast estimates the time of a valid configuration on an idle machine. It multiplies the estimate of each stage by
// the median of actual over estimated processor time in the newest runs that do the same work. Wall times would count
// other programs of those days, and pauses.
func Forecast(rates machine.Rates, c config.Config, workers int, past []Timings) machine.Estimate {
	const newest = 3
	var alike []Timings
	for _, t := range past {
		if len(alike) < newest && t.Config.Problem == c.Problem && t.Config.Train.Method == c.Train.Method &&
			t.Config.Evaluation.Baselines == c.Evaluation.Baselines && t.Config.Evaluation.Bands == c.Evaluation.Bands {
			alike = append(alike, t)
		}
	}
	e := rates.Estimate(c, workers)
	corrected := e.Stages()
	for i := range corrected {
		var factors []float64
		for _, t := range alike {
			const noise, most = 0.1, 10 // seconds of fixed cost; largest factor
			factor := (t.Processor.Stages()[i] + noise) / (rates.Estimate(t.Config, 1).Stages()[i] + noise)
			if i > 0 || factor > 1./most { // pairs of a sweep are generated once for all cells
				factors = append(factors, min(factor, most))
			}
		}
		if len(factors) > 0 {
			slices.Sort(factors)
			corrected[i] *= factors[len(factors)/2]
		}
	}
	e.Seconds = machine.SecondsOf(corrected)
	return e
}
