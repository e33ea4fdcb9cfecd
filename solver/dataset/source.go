// This file says where the functions of a file are: which of its arrays hold them, and along which axes.

package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Source names functions in a file that somebody else may have written: of any kind that package
// exchange opens.
//
// A .npy file holds pairs as one array, for functions of one variable of shape (K, n, 2), as the paper's authors stored
// them, with the inputs in [..., 0] and the outputs in [..., 1], as (n, 2, K), as runs of this program do, or with
// these axes in any other order; for fields on the square (r, r, n, 2), (n, 2, r, r), (n, r, r, 2) and so on. In other
// files inputs and outputs are arrays with names, or parts of them as "tensor[:, 0]", of shape (n, K), (K, n), (n, r,
// r) or (r, r, n). Axes of length one do not count. Where a shape can be read in two ways, the values tell the axes:
// see Layout.
type Source struct {
	File     string
	Input    string // name of the array of inputs; empty means "a". In a .npy file a part of the array: "[:, 0]"
	Output   string // the same for outputs; empty means "u"
	Endpoint bool   // the grid counts both ends; if not, it leaves out the right one, where a periodic function repeats
	Layout   Layout // empty means Auto
	// take only every s-th point, with s so that there are these along an axis, both ends counted; 0 takes all
	Points int
	Closed bool // functions of one variable are not periodic: their ends have nothing to do with each other

	Skip Skip // pairs that are left out; empty means SkipNone

	// Brief stops reading where the last function ends that is wanted. Packed files are then not unpacked whole, and their
	// checksums not compared.
	Brief bool
	few   bool // of the functions that are wanted some are enough

	// What is known of functions with several channels, or on different grids or domains.
	Periodic, Cells bool    // fields are periodic; points are centres of cells
	Channels        int     // of inputs without outputs
	Target          *[2]int // points along the axes of the grid of inputs without outputs that are on none themselves

	Content *io.SectionReader // what to read in place of File, which then is a name for people
}

// Info is what a source holds.
type Info struct {
	Count int // pairs
	Grid  int // K, or r along the first axis of a field; both ends counted, also where the file leaves one out
	// Columns is the same along the second axis; 0 for functions of one variable.
	Columns int
	Repeats bool   // fields: the last values along both axes repeat the first
	Axes    string // of each array, as "(count, K)"
	Told    bool   // the shape alone does not tell the axes: the values did
	// the axes are those of runs of this program, the paper's authors, or of named arrays with functions as rows
	Usual bool
	Shape []int // of each array

	Skipped Skipped

	In, Out int  // channels, if there are several, or one that is lifted to the grid of the outputs; 0: one
	Lifted  bool // inputs are parameters, or functions of fewer variables than the outputs
	wide    *wide

	pattern pattern
}

// Bytes is the memory for the values of all functions as they are in the file, before they are lifted to another grid.
func (i Info) Bytes() float64 {
	if i.wide == nil {
		return 8 * float64(i.Count) * float64(i.Grid) * float64(max(1, i.Columns))
	}
	all := 0.0
	for _, p := range slices.Concat(i.wide.in, i.wide.out) {
		values := float64(p.points)
		if p.stored.dims == 2 {
			values *= float64(p.columns)
		}
		all += 8 * float64(i.Count) * float64(p.channels) * values
	}
	return all
}

// PointsFirst reports whether the axes of points come before that of functions.
func (i Info) PointsFirst() bool { return i.pattern.layout() == PointsFirst }

