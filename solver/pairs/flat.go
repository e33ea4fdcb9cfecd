// This file recognises fields whose points are numbered in one axis, and functions that are joined end to end.

package pairs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// leastLine is the least number of points of a line of a field.
const leastLine = 8

// Unflattened returns a guess whose functions of one variable are fields, stored line after line: values a line apart
// are alike, those half a line apart are not; or the file has coordinates that repeat, or that have as many points along
// both axes. ok is false if nothing suggests that.
func Unflattened(f *exchange.File, g Guess) (fields Guess, ok bool) {
	inputs := namesIn(f, g.Input)
	outputs := namesIn(f, g.Output)
	points := 0
	line := 0
	places := ""
	for _, name := range slices.Concat(inputs, outputs) {
		m := Lookup(f, name)
		for _, axis := range flatAxes(f, m) {
			if line > 0 {
				break
			}
			points = m.Shape[axis]
			line, places = lineByCoordinates(f, m, axis)
			if line == 0 {
				line = lineByValues(f, m, axis)
			}
		}
	}
	if line == 0 {
		return g, false
	}
	fields = g
	fields.Places = places
	fields.Input = asFields(f, inputs, points, line)
	fields.Output = asFields(f, outputs, points, line)
	fields.Axes = ""
	fields.Note = fmt.Sprintf("the %d values of a function are read as a field on %d x %d points, whose lines follow "+
		"each other", points, points/line, line)
	fields.Other = "for functions of one variable: " + Settings(g.Input, g.Output)
	if fields.TestInput != "" {
		fields.TestInput = counterpart(f, fields.Input)
		fields.TestOutput = counterpart(f, fields.Output)
	}
	return fields, true
}

// asFields returns the names of arrays, with the text that makes fields of functions on so many points.
func asFields(f *exchange.File, names []string, points, line int) string {
	var all []string
	for _, name := range names {
		m := Lookup(f, name)
		text := name
		for _, axis := range flatAxes(f, m) {
			if m.Shape[axis] == points {
				text = name + reshape(m, axis, points/line, line)
			}
		}
		all = append(all, quoted(text))
	}
	return strings.Join(all, ",")
}

// flatAxes returns the axes of an array of functions of one variable, (n, K) or (K, n), that may number the points of a
// field, the likeliest first. The first axis of (n, K) is none, although values may repeat along it as seasons do,
// unless values are smooth along this axis alone.
func flatAxes(f *exchange.File, m npy.Member) (all []int) {
	long := npy.Long(m.Shape)
	isReshaped := strings.Contains(m.Name, ".reshape(")
	if !m.Readable() || len(long) != 2 || isReshaped {
		return nil
	}
	first := slices.Index(m.Shape, long[0])
	last := len(m.Shape) - 1
	for m.Shape[last] == 1 {
		last--
	}
	if factors(m.Shape[last]) != nil {
		all = append(all, last)
	}
	if factors(m.Shape[first]) == nil {
		return all
	}
	s, err := sampleOf(f, m, few)
	if err == nil && s.roughness(last) > roughValues && s.roughness(first) < roughValues/clearly {
		return []int{first}
	}
	return all
}

// factors returns the lengths of lines of fields of so many points, ascending.
func factors(points int) (all []int) {
	for line := leastLine; line*leastLine <= points; line++ {
		if points%line == 0 {
			all = append(all, line)
		}
	}
	return all
}

// reshape returns the text that splits an axis of an array into two.
func reshape(m npy.Member, axis, rows, columns int) string {
	words := make([]string, 0, len(m.Shape)+1)
	open := false
	for d, n := range m.Shape {
		switch {
		case d == axis:
			words = append(words, fmt.Sprint(rows), fmt.Sprint(columns))
		case n == 1 || open:
			words = append(words, fmt.Sprint(n))
		default: // the axis of pairs
			words = append(words, "-1")
			open = true
		}
	}
	return ".reshape(" + strings.Join(words, ", ") + ")"
}

// lineByCoordinates returns the length of a line of the fields whose points an axis of an array numbers, by coordinates in
// the file: of x and y along both axes, of a mesh, or of every point, which return to the first one after a line. It is 0
// if there are none. places names those of both axes.
func lineByCoordinates(f *exchange.File, values npy.Member, axis int) (line int, places string) {
	points := values.Shape[axis]
	sides, names := sidesByCoordinates(f, points)
	if names != nil {
		line := likelierLine(f, values, axis, sides)
		isTurned := line != sides[1]
		if isTurned && len(Lookup(f, names[0]).Shape) > 1 { // the mesh is not, as when MATLAB joined columns
			names[0] += transposedWord
			names[1] += transposedWord
		}
		return line, strings.Join(names, ",")
	}
	for _, m := range f.Members {
		length, ok := lineOf(m)
		if !ok || length != points || !has(m.Name, coordinateNames) {
			continue
		}
		array, err := m.Array()
		if err != nil {
			continue
		}
		v := array.Data
		for _, line := range factors(points) {
			repeats := v[1] != v[0]
			for i := line; i < points && repeats; i++ {
				repeats = v[i] == v[i-line]
			}
			if repeats {
				return line, ""
			}
		}
	}
	return 0, ""
}

