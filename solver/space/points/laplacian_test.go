package points

import (
	"math"
	"testing"
)

func modesOf(t *testing.T, p Places, most int) Modes {
	t.Helper()
	m, err := NewModes(t.Context(), p, most, 2)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestModesOfEquispacedPointsAreCosines(t *testing.T) {
	const count = 33
	var at []float64
	for i := range count {
		at = append(at, float64((i*7)%count)/(count-1)) // in another order
	}
	p, _ := Weigh(1, at, count, 0, nil)
	m := modesOf(t, p, 20)
	for k, value := range m.Values {
		want := math.Pow(math.Pi*float64(k), 2)
		if math.Abs(value-want) > 1e-9*(1+want) {
			t.Fatalf("eigenvalue %d is %.12g, want %.12g", k, value, want)
		}
		scale := math.Sqrt2
		if k == 0 {
			scale = 1
		}
		sign := 0.0
		for i, x := range at {
			want := scale * math.Cos(math.Pi*float64(k)*x)
			if sign == 0 && math.Abs(want) > 0.5 {
				sign = math.Copysign(1, want*m.Functions.At(i, k))
			}
			if math.Abs(sign*m.Functions.At(i, k)-want) > 1e-9 {
				t.Fatalf("mode %d at %g is %g, want %g", k, x, m.Functions.At(i, k), sign*want)
			}
		}
	}
}

// The eigenvalues of the unit square are pi^2 (i^2 + j^2), whatever the points.
func TestModesOfScatteredPointsAreNearThoseOfTheDomain(t *testing.T) {
	for _, count := range []int{500, 2000} { // dense, and by iteration
		p, _ := Weigh(2, plane(count), count, 0, nil)
		m := modesOf(t, p, 40)
		for k, want := range []float64{0, 1, 1, 2, 4, 4, 5, 5} {
			if got := m.Values[k] / (math.Pi * math.Pi); math.Abs(got-want) > 0.1*(1+want) {
				t.Errorf("%d points: eigenvalue %d is %.3f pi^2, want %g", count, k, got, want)
			}
		}
		for k := range 40 {
			for l := range k + 1 {
				sum := 0.0
				for i, w := range p.Weights {
					sum += w * m.Functions.At(i, k) * m.Functions.At(i, l)
				}
				want := 0.0
				if k == l {
					want = 1
				}
				if math.Abs(sum-want) > 1e-8 {
					t.Fatalf("%d points: the inner product of modes %d and %d is %g", count, k, l, sum)
				}
			}
		}
	}
}

// BenchmarkModes takes a few seconds for 5000 points.
func BenchmarkModes(b *testing.B) {
	p, _ := Weigh(2, plane(5000), 5000, 0, nil)
	for b.Loop() {
		if _, err := NewModes(b.Context(), p, 128, 2); err != nil {
			b.Fatal(err)
		}
	}
}

// The eigenvalues of the unit sphere are l (l+1), each 2 l + 1 times.
func TestModesOfASphereWithoutCells(t *testing.T) {
	const count = 1200
	var at []float64
	for i := range count { // Fibonacci's points
		z := 1 - (2*float64(i)+1)/count
		angle := float64(i) * math.Pi * (3 - math.Sqrt(5))
		r := math.Sqrt(1 - z*z)
		at = append(at, r*math.Cos(angle), r*math.Sin(angle), z)
	}
	m := modesOf(t, Equal(3, at, count), 20)
	first := (m.Values[1] + m.Values[2] + m.Values[3]) / 3
	for k, want := range []float64{0, 2, 2, 2, 6, 6, 6, 6, 6} {
		if got := 2 * m.Values[k] / first; math.Abs(got-want) > 0.05*(1+want) {
			t.Errorf("eigenvalue %d is %.3f in units of the first, want %g", k, got, want)
		}
	}
}