// Arrange is an array of outputs, with the axes and the shape that one without sides has in the file: what follows from
// its inputs. A right end that the file leaves out is left out.
func (i Info) Arrange(outputs grid.Batch) npy.Array {
	if i.wide != nil {
		return i.wide.arrange(outputs)
	}
	strides, points := npy.Strides(i.Shape), i.Shape[i.pattern.axisAt('x')]
	_, columns := outputs.Domain.Axes(outputs.Points)
	along := func(letter rune) int {
		if d := i.pattern.axisAt(letter); d >= 0 {
			return strides[d]
		}
		return 0
	}
	array := npy.Array{Shape: i.Shape, Data: make([]float64, i.Count*points)}
	inner := 1 // points along the last axis of a field
	if i.pattern.axisAt('y') >= 0 {
		inner = i.Shape[i.pattern.axisAt('y')]
		array.Data = make([]float64, i.Count*points*inner)
	}
	for f := range outputs.Count {
		for x := range points {
			for y := range inner {
				array.Data[f*along('n')+x*along('x')+y*along('y')] = outputs.At(f)[x*i.stride(columns)+y]
			}
		}
	}
	return array
}

// stride is the distance of values along the first axis of a field with so many columns; 1 for functions of one
// variable.
func (i Info) stride(columns int) int {
	if i.Columns == 0 {
		return 1
	}
	return columns
}

// StatPairs finds out how many pairs of functions of dims variables (1, periodic, or 2, on the unit square) a source
// holds, on which grid, from headers and some values. Errors are *fault.Data: unreadable, an array missing, a shape
// that is no pairs', values that do not tell the axes; and ctx's.
func StatPairs(ctx context.Context, source Source, dims int) (Info, error) {
	return stat(ctx, source, dims, pairPatterns)
}

// StatInputs is StatPairs for functions without outputs, as ReadInputs reads them.
func StatInputs(ctx context.Context, source Source, dims int) (Info, error) {
	return stat(ctx, source, dims, inputPatterns)
}

func stat(ctx context.Context, source Source, dims int, p patterns) (Info, error) {
	var info Info
	done, err := openWide(ctx, source, dims, p.pair, func(w *wide) error {
		info = w.info()
		return nil
	})
	if done {
		return info, err
	}
	err = source.open(ctx, dims, p, func(s stored) (err error) {
		info = s.info()
		info.Repeats, err = s.repeats()
		return err
	})
	return info, err
}

// A pattern has a letter for each axis of an array: n functions, s sides of a pair, x and y points of the grid, 1 a
// single index.
type pattern string

func (p pattern) fits(shape []int, oblong bool) bool {
	if len(shape) != len(p) {
		return false
	}
	points := p.axis(shape, 'x')
	for d, size := range shape {
		switch p[d] {
		case 's':
			if size != 2 {
				return false
			}
		case '1':
			if size != 1 {
				return false
			}
		case 'x', 'y':
			if size != points && !oblong || size < 3 {
				return false
			}
		}
	}
	return true
}

// spread is the pattern with an axis of length one at places where the shape has them, so that it fits the shape; it
// reports whether there is one. The axes of p come as early as they can.
func (p pattern) spread(shape []int, oblong bool) (pattern, bool) {
	if len(p) == len(shape) {
		return p, p.fits(shape, oblong)
	}
	for d := len(shape) - 1; d >= 0 && len(p) < len(shape); d-- {
		if shape[d] != 1 {
			continue
		}
		if q, ok := p.spread(slices.Delete(slices.Clone(shape), d, d+1), oblong); ok {
			return q[:d] + "1" + q[d:], true
		}
	}
	return "", false
}

// axisAt is where the axis with the letter is, -1 if there is none.
func (p pattern) axisAt(letter rune) int { return strings.IndexRune(string(p), letter) }

// axis is the size of the axis with the letter, 1 if there is none.
func (p pattern) axis(shape []int, letter rune) int {
	if d := p.axisAt(letter); d >= 0 {
		return shape[d]
	}
	return 1
}

// patterns are those of an array without a name and of arrays with names, for functions of one and of two variables,
// the usual ones first.
type patterns struct {
	single, named [2][]pattern // without axes of length one
	pair          bool         // there are inputs and outputs
	what          string       // for people
	do            [2]string
}

