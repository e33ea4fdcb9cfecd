// This file is the files of a trained and of an evaluated run.

package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"rfm/model/bands"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/fault"
)

// keepModel stores the trained model and drops the sums that led to it.
func (e *Experiment) keepModel() error {
	if err := e.store.Write(ModelFile, func(w io.Writer) error { return trained.Write(w, e.model) }); err != nil {
		return err
	}
	e.store.dropSums("")
	return e.store.complete(trainStage, e.Config.Data.Train, e.seconds.Train)
}

// timings is the content of timings.json: what is another number every time.
type timings struct {
	Seconds Seconds `json:"seconds"`
	// seconds of the last session in which checkpoints were made, most of them beside the computation
	Checkpoints float64       `json:"checkpoints"`
	Workers     int           `json:"workers"` // in the last session
	Rivals      []rivalTiming `json:"rivals"`
}

// rivalTiming is a Rival.
type rivalTiming struct {
	Name     string   `json:"name"`
	Error    *float64 `json:"error"` // null for the solver that made the truth
	Seconds  float64  `json:"seconds"`
	Training float64  `json:"training,omitempty"`
	LeftOut  float64  `json:"leave_one_out,omitempty"`

	Operations float64 `json:"operations,omitempty"`

	Grid      int     `json:"grid,omitempty"`
	Tolerance float64 `json:"tolerance,omitempty"`
	Together  int     `json:"together,omitempty"`
	Alone     float64 `json:"alone,omitempty"`
}

// timings are the rivals' of an evaluation.
func (v *Evaluation) timings() []rivalTiming {
	var list []rivalTiming
	for _, r := range v.Rivals {
		timing := rivalTiming{Name: r.Name, Seconds: r.Seconds, Training: r.Training, LeftOut: r.LeaveOneOut,
			Operations: r.Operations, Grid: r.Grid, Tolerance: r.Tolerance, Together: r.Together, Alone: r.Alone}
		if !math.IsNaN(r.Error) {
			timing.Error = &r.Error
		}
		list = append(list, timing)
	}
	return list
}

// keepResults stores the reports of e.evaluation and completes the run.
func (e *Experiment) keepResults() error {
	report, err := json.MarshalIndent(e.result(), "", "  ")
	if err != nil {
		return &fault.Data{Where: e.store.File(ReportFile), What: "has no JSON form", Err: err}
	}
	t := timings{Seconds: e.seconds, Checkpoints: e.store.pace.total().Seconds(), Workers: e.workers,
		Rivals: e.evaluation.timings()}
	times, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return &fault.Data{Where: e.store.File(TimingsFile), What: "has no JSON form", Err: err}
	}
	var table bytes.Buffer
	table.WriteString("set,index,relative_error\n")
	for _, set := range []struct {
		name   string
		errors []float64
	}{{"train", e.evaluation.Train.Relative}, {"test", e.evaluation.Test.Relative}} {
		for i, v := range set.errors {
			fmt.Fprintf(&table, "%s,%d,%.17g\n", set.name, i, v)
		}
	}
	for _, file := range []struct {
		name string
		text []byte
	}{{ErrorsFile, table.Bytes()}, {MarkdownFile, []byte(e.markdown())}, {ReportFile, append(report, '\n')},
		{TimingsFile, append(times, '\n')}} {
		err := e.store.Write(file.name, func(w io.Writer) error {
			_, err := w.Write(file.text)
			return err
		})
		if err != nil {
			return err
		}
	}
	if u := e.evaluation.Uncertainty; u != nil {
		if err := e.store.Write(bands.File, func(w io.Writer) error { return bands.Write(w, u.bands) }); err != nil {
			return err
		}
	}
	total := e.train.Count() + e.test.Count()
	err = e.store.Commit(func(m *store.Manifest) {
		m.Evaluating = store.Stage{State: store.Complete, Done: total, Total: total, Seconds: e.seconds.Evaluate}
		m.TestError = &e.evaluation.Test.ExpectedRelative
	})
	if err != nil {
		return err
	}
	return e.store.Close() // a complete run needs no lock
}

// readResults restores the evaluation of a complete run.
func (e *Experiment) readResults(ctx context.Context) (*Evaluation, error) {
	K := e.Config.TestGrid()
	v := &Evaluation{Grid: K, Grids: e.grids(), Side: sideOf(e.test.Inputs.Domain, K)}
	trainPairs, err := e.train.Restrict(K)
	if err != nil {
		return nil, err
	}
	if v.TestPairs, err = e.test.Restrict(K); err != nil {
		return nil, err
	}
	predictions, err := e.batch(trainPairs.Outputs, trainPairs.Count())
	if err != nil {
		return nil, err
	}
	if v.Predictions, err = e.batch(v.TestPairs.Outputs, v.TestPairs.Count()); err != nil {
		return nil, err
	}
	if err := e.store.readFunctions(ctx, TrainPredictionsFile, predictions); err != nil {
		return nil, err
	}
	if err := e.store.readFunctions(ctx, TestPredictionsFile, v.Predictions); err != nil {
		return nil, err
	}
	if v.Train, err = rfm.Measure(predictions, trainPairs.Outputs); err != nil {
		return nil, err
	}
	if v.Test, err = rfm.Measure(v.Predictions, v.TestPairs.Outputs); err != nil {
		return nil, err
	}
	text, err := e.store.Manifest().ReadFile(e.store.Path(), TimingsFile)
	if err != nil {
		return nil, err
	}
	var t timings
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, &fault.Data{Where: e.store.File(TimingsFile), What: "cannot be read", Err: err}
	}
	v.workers = t.Workers
	for _, timing := range t.Rivals {
		r := Rival{Name: timing.Name, Error: math.NaN(), Seconds: timing.Seconds, Training: timing.Training,
			LeaveOneOut: timing.LeftOut, Operations: timing.Operations, Grid: timing.Grid, Tolerance: timing.Tolerance,
			Together: timing.Together, Alone: timing.Alone}
		if r.Tolerance > 0 && r.Grid == 0 { // written when solvers were timed on the evaluation's grid only
			r.Grid = K
		}
		if timing.Error != nil {
			r.Error = *timing.Error
		}
		v.Rivals = append(v.Rivals, r)
	}
	if text, err = e.store.Manifest().ReadFile(e.store.Path(), ReportFile); err != nil {
		return nil, err
	}
	var report Result
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, &fault.Data{Where: e.store.File(ReportFile), What: "cannot be read", Err: err}
	}
	v.Warnings, v.Choice = report.Warnings, report.Choice
	if e.Config.Evaluation.Bands {
		calibrated, err := bands.ReadFile(e.store.File(bands.File))
		if err != nil {
			return nil, err
		}
		if v.Uncertainty, err = uncertainty(calibrated, v); err != nil {
			return nil, err
		}
	}
	if _, random := e.model.Features(); !random {
		v.method = e.modelTitle()
	}
	return v, nil
}
