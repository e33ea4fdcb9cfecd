// The eigenvectors of a decomposed matrix, for those who need all of them.

package linalg

import (
	"cmp"
	"slices"
)

// Eigenvectors returns the n x n matrix whose column k is a unit eigenvector of S for Eigenvalues()[k]. It costs about
// 6 n^3 multiplications; the result does not depend on workers.
func (d *Spectral) Eigenvectors(workers int) *Panels {
	n := len(d.values)
	rows := NewPanels(padded(n), n) // Z'Q', whose rows are the eigenvectors
	for j := range n {
		rows.Panel(j / 4)[4*j+j%4] = 1
	}
	blocks := d.reflectorBlocks()
	share(ceilDiv(n, strip), workers, func(t int) {
		x, w := rows.columns(t*strip, strip), newReflection(strip)
		for _, h := range blocks {
			h.apply(x, w)
		}
		d.rotations.applyToStrip(kernels{d.reflectors.level}, x)
	})
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
	return vectors
}

// reflectorBlocks is Q as a product of blocks of reflectors.
func (t *tridiagonal) reflectorBlocks() []*reflectors {
	a := t.reflectors
	n, k := a.order, kernels{a.level}
	var blocks []*reflectors
	for start := 0; start < n-1; start += reflectorBlock {
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
	return blocks
}

// applyToStrip replaces the columns of x, one strip of them, by Z'x.
func (z rotations) applyToStrip(v kernels, x *Panels) {
	for _, w := range z {
		v.rotateStrip(w, x)
	}
}
