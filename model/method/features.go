// This file contains the random feature model.

package method

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/feature"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Features is the random feature model F(a) = (1/m) sum_j alpha_j phi_j(a) + offset, whose coefficients package rfm
// computes.
type Features struct {
	Map    feature.Trained
	Offset []float64 // function on a grid of its own; nil: 0
	// alpha, one coefficient for each feature, with lambda, the rank and the eigenvalues of the solve
	Solution rfm.Solution
}

func (f Features) Domain() grid.Domain { return f.Map.Domain() }

func (f Features) Channels() (in, out int) { return 1, 1 }

// Finest implements Operator. Between the points of that grid the random functions are interpolated.
func (f Features) Finest() int { return f.Map.Finest() }

// LeaveOneOut implements Operator. It is known if lambda was chosen by it.
func (f Features) LeaveOneOut() float64 { return f.Solution.LeaveOneOut }

func (Features) Name() string { return config.RandomFeatures }

func (f Features) String() string {
	s := f.Solution
	return fmt.Sprintf("%d %s with lambda=%s, rank %d", len(s.Alpha), f.Map.Label(), report.Lambda(s.Lambda), s.Rank)
}

// Cost implements Operator: a transform and an activation for every feature. Iterating collapsed features costs as much
// as few features.
func (f Features) Cost(points int) float64 {
	const perValue, sweeps = 30, 16 // multiplications; features of as much work
	m := float64(len(f.Solution.Alpha))
	if _, collapsed := f.Map.(feature.Collapsed); collapsed {
		m = sweeps
	}
	return m * perValue * float64(f.Domain().Values(points))
}

// Bytes implements Operator: theta and its spectra. The fields of collapsed features are few.
func (f Features) Bytes(points int) float64 {
	if _, collapsed := f.Map.(feature.Collapsed); collapsed {
		return 0
	}
	return 2 * 8 * float64(len(f.Solution.Alpha)) * float64(f.Domain().Values(points))
}

// Predict implements Operator. The mollifier limits how fine the grid of predictor-corrector features may be. On grids
// that the model's own contains, the result is bitwise that of the model in memory after training.
func (f Features) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	predictions, err := f.Map.Predict(ctx, f.Solution.Alpha, inputs, workers, progress)
	if err != nil || f.Offset == nil {
		return predictions, err
	}
	offset, err := resample.To(grid.BatchOf(f.Domain(), f.Domain().PointsOf(f.Offset), f.Offset), predictions.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions.Plus(1, offset.Data), nil
}

// featuresFile is a Features in a model file: F(a) = (1/m) sum_j alpha_j phi_j(a) + offset.
type featuresFile struct {
	Lambda       float64    `json:"lambda"`
	Rank         int        `json:"rank"`
	LeaveOneOut  float64    `json:"leave_one_out"` // 0: unknown
	Map          codec.Part `json:"map"`
	Alpha        []float64  `json:"alpha" shape:"features"`
	Eigenvalues  []float64  `json:"eigenvalues,omitempty" shape:"kept"` // of the Gram matrix
	OffsetPoints int        `json:"offset_points,omitempty"`            // along the first axis of the grid of the offset
	Offset       []float64  `json:"offset,omitempty" shape:"offset_grid"`
}

func (*featuresFile) Kind() string { return config.RandomFeatures }

func (p *featuresFile) Sizes() (map[string][]int, error) {
	m, ok := p.Map.(feature.Stored)
	if !ok {
		return nil, codec.Bad("has the kind %q where a feature map is expected", p.Map.Kind())
	}
	if !grid.Finite(p.Lambda, p.LeaveOneOut) || min(p.Lambda, p.LeaveOneOut) < 0 || p.Rank < 0 {
		return nil, codec.Bad("has lambda = %g, the leave-one-out error %g and the rank %d", p.Lambda, p.LeaveOneOut, p.Rank)
	}
	d, err := m.Domain()
	if err != nil || p.OffsetPoints == 0 {
		return nil, err
	}
	if _, err = codec.GridOf(d, p.OffsetPoints, 1, 1).Domain(); err != nil {
		return nil, err
	}
	return map[string][]int{"offset_grid": d.Shape(p.OffsetPoints)}, nil
}

func (f Features) Stored() codec.Part {
	s := f.Solution
	p := &featuresFile{Lambda: s.Lambda, Rank: s.Rank, LeaveOneOut: s.LeaveOneOut, Map: f.Map.Stored(), Alpha: s.Alpha,
		Eigenvalues: s.Eigenvalues, Offset: f.Offset}
	if f.Offset != nil {
		p.OffsetPoints, _ = f.Domain().Points(len(f.Offset))
	}
	return p
}

func (p *featuresFile) Restored() (any, error) {
	m := len(p.Alpha)
	if p.Rank > m || len(p.Eigenvalues) > m {
		return nil, codec.Bad("has the rank %d and %d eigenvalues for %d coefficients", p.Rank, len(p.Eigenvalues), m)
	}
	random, err := p.Map.(feature.Stored).Trained(m)
	return Features{Map: random, Offset: p.Offset, Solution: rfm.Solution{Alpha: p.Alpha, Lambda: p.Lambda, Rank: p.Rank,
		Eigenvalues: p.Eigenvalues, LeaveOneOut: p.LeaveOneOut}}, err
}
