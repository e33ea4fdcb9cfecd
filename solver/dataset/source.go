// This file locates the functions of a file: the arrays that hold them, the axes and the grid.

package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Source names functions in a file of any origin and of any kind that package exchange opens.
//
// A file with one array without a name (.npy) holds pairs, for functions of one variable, in the shape (K, n, 2), as
// the paper's authors stored them, with the inputs in [..., 0] and the outputs in [..., 1], as (n, 2, K), as in the
// files of a run, or with these axes in any other order; for fields on the square (r, r, n, 2), (n, 2, r, r), (n, r, r,
// 2) and so on. In other files inputs and outputs are arrays with names, or parts of them as "tensor[:, 0]", of shape
// (n, K), (K, n), (n, r, r) or (r, r, n), or several of them with channels. Axes of length one are ignored. Where the
// shape is ambiguous, the values determine the axes: see Layout.
type Source struct {
	File     string
	Open     *exchange.File // read in place of File, which then is a name for people; it stays open
	Input    string         // names of the arrays of inputs; empty means "a". Without names a part of the array: "[:, 0]"
	Output   string         // the same for outputs; empty means "u"
	Endpoint bool           // the grid counts both ends; if not, it leaves out the right one, where a periodic function repeats
	Layout   Layout         // empty means Auto
	// number of points along an axis after taking every s-th one, both ends counted; 0 takes all
	Points int
	Closed bool // functions of one variable are not periodic: their ends are unrelated

	Skip Skip // pairs to leave out; empty means SkipNone

	// Brief stops reading after the last wanted function. Packed files are then not unpacked whole, and their checksums
	// are not compared.
	Brief bool

	// Properties of functions with several channels, or on different grids or domains.
	Periodic, Cells bool    // fields are periodic; points are centres of cells
	Channels        int     // of inputs without outputs
	Target          *[2]int // points along the axes of the grid of inputs without outputs that have no grid
}

// Info describes the contents of a source.
type Info struct {
	Count int // pairs
	Grid  int // K, or r along the first axis of a field; both ends counted, also where the file omits one
	// Columns is the number of points along the second axis; 0 for functions of one variable.
	Columns int
	Repeats bool   // fields: the last values along both axes repeat the first
	Axes    string // of each array, such as "(count, K)"
	Told    bool   // the axes follow from the values, since the shape alone is ambiguous
	// the axes are as in files of this program's runs, of the paper's authors, or named arrays with functions as rows
	Usual bool
	Shape []int   // of the array of outputs, or of inputs without outputs
	Bytes float64 // of all values in the file, before they are lifted to another grid

	Skipped Skipped

	In, Out int  // channels, if there are several, or one that is lifted to the grid of the outputs; 0: one
	Lifted  bool // inputs are parameters, or functions of fewer variables than the outputs

	found *found
}

// pointsFirst reports whether the axes of points come before the axis of functions.
func (i Info) PointsFirst() bool { return i.found.reference().layout() == pointsFirst }

// StatPairs returns the number of pairs of functions of dims variables (1 or 2) in a source and their grid, from
// headers and some values. Errors are *fault.Data (unreadable, an array missing, an unsuitable shape, values that leave
// the axes open) and errors of ctx.
func StatPairs(ctx context.Context, source Source, dims int) (Info, error) {
	return stat(ctx, source, dims, pairForm)
}

// StatInputs describes functions without outputs, as ReadInputs reads them. It returns the errors of StatPairs.
func StatInputs(ctx context.Context, source Source, dims int) (Info, error) {
	return stat(ctx, source, dims, inputForm)
}

func stat(ctx context.Context, source Source, dims int, form form) (info Info, err error) {
	err = source.find(ctx, dims, form, func(f *found) (err error) {
		info = f.info()
		info.Repeats, err = f.repeats()
		return err
	})
	return info, err
}

// found locates the functions of a source in an open file.
type found struct {
	source      Source
	file        *exchange.File
	dims        int
	form        form
	in, out     []array // out is empty for inputs alone, and if the one array of in has both sides
	lifted      bool    // inputs have channels, or must be lifted to the grid of the outputs
	told        bool    // the values determined the axes
	usual       bool
	count       int
	rows, width int   // points along the axes of the grid, both ends counted; functions of one variable have one row
	usable      []int // numbers of the pairs that are not left out; nil means all
	skipped     Skipped
}

// nameThem is the advice for arrays with other names.
const nameThem = "name them with data.input and data.output"

// find finds the functions of a source and passes them to use.
func (s Source) find(ctx context.Context, dims int, form form, use func(*found) error) (err error) {
	file := s.Open
	if file == nil {
		if file, err = exchange.Open(ctx, s.File); err != nil {
			return err
		}
		defer file.Close()
	}
	s.Layout = cmp.Or(s.Layout, autoLayout)
	f := &found{source: s, file: file, dims: dims, form: form}
	if err := f.infer(); err != nil {
		return err
	}
	if err := f.skip(s.Skip); err != nil {
		return err
	}
	return use(f)
}

