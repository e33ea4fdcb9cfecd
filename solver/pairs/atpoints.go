// This file locates and reads functions at points of any geometry. Their arrays have an axis n of pairs, perhaps an axis c
// of channels, and axes p of the points of outputs or q of other points at which inputs are known, in any order; inputs
// without either are numbers.

package pairs

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// findAtPoints finds the arrays of functions at points, their axes, and the points.
func (f *Functions) findAtPoints() error {
	if err := f.nameArrays(); err != nil {
		return err
	}
	known := f.Domain.Cloud // of a trained model
	if f.Training != nil {
		known = f.Training.Cloud
	}
	found := foundPlaces{}
	if !known.There() {
		var err error
		found, err = f.places()
		if err != nil {
			return err
		}
	}
	var err error
	switch {
	case f.Source.Axes != "":
		err = f.axesAtPoints(f.Source.Axes)
	case f.Training != nil && len(f.Training.all) == len(f.all):
		err = f.axesAtPoints(f.Training.axesOf())
	default:
		err = f.inferAtPoints(found.lattice)
	}
	if err != nil {
		return err
	}
	f.Count = f.all[0].size('n')
	if found.pairs > 0 && found.pairs != f.Count {
		return fault.Bad(
			f.File,
			"name coordinates of the points, or of each pair and point, in the order of the values; x.T has the axes of x in "+
				"the opposite order",
			"has points of %d pairs in data.points = %s, and %d pairs of values", found.pairs, f.Points, f.Count,
		)
	}
	f.Info.Layout = f.all[0].layout()
	if known.There() {
		return f.suitsCloud(known)
	}
	return f.makeCloud(found)
}

// nameArrays looks up the arrays of inputs and outputs.
func (f *Functions) nameArrays() error {
	inputs := namesIn(f.Open, cmp.Or(f.Input, "a"))
	var outputs []string
	if f.Alone {
		only, err := f.Open.Only()
		if err == nil && len(inputs) == 1 && !f.Open.Has(inputs[0]) {
			inputs[0] = only.Name
		}
	} else {
		outputs = namesIn(f.Open, cmp.Or(f.Output, "u"))
	}
	return f.lookUp(inputs, outputs)
}

// axesAtPoints gives the arrays the axes of a text, as "nq,nc->np".
func (f *Functions) axesAtPoints(text string) error {
	const do = "name the axes of each array, as in data.axes = nq,np->np, or leave data.axes empty"
	return f.giveAxes(text, do, func(p array) string {
		switch {
		case len(p.axes) != len(p.Shape):
			return fmt.Sprintf("it has %d axes", len(p.Shape))
		case strings.Trim(p.axes, "npqc ") != "":
			return "letters are n, p, q, c and 1"
		case strings.Count(p.axes, "c") > 1,
			strings.Count(p.axes, "n") > 1:
			return "n and c are there at most once"
		}
		return ""
	})
}

// inferAtPoints finds the axes of the arrays by their lengths. The axis of pairs is the first or the last axis of the
// outputs, or another one, that has the same length in all arrays and leaves the axes of the points.
func (f *Functions) inferAtPoints(lattice []int) error {
	last := &f.all[len(f.all)-1] // an output, unless there is none
	order := []int{0, len(last.Shape) - 1}
	for d := range last.Shape {
		order = append(order, d)
	}
	for _, d := range order {
		if f.Alone && lattice == nil && len(last.Shape) < 2 {
			break
		}
		if f.countedBy(last.Shape[d], lattice) {
			return nil
		}
	}
	var shapes []string
	for _, p := range f.all {
		shapes = append(shapes, WithShape(p.Member))
	}
	return fault.Bad(
		f.File,
		"name the axes, as in data.axes = nq,np->np: n pairs, p points of outputs, q other points, c channels",
		"has arrays in which no axis counts the pairs of all: %s", strings.Join(shapes, ", "),
	)
}

// countedBy gives all arrays axes in which so many pairs are counted, and reports whether that is possible.
func (f *Functions) countedBy(count int, lattice []int) bool {
	axes := make([]string, len(f.all))
	onAxes := f.Points == config.OnAxes
	for i, p := range slices.Backward(f.all) { // outputs first
		axes[i] = pointAxes(p.Shape, count, lattice, p.output, onAxes)
		if axes[i] == "" {
			return false
		}
		p.axes = axes[i]
		if p.output && lattice == nil {
			lattice = p.lattice() // inputs with the same axes have the same points
		}
	}
	for i := range f.all {
		f.all[i].axes = axes[i]
	}
	return true
}

