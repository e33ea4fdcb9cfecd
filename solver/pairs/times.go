// This file finds axes of time: outputs at several times, functions at several times, and single trajectories.

package pairs

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// evolved returns inputs with outputs of one more axis: a few channels, times, of which the last is taken, or a further
// variable. The axis is one of time if the file has as many times, or if outputs begin with the inputs there.
func (c candidateArrays) evolved() []Guess {
	var all []Guess
	for _, in := range c.functions() {
		for _, out := range c.functions() {
			if asInput(in.Name) == len(inputNames) || len(out.Shape) != len(in.Shape)+1 ||
				asOutput(out.Name) == len(outputNames) {
				continue
			}
			if len(all) < mostGuesses { // each looks at values
				all = append(all, c.evolvedTo(in, out)...)
			}
		}
	}
	return all
}

// evolvedTo returns the readings of outputs that have one more axis than their inputs.
func (c candidateArrays) evolvedTo(in, out npy.Member) []Guess {
	var begins, times, channels []Guess
	whole := Guess{Input: quoted(in.Name), Output: quoted(out.Name), Known: true}
	for d := len(out.Shape) - 1; d >= 0; d-- { // time is often the last axis
		if !slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) {
			continue
		}
		n := out.Shape[d]
		last := quoted(out.Name) + Entry(len(out.Shape), d, "-1")
		time := Guess{Input: quoted(in.Name), Output: last, Known: true, Note: fmt.Sprintf("axis %d of %s, of length %d, is "+
			"taken as time, of which outputs are the last", d, out.Name, n)}
		if len(in.Shape) == 2 {
			time.Other = fmt.Sprintf("all times as a field: --set data.output=%s", quoted(out.Name))
		}
		switch {
		case n <= mostParameters && (d == len(out.Shape)-1 || d == 1) && !timed(c.file, n):
			whole.Note = fmt.Sprintf("axis %d of %s, of length %d, is taken as channels; the last of them alone is %s", d,
				out.Name, n, last)
			channels = append(channels, whole)
		case c.beginsWith(out, d, in):
			time.Note += fmt.Sprintf(", because the first are %s", in.Name)
			begins = append(begins, time)
		default:
			times = append(times, time)
		}
	}
	switch {
	case begins != nil:
		return append(begins, channels...)
	case channels != nil || times == nil:
		return append(channels, times...)
	case len(in.Shape) > 2 || c.timedAxis(in, out): // no functions of three variables are learned
		return times
	}
	whole.Other = fmt.Sprintf("one time, if %s has an axis of times: --set data.output='%s'", out.Name, times[0].Output)
	whole.Note = fmt.Sprintf("%s has one variable more than %s", out.Name, in.Name)
	return append([]Guess{whole}, times...)
}

// timedAxis reports whether the additional axis of outputs has as many points as the file has times, and no other axis.
func (c candidateArrays) timedAxis(in, out npy.Member) bool {
	for d, n := range out.Shape {
		if slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) && timed(c.file, n) &&
			!slices.Contains(in.Shape, n) {
			return true
		}
	}
	return false
}

// beginsWith reports whether the first entries along an axis of outputs are the inputs or, unless the outputs may be
// fields on a square, nearer to them than to the second: the states of a trajectory follow each other.
func (c candidateArrays) beginsWith(out npy.Member, axis int, in npy.Member) bool {
	state := func(at string) (sample, error) {
		return sampleOf(c.file, Lookup(c.file, out.Name+Entry(len(out.Shape), axis, at)), few)
	}
	a, err := sampleOf(c.file, in, few)
	first, failure := state("0")
	second, another := state("1")
	if err != nil || failure != nil || another != nil || out.Shape[axis] < 2 || len(a.data) != len(first.data) ||
		!slices.Equal(a.shape, first.shape) {
		return false
	}
	square := func(x, y []float64) (sum float64) {
		for i, v := range x {
			if d := v - y[i]; !math.IsNaN(d) {
				sum += d * d
			}
		}
		return sum
	}
	const rounding = 1e-5 // of single precision, after a few operations
	most := rounding * rounding * square(a.data, make([]float64, len(a.data)))
	if !slices.Contains(in.Shape, out.Shape[axis]) {
		most = max(most, square(first.data, second.data))
	}
	return square(a.data, first.data) <= most
}

// timed reports whether a file has an array of the given number of times, or of one more.
func timed(f *exchange.File, times int) bool {
	return slices.ContainsFunc(f.Members, func(t npy.Member) bool {
		n, name := npy.Long(t.Shape), path.Base(t.Name)
		if len(n) == 2 && (strings.Contains(t.Name, "*") || coordinatesOfEach(f, t)) { // in each group, of each pair
			n = n[1:]
		}
		return len(n) == 1 && (n[0] == times || n[0] == times+1) &&
			(strings.HasPrefix(name, "t-") || name == "t" || name == "time")
	})
}

