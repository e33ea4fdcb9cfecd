package resample

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// rounding bounds errors relative to the largest value: two transforms of up to some hundred points.
const rounding = 1e-12

// intervals lists numbers of grid intervals: even and odd, powers of two and primes.
var intervals = []int{2, 3, 4, 7, 12, 16, 17, 30, 32, 45, 64, 99}

func random(domain grid.Domain, points, count int) grid.Batch {
	source := rand.New(rand.NewPCG(5, uint64(points)))
	b := grid.NewBatch(domain, points, count)
	for i := range b.Data {
		b.Data[i] = source.NormFloat64()
	}
	return b
}

func randomPeriodic(count, K int) grid.Batch {
	b := random(grid.Torus, K, count)
	for i := range count {
		b.At(i)[K-1] = b.At(i)[0]
	}
	return b
}

func expectNear(t *testing.T, got, want []float64) {
	t.Helper()
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= rounding*scale) {
			t.Fatalf("value %d is %v, want %v, largest %v", i, got[i], want[i], scale)
		}
	}
}

func onGrid(K int, f func(x float64) float64) []float64 {
	values := make([]float64, K)
	for i := range values {
		values[i] = f(float64(i) / float64(K-1))
	}
	return values
}

// interpolant returns the trigonometric interpolant of a periodic function by its definition: the Nyquist mode's two
// halves give a product of cosines, the other modes cosines of differences.
func interpolant(f []float64) func(x float64) float64 {
	N := len(f) - 1
	return func(x float64) float64 {
		sum := 0.0
		for i, v := range f[:N] {
			kernel := 1.0
			for k := 1; 2*k < N; k++ {
				kernel += 2 * math.Cos(2*math.Pi*float64(k)*(x-float64(i)/float64(N)))
			}
			if N%2 == 0 {
				kernel += math.Cos(math.Pi*float64(N)*x) * math.Cos(math.Pi*float64(i))
			}
			sum += v * kernel / float64(N)
		}
		return sum
	}
}

func TestPeriodicIsTheInterpolant(t *testing.T) {
	for _, N := range intervals {
		b := randomPeriodic(2, N+1)
		for _, n := range intervals {
			got, err := To(b, n+1)
			noError(t, err)
			for i := range b.Count {
				expectNear(t, got.At(i), onGrid(n+1, interpolant(b.At(i))))
			}
		}
	}
}

func TestPeriodicRestrictsWhereGridsDivide(t *testing.T) {
	b := randomPeriodic(3, 97)
	for _, n := range []int{2, 3, 16, 24, 48, 96} {
		want, err := b.Restrict(n + 1)
		noError(t, err)
		got, err := To(b, n+1)
		if err != nil || !slices.Equal(got.Data, want.Data) {
			t.Errorf("K = %d is not the restriction, %v", n+1, err)
		}
		expectNear(t, interpolatePeriodic(b, n+1, true).Data, want.Data)
	}
}

func TestFunctionsDoNotDependOnTheirNeighbours(t *testing.T) {
	b := randomPeriodic(11, 65)
	all, err := To(b, 81)
	noError(t, err)
	for i := range b.Count {
		one, err := To(b.Range(i, 1), 81)
		if err != nil || !slices.Equal(one.Data, all.At(i)) {
			t.Errorf("function %d differs when taken alone, %v", i, err)
		}
	}
}

// squareInterpolant returns the cosine interpolant by its definition, at the points of an r x r grid.
func squareInterpolant(f []float64, r int) []float64 {
	R := grid.Square.PointsOf(f)
	N := R - 1
	end := func(i int) float64 {
		if i == 0 || i == N {
			return 0.5
		}
		return 1
	}
	kernel := make([]float64, r*R) // values at the new points of the interpolants of unit vectors
	for i := range r {
		for j := range R {
			for k := range R {
				kernel[i*R+j] += 2 / float64(N) * end(k) * end(j) * math.Cos(math.Pi*float64(k*j)/float64(N)) *
					math.Cos(math.Pi*float64(k)*float64(i)/float64(r-1))
			}
		}
	}
	values := make([]float64, r*r)
	for i := range r {
		for j := range R {
			for k := range r {
				for l := range R {
					values[i*r+k] += kernel[i*R+j] * kernel[k*R+l] * f[j*R+l]
				}
			}
		}
	}
	return values
}

func TestSquareIsTheInterpolant(t *testing.T) {
	for _, R := range []int{3, 4, 8, 13, 17} {
		b := random(grid.Square, R, 2)
		for _, r := range []int{3, 4, 5, 7, 9, 10, 17, 20} {
			got, err := To(b, r)
			noError(t, err)
			for i := range b.Count {
				expectNear(t, got.At(i), squareInterpolant(b.At(i), r))
			}
		}
	}
}

func TestTooFewPointsAreAnError(t *testing.T) {
	var data *fault.Data
	for _, K := range []int{-1, 0, 1, 2} {
		if _, err := To(randomPeriodic(1, 9), K); !errors.As(err, &data) {
			t.Errorf("K = %d: got %v, want *fault.Data", K, err)
		}
		if _, err := To(random(grid.Square, 9, 1), K); !errors.As(err, &data) {
			t.Errorf("r = %d: got %v, want *fault.Data", K, err)
		}
	}
	if _, err := To(randomPeriodic(1, 2), 9); !errors.As(err, &data) {
		t.Errorf("from K = 2: %v", err)
	}
}
