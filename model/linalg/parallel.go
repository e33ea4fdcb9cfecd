// Sharing independent tasks among workers.

package linalg

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// parallel calls task(0), ..., task(tasks-1), each once, from up to workers
// goroutines, and returns when all are done. A panic in a task is raised again in
// the caller's goroutine, where it can be recovered.
func parallel(tasks, workers int, task func(int)) {
	var (
		next    atomic.Int64
		group   sync.WaitGroup
		failure atomic.Pointer[string]
	)
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				message := fmt.Sprint(p)
				failure.CompareAndSwap(nil, &message)
			}
		}()
		for {
			t := int(next.Add(1)) - 1
			if t >= tasks {
				return
			}
			task(t)
		}
	}
	for range min(workers, tasks) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if message := failure.Load(); message != nil {
		panic(*message)
	}
}
