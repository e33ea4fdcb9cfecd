// This file finds axes of time: outputs at several times, functions at several times, and single trajectories.

package pairs

import (
	"fmt"
	"math"
	"path"
	"slices"
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
			if len(out.Shape) != len(in.Shape)+1 || len(all) >= mostGuesses { // each looks at values
				continue
			}
			if isInputName(in.Name) && isOutputName(out.Name) {
				all = append(all, c.evolvedTo(in, out)...)
			}
		}
	}
	return all
}

// withoutAxis returns a shape without one axis.
func withoutAxis(shape []int, axis int) []int {
	return slices.Delete(slices.Clone(shape), axis, axis+1)
}

// evolvedTo returns the readings of outputs that have one more axis than their inputs.
func (c candidateArrays) evolvedTo(in, out npy.Member) []Guess {
	var begins, times, channels []Guess
	input := quoted(in.Name)
	output := quoted(out.Name)
	whole := Guess{Input: input, Output: output, Known: true}
	final := len(out.Shape) - 1
	for d, n := range slices.Backward(out.Shape) { // time is often the last axis
		if !slices.Equal(withoutAxis(out.Shape, d), in.Shape) {
			continue
		}
		last := output + Entry(len(out.Shape), d, "-1")
		time := lastTime(in, out, d)
		isAxisOfChannels := n <= mostParameters && (d == final || d == 1)
		beginning := c.beginningOf(out, d, in)
		switch {
		case out.Complex && d == final:
			channels = append(channels, whole)
		case beginning == equalToInputs:
			time.Note += becauseFirst(in)
			begins = append(begins, time)
		case isAxisOfChannels && !timed(c.file, n):
			asChannels := whole
			asChannels.Note = fmt.Sprintf("axis %d of %s, of length %d, is taken as channels; the last of them alone is %s",
				d, out.Name, n, last)
			channels = append(channels, asChannels)
		case beginning == nearInputs:
			time.Note += becauseFirst(in)
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
	whole.Other = fmt.Sprintf("one time, if %s has an axis of times: %s", out.Name, Settings("", times[0].Output))
	whole.Note = fmt.Sprintf("%s has one variable more than %s", out.Name, in.Name)
	return append([]Guess{whole}, times...)
}

// lastTime returns the reading of outputs at the last time, with an axis of time.
func lastTime(in, out npy.Member, axis int) Guess {
	output := quoted(out.Name)
	g := Guess{
		Input:  quoted(in.Name),
		Output: output + Entry(len(out.Shape), axis, "-1"),
		Known:  true,
		Note: fmt.Sprintf("axis %d of %s, of length %d, is taken as time, of which outputs are the last",
			axis, out.Name, out.Shape[axis]),
	}
	if len(in.Shape) == 2 {
		g.Other = "all times as a field: " + Settings("", output)
	}
	return g
}

// becauseFirst says why an axis is one of time.
func becauseFirst(in npy.Member) string { return fmt.Sprintf(", because the first are %s", in.Name) }

// continued returns the readings of outputs whose first entries along an additional axis equal the inputs, unless names
// tell other roles.
func (c candidateArrays) continued() (all []Guess) {
	for _, in := range c.functions() {
		for _, out := range c.functions() {
			hasAxisMore := len(out.Shape) == len(in.Shape)+1
			if !hasAxisMore || hasOtherRoles(in.Name, out.Name) {
				continue
			}
			if len(all) < mostGuesses { // because each looks at values
				all = append(all, c.continuing(in, out)...)
			}
		}
	}
	return all
}

// hasOtherRoles reports whether the name of inputs is that of outputs alone, or the reverse.
func hasOtherRoles(in, out string) bool {
	isOnlyOutput := isOutputName(in) && !isInputName(in)
	isOnlyInput := isInputName(out) && !isOutputName(out)
	return isOnlyOutput || isOnlyInput
}

// continuing returns the readings of outputs that continue some inputs.
func (c candidateArrays) continuing(in, out npy.Member) (all []Guess) {
	for d := range out.Shape {
		isAdditional := slices.Equal(withoutAxis(out.Shape, d), in.Shape)
		if isAdditional && c.beginningOf(out, d, in) == equalToInputs {
			g := lastTime(in, out, d)
			g.Note += becauseFirst(in)
			all = append(all, g)
		}
	}
	return all
}

// timedAxis reports whether the additional axis of outputs has as many points as the file has times, and no other axis.
func (c candidateArrays) timedAxis(in, out npy.Member) bool {
	for d, n := range out.Shape {
		isAdditional := slices.Equal(withoutAxis(out.Shape, d), in.Shape)
		if isAdditional && timed(c.file, n) && !slices.Contains(in.Shape, n) {
			return true
		}
	}
	return false
}

// beginning tells how the first entries along an axis of outputs compare with the inputs.
type beginning int

const (
	otherThanInputs beginning = iota
	nearInputs                // nearer than to the second entries: the states of a trajectory follow each other
	equalToInputs             // to rounding
)

// beginningOf compares the first entries along an axis of outputs with the inputs. On a square, which may hold fields, they
// are not called near.
func (c candidateArrays) beginningOf(out npy.Member, axis int, in npy.Member) beginning {
	if out.Shape[axis] < 2 {
		return otherThanInputs
	}
	inputs, err := sampleOf(c.file, in, few)
	if err != nil {
		return otherThanInputs
	}
	first, err := c.state(out, axis, "0")
	if err != nil {
		return otherThanInputs
	}
	second, err := c.state(out, axis, "1")
	if err != nil {
		return otherThanInputs
	}
	if len(inputs.data) != len(first.data) || !slices.Equal(inputs.shape, first.shape) {
		return otherThanInputs
	}
	const rounding = 1e-5 // of single precision, after a few operations
	zero := make([]float64, len(inputs.data))
	size := squaredDistance(inputs.data, zero)
	distance := squaredDistance(inputs.data, first.data)
	step := squaredDistance(first.data, second.data)
	isSquare := slices.Contains(in.Shape, out.Shape[axis])
	switch {
	case step > 0 && distance <= rounding*rounding*size:
		return equalToInputs
	case !isSquare && distance <= step:
		return nearInputs
	}
	return otherThanInputs
}

// state samples the entries of an array at one position along an axis.
func (c candidateArrays) state(m npy.Member, axis int, position string) (sample, error) {
	name := m.Name + Entry(len(m.Shape), axis, position)
	return sampleOf(c.file, Lookup(c.file, name), few)
}

// squaredDistance returns the sum of squared differences of values, without those that are missing.
func squaredDistance(x, y []float64) (sum float64) {
	for i, v := range x {
		difference := v - y[i]
		if !math.IsNaN(difference) {
			sum += difference * difference
		}
	}
	return sum
}

// timesIn returns the numbers of times in the arrays of times of a file.
func timesIn(f *exchange.File) (all []int) {
	for _, t := range f.Members {
		shape := npy.Long(t.Shape)
		isOfEach := strings.Contains(t.Name, "*") || coordinatesOfEach(f, t) // in each group, of each pair
		if len(shape) == 2 && isOfEach {
			shape = shape[1:]
		}
		if len(shape) == 1 && isOfTimes(t) {
			all = append(all, shape[0])
		}
	}
	return all
}

// isOfTimes reports whether an array has the name of times on a mesh.
func isOfTimes(m npy.Member) bool {
	name := strings.ToLower(path.Base(m.Name))
	return strings.HasPrefix(name, "t-") || slices.Contains([]string{"t", "tt", "time", "times", "sim_time"}, name)
}

// timed reports whether a file has an array of the given number of times, or of one more.
func timed(f *exchange.File, times int) bool {
	all := timesIn(f)
	return slices.Contains(all, times) || slices.Contains(all, times+1)
}

// sequences returns parts of single arrays: the first and the last of functions at several times, (count, time, x) as
// in PDEBench and The Well, also of all arrays with known times together, or both sides of an axis of length 2. Fields
// on a square are taken for functions at several times only if the file has the times.
func (c candidateArrays) sequences() []Guess {
	var all []Guess
	var in, out []string // known parts
	for _, m := range c.functions() {
		g, ok := c.sequence(m)
		if !ok || len(all) == mostGuesses { // each looks at values
			continue
		}
		if g.Known {
			in = append(in, g.Input)
			out = append(out, g.Output)
		}
		all = append(all, g)
	}
	if len(in) < 2 {
		return all
	}
	together := Guess{ // channels of one state
		Input:  strings.Join(in, ","),
		Output: strings.Join(out, ","),
		Known:  true,
		Note:   "axis 1 of each array is taken as time: inputs are the first, outputs the last",
	}
	return append([]Guess{together}, all...)
}

// sequence returns the first and the last part of an array of functions at several times, or both parts along an axis of
// length 2.
func (c candidateArrays) sequence(m npy.Member) (g Guess, ok bool) {
	axes := len(m.Shape)
	long := npy.LongAxes(m.Shape)
	if m.Complex {
		long-- // that of the parts
	}
	if long < 3 {
		return g, false
	}
	time, known := c.knownTime(m)
	var states stateAxes
	areStates := false
	if !known {
		states, areStates = c.areTrajectories(m)
	}
	hasSides := c.file.Unnamed() && slices.Contains(m.Shape, 2) && !m.Complex
	if hasSides && !areStates {
		return g, false
	}
	part := func(axis int, at string) string {
		return quoted(m.Name) + Entry(axes, axis, at)
	}
	if !known {
		sides := axisOfSides(m)
		if sides >= 0 && !areStates {
			return Guess{
				Input:  part(sides, "0"),
				Output: part(sides, "1"),
				Note:   fmt.Sprintf("axis %d, of length 2, is taken as that of inputs and outputs", sides),
			}, true
		}
		hasEqualSides := m.Shape[1] == m.Shape[2] || m.Shape[0] == m.Shape[1]
		isSquare := axes == 3 && hasEqualSides
		hasChannels := axes == 5 && min(m.Shape[2], m.Shape[4]) <= mostParameters
		switch {
		case areStates:
			time = states.time
		case isSquare || axes > 4 && !hasChannels:
			return g, false
		default:
			time, ok = c.likelyTime(m)
			if !ok {
				return g, false
			}
		}
	}
	steps := m.Shape[time]
	if steps < 2 {
		return g, false
	}
	hasStates := axes == 3 || axes == 4
	if time == 1 && hasStates && m.Shape[0] < fewTrajectories && steps > leastSteps {
		return stepsOf(m), true
	}
	g = Guess{
		Input:  part(time, "0"),
		Output: part(time, "-1"),
		Known:  known,
		Note: fmt.Sprintf("axis %d, of length %d, is taken as time: inputs are the first, outputs the last",
			time, steps),
	}
	other := otherTime(m, time, states, areStates)
	if !known && other >= 0 {
		settings := Settings(part(other, "0"), part(other, "-1"))
		g.Other = fmt.Sprintf("axis %d: %s", other, settings)
	}
	return g, true
}

// stepsOf returns the states of a few trajectories (count, time, ...) as inputs and the next ones as outputs: their first and
// last states alone would be too few pairs.
func stepsOf(m npy.Member) Guess {
	axes := len(m.Shape)
	name := quoted(m.Name)
	rest := ""
	for _, n := range m.Shape[2:] {
		rest += fmt.Sprintf(", %d", n)
	}
	letters := "nxy"[:axes-1]
	if axes == 4 && m.Shape[3] <= mostParameters {
		letters = "nxc"
	}
	join := ".reshape(-1" + rest + ")"
	first := Settings(name+Entry(axes, 1, "0"), name+Entry(axes, 1, "-1"))
	return Guess{
		Input:  name + Entry(axes, 1, ":-1") + join,
		Output: name + Entry(axes, 1, "1:") + join,
		Axes:   letters + "->" + letters,
		Note: fmt.Sprintf("axis 1, of length %d, is taken as the time of %d trajectories: the step from each state to the "+
			"next is learned, because there are few trajectories", m.Shape[1], m.Shape[0]),
		Other: "from the first states to the last: " + first,
	}
}

// otherTime returns the axis that may be the one of time as well; -1 if there is none.
func otherTime(m npy.Member, time int, states stateAxes, areStates bool) int {
	axes := len(m.Shape)
	other := 1
	switch {
	case areStates:
		other = states.points[0]
		last := states.points[len(states.points)-1]
		isSquare := last != other && m.Shape[other] == m.Shape[last]
		if isSquare {
			return -1
		}
	case time == 1:
		other = axes - 1
	}
	if m.Shape[other] < 2 {
		return -1
	}
	return other
}

// knownTime returns the axis of an array that has as many entries as the file has times, if no other axis has, or along
// which the times of a mesh of its last axes change.
func (c candidateArrays) knownTime(m npy.Member) (axis int, ok bool) {
	if timed(c.file, m.Shape[1]) {
		return 1, true
	}
	for _, t := range c.file.Members {
		if !isOfTimes(t) {
			continue
		}
		before := len(m.Shape) - len(t.Shape)
		if before <= 0 || !slices.Equal(m.Shape[before:], t.Shape) {
			continue // before the values are read
		}
		if axis, ok := meshAxis(t); ok {
			return before + axis, true
		}
	}
	for d, n := range m.Shape {
		isFirst := slices.Index(m.Shape, n) == d
		isOnly := isFirst && !slices.Contains(m.Shape[d+1:], n)
		if n > 1 && isOnly && slices.Contains(timesIn(c.file), n) {
			return d, true
		}
	}
	return 0, false
}

const (
	leastSteps      = 20  // of a single trajectory, or of each of a few
	fewTrajectories = 10  // whose first and last states are no set of pairs
	smooth          = 0.3 // the roughness of states along time and of functions along their points, at most
)

// likelyTime returns the axis of time of an array of functions at several times: the second, unless lengths, places in
// the file or values speak for another one. ok is false for a single trajectory of fields.
func (c candidateArrays) likelyTime(m npy.Member) (axis int, ok bool) {
	shape := m.Shape
	if len(shape) > 3 {
		areSquares := len(shape) == 4 && shape[1] == shape[2] && shape[3] != shape[1]
		if areSquares && shape[3] > mostParameters {
			return 3, true
		}
		return 1, true
	}
	s, err := sampleOf(c.file, m, few)
	if err != nil {
		return 1, true
	}
	first := s.roughness(0)
	second := s.roughness(1)
	third := s.roughness(2)
	isSmoothBeside := first < smooth && third < smooth
	if isSmoothBeside && second > roughValues { // the second counts trajectories
		return 0, true
	}
	isOnly := len(c.functions()) == 1
	if isSmoothBeside && second < smooth && isOnly && shape[0] > leastSteps {
		return 0, false
	}
	if shape[1] != shape[2] {
		secondIsSpace := placed(c.file, shape[1])
		thirdIsSpace := placed(c.file, shape[2])
		switch {
		case secondIsSpace && !thirdIsSpace:
			return 2, true
		case thirdIsSpace && !secondIsSpace:
			return 1, true
		}
	}
	if s.repeatsRather(1, 2) {
		return 2, true
	}
	return 1, true
}

// repeatsRather reports whether functions are periodic along one axis, clearly, and not along another, which is that of
// time then.
func (s sample) repeatsRather(axis, other int) bool {
	const clearly = 1.5 // a decay has its first value far from its last
	return s.repeats(axis, clearly) && !s.repeats(other, gapOfLines)
}

// repeats reports whether functions along an axis are periodic, as along space, with a factor of meets; false for parts
// of them.
func (s sample) repeats(axis int, factor float64) bool {
	isWhole := s.shape[axis] == s.whole[axis]
	return isWhole && meets(s.lines(axis, fewLines), factor)
}
