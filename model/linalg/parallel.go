// Sharing independent tasks among workers.

package linalg

import (
	"context"

	"rfm/solver/parallel"
)

// share calls task(0), ..., task(tasks-1), each once, from up to workers goroutines, and returns when all are done. A
// panic in a task is raised again in the caller's goroutine, where it can be recovered.
func share(tasks, workers int, task func(int)) {
	err := parallel.For(context.Background(), workers, tasks, func(_, t int) error {
		task(t)
		return nil
	})
	if err != nil {
		panic(err)
	}
}
