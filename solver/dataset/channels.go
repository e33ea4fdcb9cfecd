// This file reads functions with several channels, on different grids or of fewer variables than the outputs: inputs
// are lifted to the domain and the grid of the outputs.

package dataset

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// MostParameters is the largest number of values of an input that are parameters and no function, and of channels in
// one array: grids have more points.
const MostParameters = 8

// MostPoints is the largest number of points of functions of one variable that are read.
const MostPoints = 1<<18 + 1

// component is an array of a file, or a part of one, with some channels of the inputs or the outputs.
type component struct {
	stored
	name     string
	axes     string // the letters of its axes without those of length one: n functions, s channels, x and y points
	channels int
	along    rune // y: a function of the second variable of fields, x: of the first; 0: as many variables as outputs
	shape    []int
}

// constant reports whether it has no points: parameters.
func (p component) constant() bool { return !strings.ContainsRune(p.axes, 'x') }

// String is what its axes are, for people.
func (p component) String() string {
	names := map[rune]string{'n': "count", 's': fmt.Sprint(p.channels), 'x': "K", 'y': "r"}
	if strings.ContainsRune(p.axes, 'y') {
		names['x'] = "r"
	}
	var all []string
	for _, letter := range p.axes {
		all = append(all, names[letter])
	}
	text := "(" + strings.Join(all, ", ") + ")"
	switch {
	case p.constant():
		text += ", constants"
	case p.along != 0:
		text += map[rune]string{'x': " along the first axis", 'y': " along the second axis"}[p.along]
	}
	return strings.TrimSpace(p.name + " " + text)
}

// wide is the components of pairs, or of inputs alone.
type wide struct {
	source      Source
	dims        int
	count       int
	in, out     []component
	skipped     Skipped
	rows, width int // points along the axes of the grid that inputs are lifted to; functions of one variable have one row
}

// Names are the arrays that a text names, separated by commas outside of brackets.
func Names(text string) []string {
	depth, first := 0, 0
	var all []string
	for i, r := range text {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth <= 0:
			all = append(all, strings.TrimSpace(text[first:i]))
			first = i + 1
		}
	}
	return append(all, strings.TrimSpace(text[first:]))
}

// wideIn finds the components of a source in an open file. ok is false if these are pairs, or inputs, with one channel
// of as many variables on one grid, which are read in a simpler way. The error is a *fault.Data.
func wideIn(file *exchange.File, s Source, dims int, pair bool) (w wide, ok bool, err error) {
	if file.Kind == exchange.NPY && !strings.HasPrefix(s.Input, "[") && (pair || s.Channels <= 1 && s.Target == nil) {
		return wide{}, false, nil
	}
	w = wide{source: s, dims: dims}
	inputs, outputs := Names(cmp.Or(s.Input, "a")), []string(nil)
	if file.Kind == exchange.NPY && !pair && !strings.HasPrefix(s.Input, "[") {
		inputs = []string{""}
	}
	if pair {
		outputs = Names(cmp.Or(s.Output, "u"))
	}
	ok = len(inputs)+len(outputs) > 2 || !pair && (len(inputs) > 1 || s.Channels > 1 || s.Target != nil)
	names := slices.Concat(inputs, outputs)
	var shapes [][]int
	for _, name := range names {
		m, err := file.Member(name)
		if err != nil {
			return w, ok && name != "", err
		}
		shapes = append(shapes, m.Shape)
		short := long(m.Shape)
		ok = ok || pair && (len(short) != dims+1 || !slices.Equal(short, long(shapes[0])))
	}
	if !ok {
		return wide{}, false, nil
	}
	first, err := w.counting(file, inputs[0], shapes)
	if err != nil {
		return w, true, err
	}
	for i, shape := range shapes {
		p := component{name: names[i], shape: shape,
			stored: stored{file: file, dims: dims, count: w.count, endpoint: s.Endpoint, closed: s.Closed,
				brief: s.Brief || !file.Sealed()}}
		output := i >= len(inputs)
		if err := w.describe(&p, first, output); err != nil {
			return w, true, err
		}
		if output {
			w.out = append(w.out, p)
		} else {
			w.in = append(w.in, p)
		}
	}
	return w, true, w.place()
}

