// This file stores finished rows of pairs and predictions in the background, while workers make the next ones.

package engine

import (
	"context"
	"sync"
	"time"

	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// recorder adds rows to an array of a run, in order, whatever the order in which they are finished. A goroutine that lives for
// one checkpoint does so from time to time; close does the rest. A nil recorder does nothing.
type recorder struct {
	array  *store.Array
	pace   *pace
	commit func() error            // after rows were added
	cancel context.CancelCauseFunc // ends the work whose rows cannot be stored

	storing sync.WaitGroup // the goroutine

	mutex   sync.Mutex
	busy    bool                 // there is one
	next    int                  // first row that is not in order yet
	waiting map[int][]grid.Batch // finished rows behind it, by the first one
	ready   [][]grid.Batch       // rows in order that are not stored yet
	failure error
}

// record begins to add rows to an array. The work that makes them runs under the context that it returns, which ends when
// rows cannot be stored.
func record(ctx context.Context, array *store.Array, p *pace, commit func() error) (context.Context, *recorder) {
	ctx, cancel := context.WithCancelCause(ctx)
	r := &recorder{array: array, pace: p, commit: commit, cancel: cancel, next: array.Rows(), waiting: map[int][]grid.Batch{}}
	return ctx, r
}

// add takes rows that do not change any more: functions of all columns, from row first on. It may be called from several
// goroutines.
func (r *recorder) add(first int, columns ...grid.Batch) {
	if r == nil || columns[0].Count == 0 {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.waiting[first] = columns
	for columns, ok := r.waiting[r.next]; ok; columns, ok = r.waiting[r.next] {
		delete(r.waiting, r.next)
		r.ready = append(r.ready, columns)
		r.next += columns[0].Count
	}
	if len(r.ready) > 0 && !r.busy && r.pace.due(time.Now()) {
		r.busy = true
		r.storing.Go(func() {
			r.store()
			r.mutex.Lock()
			defer r.mutex.Unlock()
			r.busy = false
		})
	}
}

// store stores what is in order, unless it has failed before. Only one goroutine at a time calls it.
func (r *recorder) store() {
	r.mutex.Lock()
	ready, failed := r.ready, r.failure != nil
	r.ready = nil
	r.mutex.Unlock()
	if failed || len(ready) == 0 {
		return
	}
	begin := time.Now()
	failure := parallel.For(context.Background(), 1, 1, func(int, int) error { // whose panics are errors
		for _, columns := range ready {
			if err := r.array.Append(columns...); err != nil {
				return err
			}
		}
		if err := r.array.Sync(); err != nil {
			return err
		}
		return r.commit()
	})
	if failure != nil {
		r.mutex.Lock()
		r.failure = failure
		r.mutex.Unlock()
		r.cancel(failure)
	}
	r.pace.spent(begin, time.Now())
}

// close stores what is in order and returns the first failure to do so, a *fault.Data. No rows may be added any more.
func (r *recorder) close() error {
	if r == nil {
		return nil
	}
	r.storing.Wait()
	r.store()
	r.cancel(nil)
	if err := r.array.Close(); r.failure == nil {
		r.failure = err
	}
	return r.failure
}

// recordPairs begins to store the pairs of a side, on a grid named as in the configuration. Without a store it returns nil.
func (e *Experiment) recordPairs(ctx context.Context, s side, K int, watch func() float64) (context.Context, *recorder, error) {
	return e.recordRows(ctx, s.name, append([]int{s.count, 2}, setup.Domain(e.Config).Shape(K)...), generateStage, func() (done, total int) {
		for _, s := range e.sides() {
			_, rows, _ := e.store.Array(s.name)
			done, total = done+rows, total+s.count
		}
		return done, total
	}, watch)
}

// recordPredictions begins to store predictions on a grid named as in the configuration.
func (e *Experiment) recordPredictions(ctx context.Context, name string, count, K int, watch func() float64) (context.Context, *recorder, error) {
	return e.recordRows(ctx, name, append([]int{count}, setup.Domain(e.Config).Shape(K)...), evaluateStage, func() (done, total int) {
		for _, name := range []string{trainPredictionsFile, testPredictionsFile} {
			_, rows, _ := e.store.Array(name)
			done += rows
		}
		return done, e.train.Count() + e.test.Count()
	}, watch)
}

// recordRows begins to store rows of a stage, which counts them.
func (e *Experiment) recordRows(ctx context.Context, name string, shape []int, of stage, count func() (done, total int), watch func() float64) (context.Context, *recorder, error) {
	if e.store == nil {
		return ctx, nil, nil
	}
	array, err := e.store.Grow(name, shape...)
	if err != nil {
		return nil, nil, err
	}
	ctx, r := record(ctx, array, e.store.pace, func() error {
		done, total := count()
		return e.store.advance(of, done, total, watch())
	})
	return ctx, r, nil
}
