// This file makes pictures of an experiment, before it runs and while another process computes it.

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// Preview is one draw from an experiment, on a closed grid fine enough for display: the first training input, and the
// first feature of it, with its parameter.
type Preview struct {
	feature.Look
	Input []float64
	Side  int // points along an axis of fields, row-major; 0 for functions of one variable

	// Pair is the first training pair at points of any geometry, in place of all else; nil for functions on grids, and
	// where it cannot be read.
	Pair *report.Sample
}

// Previewer makes previews of successive configurations. It keeps the input while only features, training or evaluation
// change, since the input may come from a large file. The zero Previewer is ready to use.
type Previewer struct {
	of    config.Config // configuration of the kept input
	input grid.Batch
	pair  *report.Sample // at points of any geometry
}

// Preview draws from a configuration. The draws equal those of the run, except for modes that its data grid adds or
// omits. Parameters are drawn even if the run reads them from files.
func (p *Previewer) Preview(c config.Config) Preview {
	if of := c.DataOnly(); p.of != of {
		p.of = of
		p.pair = nil
		if c.Scattered() {
			p.pair = firstScattered(c)
		} else {
			p.input = firstInput(c)
		}
	}
	if c.Scattered() {
		return Preview{Pair: p.pair}
	}
	c.Data.In = 1 // the first channel is shown
	c.Data.Out = 1
	ctx := context.Background() // because one feature takes no time
	features, err := feature.New(ctx, setup.Features(c), 1, p.input.Points, 1)
	if err != nil {
		panic("engine: " + err.Error())
	}
	// a constant input has no gain, and only a trivial feature
	if calibrated, err := features.Calibrate(ctx, p.input, 1); err == nil {
		features = calibrated
	}
	look, err := features.Look(ctx, 0, p.input)
	if err != nil { // a permeability of extreme contrast yields no feature
		look.Values = make([]float64, p.input.Values())
	}
	return Preview{
		Look:  look,
		Input: p.input.At(0),
		Side:  sideOf(p.input.Domain, p.input.Points),
	}
}

// The resolutions of previews. They cost a few milliseconds and exceed the resolution of a terminal.
const (
	previewPoints = 257 // of functions
	previewSide   = 65  // of fields, along an axis
)

// firstInput draws or reads the first training input, on a grid of previews that the grid of the data contains. It is
// zero if it cannot be read. It does not depend on features, training or evaluation.
func firstInput(c config.Config) grid.Batch {
	most := previewPoints
	if c.Dims() == 2 {
		most = previewSide
	}
	c.Data.Grid = c.GridUpTo(cmp.Or(c.Data.Grid, most), most) // prepare nothing on a large grid
	input := grid.NewBatch(setup.Domain(c), c.Data.Grid, 1)
	if o := setup.Truth(c); o != nil {
		drawn := grid.NewBatch(o.Inputs(), c.Data.Grid, 1)
		o.Draw(drawn, draw.InputTrain, 0)
		return grid.BatchOf(o.Domain, drawn.Points, drawn.Of(0, 0))
	}
	first, err := readFirstInput(c, most)
	if err != nil {
		return input
	}
	return grid.BatchOf(setup.Domain(c), first.Points, first.Of(0, 0)) // the first channel
}

// readFirstInput reads the first training input from its file, and restricts it to at most so many points.
func readFirstInput(c config.Config, most int) (grid.Batch, error) {
	first, err := readFirst(c)
	if err != nil {
		return grid.Batch{}, err
	}
	return first.Inputs.Restrict(c.GridUpTo(first.Inputs.Points, most))
}

// firstScattered reads the first training pair at points of any geometry; nil if it cannot be read.
func firstScattered(c config.Config) *report.Sample {
	first, err := readFirst(c)
	if err != nil {
		return nil
	}
	at := geometriesOf(first.Inputs.Domain.Cloud)
	s := sampleOf(c.Of(), at, first.Inputs, first.Outputs, 0)
	return &s
}

// readFirst reads the first training pair from its file.
func readFirst(c config.Config) (dataset.Pairs, error) {
	source := reading.TrainSource(c)
	file, err := exchange.Open(context.Background(), source.File)
	if err != nil {
		return dataset.Pairs{}, err
	}
	defer file.Close()
	source.Open = file
	source.Brief = true
	layout, err := pairs.Find(source)
	if err != nil {
		return dataset.Pairs{}, err
	}
	return layout.Pairs([]int{0})
}

// pictureTolerance is the least tolerance of a solution that is drawn; its errors are far smaller than a cell.
const pictureTolerance = 1e-4

// Picture returns a picture of the output field of an equation given as text, for the first training input. In one
// dimension it is a field over x, to the right, and t, upwards from 0 to T, or the curve of a steady state; in two the
// field at time T. Errors are setup.Trajectory's: if the solution ends before T, the field goes on until then, and its
// title and an *setup.End say why.
func Picture(ctx context.Context, c config.Config) (report.Page, error) {
	s, err := drawn(ctx, c)
	var end *setup.End
	if err != nil && !errors.As(err, &end) {
		return report.Page{}, err
	}
	ends := ""
	if end != nil {
		ends = fmt.Sprintf(" is lost near t=%.2g", end.Time)
		if end.Grows {
			ends = fmt.Sprintf(" blows up near t=%.2g", end.Time)
		}
	}
	if err := ctx.Err(); err != nil {
		return report.Page{}, err
	}
	name := c.Equation.OutputField()
	if c.Dims() == 1 && c.Equation.Steady() {
		return report.Page{Figures: []report.Figure{steadyCurve(s, name, c.Equation.Length)}}, err
	}
	return report.Page{Fields: []report.Field{solutionField(s, c, name, ends)}}, err
}

