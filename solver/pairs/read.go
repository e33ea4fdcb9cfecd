// This file reads functions from files, and lifts them to the domain and the grid of the outputs.

package pairs

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Pairs reads the pairs with the given numbers in the file, in that order; the numbers are distinct. Other pairs in the
// file take no memory. Errors are errors of the context and *fault.Data: unreadable, fewer pairs, values that are not
// finite, not periodic, or suggest another Endpoint, an output that is zero, whose relative error does not exist.
func (f *Functions) Pairs(rows []int) (dataset.Pairs, error) {
	needed := 0
	for _, row := range rows {
		needed = max(needed, row+1)
	}
	sides, err := f.read(rows, needed)
	return dataset.Pairs{Inputs: sides[0], Outputs: sides[1]}, err
}

// Inputs reads the first count functions without outputs, or all if count is 0. It returns the errors of Pairs.
func (f *Functions) Inputs(count int) (grid.Batch, error) {
	needed := cmp.Or(count, f.Count)
	sides, err := f.read(dataset.First(min(needed, f.Count)), needed)
	return sides[0], err
}

// read reads the functions in rows, one batch for each side; the file must have as many functions as needed.
func (f *Functions) read(rows []int, needed int) (sides [2]grid.Batch, err error) {
	what := "pairs"
	if f.Alone {
		what = "functions"
	}
	if f.Count == 0 {
		return sides, fault.Bad(f.File, "", "has no %s", what)
	}
	if f.Count < needed {
		return sides, fault.Bad(
			f.File,
			fmt.Sprintf("ask for at most %d", f.Count),
			"has %d %s, want %d", f.Count, what, needed,
		)
	}
	step := 1
	if f.plain() {
		step = max(1, f.Step)
	}
	// A look at a few pairs on all points finds defects early, also those between the points of a coarse grid.
	const (
		fewPairs   = 64
		mostValues = 1 << 22
	)
	count := max(1, min(fewPairs, mostValues/(f.Grid*f.Columns)))
	look := slices.Sorted(slices.Values(rows))
	look = look[:min(len(rows), count)]
	if !f.Alone && (step > 1 || len(look) < len(rows)) {
		brief := *f
		brief.Brief = true
		if _, err := brief.sides(look, 1); err != nil {
			return sides, err
		}
	}
	return f.sides(rows, step)
}

// plain reports whether all functions are on the grid.
func (f *Functions) plain() bool {
	for _, p := range f.all {
		if !f.onGrid(p) {
			return false
		}
	}
	return true
}

// unverified is the number of bytes that may be allocated for values before checking that the file can hold them.
const unverified = 1 << 26

// verifyMany checks that the file can hold an array, if the values of so many pairs take much memory.
func (f *Functions) verifyMany(p array, pairs int) error {
	if f.bytes(pairs) <= unverified {
		return nil
	}
	return p.Verify()
}

// sides reads the functions in rows on every step-th point, checks their values, and lifts them to the grid.
func (f *Functions) sides(rows []int, step int) (sides [2]grid.Batch, err error) {
	numbers := f.Numbers(rows)
	var parts [2][]grid.Batch // channels of both sides
	var checked []grid.Batch
	var labels []string
	for _, p := range f.all {
		batches, err := f.functions(p, rows, step)
		if err != nil {
			return sides, err
		}
		for c, b := range batches {
			side := p.sideOf(c)
			where := f.File + ", " + f.label(p, side, c)
			if err := b.CheckFinite(where, numbers); err != nil {
				return sides, f.unusable(err)
			}
			if p.dims == 1 && b.Domain.Periodic {
				checked = append(checked, b)
				labels = append(labels, where)
			}
			lifted, err := f.lift(p, b, where)
			if err != nil {
				return sides, err
			}
			parts[side] = append(parts[side], lifted)
		}
	}
	if err := f.checkEnds(checked, labels, numbers); err != nil {
		return sides, err
	}
	for i, channels := range parts {
		if channels != nil {
			sides[i] = grid.Stack(channels...)
		}
	}
	if f.Alone {
		return sides, nil
	}
	for i, number := range numbers {
		if isZero(sides[1].At(i)) && !f.outputsAreNumbers() {
			return sides, &Unusable{fault.Bad(
				f.File+", output",
				"leave such pairs out with data.skip = both",
				"function %d is zero, so it has no relative error", number,
			)}
		}
	}
	return sides, nil
}

