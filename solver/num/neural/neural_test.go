package neural

import (
	"math"
	"math/rand/v2"
	"testing"
)

// random returns a matrix of normal numbers, with zeros in the padding.
func random[T Number](rows, cols int, r *rand.Rand) Matrix[T] {
	m := NewMatrix[T](rows, cols)
	for i := range rows {
		row := m.Row(i)
		for j := range row {
			row[j] = T(r.NormFloat64())
		}
	}
	return m
}

func wide(m Matrix[float32]) Matrix[float64] {
	w := NewMatrix[float64](m.Rows, m.Cols)
	for i, v := range m.Data {
		w.Data[i] = float64(v)
	}
	return w
}

// near fails unless numbers differ by rounding alone.
func near(t *testing.T, name string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	for i, v := range got {
		if d := math.Abs(float64(v) - want[i]); !(d <= tolerance) {
			t.Fatalf("%s: number %d is %g, want %g", name, i, v, want[i])
		}
	}
}

// The kernels agree with the definition in double precision, for shapes that fill tiles and shapes that do not.
func TestProductsAreThoseOfDoublePrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][3]int{{1, 1, 1}, {4, 3, 24}, {5, 7, 9}, {32, 32, 680}, {128, 32, 130}, {3, 128, 55}} {
		a, b := random[float32](shape[0], shape[1], r), random[float32](shape[1], shape[2], r)
		c := random[float32](shape[0], shape[2], r)
		want := wide(c)
		AddProduct(want, wide(a), wide(b))
		AddProduct(c, a, b)
		near(t, "product", c.Data, want.Data, 1e-4)

		right := b.Transposed()
		sum := NewMatrix[float32](shape[0], shape[2])
		exact := NewMatrix[float64](shape[0], shape[2])
		AddProduct(exact, wide(a), wide(b))
		AddProductTransposed(sum, a, right)
		near(t, "transposed product", sum.Data, exact.Data, 1e-4)
	}
}

// A product changes no number behind its rows: others may own that memory.
func TestProductsStayInTheirRows(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	const rows, cols, k = 6, 40, 5
	a, b := random[float32](rows, k, r), random[float32](k, cols, r)
	memory := make([]float32, 20*cols)
	mark := math.Float32frombits(0x7f80_0001) // adding zero to it changes its bits
	for i := rows * cols; i < len(memory); i++ {
		memory[i] = mark
	}
	AddProduct(Matrix[float32]{Rows: rows, Cols: cols, Stride: cols, Data: memory[:rows*cols]}, a, b)
	for i, v := range memory[rows*cols:] {
		if math.Float32bits(v) != 0x7f80_0001 {
			t.Fatalf("number %d behind the product has changed to %x", i, math.Float32bits(v))
		}
	}
	want := NewMatrix[float64](rows, cols)
	AddProduct(want, wide(a), wide(b))
	near(t, "product", memory[:rows*cols], want.Data, 1e-5)
}

func TestSpectraAreMultipliedAsComplexNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const groups = 2
	for _, conjugate := range []bool{false, true} {
		for _, shape := range [][3]int{{1, 1, 1}, {3, 5, 2}, {4, 3, 5}} {
			p, q := NewSpectra[float32](shape[0], shape[1], groups), NewSpectra[float32](shape[1], shape[2], groups)
			for _, data := range [][]float32{p.Data, q.Data} {
				for i := range data {
					data[i] = float32(r.NormFloat64())
				}
			}
			c := NewSpectra[float32](shape[0], shape[2], groups)
			AddSpectra(c, p, q, groups, conjugate)
			at := func(s Spectra[float32], i, j, k int) complex128 {
				from := i*s.Row + j*s.Column + k/Group*2*Group + k%Group
				return complex(float64(s.Data[from]), float64(s.Data[from+Group]))
			}
			for i := range shape[0] {
				for j := range shape[2] {
					for k := range groups * Group {
						var want complex128
						for l := range shape[1] {
							left := at(p, i, l, k)
							if conjugate {
								left = complex(real(left), -imag(left))
							}
							want += left * at(q, l, j, k)
						}
						if got := at(c, i, j, k); math.Hypot(real(got-want), imag(got-want)) > 1e-5 {
							t.Fatalf("%v: (%d, %d) is %v at %d, want %v", shape, i, j, got, k, want)
						}
					}
				}
			}
		}
	}
}

