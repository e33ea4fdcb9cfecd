// This file deduces the meaning of the axes of an array from its shape.

package dataset

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Axes gives the axes of an array that count functions, points of their grid, channels and the sides of pairs (inputs,
// outputs), or -1 for a missing axis. All other axes have length one.
type Axes struct{ Count, X, Y, Channel, Side int }

// letters abbreviate the fields of Axes in an order: "nsx" is an array of shape (count, 2, K).
const letters = "nxycs"

// axis returns the field that a letter stands for.
func (a *Axes) axis(letter byte) *int {
	return [...]*int{&a.Count, &a.X, &a.Y, &a.Channel, &a.Side}[strings.IndexByte(letters, letter)]
}

// size returns the length of an axis, or 1 if the array does not have it.
func size(shape []int, axis int) int {
	if axis < 0 {
		return 1
	}
	return shape[axis]
}

// layout reports whether functions or their points come first; a single function has both layouts.
func (a Axes) layout() Layout {
	if a.X >= 0 && a.X < a.Count {
		return pointsFirst
	}
	return functionsFirst
}

// words formats the shape for people, such as (K, count, 2).
func (a Axes) words(shape []int) string {
	names := map[int]string{a.Count: "count", a.X: "K", a.Channel: fmt.Sprint(size(shape, a.Channel)), a.Side: "2"}
	if a.Y >= 0 {
		names[a.X], names[a.Y] = "r", "r"
	}
	delete(names, -1)
	all := make([]string, len(shape))
	for d := range all {
		if all[d] = names[d]; all[d] == "" {
			all[d] = "1"
		}
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// axesOf finds the axes of an array of the given shape in an order, in which axes of length one may be left out; the axes
// of the order come as early as they can. Fields are on a square unless oblong is true. ok is false if it does not fit.
func axesOf(order string, shape []int, oblong bool) (a Axes, ok bool) {
	if len(order) == len(shape) {
		a = Axes{-1, -1, -1, -1, -1}
		for d := range shape {
			*a.axis(order[d]) = d
		}
		for d, n := range shape {
			switch order[d] {
			case 's':
				ok = n == 2
			case 'x', 'y':
				ok = n >= 3 && (oblong || n == shape[a.X])
			default:
				ok = true
			}
			if !ok {
				return a, false
			}
		}
		return a, true
	}
	for d := len(shape) - 1; d >= 0 && len(order) < len(shape); d-- {
		if shape[d] != 1 {
			continue
		}
		if a, ok := axesOf(order, slices.Delete(slices.Clone(shape), d, d+1), oblong); ok {
			for i := range letters {
				if at := a.axis(letters[i]); *at >= d {
					*at++
				}
			}
			return a, true
		}
	}
	return a, false
}

// form lists the axis orders that a source accepts, for an array without a name and for arrays with names, for
// functions of one and of two variables, the usual orders first.
type form struct {
	single, named [2][]string
	pair          bool   // there are inputs and outputs
	what          string // source in errors
	do            [2]string
}

var (
	pairForm = form{
		single: [2][]string{{"xns", "nsx", "nxs", "snx", "sxn", "xsn"}, {"xyns", "nsxy", "nxys", "snxy", "sxyn", "xysn"}},
		named:  [2][]string{{"nx", "xn"}, {"nxy", "xyn"}},
		pair:   true, what: "pairs",
		do: [2]string{"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, K)",
			"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, r, r)"},
	}
	thetaForm = form{
		single: [2][]string{{"xns"}, {"xyns"}}, what: "feature parameters",
		do: [2]string{"arrange it with numpy.stack([theta, theta], axis=-1) on arrays of shape (K, count)",
			"arrange it with numpy.stack([theta_1, theta_2], axis=-1) on arrays of shape (r, r, count)"},
	}
	inputForm = form{
		single: [2][]string{{"nx", "x", "xn"}, {"nxy", "xy", "xyn"}},
		named:  [2][]string{{"nx", "x", "xn"}, {"nxy", "xy", "xyn"}}, what: "inputs",
		do: [2]string{"arrange it as (count, K): functions first, then grid points",
			"arrange it as (count, r, r): fields first, then grid points"},
	}
)

// candidates returns the axes of arrays for each order that fits all of them, of functions in the given layout, and the
// indices of these orders. The error is a *fault.Data if no order fits.
func candidates(arrays []array, orders []string, layout Layout, do string) (all [][]Axes, places []int, err error) {
	for _, oblong := range []bool{false, true} { // fields on a square, if possible
		for i, order := range orders {
			var axes []Axes
			for _, p := range arrays {
				a, ok := axesOf(order, p.shape, oblong)
				if ok && (layout == autoLayout || a.Count < 0 || a.layout() == layout) {
					axes = append(axes, a)
				}
			}
			if len(axes) == len(arrays) {
				all, places = append(all, axes), append(places, i)
			}
		}
		if all != nil {
			return all, places, nil
		}
	}
	words := func(order string) string {
		shape := make([]int, len(order))
		a, _ := axesOf(order, slices.Repeat([]int{2}, len(order)), true)
		return a.words(shape)
	}
	expected := words(orders[0]) + " is expected"
	if len(orders) > 1 {
		expected += ", or " + words(orders[1])
	}
	if layout != autoLayout {
		expected += fmt.Sprintf(", with data.layout = %s", layout)
	}
	return nil, nil, &fault.Data{Where: arrays[0].where(), What: fmt.Sprintf("has shape %v, %s", arrays[0].shape, expected),
		Do: do}
}

// MostParameters is the largest number of values of an input that count as parameters instead of a function, and of
// channels in one array: grids have more points.
const MostParameters = 8

// describe finds the axes of an array whose first or last axis counts functions: parameters, or functions of as many
// variables as the outputs, or of one, in one channel or several. The error is a *fault.Data.
func (p *array) describe(dims int, first, output bool) error {
	at := len(p.shape) - 1
	if first {
		at = 0
	}
	p.Axes = Axes{at, -1, -1, -1, -1}
	var axes, short []int // axes that are longer than one, and their lengths
	for d, n := range p.shape {
		if d != at && n != 1 {
			axes, short = append(axes, d), append(short, n)
		}
	}
	p.dims = dims
	switch {
	case !output && (len(short) == 0 || len(short) == 1 && short[0] <= MostParameters):
		p.dims = 0
	case !output && dims == 2 &&
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
	case len(short) == p.dims+1 && p.dims == 0:
		channels = 0
	case len(short) == p.dims+1 && isGrid(short[:p.dims], short[p.dims]):
		channels = p.dims
	case len(short) == p.dims+1 && isGrid(short[1:], short[0]):
		channels = 0
	default:
		return &fault.Data{Where: p.where(),
			What: fmt.Sprintf("has shape %v, which is not that of functions of %d variables: the axis of channels, if there is "+
				"one, is the last or comes before the points, and has at most %d, on squares a quarter of a side", p.shape, dims,
				MostParameters),
			Do: "store arrays of shape (count, K, channels), fields as (count, r, r, channels), or name several arrays: " +
				"data.input = a,b"}
	}
	if channels >= 0 {
		p.Channel = axes[channels]
		axes = slices.Delete(axes, channels, channels+1)
	}
	if p.dims > 0 {
		p.X = axes[0]
	}
	if p.dims > 1 {
		p.Y = axes[1]
	}
	for d, n := range p.shape {
		if p.dims == 1 && dims == 2 && d != at && n == 1 && p.along == 0 {
			if p.along = 'x'; d < p.X {
				p.along = 'y'
			}
		}
	}
	if p.points, p.columns = size(p.shape, p.X), size(p.shape, p.Y); p.dims == 1 && p.points > MostPoints {
		return &fault.Data{Where: p.where(), What: fmt.Sprintf("has functions on K=%d points, at most %d are read", p.points,
			MostPoints), Do: "take every second or tenth point"}
	}
	return nil
}

// MostPoints is the largest number of points of functions of one variable that are read.
const MostPoints = 1<<18 + 1

// String describes the axes for people, with the name of the array.
func (p array) String() string {
	shape, a := p.shape, p.Axes
	for d := len(shape) - 1; d >= 0; d-- { // without axes of length one
		if shape[d] != 1 || d == a.Count {
			continue
		}
		shape = slices.Delete(slices.Clone(shape), d, d+1)
		for i := range letters {
			if at := a.axis(letters[i]); *at > d {
				*at--
			}
		}
	}
	text := p.name + " " + a.words(shape)
	switch {
	case p.dims == 0:
		text += ", constants"
	case p.along == 'x':
		text += " along the first axis"
	case p.along == 'y':
		text += " along the second axis"
	}
	return strings.TrimSpace(text)
}

// array is an array of a file, or a part of one, with inputs, outputs or both.
type array struct {
	of              exchange.Member
	file, name      string
	shape           []int
	dims            int  // variables of the functions; 0: parameters
	points, columns int  // along both axes of their grid, both ends counted
	along           byte // functions of one variable among fields: of the first (x) or the second (y); 0: not known
	Axes
}

// where returns the name of the array for errors.
func (p array) where() string { return npy.Place(p.file, p.name) }

// channels returns the number of functions of each pair in the array: channels, or sides.
func (p array) channels() int { return size(p.shape, p.Channel) * size(p.shape, p.Side) }
