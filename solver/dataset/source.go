// This file says where the functions of a file are: which of its arrays hold them, and along which axes.

package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Source names functions in a file that somebody else may have written: .npy, .npz, or MATLAB's .mat of Level 5.
//
// A .npy file holds pairs as one array, for functions of one variable of shape (K, n, 2), as the paper's authors stored
// them, with the inputs in [..., 0] and the outputs in [..., 1], or (n, 2, K), as runs of this program do; for fields on
// the square (r, r, n, 2) or (n, 2, r, r). No shape can be read both ways, because a grid has at least three points. In
// .npz and .mat files inputs and outputs are arrays with names, of shape (n, K) or (n, r, r).
type Source struct {
	File     string
	Input    string // name of the array of inputs in an .npz or .mat file; empty means "a"
	Output   string // the same for outputs; empty means "u"
	Endpoint bool   // the grid counts both ends; if not, it leaves out the right one, where a periodic function repeats
}

// Info is what the headers of a source say.
type Info struct {
	Count int // pairs
	Grid  int // K, or r along an axis of the square; both ends counted, also where the file leaves one out
}

// StatPairs finds out how many pairs of functions of dims variables (1, periodic, or 2, on the unit square) a source holds,
// on which grid, from headers alone. Errors are *fault.Data: unreadable, an array missing, a shape that is no pairs', an odd number of
// intervals.
func StatPairs(source Source, dims int) (Info, error) {
	var info Info
	err := source.open(dims, pairPatterns, func(s stored) error {
		info = Info{Count: s.count, Grid: s.points}
		return nil
	})
	return info, err
}

// A pattern has a letter for each axis of an array: n functions, s sides of a pair, x and y points of the grid, 1 a single
// index.
type pattern string

func (p pattern) fits(shape []int) bool {
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
			if size != points || size < 3 {
				return false
			}
		}
	}
	return true
}

// axis is the size of the axis with the letter, 1 if there is none.
func (p pattern) axis(shape []int, letter rune) int {
	if d := strings.IndexRune(string(p), letter); d >= 0 {
		return shape[d]
	}
	return 1
}

// patterns are those of an array without a name and of arrays with names, for functions of one and of two variables.
type patterns struct {
	single, named [2][]pattern
	pair          bool   // there are inputs and outputs
	anyGrid       bool   // the number of intervals may be odd
	what          string // for people
	do            [2]string
}

