// This file locates the functions of a file: the arrays that hold them, the axes and the grid.

// Package pairs infers what the arrays of a file mean as pairs of functions, and reads them.
package pairs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// Source names functions in a file of any origin and of any kind that package exchange opens.
//
// A file with one array without a name (.npy) holds pairs, for functions of one variable, in the shape (K, n, 2), as
// the paper's authors stored them, with the inputs in [..., 0] and the outputs in [..., 1], as (n, 2, K), as in the
// files of a run, or with these axes in any other order; for fields on the square (r, r, n, 2), (n, 2, r, r), (n, r, r,
// 2) and so on. In other files inputs and outputs are arrays with names, or parts of them as "tensor[:, 0]", of shape
// (n, K), (K, n), (n, r, r) or (r, r, n), or several of them with channels. Axes of length one are ignored. Where the
// shape is ambiguous, the values determine the axes.
type Source struct {
	File     string
	Open     *exchange.File // open; File is its name for people
	Input    string         // names of the arrays of inputs; empty means "a". Without names a part of the array: "[:, 0]"
	Output   string         // the same for outputs; empty means "u"
	Endpoint bool           // the grid counts both ends; if not, not the right one, where periodic functions repeat
	Axes     string         // meaning of the axes, see axesOf; empty: inferred from shapes and values
	Layout   string         // of data.layout; empty means auto
	Step     int            // takes every Step-th point along an axis if all functions are on one grid; 0 takes all
	Domain   grid.Domain    // of the functions, of one channel; the aspect of fields follows from the file
	Alone    bool           // inputs have no outputs
	// Points names the coordinates of points of any geometry, or is config.NoPlaces; empty: functions are on grids. With
	// the Domain of a trained model the points are those of that.
	Points string

	Test     bool       // the functions are those of test pairs, whose names are in settings of their own
	Training *Functions // the training pairs, whose axes test pairs have if their shapes suit; nil if unknown
	Missing  string     // of data.missing: the number that stands for missing values, config.NoMissing, or empty if unknown
	Mask     bool       // points that are not finite in the first pairs are 0 in all
	Skip     bool       // leave out pairs from which learning is impossible, see Functions.LeaveOut

	// Brief stops reading after the last wanted function: packed files are not unpacked whole, nor checksums compared.
	Brief bool

	Channels int // of inputs without outputs
	Target   int // points of the grid of inputs without outputs that have no grid
}

// Info describes the contents of a source.
type Info struct {
	Count   int       // pairs
	Grid    int       // K, or r along the first axis of a field; both ends counted, also where the file omits one
	Columns int       // points along the second axis; 1 for functions of one variable
	Arrays  string    // the axes of each array, such as "(count, K)"
	Letters string    // the same as settings write it, see Source.Axes
	Layout  string    // whether functions or their points come first
	By      string    // what told axes of functions from those of points; empty if shapes did
	Shape   npy.Shape // of the array of outputs, or of inputs without outputs
	Bytes   float64   // of all values in the file, before they are lifted to another grid
	Placed  []string  // the axes of functions of one variable among fields, in words
	Skipped string    // the pairs that are left out, in words; empty if all are kept

	Cloud       points.Cloud // of functions at points of any geometry
	FoundPlaces string       // how places and weights of points of any geometry were found, in words

	In     int  // channels
	Out    int  // channels
	InGrid int  // points of inputs along the first axis, both ends counted, if they are not on Grid; otherwise 0
	Lifted bool // inputs are parameters, or functions of fewer variables than the outputs
	// NumbersAlone tells that inputs and outputs are numbers, which constant functions stand for.
	NumbersAlone bool
}

// Functions are the functions of a source, located in its file and not read yet.
type Functions struct {
	Source
	Info
	all    []array // inputs first
	placed bool    // axes of functions of one variable among fields are known
	usable []int   // numbers of the pairs that are not left out; nil means all
	order  []int   // the point in the file at each place of the grid, see inOrderOfFile; nil: they are in that order
}

// Find locates pairs, or functions without outputs for the application of a trained model, by headers and some values.
// Functions alone are an array of shape (n, K), (K, n) or (K), for fields (n, r, r), (r, r, n) or (r, r), from a file
// with one array or with the name source.Input. Errors are *fault.Data (unreadable, an array missing, an unsuitable
// shape, values that leave the axes open) and errors of the file's context.
func Find(source Source) (*Functions, error) {
	f := &Functions{Source: source}
	f.Source.Layout = cmp.Or(f.Source.Layout, config.AutoLayout)
	find := f.infer
	inform := f.inform
	if source.Points != "" {
		find = f.findAtPoints
		inform = f.informAtPoints
	}
	if err := find(); err != nil {
		return nil, err
	}
	if err := f.findOrder(); err != nil {
		return nil, err
	}
	inform()
	if source.Skip {
		return f, f.LeaveOut()
	}
	return f, nil
}

// Notes tells in words how the file, and the arrays that are read from it, were put together or changed.
func (f *Functions) Notes() []string {
	all := slices.Clone(f.Open.Notes)
	for _, a := range f.all {
		name, _, _ := strings.Cut(a.Name, "[") // once for all parts of an array
		note := a.Note
		if name != "" {
			note = name + ": " + note
		}
		if a.Note != "" && !slices.Contains(all, note) {
			all = append(all, note)
		}
	}
	return all
}