// sequences returns parts of single arrays: the first and the last of functions at several times, (count, time, x) as
// in PDEBench and The Well, also of all arrays with known times together, or both sides of an axis of length 2. Fields
// on a square are taken for functions at several times only if the file has the times.
func (c candidateArrays) sequences() []Guess {
	f := c.file
	var all []Guess
	var in, out []string // known parts
	for _, m := range c.functions() {
		axes := len(m.Shape)
		channels := axes == 5 && min(m.Shape[2], m.Shape[4]) <= mostParameters
		if axes < 3 || len(npy.Long(m.Shape)) < 3 || axes > 4 && !channels && !timed(f, m.Shape[1]) ||
			f.Unnamed() && slices.Contains(m.Shape, 2) {
			continue
		}
		part := func(axis int, at string) string { return quoted(m.Name) + Entry(axes, axis, at) }
		g := Guess{Input: part(1, "0"), Output: part(1, "-1"), Known: timed(f, m.Shape[1]),
			Note: fmt.Sprintf("axis 1, of length %d, is taken as time: inputs are the first, outputs the last", m.Shape[1])}
		sides := false
		for _, d := range []int{0, axes - 1} {
			if m.Shape[d] == 2 && m.Shape[1] != 2 && !g.Known {
				g = Guess{Input: part(d, "0"), Output: part(d, "1"),
					Note: fmt.Sprintf("axis %d, of length 2, is taken as that of inputs and outputs", d)}
				sides = true
				break
			}
		}
		square := axes == 3 && m.Shape[1] == m.Shape[2] || axes == 3 && m.Shape[0] == m.Shape[1]
		if m.Shape[1] < 2 || square && !sides && !g.Known {
			continue
		}
		if g.Known {
			in = append(in, g.Input)
			out = append(out, g.Output)
		}
		all = append(all, g)
	}
	if len(in) > 1 { // channels of one state
		all = append([]Guess{{Input: strings.Join(in, ","), Output: strings.Join(out, ","), Known: true,
			Note: "axis 1 of each array is taken as time: inputs are the first, outputs the last"}}, all...)
	}
	return all
}

// trajectory returns the states of a single trajectory as inputs and the next ones as outputs, if the file has one array
// of functions, (time, x), whose values are smooth along both axes. The last fifth of the states is for tests.
func (c candidateArrays) trajectory() []Guess {
	const least, smooth = 20, 0.3 // states; the roughness along time
	functions := c.functions()
	if len(functions) != 1 || len(functions[0].Shape) != 2 || min(functions[0].Shape[0], functions[0].Shape[1]) < 8 {
		return nil
	}
	m := functions[0]
	s, err := sampleOf(c.file, m, few)
	if err != nil || !(s.roughness(0) < smooth) || !(s.roughness(1) < smooth) {
		return nil
	}
	time := c.timeAxis(m, s)
	n := m.Shape[time] - 1 // steps
	if n < least {
		return nil
	}
	train := n - max(1, n/5)
	part := func(first, end string) string {
		if time == 0 {
			return quoted(m.Name) + fmt.Sprintf("[%s:%s]", first, end)
		}
		return quoted(m.Name) + fmt.Sprintf("[:, %s:%s]", first, end)
	}
	at := strconv.Itoa
	g := Guess{Input: part("", at(train)), Output: part("1", at(train+1)), TestInput: part(at(train), "-1"),
		TestOutput: part(at(train+1), ""), Axes: "nx->nx",
		Note: fmt.Sprintf("axis %d, of length %d, is taken as the time of one trajectory: the step from each state to the "+
			"next is learned from the first %d steps and tested on the others", time, n+1, train)}
	if time == 1 {
		g.Axes = "xn->xn"
	}
	return []Guess{g}
}

// timeAxis returns the axis of time of one trajectory: the one with as many values as the file has times, not the one
// with as many as it has places, not the one along which values are periodic; or else the first.
func (c candidateArrays) timeAxis(m npy.Member, s sample) int {
	for axis, n := range m.Shape {
		other := m.Shape[1-axis]
		if n != other && (timed(c.file, n) || placed(c.file, other)) {
			return axis
		}
	}
	whole := func(axis int) bool { return s.shape[axis] == s.whole[axis] }
	repeats := func(axis int) bool { return whole(axis) && meets(s.lines(axis, fewLines), gapOfLines) }
	if repeats(0) && !repeats(1) {
		return 1
	}
	return 0
}

// placed reports whether a file has an array of the given number of places along an axis of space.
func placed(f *exchange.File, points int) bool {
	return slices.ContainsFunc(f.Members, func(m npy.Member) bool {
		n := npy.Long(m.Shape)
		name := path.Base(m.Name)
		return len(n) == 1 && n[0] == points && name != "t" && rank(name, coordinateNames) < len(coordinateNames)
	})
}

// Entry selects one position along an axis and everything along the others: "[:, 0]".
func Entry(axes, axis int, position string) string {
	words := slices.Repeat([]string{":"}, axes)
	words[axis] = position
	return "[" + strings.Join(words[:max(axis+1, 2)], ", ") + "]"
}
