package ridge

import (
	"context"
	"sync"

	"rfm/model/linalg"
	"rfm/solver/parallel"
)

// Kernel is the kernel matrix of training inputs, with given hyperparameters, and the targets in a basis that decouples
// both into blocks: one block, or one for each parity, wavenumber or point.
type Kernel interface {
	Blocks() int
	// Together returns the number of blocks whose matrices are in memory at the same time.
	Together(workers int) int
	// Gram computes the matrices of count blocks, from first on, which the caller overwrites.
	Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error)
	// Targets returns the targets of a block, row-major, as many rows as its matrix has, which the caller overwrites.
	Targets(block int) []float64
}

// SolveBlocks calls Solve for every block of a kernel and passes the solutions to show in turn, one at a time. groups
// are rows of every block. Errors are those of Solve. The result does not depend on workers.
func SolveBlocks(ctx context.Context, k Kernel, lambda float64, groups Groups, workers int,
	show func(block int, s Solution)) error {
	together := k.Together(workers)
	for first := 0; first < k.Blocks(); first += together {
		count := min(together, k.Blocks()-first)
		grams, err := k.Gram(ctx, first, count, workers)
		if err != nil {
			return err
		}
		side, each := workers, 1 // concurrent blocks, and workers for each of them
		if count < workers {
			side, each = 1, workers
		}
		var mutex sync.Mutex
		solutions, shown := make([]*Solution, count), 0
		err = parallel.For(ctx, side, count, func(_, i int) error {
			targets, order := k.Targets(first+i), grams[i].Order()
			s, err := solveOne(ctx, grams[i], targets, len(targets)/order, lambda, groups, each)
			if err != nil {
				return err
			}
			mutex.Lock()
			defer mutex.Unlock()
			grams[i], solutions[i] = nil, &s
			for ; shown < count && solutions[shown] != nil; shown++ { // solutions may be large
				show(first+shown, *solutions[shown])
				solutions[shown] = nil
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
