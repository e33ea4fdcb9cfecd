// The eigenvectors of a decomposed matrix, for those who need all of them.

package linalg

import (
	"cmp"
	"context"
	"slices"

	"rfm/solver/parallel"
)

// Eigenvectors returns the n x n matrix whose column k is a unit eigenvector of S for Eigenvalues()[k]. It costs about
// 5 n^3 multiplications, and 2 n^3 more after two stages; the result does not depend on workers. The error is ctx's.
func (d *Spectral) Eigenvectors(ctx context.Context, workers int) (*Panels, error) {
	n := len(d.values)
	// Z'Q', whose rows are the eigenvectors, with room for whole tiles from any row on.
	rows := NewPanels(padded(n)+2*maxWidth, n)
	for j := range n {
		rows.Panel(j / 4)[4*j+j%4] = 1
	}
	if err := d.applyBandReflectors(ctx, workers, rows); err != nil {
		return nil, err
	}
	if err := d.applyChaseReflectors(ctx, workers, rows); err != nil {
		return nil, err
	}
	err := parallel.For(ctx, workers, ceilDiv(n, strip), func(_, t int) error {
		return d.rotations.applyToStrip(ctx, kernels{d.reflectors.level}, rows.columns(t*strip, strip))
	})
	if err != nil {
		return nil, err
	}
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(k, l int) int { return cmp.Compare(d.values[l], d.values[k]) })
	vectors := NewPanels(n, n)
	for k, from := range order {
		for j := range n {
			vectors.data[k/4*vectors.stride+4*j+k%4] = rows.data[j/4*rows.stride+4*from+j%4]
		}
	}
	return vectors, nil
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
			h.apply(x.columns(t*strip, strip).from(h.first), space)
		}
		return nil
	})
}

// applyBandReflectors replaces x by Q1'x. The error is ctx's.
func (t *tridiagonal) applyBandReflectors(ctx context.Context, workers int, x *Panels) error {
	n, k := t.reflectors.order, kernels{t.reflectors.level}
	products := make([]float64, reflectorBlock)
	for start := 0; start+t.width < n; start += reflectorBlock {
		first := start + t.width
		h := newReflectors(k.level, n-first)
		for j := start; j < min(start+reflectorBlock, n-t.width); j++ {
			v := t.bandVector(j)
			for i := start; i < j; i++ {
				products[i-start] = k.dot(t.bandVector(i)[j-i:], v)
			}
			h.set(j-start, t.bandTau[j], j-start, v, products)
		}
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

// chaseWindow is the product of the reflectors at position p of reflectorBlock sweeps, s being the first.
func (t *tridiagonal) chaseWindow(s, p int) window {
	n, k := t.reflectors.order, kernels{t.reflectors.level}
	first := t.chaseRow(s, p)
	h := newReflectors(k.level, min(t.width+reflectorBlock-1, n-first))
	var products [reflectorBlock]float64
	for j := range min(reflectorBlock, n-first) {
		v := t.chaseVector(s+j, p)
		for i := range j {
			earlier := t.chaseVector(s+i, p)
			earlier = earlier[min(j-i, len(earlier)):]
			products[i] = k.dot(earlier, v[:len(earlier)])
		}
		h.set(j, *t.tauOf(s+j, p), j, v, products[:])
	}
	return window{h, first}
}

// applyToStrip replaces the columns of x, one strip of them, by Z'x. The error is ctx's.
func (z rotations) applyToStrip(ctx context.Context, v kernels, x *Panels) error {
	for _, p := range z {
		for _, w := range p.all() {
			if err := ctx.Err(); err != nil {
				return err
			}
			v.rotateStrip(w, x)
		}
	}
	return nil
}
