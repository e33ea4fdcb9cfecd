package codec

import "rfm/solver/space/grid"

// Grid describes the functions that a part maps to one another, in the form of files: a field to embed.
type Grid struct {
	Dims     int   `json:"dims"`             // 1 or 2
	Periodic bool  `json:"periodic"`         // the last value along an axis repeats the first
	Cells    bool  `json:"cells,omitempty"`  // values at the centres of cells
	Aspect   []int `json:"aspect,omitempty"` // intervals, or cells, along both axes in lowest terms; none: 1 and 1
	Points   int   `json:"points"`           // along the first axis
	In       int   `json:"in,omitempty"`     // channels of inputs; none: 1
	Out      int   `json:"out,omitempty"`    // channels of outputs; none: 1
	cloud
}

// GridOf returns the Grid of functions with the given channels.
func GridOf(d grid.Domain, points, in, out int) Grid {
	g := Grid{Dims: d.Dims, Periodic: d.Periodic, Cells: d.Cells, Points: points}
	if in > 1 || out > 1 {
		g.In, g.Out = in, out
	}
	if d.Aspect != (grid.Aspect{}) {
		g.Aspect = []int{d.Aspect.First, d.Aspect.Second}
	}
	g.cloud = cloudOf(d.Cloud)
	return g
}

// Channels returns the numbers of channels of inputs and outputs.
func (g Grid) Channels() (in, out int) { return max(1, g.In), max(1, g.Out) }

// mostPoints and mostValues bound grids far above any real one.
const (
	mostPoints = 1 << 20
	mostValues = 1 << 40
)

// Domain returns the domain, with one channel. The error is a *fault.Data if no such grid exists.
func (g Grid) Domain() (grid.Domain, error) {
	d := grid.Domain{Dims: g.Dims, Periodic: g.Periodic, Cells: g.Cells}
	possible := min(g.In, g.Out) >= 0 && max(g.In, g.Out) <= grid.MostChannels && g.Dims >= 1 && g.Dims <= 2 &&
		!(g.Periodic && g.Cells) && g.Points >= 3 && g.Points <= mostPoints
	if len(g.Aspect) > 0 {
		possible = possible && g.Dims == 2 && len(g.Aspect) == 2 && min(g.Aspect[0], g.Aspect[1]) >= 1 &&
			max(g.Aspect[0], g.Aspect[1]) <= mostPoints
		if possible {
			d.Aspect = grid.AspectOf(g.Aspect[0], g.Aspect[1])
		}
	}
	if !possible || !d.Exists(g.Points) {
		return grid.Domain{}, Bad("lives on a grid that does not exist: %d dimensions, %d points, channels %d and %d", g.Dims,
			g.Points, g.In, g.Out)
	}
	if g.PlaceWeights != nil {
		var err error
		if d.Cloud, err = g.cloud.cloud(); err != nil {
			return grid.Domain{}, err
		}
		if g.Dims != 1 || g.Periodic || g.Cells || !d.Exists(g.Points) {
			return grid.Domain{}, Bad("has %d values at %d points", g.Points, d.Cloud.Count())
		}
		return d, nil
	}
	if rows, columns := d.Axes(g.Points); columns < 3 || g.Dims == 2 && rows < 3 || rows*columns > mostValues {
		return grid.Domain{}, Bad("lives on %s, want 3 points along an axis at least, and no more values than files have",
			d.Grid(g.Points))
	}
	return d, nil
}

// Sizes returns "grid", the points along each axis of a function of one channel, and "inputs" and "outputs", the values
// of an input and of an output.
func (g Grid) Sizes() (map[string][]int, error) {
	d, err := g.Domain()
	if err != nil {
		return nil, err
	}
	in, out := g.Channels()
	return map[string][]int{"grid": d.Shape(g.Points), "inputs": {in * d.Values(g.Points)},
		"outputs": {out * d.Values(g.Points)}}, nil
}

// CheckMotions returns a *fault.Data unless a domain has some motions, if there are any.
func CheckMotions(motions []grid.Motion, d grid.Domain) error {
	const most = 8
	for _, m := range motions {
		if m.Flip < 0 || m.Flip >= 1<<d.Dims || m.Turn && !d.Square() || len(motions) > most {
			return Bad("has a motion %+v that its domain does not have, or more than %d", m, most)
		}
	}
	return nil
}
