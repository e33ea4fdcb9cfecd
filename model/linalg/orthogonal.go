// The orthogonal matrix of a tridiagonalisation, for transforming many vectors.

package linalg

import (
	"context"

	"rfm/solver/parallel"
)

// orthogonal returns the n x n matrix Q. It costs about 2 n^3 multiplications, and as many more after two stages; the
// result does not depend on workers. The error is ctx's.
func (t *tridiagonal) orthogonal(ctx context.Context, workers int) (*Panels, error) {
	n := t.reflectors.order
	transposed := NewPanels(padded(n)+2*maxWidth, n) // with room for whole tiles from any row on
	for j := range n {
		transposed.data[transposed.at(j, j)] = 1
	}
	if err := t.applyBandReflectors(ctx, workers, transposed); err != nil {
		return nil, err
	}
	if err := t.applyChaseReflectors(ctx, workers, transposed); err != nil {
		return nil, err
	}
	q := NewPanels(n, n)
	transposed.transpose(q, 0)
	return q, nil
}

// window is a product of reflectors that transforms the rows from first on.
type window struct {
	*reflectors
	first int
}

// applyWindows replaces the columns of x by ... H(1)'H(0)'x, a strip at a time. The error is ctx's.
func applyWindows(ctx context.Context, workers int, x *Panels, windows []window) error {
	memory := func() reflection { return newReflection(strip) }
	return parallel.With(ctx, workers, ceilDiv(x.cols, strip), memory, func(space reflection, t int) error {
		for _, h := range windows {
			h.apply(x.Columns(t*strip, strip).From(h.first), space)
		}
		return nil
	})
}

// applyBandReflectors replaces x by Q1'x. The error is ctx's.
func (t *tridiagonal) applyBandReflectors(ctx context.Context, workers int, x *Panels) error {
	n := t.reflectors.order
	for start := 0; start+t.width < n; start += reflectorBlock {
		first := start + t.width
		h := reflectorsOf(t.reflectors.level, n-first, min(reflectorBlock, n-first), func(j int) ([]float64, float64) {
			return t.bandVector(start + j), t.bandTau[start+j]
		})
		if err := applyWindows(ctx, workers, x, []window{{h, first}}); err != nil {
			return err
		}
	}
	return nil
}

// applyChaseReflectors replaces x by Q2'x. The error is ctx's.
//
// Reflectors at one position of successive sweeps, each a row further down, are applied together, the last position
// first: they need those of earlier sweeps at the next position, and no others.
func (t *tridiagonal) applyChaseReflectors(ctx context.Context, workers int, x *Panels) error {
	n := t.reflectors.order
	for s := 0; s < t.sweeps(); s += reflectorBlock {
		windows := make([]window, t.positions(n-1-s))
		err := share(ctx, len(windows), workers, func(i int) { windows[i] = t.chaseWindow(s, len(windows)-1-i) })
		if err != nil {
			return err
		}
		if err := applyWindows(ctx, workers, x, windows); err != nil {
			return err
		}
	}
	return nil
}

// chaseWindow returns the product of the reflectors at position p of reflectorBlock sweeps, s being the first.
func (t *tridiagonal) chaseWindow(s, p int) window {
	n, first := t.reflectors.order, t.chaseRow(s, p)
	length, count := min(t.width+reflectorBlock-1, n-first), min(reflectorBlock, n-first)
	return window{reflectorsOf(t.reflectors.level, length, count, func(j int) ([]float64, float64) {
		return t.chaseVector(s+j, p), *t.tauOf(s+j, p)
	}), first}
}
