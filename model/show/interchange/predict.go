// This file applies a model to the functions of a file, once or repeatedly, each time to its last prediction.

package interchange

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/learn/score"
	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/bands"
	"rfm/model/trained/price"
	"rfm/model/trained/unlike"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// Prediction describes the functions to which a model is applied, and the destination of the predictions.
type Prediction struct {
	In       string // file of the inputs, or Stream
	Out      string // .npy or .csv file of the predictions, or Stream
	Array    string // name of the inputs in a file of named arrays; empty: the name of the training inputs, or else a
	Endpoint string // as config.Data.Endpoint; auto: as in training, unless only the other fits
	Layout   string // as config.Data.Layout
	// Numbers are values of random numbers of an equation, as name=value, for all functions of the file, which then has none.
	Numbers []string
	Replace bool // existing files
	Workers int  // goroutines that compute, at least 1

	Steps int  // number of applications of the model, each to its last prediction; 0 is once
	Check bool // compare with the solver's solution after every step

	Bands string  // .npy or .csv file for half the widths of the prediction bands; empty: none
	Level float64 // probability that the truth lies in them
	Whole bool    // everywhere, instead of at each point

	Keep bool // the first predictions, so that Predicted.Shown draws them

	// take the place of files
	Stdin  io.Reader
	Stdout io.Writer
}

// Stream in place of a file's name means standard input or standard output.
const Stream = "-"

const leastSolved = 9 // points along an axis for solvers

// Predicted describes the predictions. Its JSON form is the output of `rfm predict --json`.
type Predicted struct {
	Model   string  `json:"model"`
	In      string  `json:"in"`
	Out     string  `json:"out"`
	Count   int     `json:"count"`
	Grid    int     `json:"grid"` // K, or r along an axis, both ends counted
	Shape   []int   `json:"shape"`
	Axes    string  `json:"axes"` // of the inputs and the predictions, as "(count, K)"
	Seconds float64 `json:"seconds"`
	// numbers of the inputs that are unlike the training inputs, where nobody knows the error; null if the model cannot tell
	Unlike []int `json:"unlike"`
	// how far each input is from the training inputs, from 0 to 1, and the limit beyond which it is in Unlike; missing if
	// the model does not know its training inputs
	Deviations []float64 `json:"deviations,omitempty"`
	Limit      float64   `json:"limit,omitempty"`
	// mean relative L2 error after every step, if compared with the solver
	Errors []float64 `json:"errors,omitempty"`
	// geometric mean of these over the first 100 steps, or all if they are fewer
	GMean100 float64 `json:"gmean100,omitempty"`

	Domain grid.Domain `json:"-"` // of the functions

	inputs, outputs, half grid.Batch // the first ones, if they are kept; half the widths of their bands if there are any
	found                 unlike.Found
}

// UnlikeNumbers lists the numbers of inputs that are unlike the training inputs, the first of many.
func (p Predicted) UnlikeNumbers() string { return unlike.List(p.Unlike) }

// usual is the name of inputs in files that do not have the name of the training inputs.
const usual = "a"

