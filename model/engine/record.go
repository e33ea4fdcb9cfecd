package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"rfm/model/store"
)

// recorder stores finished rows of an array as units, from time to time. A nil recorder does nothing.
type recorder struct {
	keep   func(first int, blocks []store.Block) error // stores consecutive rows
	pace   *pace
	cancel context.CancelCauseFunc // ends the work if rows cannot be stored

	mutex   sync.Mutex
	busy    bool // a goroutine is storing rows
	ready   []finished
	failure error
}

// finished are rows that do not change any more.
type finished struct {
	first int
	rows  store.Block
}

// record begins to store rows of an array of the run. The work that makes the rows runs under the returned context,
// which ends if they cannot be stored. Without a store the recorder is nil.
func (e *Experiment) record(ctx context.Context, array string) (context.Context, *recorder) {
	if e.store == nil {
		return ctx, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &recorder{pace: e.store.pace, cancel: cancel,
		keep: func(first int, blocks []store.Block) error {
			return e.store.Units().WriteRows(context.Background(), array, first, blocks...)
		}}
}

// add takes finished rows, starting at row first, which must not change any more. If a checkpoint is due, the calling
// goroutine stores the rows so far while others continue.
func (r *recorder) add(first int, rows store.Block) {
	if r == nil || rows.Count() == 0 {
		return
	}
	r.mutex.Lock()
	r.ready = append(r.ready, finished{first, rows})
	due := !r.busy && r.failure == nil && r.pace.due(time.Now())
	r.busy = r.busy || due
	r.mutex.Unlock()
	if due {
		r.store()
	}
}

// store stores the rows so far. Only one goroutine at a time calls it.
func (r *recorder) store() {
	r.mutex.Lock()
	ready := r.ready
	r.ready = nil
	r.mutex.Unlock()
	begin := time.Now()
	err := r.write(ready)
	r.pace.spent(begin, time.Now())
	r.mutex.Lock()
	r.busy, r.failure = false, cmp.Or(r.failure, err)
	r.mutex.Unlock()
	if err != nil {
		r.cancel(err)
	}
}

// write makes one unit of each range of consecutive rows.
func (r *recorder) write(ready []finished) error {
	slices.SortFunc(ready, func(a, b finished) int { return cmp.Compare(a.first, b.first) })
	for len(ready) > 0 {
		first, next := ready[0].first, ready[0].first
		var blocks []store.Block
		for len(ready) > 0 && ready[0].first == next {
			blocks = append(blocks, ready[0].rows)
			next += ready[0].rows.Count()
			ready = ready[1:]
		}
		if err := r.keep(first, blocks); err != nil {
			return err
		}
	}
	return nil
}

// close stores the remaining rows and ends the recording; err tells why the array is incomplete, if it is. It returns
// the first failure to store rows, a *fault.Data, or else err. No rows may be added afterwards.
func (r *recorder) close(err error) error {
	if r == nil {
		return err
	}
	if err != nil && len(r.ready) > 0 && r.failure == nil {
		r.store()
	}
	r.cancel(nil)
	return cmp.Or(r.failure, err)
}
