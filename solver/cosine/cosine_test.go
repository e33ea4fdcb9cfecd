package cosine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// rounding bounds errors relative to the largest value: a transform sums r^2 rounded terms in O(log r) stages and r/2
// running sums.
const rounding = 1e-13

// grids has every small size, odd and even, and the sizes of experiments.
func grids() []int {
	var rs []int
	for r := 3; r <= 34; r++ {
		rs = append(rs, r)
	}
	return append(rs, 65, 129)
}

func random(count int) []float64 {
	source := rand.New(rand.NewPCG(3, uint64(count)))
	f := make([]float64, count)
	for i := range f {
		f[i] = source.NormFloat64()
	}
	return f
}

func expectEqual(t *testing.T, what string, got, want []float64) {
	t.Helper()
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= rounding*scale) {
			t.Fatalf("%s differs at %d: got %v, want %v, largest %v", what, i, got[i], want[i], scale)
		}
	}
}

func TestCosineIsTheDirectSum(t *testing.T) {
	for _, r := range grids() {
		f, want, half := random(r*r), make([]float64, r*r), make([]float64, r*r)
		cosines := make([]float64, r*r)
		for j := range r {
			for k := range r {
				cosines[j*r+k] = math.Cos(math.Pi * float64(j*k%(2*r-2)) / float64(r-1))
				if j == 0 || j == r-1 {
					cosines[j*r+k] /= 2
				}
			}
		}
		for i := range r {
			for j := range r {
				for l := range r {
					half[i*r+l] += f[i*r+j] * cosines[j*r+l]
				}
			}
		}
		for i := range r {
			for k := range r {
				for l := range r {
					want[k*r+l] += cosines[i*r+k] * half[i*r+l]
				}
			}
		}
		got := make([]float64, r*r)
		New(r).Cosine(got, f)
		expectEqual(t, fmt.Sprintf("transform at r = %d", r), got, want)
	}
}

func TestCosineIsItsOwnInverse(t *testing.T) {
	for _, r := range append(grids(), 257) {
		f := random(r * r)
		transform, c := New(r), make([]float64, r*r)
		transform.Cosine(c, f)
		transform.Cosine(c, c)
		for i := range c {
			c[i] *= 4 / float64((r-1)*(r-1))
		}
		expectEqual(t, fmt.Sprintf("transform of the transform at r = %d", r), c, f)
	}
}

func TestNothingAllocates(t *testing.T) {
	transform, f := New(33), random(33*33)
	fewest := math.Inf(1)
	for range 20 { // forgives a pool that a garbage collection or the race detector empties
		fewest = min(fewest, testing.AllocsPerRun(1, func() { transform.Cosine(f, f) }))
	}
	if fewest > 0 {
		t.Errorf("a transform allocates %v times", fewest)
	}
}

func TestWrongLengthPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a field of the wrong length was accepted")
		}
	}()
	New(17).Cosine(make([]float64, 289), make([]float64, 288))
}

func BenchmarkCosine(b *testing.B) {
	for _, r := range []int{33, 257} {
		transform, f, c := New(r), random(r*r), make([]float64, r*r)
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			for b.Loop() {
				transform.Cosine(c, f)
			}
		})
	}
}

func ExampleTransform_Cosine() {
	f := []float64{
		1, 0, 0,
		0, 0, 0,
		0, 0, 0,
	}
	New(3).Cosine(f, f)
	for i := 0; i < 9; i += 3 {
		fmt.Printf("%.2f\n", f[i:i+3])
	}
	// Output:
	// [0.25 0.25 0.25]
	// [0.25 0.25 0.25]
	// [0.25 0.25 0.25]
}
