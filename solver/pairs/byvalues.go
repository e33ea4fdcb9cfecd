// This file tells the axes of arrays by their values alone, where shapes may mislead.

package pairs

import (
	"fmt"
	"slices"
	"strings"

	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// ValuesReading is a reading of named arrays by values: functions are smooth along the axes of their points, and rough along
// those that count pairs and channels.
type ValuesReading struct {
	Axes string // as Source.Axes
	Dims int    // variables of the functions
	file *exchange.File
	all  []valuesArray
}

// valuesArray has the axes of one array by its values.
type valuesArray struct {
	npy.Member
	output    bool
	some      sample
	roughness []float64 // of each axis
	points    []int     // axes along which the values are smooth
	others    []int     // axes of pairs and of channels
	pairs     int       // the one of others that counts pairs
}

// ByValues returns the reading by values of the arrays that a guess names. ok is false if values do not tell all axes.
func ByValues(f *exchange.File, g Guess) (r ValuesReading, ok bool) {
	if g.Input == "" || g.Axes != "" || g.Layout != "" || g.Points != "" {
		return r, false
	}
	r.file = f
	for side, text := range []string{g.Input, g.Output} {
		for _, name := range namesIn(f, text) {
			a, ok := valuesOf(f, name)
			if !ok {
				return r, false
			}
			a.output = side == 1
			r.all = append(r.all, a)
			r.Dims = max(r.Dims, len(a.points))
		}
	}
	if r.Dims == 0 || !r.findPairs() {
		return r, false
	}
	r.Axes = r.text()
	return r, true
}

// valuesOf sorts the axes of an array by its values. ok is false for an array that has no such axes.
func valuesOf(f *exchange.File, name string) (a valuesArray, ok bool) {
	const mostAxes = 4 // of a field with channels
	m := Lookup(f, name)
	long := npy.LongAxes(m.Shape)
	if !m.Readable() || long == 0 || long > mostAxes {
		return a, false
	}
	s, err := sampleOf(f, m, few)
	if err != nil {
		return a, false
	}
	a.Member = m
	a.some = s
	a.roughness = make([]float64, len(m.Shape))
	for d, n := range m.Shape {
		a.roughness[d] = 1
		isLong := n > mostParameters
		if isLong {
			a.roughness[d] = s.roughness(d)
		}
		switch {
		case n == 1:
		case isLong && a.roughness[d] < roughValues:
			a.points = append(a.points, d)
		default:
			a.others = append(a.others, d)
		}
	}
	if len(a.points)+len(a.others) == 1 { // a number for each pair, sorted or not
		a.others = append(a.others, a.points...)
		a.points = nil
	}
	const most = 2 // variables, and axes of pairs and channels
	hasPairs := len(a.others) > 0 && len(a.others) <= most
	return a, hasPairs && len(a.points) <= most
}

// findPairs finds the axis of each array that counts pairs: its length is that of an axis of every other array, and the
// axis that remains has as few entries as channels. It reports whether there is one such length.
func (r *ValuesReading) findPairs() bool {
	var counts []int
	for _, d := range r.all[0].others {
		count := r.all[0].Shape[d]
		if !slices.Contains(counts, count) && r.mayCount(count) {
			counts = append(counts, count)
		}
	}
	if len(counts) != 1 {
		return false
	}
	for i := range r.all {
		a := &r.all[i]
		a.pairs = a.axisOf(counts[0])
	}
	return true
}

// mayCount reports whether every array has an axis of so many pairs.
func (r *ValuesReading) mayCount(count int) bool {
	for _, a := range r.all {
		at := a.axisOf(count)
		if at < 0 {
			return false
		}
		for _, d := range a.others {
			if d != at && a.Shape[d] > mostParameters {
				return false
			}
		}
	}
	return true
}

// axisOf returns the axis of pairs or channels that has a length; -1 if there is none.
func (a valuesArray) axisOf(length int) int {
	for _, d := range a.others {
		if a.Shape[d] == length {
			return d
		}
	}
	return -1
}

// letters returns the letters of the axes of an array.
func (a valuesArray) letters() string {
	all := slices.Repeat([]byte{'1'}, len(a.Shape))
	for _, d := range a.others {
		all[d] = 'c'
	}
	all[a.pairs] = 'n'
	for i, d := range a.points {
		all[d] = "xy"[i]
	}
	return string(all)
}

// text returns the axes of all arrays.
func (r *ValuesReading) text() string {
	var inputs, outputs []string
	for _, a := range r.all {
		if a.output {
			outputs = append(outputs, a.letters())
		} else {
			inputs = append(inputs, a.letters())
		}
	}
	return strings.Join(inputs, ",") + "->" + strings.Join(outputs, ",")
}

// fewColumns returns pairs of so few functions in columns that each row may be some parameters, if values are smooth along
// the columns or the file has as many coordinates, and no other array holds functions.
func (c candidateArrays) fewColumns() []Guess {
	var columns []npy.Member
	for _, m := range c.all {
		if c.isFewColumns(m) {
			columns = append(columns, m)
		}
	}
	all := alike(columns)
	for i := range all {
		g := &all[i]
		shape := Lookup(c.file, namesIn(c.file, g.Input)[0]).Shape
		points := shape[0]
		count := shape[1]
		g.Axes = "xn->xn"
		functions := fmt.Sprintf("%d functions on %d points", count, points)
		if placed(c.file, points) {
			g.Note = functions + ", by the coordinates in the file"
			continue
		}
		g.Note = functions + ", because values are smooth along the first axis; this is a guess"
		asNumbers := Settings(g.Input, g.Output) + " --set data.points=none"
		g.Other = fmt.Sprintf("for %d pairs of %d numbers: %s", points, count, asNumbers)
	}
	return all
}

// isFewColumns reports whether an array may hold a few functions in its columns.
func (c candidateArrays) isFewColumns(m npy.Member) bool {
	if len(m.Shape) != 2 {
		return false
	}
	points := m.Shape[0]
	count := m.Shape[1]
	if points <= mostParameters || count < 2 || count > mostParameters {
		return false
	}
	if placed(c.file, points) {
		return true
	}
	s, err := sampleOf(c.file, m, few)
	return err == nil && s.roughness(0) < roughValues
}

// Verdict is what values and coordinates say about the axes that shapes suggest.
type Verdict int

const (
	Agrees      Verdict = iota // nothing speaks against them
	Doubts                     // other axes are as likely
	IsSquare                   // values are as smooth along two axes of one length, neither of which may count functions then
	IsRough                    // values are rough from point to point, and smooth from function to function
	HasPlaces                  // the file has coordinates along the axis that would count functions
	Unsupported                // shapes suggest no axes
)

// Against compares the axes that shapes suggest with those that values do.
func (r *ValuesReading) Against(axes string) Verdict {
	if axes == r.Axes {
		return Agrees
	}
	inputs, outputs, _ := strings.Cut(axes, "->")
	all := slices.Concat(strings.Split(inputs, ","), strings.Split(outputs, ","))
	if len(all) != len(r.all) {
		return Agrees
	}
	if r.isTrajectory(all[0]) {
		return Agrees
	}
	worst := Agrees
	for i, a := range r.all {
		worst = max(worst, r.against(a, all[i]))
	}
	return worst
}

// isTrajectory reports whether inputs and outputs are one array each, and the next inputs are the outputs: states at
// times, which follow each other smoothly. The inputs have axes by some letters.
func (r *ValuesReading) isTrajectory(letters string) bool {
	n := strings.IndexByte(letters, 'n')
	if len(r.all) != 2 || n < 0 {
		return false
	}
	inputs := r.all[0].some
	outputs := r.all[1].some
	areAlike := slices.Equal(inputs.shape, outputs.shape)
	if !areAlike || len(inputs.shape) != len(letters) {
		return false
	}
	times := inputs.shape[n]
	stride := npy.Strides(inputs.shape)[n]
	for i, u := range outputs.data {
		hasNext := i/stride%times < times-1
		if hasNext && u != inputs.data[i+stride] {
			return false
		}
	}
	return true
}

// against compares the letters that its shape gives an array with its values, and with coordinates in the file. Functions
// that follow each other smoothly, as those of a sorted parameter, may be lines of a field: on a square they are, if they
// are as smooth one way as the other.
func (r *ValuesReading) against(a valuesArray, letters string) Verdict {
	n := strings.IndexByte(letters, 'n')
	if n < 0 || !slices.Contains(a.points, n) {
		return Agrees
	}
	roughest := 0.0 // along the axes of points
	isSquare := false
	placesAlong := 0 // arrays of coordinates of the points
	for d, letter := range letters {
		if letter != 'x' && letter != 'y' {
			continue
		}
		roughest = max(roughest, a.roughness[d])
		isSquare = isSquare || a.Shape[d] == a.Shape[n]
		placesAlong = r.coordinates(a.Shape[d])
	}
	placesAcross := r.coordinates(a.Shape[n])
	if isSquare {
		placesAcross = placesAlong - 1 // because one of them belongs to the points
	}
	hasTimes := slices.Contains(timesIn(r.file), a.Shape[n])
	switch {
	case roughest > roughValues && a.roughness[n] < roughValues/clearly:
		return IsRough
	case placesAcross > 0 && placesAlong > 0:
		return HasPlaces
	case hasTimes, placesAlong > 0 && !isSquare:
		return Agrees
	case isSquare && a.roughness[n] < clearly*roughest:
		return IsSquare
	}
	return Doubts
}

// coordinates counts the arrays of a file that have the coordinates of so many points.
func (r *ValuesReading) coordinates(points int) (count int) {
	for _, m := range r.file.Members {
		if isPlaces(m, points) {
			count++
		}
	}
	return count
}

// axesSetting returns the flag that sets the axes of arrays, quoted for a shell.
func axesSetting(axes string) string { return "--set data.axes=" + printable.Quote(axes) }

// Exchanged returns the setting that takes channels for pairs and pairs for channels, and their numbers, if all arrays of a
// reading have so few of both, and as many each, that either may be meant. It is empty otherwise.
func (f *Functions) Exchanged() (setting string, pairs, channels int) {
	for _, p := range f.all {
		c := p.size('c')
		hasBoth := p.axis('c') >= 0 && p.axis('n') >= 0
		areFew := c >= 2 && p.size('n') <= mostParameters
		areAsMany := channels == 0 || c == channels
		areGroups := strings.Contains(p.Name, "*") // each of which is a pair
		if !hasBoth || !areFew || !areAsMany || areGroups {
			return "", 0, 0
		}
		channels = c
	}
	exchange := strings.NewReplacer("n", "c", "c", "n")
	return axesSetting(exchange.Replace(f.Letters)), f.Count, channels
}

// ofAxes tells in words how many functions of how many variables some axes of the arrays make.
func (r *ValuesReading) ofAxes(axes string) string {
	_, outputs, _ := strings.Cut(axes, "->")
	last := r.all[len(r.all)-1]
	letters := strings.Split(outputs, ",")
	pairs := 1
	channels := 1
	var lengths []string
	for d, letter := range letters[len(letters)-1] {
		switch letter {
		case 'n':
			pairs = last.Shape[d]
		case 'c':
			channels = last.Shape[d]
		case 'x', 'y':
			lengths = append(lengths, fmt.Sprint(last.Shape[d]))
		}
	}
	text := fmt.Sprintf("%d pairs on %s points", pairs, strings.Join(lengths, " x "))
	if lengths == nil {
		text = fmt.Sprintf("%d pairs", pairs)
	}
	if channels > 1 {
		text += fmt.Sprintf(" with %d channels", channels)
	}
	return text
}

// Note tells that the reading by values was taken instead of that by shapes, or that it may be meant, and how to get the
// other one.
func (r *ValuesReading) Note(v Verdict, shapes string) string {
	own := r.ofAxes(r.Axes)
	const bySmoothness = ", by the smoothness of the values"
	switch v {
	case Unsupported:
		return own + bySmoothness
	case Doubts:
		return "values are smooth from function to function, too, so that they may be " + own + ": " + axesSetting(r.Axes)
	}
	other := "; otherwise, for " + r.ofAxes(shapes) + ": " + axesSetting(shapes)
	switch v {
	case IsRough:
		return own + bySmoothness + other
	case HasPlaces:
		return own + ", by the coordinates in the file" + other
	}
	return own + ", because values are as smooth along both axes of one length; this is a guess" + other
}
