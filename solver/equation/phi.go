// This file computes phi_0 = e^z, phi_j+1 = (phi_j - 1/j!)/z for complex numbers and small matrices.

package equation

import (
	"math"
	"math/cmplx"
)

// matrix has one row and one column for each coupled field.
type matrix [maxField][maxField]complex128

func (a *matrix) times(b *matrix, size int) (c matrix) {
	for i := range size {
		for k := range size {
			if v := a[i][k]; v != 0 {
				for j := range size {
					c[i][j] += v * b[k][j]
				}
			}
		}
	}
	return c
}

// norm returns the largest sum of a row.
func (a *matrix) norm(size int) float64 {
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

// phis writes phi_0 ... phi_3 of c z to p: in closed form for one field, by a series and doubling for more.
func phis(p *[4]matrix, c complex128, z *matrix, size int) {
	if size == 1 {
		for j, v := range phisOf(c * z[0][0]) {
			p[j][0][0] = v
		}
		return
	}
	doublings := max(0, int(math.Ceil(math.Log2(max(1e-300, cmplx.Abs(c)*z.norm(size)/0.5)))))
	var y matrix
	for i := range size {
		y[i][i] = c * complex(math.Ldexp(1, -doublings), 0)
	}
	y = y.times(z, size)
	*p = [4]matrix{}
	for j := 15; j >= 0; j-- {
		k := min(j, 3)
		p[k] = p[min(j+1, 3)].times(&y, size)
		for i := range size {
			p[k][i][i] += inverseFactorial[j]
		}
	}
	for range doublings {
		half := *p
		double(p, &half, size)
	}
}

// double writes phi_0 ... phi_3 of 2 y to q from p, those of y:
// 2^k phi_k(2 y) = e^y phi_k(y) + sum over j from 1 to k of phi_j(y)/(k-j)!.
func double(q, p *[4]matrix, size int) {
	for k, scale := range [4]complex128{1, 1. / 2, 1. / 4, 1. / 8} {
		for i := range size {
			for j := range size {
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

// phisOf returns phi_0 ... phi_3 of a number: by a power series near zero and the recurrence elsewhere.
func phisOf(z complex128) (p [4]complex128) {
	if real(z)*real(z)+imag(z)*imag(z) >= 1 {
		p[0] = cmplx.Exp(z)
		for j, inverse := 0, 1/z; j < 3; j++ {
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
