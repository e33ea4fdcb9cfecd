// This file turns tables with one value in each line.

package csv

import (
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
)

// long observes whether a table has a value in each line, with the number of its sample and its place in columns
// before. The lines of a sample follow each other, and all samples have the same places in the same order. Or the lines
// of a place follow each other, with the samples in one order.
type long struct {
	not    bool
	skip   int // columns before: that of the numbers of lines
	slow   int // the column that is constant in a block of lines: 0 for the sample, 1 for the place
	lines  int
	block  []point   // the other column in the first block: places of the first sample
	slows  []float64 // the values of the slow column, one of each block
	fields bool      // places have two coordinates
	inner  int       // places along the second of them
	apart  bool      // they form no grid with equal steps
}

// point is a place in the column that varies in a block; the second coordinate is 0 unless places have two.
type point [2]float64

const maxBlock = 1 << 20 // places of a sample

// coordinateNames are names of columns of coordinates.
var coordinateNames = []string{
	"x", "y", "z", "t", "s", "time", "position", "pos", "place", "node", "point", "index", "lat", "lon",
}

// longsOf returns observers of both orders of lines.
func longsOf(names []string) []*long {
	samples := longOf(names)
	places := longOf(names)
	places.slow = 1
	places.not = places.not || places.fields
	return []*long{samples, places}
}

func longOf(names []string) *long {
	l := &long{}
	if len(names) > 0 && countsLines(names[0]) {
		l.skip = 1
		names = names[1:]
	}
	l.not = len(names) < 3 || len(names) > 16
	if l.not {
		return l
	}
	for _, name := range names {
		_, index := numbered(name)
		if index != nil || name == "" {
			l.not = true
		}
	}
	l.fields = len(names) > 3 && slices.Contains(coordinateNames, Coordinate(names[2]))
	return l
}

func (l *long) observe(values []float64) {
	if l.not {
		return
	}
	values = values[l.skip:]
	slow := values[l.slow]
	here := point{values[1-l.slow]}
	if l.fields {
		here[1] = values[2]
	}
	continues := l.lines > 0 && slow == l.slows[len(l.slows)-1]
	switch {
	case l.lines == 0:
		l.slows = append(l.slows, slow)
		l.block = append(l.block, here)
	case continues && l.inFirst(): // more of the first sample
		l.not = len(l.block) == maxBlock || here == l.block[len(l.block)-1]
		l.block = append(l.block, here)
	default:
		place := l.lines % len(l.block)
		begins := place == 0
		if begins {
			l.slows = append(l.slows, slow)
		}
		l.not = continues == begins || len(l.block) < 3 || here != l.block[place]
	}
	l.lines++
}

// inFirst reports whether all lines so far are of the first sample.
func (l *long) inFirst() bool { return l.lines == len(l.block) }

// regular reports whether the table is one of this kind.
func (l *long) regular() bool {
	if l.not || l.lines == 0 || l.inFirst() {
		return false
	}
	size := len(l.block)
	if l.lines%size != 0 {
		return false
	}
	if l.slow == 1 {
		return l.lines/size >= 3 // places
	}
	if !l.fields {
		return true
	}
	l.inner = 1
	for l.inner < size && l.block[l.inner][0] == l.block[0][0] {
		l.inner++
	}
	if size%l.inner != 0 || l.inner < 2 || l.inner == size {
		return false
	}
	for i, place := range l.block {
		firstOfRow := l.block[i/l.inner*l.inner]
		ofFirstRow := l.block[i%l.inner]
		if place[0] != firstOfRow[0] || place[1] != ofFirstRow[1] {
			return false
		}
	}
	l.apart = !haveEqualSteps(l.coordinates()...)
	return true
}

// shape returns the shape of an array of values: samples, and places.
func (l *long) shape() npy.Shape {
	samples := l.lines / len(l.block)
	if l.slow == 1 {
		return npy.Shape{len(l.block), samples}
	}
	if l.fields && !l.apart {
		return npy.Shape{samples, len(l.block) / l.inner, l.inner}
	}
	return npy.Shape{samples, len(l.block)}
}

// position returns where the value of a line belongs; it is negative if that is not wanted.
func (l *long) position(line int, at []npy.Axis) int {
	sample, place := l.where(line)
	index := [3]int{sample, place}
	if l.fields && !l.apart {
		index = [3]int{sample, place / l.inner, place % l.inner}
	}
	return positionOf(index[:len(at)], at)
}

func (l *long) where(line int) (sample, place int) {
	slow := line / len(l.block)
	fast := line % len(l.block)
	if l.slow == 1 {
		return fast, slow
	}
	return slow, fast
}

// coordinates returns the coordinates of the places along each axis.
func (l *long) coordinates() (all [][]float64) {
	if l.slow == 1 {
		return [][]float64{l.slows}
	}
	along := make([]float64, 0, len(l.block))
	if !l.fields {
		for _, p := range l.block {
			along = append(along, p[0])
		}
		return [][]float64{along}
	}
	for i := 0; i < len(l.block); i += l.inner {
		along = append(along, l.block[i][0])
	}
	var inner []float64
	for _, p := range l.block[:l.inner] {
		inner = append(inner, p[1])
	}
	return [][]float64{along, inner}
}

// turn makes an array of each column of values.
func (t *Table) turn(names []string, l *long) {
	first := l.skip + 2
	if l.fields {
		first++
	}
	for column := first; column < len(names); column++ {
		t.arrays = append(t.arrays, array{
			name:    names[column],
			columns: []int{column},
			turn:    l,
		})
	}
	sample := names[l.skip]
	places := strings.Join(names[l.skip+1:first], " and ")
	t.addPlacesOf(names[l.skip+1:first], l.coordinates(), l.block, l.apart)
	if l.slow == 1 {
		t.Note = "lines of one " + places + " follow each other: a sample is a " + sample
	} else {
		t.Note = "lines of one " + sample + " follow each other and are one sample, with " + places + " as places"
	}
}
