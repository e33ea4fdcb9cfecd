package linalg

import (
	"math"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// The products that are computed here in one goroutine equal those of gonum, for any sizes and transposes.
func TestSerialProductsAreThoseOfGonum(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {200, 70, 3}, {70, 200, 5}, {193, 65, 64}, {400, 300, 7}} {
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			for _, tB := range []blas.Transpose{blas.NoTrans, blas.Trans} {
				m, n, k := size[0], size[1], size[2]
				a, lda := numbers(m*k, 1), k
				if tA == blas.Trans {
					lda = m
				}
				b, ldb := numbers(k*n, 2), n
				if tB == blas.Trans {
					ldb = k
				}
				got, want := numbers(m*n, 3), numbers(m*n, 3)
				serial{}.Dgemm(tA, tB, m, n, k, 2, a, max(1, lda), b, max(1, ldb), -0.5, got, n)
				gonum.Implementation{}.Dgemm(tA, tB, m, n, k, 2, a, max(1, lda), b, max(1, ldb), -0.5, want, n)
				for x, v := range want {
					if math.Abs(got[x]-v) > 1e-12 {
						t.Fatalf("%v, %c, %c: number %d is %g, want %g", size, tA, tB, x, got[x], v)
					}
				}
			}
		}
	}
}

func numbers(count int, seed float64) []float64 {
	all := make([]float64, count)
	for i := range all {
		all[i] = math.Sin(seed + float64(i*i))
	}
	return all
}

// A product of gonum starts no goroutine, so that the number of workers is what the user has allowed.
func TestProductsOfGonumStartNoGoroutine(t *testing.T) {
	if _, ok := blas64.Implementation().(serial); !ok {
		t.Fatalf("the implementation is a %T", blas64.Implementation())
	}
	before := runtime.NumGoroutine() + 1 // with the one that counts
	var most atomic.Int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for most.Load() >= 0 {
			if now := int64(runtime.NumGoroutine()); now > most.Load() {
				most.CompareAndSwap(most.Load(), now)
			}
			time.Sleep(100 * time.Microsecond)
		}
	}()
	a := mat.NewDense(600, 600, numbers(600*600, 1))
	var product mat.Dense
	for range 5 {
		product.Mul(a, a.T())
	}
	found := most.Swap(-1)
	<-done
	if found > int64(before) {
		t.Errorf("%d goroutines, %d before", found, before)
	}
}
