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
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
	"rfm/solver/printable"
)

// reopen restores what the run has complete.
func (e *Experiment) reopen(ctx context.Context) error {
	m := e.store.Manifest()
	e.seconds = Seconds{m.Generating.Seconds, m.Training.Seconds, m.Evaluating.Seconds}
	if done, all := m.Training.Done, e.Config.Data.Train; done > all {
		return &fault.Data{Where: e.store.File(store.ManifestFile),
			What: fmt.Sprintf("counts %d training samples, %s has %d", done, store.ConfigFile, all)}
	}
	if m.Generating.State != store.Complete {
		return nil
	}
	for _, s := range e.sides() {
		if err := e.restore(ctx, &s); err != nil {
			return err
		}
		if !s.whole {
			return &fault.Data{Where: e.store.File(s.name), What: "is missing in a run that has its pairs"}
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
	file, err := trained.ReadFile(e.store.File(ModelFile))
	if err != nil {
		return err
	}
	e.model = file
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

// restore takes the pairs of a side if the run has all of them.
func (e *Experiment) restore(ctx context.Context, s *side) error {
	if e.store == nil {
		return nil
	}
	shape, ok := e.store.Array(s.name)
	if !ok {
		return nil
	}
	if shape[0] != s.count {
		return &fault.Data{Where: e.store.File(s.name), What: fmt.Sprintf("has %s, expected: %d",
			printable.Several(shape[0], "pair"), s.count)}
	}
	s.whole = true
	none := setup.NewPairs(e.Config, shape[len(shape)-e.Config.Dims()], 0)
	s.pairs.Inputs, s.pairs.Outputs = none.Inputs.Like(s.count), none.Outputs.Like(s.count)
	return e.store.readFunctions(ctx, s.name, s.pairs.Inputs, s.pairs.Outputs)
}

// readFunctions reads an array whose rows are functions of all columns.
func (s *kept) readFunctions(ctx context.Context, name string, columns ...grid.Batch) error {
	shape, _ := s.Array(name)
	if count, values := columns[0].Count, rowSize(columns); len(shape) < 2 || shape[0] != count ||
		product(shape[1:]) != values {
		return &fault.Data{Where: s.File(name), What: fmt.Sprintf("has shape %v, %d rows of %d values are expected", shape,
			count, values)}
	}
	return s.ReadArray(ctx, name, into(columns))
}

// rowSize is the number of values in a row of functions of all columns.
func rowSize(columns []grid.Batch) int {
	size := 0
	for _, functions := range columns {
		size += functions.Values()
	}
	return size
}

// into copies rows to functions of all columns.
func into(columns []grid.Batch) func(row int, values []float64) {
	return func(row int, values []float64) {
		for _, functions := range columns {
			values = values[copy(functions.At(row), values):]
		}
	}
}

// span is consecutive rows of an array.
type span struct{ first, count int }

// shards are those that the run has of an array; none without a store.
func (e *Experiment) shards(array string) ([]store.Shard, error) {
	if e.store == nil {
		return nil, nil
	}
	return e.store.Shards().List(array)
}

// readShards reads shards of an array, and returns which rows are missing.
func readShards(ctx context.Context, of store.Shards, shards []store.Shard, columns ...grid.Batch) ([]span, error) {
	var missing []span
	next, count, values := 0, columns[0].Count, rowSize(columns)
	for _, shard := range shards {
		row, err := of.Row(shard)
		if err != nil {
			return nil, err
		}
		// or made for another grid
		if end := shard.First + shard.Count; end <= next || end > count || product(row) != values {
			continue
		}
		if err := of.Read(ctx, shard, into(columns)); err != nil {
			return nil, err
		}
		if shard.First > next {
			missing = append(missing, span{next, shard.First - next})
		}
		next = shard.First + shard.Count
	}
	if next < count {
		missing = append(missing, span{next, count - next})
	}
	return missing, nil
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
		f, err := files.Open(file)
		if err != nil {
			return &fault.Data{Where: file, What: "cannot be opened", Err: err}
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
}
