package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Extent returns the range of the finite values of the functions.
func Extent(functions ...[]float64) (lo, hi float64) {
	s := newSpan()
	for _, f := range functions {
		for _, v := range f {
			s.Add(v)
		}
	}
	return s.Lo, s.Hi
}

// Channels names a pair of channels of inputs and outputs, counted from 0; empty if each has one. If one has fewer
// channels, they are repeated.
func Channels(channel, in, out int) string {
	if max(in, out) == 1 {
		return ""
	}
	ofInput := channel%in + 1
	ofOutput := channel%out + 1
	return fmt.Sprintf("channel %d of %d in, %d of %d out", ofInput, in, ofOutput, out)
}

// A Sample is an input with its output and its prediction: K values each, or Side x Side on the unit square.
type Sample struct {
	Side       int    // 0 for functions of one variable
	Name       string // of the input
	Jumps      bool   // the input has jumps
	Input      []float64
	Truth      []float64
	Prediction []float64
	Band       []float64 // |u - F(a)| is at most this with probability 0.9; nil if unknown

	In, Out *Geometry // of values at points of any geometry; nil: on a grid
}

// Pictures returns the figures and the fields of a sample with a prediction: functions above their errors, or maps with a
// cut through their middle.
func (s Sample) Pictures() ([]Figure, []Field) {
	switch {
	case s.Out != nil:
		return s.atPoints()
	case s.Side == 0:
		return s.Functions(), nil
	}
	return []Figure{s.Section()}, s.Fields()
}

// Compared returns the truth and the prediction as two maps, or as a figure if there are none.
func (s Sample) Compared() (Figure, []Field) {
	figures, fields := s.Pictures()
	if len(fields) < 3 { // of the input alone, or none
		if len(figures) > 2 { // the input has a figure of its own
			figures = figures[1:]
		}
		return figures[0], nil
	}
	last := len(fields) - 1 // the error
	return figures[0], fields[last-2 : last]
}

// Error returns u - F(a) at every point.
func (s Sample) Error() []float64 {
	difference := make([]float64, len(s.Truth))
	return floats.SubTo(difference, s.Truth, s.Prediction)
}

// Fields returns the input, the truth, the prediction and the error of a sample; truth and prediction share a scale.
// Functions of one variable have no fields.
func (s Sample) Fields() []Field {
	if s.Side == 0 {
		return nil
	}
	lo, hi := Extent(s.Truth, s.Prediction)
	input := s.field(s.Name, s.Input)
	input.Smooth = !s.Jumps
	truth := s.field("truth u", s.Truth)
	truth.Min = &lo
	truth.Max = &hi
	prediction := s.field("prediction F(a)", s.Prediction)
	prediction.Min = &lo
	prediction.Max = &hi
	wrong := s.field("error u - F(a)", s.Error())
	wrong.Signed = true
	return []Field{input, truth, prediction, wrong}
}

// field returns values on the grid of the sample, without jumps.
func (s Sample) field(title string, values []float64) Field {
	return Field{
		Title:  title,
		R:      s.Side,
		Values: values,
		Smooth: true,
	}
}

// Functions returns the figure of a sample of functions of one variable and, below it, the pointwise error.
func (s Sample) Functions() []Figure {
	difference := s.Error()
	for i, d := range difference {
		difference[i] = math.Abs(d)
	}
	x := UnitPoints(len(s.Truth))
	functions := Figure{
		X1:     1,
		XLabel: "x",
		Curves: []Curve{
			{Name: "a", X: x, Y: s.Input, Role: AsInput},
			{Name: "truth", X: x, Y: s.Truth, Role: AsTruth},
			{Name: "prediction", X: x, Y: s.Prediction, Role: AsPrediction},
		},
	}
	zero := 0.0
	pointwise := Curve{
		Name: "|truth - prediction|",
		X:    x,
		Y:    difference,
		Role: AsError,
	}
	errors := Figure{
		X1:     1,
		XLabel: "x",
		YMin:   &zero,
		Curves: []Curve{pointwise},
		Below:  true,
	}
	if s.Band != nil {
		band := Curve{
			Name: "90% band",
			X:    x,
			Y:    s.Band,
			Role: AsLevel,
		}
		errors.Curves = append(errors.Curves, band)
	}
	return []Figure{functions, errors}
}

