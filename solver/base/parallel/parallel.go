// Package parallel runs independent work units on worker goroutines. Work can be cancelled, and panics become errors.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"

	"rfm/solver/base/fault"
)

// For calls body(worker, i) for i = 0 .. n-1 on up to workers goroutines; worker < workers identifies the goroutine.
// Calls start in index order. After an error no call for a larger index starts, and after the end of ctx no call at all.
// For returns after all calls have ended, with the error of the smallest index or of ctx.
func For(ctx context.Context, workers, n int, body func(worker, i int) error) error {
	workers = max(1, min(workers, n))
	var f failures
	f.smallest.Store(int64(n))
	var next atomic.Int64
	work := func(worker int) {
		for {
			i := int(next.Add(1)) - 1
			if i >= int(f.smallest.Load()) || ctx.Err() != nil {
				return
			}
			if err := guarded(body, worker, i); err != nil {
				f.add(i, err)
				return
			}
		}
	}
	var group sync.WaitGroup
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { work(worker) })
	}
	work(0)
	group.Wait()
	if f.err != nil {
		return f.err
	}
	return ctx.Err()
}

// failures keeps the error of the smallest index. Calls for smaller indices that other workers have taken, but not yet
// begun, still have to run, because they may fail as well.
type failures struct {
	smallest atomic.Int64 // index of err; the number of calls if there is none
	mutex    sync.Mutex   // for changes of both
	err      error
}

func (f *failures) add(i int, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if i < int(f.smallest.Load()) {
		f.smallest.Store(int64(i))
		f.err = err
	}
}

// With calls body as For does, with a state for each worker, such as its working memory, that prepare makes at the
// start of the worker.
func With[S any](ctx context.Context, workers, n int, prepare func() S, body func(state S, i int) error) error {
	states := make([]*S, max(1, min(workers, n)))
	return For(ctx, workers, n, func(worker, i int) error {
		if states[worker] == nil {
			s := prepare()
			states[worker] = &s
		}
		return body(*states[worker], i)
	})
}

// guarded turns a panic of body into an error.
func guarded(body func(worker, i int) error, worker, i int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fault.Recovered(v)
		}
	}()
	return body(worker, i)
}
