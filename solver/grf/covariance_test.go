package grf

import (
	"math"
	"testing"

	"rfm/solver/grid"
)

// expectCovariance compares the covariance applied to functions that are one at a point with the sum over modes.
func expectCovariance(t *testing.T, d grid.Domain, points int, draws Covarying, covariance func(x, y float64) float64) {
	t.Helper()
	rows, columns := d.Axes(points)
	n1, n2 := max(1, rows-1), columns-1
	f, got := make([]float64, rows*columns), make([]float64, rows*columns)
	const i0, j0 = 2, 3 // the point
	at := j0
	if rows > 1 {
		at += i0 * columns
	}
	f[at] = float64(n1 * n2)
	draws.Covary(got, f)
	for x, v := range got {
		i, j := x/columns-i0, x%columns-j0
		if rows == 1 {
			i = 0
		}
		if want := covariance(float64(i)/float64(n1), float64(j)/float64(n2)); math.Abs(v-want) > 1e-13 {
			t.Fatalf("%s, value %d: %.15g, want %.15g", d.Name(), x, v, want)
		}
	}
}

func TestCovariancesAreSumsOverModes(t *testing.T) {
	line := Periodic{Tau: 3, Alpha: 2, Scale: 1.5}
	for _, K := range []int{17, 16} {
		expectCovariance(t, grid.Torus, K, NewSampler(line, K), func(_, y float64) float64 {
			sum := 0.0
			for j := 1; 2*j < K-1; j++ {
				sum += 2 * line.Eigenvalue(j) * math.Cos(2*math.Pi*float64(j)*y)
			}
			return sum
		})
	}
	field := Field{Tau: 3, Alpha: 3}
	expectCovariance(t, grid.Torus2, 9, NewFieldSampler(field, 9), func(x, y float64) float64 {
		sum := 0.0
		for k1 := -3; k1 <= 3; k1++ {
			for k2 := -3; k2 <= 3; k2++ {
				if k1 != 0 || k2 != 0 {
					sum += field.Eigenvalue(k1, k2) * math.Cos(2*math.Pi*(float64(k1)*x+float64(k2)*y))
				}
			}
		}
		return sum
	})
}
