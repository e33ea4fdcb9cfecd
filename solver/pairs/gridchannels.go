// This file finds channels of inputs that hold the coordinates of the points, as programs for Fourier neural operators
// append them.

package pairs

import (
	"fmt"
	"math"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// WithoutCoordinates returns the names of the inputs without the channels that hold the coordinates of the points, which
// are the same in all pairs, and names these channels. ok is false if no input has such channels.
func (f *Functions) WithoutCoordinates() (input, dropped string, ok bool) {
	var names, removed []string
	for _, p := range f.all {
		if p.output {
			continue
		}
		kept := f.keptChannels(p)
		name := p.Name
		if kept != "" {
			axis := p.axis('c')
			name += Entry(len(p.Shape), axis, kept)
			removed = append(removed, fmt.Sprintf("other channels of %s", p.Name))
		}
		names = append(names, quoted(name))
	}
	return strings.Join(names, ","), strings.Join(removed, " and "), removed != nil
}

// keptChannels returns the part of the channels of an array that are no coordinates, as "0" or ":2"; empty if all are
// kept, or if those to keep do not follow each other.
func (f *Functions) keptChannels(p array) string {
	channels := p.size('c')
	isWhole := !strings.ContainsAny(p.Name, "[(") && p.Name != ""
	areFunctions := p.dims > 0 && p.axis('n') >= 0
	if !isWhole || channels < 2 || !areFunctions {
		return ""
	}
	s, err := sampleOf(f.Open, p.Member, few)
	if err != nil {
		return ""
	}
	hasAllChannels := s.shape[p.axis('c')] == channels
	hasPairs := s.shape[p.axis('n')] >= 2
	if !hasAllChannels || !hasPairs {
		return ""
	}
	first := -1
	last := -1
	kept := 0
	for c := range channels {
		if s.holdsCoordinates(p, c) {
			continue
		}
		if first < 0 {
			first = c
		}
		last = c
		kept++
	}
	switch {
	case kept == 0, kept == channels, kept != last-first+1:
		return ""
	case kept == 1:
		return fmt.Sprint(first)
	case first == 0:
		return fmt.Sprintf(":%d", last+1)
	case last == channels-1:
		return fmt.Sprintf("%d:", first)
	}
	return fmt.Sprintf("%d:%d", first, last+1)
}

// holdsCoordinates reports whether a channel of an array is the same in all pairs, and has equal steps along one axis of
// the points and none along the others.
func (s sample) holdsCoordinates(p array, channel int) bool {
	strides := npy.Strides(s.shape)
	index := func(position, axis int) int { return position / strides[axis] % s.shape[axis] }
	ofChannels := p.axis('c')
	varying := 0 // axes along which values differ
	for axis, letter := range p.axes {
		if letter != 'n' && letter != 'x' && letter != 'y' {
			continue
		}
		length := s.shape[axis]
		stride := strides[axis]
		line := make([]float64, length)
		varies := false
		for begin := range s.data {
			if index(begin, axis) != 0 || index(begin, ofChannels) != channel {
				continue
			}
			for i := range line {
				line[i] = s.data[begin+i*stride]
			}
			if isFlat(line) {
				continue
			}
			if letter == 'n' || length < 3 || !grid.HasEqualSteps(line) {
				return false
			}
			varies = true
		}
		if varies {
			varying++
		}
	}
	return varying == 1
}

// isFlat reports whether all values of a line are equal to rounding.
func isFlat(line []float64) bool {
	const rounding = 1e-6 // of single precision
	tolerance := rounding * math.Abs(line[0])
	for _, v := range line {
		if !(math.Abs(v-line[0]) <= tolerance) {
			return false
		}
	}
	return true
}