// long is a shape without axes of length one.
func long(shape []int) []int {
	return slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n == 1 })
}

// counting finds the axis of functions, the first or the last of all arrays; where both may be, the one along which the
// first of them is much rougher.
func (w *wide) counting(file *exchange.File, name string, shapes [][]int) (first bool, err error) {
	same := func(of func([]int) int) bool {
		for _, shape := range shapes {
			if len(shape) == 0 || of(shape) != of(shapes[0]) {
				return false
			}
		}
		return len(shapes[0]) > 0
	}
	begin, end := func(s []int) int { return s[0] }, func(s []int) int { return s[len(s)-1] }
	layout := cmp.Or(w.source.Layout, Auto)
	if layout == Auto && same(begin) && same(end) && len(shapes[0]) > 1 { // the values tell
		layout = FunctionsFirst
		part, err := stored{file: file, shape: shapes[0]}.sample(name)
		if err != nil {
			return false, err
		}
		if last := len(shapes[0]) - 1; weigh(part.roughness(0), part.roughness(last)) < -math.Log(clearly) {
			layout = PointsFirst
		}
	}
	switch {
	case layout != PointsFirst && same(begin):
		w.count = begin(shapes[0])
		return true, nil
	case layout != FunctionsFirst && same(end):
		w.count = end(shapes[0])
		return false, nil
	}
	return false, &fault.Data{Where: w.source.File,
		What: fmt.Sprintf("has arrays of shapes %v: neither the first nor the last axes are of one length, the number of "+
			"pairs",
			shapes), Do: "store arrays of shape (count, K) or (count, K, channels), as many functions in each"}
}

// describe finds the axes of a component.
func (w *wide) describe(p *component, first, output bool) error {
	rest, letters := p.shape[1:], ""
	if !first {
		rest = p.shape[:len(p.shape)-1]
	}
	short := long(rest)
	points := w.dims
	switch {
	case !output && (len(short) == 0 || len(short) == 1 && short[0] <= MostParameters):
		points = 0
	case !output && w.dims == 2 && (len(short) == 1 || len(short) == 2 && slices.Min(short) <= MostParameters):
		points = 1
	}
	switch {
	case len(short) == points:
		letters = "xy"[:points]
	case len(short) == points+1 && points == 0:
		letters = "s"
	case len(short) == points+1 && short[points] <= MostParameters && slices.Min(short[:points]) > MostParameters:
		letters = "xy"[:points] + "s"
	case len(short) == points+1 && short[0] <= MostParameters && slices.Min(short[1:]) > MostParameters:
		letters = "s" + "xy"[:points]
	default:
		return &fault.Data{Where: fmt.Sprintf("%s, %q", w.source.File, p.name),
			What: fmt.Sprintf("has shape %v, which is not that of functions of %d variables: the axis of channels, if there is "+
				"one, is the last or comes before the points, and has at most %d", p.shape, w.dims, MostParameters),
			Do: "store arrays of shape (count, K, channels), fields as (count, r, r, channels), or name several arrays: " +
				"data.input = a,b"}
	}
	p.axes = "n" + letters
	if !first {
		p.axes = letters + "n"
	}
	at, text := 0, ""
	for _, size := range rest {
		if size == 1 {
			text += "1"
			continue
		}
		text += letters[at : at+1]
		at++
	}
	if points == 1 && w.dims == 2 && strings.ContainsRune(text, '1') {
		if p.along = 'x'; strings.IndexRune(text, '1') < strings.IndexRune(text, 'x') {
			p.along = 'y'
		}
	}
	if first {
		text = "n" + text
	} else {
		text += "n"
	}
	p.pattern, p.stored.shape, p.arrays = pattern(text), p.shape, []string{p.name}
	p.channels = max(1, p.pattern.axis(p.shape, 's'))
	if m, err := p.file.Member(p.name); err != nil || !m.Readable {
		return cmp.Or(err, p.file.Verify(p.name))
	}
	p.points, p.columns = p.pattern.axis(p.shape, 'x'), p.pattern.axis(p.shape, 'y')
	switch {
	case points == 0:
		p.points, p.endpoint, p.stored.dims = 1, true, 1
	case points == 1:
		if p.stored.dims = 1; p.points > MostPoints {
			return &fault.Data{Where: fmt.Sprintf("%s, %q", w.source.File, p.name),
				What: fmt.Sprintf("has functions on K=%d points, at most %d are read", p.points, MostPoints),
				Do:   "take every second or tenth point"}
		}
		fallthrough
	default:
		if !w.source.Endpoint {
			p.points, p.columns = p.points+1, p.columns+1
		}
	}
	return nil
}

