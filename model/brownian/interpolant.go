package brownian

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/fault"
)

// Interpolant is the function of least H^1_0(0,1) norm through the data,
//
//	F(x) = sum_i beta_i k(x, x_i),  K beta = y,  K_ij = min(x_i, x_j) - x_i x_j.
//
// K is the inverse of a tridiagonal matrix: F is linear between neighbouring data points and falls to zero at 0 and 1,
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
	f.tail = f.norm2()
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

// slope returns the slope of segment i, from knot i to knot i+1.
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
	values := uniform(K)
	for i, x := range values {
		values[i] = f.Predict(x)
	}
	return values
}

// norm2 returns the squared L2(0,1) norm of F.
func (f *Interpolant) norm2() float64 {
	sum := 0.0
	for i := range len(f.knots) - 1 {
		a, b := f.values[i], f.values[i+1]
		sum += (f.knots[i+1] - f.knots[i]) * (a*a + a*b + b*b) / 3
	}
	return sum
}

// distance returns the L2 norm of F - sum_j c_j sqrt2 sin(j pi x)/(j pi).
func (f *Interpolant) distance(c []float64) float64 {
	sum := f.tail
	for j, b := range f.sine {
		d := c[j]/(float64(j+1)*math.Pi) - b
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Expectation predicts the distance of a model of m features to the interpolant F without drawing features:
//
//	E |F_m - F|^2 = Variance/(m-n-1) + Bias^2,  m >= n+2,
//
// in L2(0,1). Given the features at the data points, a feature elsewhere is Gaussian with mean k(x, X) K^-1 phi(X) and
// the variance r(x, x) = k(x, x) - k(x, X) K^-1 k(X, x) of a Brownian bridge pinned at the data. So F_m has the mean F
// and the variance (r(x, x)/m) y' (Phi Phi'/m)^-1 y, and the mean of an inverse Wishart matrix is E (Phi Phi'/m)^-1 =
// m/(m-n-1) K^-1. Here K and r belong to the kernel of J modes; its interpolant F_J differs from F by Bias.
type Expectation struct {
	Points int // n
	// (y' K^-1 y) int r(x, x) dx; 1/6 |F|_{H1_0}^2 sum of the squared gaps between data points for J = infinity
	Variance float64
	Bias     float64 // |F_J - F|, the distance that remains at m = infinity
}

// Expectation computes the expectation. The error is Interpolant's, or a *fault.Numerical if the kernel of J modes is
// singular on the data points to within rcond.
func (p Problem) Expectation() (Expectation, error) {
	limit, err := p.Interpolant()
	if err != nil {
		return Expectation{}, err
	}
	n := p.Points
	y := mat.NewVecDense(n, limit.values[1:n+1])
	modes := p.modes(limit.knots[1 : n+1]) // B, K = B'B
	trace := 0.0                           // int k(x, x) dx - int k(x, X) K^-1 k(X, x) dx
	var smooth, product mat.Dense          // B_ji/(j pi), whose Gram matrix is int k(x_i, x) k(x, x_l) dx
	smooth.Apply(func(j, _ int, v float64) float64 { return v / (float64(j+1) * math.Pi) }, modes)
	product.Mul(smooth.T(), &smooth)
	for j := range p.Truncation {
		w := float64(j+1) * math.Pi
		trace += 1 / (w * w)
	}
	right := new(mat.Dense)
	right.Augment(&product, y)
	x, rank, err := truncated(modes.T(), 1, right, p.Rcond)
	if err == nil && rank < n {
		err = fmt.Errorf("with %d modes has rank %d on %d data points", p.Truncation, rank, n)
	}
	if err != nil {
		return Expectation{}, &fault.Numerical{Where: "Brownian bridge kernel", What: err.Error(),
			Do: "use more modes, or another seed"}
	}
	trace -= mat.Trace(x.Slice(0, n, 0, n))
	beta, c := x.ColView(n), mat.NewVecDense(p.Truncation, nil)
	c.MulVec(modes, beta)
	return Expectation{Points: n, Variance: mat.Dot(beta, y) * trace, Bias: limit.distance(c.RawVector().Data)}, nil
}

// Distance returns the root of the mean square distance at m features, +Inf if m < n+2.
func (e Expectation) Distance(m int) float64 {
	if m < e.Points+2 {
		return math.Inf(1)
	}
	return math.Sqrt(e.Variance/float64(m-e.Points-1) + e.Bias*e.Bias)
}
