// Package cosine transforms fields on the closed square grid by the discrete cosine transform of the first kind, which
// sums cosine series and diagonalises the Laplacian with mirror Neumann boundaries.
package cosine

import (
	"fmt"
	"math"
	"sync"

	"rfm/solver/fft"
)

// columns is the number of columns that are transformed together: a block of package fft.
const columns = 2 * fft.Lanes

// Transform holds the tables for one grid. It never changes after New and may be used by any number of goroutines at
// once; in the steady state nothing allocates.
type Transform struct {
	r, n       int // n = r-1
	stride     int // of the rows of a workspace
	plan       *fft.Plan
	positions  []int     // offsets in a block of frequencies j and -j, for j = 0 ... n/2
	half       []float64 // sin(j pi/n)/2, for j = 0 ... n/2
	first      []float64 // cos(j pi/n), for j = 0 ... n
	workspaces sync.Pool
}

// New returns the transform on the closed r x r grid. It panics if r < 3.
func New(r int) *Transform {
	if r < 3 {
		panic(fmt.Sprintf("cosine: grid of %d x %d points", r, r))
	}
	n := r - 1
	t := &Transform{r: r, n: n, stride: (r+columns-1)/columns*columns + columns, plan: fft.NewPlan(n)}
	offset := make([]int, n)
	for position, k := range t.plan.Frequencies() {
		offset[(k+n)%n] = position * columns
	}
	for j := 0; j <= n/2; j++ {
		t.positions = append(t.positions, offset[j], offset[(n-j)%n])
		t.half = append(t.half, math.Sin(math.Pi*float64(j)/float64(n))/2)
	}
	for j := range r {
		t.first = append(t.first, math.Cos(math.Pi*float64(j)/float64(n)))
	}
	t.workspaces.New = func() any { return newWorkspace(t) }
	return t
}

// R is the number of grid points along an axis, counting both ends.
func (t *Transform) R() int { return t.r }

// Cosine sets dst to the discrete cosine transform (DCT-I) of the r x r field f, row-major,
//
//	dst_kl = sum_ij w_i w_j f_ij cos(i k pi/n) cos(j l pi/n),  i, j, k, l = 0 ... n,  n = r-1,
//
// where w is 1/2 at both ends and 1 between. Applied twice it multiplies by (n/2)^2. dst may be f. It panics unless
// both have r^2 values.
func (t *Transform) Cosine(dst, f []float64) {
	if len(dst) != t.r*t.r || len(f) != t.r*t.r {
		panic(fmt.Sprintf("cosine: fields of %d and %d values on a %d x %d grid", len(dst), len(f), t.r, t.r))
	}
	w := t.workspaces.Get().(*workspace)
	defer t.workspaces.Put(w)
	for j := 0; j < t.r; j += columns {
		rows, stride := f[j:], t.r
		if t.r-j < columns {
			for i := range t.r {
				copy(w.edge[i*columns:(i+1)*columns], f[i*t.r+j:(i+1)*t.r])
			}
			rows, stride = w.edge, columns
		}
		t.columns(w, rows, stride)
		transpose(w.transformed[j*t.stride:], t.stride, w.block, columns)
	}
	for k := 0; k < t.r; k += columns {
		t.columns(w, w.transformed[k:], t.stride)
		transpose(dst[k*t.r:], t.r, w.block, min(columns, t.r-k))
	}
}

// workspace is the scratch memory of one transform.
type workspace struct {
	transformed []float64 // one axis transformed, the axes exchanged: whole blocks of rows at the stride
	block       []float64 // eight columns, [row][column]
	edge        []float64 // the last columns of a field, completed to eight
	z           []float64 // a block of package fft
}

func newWorkspace(t *Transform) *workspace {
	return &workspace{
		transformed: make([]float64, t.stride*t.stride),
		block:       make([]float64, columns*t.r),
		edge:        make([]float64, columns*t.r),
		z:           make([]float64, columns*t.n),
	}
}