// FindModel returns the file that source names: itself, or the model of a run below root or at that path, which it
// compares with its checksum. The error is a *fault.Data, or ctx.Err() if ctx ends.
func FindModel(ctx context.Context, root, source string) (string, error) {
	if info, err := os.Stat(source); err == nil && !info.IsDir() {
		return source, nil
	}
	if filepath.Ext(source) == ".npz" {
		return "", fault.Bad(source, "give a run, or the model.npz of one", "does not exist")
	}
	path, err := store.Find(root, source)
	if err != nil {
		return "", err
	}
	m, err := store.Read(path)
	if err != nil {
		return "", err
	}
	if !m.Has(store.ModelFile) {
		return "", &fault.Data{
			Where: path,
			What:  "has no trained model yet",
			Do:    "resume with `rfm run " + printable.Path(path) + "`",
		}
	}
	for _, name := range []string{store.ModelFile, bands.File} {
		if !m.Has(name) {
			continue
		}
		err := m.Copy(ctx, name, io.Discard)
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(path, store.ModelFile), nil
}

// Predict applies the model in a file to functions on any grid. The predictions have the axes of the inputs. Errors:
// *fault.Data, ctx's.
func Predict(ctx context.Context, modelFile string, p Prediction) (Predicted, error) {
	did := Predicted{Model: modelFile, In: p.In, Out: p.Out}
	if err := Unoccupied(p.Out, "--out", &p.Replace, p.In); err != nil {
		return did, err
	}
	if err := Unoccupied(p.Bands, "--bands", &p.Replace, p.In); err != nil {
		return did, err
	}
	model, err := trained.ReadFile(ctx, modelFile)
	if err != nil {
		return did, err
	}
	did.Domain = model.Domain()
	if !did.Domain.Periodic && p.Endpoint == config.Excluded {
		return did, &fault.Data{
			Where: p.In,
			What:  fmt.Sprintf("cannot leave out an end: the model is one of %s, which do not repeat there", did.Domain.Name()),
			Do:    "set data.endpoint = " + config.Included,
		}
	}
	source, err := p.open(ctx)
	if err != nil {
		return did, err
	}
	defer source.Open.Close()
	source.Domain = did.Domain.One()
	file, inputs, err := p.inputs(source, model)
	if err != nil {
		return did, err
	}
	begin := time.Now()
	steps, err := p.march(ctx, model, inputs, source.File, &did)
	if err != nil {
		return did, err
	}
	outputs := steps[0]
	did.Count = outputs.Count
	did.Grid = outputs.Points
	did.Shape = file.Shape
	did.Axes = file.Arrays
	did.Seconds = time.Since(begin).Seconds()
	did.Unlike, err = p.bands(modelFile, file, inputs, outputs)
	if err != nil {
		return did, err
	}
	if p.Keep && !did.Domain.Scattered() { // nothing tells where points of any geometry are in a picture
		did.keep(modelFile, inputs, outputs, p)
	}
	found, known, err := model.Unlike(ctx, inputs, p.Workers)
	if err != nil {
		return did, err
	}
	if known {
		did.found = found
		did.Unlike = found.Outside()
		did.Deviations = found.Deviations
		did.Limit = found.Limit
	}
	array := file.Arrange(outputs)
	if p.Steps > 1 {
		array = npy.Array{Shape: append([]int{p.Steps}, array.Shape...)}
		for _, u := range steps {
			array.Data = append(array.Data, file.Arrange(u).Data...)
		}
		did.Shape = array.Shape
		did.Axes = "(steps, " + strings.TrimPrefix(did.Axes, "(")
	}
	return did, write(p.Out, array, p.Stdout)
}

// open opens the file of the inputs, or reads the stream in its place.
func (p Prediction) open(ctx context.Context) (source pairs.Source, err error) {
	source = pairs.Source{File: p.In, Layout: p.Layout, Alone: true}
	if p.In != Stream {
		source.Open, err = exchange.Open(ctx, p.In)
		return source, err
	}
	content, err := readStream(ctx, p.Stdin)
	if err != nil {
		return source, err
	}
	source.File = streamName
	source.Open, err = exchange.OpenContent(ctx, streamName, bytes.NewReader(content), int64(len(content)))
	return source, err
}

// keep keeps the first inputs and predictions, with half the widths of their bands if the model has bands.
func (p *Predicted) keep(modelFile string, inputs, outputs grid.Batch, o Prediction) {
	const most = 64
	n := min(most, outputs.Count)
	p.inputs = inputs.Range(0, n)
	p.outputs = outputs.Range(0, n)
	calibrated, err := bands.ReadFile(filepath.Join(filepath.Dir(modelFile), bands.File))
	if err != nil {
		return // it was trained without bands
	}
	checked, err := calibrated.Check(p.inputs, p.outputs)
	if err != nil {
		return
	}
	widths := checked.Widths(o.Level, o.Whole)
	if len(widths.Data) > 0 && !math.IsInf(widths.Data[0], 1) {
		p.half = widths
	}
}

// Kept returns how many of the predictions can be drawn.
func (p Predicted) Kept() int { return p.outputs.Count }

// UnlikeLine says in one line how unlike the training inputs input i is; empty if it is like them, or if nobody knows.
func (p Predicted) UnlikeLine(i int) string {
	if i >= len(p.found.Deviations) {
		return ""
	}
	return p.found.Line(i)
}

// Shown returns input i and its prediction, between the ends of its band if the model has bands: a figure, or fields on a
// square. Jumps tells whether inputs have jumps.
func (p Predicted) Shown(i int, jumps bool) ([]report.Figure, []report.Field) {
	input := p.inputs.Of(i, 0)
	output := p.outputs.Of(i, 0)
	if p.Domain.Dims == 2 {
		side := p.outputs.Points
		return nil, []report.Field{
			{Title: "input a", R: side, Values: input, Smooth: !jumps},
			{Title: "prediction F(a)", R: side, Values: output, Smooth: true},
		}
	}
	x := report.UnitPoints(len(output))
	curves := []report.Curve{{Name: "a", X: report.UnitPoints(len(input)), Y: input, Role: report.AsInput}}
	if p.half.Count > 0 {
		half := p.half.Of(i, 0)
		low := make([]float64, len(output))
		high := make([]float64, len(output))
		for j, u := range output {
			low[j] = u - half[j]
			high[j] = u + half[j]
		}
		curves = append(curves, report.Curve{Name: "90% band", X: x, Y: low, Role: report.AsLevel},
			report.Curve{X: x, Y: high, Role: report.AsLevel})
	}
	curves = append(curves, report.Curve{Name: "model", X: x, Y: output, Role: report.AsPrediction}) // above the band
	return []report.Figure{{X1: 1, XLabel: "x", Curves: curves}}, nil
}

// bands writes half the widths of the requested prediction bands, and returns which inputs lie outside the training
// range if the model has bands next to it. The error is a *fault.Data.
func (p Prediction) bands(modelFile string, file *pairs.Functions, inputs, outputs grid.Batch) (outside []int,
	err error) {
	calibrated, err := bands.ReadFile(filepath.Join(filepath.Dir(modelFile), bands.File))
	if errors.Is(err, fs.ErrNotExist) && p.Bands == "" { // nobody needs them
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	checked, err := calibrated.Check(inputs, outputs)
	if err != nil {
		return nil, err
	}
	if p.Bands == "" {
		return checked.Outside, nil
	}
	widths := checked.Widths(p.Level, p.Whole)
	if len(widths.Data) > 0 && math.IsInf(widths.Data[0], 1) {
		return nil, &fault.Data{
			Where: modelFile,
			What:  fmt.Sprintf("has bands of %d training pairs, too few for a promise of %g", calibrated.Pairs, p.Level),
			Do:    "lower --level, or train with more pairs",
		}
	}
	return checked.Outside, write(p.Bands, file.Arrange(widths), p.Stdout)
}

// inputs locates and reads the inputs of a model: as those of its training, whose names and axes it has, if the file has
// them; otherwise arrays of other names or shapes. Without a place of the ends, it takes that of training unless only
// the other one fits.
func (p Prediction) inputs(source pairs.Source, model trained.Model) (*pairs.Functions, grid.Batch, error) {
	c, err := config.Parse([]byte(model.Config))
	if err != nil {
		c = config.Config{} // only its names and places are unknown
	}
	if source.Domain.Scattered() {
		return p.inputsAtPoints(source, model, c)
	}
	if len(c.Equation.Numbers()) > 0 || len(p.Numbers) > 0 {
		return p.inputsWithNumbers(source, model, c)
	}
	return p.inputsOf(source, model, c)
}

// inputsOf locates and reads inputs on a grid.
func (p Prediction) inputsOf(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions, grid.Batch, error) {
	source.Mask = c.Data.Mask
	source.Missing = c.Data.Missing
	ends := []bool{p.Endpoint == config.Included}
	if p.Endpoint == config.AutoPoints {
		ends[0] = c.Data.Endpoint != config.Excluded
		if source.Domain.Periodic {
			ends = append(ends, !ends[0])
		}
	}
	var byShape, byAxes error // the first of each kind
	for _, end := range ends {
		source.Endpoint = end
		for _, as := range p.sources(source, c) {
			as.Channels = model.Inputs().Width() - len(p.Numbers)
			file, inputs, err := readAs(as, model, c)
			switch {
			case err == nil:
				return file, inputs, nil
			case !fault.BlamesInput(err):
				return nil, grid.Batch{}, err
			case as.Axes == "" && byShape == nil:
				byShape = err
			case as.Axes != "" && byAxes == nil:
				byAxes = err
			}
		}
	}
	if places := pairs.OrderedBy(c.Data.Input); places != "" {
		name, _, _ := strings.Cut(c.Data.Input, ".")
		return nil, grid.Batch{}, &fault.Data{
			Where: p.In,
			What:  fmt.Sprintf("has no inputs at points that %s puts in the order of the grid of training", places),
			Do:    fmt.Sprintf("give %s and %s in one file, or values in the order of the grid", name, places),
		}
	}
	names := pairs.Names(c.Data.Input)
	if p.Array == "" && len(names) > 1 && source.Open != nil && !hasAny(source.Open, names[1:]) {
		return nil, grid.Batch{}, &fault.Data{
			Where: p.In,
			What:  fmt.Sprintf("does not have the arrays that the model takes, %s", strings.Join(names, " and ")),
			Do:    "give all of them in one file, under these names, or name others with --array",
		}
	}
	if byShape != nil { // because shapes say more about other arrays than the axes of training
		return nil, grid.Batch{}, byShape
	}
	return nil, grid.Batch{}, byAxes
}

// hasAny reports whether a file has one of some arrays.
func hasAny(file *exchange.File, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		base, _, _ := strings.Cut(name, "[")
		return file.Has(base)
	})
}