var (
	pairPatterns = patterns{
		single: [2][]pattern{{"xns", "nsx"}, {"xyns", "nsxy"}}, named: [2][]pattern{{"nx"}, {"nxy"}}, pair: true, what: "pairs",
		do: [2]string{"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, K)",
			"arrange it with numpy.stack([inputs, outputs], axis=1) on arrays of shape (count, r, r)"},
	}
	thetaPatterns = patterns{
		single: [2][]pattern{{"xns"}, {"xyns"}}, what: "feature parameters",
		do: [2]string{"arrange it with numpy.stack([theta, theta], axis=-1) on arrays of shape (K, count)",
			"arrange it with numpy.stack([theta_1, theta_2], axis=-1) on arrays of shape (r, r, count)"},
	}
	inputPatterns = patterns{
		single: [2][]pattern{{"nx", "x", "x1"}, {"nxy", "xy"}}, named: [2][]pattern{{"nx", "x", "x1"}, {"nxy", "xy"}}, anyGrid: true, what: "inputs",
		do: [2]string{"arrange it as (count, K): functions first, then grid points", "arrange it as (count, r, r): fields first, then grid points"},
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

// choose finds the pattern that a shape fits.
func choose(where string, shape []int, possible []pattern, do string) (pattern, error) {
	for _, p := range possible {
		if p.fits(shape) {
			return p, nil
		}
	}
	others := ""
	if len(possible) > 1 {
		others = fmt.Sprintf(", or %v", possible[1])
	}
	return "", &fault.Data{Where: where, What: fmt.Sprintf("has shape %v, %v is expected%s", shape, possible[0], others), Do: do}
}

// stored is where functions are in an open file.
type stored struct {
	file     *exchange.File
	arrays   []string // one that holds all sides, or one for each side
	shape    []int    // of each array
	pattern  pattern
	dims     int
	count    int
	points   int // along an axis, both ends counted
	endpoint bool
}

// nameThem is what to do about arrays with other names.
const nameThem = "say which with data.input and data.output"

// open finds the functions of a source and passes them to use.
func (s Source) open(dims int, p patterns, use func(stored) error) error {
	if dims == 2 && !s.Endpoint {
		return &fault.Data{Where: s.File, What: "is said to leave out the right ends of its grid, but fields on the square are not periodic: their last points do not repeat the first",
			Do: "set data.endpoint = included, and give fields that include the whole boundary"}
	}
	file, err := exchange.Open(s.File)
	if err != nil {
		return err
	}
	defer file.Close()
	in := stored{file: file, dims: dims, endpoint: s.Endpoint, arrays: []string{""}}
	possible, do := p.single[dims-1], p.do[dims-1]
	if file.Kind != exchange.NPY {
		if possible = p.named[dims-1]; possible == nil {
			return &fault.Data{Where: s.File, What: fmt.Sprintf("is %s; %s are read from .npy files", file.Kind, p.what), Do: p.do[dims-1]}
		}
		do = [2]string{"store arrays of shape (count, K), a function in each row", "store arrays of shape (count, r, r)"}[dims-1]
		in.arrays = []string{cmp.Or(s.Input, "a")}
		if p.pair {
			in.arrays = append(in.arrays, cmp.Or(s.Output, "u"))
		}
	}
	for i, name := range in.arrays {
		m, err := file.Member(name)
		if err != nil {
			var data *fault.Data
			if errors.As(err, &data) && name != "" {
				data.Do = nameThem
			}
			return err
		}
		where := s.File
		if name != "" {
			where = fmt.Sprintf("%s, %q", s.File, name)
		}
		if in.pattern, err = choose(where, m.Shape, possible, do); err != nil {
			return err
		}
		if i > 0 && !slices.Equal(m.Shape, in.shape) {
			return &fault.Data{Where: s.File, What: fmt.Sprintf("%q has shape %v and %q %v: outputs must be on the grid of the inputs, as many", in.arrays[0], in.shape, name, m.Shape), Do: "name two arrays that belong together"}
		}
		in.shape = m.Shape
	}
	in.count, in.points = in.pattern.axis(in.shape, 'n'), in.pattern.axis(in.shape, 'x')
	if !s.Endpoint {
		in.points++
	}
	if in.points%2 == 0 && !p.anyGrid {
		return s.evenGrid(in.points)
	}
	return use(in)
}

func (s Source) evenGrid(points int) error {
	if !s.Endpoint {
		return &fault.Data{Where: s.File, What: fmt.Sprintf("has %d grid points, with the right end that is left out %d: a grid counts both ends of an even number of intervals", points-1, points),
			Do: "set data.endpoint = included if the last point repeats the first"}
	}
	return &fault.Data{Where: s.File, What: fmt.Sprintf("is on an even grid of %d points: a grid counts both ends of an even number of intervals", points),
		Do: "set data.endpoint = excluded if the grid of periodic functions leaves out the right end, else append or drop one"}
}

// domainOf is the domain of functions of so many variables.
func domainOf(dims int) grid.Domain {
	if dims == 2 {
		return grid.Square
	}
	return grid.Torus
}

// values is the number of values of a function, both ends of the grid counted.
func (s stored) values() int { return domainOf(s.dims).Values(s.points) }

// read fills batches, one a side, with the first functions of the file.
func (s stored) read(count, sides int) ([]grid.Batch, error) {
	for _, name := range s.arrays {
		if err := s.file.Verify(name); err != nil {
			return nil, err
		}
	}
	K := s.values()
	side := s.count * K
	strides := make([]int, len(s.shape))
	for d, letter := range s.pattern {
		strides[d] = map[rune]int{'n': K, 's': side, 'x': K / s.points, 'y': 1, '1': 0}[letter]
	}
	batches := make([]grid.Batch, sides)
	for i := range batches {
		batches[i] = grid.NewBatch(domainOf(s.dims), s.points, count)
	}
	for i, name := range s.arrays {
		err := s.file.Scan(name, strides, func(position int, value float64) {
			which := i
			if position >= side {
				which, position = which+1, position-side
			}
			if which < sides && position < count*K {
				batches[which].Data[position] = value
			}
		})
		if err != nil {
			return nil, err
		}
	}
	if !s.endpoint {
		for _, b := range batches {
			for i := range b.Count {
				b.At(i)[K-1] = b.At(i)[0]
			}
		}
	}
	return batches, nil
}
