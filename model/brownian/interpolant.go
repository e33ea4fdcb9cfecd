package brownian

import (
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
)

// Interpolant is the function of least H^1_0(0,1) norm through the data,
//
//	F(x) = sum_i beta_i k(x, x_i),  K beta = y,  K_ij = min(x_i, x_j) - x_i x_j.
//
// K is the inverse of a tridiagonal matrix: F is linear between neighbouring data points and down to zero at 0 and 1,
// and beta_i is the drop of its slope at x_i. It is immutable and safe for concurrent use.
type Interpolant struct {
	knots, values []float64 // the data with the ends (0, 0) and (1, 0)
	beta          []float64
	sine          []float64 // coefficients in sqrt2 sin(j pi x), j = 1 ... J
	tail          float64   // squared L2 norm of the modes beyond J
}

// Interpolant returns the kernel interpolant of the problem's data. The error is a *fault.Data if two data points
// coincide.
func (p Problem) Interpolant() (*Interpolant, error) { return interpolate(p.Data(), p.Truncation) }

// interpolate interpolates data in ascending order, for comparison with models of the given number of modes.
func interpolate(d Data, modes int) (*Interpolant, error) {
	n := len(d.X)
	f := &Interpolant{
		knots:  slices.Concat([]float64{0}, d.X, []float64{1}),
		values: slices.Concat([]float64{0}, d.Y, []float64{0}),
		beta:   make([]float64, n),
		sine:   make([]float64, modes),
	}
	for i := range n + 1 {
		if f.knots[i] == f.knots[i+1] {
			return nil, &fault.Data{Where: "Brownian bridge problem", What: fmt.Sprintf("two data points are %g", f.knots[i]),
				Do: "use another seed"}
		}
	}
	for i := range f.beta {
		f.beta[i] = f.slope(i) - f.slope(i+1)
	}
	f.tail = f.Norm2()
	for j := range f.sine {
		// -F'' = sum_i beta_i delta(x - x_i)
		for i, b := range f.beta {
			f.sine[j] += b * mode(j+1, d.X[i])
		}
		f.sine[j] /= float64(j+1) * math.Pi
		f.tail -= f.sine[j] * f.sine[j]
	}
	f.tail = max(f.tail, 0)
	return f, nil
}

// slope is that of segment i, from knot i to knot i+1.
func (f *Interpolant) slope(i int) float64 {
	return (f.values[i+1] - f.values[i]) / (f.knots[i+1] - f.knots[i])
}

// Predict returns F(x); it panics unless 0 <= x <= 1.
func (f *Interpolant) Predict(x float64) float64 {
	if !(x >= 0 && x <= 1) {
		panic(fmt.Sprintf("brownian: interpolant at %g", x))
	}
	i, exact := slices.BinarySearch(f.knots, x)
	if exact {
		return f.values[i]
	}
	t := (x - f.knots[i-1]) / (f.knots[i] - f.knots[i-1])
	return (1-t)*f.values[i-1] + t*f.values[i]
}

// Curve returns F at the K >= 2 points i/(K-1).
func (f *Interpolant) Curve(K int) []float64 {
	values := Grid(K)
	for i, x := range values {
		values[i] = f.Predict(x)
	}
	return values
}

// Norm2 returns the squared L2(0,1) norm of F.
func (f *Interpolant) Norm2() float64 {
	sum := 0.0
	for i := range len(f.knots) - 1 {
		a, b := f.values[i], f.values[i+1]
		sum += (f.knots[i+1] - f.knots[i]) * (a*a + a*b + b*b) / 3
	}
	return sum
}