// Whole reports whether one array without a name holds inputs and outputs.
func (f *Functions) Whole() bool { return f.all[0].Name == "" }

// infer finds the arrays, their axes and the grid.
func (f *Functions) infer() error {
	inputs := namesIn(f.Open, cmp.Or(f.Input, "a"))
	var outputs []string
	only, several := f.Open.Only()
	isPart := strings.ContainsAny(f.Input, "[(")
	holdsBoth := false // one array, with both sides of pairs
	switch {
	case f.Open.Unnamed() && !isPart:
		inputs = []string{""}
		holdsBoth = !f.Alone
	case !f.Alone:
		outputs = namesIn(f.Open, cmp.Or(f.Output, "u"))
	case several == nil && len(inputs) == 1 && inputs[0] == "a":
		inputs[0] = only.Name
	}
	free := !f.Alone || f.Channels > 1 || f.Target > 0
	orders := namedOrders
	switch {
	case holdsBoth:
		orders = singleOrders
	case !free:
		orders = inputOrders
	}
	if err := f.lookUp(inputs, outputs); err != nil {
		return err
	}
	if f.Source.Axes != "" {
		if err := f.asWritten(f.Source.Axes); err != nil {
			return err
		}
	} else if !f.asInTraining() {
		candidates, err := f.candidates(orders, free)
		if err == nil {
			f.all, f.By, err = f.tell(candidates)
		}
		if err != nil {
			return err
		}
	}
	f.Info.Layout = f.all[0].layout()
	f.Count = f.all[0].size('n')
	if err := f.findGrid(); err != nil {
		return err
	}
	if f.Domain.Dims == 2 && f.Source.Axes == "" {
		if err := f.tooManyChannels(); err != nil {
			return err
		}
	}
	return f.place()
}

// lookUp finds the arrays of inputs and outputs by their names. Errors are *fault.Data.
func (f *Functions) lookUp(inputs, outputs []string) error {
	for i, name := range slices.Concat(inputs, outputs) {
		m := Lookup(f.Open, name)
		if m.Refused != nil {
			var data *fault.Data
			isUnknown := name != "" && len(f.Open.Members) > 0 && !f.Open.Has(name)
			if errors.As(m.Refused, &data) && isUnknown {
				settings := f.settings()
				data.Do = "name them with " + settings.input + " and " + settings.output
			}
			return m.Refused
		}
		if m.Count() == 0 && strings.Contains(name, "[") {
			return fault.Bad(
				npy.Place(f.File, m.Name),
				"name a part that has values",
				"is empty: it has shape %v", m.Shape,
			)
		}
		f.all = append(f.all, array{
			Member: withoutMissing(m, f.Missing),
			output: i >= len(inputs),
		})
	}
	return nil
}

// asInTraining gives arrays whose shapes differ from those of the training pairs in the number of pairs alone the axes
// of these, and reports whether it did: one pair with two channels has the shape of two pairs.
func (f *Functions) asInTraining() bool {
	if f.Training == nil || len(f.all) != len(f.Training.all) {
		return false
	}
	some := slices.Clone(f.Training.all)
	pairs := 0 // of the first array
	for i, p := range f.all {
		axis := some[i].axis('n')
		expected := slices.Clone(some[i].Shape)
		if len(p.Shape) != len(expected) {
			return false
		}
		if i == 0 {
			pairs = p.Shape[axis]
		}
		expected[axis] = pairs
		if !slices.Equal(expected, p.Shape) {
			return false
		}
		some[i].Member = p.Member
	}
	f.all = some
	return true
}

// settingNames are the names of the settings that name the arrays of inputs and outputs.
type settingNames struct{ input, output string }

func (s Source) settings() settingNames {
	if s.Test {
		return settingNames{input: "data.test_input", output: "data.test_output"}
	}
	return settingNames{input: "data.input", output: "data.output"}
}

// differentNumbers is the error of arrays with different numbers of functions.
type differentNumbers struct{ *fault.Data }

func (d *differentNumbers) Unwrap() error { return d.Data }

// Unequal returns the error of different numbers of functions in arrays with names. If the functions are alike, the
// first ones may belong together.
func (s Source) Unequal(names []string, counts []int, alike bool) error {
	var words []string
	for i, n := range counts {
		words = append(words, fmt.Sprintf("%d in %q", n, names[i]))
	}
	remedy := "store arrays of shape (count, K), a function in each row"
	if strings.Contains(names[0], "*") { // the first ones may be of other groups
		remedy = exchange.Incomplete
	} else if len(names) == 2 && alike {
		common := slices.Min(counts)
		settings := s.settings()
		remedy = fmt.Sprintf("if the first ones belong together, set %s=%s[:%d] and %s=%s[:%d]",
			settings.input, names[0], common, settings.output, names[1], common)
	}
	return &differentNumbers{fault.Bad(
		s.File, remedy,
		"has different numbers of functions: %s; inputs and outputs must be as many", strings.Join(words, ", "),
	)}
}

// mostPoints is the largest number of points of functions of one variable that are read.
const mostPoints = 1<<18 + 1

// PointsOfNumbers is the number of points of the constant functions that stand for numbers, where inputs and outputs are
// numbers: the least that a grid of training has.
const PointsOfNumbers = 9
