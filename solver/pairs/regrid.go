// This file puts values at the points of a regular grid, which come in any order, in the order of the grid.

package pairs

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/points"
)

// gridWord begins the text after the name of an array whose points are put in the order of a grid: a.grid(xy).
const gridWord = ".grid("

// OrderedBy returns the names of the coordinates by which an array is put in the order of a grid; empty if it is not.
func OrderedBy(name string) string {
	_, places, ok := strings.Cut(name, gridWord)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(places, ")")
}

// ordered is the order of the points of an array on a regular grid.
type ordered struct {
	axis  int   // of the points
	sides []int // points along each axis of the grid
	order []int // the point at each place of the grid, the last axis fastest
}

// orderOf returns the order of the points of an array that arrays of coordinates name. The error is a *fault.Data.
func orderOf(f *exchange.File, m npy.Member, places string) (o ordered, err error) {
	bad := func(why string) error {
		return fault.Bad(
			npy.Place(f.Name, m.Name),
			"name the coordinates of points that form a regular grid, as in a.grid(xy) or a.grid(x,y)",
			"has shape %v, which .grid(%s) does not put in order: %s", m.Shape, places, why,
		)
	}
	var members []npy.Member
	for _, name := range namesIn(f, places) {
		c := Lookup(f, name)
		if c.Refused != nil {
			return o, c.Refused
		}
		members = append(members, c)
	}
	c, ok := coordinatesIn(members, [][]int{m.Shape})
	if !ok || c.moving || len(c.lattice) != 1 {
		return o, bad("these are not the coordinates of its points")
	}
	all, err := c.read()
	if err != nil {
		return o, err
	}
	axes, at := varying(c.axes, all)
	g, ok := points.RegularOf(points.Equal(axes, at, c.lattice[0]))
	if !ok {
		return o, bad("the points do not form a regular grid")
	}
	for _, n := range g.Lengths {
		if n > 1 {
			o.sides = append(o.sides, n)
		}
	}
	o.order = g.Order()
	o.axis = len(m.Shape) - 1
	for m.Shape[o.axis] != c.lattice[0] {
		o.axis--
	}
	return o, nil
}

// onGridOf returns an array with its points in the order of the grid that they form, an axis for each of the grid's.
func onGridOf(f *exchange.File, m npy.Member, places string) npy.Member {
	if m.Refused != nil {
		return m
	}
	o, err := orderOf(f, m, places)
	if err != nil {
		m.Refused = err
		return m
	}
	rows := make([]int, len(o.order)) // the place of each point
	for place, point := range o.order {
		rows[point] = place
	}
	whole := m.Numbers
	m.Name = fmt.Sprintf("%s%s%s)", m.Name, gridWord, places)
	m.Shape = slices.Replace(slices.Clone(m.Shape), o.axis, o.axis+1, o.sides...)
	m.Numbers = func(at []npy.Axis, put npy.Put) error {
		end := o.axis + len(o.sides)
		alongGrid := joined([][]int{o.sides}, at[o.axis:end])[0]
		alongPoints := npy.Axis(func(point int) int {
			return alongGrid(rows[point])
		})
		own := slices.Replace(slices.Clone(at), o.axis, end, alongPoints)
		return whole(own, put)
	}
	return m
}

// findOrder sets the order in which predictions are written: that of the points of the inputs in the file.
func (f *Functions) findOrder() error {
	of, places, ok := strings.Cut(f.all[0].Name, gridWord)
	if !ok {
		return nil
	}
	places = strings.TrimSuffix(places, ")")
	o, err := orderOf(f.Open, Lookup(f.Open, of), places)
	f.order = o.order
	return err
}

// inOrderOfFile returns an array of functions on a grid, with axes as in array.axes, with the points in the order of
// the file.
func (f *Functions) inOrderOfFile(a npy.Array, axes string) npy.Array {
	first := strings.IndexAny(axes, "xy")
	end := strings.LastIndexAny(axes, "xy") + 1
	if f.order == nil || first < 0 {
		return a
	}
	count := len(f.order)
	after := npy.Count(a.Shape[end:])
	moved := npy.Array{
		Shape: slices.Replace(slices.Clone(a.Shape), first, end, count),
		Data:  make([]float64, len(a.Data)),
	}
	for i, v := range a.Data { // before x places x after
		before := i / after / count
		place := i / after % count
		inner := i % after
		moved.Data[(before*count+f.order[place])*after+inner] = v
	}
	return moved
}
