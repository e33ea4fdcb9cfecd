package phi

import (
	"math"
	"math/cmplx"
	"testing"
)

// series returns phi_k of a number by its power series, whose terms do not cancel for small numbers.
func series(k int, z complex128) complex128 {
	sum, term := complex(0, 0), complex(1/math.Gamma(float64(k+1)), 0)
	for j := 1; j < 60; j++ {
		sum += term
		term *= z / complex(float64(k+j), 0)
	}
	return sum
}

func TestNumbersAreSumsOfTheirSeries(t *testing.T) {
	for _, z := range []complex128{0, 1e-9, 0.1i, -0.99, 1, -1.5 + 0.5i, 3i, 2} {
		for k, got := range OfNumber(z) {
			if want := series(k, z); cmplx.Abs(got-want) > 2e-15*math.Pow(4, float64(k))*cmplx.Abs(want) {
				t.Errorf("phi_%d(%v) = %v, not %v", k, z, got, want)
			}
		}
	}
}

// The phi functions of a matrix with known eigenvectors are those of its eigenvalues. Its growth is their largest real
// part, even if the matrix is not normal, so that solutions grow before they decay.
func TestMatricesHaveTheFunctionsOfTheirEigenvalues(t *testing.T) {
	values := [3]complex128{-40, 2i, 0.3 - 1i}
	s, inverse := Matrix{{1, 5, -2}, {0, 1, 3}, {0, 0, 1}}, Matrix{{1, -5, 17}, {0, 1, -3}, {0, 0, 1}}
	similar := func(f func(z complex128) complex128) (m Matrix) {
		for i, z := range values {
			m[i][i] = f(z)
		}
		m = s.times(&m, 3)
		return m.times(&inverse, 3)
	}
	m := similar(func(z complex128) complex128 { return z })
	var p [4]Matrix
	Of(&p, 0.5, &m, 3)
	for k := range p {
		want := similar(func(z complex128) complex128 { return OfNumber(z / 2)[k] })
		for i := range 3 {
			for j := range 3 {
				if cmplx.Abs(p[k][i][j]-want[i][j]) > 1e-12 {
					t.Errorf("phi_%d, %d, %d: %v, not %v", k, i, j, p[k][i][j], want[i][j])
				}
			}
		}
	}
	if g := m.Growth(3); g > 0.3 || g < 0.3-1e-7*m.Norm(3) {
		t.Errorf("growth %v, not 0.3", g)
	}
	for _, k := range []float64{0, 6, 800, 1e5} { // u_tt = k^4 u, u_tt = 0
		growing := Matrix{{0, 1}, {complex(k*k*k*k, 0), 0}}
		if g := growing.Growth(2); !(g <= k*k) || g < k*k*(1-1e-6)-1e-7*growing.Norm(2) {
			t.Errorf("growth %v, not %v", g, k*k)
		}
	}
	waves := Matrix{{0, 1}, {-1e6, 0}}
	if g := waves.Growth(2); g > 0 || g < -0.1 {
		t.Errorf("waves grow by %v", g)
	}
}