var (
	pairPatterns = patterns{
		single: [2][]pattern{{"xns", "nsx", "nxs", "snx", "sxn", "xsn"}, {"xyns", "nsxy", "nxys", "snxy", "sxyn", "xysn"}},
		named:  [2][]pattern{{"nx", "xn"}, {"nxy", "xyn"}},
		pair:   true, what: "pairs",
		do: [2]string{"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, K)",
			"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, r, r)"},
	}
	thetaPatterns = patterns{
		single: [2][]pattern{{"xns"}, {"xyns"}}, what: "feature parameters",
		do: [2]string{"arrange it with numpy.stack([theta, theta], axis=-1) on arrays of shape (K, count)",
			"arrange it with numpy.stack([theta_1, theta_2], axis=-1) on arrays of shape (r, r, count)"},
	}
	inputPatterns = patterns{
		single: [2][]pattern{{"nx", "x", "xn"}, {"nxy", "xy", "xyn"}},
		named:  [2][]pattern{{"nx", "x", "xn"}, {"nxy", "xy", "xyn"}}, what: "inputs",
		do: [2]string{"arrange it as (count, K): functions first, then grid points",
			"arrange it as (count, r, r): fields first, then grid points"},
	}
)

// String is the shape as people write it, as (K, count, 2).
func (p pattern) String() string {
	names := map[rune]string{'n': "count", 's': "2", 'x': "K", 'y': "r", '1': "1"}
	if strings.ContainsRune(string(p), 'y') {
		names['x'] = "r"
	}
	axes := []string{}
	for _, letter := range p {
		axes = append(axes, names[letter])
	}
	return "(" + strings.Join(axes, ", ") + ")"
}

// fitting are the patterns that a shape fits, of functions in the given layout.
func fitting(where string, shape []int, possible []pattern, layout Layout, do string) ([]pattern, error) {
	for _, oblong := range []bool{false, true} { // fields on a square, if there are any
		var all []pattern
		for _, short := range possible {
			if p, ok := short.spread(shape, oblong); ok && (layout == Auto || layout == p.layout() || p.axisAt('n') < 0) {
				all = append(all, p)
			}
		}
		if len(all) > 0 {
			return all, nil
		}
	}
	expected := fmt.Sprint(possible[0])
	if len(possible) > 1 {
		expected = fmt.Sprintf("%v is expected, or %v", possible[0], possible[1])
	} else {
		expected += " is expected"
	}
	if layout != Auto {
		expected += fmt.Sprintf(", with data.layout = %s", layout)
	}
	return nil, &fault.Data{Where: where, What: fmt.Sprintf("has shape %v, %s", shape, expected), Do: do}
}

// stored is where functions are in an open file.
type stored struct {
	file     *exchange.File
	arrays   []string // one that holds all sides, or one for each side
	shape    []int    // of each array
	pattern  pattern
	told     bool // by the values
	usual    bool
	dims     int
	count    int
	points   int // along the first axis, both ends counted
	columns  int // along the second
	endpoint bool
	closed   bool
	brief    bool
	usable   []int // numbers of the pairs that are not left out; nil means all
	skipped  Skipped
}

// repeats reports whether nearly all lines along both axes of fields end as they begin.
func (s stored) repeats() (bool, error) {
	if s.dims == 1 || s.count == 0 {
		return false, nil
	}
	for _, name := range s.arrays {
		sample, err := s.sample(name)
		if err != nil {
			return false, err
		}
		if !sample.closed(s.pattern.axisAt('x')) || !sample.closed(s.pattern.axisAt('y')) {
			return false, nil
		}
	}
	return true, nil
}

// domain is a domain of the file's functions; what else it is, files do not tell.
func (s stored) domain() grid.Domain {
	if s.dims == 2 {
		return grid.Domain{Dims: 2, Aspect: grid.AspectOf(s.points-1, s.columns-1)}
	}
	if s.closed {
		return grid.Interval
	}
	return grid.Torus
}

func (s stored) info() Info {
	columns := s.columns
	if s.dims == 1 {
		columns = 0
	}
	return Info{Count: s.count, Grid: s.points, Columns: columns, Axes: s.pattern.String(), Told: s.told, Usual: s.usual,
		Shape: s.shape, Skipped: s.skipped, pattern: s.pattern}
}

