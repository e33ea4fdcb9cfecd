// This file is the files of a trained and of an evaluated run.

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"rfm/model/bands"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/fault"
)

// keepModel stores the trained model, and drops the sums that led to it once the file is known to be usable.
func (e *Experiment) keepModel(ctx context.Context) error {
	if err := e.store.Write(ModelFile, func(w io.Writer) error { return trained.Write(w, e.model) }); err != nil {
		return err
	}
	if err := e.readBack(ctx); err != nil {
		return err
	}
	e.store.dropSums("")
	return e.store.complete(trainStage, e.Config.Data.Train, e.seconds.Train)
}

// readBack reads the stored model and predicts one training output with it, which has to be what the model in memory
// predicts, to the last bit.
func (e *Experiment) readBack(ctx context.Context) error {
	name := e.store.File(ModelFile)
	stored, err := trained.ReadFile(name)
	if err != nil {
		return err
	}
	one, err := e.train.Inputs.Range(0, 1).Restrict(e.Config.Train.Grid)
	if err != nil {
		return err
	}
	want, err := e.model.Predict(ctx, one, e.workers, nil)
	if err != nil {
		return err
	}
	got, err := stored.Predict(ctx, one, e.workers, nil)
	if err != nil {
		return err
	}
	if !slices.Equal(got.Data, want.Data) {
		return &fault.Data{Where: name, What: "predicts another output for training input 0 than the model it was written from",
			Do: "run again; if the error comes back, report it"}
	}
	return nil
}

// timings is the content of timings.json: what is another number every time.
type timings struct {
	Seconds Seconds `json:"seconds"`
	// seconds of the last session in which checkpoints were made, most of them beside the computation
	Checkpoints float64 `json:"checkpoints"`
	Workers     int     `json:"workers"` // in the last session
	Rivals      []Rival `json:"rivals"`
}

// ErrorSet is the relative errors of one set of pairs.
type ErrorSet struct {
	Name   string
	Errors []float64
}

// ErrorTable is the content of errors.csv.
func ErrorTable(sets ...ErrorSet) []byte {
	rows := [][]string{{"set", "index", "relative_error"}}
	for _, s := range sets {
		for i, v := range s.Errors {
			rows = append(rows, []string{s.Name, strconv.Itoa(i), fmt.Sprintf("%.17g", v)})
		}
	}
	return report.CSV(rows)
}

// keepResults stores the reports of e.evaluation and completes the run.
func (e *Experiment) keepResults() error {
	table := ErrorTable(ErrorSet{"train", e.evaluation.Train.Relative}, ErrorSet{"test", e.evaluation.Test.Relative})
	texts := map[string][]byte{ErrorsFile: table, MarkdownFile: []byte(e.markdown())}
	for name, content := range map[string]any{ReportFile: e.result(), TimingsFile: timings{Seconds: e.seconds,
		Checkpoints: e.store.pace.total().Seconds(), Workers: e.workers, Rivals: e.evaluation.Rivals}} {
		text, err := json.MarshalIndent(content, "", "  ")
		if err != nil {
			return &fault.Data{Where: e.store.File(name), What: "has no JSON form", Err: err}
		}
		texts[name] = append(text, '\n')
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		err := e.store.Write(name, func(w io.Writer) error {
			_, err := w.Write(texts[name])
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
	err := e.store.Commit(func(m *store.Manifest) {
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
	predictions := trainPairs.Outputs.Like(trainPairs.Count())
	v.Predictions = v.TestPairs.Outputs.Like(v.TestPairs.Count())
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
	var t timings
	var report Result
	for name, into := range map[string]any{TimingsFile: &t, ReportFile: &report} {
		if err := e.store.Manifest().ReadJSON(e.store.Path(), name, into); err != nil {
			return nil, err
		}
	}
	v.workers = t.Workers
	v.Rivals = t.Rivals
	for i, r := range v.Rivals {
		if r.Tolerance > 0 && r.Grid == 0 { // written when solvers were timed on the evaluation's grid only
			v.Rivals[i].Grid = K
		}
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
		v.method = e.ModelTitle()
	}
	return v, nil
}