// place finds the grid, that of the outputs or of the finest input, and how inputs are lifted to it.
func (w *wide) place() error {
	all := w.out
	if len(all) == 0 {
		all = w.in
	}
	w.rows, w.width = 0, 0
	for _, side := range [][]component{w.in, w.out} {
		channels := 0
		for _, p := range side {
			channels += p.channels
		}
		if channels > grid.MostChannels {
			return &fault.Data{Where: w.source.File, What: fmt.Sprintf("has %d channels, at most %d are used", channels,
				grid.MostChannels), Do: "name fewer arrays"}
		}
	}
	for _, p := range all {
		if p.constant() || p.stored.dims != w.dims {
			continue
		}
		rows, columns := p.points, p.columns
		if w.dims == 1 {
			rows, columns = 1, p.points
		}
		if len(w.out) > 0 && w.rows > 0 && (rows != w.rows || columns != w.width) {
			return &fault.Data{Where: w.source.File, What: fmt.Sprintf("has outputs on different grids: %q has shape %v", p.name,
				p.shape), Do: "interpolate them to one grid"}
		}
		if rows*columns > w.rows*w.width {
			w.rows, w.width = rows, columns
		}
	}
	if w.rows == 0 && w.source.Target != nil {
		w.rows, w.width = w.source.Target[0], w.source.Target[1]
	}
	if w.rows == 0 {
		return &fault.Data{Where: w.source.File, What: "has no function on a grid", Do: "give a function of x as well"}
	}
	if w.width < 3 || w.dims == 2 && w.rows < 3 {
		return &fault.Data{Where: w.source.File, What: fmt.Sprintf("has functions on %d x %d points, at least 3 are needed",
			w.rows, w.width), Do: "give functions on a finer grid"}
	}
	for i := range w.in {
		p := &w.in[i]
		if w.dims == 2 && p.stored.dims == 1 && !p.constant() && p.along == 0 {
			if p.along = 'y'; p.points == w.rows && p.points != w.width {
				p.along = 'x'
			}
		}
	}
	return nil
}

// line is the domain of functions of one variable, domain that of the grid.
func (w *wide) line() grid.Domain {
	return grid.Domain{Dims: 1, Periodic: w.dims == 1 && !w.source.Closed || w.source.Periodic, Cells: w.source.Cells}
}

func (w *wide) domain(rows, columns int) grid.Domain {
	d := w.line()
	if w.dims == 2 {
		d.Dims = 2
		d.Aspect = grid.AspectOf(d.Intervals(rows), d.Intervals(columns))
	}
	return d
}

// points is the number of points along the first axis.
func (w *wide) points() int {
	if w.dims == 1 {
		return w.width
	}
	return w.rows
}

