// Greedy choice of the columns of a least squares problem from its Gram matrix: orthogonal least squares.

package linalg

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// greedyBlock is the number of columns chosen between two updates of the whole Schur complement.
const greedyBlock = 2 * strip

// Greedy chooses up to count columns of a matrix A with Gram matrix S = A'A and right-hand side b = A'y, one after the
// other, each such that |y - A_chosen x|^2 falls most (orthogonal least squares: Chen, Billings & Luo 1989). It returns
// their indices in the order of choice.
//
// This is a Cholesky factorisation with pivoting: with the Schur complement D of the chosen columns and the products r
// of the columns with the residual, the next column has the largest r_j^2 / D_jj, of several the first. A column is
// excluded once D_jj <= floor S_jj: up to that fraction of its square it is a combination of chosen ones. When no other
// is left, fewer than count are returned. Rounding leaves D_jj errors of at least n 2^-53 S_jj, so floor should not be
// less.
//
// It costs n^2 count/2 multiplications and a copy of S. The result does not depend on workers. The error is ctx.Err()
// or a *NonFiniteError, in which an entry of b counts as one in column n. Greedy panics unless len(b) = n, 0 <= count
// <= n and floor >= 0.
func Greedy(ctx context.Context, s *Symmetric, b []float64, count int, floor float64, workers int) (indices []int,
	err error) {
	n := s.order
	if len(b) != n || count < 0 || count > n || !(floor >= 0) {
		panic(fmt.Sprintf("linalg: Greedy choice of %d of %d columns with %d right-hand sides and floor %g", count, n,
			len(b), floor))
	}
	if err := s.checkFinite(); err != nil {
		return nil, err
	}
	for j, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &NonFiniteError{Row: j, Col: n, Value: v}
		}
	}
	g := newSelection(s, b, floor)
	for len(indices) < count {
		p := g.best()
		if p < 0 {
			break
		}
		indices = append(indices, p)
		if err := g.choose(ctx, p, workers); err != nil {
			return nil, err
		}
	}
	return indices, nil
}

// selection is the state of a pivoted factorisation.
type selection struct {
	kernels
	schur       *Symmetric // D without the rows that wait
	pivots      []float64  // n: D_jj; 0 for the columns that are chosen or left out
	floors      []float64  // n: pivots up to them count as 0
	products    []float64  // n: r
	waiting     []float64  // rows of the factor that D does not yet include, stride apart
	rows        int        // their number
	left, right *Panels    // greedyBlock x n: the waiting rows, negated, and as they are
}

func newSelection(s *Symmetric, b []float64, floor float64) *selection {
	n := s.order
	g := &selection{
		kernels:  kernels{s.level},
		schur:    s.Clone(),
		pivots:   make([]float64, n),
		floors:   make([]float64, n),
		products: slices.Clone(b),
		waiting:  make([]float64, greedyBlock*s.stride),
		left:     NewPanels(greedyBlock, n),
		right:    NewPanels(greedyBlock, n),
	}
	for j := range n {
		g.floors[j] = floor * s.At(j, j)
		g.setPivot(j, s.At(j, j))
	}
	return g
}

func (g *selection) setPivot(j int, pivot float64) {
	if !(pivot > max(g.floors[j], 0)) {
		pivot = 0
	}
	g.pivots[j] = pivot
}

// best returns the next column, or -1.
func (g *selection) best() int {
	column := -1
	gain := -1.0
	for j, pivot := range g.pivots {
		if pivot == 0 {
			continue
		}
		own := g.products[j] / pivot * g.products[j]
		if own > gain {
			column = j
			gain = own
		}
	}
	return column
}

// choose eliminates column p from all others.
func (g *selection) choose(ctx context.Context, p, workers int) error {
	n := g.schur.order
	stride := g.schur.stride
	row := g.waiting[g.rows*stride : g.rows*stride+n]
	for j := range p {
		row[j] = g.schur.data[j*stride+p]
	}
	copy(row[p:], g.schur.Row(p))
	g.subtractRows(row, g.waiting, stride, g.rows, p, 0)
	root := math.Sqrt(g.pivots[p])
	product := g.products[p] / root
	for j := range row {
		row[j] /= root
		if g.pivots[j] > 0 {
			g.products[j] -= product * row[j]
			g.setPivot(j, g.pivots[j]-row[j]*row[j])
		}
	}
	g.pivots[p] = 0
	g.rows++
	if g.rows == greedyBlock {
		return g.update(ctx, workers)
	}
	return ctx.Err()
}

// update subtracts the share of the waiting rows from D.
func (g *selection) update(ctx context.Context, workers int) error {
	s := g.schur
	for r := range greedyBlock {
		for j, v := range g.waiting[r*s.stride : r*s.stride+s.order] {
			at := g.right.at(r, j)
			g.right.data[at] = v
			g.left.data[at] = -v
		}
	}
	u := s.update(g.left, g.right, greedyBlock, 0)
	g.rows = 0
	return u.run(ctx, workers)
}