// steadyCurve returns the curve of a steady state over x.
func steadyCurve(s setup.Solution, name string, length float64) report.Figure {
	last := s.States[len(s.States)-1]
	x := report.UnitPoints(last.Points)
	for i := range x {
		x[i] *= length
	}
	curve := report.Curve{
		X:    x,
		Y:    last.Data,
		Role: report.AsTruth,
	}
	return report.Figure{
		Title:  name + "(x)",
		XLabel: "x",
		X1:     length,
		Curves: []report.Curve{curve},
	}
}

// solutionField returns the field of a solution, with a title that says how it ends.
func solutionField(s setup.Solution, c config.Config, name, ends string) report.Field {
	length := c.Equation.Length
	last := s.States[len(s.States)-1]
	f := report.Field{
		R:      last.Points,
		Smooth: true,
		Across: report.FieldAxis{Name: "x", To: length},
	}
	if c.Dims() == 2 {
		f.Title = fmt.Sprintf("%s at time %.3g%s", name, s.Time, ends)
		if c.Equation.Steady() {
			f.Title = name + "(x, y)"
		}
		f.Up = report.FieldAxis{Name: "y", To: length}
		f.Values = last.Data
		return f
	}
	f.Title = name + "(x, t)"
	if ends != "" { // the shorter, because a form has 22 cells for it
		f.Title = name + ends
	}
	f.Up = report.FieldAxis{Name: "t", To: s.Time}
	f.Unlike = true
	for x := range last.Points {
		for _, u := range s.States {
			f.Values = append(f.Values, u.Data[x])
		}
	}
	return f
}

// A Remedy is a value for a key with which a solution that ends early lasts.
type Remedy = setup.Remedy

// Lasting is setup.Lasting, for the shell.
func Lasting(ctx context.Context, c config.Config, given func(key string) bool) (found []Remedy, why string) {
	return setup.Lasting(ctx, c, given)
}

// Ended returns the error of a picture that ends early in the words of a form, and the settings that help; nil for other
// errors.
func Ended(err error) (*config.Error, []Remedy) {
	var end *setup.End
	if !errors.As(err, &end) {
		return nil, nil
	}
	var ways []string
	for _, r := range end.Remedies {
		ways = append(ways, r.Key+" = "+r.Value)
	}
	description := &config.Error{
		Key:        "equation.text",
		Problem:    fmt.Sprintf("%s near t=%.2g", end.Reason, end.Time),
		Suggestion: strings.Join(ways, ", or "),
	}
	return description, end.Remedies
}

// drawn solves an equation as exactly as a picture needs, within a fraction of a second.
func drawn(ctx context.Context, c config.Config) (setup.Solution, error) {
	c.Equation.Tolerance = max(c.Equation.Tolerance, pictureTolerance)
	if c.Dims() == 2 {
		return setup.Trajectory(ctx, c, 1, 65)
	}
	return setup.Trajectory(ctx, c, 64, 257)
}

// Newest returns the newest training pair of the run in the directory path while they are generated, later the first
// one; nil if none can be read. It takes no lock and writes nothing.
func Newest(ctx context.Context, path string) *report.Sample {
	e, err := join(path, Options{})
	if err != nil {
		return nil
	}
	if e.restoreCloud(ctx) != nil {
		return nil
	}
	var pair dataset.Pairs
	rows := func(shape []int) (store.Block, error) {
		return e.rowsOf(&pair, shape, 1)
	}
	units, _ := e.store.Units().Of(store.TrainFile)
	if len(units) == 0 {
		err := e.store.ReadArray(ctx, store.TrainFile, rows)
		if err != nil {
			return nil
		}
		return e.sample(pair.Inputs, pair.Outputs)
	}
	last, err := e.store.Units().Read(ctx, units[len(units)-1])
	if err != nil { // the units may be joined meanwhile
		return nil
	}
	row, err := rows(last.Shape)
	if err != nil {
		return nil
	}
	row.Put(0, last.Data[max(0, len(last.Data)-row.Values()):])
	return e.sample(pair.Inputs, pair.Outputs)
}

// Typical returns a test pair of a complete run with its prediction, whose error is as near to the median of all as those
// of the first few pairs are, and its number; nil if none can be read. errors are the relative errors of the test pairs. It
// takes no lock and writes nothing.
func Typical(ctx context.Context, path string, errors []float64) (sample *report.Sample, at int) {
	const few = 64 // pairs that are read, so that large runs take no longer
	e, err := join(path, Options{})
	if err != nil || len(errors) == 0 {
		return nil, 0
	}
	count := min(few, len(errors))
	if e.restoreCloud(ctx) != nil {
		return nil, 0
	}
	var pairs dataset.Pairs
	err = e.store.ReadArray(ctx, store.TestFile, func(shape []int) (store.Block, error) {
		return e.rowsOf(&pairs, shape, count)
	})
	if err != nil {
		return nil, 0
	}
	pairs, err = pairs.Restrict(e.Config.TestGrid())
	if err != nil {
		return nil, 0
	}
	predictions := pairs.Outputs.Like(count)
	err = e.store.ReadArray(ctx, store.TestPredictionsFile, func([]int) (store.Block, error) {
		return store.Block{predictions}, nil
	})
	if err != nil {
		return nil, 0
	}
	median := report.Median(errors)
	for i, deviation := range errors[:count] {
		if math.Abs(deviation-median) < math.Abs(errors[at]-median) {
			at = i
		}
	}
	sample = e.sample(pairs.Inputs.Range(at, 1), pairs.Outputs.Range(at, 1))
	sample.Prediction = e.geometries().ofOutput(predictions.Of(at, 0))
	return sample, at
}
