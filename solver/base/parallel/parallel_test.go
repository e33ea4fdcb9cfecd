package parallel

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"rfm/solver/base/fault"
)

func TestForVisitsEveryPieceOnce(t *testing.T) {
	for _, workers := range []int{1, 2, 8, 200} {
		visits := make([]atomic.Int32, 100)
		err := For(t.Context(), workers, len(visits), func(worker, i int) error {
			if worker < 0 || worker >= workers {
				t.Errorf("worker %d of %d", worker, workers)
			}
			visits[i].Add(1)
			return nil
		})
		for i := range visits {
			if visits[i].Load() != 1 || err != nil {
				t.Fatalf("piece %d was visited %d times, error %v", i, visits[i].Load(), err)
			}
		}
	}
}

func TestForReturnsTheErrorOfTheSmallestIndex(t *testing.T) {
	for _, workers := range []int{1, 4} {
		for range 50 {
			err := For(t.Context(), workers, 40, func(_, i int) error {
				if i >= 7 {
					return errors.New(string(rune('a' + i)))
				}
				return nil
			})
			if err == nil || err.Error() != "h" {
				t.Fatalf("%d workers: %v", workers, err)
			}
		}
	}
}

// Every call fails, so that of the smallest index decides, even if a worker was interrupted between taking that index and
// calling the body.
func TestForReturnsTheFirstErrorIfAllFail(t *testing.T) {
	calls := 300_000
	if testing.Short() {
		calls = 30_000
	}
	failure := make([]error, 64)
	for i := range failure {
		failure[i] = errors.New(string(rune('a' + i)))
	}
	for range calls {
		err := For(t.Context(), 16, len(failure), func(_, i int) error { return failure[i] })
		if err != failure[0] {
			t.Fatalf("the error is %v, not that of index 0", err)
		}
	}
}

func TestForStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var started atomic.Int32
	err := For(ctx, 2, 1000, func(_, i int) error {
		if started.Add(1) == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || started.Load() > 10 {
		t.Errorf("%d pieces started, error %v", started.Load(), err)
	}
}

func TestForTurnsPanicsIntoErrors(t *testing.T) {
	for _, workers := range []int{1, 3} {
		err := For(t.Context(), workers, 3, func(_, i int) error {
			if i == 1 {
				panic("index off by one")
			}
			return nil
		})
		var p *fault.Panic
		if !errors.As(err, &p) || !strings.Contains(err.Error(), "index off by one") ||
			!strings.Contains(p.Stack, "parallel_test.go") {
			t.Errorf("got %v", err)
		}
	}
}

func TestEveryWorkerHasAStateOfItsOwn(t *testing.T) {
	const workers, n = 3, 100
	var made atomic.Int64
	seen := make([]*int, n)
	err := With(t.Context(), workers, n, func() *int { made.Add(1); return new(int) }, func(state *int, i int) error {
		*state++ // the race detector reports it if two workers share one
		seen[i] = state
		return nil
	})
	sum := 0
	states := map[*int]bool{}
	for _, s := range seen {
		if !states[s] {
			sum += *s
		}
		states[s] = true
	}
	if err != nil || sum != n || int(made.Load()) != len(states) || len(states) > workers {
		t.Errorf("%d states of %d made for %d workers counted %d of %d pieces, %v", len(states), made.Load(), workers, sum, n,
			err)
	}
}
