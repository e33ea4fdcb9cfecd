package ridge

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// kernelMatrix returns a positive definite matrix of order n.
func kernelMatrix(n int) *linalg.Symmetric {
	k := linalg.NewSymmetric(n)
	for i := range n {
		for j := i; j < n; j++ {
			k.Set(i, j, math.Exp(-math.Abs(float64(i-j))/3))
		}
	}
	return k
}

// The residuals of every group equal those of solving without it.
func TestResidualsAreThoseOfRetraining(t *testing.T) {
	const n, columns, lambda = 11, 3, 0.2
	targets := make([]float64, n*columns)
	for i := range targets {
		targets[i] = math.Sin(float64(1 + i*i))
	}
	for _, groups := range []Groups{Labelled(nil, n), Labelled([]int{5, 1, 5, 1, 2, 2, 2, 5, 0, 3, 3}, n),
		{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}}} {
		s := must(solveOne(t.Context(), kernelMatrix(n), slices.Clone(targets), columns, lambda, groups, 2))
		k := kernelMatrix(n)
		for _, group := range groups {
			kept := Others(group, n)
			system, right := mat.NewDense(len(kept), len(kept), nil), mat.NewDense(len(kept), columns, nil)
			for a, i := range kept {
				for b, j := range kept {
					system.Set(a, b, k.At(i, j))
				}
				system.Set(a, a, system.At(a, a)+lambda)
				right.SetRow(a, targets[i*columns:(i+1)*columns])
			}
			var c mat.Dense
			if err := c.Solve(system, right); err != nil {
				t.Fatal(err)
			}
			for _, i := range group {
				for x := range columns {
					want := targets[i*columns+x]
					for a, j := range kept {
						want -= k.At(i, j) * c.At(a, x)
					}
					if got := s.Residuals[i*columns+x]; math.Abs(got-want) > 1e-12 {
						t.Errorf("groups %v: residual %d of row %d is %g, by retraining %g", groups, x, i, got, want)
					}
				}
			}
		}
	}
}

func TestGroupsAreLabelledInTheirOrder(t *testing.T) {
	got := Labelled([]int{7, 3, 7, 4}, 4).Times(2)
	if want := (Groups{{0, 1, 4, 5}, {2, 3}, {6, 7}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A search ends in the least score along every ladder, evaluates no place twice, and skips NaN.
func TestSearchGoesDown(t *testing.T) {
	asked := map[[2]int]int{}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	ladders := []Ladder[[2]int]{Over(all, func(p *[2]int) *int { return &p[0] }),
		Over(all[:5], func(p *[2]int) *int { return &p[1] })}
	found, err := Search([2]int{8, 0}, ladders, func(at [2]int) (float64, error) {
		asked[at]++
		if at[0] == 2 {
			return math.NaN(), nil
		}
		return math.Abs(float64(at[0]-1)) + math.Abs(float64(at[1]-at[0])), nil
	})
	if err != nil || found.Best != [2]int{3, 3} || found.Score != 2 || !found.Solved() {
		t.Errorf("found %+v, %v; want [3 3] with 2", found, err)
	}
	for place, times := range asked {
		if times > 1 {
			t.Errorf("%v was asked for %d times", place, times)
		}
	}
	failure := errors.New("stop")
	if _, err := Search([2]int{}, ladders, func([2]int) (float64, error) { return 0, failure }); err != failure {
		t.Errorf("the error of a score becomes %v", err)
	}
	none := func([2]int) (float64, error) { return math.NaN(), nil }
	if found, err := Search([2]int{}, ladders, none); err != nil || found.Solved() {
		t.Errorf("without a finite score the search ends with %+v, %v", found, err)
	}
}

func TestRaiseEnds(t *testing.T) {
	lambda, chosen := 1e-15, 0.0
	solve := func() error {
		if lambda < 1e-13 {
			return &linalg.NotPositiveDefiniteError{}
		}
		return nil
	}
	if err := Raise(&lambda, &chosen, "test", solve); err != nil || lambda < 1e-13 || lambda > 2e-13 || chosen != 1e-15 {
		t.Errorf("%g from %g, %v", lambda, chosen, err)
	}
	never := func() error { return &linalg.NotPositiveDefiniteError{} }
	if err := Raise(&lambda, &chosen, "test", never); err == nil || Unsolved(err) {
		t.Errorf("what never solves gives %v", err)
	}
}

// A regression on features equals the one with the kernel of their products: residuals are the same, for any groups,
// and so are predictions.
func TestFeaturesAreTheKernelOfTheirProducts(t *testing.T) {
	const n, count, lambda = 11, 5, 0.2
	values, targets := make([]float64, n*count), make([]float64, n)
	for k := range values {
		values[k] = math.Sin(float64(2 + 3*k*k))
	}
	kernel := linalg.NewSymmetric(n)
	for i := range n {
		targets[i] = math.Cos(float64(i * i))
		for j := i; j < n; j++ {
			sum := 0.0
			for f := range count {
				sum += values[f*n+i] * values[f*n+j]
			}
			kernel.Set(i, j, sum)
		}
	}
	features := NewFeatures(values, targets, 1)
	c := must(features.Solve(t.Context(), lambda, nil)).Coefficients
	double := func(values []float64) (all []float64) {
		for _, v := range values {
			all = append(all, v, v)
		}
		return all
	}
	twice := NewFeatures(values, double(targets), 2)
	if !slices.Equal(double(c), must(twice.Solve(t.Context(), lambda, nil)).Coefficients) {
		t.Error("coefficients of one target depend on another")
	}
	for _, groups := range []Groups{Labelled(nil, n), Labelled([]int{5, 1, 5, 1, 2, 2, 2, 5, 0, 3, 3}, n)} {
		want := must(solveOne(t.Context(), kernel.Clone(), slices.Clone(targets), 1, lambda, groups, 1))
		got := must(features.Solve(t.Context(), lambda, groups)).Residuals
		if !slices.Equal(double(got), must(twice.Solve(t.Context(), lambda, groups)).Residuals) {
			t.Errorf("groups %v: residuals of one target depend on another", groups)
		}
		for i, residual := range want.Residuals {
			predicted := 0.0
			for f, v := range c {
				predicted += v * values[f*n+i]
			}
			if math.Abs(got[i]-residual) > 1e-9 || math.Abs(targets[i]-predicted-lambda*want.Coefficients[i]) > 1e-9 {
				t.Errorf("row %d: residual %g, prediction %g, of the kernel %g, %g", i, got[i], predicted, residual,
					targets[i]-lambda*want.Coefficients[i])
			}
		}
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
