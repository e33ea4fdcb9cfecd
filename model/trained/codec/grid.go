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
	g := Grid{
		Dims:     d.Dims,
		Periodic: d.Periodic,
		Cells:    d.Cells,
		Points:   points,
	}
	if in > 1 || out > 1 {
		g.In = in
		g.Out = out
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
	d := grid.Domain{
		Dims:     g.Dims,
		Periodic: g.Periodic,
		Cells:    g.Cells,
	}
	possible := g.possible()
	if possible && len(g.Aspect) > 0 {
		d.Aspect = grid.AspectOf(g.Aspect[0], g.Aspect[1])
	}
	if !possible || !d.Exists(g.Points) {
		return grid.Domain{}, Bad("lives on a grid that does not exist: %d dimensions, %d points, channels %d and %d",
			g.Dims, g.Points, g.In, g.Out)
	}
	if g.PlaceWeights != nil {
		var err error
		d.Cloud, err = g.cloud.cloud()
		if err != nil {
			return grid.Domain{}, err
		}
		if g.Dims != 1 || g.Periodic || g.Cells || !d.Exists(g.Points) {
			return grid.Domain{}, Bad("has %d values at %d points", g.Points, d.Cloud.Count())
		}
		return d, nil
	}
	rows, columns := d.Axes(g.Points)
	tooFew := columns < 3 || g.Dims == 2 && rows < 3
	if tooFew || rows*columns > mostValues {
		return grid.Domain{}, Bad("lives on %s, want 3 points along an axis at least, and no more values than files have",
			d.Grid(g.Points))
	}
	return d, nil
}

// possible reports whether the numbers are within their bounds.
func (g Grid) possible() bool {
	within := func(v, least, most int) bool { return least <= v && v <= most }
	if !within(g.In, 0, grid.MostChannels) || !within(g.Out, 0, grid.MostChannels) {
		return false
	}
	if !within(g.Dims, 1, 2) || !within(g.Points, 3, mostPoints) {
		return false
	}
	if g.Periodic && g.Cells {
		return false
	}
	if len(g.Aspect) == 0 {
		return true
	}
	if g.Dims != 2 || len(g.Aspect) != 2 {
		return false
	}
	return within(g.Aspect[0], 1, mostPoints) && within(g.Aspect[1], 1, mostPoints)
}

// Sizes returns "grid", the points along each axis of a function of one channel, and "inputs" and "outputs", the values
// of an input and of an output.
func (g Grid) Sizes() (map[string][]int, error) {
	d, err := g.Domain()
	if err != nil {
		return nil, err
	}
	in, out := g.Channels()
	values := d.Values(g.Points)
	return map[string][]int{
		"grid":    d.Shape(g.Points),
		"inputs":  {in * values},
		"outputs": {out * values},
	}, nil
}

// CheckMotions returns a *fault.Data unless a domain has some motions, if there are any.
func CheckMotions(motions []grid.Motion, d grid.Domain) error {
	const most = 8
	for _, m := range motions {
		flips := 0 <= m.Flip && m.Flip < 1<<d.Dims
		turns := !m.Turn || d.Square()
		if !flips || !turns || len(motions) > most {
			return Bad("has a symmetry %+v that its domain does not have, or more than %d", m, most)
		}
	}
	return nil
}
