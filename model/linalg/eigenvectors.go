// The eigenvectors of a decomposed matrix, for those who need all of them.

package linalg

import (
	"cmp"
	"context"
	"slices"

	"rfm/solver/parallel"
)

// Eigenvectors returns the n x n matrix whose column k is a unit eigenvector of S for Eigenvalues()[k]. It costs about
// 6 n^3 multiplications; the result does not depend on workers. The
// error is ctx's.
func (d *Spectral) Eigenvectors(ctx context.Context, workers int) (*Panels, error) {
	n := len(d.values)
	rows := NewPanels(padded(n), n) // Z'Q', whose rows are the eigenvectors
	for j := range n {
		rows.Panel(j / 4)[4*j+j%4] = 1
	}
	blocks, err := d.reflectorBlocks(ctx)
	if err != nil {
		return nil, err
	}
	err = parallel.For(ctx, workers, ceilDiv(n, strip), func(_, t int) error {
		x, w := rows.columns(t*strip, strip), newReflection(strip)
		for _, h := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			h.apply(x, w)
		}
		return d.rotations.applyToStrip(ctx, kernels{d.reflectors.level}, x)
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

// reflectorBlocks is Q as a product of blocks of reflectors. The error is ctx's.
func (t *tridiagonal) reflectorBlocks(ctx context.Context) ([]*reflectors, error) {
	a := t.reflectors
	n, k := a.order, kernels{a.level}
	var blocks []*reflectors
	for start := 0; start < n-1; start += reflectorBlock {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := newReflectors(a.level, n)
		products := make([]float64, reflectorBlock)
		for j := start; j < min(start+reflectorBlock, n-1); j++ {
			v := a.Row(j)[1:]
			for i := start; i < j; i++ {
				products[i-start] = k.dot(a.Row(i)[1+j-i:], v)
			}
			h.set(j-start, t.tau[j], j+1, v, products)
		}
		blocks = append(blocks, h)
	}
	return blocks, nil
}

// applyToStrip replaces the columns of x, one strip of them, by Z'x. The error is ctx's.
func (z rotations) applyToStrip(ctx context.Context, v kernels, x *Panels) error {
	for _, w := range z {
		if err := ctx.Err(); err != nil {
			return err
		}
		v.rotateStrip(w, x)
	}
	return nil
}
