// Package parallel runs independent work units on worker goroutines. Work can be cancelled, and panics become errors.
package parallel

import (
	"context"
	"sync"
	"sync/atomic"

	"rfm/solver/base/fault"
)

// For calls body(worker, i) for i = 0 .. n-1 on up to workers goroutines; worker < workers identifies the goroutine.
// Calls start in index order. After the first error or the end of ctx no further call starts. For returns after all
// calls have ended, with the error of the smallest index or of ctx.
func For(ctx context.Context, workers, n int, body func(worker, i int) error) error {
	workers = max(1, min(workers, n))
	var (
		next, stop atomic.Int64
		group      sync.WaitGroup
		mutex      sync.Mutex
		failed     = n
		failure    error
	)
	stop.Store(int64(n))
	work := func(worker int) {
		for {
			i := int(next.Add(1)) - 1
			if i >= int(stop.Load()) || ctx.Err() != nil {
				return
			}
			if err := guarded(body, worker, i); err != nil {
				stop.Store(0)
				mutex.Lock()
				if i < failed {
					failed, failure = i, err
				}
				mutex.Unlock()
				return
			}
		}
	}
	for worker := 1; worker < workers; worker++ {
		group.Go(func() { work(worker) })
	}
	work(0)
	group.Wait()
	if failure != nil {
		return failure
	}
	return ctx.Err()
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