// skip looks at all pairs and leaves some out. The error is that of reading them.
func (w *wide) skip(which Skip) error {
	if which == "" || which == SkipNone {
		return nil
	}
	v := newSieve(w.count)
	for side, parts := range [][]component{w.in, w.out} {
		for _, p := range parts {
			if err := v.look(p.stored, p.name, side == 1); err != nil {
				return err
			}
		}
	}
	var usable []int
	usable, w.skipped = v.keep(which)
	for _, parts := range [][]component{w.in, w.out} {
		for i := range parts {
			parts[i].usable = usable
		}
	}
	w.count = len(usable)
	return nil
}

// plain is the domain that functions of files have until more is known of it: stored.domain.
func (w *wide) plain() grid.Domain {
	return stored{dims: w.dims, closed: w.source.Closed, points: w.rows, columns: w.width}.domain()
}

// read reads the functions with the given numbers of some components, lifted and stacked.
func (w *wide) read(parts []component, label string, rows []int) (grid.Batch, error) {
	var all []grid.Batch
	for _, p := range parts {
		channels, err := p.stored.read(rows, p.channels)
		if err != nil {
			return grid.Batch{}, err
		}
		for c, b := range channels {
			what := fmt.Sprintf("%s, %s", w.source.File, cmp.Or(p.name, label))
			if p.channels > 1 {
				what += fmt.Sprintf(", channel %d", c+1)
			}
			numbers := p.stored.numbers(rows)
			if err := b.CheckFinite(what, numbers); err != nil {
				if len(w.out) > 0 {
					err = w.source.repairable(err)
				}
				return grid.Batch{}, err
			}
			if p.stored.dims == 1 && !p.constant() && w.line().Periodic {
				if err := checkEnds(w.source, []grid.Batch{b}, []string{strings.TrimPrefix(what, w.source.File+", ")},
					numbers); err != nil {
					return grid.Batch{}, err
				}
			}
			lifted, err := w.lift(p, b, what)
			if err != nil {
				return grid.Batch{}, err
			}
			lifted.Domain = w.plain()
			all = append(all, lifted)
		}
	}
	return grid.Stack(all...), nil
}

// lift takes functions to the grid: parameters are constant, functions of one variable constant along the other axis,
// others are interpolated.
func (w *wide) lift(p component, b grid.Batch, what string) (grid.Batch, error) {
	if p.stored.dims == w.dims && !p.constant() {
		b.Domain = w.domain(p.points, p.columns)
		if w.dims == 1 {
			return resample.To(b, w.width)
		}
		if b.Domain != w.domain(w.rows, w.width) {
			return b, &fault.Data{Where: what,
				What: fmt.Sprintf("is on %s, the outputs on %d x %d points: the sides are not in "+
					"one ratio", b.Domain.Grid(p.points), w.rows, w.width), Do: "interpolate them to one grid"}
		}
		return resample.To(b, w.rows)
	}
	lifted := grid.NewBatch(w.plain(), w.points(), b.Count)
	if !p.constant() {
		b.Domain = w.line()
		target := w.width
		if p.along == 'x' {
			target = w.rows
		}
		var err error
		if b, err = resample.To(b, target); err != nil {
			return b, err
		}
	}
	for i := range b.Count {
		f, dst := b.At(i), lifted.At(i)
		for v := range dst {
			switch {
			case p.constant():
				dst[v] = f[0]
			case p.along == 'x':
				dst[v] = f[v/w.width]
			default:
				dst[v] = f[v%w.width]
			}
		}
	}
	return lifted, nil
}

// info is what is known without values.
func (w *wide) info() Info {
	i := Info{Count: w.count, Grid: w.points(), Skipped: w.skipped, wide: w}
	if w.dims == 2 {
		i.Columns = w.width
	}
	var axes []string
	for _, p := range w.in {
		axes = append(axes, p.String())
		i.In += p.channels
		i.Lifted = i.Lifted || p.constant() || p.stored.dims < w.dims
	}
	i.Axes = "inputs " + strings.Join(axes, " and ")
	axes = nil
	for _, p := range w.out {
		axes = append(axes, p.String())
		i.Out += p.channels
	}
	if axes != nil {
		i.Axes += ", outputs " + strings.Join(axes, " and ")
	}
	reference := append(slices.Clone(w.out), w.in...)[0]
	i.pattern, i.Shape = reference.pattern, reference.shape
	return i
}

