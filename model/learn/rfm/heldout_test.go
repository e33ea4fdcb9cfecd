package rfm

import (
	"errors"
	"math"
	"testing"

	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
)

// The error equals that of features chosen and trained without each fold, with a function of x alone or without.
func TestHeldOutErrorIsThatOfModelsOfTheOthers(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const n, K = 30, 17
	folds := [][]int{{3, 1, 7, 22}, {0, 29, 15}}
	for _, c := range []struct {
		pool, m int
		offset  bool
	}{{40, 9, false}, {9, 9, false}, {9, 9, true}, {40, 9, true}} {
		f, e, pairs := problem(t, n, c.pool, K)
		if c.offset {
			pairs = withOffset(pairs, 100)
		}
		relative, least, err := HeldOut(t.Context(), e, pairs, c.offset, c.m, folds, 3, nil)
		if err != nil {
			t.Fatal(err)
		}
		wanted, where := math.Inf(1), 0.0
		for _, r := range Relatives {
			sum := 0.0
			for _, fold := range folds {
				held, rest := pairs.Take(fold), pairs.Take(ridge.Others(fold, n))
				normal := defined(t, e, rest, Rows{}, c.offset)
				chosen := must(normal.Select(t.Context(), c.m, 1))
				s := must(normal.Subset(chosen).Fit(t.Context(), len(chosen), Regularisation{Relative: r}, 1))
				u := must(predict(t.Context(), f.Select(chosen), s.Alpha, held.Inputs, 1, nil))
				if c.offset {
					fitted := must(predict(t.Context(), f.Select(chosen), s.Alpha, rest.Inputs, 1, nil))
					u = u.Plus(1, rest.Outputs.Plus(-1, fitted.Mean()).Mean())
				}
				sum += must(score.Measure(u, held.Outputs)).ExpectedRelative * float64(len(fold))
			}
			if sum /= 7; sum <= wanted {
				wanted, where = sum, r
			}
		}
		if relative != where || math.Abs(least-wanted) > 1e-6*wanted {
			t.Errorf("%+v: %.12g at %g, want %.12g at %g", c, least, relative, wanted, where)
		}
		if _, other, err := HeldOut(t.Context(), e, pairs, c.offset, c.m, folds, 1, nil); other != least || err != nil {
			t.Errorf("%+v: one worker changes the error, %v", c, err)
		}
	}
}

func TestPairsThatChooseNoLambdaAreErrors(t *testing.T) {
	var data *fault.Data
	_, e, pairs := problem(t, 1, 7, 17)
	if _, _, err := HeldOut(t.Context(), e, pairs, true, 3, [][]int{{0}}, 1, nil); !errors.As(err, &data) {
		t.Errorf("one pair: %v", err)
	}
	_, e, pairs = problem(t, 5, 7, 17)
	same := pairs.Take([]int{2, 2, 2, 2})
	if _, _, err := HeldOut(t.Context(), e, same, true, 7, [][]int{{0}}, 1, nil); !errors.As(err, &data) {
		t.Errorf("copies of one pair: %v", err)
	}
	clear(pairs.Outputs.At(3))
	if _, _, err := HeldOut(t.Context(), e, pairs, false, 7, [][]int{{1, 3}}, 1, nil); !errors.As(err, &data) {
		t.Errorf("zero output: %v", err)
	}
}