// sideOf returns the side of one of the functions of each pair in an array: 0 for inputs, 1 for outputs.
func (p array) sideOf(channel int) int {
	switch {
	case p.axis('s') >= 0:
		return channel
	case p.output:
		return 1
	}
	return 0
}

// unusable advises to leave pairs out if the error is about one of them.
func (f *Functions) unusable(err error) error {
	var data *fault.Data
	if f.Alone || !errors.As(err, &data) {
		return err
	}
	data.Do = "repair this function, or leave such pairs out with data.skip = both"
	return &Unusable{err}
}

func isZero(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != 0 })
}

// bytes returns the number of bytes of the values of count pairs.
func (f *Functions) bytes(count int) (sum int) {
	const size = 8 // of a value
	for _, p := range f.all {
		values := p.size('c') * f.Grid
		if !f.Cloud.There() {
			domain := f.domain(p.dims, p.points, p.columns)
			values = p.channels() * domain.Values(max(1, p.points))
		}
		sum += size * count * values
	}
	return sum
}

// label names a channel of an array in errors.
func (f *Functions) label(p array, side, channel int) string {
	name := cmp.Or(p.Name, "input")
	switch {
	case f.In == 1 && f.Out == 1:
		return []string{"input", "output"}[side]
	case p.axis('c') >= 0:
		return fmt.Sprintf("%s, channel %d", name, channel+1)
	}
	return name
}

// functions reads the functions in rows, a batch for each channel or side; the others only if a checksum covers them.
func (f *Functions) functions(p array, rows []int, step int) (batches []grid.Batch, err error) {
	if f.Cloud.There() {
		return f.valuesAtPoints(p, rows)
	}
	if err := f.verifyMany(p, len(rows)); err != nil {
		return nil, err
	}
	domain := f.domain(p.dims, p.points, p.columns)
	points := max(1, (p.points-1)/step+1)
	values := domain.Values(points)
	// A position is the index of a value in the batches of all channels, one after the other.
	channel := len(rows) * values
	row := values / points
	strides := npy.Along(channel, row, 1)
	at := p.along(map[rune]npy.Axis{
		'n': f.positionsOf(rows, values),
		'c': strides[0],
		's': strides[0],
		'x': strides[1].Of(0, step, p.size('x')),
		'y': strides[2].Of(0, step, p.size('y')),
	})
	count := math.MaxInt // values to read; a checksum covers all of the array
	if !p.Sealed || f.Brief {
		rowsRead := (p.size('x')-1)/step + 1
		columnsRead := (p.size('y')-1)/step + 1
		count = p.channels() * len(rows) * rowsRead * columnsRead
	}
	all := make([]float64, p.channels()*channel)
	err = p.Read(all, at, count)
	var mask []bool
	if f.Mask && err == nil {
		mask, err = f.mask(p)
	}
	for c := range p.channels() {
		end := channel * (c + 1)
		b := grid.BatchOf(domain, points, all[channel*c:end:end])
		if mask != nil {
			size := len(mask) / p.channels()
			ofChannel := mask[c*size:][:size]
			clearMasked(b, ofChannel, p.size('y'), step)
		}
		if !f.Endpoint && p.dims > 0 {
			for i := range b.Count {
				domain.Wrap(b.At(i))
			}
		}
		batches = append(batches, b)
	}
	return batches, err
}

// positionsOf returns the positions of functions, by their numbers in the file, in a batch of those in rows with so many
// values each; -1 for others.
func (f *Functions) positionsOf(rows []int, values int) npy.Axis {
	positions := map[int]int{}
	for i, number := range f.Numbers(rows) {
		positions[number] = i * values
	}
	return func(number int) int {
		position, ok := positions[number]
		if !ok {
			return -1
		}
		return position
	}
}