// readAs locates and reads the inputs in one way.
func readAs(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions, grid.Batch, error) {
	file, err := findInputs(source, model, c)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	inputs, err := readInputs(file, model, source.Channels)
	return file, inputs, err
}

// inputsAtPoints locates and reads the inputs of a model of functions at points of any geometry: arrays with the names of
// training, or the only one.
func (p Prediction) inputsAtPoints(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions, grid.Batch,
	error) {
	source.Points = cmp.Or(c.Data.Points, config.NoPlaces)
	source.Axes = c.Data.Axes
	source.Input = cmp.Or(p.Array, c.Data.Input)
	file, err := pairs.Find(source)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	inputs, err := readInputs(file, model, model.Inputs().Width())
	return file, inputs, err
}

// sources returns the possible places of the inputs in a file, the likeliest first: those with the axes of training, and
// those by shape.
func (p Prediction) sources(source pairs.Source, c config.Config) []pairs.Source {
	base, _, _ := strings.Cut(c.Data.Input, "[")
	names := slices.Compact([]string{cmp.Or(base, usual), usual})
	if p.Array != "" {
		names = []string{p.Array}
	}
	var all []pairs.Source
	if c.Data.Axes != "" && cmp.Or(p.Layout, config.AutoLayout) == config.AutoLayout {
		trained := names
		if p.Array == "" {
			trained = slices.Compact(append([]string{cmp.Or(c.Data.Input, usual)}, names...))
		}
		for _, name := range trained {
			source.Input = name
			if known, ok := source.Trained(c.Data.Axes); ok {
				all = append(all, known)
			}
		}
	}
	for _, name := range names {
		source.Input = name
		all = append(all, source)
	}
	return all
}

