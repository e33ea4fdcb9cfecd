package brownian

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/grid"
)

// solveTolerance allows for the condition of the Gram matrices, about 1e5; alpha and residuals agreed to 1e-12.
const solveTolerance = 1e-10

func TestModelIsTheMeanOfItsFeatures(t *testing.T) {
	p := small(10, 60)
	d := p.Data()
	phi := features(t, p, 150)
	for _, f := range train(t, p, 2, 7, 150) {
		for i, x := range d.X {
			sum := 0.0
			for l := range len(f.Alpha) {
				sum += f.Alpha[l] * phi.At(l, i)
			}
			want := sum / float64(len(f.Alpha))
			if got := predict(f, x); math.Abs(got-want) > kernelRounding {
				t.Errorf("m = %d: F(%g) = %g, mean of features %g", len(f.Alpha), x, got, want)
			}
		}
	}
}

func TestModelOfManyFeaturesInterpolates(t *testing.T) {
	p := Paper(1)
	d := p.Data()
	for _, f := range train(t, p, 2, 50, 500) {
		for i, x := range d.X {
			if got := predict(f, x); math.Abs(got-d.Y[i]) > solveTolerance {
				t.Errorf("m = %d: F(%g) = %g, data %g", len(f.Alpha), x, got, d.Y[i])
			}
		}
	}
}

func TestResidualOfFewFeaturesIsOrthogonalToThem(t *testing.T) {
	p := Paper(1)
	d := p.Data()
	f := train(t, p, 1, 12)[0]
	phi := features(t, p, len(f.Alpha))
	for l := range len(f.Alpha) {
		sum := 0.0
		for i, x := range d.X {
			sum += (d.Y[i] - predict(f, x)) * phi.At(l, i)
		}
		if math.Abs(sum) > solveTolerance {
			t.Errorf("feature %d: %g", l, sum)
		}
	}
}

// The minimum norm solution from n equations equals the one from m.
func TestPrimalAndDualAgree(t *testing.T) {
	p := Paper(1)
	d := p.Data()
	all := features(t, p, 100)
	for _, m := range []int{12, 20, 48, 70, 100} {
		phi := all.Slice(0, m, 0, p.Points)
		got := must(leastSquares(phi, d.Y, p.Rcond))
		var svd mat.SVD
		if !svd.Factorize(phi.T(), mat.SVDThin) {
			t.Fatal("no singular values")
		}
		var want mat.Dense
		svd.SolveTo(&want, mat.NewDense(p.Points, 1, d.Y), min(m, p.Points))
		want.Scale(float64(m), &want)
		if e := apart(got, want.RawMatrix().Data); e > solveTolerance {
			t.Errorf("m = %d: alpha differs by %.1e", m, e)
		}
	}
}

func TestCurveIsThePredictionOnEveryGrid(t *testing.T) {
	f := train(t, small(10, 100), 1, 40)[0]
	// coarse grids alias most modes, 51 and 101 hit zeros of mode 50 and 100
	for _, K := range []int{2, 3, 4, 17, 51, 101, 513} {
		curve := f.Curve(K)
		for i, x := range uniform(K) {
			if math.Abs(curve[i]-predict(f, x)) > rounding {
				t.Errorf("%d points: curve at %g is %g, prediction %g", K, x, curve[i], predict(f, x))
			}
		}
	}
}

func TestDistanceIsTheIntegral(t *testing.T) {
	const quadrature = 1e-5 // relative error of the trapezoid rule with 2^13 intervals on kinked functions
	p := small(32, 300)
	limit := interpolant(t, p)
	for _, f := range train(t, p, 2, 20, 50, 800) {
		want := math.Sqrt(grid.Torus.Distance2(f.Curve(8193), limit.Curve(8193)))
		if got := f.Distance(limit); math.Abs(got-want) > quadrature*want {
			t.Errorf("m = %d: distance %g, trapezoid rule %g", len(f.Alpha), got, want)
		}
	}
}

func TestModelsDoNotDependOnWorkersOrOtherCounts(t *testing.T) {
	p := small(32, 150)
	want := train(t, p, 1, 10, 50, 333)
	if got := train(t, p, 3, 10, 50, 333); !reflect.DeepEqual(got, want) {
		t.Error("three workers give other models")
	}
	for q, m := range []int{10, 50, 333} {
		if got := train(t, p, 2, m)[0]; !reflect.DeepEqual(got, want[q]) {
			t.Errorf("the model of %d features alone is another", m)
		}
	}
	if got := train(t, p, 2, 333, 10, 50)[0]; !reflect.DeepEqual(got, want[2]) {
		t.Error("the order of the counts changes the model of 333 features")
	}
}

func TestTrainingCanBeCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Paper(1).Train(ctx, PaperCounts(), 0, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