// nameThem is what to do about arrays with other names.
const nameThem = "say which with data.input and data.output"

func (s Source) file(ctx context.Context) (*exchange.File, error) {
	if s.Content != nil {
		return exchange.OpenContent(ctx, s.File, s.Content, s.Content.Size())
	}
	return exchange.Open(ctx, s.File)
}

// open finds the functions of a source and passes them to use.
func (s Source) open(ctx context.Context, dims int, p patterns, use func(stored) error) error {
	file, err := s.file(ctx)
	if err != nil {
		return err
	}
	defer file.Close()
	in := stored{file: file, dims: dims, endpoint: s.Endpoint, closed: s.Closed,
		brief: s.Brief || !file.Sealed(), arrays: []string{""}}
	possible, do := p.single[dims-1], p.do[dims-1]
	usual := min(2, len(possible))
	if file.Kind != exchange.NPY || strings.HasPrefix(s.Input, "[") {
		if possible = p.named[dims-1]; possible == nil {
			return &fault.Data{Where: s.File, What: fmt.Sprintf("is %s; %s are read from .npy files", file.Kind, p.what),
				Do: p.do[dims-1]}
		}
		usual = 1
		do = [2]string{"store arrays of shape (count, K), a function in each row",
			"store arrays of shape (count, r, r)"}[dims-1]
		in.arrays = []string{cmp.Or(s.Input, "a")}
		if p.pair {
			in.arrays = append(in.arrays, cmp.Or(s.Output, "u"))
		}
	}
	var candidates []pattern
	for i, name := range in.arrays {
		m, err := file.Member(name)
		if err != nil {
			var data *fault.Data
			if errors.As(err, &data) && name != "" && len(file.Members) > 0 {
				data.Do = nameThem
			}
			return err
		}
		if m, err = in.squeezed(&in.arrays[i], m); err != nil {
			return err
		}
		if !m.Readable {
			if err := file.Verify(name); err != nil { // which says why
				return err
			}
		}
		where := s.File
		if name != "" {
			where = fmt.Sprintf("%s, %q", s.File, name)
		}
		if candidates, err = fitting(where, m.Shape, possible, cmp.Or(s.Layout, Auto), do); err != nil {
			return err
		}
		if i > 0 && !slices.Equal(m.Shape, in.shape) {
			return &fault.Data{Where: s.File,
				What: fmt.Sprintf("%q has shape %v and %q %v: outputs must be on the grid of the inputs, as many", in.arrays[0],
					in.shape, name, m.Shape), Do: "name two arrays that belong together"}
		}
		in.shape = m.Shape
	}
	if in.pattern, in.told, err = in.tell(candidates); err != nil {
		return err
	}
	in.usual = slices.Contains(possible[:usual], in.pattern)
	in.count, in.points, in.columns = in.pattern.axis(in.shape, 'n'), in.pattern.axis(in.shape, 'x'),
		in.pattern.axis(in.shape, 'y')
	if !s.Endpoint {
		in.points++
		in.columns++
	}
	if err := in.skip(s.Skip); err != nil {
		return err
	}
	if err := in.coarsen(s); err != nil {
		return err
	}
	return use(in)
}

// squeezed is a member without axes of length one, if other arrays of the pairs have not as many axes; its name
// follows.
func (s stored) squeezed(name *string, m exchange.Member) (exchange.Member, error) {
	for _, other := range s.arrays {
		o, err := s.file.Member(other)
		if err != nil || len(o.Shape) >= len(m.Shape) {
			continue
		}
		index := make([]string, len(m.Shape))
		left := len(m.Shape) - len(o.Shape)
		for d := len(m.Shape) - 1; d >= 0; d-- {
			if index[d] = ":"; m.Shape[d] == 1 && left > 0 {
				index[d] = "0"
				left--
			}
		}
		*name += "[" + strings.Join(index, ",") + "]"
		return s.file.Member(*name)
	}
	return m, nil
}

