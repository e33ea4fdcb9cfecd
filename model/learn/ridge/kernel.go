package ridge

import (
	"context"
	"sync"

	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
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

// Together returns the number of matrices of an order that are built at the same time: as many as take 256 MiB, and not
// fewer than least.
func Together(order, least int) int {
	const budget = 256 << 20 // bytes
	matrix := 8 * order * order
	return max(least, budget/matrix, 1)
}

// AtOnce returns the numbers of blocks that workers compute at the same time, and of workers for each of them.
func AtOnce(blocks, workers int) (side, each int) {
	if blocks < workers {
		return 1, workers
	}
	return workers, 1
}

// Bytes returns about the memory of SolveBlocks for blocks of an order with targets in columns, Together(order, least)
// of them at the same time: matrices; inverses of factors, targets, solutions and residuals.
func Bytes(order, columns float64, blocks, least, workers int) float64 {
	together := min(Together(int(order), least), blocks)
	side, _ := AtOnce(together, workers)
	matrices := order * order * float64(together+side)
	vectors := 3 * order * columns * float64(side)
	return 8 * (matrices + vectors)
}

// SolveBlocks solves for every block of a kernel and passes the solutions to show in turn, one at a time. groups are
// rows of every block. Errors are those of solveOne. The result does not depend on workers.
func SolveBlocks(ctx context.Context, k Kernel, lambda float64, groups Groups, workers int,
	show func(block int, s Solution)) error {
	together := k.Together(workers)
	for first := 0; first < k.Blocks(); first += together {
		count := min(together, k.Blocks()-first)
		grams, err := k.Gram(ctx, first, count, workers)
		if err != nil {
			return err
		}
		side, each := AtOnce(count, workers)
		var mutex sync.Mutex
		solutions := make([]*Solution, count) // that wait for those before them; they may be large
		shown := 0
		err = parallel.For(ctx, side, count, func(_, i int) error {
			targets := k.Targets(first + i)
			columns := len(targets) / grams[i].Order()
			s, err := solveOne(ctx, grams[i], targets, columns, lambda, groups, each)
			if err != nil {
				return err
			}
			mutex.Lock()
			defer mutex.Unlock()
			grams[i] = nil
			solutions[i] = &s
			for shown < count && solutions[shown] != nil {
				show(first+shown, *solutions[shown])
				solutions[shown] = nil
				shown++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
