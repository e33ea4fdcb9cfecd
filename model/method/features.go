// This file is the random feature model.

package method

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/feature"
	"rfm/model/report"
	"rfm/model/rfm"
	"rfm/solver/dataset/npy"
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
	Path     *rfm.LOO // from which lambda was chosen; nil if it was given or if the model was read
}

// Domain is one of Operator.
func (f Features) Domain() grid.Domain { return f.Map.Domain() }

// Channels is one of Operator.
func (f Features) Channels() (in, out int) { return f.Map.Channels() }

// outputs is the domain of the outputs with their channels.
func (f Features) outputs() grid.Domain {
	_, out := f.Channels()
	return f.Domain().With(out)
}

// Finest is one of Operator. Between the points of that grid the random functions are interpolated.
func (f Features) Finest() int { return f.Map.Finest() }

// LeaveOneOut is one of Operator. It is known if lambda was chosen by it.
func (f Features) LeaveOneOut() float64 { return f.Solution.LeaveOneOut }

// String is one of Operator.
func (f Features) String() string {
	s := f.Solution
	return fmt.Sprintf("%d %s with lambda=%s, rank %d", len(s.Alpha), f.Map.Label(), report.Lambda(s.Lambda), s.Rank)
}

// Cost is one of Operator: a transform and an activation for every feature; the iteration of collapsed features is that
// of few.
func (f Features) Cost(points int) float64 {
	const perValue, sweeps = 30, 16 // multiplications; features of as much work
	m := float64(len(f.Solution.Alpha))
	if _, collapsed := f.Map.(feature.Collapsed); collapsed {
		m = sweeps
	}
	return m * perValue * float64(f.Domain().Values(points))
}

// Bytes is one of Operator: theta and its spectra. The fields of collapsed features are few.
func (f Features) Bytes(points int) float64 {
	if _, collapsed := f.Map.(feature.Collapsed); collapsed {
		return 0
	}
	return 2 * 8 * float64(len(f.Solution.Alpha)) * float64(f.Domain().Values(points))
}

// Predict is one of Operator; predictor-corrector features have a limit to how fine a grid may be, from their
// mollifier. On grids that the model's own contains, the result is to the last bit that of the model in memory when it
// was trained.
func (f Features) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	predictions, err := f.Map.Predict(ctx, f.Solution.Alpha, inputs, workers, progress)
	if err != nil || f.Offset == nil {
		return predictions, err
	}
	offset, err := resample.To(grid.BatchOf(f.outputs(), f.offsetPoints(), f.Offset), predictions.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions.Plus(1, offset.Data), nil
}

// offsetPoints is the number of points along an axis of the grid of the offset.
func (f Features) offsetPoints() int { return f.outputs().PointsOf(f.Offset) }

// Check is one of Operator.
func (f Features) Check() error {
	s := f.Solution
	switch {
	case len(s.Alpha) < 1:
		return feature.Unusable("has no coefficients")
	case s.Rank < 0 || s.Rank > len(s.Alpha) || len(s.Eigenvalues) > len(s.Alpha):
		return feature.Unusable(fmt.Sprintf("has the rank %d and %d eigenvalues for %d coefficients",
			s.Rank, len(s.Eigenvalues), len(s.Alpha)))
	case !grid.Finite(s.Lambda) || s.Lambda < 0:
		return feature.Unusable(fmt.Sprintf("has lambda = %g", s.Lambda))
	}
	if err := f.Map.Check(len(s.Alpha)); err != nil {
		return err
	}
	if points, ok := f.outputs().Points(len(f.Offset)); f.Offset != nil && (!ok || points < 3) {
		return feature.Unusable(fmt.Sprintf("has an offset of %d values, want a function on a closed grid", len(f.Offset)))
	}
	return nil
}

// Encode is one of Operator. Scalars are those of the map.
func (f Features) Encode() (string, any, []npy.Named) {
	kind, scalars, arrays := f.Map.Encode()
	if f.Offset != nil {
		arrays = append(arrays, array("offset", f.Offset, f.outputs().Shape(f.offsetPoints())...))
	}
	arrays = append(arrays, array("alpha", f.Solution.Alpha, len(f.Solution.Alpha)))
	if e := f.Solution.Eigenvalues; e != nil {
		arrays = append(arrays, array("eigenvalues", e, len(e)))
	}
	return kind, scalars, arrays
}

// ReadFeatures reads a random feature model from a model file that calls its map kind; solution is what the file says
// of it besides arrays. The error is a *fault.Data.
func ReadFeatures(kind string, solution rfm.Solution, s feature.Stored) (Features, error) {
	f := Features{Solution: solution}
	alpha, err := s.Array("alpha", 1)
	if err != nil {
		return f, err
	}
	f.Solution.Alpha = alpha.Data
	if s.Has("eigenvalues") {
		eigenvalues, err := s.Array("eigenvalues", 1)
		if err != nil {
			return f, err
		}
		f.Solution.Eigenvalues = eigenvalues.Data
	}
	if f.Map, err = feature.Decode(kind, s, len(alpha.Data)); err != nil || !s.Has("offset") {
		return f, err
	}
	dims := f.Domain().Dims
	if f.outputs().Channels > 1 {
		dims++
	}
	offset, err := s.Array("offset", dims)
	if err != nil {
		return f, err
	}
	if points, ok := f.outputs().Points(len(offset.Data)); ok && !slices.Equal(offset.Shape, f.outputs().Shape(points)) {
		err = feature.Unusable(fmt.Sprintf("has \"offset\" of shape %v, want %v", offset.Shape, f.outputs().Shape(points)))
	}
	f.Offset = offset.Data
	return f, err
}

// NumPy is one of Operator, on the grids that those of its functions contain.
func (f Features) NumPy(points int) (imports, program string) {
	domain := f.Domain()
	if !domain.Contains(f.Finest(), points) {
		return "", ""
	}
	imports, program = f.Map.NumPy()
	program = "alpha = model[\"alpha\"]\n" + program
	if f.Offset == nil {
		return imports, program
	}
	own := f.offsetPoints()
	switch {
	case domain.Cells && own != points || !domain.Contains(own, points): // means, not points
		return "", ""
	case domain.Cells:
		return imports, program + "u += model[\"offset\"]\n"
	}
	program += fmt.Sprintf("s = %d//(a.shape[-%d] - 1)\n", domain.Intervals(own), domain.Dims)
	if domain.Dims == 2 {
		return imports, program + "u += model[\"offset\"][..., ::s, ::s]\n"
	}
	return imports, program + "u += model[\"offset\"][..., ::s]\n"
}
