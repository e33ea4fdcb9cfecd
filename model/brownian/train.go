package brownian

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/linalg"
	"rfm/solver/fault"
	"rfm/solver/parallel"
)

// groupsPerPiece is the number of groups of four modes that a worker collapses at a time.
const groupsPerPiece = 8

// Train returns the models of the first m features of a draw (0 to 127), for every m in counts, in that order. With
// Phi_il = phi(x_i; theta_l), alpha is the minimum norm least squares solution of (1/m) Phi alpha = y. For m > n it is
// found from n equations, for m <= n from m:
//
//	alpha = Phi' beta, (Phi Phi'/m) beta = y;    (Phi' Phi/m) alpha = Phi' y.
//
// A model is the same whatever the other counts and the number of workers >= 1. The normals take 8 J max(counts) bytes.
// The error is ctx's, or a *fault.Numerical.
func (p Problem) Train(ctx context.Context, counts []int, draw, workers int) ([]*Model, error) {
	d := p.Data()
	blocks, err := p.drawFeatures(ctx, d.X, slices.Max(counts), draw, workers)
	if err != nil {
		return nil, err
	}
	models := make([]*Model, len(counts))
	duals := dualSums(blocks, p.Points, counts)
	err = parallel.For(ctx, workers, len(counts), func(_, q int) error {
		m := counts[q]
		model := &Model{Draw: draw, Alpha: make([]float64, m), Coefficients: make([]float64, p.Truncation)}
		var err error
		if m > p.Points {
			model.Rank, err = solveDual(ctx, model.Alpha, blocks, duals[q], d.Y, p.Rcond)
		} else {
			model.Rank, err = solvePrimal(ctx, model.Alpha, blocks, d.Y, p.Rcond)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return &fault.Numerical{Where: fmt.Sprintf("Brownian bridge model of %d features, draw %d", m, draw),
				What: err.Error(), Do: "check the target"}
		}
		models[q] = model
		return nil
	})
	if err != nil {
		return nil, err
	}
	return models, collapse(ctx, models, blocks, workers)
}

// dualSums returns Phi Phi' over the first m features for each m in counts that exceeds n, else nil. The sums run over
// whole blocks in order, then over the part of the last.
func dualSums(blocks []block, n int, counts []int) []*linalg.Symmetric {
	sums := make([]*linalg.Symmetric, len(counts))
	whole := linalg.NewSymmetric(n)
	for _, b := range blocks {
		for q, m := range counts {
			if m > n && b.first < m && m <= b.first+blockFeatures {
				sums[q] = whole.Clone()
				sums[q].RankUpdate(b.phi, m-b.first, 1)
			}
		}
		whole.RankUpdate(b.phi, blockFeatures, 1)
	}
	return sums
}

// solveDual sets alpha = Phi' beta, (sums/m) beta = y, m = len(alpha), and returns the rank.
func solveDual(ctx context.Context, alpha []float64, blocks []block, sums *linalg.Symmetric, y []float64,
	rcond float64) (rank int, err error) {
	sums.Scale(1 / float64(len(alpha)))
	beta := make([]float64, len(y))
	if rank, err = solve(ctx, beta, sums, y, rcond); err != nil {
		return 0, err
	}
	for _, b := range blocks {
		if b.first < len(alpha) {
			b.applyFeatures(alpha, beta)
		}
	}
	return rank, nil
}

// solvePrimal solves (Phi' Phi/m) alpha = Phi' y, m = len(alpha), and returns the rank.
func solvePrimal(ctx context.Context, alpha []float64, blocks []block, y []float64, rcond float64) (rank int,
	err error) {
	m, n := len(alpha), len(y)
	phi := linalg.NewPanels(n, m)
	rhs := make([]float64, m)
	for _, b := range blocks {
		if b.first >= m {
			break
		}
		b.applyFeatures(rhs, y)
		for r := range min(blockFeatures, m-b.first) {
			l := b.first + r
			for i := range n {
				phi.Panel(l / 4)[4*i+l%4] = b.phi.Panel(i / 4)[4*r+i%4]
			}
		}
	}
	gram := linalg.NewSymmetric(m)
	gram.RankUpdate(phi, n, 1)
	gram.Scale(1 / float64(m))
	return solve(ctx, alpha, gram, rhs, rcond)
}

func solve(ctx context.Context, dst []float64, gram *linalg.Symmetric, b []float64, rcond float64) (rank int,
	err error) {
	spectral, err := linalg.Decompose(ctx, gram, 1)
	if err != nil {
		return 0, err
	}
	return spectral.SolveTruncated(dst, b, rcond)
}

// collapse sets the coefficients of the models, c_j = (1/m) sum_l alpha_l theta_lj.
func collapse(ctx context.Context, models []*Model, blocks []block, workers int) error {
	groups := (len(models[0].Coefficients) + 3) / 4
	sums := make([][]float64, len(models))
	for q := range sums {
		sums[q] = make([]float64, 4*groups)
	}
	err := parallel.For(ctx, workers, (groups+groupsPerPiece-1)/groupsPerPiece, func(_, i int) error {
		from := i * groupsPerPiece
		to := min(from+groupsPerPiece, groups)
		for _, b := range blocks {
			for q, f := range models {
				if b.first < f.Count() {
					b.addCoefficients(sums[q], f.Alpha, from, to)
				}
			}
		}
		return nil
	})
	for q, f := range models {
		for j := range f.Coefficients {
			f.Coefficients[j] = sums[q][j] / float64(f.Count())
		}
	}
	return err
}
