package expansion

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/methodtest"
	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

func TestComponentsAreThoseOfTheCovariance(t *testing.T) {
	pairs := methodtest.Burgers(t, draw.InputTrain, 50, 33)
	p := methodtest.Must(NewPrincipal(t.Context(), pairs.Outputs, 2))
	covariance := mat.NewSymDense(33, nil)
	modes.Centred(pairs.Outputs, p.mean, p.root, func(_ int, centred []float64) {
		covariance.SymRankOne(covariance, 1./50, mat.NewVecDense(33, centred))
	})
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, false) {
		t.Fatal("no eigenvalues")
	}
	values := eigen.Values(nil)
	for k, v := range p.Variances {
		if want := values[len(values)-1-k]; math.Abs(v-want) > methodtest.Rounding*values[len(values)-1] {
			t.Errorf("variance %d is %g, want %g", k, v, want)
		}
	}
	var orthogonal mat.Dense
	orthogonal.Mul(p.modes.T(), p.modes)
	for i := range p.Variances {
		for j := range p.Variances {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(orthogonal.At(i, j)-want) > methodtest.Rounding {
				t.Fatalf("components %d and %d have the product %g", i, j, orthogonal.At(i, j))
			}
		}
	}
}

// Waves are orthonormal by the quadrature of every domain, odd and even, and the lowest frequencies come first.
func TestWavesAreOrthonormal(t *testing.T) {
	for _, domain := range grid.Domains() {
		for points := 7; points <= 9; points++ {
			if !domain.Exists(points) {
				continue
			}
			functions := methodtest.Random(domain, points, 5)
			b := methodtest.Must(NewFrequencies(t.Context(), functions, 2))
			_, modes := b.modes.Dims()
			for j := range modes {
				for k := range j + 1 {
					sum, want := 0.0, 0.0
					for x := range functions.Values() {
						sum += b.modes.At(x, j) * b.modes.At(x, k)
					}
					if j == k {
						want = 1
					}
					if math.Abs(sum-want) > methodtest.Rounding {
						t.Fatalf("%s on %d points: inner product of waves %d and %d is %g", domain.Name(), points, j, k, sum)
					}
				}
				if j > 0 && b.Frequencies[j] < b.Frequencies[j-1] {
					t.Errorf("%s: frequency %g after %g", domain.Name(), b.Frequencies[j], b.Frequencies[j-1])
				}
			}
		}
	}
}