// lift maps functions to the grid: parameters become constant, functions of one variable constant along the other axis.
func (f *Functions) lift(p array, b grid.Batch, where string) (grid.Batch, error) {
	var err error
	domain := f.domain(f.Domain.Dims, f.Grid, f.Columns)
	at := func(int) int { return 0 } // the place in a function of fewer variables
	switch {
	case f.onGrid(p) || f.Cloud.There():
		return b, nil
	case p.dims == f.Domain.Dims && b.Domain != domain:
		return b, fault.Bad(
			where,
			"interpolate them to one grid",
			"is on %s, the outputs on %d x %d points: the sides are not in one ratio",
			b.Domain.Grid(p.points), f.Grid, f.Columns,
		)
	case p.dims == f.Domain.Dims:
		return resample.To(b, f.Grid)
	case p.axis('x') >= 0:
		b, err = resample.To(b, f.Grid)
		at = func(v int) int { return v / f.Columns }
	case p.axis('y') >= 0:
		b, err = resample.To(b, f.Columns)
		at = func(v int) int { return v % f.Columns }
	}
	if err != nil {
		return b, err
	}
	lifted := grid.NewBatch(domain, f.Grid, b.Count)
	for i := range b.Count {
		from := b.At(i)
		to := lifted.At(i)
		for v := range to {
			to[v] = from[at(v)]
		}
	}
	return lifted, nil
}

// outputAxes returns the axes of the outputs of training, if the source has them, for so many channels in one array;
// otherwise it is empty.
func (f *Functions) outputAxes(channels int) string {
	_, axes, _ := strings.Cut(f.Source.Axes, "->")
	hasChannels := strings.Contains(axes, "c")
	severalArrays := strings.Contains(axes, ",")
	isSingle := f.all[0].axis('n') < 0 // function
	if axes == "" || severalArrays || isSingle {
		return ""
	}
	if hasChannels != (channels > 1) {
		return ""
	}
	return strings.ReplaceAll(axes, "1", " ")
}

// arrangement returns the axes of an array of outputs with so many channels, a letter for each as in array.axes: those
// of the outputs of training, or else those of the inputs. Channels of outputs have the last axis, unless the channels
// of the inputs come before the points.
func (f *Functions) arrangement(channels int) string {
	p := f.all[0]
	if trained := f.outputAxes(channels); trained != "" {
		return trained
	}
	if channels == 1 && f.In == 1 && f.onGrid(p) {
		return p.axes
	}
	points := strings.IndexAny(p.axes, "xy")
	channelsFirst := p.axis('c') >= 0 && p.axis('c') < points
	before := ""
	after := ""
	if p.axis('n') <= 0 {
		before = "n"
	} else {
		after = "n"
	}
	if channels > 1 && channelsFirst {
		before += "c"
	} else if channels > 1 {
		after = "c" + after
	}
	return before + "xy"[:f.Domain.Dims] + after
}

// Arrange returns an array of outputs with the axes of training or of the inputs in the file, without sides. It omits a
// right end that the file omits. Outputs that are numbers or functions of fewer variables are means over the others.
func (f *Functions) Arrange(outputs grid.Batch) npy.Array {
	if f.Cloud.There() {
		return f.arrangeAtPoints(outputs)
	}
	channels := outputs.Domain.Width()
	rows := outputs.Points
	columns := outputs.Values() / channels / rows
	width := columns // of outputs, which have both ends
	if !f.Endpoint {
		rows--
		columns = max(1, columns-1)
	}
	lengths := map[byte]int{
		'n': outputs.Count,
		'c': channels,
		'x': rows,
		'y': columns,
		' ': 1,
	}
	axes := f.arrangement(channels)
	array := npy.Array{}
	for d := range len(axes) {
		array.Shape = append(array.Shape, lengths[axes[d]])
	}
	stride := map[byte]int{}
	for d, s := range npy.Strides(array.Shape) {
		stride[axes[d]] = s
	}
	stride[' '] = 0
	averaged := 1.0 // values in each of the array
	for _, letter := range []byte("xy")[:f.Domain.Dims] {
		if !strings.Contains(axes, string(letter)) {
			averaged *= float64(lengths[letter])
		}
	}
	array.Data = make([]float64, npy.Count(array.Shape))
	n := stride['n']
	c := stride['c']
	x := stride['x']
	y := stride['y']
	for i := range outputs.Count {
		values := outputs.At(i) // channels x points x width
		for channel := range channels {
			for row := range rows {
				from := values[(channel*outputs.Points+row)*width:]
				to := i*n + channel*c + row*x
				for column := range columns {
					array.Data[to+column*y] += from[column] / averaged
				}
			}
		}
	}
	return f.inOrderOfFile(array, axes)
}
