package brownian

import (
	"context"

	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/parallel"
)

const (
	// maxFeatures separates the streams of different draws: feature l of draw d has index d*maxFeatures + l.
	maxFeatures = 1 << 24
	// blockFeatures is the number of features evaluated together: with 1000 modes their normals stay in the second cache.
	blockFeatures = 64
)

// block is blockFeatures consecutive features of a draw.
type block struct {
	first int
	// theta[4*(g*blockFeatures+r)+i] is normal 4g+i, counted from 0, of feature first+r; zero beyond J
	theta []float64
	phi   *linalg.Panels // blockFeatures x n: feature first+r at data point i
}

// drawFeatures draws the first count features of a draw and evaluates them at the data points. The last block is whole
// too: the kernels may round a shorter one differently, and a feature must not depend on how many there are.
func (p Problem) drawFeatures(ctx context.Context, x []float64, count, number, workers int) ([]block, error) {
	n, groups := len(x), (p.Truncation+3)/4
	basis := make([]float64, 4*n*groups) // mode 4g+i at point q in basis[4*(g*n+q)+i]
	for g := range groups {
		for q, x := range x {
			for i := range min(4, p.Truncation-4*g) {
				basis[4*(g*n+q)+i] = mode(4*g+i+1, x)
			}
		}
	}
	blocks := make([]block, (count+blockFeatures-1)/blockFeatures)
	err := parallel.For(ctx, workers, len(blocks), func(_, b int) error {
		const rows = blockFeatures
		first := b * rows
		theta := make([]float64, 4*groups*rows)
		for r := range rows {
			stream := draw.Stream(p.Seed, draw.ThetaBridge, number*maxFeatures+first+r)
			for j := range p.Truncation {
				theta[4*(j/4*rows+r)+j%4] = stream.NormFloat64()
			}
		}
		values := make([]float64, n*rows)
		linalg.Combine(values, theta, basis, n)
		phi, column := linalg.NewPanels(rows, n), make([]float64, rows)
		for q := range n {
			panel := phi.Panel(q / 4)
			linalg.Combined(column, values, q, n)
			for r, v := range column {
				panel[4*r+q%4] = v
			}
		}
		blocks[b] = block{first, theta, phi}
		return nil
	})
	return blocks, err
}

// applyFeatures adds phi_l(x_i) beta_i to alpha_l for the features of the block, as many as alpha has room for.
func (b block) applyFeatures(alpha, beta []float64) {
	for i, v := range beta {
		panel := b.phi.Panel(i / 4)
		for r := range min(blockFeatures, len(alpha)-b.first) {
			alpha[b.first+r] += panel[4*r+i%4] * v
		}
	}
}

// addCoefficients adds sum_l alpha_l theta_lj, over the features l of the block that alpha has, to sums[j-1] for the
// modes j of the groups of four from <= g < to.
func (b block) addCoefficients(sums, alpha []float64, from, to int) {
	weights := alpha[b.first:min(b.first+blockFeatures, len(alpha))]
	for g := from; g < to; g++ {
		theta := b.theta[4*g*blockFeatures:]
		var s0, s1, s2, s3 float64
		for r, a := range weights {
			t := theta[4*r : 4*r+4 : 4*r+4]
			s0 += a * t[0]
			s1 += a * t[1]
			s2 += a * t[2]
			s3 += a * t[3]
		}
		sums[4*g] += s0
		sums[4*g+1] += s1
		sums[4*g+2] += s2
		sums[4*g+3] += s3
	}
}
