// This file has the bases of corrections at points of any geometry, and the fluxes there.

package correct

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
	"rfm/solver/space/points"
)

// The bases at points of any geometry are eigenfunctions of the Laplacian there: natural ones, and for outputs that all
// vanish at some points, as on a boundary, those that vanish there.
const (
	inNatural   = "natural"
	inVanishing = "vanishing"
)

const (
	pointFeatures = 64      // of a step; 16 lowered an error by 6% where these halved it
	pointWaves    = 128     // eigenfunctions; twice as many lower no error
	mostPoints    = 1 << 12 // so that a comparison of methods takes minutes
)

// scattered holds what corrections at points of any geometry need, in the form of model files; empty on grids.
type scattered struct {
	// Eigenvalues are those of -Laplacian in units of the inverse square of the longest side of the points.
	InValues     []float64  `json:"input_eigenvalues,omitempty" shape:"waves"`
	InFunctions  *mat.Dense `json:"input_eigenfunctions,omitempty" shape:"grid waves"`
	OutValues    []float64  `json:"output_eigenvalues,omitempty" shape:"waves"`         // nil: those of inputs
	OutFunctions *mat.Dense `json:"output_eigenfunctions,omitempty" shape:"grid waves"` // likewise
	Edges        *mat.Dense `json:"correction_edges,omitempty" shape:"edges 3"`         // two points and a conductance
}

// hasEigenfunctions reports whether there are eigenfunctions to correct with.
func hasEigenfunctions(c points.Cloud) bool {
	if c.Why() != "" || c.Count() > mostPoints {
		return false
	}
	side := c.Outputs().Side()
	return side > 0 && !math.IsInf(side, 1)
}

// vanishingIn returns the points at which all outputs vanish, up to rounding; nil if there are none.
func vanishingIn(outputs grid.Batch) []bool {
	const rounding = 1e-12
	count := outputs.Points
	largest := make([]float64, count) // over pairs and channels
	for at, v := range outputs.Data {
		point := at % count
		largest[point] = max(largest[point], math.Abs(v))
	}
	limit := rounding * floats.Max(largest)
	vanishing := make([]bool, count)
	for point, v := range largest {
		vanishing[point] = v <= limit
	}
	if !slices.Contains(vanishing, true) || !slices.Contains(vanishing, false) {
		return nil
	}
	return vanishing
}

// newScattered finds the eigenfunctions for outputs at points; inputs have as many. It returns ctx.Err() if ctx is
// done.
func newScattered(ctx context.Context, outputs grid.Batch, workers int) (scattered, error) {
	var s scattered
	places := outputs.Domain.Cloud.Outputs()
	most := pointWaves
	vanishing := vanishingIn(outputs)
	if vanishing != nil {
		m, err := points.NewVanishing(ctx, places, vanishing, most, workers)
		if err != nil {
			return s, err
		}
		s.OutFunctions = m.Functions
		s.OutValues = inUnitsOf(places, m.Values)
		most = len(m.Values)
	}
	m, err := points.NewModes(ctx, places, most, workers)
	if err != nil {
		return s, err
	}
	s.InFunctions = m.Functions
	s.InValues = inUnitsOf(places, m.Values)
	edges := points.Edges(places)
	s.Edges = mat.NewDense(len(edges), 3, nil)
	for i, e := range edges {
		s.Edges.SetRow(i, []float64{float64(e.From), float64(e.To), e.Conductance})
	}
	return s, nil
}

// inUnitsOf returns eigenvalues in units of the inverse square of the longest side.
func inUnitsOf(p points.Places, values []float64) []float64 {
	scaled := slices.Clone(values)
	side := p.Side()
	for k := range scaled {
		scaled[k] *= side * side
	}
	return scaled
}

// basis returns the name of the basis of outputs.
func (s scattered) basis() string {
	if s.OutFunctions != nil {
		return inVanishing
	}
	return inNatural
}

// bases returns the bases of inputs and of outputs.
func (s scattered) bases(weights []float64) (both [2]modes.Basis) {
	both[0] = modes.BasisAt(s.InFunctions, weights, frequenciesOf(s.InValues))
	both[1] = both[0]
	if s.OutFunctions != nil {
		both[1] = modes.BasisAt(s.OutFunctions, weights, frequenciesOf(s.OutValues))
	}
	return both
}

// frequenciesOf returns half periods in the longest side.
func frequenciesOf(eigenvalues []float64) []float64 {
	frequencies := make([]float64, len(eigenvalues))
	for k, lambda := range eigenvalues {
		frequencies[k] = math.Sqrt(lambda) / math.Pi
	}
	return frequencies
}

// restored checks what was read.
func (s scattered) restored(basis string, count int) error {
	vanishing := basis == inVanishing
	complete := s.InFunctions != nil && s.InValues != nil && s.Edges != nil
	outputs := s.OutFunctions != nil && s.OutValues != nil
	nothing := s.OutFunctions == nil && s.OutValues == nil
	if !complete || vanishing && !outputs || !vanishing && !nothing {
		return codec.Bad("has corrections at points without eigenfunctions or edges")
	}
	for _, lambda := range append(slices.Clone(s.InValues), s.OutValues...) {
		if lambda < 0 {
			return codec.Bad("has the eigenvalue %g of the Laplacian", lambda)
		}
	}
	edges, _ := s.Edges.Dims()
	for i := range edges {
		for _, point := range s.Edges.RawRowView(i)[:2] {
			if point != math.Trunc(point) || point < 0 || point >= float64(count) {
				return codec.Bad("has an edge to the point %g of %d", point, count)
			}
		}
	}
	return nil
}

// addFlux adds to sum at each point what flows in over its edges: conductance times mean c times the difference of v. Over
// the weight of the point that is div(c grad v).
func (s scattered) addFlux(sum, c, v []float64) {
	edges, _ := s.Edges.Dims()
	for i := range edges {
		edge := s.Edges.RawRowView(i)
		from := int(edge[0])
		to := int(edge[1])
		flux := edge[2] * (c[from] + c[to]) / 2 * (v[to] - v[from])
		sum[from] += flux
		sum[to] -= flux
	}
}
