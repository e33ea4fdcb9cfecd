// Package phi computes the functions phi_0 = e^z, phi_j+1 = (phi_j - 1/j!)/z of exponential integrators for complex
// numbers and small matrices.
package phi

import (
	"math"
	"math/cmplx"
)

// Size is the largest number of rows and columns of a matrix.
const Size = 6

// Matrix is a matrix whose first rows and columns count, as many as the functions are told.
type Matrix [Size][Size]complex128

// times returns a b.
func (a *Matrix) times(b *Matrix, size int) (c Matrix) {
	for i := range size {
		for k := range size {
			factor := a[i][k]
			if factor == 0 {
				continue
			}
			for j := range size {
				c[i][j] += factor * b[k][j]
			}
		}
	}
	return c
}

// scaled returns c a.
func (a *Matrix) scaled(c complex128, size int) (b Matrix) {
	for i := range size {
		for j := range size {
			b[i][j] = c * a[i][j]
		}
	}
	return b
}

// Norm returns the largest sum of a row.
func (a *Matrix) Norm(size int) float64 {
	n := 0.0
	for i := range size {
		row := 0.0
		for j := range size {
			row += cmplx.Abs(a[i][j])
		}
		n = math.Max(n, row)
	}
	return n
}

// Growth returns the growth rate of solutions of u' = a u, the largest real part of an eigenvalue, less a bound of its
// error, 1e-7 of the norm: the logarithm of |e^(a t)|/t for a large t, by squaring.
func (a *Matrix) Growth(size int) float64 {
	norm := a.Norm(size)
	switch {
	case size == 1:
		return real(a[0][0])
	case norm == 0 || math.IsInf(norm, 1) || math.IsNaN(norm):
		return norm
	}
	var p [4]Matrix
	Of(&p, complex(1/norm, 0), a, size)
	// e^(a t) = e exp(log)
	e := p[0]
	log := 0.0
	t := 1 / norm
	const doublings = 30 // of the time
	for range doublings {
		e = e.times(&e, size)
		n := e.Norm(size)
		// at every doubling: powers of a matrix far from normal leave the range of numbers else
		e = e.scaled(complex(1/n, 0), size)
		log = 2*log + math.Log(n)
		t *= 2
	}
	return log/t - 1e-7*norm
}

// Of writes phi_0 ... phi_3 of c z to p: in closed form for one row, by a series and doubling for more.
func Of(p *[4]Matrix, c complex128, z *Matrix, size int) {
	if size == 1 {
		for j, v := range OfNumber(c * z[0][0]) {
			p[j][0][0] = v
		}
		return
	}
	const largest = 0.5 // norm of y, at which 16 terms of the series are enough
	tooLarge := cmplx.Abs(c) * z.Norm(size) / largest
	exponent := math.Log2(max(1e-300, tooLarge))
	doublings := max(0, int(math.Ceil(exponent)))
	shrink := complex(math.Ldexp(1, -doublings), 0)
	y := z.scaled(c*shrink, size)
	*p = [4]Matrix{}
	for j := 15; j >= 0; j-- {
		k := min(j, 3)
		p[k] = p[min(j+1, 3)].times(&y, size)
		for i := range size {
			p[k][i][i] += inverseFactorial[j]
		}
	}
	for range doublings {
		half := *p
		Double(p, &half, size)
	}
}

// Double writes phi_0 ... phi_3 of 2 y to q from p, those of y:
// 2^k phi_k(2 y) = e^y phi_k(y) + sum over j from 1 to k of phi_j(y)/(k-j)!.
func Double(q, p *[4]Matrix, size int) {
	scales := [4]complex128{1, 1. / 2, 1. / 4, 1. / 8}
	for k, scale := range scales {
		for i := range size {
			for j := range size { // times would copy matrices, which takes longer than the sums
				sum := complex(0, 0)
				for l := range size {
					sum += p[0][i][l] * p[k][l][j]
				}
				for l := 1; l <= k; l++ {
					sum += inverseFactorial[k-l] * p[l][i][j]
				}
				q[k][i][j] = scale * sum
			}
		}
	}
}

// OfNumber returns phi_0 ... phi_3 of a number: by a power series near zero and the recurrence elsewhere.
func OfNumber(z complex128) (p [4]complex128) {
	if real(z)*real(z)+imag(z)*imag(z) >= 1 {
		p[0] = cmplx.Exp(z)
		inverse := 1 / z
		for j := range 3 {
			p[j+1] = (p[j] - inverseFactorial[j]) * inverse
		}
		return p
	}
	for j := len(inverseFactorial) - 1; j >= 0; j-- { // Horner: sum z^m/(m+3)! and the recurrence
		k := min(j, 3)
		p[k] = p[min(j+1, 3)]*z + inverseFactorial[j]
	}
	return p
}

var inverseFactorial = func() (f [20]complex128) {
	for j := range f {
		f[j] = complex(1/math.Gamma(float64(j+1)), 0)
	}
	return f
}()