// pointAxes returns the axes of an array: those of the points follow each other and have the lengths of a lattice, or of
// anything if it is nil; onAxes, a last axis with few numbers is that of channels. It is empty if there is no axis with
// count pairs beside them.
func pointAxes(shape []int, count int, lattice []int, output, onAxes bool) string {
	if lattice != nil {
		axes := latticeAxes(shape, count, lattice)
		if axes != "" || output {
			return axes
		}
	}
	pairAxis := slices.Index(shape, count)
	if pairAxis < 0 || output && npy.LongAxes(shape) < 2 {
		return ""
	}
	rest := npy.Count(shape) / count
	letter := byte('q')
	switch {
	case output:
		letter = 'p'
	case rest <= mostParameters && npy.LongAxes(shape) <= 2: // numbers
		letter = 'c'
	}
	axes := []byte(strings.Repeat(string(letter), len(shape)))
	for d, n := range shape {
		if n == 1 {
			axes[d] = ' '
		}
	}
	axes[pairAxis] = 'n'
	if onAxes && output {
		last := bytes.LastIndexByte(axes, 'p')
		hasOthers := bytes.Count(axes, []byte("p")) > 1
		if hasOthers && shape[last] <= mostParameters {
			axes[last] = 'c'
		}
	}
	return string(axes)
}

// latticeAxes returns the axes of an array at the points of a lattice: the last ones with its lengths are those of the
// points. It is empty if there are none, or if no other axis counts the pairs.
func latticeAxes(shape []int, count int, lattice []int) string {
	for first := len(shape) - len(lattice); first >= 0; first-- {
		end := first + len(lattice)
		if !slices.Equal(shape[first:end], lattice) {
			continue
		}
		if axes := axesBeside(shape, count, first, end); axes != "" {
			return axes
		}
	}
	return ""
}

// axesBeside returns the axes of an array whose axes from first to before end are those of the points: one of the others
// counts the pairs, and another one may be that of channels. It is empty if the others are not of this kind.
func axesBeside(shape []int, count, first, end int) string {
	axes := bytes.Repeat([]byte(" "), len(shape))
	for d := first; d < end; d++ {
		axes[d] = 'p'
	}
	hasPairs := false
	for d, n := range shape {
		if axes[d] == ' ' && n == count && !hasPairs {
			axes[d] = 'n'
			hasPairs = true
		}
	}
	hasChannels := false
	for d, n := range shape {
		if axes[d] != ' ' || n == 1 {
			continue
		}
		if n > grid.MostChannels || hasChannels {
			return ""
		}
		axes[d] = 'c'
		hasChannels = true
	}
	if !hasPairs {
		return ""
	}
	return string(axes)
}

// pointsOf returns the number of points of an array, 0 for numbers, and whether they are those of the outputs.
func (p array) pointsOf() (count int, ofOutputs bool) {
	if !strings.ContainsAny(p.axes, "pq") {
		return 0, false
	}
	count = 1
	for d, letter := range p.axes {
		if letter == 'p' || letter == 'q' {
			count *= p.Shape[d]
		}
	}
	return count, strings.Contains(p.axes, "p")
}

// countChannels adds the channels of an array to those of inputs or outputs.
func (f *Functions) countChannels(p *array) {
	if p.output {
		f.Out += p.size('c')
	} else {
		f.In += p.size('c')
	}
}

// makeCloud makes the points of all arrays, and sets the sizes of the functions.
func (f *Functions) makeCloud(found foundPlaces) error {
	var own []points.Places // of inputs at other points than outputs
	for i := range f.all {
		p := &f.all[i]
		f.countChannels(p)
		count, ofOutputs := p.pointsOf()
		known := found.places.Count()
		switch {
		case count == 0:
			f.Lifted = true
		case !ofOutputs:
			p.first = sum(own)
			own = append(own, latticePlaces(p.lattice()))
		case known == 0:
			found.places = points.Equal(0, nil, count)
			if f.Points == config.OnAxes {
				found.places = latticePlaces(p.lattice())
			}
		case known != count:
			return fault.Bad(
				npy.Place(f.File, p.Name),
				"name the coordinates of its points with data.points",
				"has shape %v with %d points, and there are places of %d", p.Shape, count, known,
			)
		}
	}
	if max(f.In, f.Out) > grid.MostChannels {
		return fault.Bad(f.File, "name fewer arrays", "has more than %d channels", grid.MostChannels)
	}
	f.Out = max(1, f.Out)
	f.FoundPlaces = found.note
	f.Cloud = points.New(together(own), found.places)
	f.Grid = f.Cloud.Count()
	f.Columns = 1
	return nil
}

// lattice returns the lengths of the axes of an array that list its points.
func (p array) lattice() (lengths []int) {
	for d, letter := range p.axes {
		if letter == 'p' || letter == 'q' {
			lengths = append(lengths, p.Shape[d])
		}
	}
	return lengths
}

func sum(all []points.Places) (count int) {
	for _, p := range all {
		count += p.Count()
	}
	return count
}

// latticePlaces returns the places of functions on a grid with such axes, which count both ends of the unit interval.
// More axes than a place has coordinates leave places unknown.
func latticePlaces(lengths []int) points.Places {
	count := npy.Count(lengths)
	axes := len(lengths)
	if axes > points.MostAxes || slices.Min(lengths) < 2 {
		return points.Equal(0, nil, count)
	}
	at := make([]float64, 0, count*axes) // count x axes
	for i := range count {
		place := make([]float64, axes)
		rest := i
		for axis, length := range slices.Backward(lengths) {
			place[axis] = float64(rest%length) / float64(length-1)
			rest /= length
		}
		at = append(at, place...)
	}
	places, _ := points.Weigh(axes, at, count, 0, nil)
	return places
}

