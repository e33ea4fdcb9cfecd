// This file finds single trajectories, whose states at one time are inputs and those at the next outputs.

package pairs

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// trajectory returns the states of a single trajectory as inputs and the next ones as outputs, if the file has one array
// of functions, (time, x) or (time, x, y), whose values are smooth along all axes. The last fifth of the states is for
// tests.
func (c candidateArrays) trajectory() []Guess {
	functions := c.functions()
	if len(functions) != 1 {
		return nil
	}
	m := functions[0]
	axes := len(m.Shape) // without the one of the parts of complex numbers
	if m.Complex {
		axes--
	}
	if axes > 3 || slices.Min(m.Shape[:axes]) < 8 {
		return nil
	}
	s, err := sampleOf(c.file, m, few)
	if err != nil {
		return nil
	}
	for axis := range axes {
		isSmooth := s.roughness(axis) < smooth // not if it is NaN
		if !isSmooth {
			return nil
		}
	}
	time := c.timeAxis(m, axes, s)
	steps := m.Shape[time] - 1
	if steps < leastSteps {
		return nil
	}
	train := steps - max(1, steps/5)
	part := func(span string) string {
		if time == 0 {
			return quoted(m.Name) + "[" + span + "]"
		}
		return quoted(m.Name) + Entry(len(m.Shape), time, span)
	}
	variables := "xy"[:axes-1]
	letters := "n" + variables
	if time > 0 {
		letters = variables + "n"
	}
	if m.Complex {
		letters += "c"
	}
	return []Guess{{
		Input:      part(fmt.Sprintf(":%d", train)),
		Output:     part(fmt.Sprintf("1:%d", train+1)),
		TestInput:  part(fmt.Sprintf("%d:-1", train)),
		TestOutput: part(fmt.Sprintf("%d:", train+1)),
		Axes:       letters + "->" + letters,
		Note: fmt.Sprintf("axis %d, of length %d, is taken as the time of one trajectory: the step from each state to the "+
			"next is learned from the first %d steps and tested on the others",
			time, steps+1, train),
	}}
}

// timeAxis returns the axis of time of one trajectory, the first or the last of some axes: the one with as many values as the file
// has times, not the one with as many as it has places, not the one along which values are periodic, not one of the two
// sides of a square; or else the first.
func (c candidateArrays) timeAxis(m npy.Member, axes int, s sample) int {
	last := axes - 1
	for _, axis := range []int{0, last} {
		n := m.Shape[axis]
		other := m.Shape[last-axis]
		otherIsSpace := placed(c.file, other) && !placed(c.file, n)
		if n != other && (timed(c.file, n) || otherIsSpace) {
			return axis
		}
	}
	if last == 2 && m.Shape[0] != m.Shape[2] {
		if m.Shape[0] == m.Shape[1] {
			return 2
		}
		return 0
	}
	if s.repeats(0, gapOfLines) && !s.repeats(last, gapOfLines) {
		return last
	}
	return 0
}

// placed reports whether a file has an array of the given number of places along an axis of space.
func placed(f *exchange.File, points int) bool {
	for _, m := range f.Members {
		if isPlaces(m, points) {
			return true
		}
	}
	return false
}

// isPlaces reports whether an array has the given number of places along an axis of space.
func isPlaces(m npy.Member, points int) bool {
	n := npy.Long(m.Shape)
	name := path.Base(m.Name)
	return len(n) == 1 && n[0] == points && name != "t" && has(name, coordinateNames)
}

// Entry selects one position along an axis and everything along the others: "[:, 0]".
func Entry(axes, axis int, position string) string {
	words := slices.Repeat([]string{":"}, axes)
	words[axis] = position
	return "[" + strings.Join(words[:max(axis+1, 2)], ", ") + "]"
}
