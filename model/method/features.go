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
	Map          feature.Trained `json:"map"`
	rfm.Solution                 // one coefficient for each feature, and facts of the solve
	Offset       []float64       `json:"offset,omitempty" shape:"offset_grid"` // function on a grid of its own; nil: 0
	OffsetPoints int             `json:"offset_points,omitempty"`              // along the first axis of that grid
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

// Bytes returns about the memory, besides functions, of predictions on the grid with the given points along an axis:
// theta and its spectra. The fields of collapsed features are few.
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
	offset, err := resample.To(grid.BatchOf(f.Domain(), f.OffsetPoints, f.Offset), predictions.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions.Plus(1, offset.Data), nil
}

func (f Features) Stored() codec.Part { return &f }

func (*Features) Kind() string { return config.RandomFeatures }

func (f *Features) Sizes() (map[string][]int, error) {
	if !grid.Finite(f.Lambda, f.Solution.LeaveOneOut) || min(f.Lambda, f.Solution.LeaveOneOut) < 0 || f.Rank < 0 {
		return nil, codec.Bad("has lambda = %g, the leave-one-out error %g and the rank %d", f.Lambda, f.Solution.LeaveOneOut,
			f.Rank)
	}
	if f.OffsetPoints == 0 {
		return nil, nil
	}
	d := f.Domain()
	_, err := codec.GridOf(d, f.OffsetPoints, 1, 1).Domain()
	return map[string][]int{"offset_grid": d.Shape(f.OffsetPoints)}, err
}

func (f *Features) Restored() (any, error) {
	m := len(f.Alpha)
	if count := f.Map.Count(); f.Rank > m || len(f.Eigenvalues) > m || count != m && count > 0 {
		return nil, codec.Bad("has the rank %d, %d eigenvalues and %d features for %d coefficients", f.Rank,
			len(f.Eigenvalues), count, m)
	}
	return *f, nil
}