// readInputs reads inputs with a number of channels, if memory suffices for their predictions.
func readInputs(f *pairs.Functions, model trained.Model, in int) (grid.Batch, error) {
	domain := model.Domain()
	if f.In != in {
		return grid.Batch{}, &fault.Data{
			Where: f.File,
			What:  fmt.Sprintf("has inputs of %s, the model takes %s", printable.Several(f.In, "channel"), printable.Several(in, "channel")),
			Do:    "name the arrays that it was trained on, or parts of one: --array '[:, 0]'",
		}
	}
	if domain.Dims == 2 { // before values are read
		file := grid.Domain{Dims: 2, Aspect: grid.AspectOf(f.Grid-1, f.Columns-1)}
		if _, err := (grid.Batch{Domain: file, Points: f.Grid}).On(domain, f.File); err != nil {
			return grid.Batch{}, err
		}
	}
	what := fmt.Sprintf("reading %d functions", f.Count)
	bytes := f.Bytes
	if domain.Exists(f.Grid) {
		what = fmt.Sprintf("predicting %d functions on %s=%d", f.Count, domain.Symbol(), f.Grid)
		bytes = max(bytes, model.PredictionBytes(f.Count, f.Grid))
	}
	if err := machine.CheckBytes(what, bytes, "split the file of the inputs"); err != nil {
		return grid.Batch{}, err
	}
	if domain.Scattered() {
		return f.Inputs(0)
	}
	repeats, err := f.Repeats()
	if err != nil {
		return grid.Batch{}, err
	}
	if repeats && !f.Endpoint {
		return grid.Batch{}, &fault.Data{
			Where: f.File,
			What:  "should leave out the right end of its grid, but nearly all lines repeat their first value",
			Do:    "set data.endpoint = included",
		}
	}
	inputs, err := f.Inputs(0)
	if err != nil {
		return grid.Batch{}, err
	}
	inputs, err = inputs.On(domain, f.File)
	if err != nil {
		return inputs, err
	}
	return inputs, inputs.CheckPeriodic(f.File+", input", nil)
}

