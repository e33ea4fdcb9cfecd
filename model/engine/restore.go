// This file takes from a run's directory what an earlier session has computed.

package engine

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/regular"
)

// reopen restores what the run has complete.
func (e *Experiment) reopen(ctx context.Context) error {
	m := e.store.Manifest()
	e.seconds = Seconds{m.Generating.Seconds, m.Training.Seconds, m.Evaluating.Seconds}
	if done, all := m.Training.Done, e.Config.Data.Train; done > all {
		return &fault.Data{Where: e.store.File(store.ManifestFile), What: fmt.Sprintf("counts %d training samples, %s has %d", done, store.ConfigFile, all)}
	}
	if m.Generating.State != store.Complete {
		return nil
	}
	for _, s := range e.sides() {
		if err := e.restore(ctx, &s); err != nil {
			return err
		}
		if s.kept != s.count {
			return &fault.Data{Where: e.store.File(s.name), What: fmt.Sprintf("has %d of %d pairs in a run that has them all", s.kept, s.count)}
		}
	}
	features, err := e.drawFeatures(ctx)
	if err != nil {
		return err
	}
	e.features = features
	e.passed(Generating, "pairs", m.Generating.Total)
	if m.Training.State != store.Complete {
		return nil
	}
	file, err := trained.ReadFile(e.store.File(modelFile))
	if err != nil {
		return err
	}
	e.solution, e.model = file.Solution, file
	e.passed(Training, "samples", m.Training.Total)
	if m.Evaluating.State != store.Complete {
		return nil
	}
	if e.evaluation, err = e.readResults(ctx); err != nil {
		return err
	}
	e.passed(Evaluating, "predictions", m.Evaluating.Total)
	return nil
}

// passed takes note of a stage that an earlier session has completed.
func (e *Experiment) passed(stage Stage, unit string, total int) {
	e.reached = stage
	e.tracker.begin(stage, unit, total)
	e.tracker.skip(total)
	e.tracker.finish()
}

// restore takes the pairs of a side that the run has. Those that will be read or taken over again are only counted.
func (e *Experiment) restore(ctx context.Context, s *side) error {
	if e.store == nil {
		return nil
	}
	shape, kept, ok := e.store.Array(s.name)
	if !ok {
		return nil
	}
	s.kept = kept
	if kept < s.count && (s.file != "" || e.reused) {
		return nil
	}
	functions := grid.NewBatch(setup.Domain(e.Config), shape[len(shape)-1], kept)
	pairs := dataset.Pairs{Inputs: functions, Outputs: functions.Like(kept)}
	*s.pairs = pairs
	return e.store.ReadRows(ctx, s.name, func(row int, values []float64) {
		copy(pairs.Inputs.At(row), values)
		copy(pairs.Outputs.At(row), values[pairs.Inputs.Values():])
	})
}

// gridOf is the grid of the pairs in a file of the run, or another one if the run does not have the file.
func (s *kept) gridOf(name string, otherwise int) int {
	if shape, _, ok := s.Array(name); ok {
		return shape[len(shape)-1]
	}
	return otherwise
}

// readFunctions reads the rows that the run has of an array of functions and returns how many there are.
func (s *kept) readFunctions(ctx context.Context, name string, functions grid.Batch) (int, error) {
	shape, rows, ok := s.Array(name)
	if !ok {
		return 0, nil
	}
	if product(shape[1:]) != functions.Values() || rows > functions.Count {
		return 0, &fault.Data{Where: s.File(name), What: fmt.Sprintf("has shape %v, %d functions of %d values are expected", shape, functions.Count, functions.Values())}
	}
	return rows, s.ReadRows(ctx, name, func(row int, values []float64) { copy(functions.At(row), values) })
}

func product(shape []int) int {
	p := 1
	for _, n := range shape {
		p *= n
	}
	return p
}

// theta is the name of the run's copy of the file of feature parameters; empty if it has none.
func (s *kept) theta() string {
	for _, f := range s.Manifest().Files {
		if strings.TrimSuffix(f.Name, filepath.Ext(f.Name)) == thetaName {
			return f.Name
		}
	}
	return ""
}

// keepTheta copies the file of feature parameters, if there is one, unless the run has it.
func (s *kept) keepTheta(file string) error {
	if file == "" || s.theta() != "" {
		return nil
	}
	return s.Write(thetaName+filepath.Ext(file), func(w io.Writer) error {
		f, err := regular.Open(file)
		if err != nil {
			return &fault.Data{Where: file, What: "cannot be opened", Err: err}
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
}
