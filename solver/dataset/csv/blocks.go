// This file turns tables in which the places of each sample follow each other, without a column for the sample.

package csv

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// blocks observes whether a table has the places of a first sample in its first columns, and then again and again the
// same places in the same order: x, a, u for one sample after the other, as simulations and gnuplot write them.
type blocks struct {
	not    bool
	axes   int // columns of places: 1 or 2
	lines  int
	first  []point      // places of the first sample
	along  [2][]float64 // coordinates along the axes, ascending
	index  [][2]int     // of the places of the first sample, among the coordinates along the axes
	apart  bool         // places have two coordinates, and form no grid with equal steps
	start  float64      // the value behind the places in the first line of a block
	varies bool         // such values differ within a block, or are known to be no coordinates
}

// blocksOf returns observers of a table whose places have two coordinates, and of one whose places have one.
func blocksOf(names []string, columns int) (all []*blocks) {
	for axes := 2; axes > 0; axes-- {
		b := &blocks{axes: axes}
		b.not = columns <= axes || columns > 16
		if len(names) > axes { // which tell that the next column is no coordinate
			b.varies = axes == 2 || !slices.Contains(coordinateNames, Coordinate(names[axes]))
		}
		for column, name := range names {
			name = Coordinate(name)
			isPlace := slices.Contains(coordinateNames, name)
			if column < axes && !isPlace || isSampleName(name) || countsLines(name) {
				b.not = true
			}
		}
		all = append(all, b)
	}
	return all
}

func (b *blocks) observe(values []float64) {
	if b.not {
		return
	}
	var here point
	copy(here[:], values[:b.axes])
	size := len(b.first)
	isFirst := b.lines == size
	begins := b.lines == 0 || here == b.first[0]
	switch {
	case b.lines == 0:
		b.first = append(b.first, here)
	case isFirst && begins:
		b.not = size < 3
	case isFirst:
		falls := b.axes == 1 && !(here[0] > b.first[size-1][0])
		b.not = falls || size == maxBlock
		b.first = append(b.first, here)
	default:
		b.not = here != b.first[b.lines%size]
	}
	if begins {
		b.start = values[b.axes]
	} else if values[b.axes] != b.start {
		b.varies = true
	}
	b.lines++
}

// regular reports whether the table is one of this kind: a line for each place in each sample.
func (b *blocks) regular() bool {
	size := len(b.first)
	if b.not || b.lines <= size || b.lines%size != 0 {
		return false
	}
	if !b.varies { // the second coordinate of fields whose first varies fastest
		return false
	}
	for axis := range b.axes {
		for _, p := range b.first {
			b.along[axis] = append(b.along[axis], p[axis])
		}
		slices.Sort(b.along[axis])
		b.along[axis] = slices.Compact(b.along[axis])
	}
	cells := 1
	for _, along := range b.along[:b.axes] {
		if len(along) < 3 {
			return false
		}
		cells *= len(along)
	}
	b.apart = b.axes == 2 && (cells != size || !haveEqualSteps(b.along[:]...))
	seen := map[[2]int]bool{}
	for _, p := range b.first {
		var at [2]int
		for axis := range b.axes {
			at[axis], _ = slices.BinarySearch(b.along[axis], p[axis])
		}
		seen[at] = true
		b.index = append(b.index, at)
	}
	return len(seen) == size
}

// shape returns the shape of an array of values: samples, and places.
func (b *blocks) shape() npy.Shape {
	shape := npy.Shape{b.lines / len(b.first)}
	if b.apart {
		return append(shape, len(b.first))
	}
	for _, along := range b.along[:b.axes] {
		shape = append(shape, len(along))
	}
	return shape
}

// position returns where the value of a line belongs; it is negative if that is not wanted.
func (b *blocks) position(line int, at []npy.Axis) int {
	sample, place := b.where(line)
	index := [3]int{sample, place}
	if !b.apart {
		copy(index[1:], b.index[place][:])
	}
	return positionOf(index[:len(at)], at)
}

func (b *blocks) where(line int) (sample, place int) {
	return line / len(b.first), line % len(b.first)
}

// positionOf returns the position of an index of an array, or -1 if it is not wanted.
func positionOf(index []int, at []npy.Axis) int {
	sum := 0
	for axis, i := range index {
		part := at[axis](i)
		if part < 0 {
			return -1
		}
		sum += part
	}
	return sum
}

// turnBlocks makes an array of each column of values. Without names, the last is the output.
func (t *Table) turnBlocks(names []string, b *blocks) {
	places := []string{"x", "y"}[:b.axes]
	if names != nil {
		places = names[:b.axes]
	}
	for column := b.axes; column < t.Columns; column++ {
		values := t.Columns - b.axes
		name := "a"
		switch {
		case names != nil:
			name = strings.Trim(names[column], "# ")
		case values > 1 && column == t.Columns-1:
			name = "u"
		case values > 2:
			name = fmt.Sprintf("a_%d", column-b.axes+1)
		}
		t.arrays = append(t.arrays, array{name: name, columns: []int{column}, turn: b})
	}
	t.addPlacesOf(places, b.along[:b.axes], b.first, b.apart)
	t.Note = "lines with the same " + strings.Join(places, " and ") + " again begin the next sample"
}

// addPlacesOf adds the coordinates of places: along the axes of a grid, or those of each place if they are apart.
func (t *Table) addPlacesOf(names []string, along [][]float64, each []point, apart bool) {
	for axis, name := range names {
		coordinates := along[axis]
		if apart {
			coordinates = nil
			for _, p := range each {
				coordinates = append(coordinates, p[axis])
			}
		}
		t.addAxis(name, coordinates)
	}
}

// haveEqualSteps reports whether the coordinates along all axes differ by equal steps.
func haveEqualSteps(along ...[]float64) bool {
	return !slices.ContainsFunc(along, func(x []float64) bool { return !grid.HasEqualSteps(x) })
}

// addAxis adds the coordinates along an axis of turned arrays, unless they number the places.
func (t *Table) addAxis(name string, along []float64) {
	name = Coordinate(name)
	switch name {
	case "x", "y", "z", "t":
	case "time", "s":
		name = "t"
	default:
		name = placesName
		if len(t.fixed) > 0 {
			name = "y"
		}
	}
	if !countUp(along) {
		t.fixed = append(t.fixed, fixedArray(name, along))
	}
}

// countUp reports whether numbers count from 0 or 1 on.
func countUp(x []float64) bool {
	for i, v := range x {
		if v != x[0]+float64(i) {
			return false
		}
	}
	return x[0] == 0 || x[0] == 1
}