// findInputs locates the inputs of a model. Inputs on no grid of its domain, such as parameters and functions of one
// variable, are lifted to the grid of its data if c, with which it was trained, has such inputs.
func findInputs(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions, error) {
	domain := model.Domain()
	known := domain.Exists(c.Data.Grid) && c.Data.Grid > 2
	if source.Axes != "" {
		if known {
			source.Target = c.Data.Grid
		}
		f, err := pairs.Find(source)
		if err != nil {
			return nil, err
		}
		if domain.Dims == 2 && domain.Values(f.Grid) != f.Grid*f.Columns {
			return nil, &fault.Data{
				Where: source.File,
				What:  fmt.Sprintf("has fields on %d x %d points", f.Grid, f.Columns),
				Do:    "give fields as those of training",
			}
		}
		return f, nil
	}
	lifted := source
	if known {
		lifted.Target = c.Data.Grid
		if source.Channels > 1 {
			if source.Input == usual {
				lifted.Input = c.Data.Input
			}
			return pairs.Find(lifted)
		}
	}
	f, err := pairs.Find(source)
	fits := err == nil
	if fits && domain.Dims == 2 {
		fits = domain.Exists(f.Grid) && domain.Values(f.Grid) == f.Grid*f.Columns
	}
	if fits || !known || !c.Of().Files {
		return f, err
	}
	wide, failure := pairs.Find(lifted)
	if failure != nil {
		return f, err
	}
	if wide.Lifted && c.Data.In == 0 {
		what := "functions"
		do := "give an array of shape (count, K)"
		if domain.Dims == 2 {
			what = "fields"
			do = "give an array of shape (count, r, r); if each function is meant as a field that is constant along one " +
				"axis, repeat it in Python: numpy.repeat(a[:, None, :], r, axis=1)"
		}
		return nil, &fault.Data{
			Where: source.File,
			What:  fmt.Sprintf("has an array of shape %v, the model was trained on %s as they are", wide.Shape, what),
			Do:    do,
		}
	}
	return wide, nil
}

const (
	streamName = "standard input"
	maxStream  = 1 << 30 // bytes that are read from it
)

// readStream reads a stream whole, since arrays are read in any order. Errors are ctx's and *fault.Data: it cannot be
// read, or has more than maxStream bytes.
func readStream(ctx context.Context, stream io.Reader) ([]byte, error) {
	var content []byte
	var err error
	end := make(chan struct{})
	go func() { // waits for the writer of the stream
		content, err = io.ReadAll(io.LimitReader(stream, maxStream+1))
		close(end)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-end:
	}
	switch {
	case err != nil:
		return nil, fault.Unread(streamName, err)
	case len(content) > maxStream:
		return nil, fault.Bad(streamName, "give a file", "has more than %d bytes", maxStream)
	}
	return content, nil
}

