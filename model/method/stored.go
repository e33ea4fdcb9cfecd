// This file is how operators are stored that belong to the grid of their training pairs.

package method

import (
	"fmt"

	"rfm/model/feature"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

// Decode reads an operator from a model file that calls it kind; ok is false if no method is called so. The error is a
// *fault.Data.
func Decode(kind string, leaveOneOut float64, s feature.Stored) (o Operator, ok bool, err error) {
	for _, m := range methods {
		if m.Name == kind {
			o, err := m.read(leaveOneOut, s)
			return o, true, err
		}
	}
	return nil, false, nil
}

// gridScalars is what model files say of a place in words and numbers.
type gridScalars struct {
	Dims     int   `json:"dims"`
	Periodic bool  `json:"periodic"`
	Cells    bool  `json:"cells,omitempty"`
	Aspect   []int `json:"aspect,omitempty"` // intervals, or cells, along both axes in lowest terms; none: 1 and 1
	Points   int   `json:"points"`           // along the first axis of the training grid
	In       int   `json:"in,omitempty"`     // channels of inputs, if there are several
	Out      int   `json:"out,omitempty"`    // and of outputs
}

func (p place) scalars() gridScalars {
	g := gridScalars{Dims: p.domain.Dims, Periodic: p.domain.Periodic, Cells: p.domain.Cells, Points: p.points,
		In: p.inputs().Channels, Out: p.outputs().Channels}
	if a := p.domain.Aspect; a != (grid.Aspect{}) {
		g.Aspect = []int{a.First, a.Second}
	}
	return g
}

// mostPoints bounds the points along an axis in a model file, far above any real one.
const mostPoints = 1 << 20

// place is where the operator lives. The error is a *fault.Data.
func (g gridScalars) place(leaveOneOut float64) (place, error) {
	p := place{domain: grid.Domain{Dims: g.Dims, Periodic: g.Periodic, Cells: g.Cells}, in: max(1, g.In),
		out:    max(1, g.Out),
		points: g.Points, leaveOneOut: leaveOneOut}
	plausible := max(p.in, p.out) <= grid.MostChannels && g.Dims >= 1 && g.Dims <= 2 && !(g.Periodic && g.Cells) &&
		g.Points >= 3 && g.Points <= mostPoints
	if plausible && len(g.Aspect) == 2 && g.Dims == 2 && min(g.Aspect[0], g.Aspect[1]) >= 1 && max(g.Aspect[0],
		g.Aspect[1]) <= mostPoints {
		p.domain.Aspect = grid.AspectOf(g.Aspect[0], g.Aspect[1])
	} else if len(g.Aspect) > 0 {
		plausible = false
	}
	if !plausible || !p.domain.Exists(g.Points) {
		return place{}, feature.Unusable(fmt.Sprintf("lives on a grid that does not exist: %+v", g))
	}
	return p, nil
}

// array is an array in the form of model files.
func array(name string, data []float64, shape ...int) npy.Named {
	return npy.Named{Name: name, Array: npy.Array{Shape: shape, Data: data}}
}

// readArray reads an array of which some lengths are known; the others are -1.
func readArray(s feature.Stored, name string, shape ...int) (npy.Array, error) {
	a, err := s.Array(name, len(shape))
	if err != nil {
		return a, err
	}
	for i, n := range shape {
		if n >= 0 && a.Shape[i] != n || a.Shape[i] < 1 {
			return a, feature.Unusable(fmt.Sprintf("has %q of shape %v, want %v (-1: any)", name, a.Shape, shape))
		}
	}
	return a, nil
}

// functions is an array of functions on the grid of p.
func (p place) functions(name string, b grid.Batch) npy.Named {
	return array(name, b.Data, append([]int{b.Count}, p.domain.Shape(p.points)...)...)
}

// readFunctions reads such an array.
func (p place) readFunctions(s feature.Stored, name string) (grid.Batch, error) {
	a, err := readArray(s, name, append([]int{-1}, p.domain.Shape(p.points)...)...)
	if err != nil {
		return grid.Batch{}, err
	}
	return grid.Batch{Domain: p.domain, Points: p.points, Count: a.Shape[0], Data: a.Data}, nil
}