// OnOneScale gives figures side by side one vertical range, so that they can be compared, and those below them another
// one. Inputs on an axis of their own are left out of all; then dropped is true.
func OnOneScale(figures []Figure) (dropped bool) {
	dropped = slices.ContainsFunc(figures, Figure.apart)
	isInput := func(c Curve) bool { return c.Role == AsInput }
	above := newSpan()
	below := newSpan()
	for i := range figures {
		f := &figures[i]
		if dropped {
			f.Curves = slices.DeleteFunc(slices.Clone(f.Curves), isInput)
		}
		span := &above
		if f.Below {
			span = &below
		}
		for _, c := range f.Curves {
			lo, hi := Extent(c.Y)
			span.Add(lo)
			span.Add(hi)
		}
	}
	for i := range figures {
		span := above
		if figures[i].Below {
			span = below
		}
		if span.Empty() {
			continue
		}
		if figures[i].YMin == nil {
			figures[i].YMin = &span.Lo
		}
		figures[i].YMax = &span.Hi
	}
	return dropped
}

// Pair returns input and output of a sample without a prediction: a figure with a title, or two fields.
func (s Sample) Pair(title string) ([]Figure, []Field) {
	if s.Out != nil {
		s.Prediction = nil
		return s.atPoints()
	}
	if s.Side > 0 {
		name := s.Name
		if name == "" {
			name = "input a"
		}
		return nil, []Field{
			{Title: name, R: s.Side, Values: s.Input, Smooth: !s.Jumps},
			{Title: "solution u", R: s.Side, Values: s.Truth, Smooth: true},
		}
	}
	x := UnitPoints(len(s.Input))
	f := Figure{
		Title:  title,
		XLabel: "x",
		X1:     1,
		Curves: []Curve{
			{Name: "input a", X: x, Y: s.Input, Role: AsInput},
			{Name: "solution u", X: x, Y: s.Truth, Role: AsTruth},
		},
	}
	return []Figure{f}, nil
}

// Section returns truth and prediction on the line through the middle of fields, along x1, on the scale of the fields.
func (s Sample) Section() Figure {
	lo, hi := Extent(s.Truth, s.Prediction)
	x := UnitPoints(s.Side)
	truth := Field{R: s.Side, Values: s.Truth}
	prediction := Field{R: s.Side, Values: s.Prediction}
	middle := float64(s.Side/2) / float64(s.Side-1)
	return Figure{
		Title:  fmt.Sprintf("cut at x2 = %.3g", middle),
		XLabel: "x1",
		X1:     1,
		YMin:   &lo,
		YMax:   &hi,
		Curves: []Curve{
			{Name: "truth", X: x, Y: truth.Middle(), Role: AsTruth},
			{Name: "prediction", X: x, Y: prediction.Middle(), Role: AsPrediction},
		},
	}
}

// Distribution returns the positive values in ascending order, each over the share of all values up to it.
func Distribution(name string, values []float64) Curve {
	c := Curve{Name: name}
	for i, v := range slices.Sorted(slices.Values(values)) {
		if v >= 0 { // which a number that is not one is not; a logarithmic axis says how many are zero
			share := float64(i+1) / float64(len(values))
			c.X = append(c.X, share)
			c.Y = append(c.Y, v)
		}
	}
	return c
}

// Distributions returns the figure of distributions of relative errors.
func Distributions(curves ...Curve) Figure {
	return Figure{
		XLabel: "share of the test inputs",
		YLabel: "relative error at most",
		LogY:   true,
		X1:     1,
		Curves: curves,
	}
}

// Counting returns 1, 2, ..., n.
func Counting(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i + 1)
	}
	return x
}

// UnitPoints returns K equispaced points from 0 to 1.
func UnitPoints(K int) []float64 {
	x := make([]float64, K)
	for i := range x {
		x[i] = float64(i) / float64(K-1)
	}
	return x
}