// together returns the points of several inputs as one list, each input with the same weight: nil if there are none.
func together(own []points.Places) *points.Places {
	if len(own) == 0 {
		return nil
	}
	if len(own) == 1 {
		return &own[0]
	}
	all := points.Places{}
	inputs := float64(len(own))
	for _, p := range own {
		for _, w := range p.Weights {
			all.Weights = append(all.Weights, w/inputs)
		}
	}
	return &all
}

// suitsCloud checks functions of test pairs, or inputs of a trained model: as many points as those of training.
func (f *Functions) suitsCloud(cloud points.Cloud) error {
	f.Cloud = cloud
	own := 0
	for i := range f.all {
		p := &f.all[i]
		f.countChannels(p)
		count, ofOutputs := p.pointsOf()
		f.Lifted = f.Lifted || count == 0
		if count == 0 {
			continue
		}
		want := cloud.Count() - cloud.Before()
		if !ofOutputs {
			p.first = own
			own += count
			want = count
		}
		if count != want {
			return f.otherPoints(*p, count, want)
		}
	}
	if own != cloud.Before() {
		return f.otherPoints(f.all[0], own, cloud.Before())
	}
	f.Out = max(1, f.Out)
	f.Grid = cloud.Count()
	f.Columns = 1
	return nil
}

func (f *Functions) otherPoints(p array, count, want int) error {
	return fault.Bad(
		npy.Place(f.File, p.Name),
		"give inputs at the points of training, in their order: the points form no grid, so that nothing between them is known",
		"has %d values for each input, want %d as in training", count, want,
	)
}

// informAtPoints describes the functions.
func (f *Functions) informAtPoints() {
	for _, p := range f.all {
		f.Bytes += 8 * float64(p.Count())
		f.Shape = p.Shape
	}
	f.Arrays = f.sidesInWords(func(p array) string {
		text := strings.TrimSpace(p.Name + " " + p.words())
		count, ofOutputs := p.pointsOf()
		switch {
		case count == 0:
			text += ", constants"
		case !ofOutputs:
			text += ", at points of their own"
		}
		return text
	})
	f.Letters = f.axesOf()
}

// placeAxes returns the axes of an array of functions at points: a value belongs at the sum of the place of its
// function, of its channel, and of its point.
func (p array) placeAxes(function, channel npy.Axis) []npy.Axis {
	at := npy.Along(make([]int, len(p.Shape))...)
	stride := 1
	for d, n := range slices.Backward(p.Shape) {
		switch p.axes[d] {
		case 'n':
			at[d] = function
		case 'c':
			at[d] = channel
		case 'p', 'q':
			at[d] = npy.Along(stride)[0]
			stride *= n
		}
	}
	return at
}

// valuesAtPoints reads the functions in rows of an array as functions of the cloud, a batch for each channel.
func (f *Functions) valuesAtPoints(p array, rows []int) (batches []grid.Batch, err error) {
	if err := f.verifyMany(p, len(rows)); err != nil {
		return nil, err
	}
	count, ofOutputs := p.pointsOf()
	each := max(1, count)
	channel := len(rows) * each
	all := make([]float64, p.size('c')*channel) // channels x rows x each
	axes := p.placeAxes(f.positionsOf(rows, each), npy.Along(channel)[0])
	if err := p.Read(all, axes, len(all)); err != nil {
		return nil, err
	}
	first := p.first
	if ofOutputs {
		first = f.Cloud.Before()
	}
	domain := grid.Domain{Dims: 1, Cloud: f.Cloud}
	for c := range p.size('c') {
		b := grid.NewBatch(domain, f.Grid, len(rows))
		for i := range rows {
			values := all[c*channel+i*each:][:each]
			to := b.At(i)
			if count > 0 {
				copy(to[first:], values)
				continue
			}
			for x := range to { // a number is a constant function
				to[x] = values[0]
			}
		}
		batches = append(batches, b)
	}
	return batches, nil
}

// arrangeAtPoints returns an array of outputs with the axes of the outputs of training.
func (f *Functions) arrangeAtPoints(outputs grid.Batch) npy.Array {
	channels := outputs.Domain.Width()
	cloud := f.Cloud
	count := cloud.Count() - cloud.Before()
	_, axes, _ := strings.Cut(f.Source.Axes, "->")
	pairsFirst := axes == "" || strings.HasPrefix(strings.Trim(axes, "1"), "n")
	array := npy.Array{Shape: npy.Shape{count, outputs.Count}}
	if pairsFirst {
		array.Shape = npy.Shape{outputs.Count, count}
	}
	if channels > 1 {
		array.Shape = slices.Insert(array.Shape, 1, channels)
	}
	array.Data = make([]float64, npy.Count(array.Shape))
	for i := range outputs.Count {
		for c := range channels {
			for x, v := range cloud.OfOutput(outputs.Of(i, c)) {
				at := (x*channels+c)*outputs.Count + i
				if pairsFirst {
					at = (i*channels+c)*count + x
				}
				array.Data[at] = v
			}
		}
	}
	return array
}
