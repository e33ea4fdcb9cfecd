// Sharing independent tasks among workers.

package linalg

import (
	"context"

	"rfm/solver/parallel"
)

// share calls task(0), ..., task(tasks-1), each once, from up to workers goroutines, and returns when all are done. The
// error is ctx's, and then some tasks were not begun, or a *fault.Panic.
func share(ctx context.Context, tasks, workers int, task func(int)) error {
	return parallel.For(ctx, workers, tasks, func(_, t int) error {
		task(t)
		return nil
	})
}
