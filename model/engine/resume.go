// This file resumes a run. A complete stage is read from its products. The rows of an incomplete array, pairs or
// predictions, are stored as units every few seconds, and only the missing rows are made again. The tiles of the sums
// are units of their own (tiles.go).

package engine

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"rfm/model/setup"
	"rfm/model/store"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/printable"
)

// reopen restores the complete stages of the run.
func (e *Experiment) reopen(ctx context.Context) error {
	m := e.store.Manifest()
	e.seconds = Seconds{m.Generating.Seconds, m.Training.Seconds, m.Evaluating.Seconds}
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
	file, err := trained.ReadFile(e.store.File(store.ModelFile))
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

// passed marks a stage that an earlier session has completed.
func (e *Experiment) passed(stage Stage, unit string, total int) {
	e.reached = stage
	e.tracker.begin(stage, unit, total)
	e.tracker.Skip(total)
	e.tracker.finish()
}

// restore reads the pairs of a side if all of them are stored.
func (e *Experiment) restore(ctx context.Context, s *side) error {
	if e.store == nil || !e.store.Has(s.name) {
		return nil
	}
	err := e.store.ReadArray(ctx, s.name, func(shape []int) (store.Block, error) {
		if len(shape) <= e.Config.Dims() {
			return nil, &fault.Data{Where: e.store.File(s.name), What: fmt.Sprintf("has shape %v", shape)}
		}
		if shape[0] != s.count {
			return nil, &fault.Data{Where: e.store.File(s.name), What: fmt.Sprintf("has %s, expected: %d",
				printable.Several(shape[0], "pair"), s.count)}
		}
		*s.pairs = setup.NewPairs(e.Config, shape[len(shape)-e.Config.Dims()], s.count)
		return rowsOf(*s.pairs), nil
	})
	if s.whole = err == nil; !s.whole || s.name != store.TrainFile {
		return err
	}
	return e.readGroups()
}

// rowsOf returns pairs as rows of an array.
func rowsOf(pairs dataset.Pairs) store.Block { return store.Block{pairs.Inputs, pairs.Outputs} }

// span is consecutive rows of an array.
type span struct{ first, count int }

// readUnits reads the units of an array and returns the missing rows. It skips units for another grid.
func (e *Experiment) readUnits(ctx context.Context, array string, into store.Block) ([]span, error) {
	units, err := e.store.Units().Of(array)
	if err != nil {
		return nil, err
	}
	var missing []span
	next, count := 0, into.Count()
	for _, u := range units {
		first, rows := u.Rows()
		if end := first + rows; end <= next || end > count {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		a, err := e.store.Units().Read(u)
		if err != nil {
			return nil, err
		}
		if len(a.Data) != rows*into.Values() {
			continue
		}
		into.Range(first, rows).Put(0, a.Data)
		if first > next {
			missing = append(missing, span{next, first - next})
		}
		next = first + rows
	}
	if next < count {
		missing = append(missing, span{next, count - next})
	}
	return missing, nil
}

const (
	// unitTime is the least time between two units of an array. Writing one also takes less than 1/unitShare of it.
	unitTime, unitShare = 5 * time.Second, 50
	// stepTime is the time in which the rows of a step are made. Only these are lost when the run is stopped.
	stepTime = time.Second
)

// inUnits reads the rows of an array that are stored as units, and makes the others: fill sets count rows of the
// columns, which begin with the first one of a block. It stores new rows as units from time to time, and at the end if
// fill fails. The error is fill's, or a *fault.Data.
func (e *Experiment) inUnits(ctx context.Context, array string, block int, columns store.Block,
	fill func(first, count int) error) error {
	gaps, err := e.readUnits(ctx, array, columns)
	if err != nil {
		return err
	}
	have := columns.Count()
	for i, g := range gaps {
		gaps[i] = span{g.first / block * block, g.count + g.first%block}
		have -= gaps[i].count
	}
	e.tracker.Skip(have)
	least := block * e.workers
	step, stored, pause := 4*least, time.Now(), e.unitTime
	for _, g := range gaps {
		first, next, end := g.first, g.first, g.first+g.count // rows from first on are not stored, from next on not made
		for next < end && err == nil {
			began, count := time.Now(), min(step, end-next)
			if err = fill(next, count); err == nil {
				next += count
				step = max(least, int(float64(count)*min(8, stepTime.Seconds()/time.Since(began).Seconds()))/least*least)
			}
			if now := time.Now(); first < next && (err != nil || now.Sub(stored) >= pause) {
				rows := columns.Range(first, next-first)
				err = cmp.Or(e.store.Units().WriteRows(context.WithoutCancel(ctx), array, first, rows), err)
				first, stored = next, time.Now()
				pause = max(e.unitTime, min(unitShare*stored.Sub(now), unitShare*e.unitTime))
			}
		}
	}
	return err
}

// thetaName is the name of that copy, followed by the extension of the original file.
const thetaName = "theta"

// theta returns the name of the run's copy of the file of feature parameters; empty if the run has none.
func (e *Experiment) theta() string {
	for _, f := range e.store.Manifest().Files {
		if strings.TrimSuffix(f.Name, filepath.Ext(f.Name)) == thetaName {
			return f.Name
		}
	}
	return ""
}

// thetaCopy returns a copy of the file of feature parameters, if the configuration names one and the run has no copy.
func (e *Experiment) thetaCopy(file string) (copied files.File, ok bool) {
	if file == "" || e.theta() != "" {
		return files.File{}, false
	}
	return files.File{Name: thetaName + filepath.Ext(file), Content: func(w io.Writer) error {
		f, err := files.Open(file)
		if err != nil {
			return &fault.Data{Where: file, What: "cannot be opened", Err: err}
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}}, true
}
