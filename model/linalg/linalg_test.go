package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestSmoke(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 3, 5, 24, 25, 50, 133, 400} {
		f := NewPanels(n+30, n)
		for j := 0; j < n; j++ {
			for r := 0; r < f.Rows(); r++ {
				f.Panel(j / 4)[4*r+j%4] = rng.NormFloat64()
			}
		}
		s := NewSymmetric(n)
		s.RankUpdate(f, f.Rows(), 2)
		worst := 0.0
		for i := 0; i < n; i++ {
			for j := 0; j < n; j++ {
				v := 0.0
				for r := 0; r < f.Rows(); r++ {
					v += f.Panel(j / 4)[4*r+j%4] * f.Panel(i / 4)[4*r+i%4]
				}
				worst = max(worst, math.Abs(v-s.At(i, j)))
			}
		}
		b := make([]float64, n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
		if err := s.SolveShifted(x, b, 0.1); err != nil {
			t.Fatal(err)
		}
		d, err := Decompose(s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.SolveShifted(y, b, 0.1); err != nil {
			t.Fatal(err)
		}
		s2 := s.Clone()
		s2.AddDiagonal(0.1)
		d2, _ := Decompose(s2, 1)
		rank, err := d2.SolveTruncated(z, b, 1e-14)
		if err != nil {
			t.Fatal(err)
		}
		var e mat.EigenSym
		e.Factorize(mat.NewSymDense(n, s.Dense()), false)
		w := e.Values(nil)
		t.Log(n, worst, x[0], y[0]-x[0], z[0]-x[0], rank, w[n-1], d.Eigenvalues()[0]-w[n-1], d.Eigenvalues()[n-1]-w[0])
	}
}