// arrange is Info.Arrange: the order of the axes is that of the inputs, with channels, if the outputs have several,
// last unless those of the inputs come before the points.
func (w *wide) arrange(outputs grid.Batch) npy.Array {
	rows, columns := outputs.Domain.Axes(outputs.Points)
	if w.dims == 1 {
		rows = 1
	}
	if !w.source.Endpoint {
		rows, columns = max(1, rows-1), columns-1
	}
	letters := "xy"[:w.dims]
	if outputs.Domain.Width() > 1 {
		channelsFirst := slices.ContainsFunc(w.in, func(p component) bool {
			return strings.Contains(p.axes, "sx")
		})
		if letters += "s"; channelsFirst {
			letters = "s" + letters[:w.dims]
		}
	}
	if letters = "n" + letters; strings.HasSuffix(w.in[0].axes, "n") {
		letters = letters[1:] + "n"
	}
	sizes := map[rune]int{'n': outputs.Count, 's': outputs.Domain.Width(), 'x': rows, 'y': columns}
	if w.dims == 1 {
		sizes['x'] = columns
	}
	var shape []int
	for _, letter := range letters {
		shape = append(shape, sizes[letter])
	}
	strides, along := npy.Strides(shape), map[rune]int{}
	size := 1
	for d, letter := range letters {
		along[letter] = strides[d]
		size *= shape[d]
	}
	array := npy.Array{Shape: shape, Data: make([]float64, size)}
	channels := outputs.Split()
	_, whole := outputs.Domain.Axes(outputs.Points)
	for f := range channels.Count {
		for i := range rows {
			for j := range columns {
				at := f/sizes['s']*along['n'] + f%sizes['s']*along['s']
				if w.dims == 1 {
					at += j * along['x']
				} else {
					at += i*along['x'] + j*along['y']
				}
				array.Data[at] = channels.At(f)[i*whole+j]
			}
		}
	}
	return array
}

// openWide calls use if the source has components; done is false if it is read in the simpler way.
func openWide(ctx context.Context, s Source, dims int, pair bool, use func(w *wide) error) (done bool, err error) {
	file, err := s.file(ctx)
	if err != nil {
		return true, err
	}
	defer file.Close()
	w, ok, err := wideIn(file, s, dims, pair)
	if !ok {
		return false, nil
	}
	if err == nil && pair {
		err = w.skip(s.Skip)
	}
	if err != nil {
		return true, err
	}
	return true, use(&w)
}

// readWide reads the wanted functions. The outputs are empty for inputs alone.
func readWide(ctx context.Context, s Source, dims int, pair bool, wanted selection) (p Pairs, info Info, done bool,
	err error) {
	done, err = openWide(ctx, s, dims, pair, func(w *wide) error {
		info = w.info()
		rows, needed := wanted(w.count)
		if w.count == 0 || w.count < needed {
			return &fault.Data{Where: s.File, What: fmt.Sprintf("has %d functions, %d are wanted", w.count, max(1, needed)),
				Do: "ask for fewer"}
		}
		var err error
		if p.Inputs, err = w.read(w.in, "input", rows); err != nil || !pair {
			return err
		}
		if p.Outputs, err = w.read(w.out, "output", rows); err != nil {
			return err
		}
		if err := checkOutputs(s, p.Outputs, w.out[0].numbers(rows)); err != nil {
			return err
		}
		if s.Points != 0 {
			p, err = p.Restrict(s.Points)
		}
		return err
	})
	return p, info, done, err
}