func TestGELUIsItsFormula(t *testing.T) {
	x := make([]float32, 80000)
	for i := range x {
		x[i] = float32(i-40000) / 2000
	}
	x[0], x[1], x[2] = -1e30, 1e30, -100
	x = append(x, float32(math.Copysign(0, -1)), 1e-30, -1e-30, 5.5, -5.5, 0, 1, 2)
	double := make([]float64, len(x))
	for i, v := range x {
		double[i] = float64(v)
	}
	y, slope := make([]float32, len(x)), make([]float32, len(x))
	wantY, wantSlope := make([]float64, len(x)), make([]float64, len(x))
	GELU(y, slope, x)
	GELU(wantY, wantSlope, double)
	for i, v := range x {
		if d := math.Abs(float64(y[i]) - wantY[i]); !(d <= 4e-7*max(1, math.Abs(double[i]))) {
			t.Errorf("GELU(%g) is %g, want %g", v, y[i], wantY[i])
		}
		if d := math.Abs(float64(slope[i]) - wantSlope[i]); !(d <= 1e-6) {
			t.Errorf("the slope at %g is %g, want %g", v, slope[i], wantSlope[i])
		}
	}
}

// One step moves every weight by about the rate, against its gradient; many steps find the minimum of a square.
func TestAdamIsItsFormula(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const size = 16
	w, g := make([]float32, size), make([]float32, size)
	exact, gradient := make([]float64, size), make([]float64, size)
	single := Adam[float32]{Decay: 1e-4, Mean: make([]float32, size), Square: make([]float32, size)}
	double := Adam[float64]{Decay: 1e-4, Mean: make([]float64, size), Square: make([]float64, size)}
	for range 50 {
		for i := range g {
			g[i] = float32(r.NormFloat64()) + w[i]
			gradient[i] = float64(g[i])
		}
		single.Step(w, g, 1e-2)
		double.Step(exact, gradient, 1e-2)
	}
	near(t, "weights", w, exact, 1e-5)
}

func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range []struct {
		name    string
		m, k, n int
	}{{"32x32x680", 32, 32, 680}, {"128x32x680", 128, 32, 680}, {"transform 160x136x32", 160, 136, 32}} {
		b.Run(shape.name, func(b *testing.B) {
			left, right := random[float32](shape.m, shape.k, r), random[float32](shape.k, shape.n, r)
			c := NewMatrix[float32](shape.m, shape.n)
			for b.Loop() {
				AddProduct(c, left, right)
			}
			b.ReportMetric(2*float64(shape.m*shape.k*shape.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
}

func BenchmarkProductTransposed(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	left, right := random[float32](32, 680, r), random[float32](32, 680, r)
	c := NewMatrix[float32](32, 32)
	for b.Loop() {
		AddProductTransposed(c, left, right)
	}
	b.ReportMetric(2*32*32*680*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

func BenchmarkSpectra(b *testing.B) {
	p, q, c := NewSpectra[float32](32, 32, 2), NewSpectra[float32](32, 5, 2), NewSpectra[float32](32, 5, 2)
	for b.Loop() {
		AddSpectra(c, p, q, 2, false)
	}
	b.ReportMetric(8*32*32*5*16*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
}

func BenchmarkGELU(b *testing.B) {
	x, y, slope := make([]float32, 8192), make([]float32, 8192), make([]float32, 8192)
	for b.Loop() {
		GELU(y, slope, x)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8192, "ns/number")
}
