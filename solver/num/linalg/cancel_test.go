// Long computations end with their contexts.

package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/parallel/countdown"
	"rfm/solver/num/simd"
)

// A computation must check its context often enough: about every 0.1 s for matrices of order 8192. The test counts
// checks, as their number grows with the order.
func TestComputationsEndWithTheirContext(t *testing.T) {
	const n = 130
	panels, b := normalPanels(2*n, n), normal(n, 1)
	s := gram(simd.Active(), panels)
	factor := must(Factor(context.Background(), s.Clone(), 1, 1))
	for _, c := range []struct {
		name  string
		looks int // at least
		run   func(ctx context.Context, workers int) error
	}{
		{"Decompose", n, func(ctx context.Context, workers int) error {
			_, err := Decompose(ctx, s.Clone(), workers)
			return err
		}},
		{"SolveShifted", n / choleskyBlock(n), func(ctx context.Context, workers int) error {
			x := slices.Clone(b)
			err := solveShifted(ctx, s.Clone(), x, x, 1, workers)
			if err != nil && !slices.Equal(x, b) {
				t.Error("SolveShifted changes the right-hand side and fails")
			}
			return err
		}},
		{"SolveMany", n / choleskyBlock(n), func(ctx context.Context, workers int) error {
			return factor.SolveMany(ctx, slices.Clone(b), 1, workers)
		}},
		{"InverseBlocks", n / choleskyBlock(n), func(ctx context.Context, workers int) error {
			_, err := factor.InverseBlocks(ctx, [][]int{{1}}, workers)
			return err
		}},
		{"RankUpdate", 1, func(ctx context.Context, workers int) error {
			return NewSymmetric(n).RankUpdate(ctx, panels, 2*n, workers)
		}},
		{"Greedy", n, func(ctx context.Context, workers int) error {
			_, err := Greedy(ctx, s, b, n, 0, workers)
			return err
		}},
	} {
		for _, workers := range []int{1, 3} {
			whole := countdown.After(math.MaxInt)
			if err := c.run(whole, workers); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			looks := whole.Looks()
			if looks < c.looks {
				t.Errorf("%s looks %d times at its context, want at least %d", c.name, looks, c.looks)
			}
			for _, after := range []int{0, 1, looks / 3, looks / 2, looks - 1} {
				if err := c.run(countdown.After(after), workers); !errors.Is(err, context.Canceled) {
					t.Errorf("%s with %d workers, cancelled at look %d of %d: error %v", c.name, workers, after, looks, err)
				}
			}
		}
	}
}
