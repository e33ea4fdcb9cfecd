package points

import (
	"math"
	"testing"

	"rfm/solver/base/parallel/detector"
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
	detector.Skip(t, detector.Numbers)
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
	detector.Skip(t, detector.Numbers)
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

// Two clusters without neighbours in each other have two functions with the eigenvalue 0; the first is the constant.
func TestTheFirstModeOfPointsInPartsIsConstant(t *testing.T) {
	const count = 60
	var at []float64
	for i := range count {
		part := float64(i % 2)
		at = append(at, 100*part+math.Mod(0.618*float64(i), 1), math.Mod(0.414*float64(i), 1))
	}
	m := modesOf(t, Equal(2, at, count), 10)
	if m.Values[1] != 0 || !(m.Values[2] > 0) {
		t.Errorf("eigenvalues begin with %v, want two zeros", m.Values[:3])
	}
	for i := range count {
		if math.Abs(m.Functions.At(i, 0)-1) > 1e-12 {
			t.Fatalf("the first mode is %g at point %d, want 1", m.Functions.At(i, 0), i)
		}
		if math.Abs(math.Abs(m.Functions.At(i, 1))-1) > 1e-6 {
			t.Fatalf("the second mode is %g at point %d, want 1 and -1 on the parts", m.Functions.At(i, 1), i)
		}
	}
}

// On a sphere the points of the near half hide those of the far half.
func TestNearPointsOfASphereHideTheOthers(t *testing.T) {
	const count = 1200
	var at []float64
	for i := range count { // Fibonacci's points
		z := 1 - (2*float64(i)+1)/count
		angle := math.Pi * (3 - math.Sqrt(5)) * float64(i)
		radius := math.Sqrt(1 - z*z)
		at = append(at, radius*math.Cos(angle), radius*math.Sin(angle), z)
	}
	p := Equal(3, at, count)
	for _, side := range []int{41, 101, 121} {
		r := NewRaster(p, side)
		for pixel, point := range r.Nearest {
			if point >= 0 && p.Place(point)[2] < -0.5 {
				t.Fatalf("%d pixels: pixel %d shows a point of the far side, at %v", side, pixel, p.Place(point))
			}
		}
	}
}

// Eigenfunctions that vanish at both ends of an interval are its sines.
func TestVanishingModesAreSines(t *testing.T) {
	const count = 41
	at := make([]float64, count)
	for i := range at {
		at[i] = float64(i) / (count - 1)
	}
	line, _ := Weigh(1, at, count, 0, nil)
	vanishing := make([]bool, count)
	vanishing[0] = true
	vanishing[count-1] = true
	m, err := NewVanishing(t.Context(), line, vanishing, 5, 2)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range m.Values {
		want := math.Pow(math.Pi*float64(k+1), 2)
		if math.Abs(v-want) > 1e-6*want {
			t.Errorf("eigenvalue %d is %g, want %g", k, v, want)
		}
		for i, x := range at {
			sine := math.Sqrt2 * math.Sin(math.Pi*float64(k+1)*x)
			if got := m.Functions.At(i, k); math.Abs(math.Abs(got)-math.Abs(sine)) > 1e-6 {
				t.Fatalf("function %d is %g at %g, want %g or its negative", k, got, x, sine)
			}
		}
	}
}

// The sum of conductance times difference over the edges of a mesh is the integral of the Laplacian: that of a linear function
// vanishes at inner points.
func TestEdgesCarryFluxes(t *testing.T) {
	at := []float64{0, 0, 1, 0, 1, 1, 0, 1, 0.4, 0.55}
	cells := []int{0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}
	square, _ := Weigh(2, at, 5, 3, cells)
	sum := 0.0
	for _, e := range Edges(square) {
		if e.From >= e.To {
			t.Errorf("an edge leads from %d to %d", e.From, e.To)
		}
		f := func(point int) float64 { return 2*at[2*point] - 3*at[2*point+1] }
		if e.To == 4 {
			sum += e.Conductance * (f(e.From) - f(e.To))
		}
	}
	if math.Abs(sum) > 1e-12 {
		t.Errorf("a linear function has the Laplacian %g at the inner point", sum)
	}
}
