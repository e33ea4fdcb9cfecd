package brownian

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/fault"
)

const (
	rounding = 1e-12 // a few hundred operations on numbers of order one
	// The kernel matrix of 32 random points has a condition number of about 1e5; direct sums over kernel sections cancel
	// as much.
	kernelRounding = 1e-9
)

func TestInterpolantIsExactAtTheData(t *testing.T) {
	p := Paper(1)
	f, d := interpolant(t, p), p.Data()
	for i, x := range d.X {
		if f.Predict(x) != d.Y[i] {
			t.Errorf("F(%g) = %g, data %g", x, f.Predict(x), d.Y[i])
		}
	}
}

func TestInterpolantIsLinearBetweenDataAndEnds(t *testing.T) {
	f := interpolant(t, Paper(1))
	for i := range len(f.knots) - 1 {
		a, b := f.knots[i], f.knots[i+1]
		for _, s := range []float64{0.1, 0.5, 0.8} {
			want := f.values[i] + s*(f.values[i+1]-f.values[i])
			if got := f.Predict(a + s*(b-a)); math.Abs(got-want) > rounding {
				t.Errorf("F(%g) = %g between %g and %g, want %g", a+s*(b-a), got, a, b, want)
			}
		}
	}
	if f.Predict(0) != 0 || f.Predict(1) != 0 {
		t.Errorf("F(0) = %g, F(1) = %g", f.Predict(0), f.Predict(1))
	}
}

func TestInterpolantIsASumOfKernelSections(t *testing.T) {
	p := Paper(1)
	f, d := interpolant(t, p), p.Data()
	beta := f.beta
	for _, x := range uniform(101) {
		sum := 0.0
		for i, b := range beta {
			sum += b * kernelOf(x, d.X[i])
		}
		if math.Abs(sum-f.Predict(x)) > kernelRounding {
			t.Errorf("kernel sections sum to %g at %g, interpolant is %g", sum, x, f.Predict(x))
		}
	}
}

func TestBetaSolvesTheKernelSystem(t *testing.T) {
	p := Paper(1)
	f, d := interpolant(t, p), p.Data()
	kernel := mat.NewSymDense(p.Points, nil)
	for i, x := range d.X {
		for l, y := range d.X {
			kernel.SetSym(i, l, kernelOf(x, y))
		}
	}
	var factor mat.Cholesky
	var solution mat.VecDense
	if !factor.Factorize(kernel) || factor.SolveVecTo(&solution, mat.NewVecDense(p.Points, d.Y)) != nil {
		t.Fatal("the kernel matrix is singular")
	}
	beta := solution.RawVector().Data
	if e := apart(f.beta, beta); e > kernelRounding {
		t.Errorf("beta is %.1e from the solution of K beta = y", e)
	}
}

// energy returns the squared norm of F in H^1_0(0,1), the integral of F'^2 = y' K^-1 y.
func energy(f *Interpolant) float64 {
	sum := 0.0
	for i := range len(f.knots) - 1 {
		s := f.slope(i)
		sum += (f.knots[i+1] - f.knots[i]) * s * s
	}
	return sum
}

// One data point (1/2, 1) makes a hat: |F|^2 = 1/3 and |F'|^2 = 4.
func TestNormsOfAHat(t *testing.T) {
	f := must(interpolate(Data{X: []float64{0.5}, Y: []float64{1}}, 10))
	if math.Abs(f.norm2()-1./3) > rounding || math.Abs(energy(f)-4) > rounding || math.Abs(f.beta[0]-4) > rounding {
		t.Errorf("|F|^2 = %g, |F'|^2 = %g, beta = %g; want 1/3, 4, 4", f.norm2(), energy(f), f.beta[0])
	}
}

func TestInterpolantRefusesCoincidingPoints(t *testing.T) {
	_, err := interpolate(Data{X: []float64{0.25, 0.25}, Y: []float64{1, 2}}, 10)
	if wrong := (*fault.Data)(nil); !errors.As(err, &wrong) {
		t.Errorf("error %v", err)
	}
}

// kernelOf returns k(x, x') = min(x, x') - x x', the covariance of the Brownian bridge.
func kernelOf(x, y float64) float64 { return min(x, y) * (1 - max(x, y)) }