// infer finds the arrays, their axes and the grid.
func (f *found) infer() error {
	s := f.source
	whole := f.file.Unnamed() && !strings.HasPrefix(s.Input, "[") // one array, with both sides of pairs
	inputs, outputs := Names(cmp.Or(s.Input, "a")), []string(nil)
	if only, ok := f.file.Only(); ok && !f.form.pair && inputs[0] == "a" && len(inputs) == 1 {
		inputs[0] = only
	}
	if whole {
		inputs = []string{""}
	} else if f.form.pair {
		outputs = Names(cmp.Or(s.Output, "u"))
	}
	orders, do, usual := f.form.single[f.dims-1], f.form.do[f.dims-1], 2
	if !whole {
		if orders = f.form.named[f.dims-1]; orders == nil {
			return &fault.Data{Where: s.File, What: fmt.Sprintf("is %s; %s are read from .npy files", f.file.Kind, f.form.what),
				Do: do}
		}
		usual, do = 1, [2]string{"store arrays of shape (count, K), a function in each row",
			"store arrays of shape (count, r, r)"}[f.dims-1]
	}
	var all []array
	plain := len(inputs) == 1 && len(outputs) <= 1
	for _, name := range slices.Concat(inputs, outputs) {
		m, err := f.file.Member(name)
		if err == nil {
			err = m.Refused
		}
		if err != nil {
			var data *fault.Data
			if errors.As(err, &data) && name != "" && len(f.file.Members) > 0 && m.Name == "" {
				data.Do = nameThem
			}
			return err
		}
		all = append(all, array{of: m, file: f.file.Name, name: name, shape: m.Shape})
		plain = plain && slices.Equal(npy.Long(m.Shape), npy.Long(all[0].shape))
	}
	switch {
	case len(outputs) > 0:
		plain = plain && len(npy.Long(all[0].shape)) == f.dims+1
	case !f.form.pair:
		plain = plain && s.Channels <= 1 && s.Target == nil
	}
	err := error(nil)
	if plain || whole && f.form.pair {
		err = f.inferPlain(all, orders, usual, do)
	} else {
		f.lifted = true
		err = f.inferLifted(all, len(inputs))
	}
	if err != nil {
		return err
	}
	for _, side := range [][]array{f.in, f.out} {
		for i := range side {
			if p := &side[i]; p.dims > 0 && !s.Endpoint {
				p.points, p.columns = p.points+1, p.columns+1
			}
		}
	}
	return f.findGrid()
}

// inferPlain finds the axes of one array for each side of the pairs, or of one with both, in one of the orders.
func (f *found) inferPlain(all []array, orders []string, usual int, do string) error {
	axes, places, err := candidates(all, orders, f.source.Layout, do)
	if err != nil {
		return err
	}
	chosen, told, err := f.tell(all, axes)
	if err != nil {
		return err
	}
	f.told, f.usual = told, places[chosen] < usual
	for i := range all {
		p := &all[i]
		p.Axes, p.dims = axes[chosen][i], f.dims
		p.points, p.columns = size(p.shape, p.X), size(p.shape, p.Y)
	}
	f.count, f.in, f.out = size(all[0].shape, all[0].Count), all[:1], all[1:]
	return nil
}

// inferLifted finds the axes of any number of arrays, of which the first inputs ones are inputs.
func (f *found) inferLifted(all []array, inputs int) error {
	first, err := f.counting(all)
	if err != nil {
		return err
	}
	for i := range all {
		if err := all[i].describe(f.dims, first, i >= inputs); err != nil {
			return err
		}
	}
	f.in, f.out = all[:inputs], all[inputs:]
	return nil
}

// counting finds the axis of functions, the first or the last of all arrays; if both fit, the one along which the first
// array is much rougher.
func (f *found) counting(all []array) (first bool, err error) {
	begin, end := func(s []int) int { return s[0] }, func(s []int) int { return s[len(s)-1] }
	same := func(of func([]int) int) bool {
		return !slices.ContainsFunc(all, func(p array) bool {
			return len(p.shape) == 0 || len(all[0].shape) == 0 || of(p.shape) != of(all[0].shape)
		})
	}
	layout, shape := f.source.Layout, all[0].shape
	if layout == autoLayout && same(begin) && same(end) && len(shape) > 1 { // the values decide
		layout = functionsFirst
		part, err := all[0].sample(f.file.Bound)
		if err != nil {
			return false, err
		}
		if weigh(part.roughness(0), part.roughness(len(shape)-1)) < -math.Log(clearly) {
			layout = pointsFirst
		}
	}
	switch {
	case layout != pointsFirst && same(begin):
		f.count = begin(shape)
		return true, nil
	case layout != functionsFirst && same(end):
		f.count = end(shape)
		return false, nil
	}
	var shapes [][]int
	for _, p := range all {
		shapes = append(shapes, p.shape)
	}
	return false, &fault.Data{Where: f.source.File, What: fmt.Sprintf("has arrays of shapes %v: neither the first nor the "+
		"last axes are of one length, the number of pairs", shapes),
		Do: "store arrays of shape (count, K) or (count, K, channels), as many functions in each"}
}