// sidesByCoordinates returns the lengths of both sides of fields of so many points, and the names of the arrays that tell
// them: x and y along the sides, or on the whole mesh. The names are nil if there are none.
func sidesByCoordinates(f *exchange.File, points int) (sides [2]int, names []string) {
	x, xName := numbersCalled(f, "x")
	y, yName := numbersCalled(f, "y")
	if x*y == points && min(x, y) >= leastLine {
		return [2]int{x, y}, []string{xName, yName}
	}
	var alongAxis [2]string // names of the coordinates of a mesh that change along each axis
	for _, m := range f.Members {
		isOfField := len(m.Shape) == 2 && npy.Count(m.Shape) == points && slices.Min(m.Shape) >= leastLine
		if !isOfField || isOfTimes(m) {
			continue
		}
		axis, ok := meshAxis(m)
		if !ok {
			continue
		}
		alongAxis[axis] = quoted(m.Name)
		sides = [2]int{m.Shape[0], m.Shape[1]}
	}
	if alongAxis[0] == "" || alongAxis[1] == "" {
		return sides, nil
	}
	names = alongAxis[:]
	slices.Sort(names) // x first
	return sides, names
}

// likelierLine returns which of two sides is the line of fields whose points an axis of an array numbers: values one line
// apart are alike. Of equals it is the second, along which neighbours lie in the order of Python.
func likelierLine(f *exchange.File, m npy.Member, axis int, sides [2]int) int {
	s, err := sampleOf(f, m, few)
	if err == nil && s.distance(axis, sides[0]) < s.distance(axis, sides[1]) {
		return sides[0]
	}
	return sides[1] // an error is reported with the array
}

// numbersCalled returns the length of the array of numbers with a name, and that name as the file has it; 0 if there is
// none.
func numbersCalled(f *exchange.File, name string) (length int, written string) {
	for _, m := range f.Members {
		length, ok := lineOf(m)
		if ok && strings.EqualFold(m.Name, name) {
			return length, quoted(m.Name)
		}
	}
	return 0, ""
}

// lineByValues returns the length of a line of the fields whose points an axis of an array numbers; 0 if values do not
// show one. The squared difference of values grows with their distance along a line, and is small again one line on.
func lineByValues(f *exchange.File, m npy.Member, axis int) int {
	const (
		asNear = 16  // times the difference of neighbours: a line is at most four times as far
		fewer  = 0.5 // of the difference half a line before and after
	)
	s, err := sampleOf(f, m, few)
	if err != nil {
		return 0
	}
	length := s.shape[axis]
	distances := map[int]float64{}
	distance := func(lag int) float64 {
		if _, ok := distances[lag]; !ok {
			distances[lag] = s.distance(axis, lag)
		}
		return distances[lag]
	}
	for _, line := range factors(m.Shape[axis]) {
		if 2*line > length {
			break
		}
		d := distance(line)
		halfway := min(distance(line/2), distance(line+line/2))
		if d <= asNear*distance(1) && d < fewer*halfway {
			return line
		}
	}
	return 0
}

// distance returns the mean squared difference of values so far apart along an axis, without those that are missing.
func (s sample) distance(axis, lag int) float64 {
	sum := 0.0
	count := 0
	for values := range s.lines(axis, 256) {
		for i := lag; i < len(values); i++ {
			difference := values[i] - values[i-lag]
			if !math.IsNaN(difference) {
				sum += difference * difference
				count++
			}
		}
	}
	return sum / float64(max(1, count))
}

// Joined returns the settings that split inputs of two to four functions that are joined end to end, each on as many
// points as the outputs, or outputs that are joined and as long as so many inputs: values jump where they meet. It is
// empty if nothing suggests that.
func Joined(f *exchange.File, g Guess) (name, settings string) {
	a := Lookup(f, g.Input)
	u := Lookup(f, g.Output)
	if !a.Readable() || !u.Readable() {
		return "", ""
	}
	if len(a.Shape) != 2 || len(u.Shape) != 2 {
		return "", ""
	}
	for points := range 2 { // their axis
		pairs := 1 - points
		if a.Shape[pairs] != u.Shape[pairs] {
			continue
		}
		if parts := joinedParts(f, a, points, u.Shape[points]); parts != nil {
			return g.Input, Settings(strings.Join(parts, ","), g.Output)
		}
		if parts := joinedParts(f, u, points, a.Shape[points]); parts != nil {
			return g.Output, Settings(g.Input, strings.Join(parts, ","))
		}
	}
	return "", ""
}

// joinedParts returns the parts of an array, each of so many points along an axis, if they are functions that are joined.
func joinedParts(f *exchange.File, m npy.Member, axis, points int) []string {
	const jump = 16 // least ratio of squared differences where functions meet to those of neighbours
	if points < 1 {
		return nil
	}
	parts := m.Shape[axis] / points
	if parts < 2 || parts > 4 || m.Shape[axis] != parts*points {
		return nil
	}
	s, err := sampleOf(f, m, few)
	if err != nil || s.shape[axis] != m.Shape[axis] {
		return nil
	}
	meeting := 0.0 // mean squares of differences
	usual := 0.0
	for line := range s.lines(axis, fewLines) {
		for i := 1; i < len(line); i++ {
			step := line[i] - line[i-1]
			if i%points == 0 {
				meeting += step * step / float64(parts-1)
			} else {
				usual += step * step / float64(len(line)-parts)
			}
		}
	}
	if !(meeting > jump*usual) {
		return nil
	}
	var names []string
	for k := range parts {
		first := ""
		end := ""
		if k > 0 {
			first = fmt.Sprint(k * points)
		}
		if k < parts-1 {
			end = fmt.Sprint((k + 1) * points)
		}
		part := Entry(2, axis, first+":"+end)
		names = append(names, quoted(m.Name)+part)
	}
	return names
}
