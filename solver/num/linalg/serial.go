package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/blas/gonum"
)

// init has all products of gonum run on the goroutine that asks for them: its own implementation divides large ones among as many
// goroutines as there are processors, whatever number of workers the user has allowed. Large products belong in Product,
// which takes workers and a context; what is left to gonum are factorisations of small matrices.
func init() { blas64.Use(serial{}) }

// serial is gonum's implementation without its goroutines.
type serial struct{ gonum.Implementation }

// Gonum computes products of up to three blocks of 64 x 64 on one goroutine.
const serialRows, serialColumns = 3 * 64, 64

// Dgemm computes C = alpha op(A) op(B) + beta C in parts that gonum computes on one goroutine.
func (s serial) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	if m <= serialRows && n <= serialColumns || m <= serialColumns && n <= serialRows {
		s.Implementation.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	for i := 0; i < m; i += serialRows {
		rows := min(serialRows, m-i)
		var left []float64
		if tA == blas.NoTrans {
			left = a[i*lda:]
		} else {
			left = a[i:]
		}
		for j := 0; j < n; j += serialColumns {
			columns := min(serialColumns, n-j)
			var right []float64
			if tB == blas.NoTrans {
				right = b[j:]
			} else {
				right = b[j*ldb:]
			}
			s.Implementation.Dgemm(tA, tB, rows, columns, k, alpha, left, lda, right, ldb, beta, c[i*ldc+j:], ldc)
		}
	}
}