// Names returns the array names in a text, separated by commas outside of brackets.
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

// findGrid determines the grid: the grid of the outputs, or of the finest input.
func (f *found) findGrid() error {
	for _, side := range [][]array{f.in, f.out} {
		channels := 0
		for _, p := range side {
			channels += p.channels()
		}
		if channels > grid.MostChannels {
			return &fault.Data{Where: f.source.File, What: fmt.Sprintf("has %d channels, at most %d are used", channels,
				grid.MostChannels), Do: "name fewer arrays"}
		}
	}
	all := f.out
	if len(all) == 0 {
		all = f.in
	}
	for _, p := range all {
		if p.dims != f.dims {
			continue
		}
		rows, width := p.points, p.columns
		if f.dims == 1 {
			rows, width = 1, p.points
		}
		if len(f.out) > 0 && f.rows > 0 && (rows != f.rows || width != f.width) {
			return &fault.Data{Where: f.source.File, What: fmt.Sprintf("has outputs on different grids: %q has shape %v", p.name,
				p.shape), Do: "interpolate them to one grid"}
		}
		if rows*width > f.rows*f.width {
			f.rows, f.width = rows, width
		}
	}
	if f.rows == 0 && f.source.Target != nil {
		f.rows, f.width = f.source.Target[0], f.source.Target[1]
	}
	switch {
	case f.rows == 0:
		return &fault.Data{Where: f.source.File, What: "has no function on a grid", Do: "give a function of x as well"}
	case f.width < 3 || f.dims == 2 && f.rows < 3:
		return &fault.Data{Where: f.source.File, What: fmt.Sprintf("has functions on %d x %d points, at least 3 are needed",
			f.rows, f.width), Do: "give functions on a finer grid"}
	}
	for i := range f.in {
		p := &f.in[i]
		if f.dims == 2 && p.dims == 1 && p.along == 0 {
			if p.along = 'y'; p.points == f.rows && p.points != f.width {
				p.along = 'x'
			}
		}
	}
	return nil
}

// points returns the number of points along the first axis.
func (f *found) points() int {
	if f.dims == 1 {
		return f.width
	}
	return f.rows
}

// domain returns the domain of functions of dims variables; files do not determine its other properties.
func (f *found) domain(dims, points, columns int) grid.Domain {
	switch {
	case dims == 2:
		return grid.Domain{Dims: 2, Aspect: grid.AspectOf(points-1, columns-1)}
	case f.source.Closed:
		return grid.Interval
	}
	return grid.Torus
}

// reference returns the array that determines the axes: the first array of outputs, if any.
func (f *found) reference() array { return slices.Concat(f.out, f.in)[0] }

func (f *found) info() Info {
	p := f.reference()
	i := Info{Count: f.count, Grid: f.points(), Axes: p.words(p.shape), Told: f.told, Usual: f.usual, Shape: p.shape,
		Skipped: f.skipped, found: f}
	if f.dims == 2 {
		i.Columns = f.width
	}
	for _, p := range slices.Concat(f.in, f.out) {
		i.Bytes += 8 * float64(f.count) * float64(p.channels()) * float64(p.points) * float64(max(1, (p.dims-1)*p.columns))
	}
	if !f.lifted {
		return i
	}
	var in, out []string
	for _, p := range f.in {
		in = append(in, p.String())
		i.In += p.channels()
		i.Lifted = i.Lifted || p.dims < f.dims
	}
	for _, p := range f.out {
		out = append(out, p.String())
		i.Out += p.channels()
	}
	i.Axes = "inputs " + strings.Join(in, " and ")
	if out != nil {
		i.Axes += ", outputs " + strings.Join(out, " and ")
	}
	return i
}

// repeats reports whether nearly all lines along both axes of fields repeat their first value as the last.
func (f *found) repeats() (bool, error) {
	if f.dims == 1 || f.count == 0 || f.lifted {
		return false, nil
	}
	for _, p := range slices.Concat(f.in, f.out) {
		s, err := p.sample(f.file.Bound)
		if err != nil || !s.closed(p.X) || !s.closed(p.Y) {
			return false, err
		}
	}
	return true, nil
}