// write writes an array to a .npy file, a .csv file with a line for each function, or for Stream to stdout.
func write(name string, values npy.Array, stdout io.Writer) error {
	if name == Stream {
		buffered := bufio.NewWriterSize(stdout, 1<<16)
		err := errors.Join(npy.Write(buffered, values), buffered.Flush())
		return fault.Unwritten("standard output", err, "and repeat the command: the predictions there are incomplete")
	}
	content := func(w io.Writer) error { return npy.Write(w, values) }
	if filepath.Ext(name) == ".csv" {
		content = inMemory("u", "", values).csv
	}
	target, err := files.Target(name)
	if err == nil {
		files.RemoveAbandoned(filepath.Dir(target))
		err = files.Write(target, content)
	}
	return fault.Unwritten(name, err, "or choose another place")
}

// march returns the predictions of every step for the inputs of a file. Errors are the model's, a *fault.Data if the
// solver of the comparison is missing or does not step in time, and the solver's.
func (p Prediction) march(ctx context.Context, model trained.Model, inputs grid.Batch, file string, did *Predicted) (
	steps []grid.Batch, err error) {
	market := price.Market{Grid: inputs.Points, Workers: p.Workers}
	if p.Check {
		market.Solver, err = stepper(model, did.Model, inputs.Points)
		if err != nil {
			return nil, err
		}
	}
	if p.Steps > 1 {
		what := fmt.Sprintf("%d steps of %s", p.Steps, printable.Several(inputs.Count, "function"))
		needed := 2 * 8 * float64(p.Steps) * float64(len(inputs.Data)) // and their copy for writing
		if err := machine.CheckBytes(what, needed, "take fewer steps, or split the file of the inputs"); err != nil {
			return nil, err
		}
	}
	state := inputs  // of the model
	solved := inputs // of the solver
	for step := range max(1, p.Steps) {
		if step > 0 {
			state = withNumbersOf(inputs, state)
			solved = withNumbersOf(inputs, solved)
		}
		state, err = model.Predict(ctx, state, p.Workers, nil)
		if err != nil {
			if step > 0 {
				file = fmt.Sprintf("%s, step %d", file, step+1)
			}
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		steps = append(steps, state)
		if !p.Check {
			continue
		}
		solved, err = market.Outputs(ctx, solved)
		if err != nil {
			return nil, fmt.Errorf("solving for step %d: %w", step+1, err)
		}
		measured, err := score.Measure(state, solved)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", step+1, err)
		}
		did.Errors = append(did.Errors, measured.ExpectedRelative)
	}
	if p.Check {
		// The metric of rollouts of F. Koehler et al., "APEBench", NeurIPS 2024.
		did.GMean100 = stat.GeometricMean(did.Errors[:min(100, len(did.Errors))], nil)
	}
	return steps, nil
}

// stepper returns the solver of the problem of a model in a file, on a grid, if outputs are later states.
func stepper(model trained.Model, file string, points int) (*truth.Operator, error) {
	refused := func(what string) error {
		return fault.Bad(file, "leave out --check", "%s", what)
	}
	solver, err := solverOf(model, refused)
	if err != nil {
		return nil, err
	}
	switch {
	case solver == nil || len(solver.Times) == 0:
		return nil, refused("is a model of a problem without a solver that steps in time, so there is nothing to compare with")
	case solver.Domain != model.Domain() || points < leastSolved:
		return nil, refused(fmt.Sprintf("has no solver on %s", model.Domain().Grid(points)))
	}
	return solver.With(points, solver.Tolerance), nil
}

// solverOf returns the solver of a model's problem; nil if there is none. refused makes the error.
func solverOf(model trained.Model, refused func(what string) error) (*truth.Operator, error) {
	c, err := config.Parse([]byte(model.Config))
	if err != nil {
		return nil, errors.Join(refused("does not name the problem that it was trained for"), err)
	}
	return setup.Truth(c), nil
}
