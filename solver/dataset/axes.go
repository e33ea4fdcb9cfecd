// This file deduces the meaning of the axes of an array from its shape.

package dataset

import (
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Axes gives the axes of an array that count functions, points of their grid, channels and the sides of pairs (inputs,
// outputs), or -1 for a missing axis. All other axes have length one.
type Axes struct{ Count, X, Y, Channel, Side int }

// size returns the length of an axis, or 1 if the array does not have it.
func size(shape []int, axis int) int {
	if axis < 0 {
		return 1
	}
	return shape[axis]
}

// layout reports whether functions or their points come first; a single function has both layouts.
func (a Axes) layout() string {
	if a.X >= 0 && a.X < a.Count {
		return config.PointsFirst
	}
	return config.FunctionsFirst
}

// words formats the shape for people, such as (K, count, 2), without axes of length one that mean nothing.
func (a Axes) words(shape []int) string {
	names := map[int]string{a.Count: "count", a.X: "K", a.Channel: fmt.Sprint(size(shape, a.Channel)), a.Side: "2"}
	if a.Y >= 0 {
		names[a.X], names[a.Y] = "r", "r"
	}
	var all []string
	for d := range shape {
		if name := names[d]; name != "" {
			all = append(all, name)
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// array is an array of a file, or a part of one, with inputs, outputs or both.
type array struct {
	of              exchange.Member
	name            string
	output          bool
	shape           npy.Shape
	dims            int  // variables of the functions; 0: parameters
	points, columns int  // along both axes of their grid, both ends counted
	along           byte // functions of one variable among fields: of the first (x) or the second (y); 0: not known
	Axes
}

// channels returns the number of functions of each pair in the array: channels, or sides.
func (p array) channels() int { return size(p.shape, p.Channel) * size(p.shape, p.Side) }

// axes describes the axes of an array for people, with its name.
func (f *Functions) axes(p array) string {
	text := p.name + " " + p.words(p.shape)
	switch {
	case p.dims == 0:
		text += ", constants"
	case p.along == 'x':
		text += " along the first axis"
	case p.along == 'y':
		text += " along the second axis"
	case p.dims == f.Domain.Dims && !f.onGrid(p):
		text += " on " + f.domain(p.dims, p.points, p.columns).Grid(p.points)
	}
	return strings.TrimSpace(text)
}

// A way is an order of axes: n counts functions, s has inputs and outputs, the dot stands for the axes of a function.
type way string

var (
	namedWays  = []way{"n.", ".n"}
	inputWays  = []way{"n.", ".", ".n"}
	singleWays = []way{".ns", "ns.", "n.s", "sn.", "s.n", ".sn"}
)

func (w way) has(letter string) bool { return strings.Contains(string(w), letter) }

// MostParameters is the largest number of values of an input that count as parameters instead of a function, and of
// channels in one array: grids have more points.
const MostParameters = 8

// describe finds the axes of an array of functions of dims variables, in one channel or several. An array that may be
// lifted holds parameters or functions of one variable if its shape suggests that. The error is a *fault.Data.
func (f *Functions) describe(p *array, w way, lifted bool) error {
	dims := f.Domain.Dims
	p.Axes, p.dims = Axes{-1, -1, -1, -1, -1}, dims
	refuse := func() error {
		expected := map[bool]string{false: "(count, K), (count, K, channels) or (K, count)",
			true: "(count, r, r), (count, r, r, channels) or (r, r, count)"}[dims == 2]
		do := fmt.Sprintf("give arrays with at most %d channels, on squares at most a quarter of a side", MostParameters)
		if w.has("s") {
			expected = map[bool]string{false: "(count, 2, K) or (K, count, 2)",
				true: "(count, 2, r, r) or (r, r, count, 2)"}[dims == 2]
			do = "arrange inputs and outputs with numpy.stack([inputs, outputs], axis=1)"
		}
		return fault.Bad(npy.Place(f.File, p.name), do, "has shape %v, %s is expected", p.shape, expected)
	}
	var axes []int
	for d := range p.shape {
		axes = append(axes, d)
	}
	before, after, _ := strings.Cut(string(w), ".")
	letters := before + after
	keep := dims + max(1, len(letters))
	for d := len(axes) - 1; d >= 0 && len(axes) > keep; d-- { // axes of length one do not count
		if p.shape[axes[d]] == 1 {
			axes = slices.Delete(axes, d, d+1)
		}
	}
	if len(axes) < len(letters) || w.has("s") && len(axes) != keep || w == "." && len(axes) != dims {
		return refuse()
	}
	end := len(axes) - len(after)
	for i, d := range slices.Concat(axes[:len(before)], axes[end:]) {
		*map[byte]*int{'n': &p.Count, 's': &p.Side}[letters[i]] = d
	}
	if w.has("s") && p.shape[p.Side] != 2 {
		return refuse()
	}
	axes = axes[len(before):end]
	var short []int // lengths of the axes that are longer than one
	axes = slices.DeleteFunc(axes, func(d int) bool { return p.shape[d] == 1 })
	for _, d := range axes {
		short = append(short, p.shape[d])
	}
	switch {
	case lifted && (len(short) == 0 || len(short) == 1 && short[0] <= MostParameters):
		p.dims = 0
	case lifted && dims == 2 &&
		(len(short) == 1 || len(short) == 2 && short[0] != short[1] && slices.Min(short) <= MostParameters):
		p.dims = 1
	}
	isGrid := func(points []int, channels int) bool { // a square needs fewer points to be told from channels
		square := len(points) == 2 && points[0] == points[1] && points[0] > channels
		return channels <= MostParameters && (square || slices.Min(points) > MostParameters) ||
			square && 4*channels <= points[0]
	}
	channels := -1 // the index of the axis of channels
	switch {
	case len(short) == p.dims:
	case len(short) != p.dims+1 || w.has("s"):
		return refuse()
	case p.dims == 0:
		channels = 0
	case isGrid(short[:p.dims], short[p.dims]):
		channels = p.dims
	case isGrid(short[1:], short[0]):
		channels = 0
	default:
		return refuse()
	}
	if channels >= 0 {
		p.Channel = axes[channels]
		axes = slices.Delete(axes, channels, channels+1)
		if p.dims == 1 && short[channels] > 2 && size(p.shape, p.Count) == short[channels] { // small fields on squares
			return refuse()
		}
	}
	for i, at := range []*int{&p.X, &p.Y}[:p.dims] {
		if *at = axes[i]; p.shape[*at] < 3 {
			return refuse()
		}
	}
	for d, n := range p.shape {
		if p.dims == 1 && dims == 2 && d != p.Count && n == 1 && p.along == 0 {
			if p.along = 'x'; d < p.X {
				p.along = 'y'
			}
		}
	}
	p.points, p.columns = size(p.shape, p.X), size(p.shape, p.Y)
	return nil
}