// coarsen takes every s-th point, if the source says so. The error is a *fault.Data if the grid does not contain that.
func (s *stored) coarsen(source Source) error {
	if source.Points == 0 || source.Points == s.points {
		return nil
	}
	if source.Points < 2 || source.Points > s.points || (s.points-1)%(source.Points-1) != 0 || s.dims == 2 &&
		(s.columns-1)%((s.points-1)/(source.Points-1)) != 0 {
		return &fault.Data{Where: source.File,
			What: fmt.Sprintf("is on a grid of %d points along an axis, which does not contain one of %d", s.points,
				source.Points)}
	}
	step := (s.points - 1) / (source.Points - 1)
	index := make([]string, len(s.shape))
	s.shape = slices.Clone(s.shape)
	for d, letter := range s.pattern {
		if index[d] = ":"; letter == 'x' || letter == 'y' {
			index[d] = fmt.Sprintf("::%d", step)
			s.shape[d] = (s.shape[d] + step - 1) / step
		}
	}
	s.points, s.columns = source.Points, (s.columns-1)/step+1
	for i := range s.arrays {
		s.arrays[i] += "[" + strings.Join(index, ",") + "]"
	}
	return nil
}

// unverified is how many bytes are set aside for values without making sure first that the file can hold them.
const unverified = 1 << 26

// read fills batches, one a side, with the functions that have the given numbers in the file, all different. The rest
// is passed over: of an archive it is read, since the checksum of a member is that of all its numbers, unless this is
// to be brief.
func (s stored) read(rows []int, sides int) ([]grid.Batch, error) {
	domain := s.domain()
	K := domain.Values(s.points)
	if 8*sides*K*len(rows) > unverified {
		for _, name := range s.arrays {
			if err := s.file.Verify(name); err != nil {
				return nil, err
			}
		}
	}
	// The position of a value is ((function * number of sides) + side) K + point.
	stride := map[rune]int{'n': max(2, s.pattern.axis(s.shape, 's')) * K, 's': K, 'x': domain.Stride(s.points), 'y': 1}
	next := stride['n']
	strides, held := make([]int, len(s.shape)), 1 // of a function, the numbers that an array holds
	for d, letter := range s.pattern {
		strides[d] = stride[letter]
		if letter != 'n' {
			held *= s.shape[d]
		}
	}
	places := placesOf(s.numbers(rows))
	batches := make([]grid.Batch, sides)
	for i := range batches {
		batches[i] = grid.NewBatch(domain, s.points, len(rows))
	}
	for i, name := range s.arrays {
		missing := held * len(rows)
		more := func() bool { return missing > 0 || !s.brief }
		err := s.file.Scan(name, strides, npy.Selection{
			Want: func(run npy.Run) bool {
				if missing == 0 || run.Step == next {
					return missing > 0
				}
				_, wanted := places.of(run.At / next)
				return wanted
			},
			Put: func(run npy.Run, values []float64) bool {
				function, side, point := run.At/next, run.At%next/K+i, run.At%K
				if run.Step == next { // across functions
					for _, p := range places.from(function) {
						if p.function >= function+len(values) {
							break
						}
						missing--
						if side < sides {
							batches[side].Data[p.at*K+point] = values[p.function-function]
						}
					}
					return more()
				}
				at, _ := places.of(function)
				first := at * K
				switch {
				case run.Step == K: // across sides
					for j, v := range values {
						if side+j < sides {
							batches[side+j].Data[first+point] = v
						}
					}
				case side < sides:
					for j, v := range values {
						batches[side].Data[first+point+j*run.Step] = v
					}
				}
				missing -= len(values)
				return more()
			},
		})
		if err != nil {
			return nil, err
		}
	}
	if !s.endpoint {
		for _, b := range batches {
			for i := range b.Count {
				domain.Wrap(b.At(i))
			}
		}
	}
	return batches, nil
}
