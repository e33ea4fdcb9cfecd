// This file discretises one direction of a domain with ends. Functions are polynomials, by coefficients of orthonormal
// Legendre polynomials, and are evaluated at Gauss points; between periodic sides they are trigonometric polynomials.

package equation

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// axis is one direction: n functions, orthonormal in the mean over [0, length], and as many quadrature points.
type axis struct {
	n        int
	length   float64
	periodic bool
	points   []float64 // in increasing order
	weights  []float64 // of the mean
	// derivative maps coefficients of a function to those of its derivative, n x n; powers[k] is its k-th power.
	powers []*mat.Dense
	// values maps coefficients to values at the points, n x n; coefficients is its inverse.
	values, coefficients *mat.Dense
}

// newAxis returns an axis with derivatives up to an order.
func newAxis(n int, length float64, periodic bool, order int) *axis {
	a := &axis{n: n, length: length, periodic: periodic}
	var derivative *mat.Dense
	if periodic {
		a.setEquispaced()
		derivative = a.derivativeOfWaves()
	} else {
		a.setGauss()
		derivative = a.derivativeOfPolynomials()
	}
	a.values = a.at(a.points)
	a.coefficients = mat.NewDense(n, n, nil)
	for i, weight := range a.weights {
		for j := range n {
			a.coefficients.Set(j, i, weight*a.values.At(i, j))
		}
	}
	power := identityMatrix(n)
	for range order + 1 {
		a.powers = append(a.powers, power)
		power = matrixProduct(derivative, power)
	}
	return a
}

// identityMatrix returns the n x n identity.
func identityMatrix(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// nextLegendre returns the Legendre polynomial of degree j+1 at s from those of degrees j and j-1, by Bonnet's recursion
//
//	(j+1) P_(j+1)(s) = (2j+1) s P_j(s) - j P_(j-1)(s).
func nextLegendre(degree int, s, value, before float64) float64 {
	j := float64(degree)
	return ((2*j+1)*s*value - j*before) / (j + 1)
}

// setGauss sets the points and weights of Gauss's quadrature: the zeros of the Legendre polynomial of degree n, found by
// Newton's iteration from their asymptotic values.
func (a *axis) setGauss() {
	n := a.n
	a.points = make([]float64, n)
	a.weights = make([]float64, n)
	for i := range n {
		s := -math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5))
		slope := 0.0
		for range 10 { // Newton's iteration converges in four steps
			before := 0.0
			value := 1.0
			for j := range n {
				next := nextLegendre(j, s, value, before)
				before = value
				value = next
			}
			slope = float64(n) * (before - s*value) / (1 - s*s)
			s -= value / slope
		}
		a.points[i] = a.length / 2 * (1 + s)
		a.weights[i] = 1 / ((1 - s*s) * slope * slope)
	}
}

// derivativeOfPolynomials returns the matrix from coefficients of orthonormal Legendre polynomials p_j to those of the
// derivative, n x n:
//
//	p_j' = 2/length sum of sqrt((2i+1)(2j+1)) p_i over i = j-1, j-3, ...
func (a *axis) derivativeOfPolynomials() *mat.Dense {
	derivative := mat.NewDense(a.n, a.n, nil)
	for j := range a.n {
		for i := j - 1; i >= 0; i -= 2 {
			norms := float64((2*i + 1) * (2*j + 1)) // 2j+1 is that of the Legendre polynomial, squared and inverted
			derivative.Set(i, j, 2/a.length*math.Sqrt(norms))
		}
	}
	return derivative
}

// setEquispaced sets the points and weights of the trapezoidal rule on the circle.
func (a *axis) setEquispaced() {
	for i := range a.n {
		a.points = append(a.points, a.length*float64(i)/float64(a.n))
		a.weights = append(a.weights, 1/float64(a.n))
	}
}

// derivativeOfWaves returns the derivative of 1, cos, sin, cos, ..., n x n; n is odd, so that each cosine has its sine.
func (a *axis) derivativeOfWaves() *mat.Dense {
	derivative := mat.NewDense(a.n, a.n, nil)
	for k := 1; 2*k < a.n; k++ {
		cos := 2*k - 1
		sin := 2 * k
		wavenumber := 2 * math.Pi * float64(k) / a.length
		derivative.Set(sin, cos, -wavenumber)
		derivative.Set(cos, sin, wavenumber)
	}
	return derivative
}

// at returns the matrix, places x n, that evaluates functions at places from their coefficients.
func (a *axis) at(places []float64) *mat.Dense {
	m := mat.NewDense(len(places), a.n, nil)
	for i, x := range places {
		if a.periodic {
			a.wavesAt(m.RawRowView(i), x)
		} else {
			a.polynomialsAt(m.RawRowView(i), x)
		}
	}
	return m
}

// wavesAt writes 1 and the orthonormal cosines and sines at x to row, of length n.
func (a *axis) wavesAt(row []float64, x float64) {
	row[0] = 1
	for k := 1; 2*k < a.n; k++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) * x / a.length)
		row[2*k-1] = math.Sqrt2 * cos
		row[2*k] = math.Sqrt2 * sin
	}
}

// polynomialsAt writes the orthonormal Legendre polynomials at x to row, of length n.
func (a *axis) polynomialsAt(row []float64, x float64) {
	s := 2*x/a.length - 1
	before := 0.0
	value := 1.0
	for j := range a.n {
		row[j] = math.Sqrt(float64(2*j+1)) * value
		next := nextLegendre(j, s, value, before)
		before = value
		value = next
	}
}

// atEnd returns the k-th derivatives of the n polynomials at an end. For the Legendre polynomial of degree j at 1 it is the
// product of (j-i)(j+i+1)/(2(i+1)) over i < k, and at -1 the same up to the sign of j+k.
func (a *axis) atEnd(k int, right bool) []float64 {
	row := make([]float64, a.n)
	for j := range row {
		v := math.Sqrt(float64(2*j + 1))
		for i := range k {
			v *= float64((j-i)*(j+i+1)) / float64(i+1) / a.length
		}
		isOdd := (j+k)%2 == 1
		if isOdd && !right {
			v = -v
		}
		row[j] = v
	}
	return row
}

// gridPlaces returns the points of the equispaced grid with both ends.
func (a *axis) gridPlaces(points int) []float64 {
	places := make([]float64, points)
	for i := range places {
		places[i] = a.length * float64(i) / float64(points-1)
	}
	return places
}
