// This file finds the inputs of a model from observations of its outputs.

package interchange

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"gonum.org/v1/gonum/floats"

	"rfm/model/run/machine"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/invert"
	"rfm/model/trained/price"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/csv"
	"rfm/solver/dataset/npy"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Inversion describes observations and the search for their cause.
type Inversion struct {
	Data     string  // CSV file of places and values; empty: made from a test input
	Count    int     // number of places that are made
	Sample   int     // test input from which they are made
	Noise    float64 // standard deviation of the values, relative to their root mean square
	Seed     uint64  // of noise and chains
	Grid     int     // points along an axis; 0: the model's training grid
	Chains   int
	Steps    int    // kept steps of every chain
	Out      string // .npy or .csv file of the result; empty: none
	Samples  string // .npy file of samples; empty: none
	Replace  bool   // existing files
	Workers  int
	Progress func(done, of int)
}

// Inverted is the result of an inversion. Its JSON form is the output of `rfm invert --json`. Deviations are root mean
// squares over the places.
type Inverted struct {
	Model      string  `json:"model"`
	Observed   int     `json:"observed"`    // values
	Grid       int     `json:"grid"`        // K, or r along an axis
	Noise      float64 `json:"noise"`       // standard deviation
	ModelError float64 `json:"model_error"` // standard deviation at the places, for inputs of the prior
	invert.Found
	SolvedMisfit float64 `json:"solved_misfit"`   // of the solver's output for the best input
	Surrogate    float64 `json:"surrogate_error"` // relative L2 error of the model for the best input
	// relative L2 errors against the true input, and the share of points at which it is within two deviations of the mean
	BestError   *float64 `json:"best_error,omitempty"`
	MeanError   *float64 `json:"mean_error,omitempty"`
	Within      *float64 `json:"within,omitempty"`
	Evaluations int      `json:"evaluations"`
	Seconds     float64  `json:"seconds"`

	Domain    grid.Domain `json:"-"`
	Places    []float64   `json:"-"` // of the observations, for functions of one variable
	Values    []float64   `json:"-"` // of the observations
	Functions []Function  `json:"-"` // best, mean, deviation, output, solved and, if known, true
}

// Function holds values on the grid of an inversion, see Inversion.Out.
type Function struct {
	Name   string
	Values []float64
}

const (
	// MostObserved bounds the number of places, each of which adds a row of a matrix.
	MostObserved = 2000
	// mostObservedBytes bounds the size of a file of observations.
	mostObservedBytes = 1 << 20
	// judged is the number of inputs of the prior for the estimate of the model's error.
	judged = 64
	// purposeJudged names the streams of these inputs.
	purposeJudged draw.Purpose = "invert-error"
	// purposeObserved names the stream of the noise.
	purposeObserved draw.Purpose = "invert-observe"
)

// observations are the data of an inversion.
type observations struct {
	places []invert.Place
	values []float64
	truth  *grid.Batch // the input behind them, on the solver's grid; nil if unknown
}

// Invert finds the input whose model output fits the observations. The prior is the law of the training inputs, and the
// model's own error counts as noise. Errors: *fault.Data if the model's problem has no solver, or for files; those of
// the model and the solver; ctx.Err().
func Invert(ctx context.Context, modelFile string, v Inversion) (did Inverted, err error) {
	err = Unoccupied(v.Out, "--out", &v.Replace, v.Data)
	if err != nil {
		return did, err
	}
	err = Unoccupied(v.Samples, "--samples", &v.Replace, v.Data)
	if err != nil {
		return did, err
	}
	model, err := trained.ReadFile(ctx, modelFile)
	if err != nil {
		return did, err
	}
	begin := time.Now()
	did.Model = modelFile
	did.Grid = cmp.Or(v.Grid, model.Grid)
	did.Domain = model.Domain()
	solver, err := gaussian(modelFile, model, did.Grid)
	if err != nil {
		return did, err
	}
	functions := 12*v.Chains + 4*max(v.Count, 1) // in memory
	needed := 8 * float64(did.Domain.Values(did.Grid)) * float64(functions)
	err = machine.CheckBytes("the chains", needed, "take fewer chains")
	if err != nil {
		return did, err
	}
	seen, err := v.observe(ctx, solver, &did)
	if err != nil {
		return did, err
	}
	did.ModelError, err = v.judge(ctx, model, solver, did.Grid, seen.places)
	if err != nil {
		return did, err
	}
	task := invert.Task{
		Operator:  model.Operator,
		Prior:     solver.With(did.Grid, solver.Tolerance).Draws,
		Input:     solver.Input,
		Points:    did.Grid,
		Places:    seen.places,
		Values:    seen.values,
		Deviation: math.Hypot(did.Noise, did.ModelError),
		Chains:    v.Chains,
		Steps:     v.Steps,
		Seed:      v.Seed,
		Workers:   v.Workers,
		Progress:  v.Progress,
	}
	did.Found, err = task.Solve(ctx)
	if err != nil {
		return did, err
	}
	did.Evaluations = v.Chains * (v.Steps + v.Steps/2)
	solved, err := v.check(ctx, solver, seen, &did)
	if err != nil {
		return did, err
	}
	did.Values = seen.values
	for _, p := range seen.places {
		did.Places = append(did.Places, p[0])
	}
	did.Functions = []Function{
		{"best", did.Best.Data},
		{"mean", did.Mean.Data},
		{"deviation", did.Deviation.Data},
		{"output", did.Outputs.Data},
		{"solved", solved.Data},
	}
	if seen.truth != nil {
		err := did.compare(*seen.truth)
		if err != nil {
			return did, err
		}
	}
	did.Seconds = time.Since(begin).Seconds()
	return did, v.write(did)
}

// observe reads the observations, or makes them with their noise, and describes them.
func (v Inversion) observe(ctx context.Context, solver *truth.Operator, did *Inverted) (seen observations, err error) {
	if v.Data == "" {
		seen, err = v.synthetic(ctx, solver)
	} else {
		seen, err = readObservations(v.Data, did.Domain.Dims)
	}
	if err != nil {
		return seen, err
	}
	did.Observed = len(seen.values)
	did.Noise = v.Noise * floats.Norm(seen.values, 2) / math.Sqrt(float64(did.Observed))
	if v.Data == "" {
		random := draw.Stream(v.Seed, purposeObserved, 0)
		for i := range seen.values {
			seen.values[i] += did.Noise * random.NormFloat64()
		}
	}
	return seen, nil
}

// gaussian returns the solver of a model's problem, on its own grid, if the inputs have a Gaussian prior.
func gaussian(name string, model trained.Model, points int) (*truth.Operator, error) {
	refused := func(what string) error {
		return &fault.Data{
			Where: name,
			What:  what,
			Do:    "give a model of burgers, darcy or an equation with random initial values",
		}
	}
	solver, err := solverOf(model, refused)
	if err != nil {
		return nil, err
	}
	if solver == nil {
		return nil, refused("was trained on pairs from a file: neither a solver nor the distribution of its inputs is known")
	}
	domain := solver.Domain
	if solver.Numbers > 0 {
		return nil, refused("has random numbers among its inputs, and an inversion finds functions")
	}
	if solver.Steps > 1 || domain != model.Domain() {
		return nil, refused("has inputs that are not Gaussian random functions, such as states at several times")
	}
	if points < leastSolved || !domain.Contains(solver.Points, points) {
		return nil, &fault.Data{
			Where: "--grid",
			What:  fmt.Sprintf("%s is not contained in %s, the solver's grid", domain.Grid(points), domain.Grid(solver.Points)),
			Do:    "choose a grid whose intervals divide the solver's",
		}
	}
	return solver, nil
}

// synthetic observes the solution for a test input, without noise.
func (v Inversion) synthetic(ctx context.Context, solver *truth.Operator) (observations, error) {
	first := v.Sample / solver.Block * solver.Block // of the block of draws
	inBlock := v.Sample - first
	wanted := truth.Wanted{
		Purpose: draw.InputTest,
		First:   first,
		Count:   inBlock + 1,
	}
	inputs, outputs, err := truth.Generate(ctx, solver, wanted, v.Workers, nil)
	if err != nil {
		return observations{}, err
	}
	var seen observations
	for i := range v.Count {
		place := chosenPlace(i, v.Count, solver.Domain.Dims)
		seen.places = append(seen.places, place)
	}
	input := inputs.Range(inBlock, 1)
	last := outputs[len(outputs)-1]
	output := last.Range(inBlock, 1)
	seen.values = invert.Observe(output, seen.places)[0]
	seen.truth = &input
	return seen, nil
}

// chosenPlace returns place i of count: at equal distances on an interval, in two dimensions from the low discrepancy
// sequence R2 (Roberts 2018).
func chosenPlace(i, count, dims int) invert.Place {
	if dims == 1 {
		return invert.Place{(float64(i) + 0.5) / float64(count)}
	}
	const g = 1.32471795724474602596
	k := float64(i + 1)
	_, x := math.Modf(0.5 + k/g)
	_, y := math.Modf(0.5 + k/(g*g))
	return invert.Place{x, y}
}

// readObservations reads rows of coordinates and a value.
func readObservations(name string, dims int) (observations, error) {
	var seen observations
	place := "a place from 0 to 1"
	if dims == 2 {
		place = "two coordinates from 0 to 1"
	}
	bad := func(what string) error {
		return &fault.Data{
			Where: name,
			What:  what,
			Do:    "give rows of " + place + " and a value, separated by commas",
		}
	}
	text, err := files.ReadFile(name, mostObservedBytes)
	if err != nil {
		return seen, &fault.Data{
			Where: name,
			What:  "cannot be read",
			Err:   err,
			Do:    "give a file of observations",
		}
	}
	observed, err := csv.Read(bytes.NewReader(text), int64(len(text)), name)
	switch {
	case err != nil:
		return seen, err
	case observed == nil:
		return seen, bad("has no observations")
	case observed.Columns != dims+1:
		return seen, bad(fmt.Sprintf("has %s, want %d", printable.Several(observed.Columns, "column"), dims+1))
	case observed.Lines > MostObserved:
		return seen, bad(fmt.Sprintf("has more than %d rows", MostObserved))
	}
	rows, err := observed.Rows()
	if err != nil {
		return seen, err
	}
	for i, row := range rows {
		var place invert.Place
		copy(place[:], row[:dims])
		for _, x := range row[:dims] {
			inside := x >= 0 && x <= 1
			if !inside { // or not a number
				return seen, bad(fmt.Sprintf("has the coordinate %g in row %d", x, i+1))
			}
		}
		if !grid.Finite(row...) {
			return seen, bad(fmt.Sprintf("has the value %g in row %d", row[dims], i+1))
		}
		seen.places = append(seen.places, place)
		seen.values = append(seen.values, row[dims])
	}
	return seen, nil
}

// judge returns the root mean square at the places of the model's error against the solver for draws of the prior.
func (v Inversion) judge(ctx context.Context, model trained.Model, solver *truth.Operator, points int,
	places []invert.Place) (float64, error) {
	wanted := truth.Wanted{
		Purpose: purposeJudged,
		Count:   judged,
		Points:  points,
	}
	inputs, outputs, err := truth.Generate(ctx, solver, wanted, v.Workers, nil)
	if err != nil {
		return 0, err
	}
	predictions, err := model.Predict(ctx, inputs, v.Workers, nil)
	if err != nil {
		return 0, err
	}
	predicted := invert.Observe(predictions, places)
	last := outputs[len(outputs)-1]
	square := 0.0
	for i, solved := range invert.Observe(last, places) {
		distance := floats.Distance(solved, predicted[i], 2)
		square += distance * distance
	}
	count := float64(judged * len(places))
	return math.Sqrt(square / count), nil
}

// check solves for the best input, a smooth one on the solver's own grid. The solution is on the grid of the inversion.
func (v Inversion) check(ctx context.Context, solver *truth.Operator, seen observations, did *Inverted) (
	grid.Batch, error) {
	input := did.Best
	own := solver.With(did.Grid, solver.Tolerance)
	if solver.Input == nil {
		fine, err := resample.To(did.Best, solver.Points)
		if err != nil {
			return grid.Batch{}, err
		}
		input = fine
		own = solver
	}
	solved, err := price.Market{Solver: own, Workers: v.Workers}.Outputs(ctx, input)
	if err != nil {
		return grid.Batch{}, fmt.Errorf("solving for the input that was found: %w", err)
	}
	there := invert.Observe(solved, seen.places)[0]
	distance := floats.Distance(there, seen.values, 2)
	did.SolvedMisfit = distance / math.Sqrt(float64(len(seen.values)))
	solved, err = resample.To(solved, did.Grid)
	if err != nil {
		return grid.Batch{}, err
	}
	did.Surrogate = relative(solved, did.Outputs)
	return solved, nil
}

// relative returns the relative L2 distance of one function from another.
func relative(truth, other grid.Batch) float64 {
	u := truth.At(0)
	distance := truth.Domain.Distance2(u, other.At(0))
	size := truth.Domain.Inner(u, u)
	return math.Sqrt(distance / size)
}

// compare measures the distance from the true input, and adds it to the functions.
func (d *Inverted) compare(truth grid.Batch) error {
	known, err := resample.To(truth, d.Grid)
	if err != nil {
		return err
	}
	best := relative(known, d.Best)
	mean := relative(known, d.Mean)
	inside := 0
	for x, a := range known.Data {
		if math.Abs(a-d.Mean.Data[x]) <= 2*d.Deviation.Data[x] {
			inside++
		}
	}
	within := float64(inside) / float64(len(known.Data))
	d.BestError = &best
	d.MeanError = &mean
	d.Within = &within
	d.Functions = append(d.Functions, Function{"true", known.Data})
	return nil
}

// write writes the result: a row of an array, or a column of a table, for each function.
func (v Inversion) write(did Inverted) error {
	if v.Samples != "" {
		err := write(v.Samples, npy.Array{Shape: did.Samples.Shape(), Data: did.Samples.Data}, nil)
		if err != nil {
			return err
		}
	}
	if filepath.Ext(v.Out) == ".csv" {
		return Save(v.Out, table(did), "or choose another place")
	}
	if v.Out == "" {
		return nil
	}
	all := did.Best.Like(0)
	for _, f := range did.Functions {
		all.Data = append(all.Data, f.Values...)
		all.Count++
	}
	return write(v.Out, npy.Array{Shape: all.Shape(), Data: all.Data}, nil)
}

// table returns coordinates and functions in columns.
func table(did Inverted) []byte {
	rows, columns := did.Domain.Axes(did.Grid)
	coordinate := func(i, points int) string {
		return report.Exact(float64(i) / float64(did.Domain.Intervals(points)))
	}
	lines := make([][]string, 1+len(did.Functions[0].Values))
	lines[0] = []string{"x"}
	if did.Domain.Dims == 2 {
		lines[0] = []string{"x1", "x2"}
	}
	for x := range lines[1:] {
		var line []string
		if did.Domain.Dims == 2 {
			line = append(line, coordinate(x/columns, rows))
		}
		lines[x+1] = append(line, coordinate(x%columns, columns))
	}
	for _, f := range did.Functions {
		lines[0] = append(lines[0], f.Name)
		for x, v := range f.Values {
			lines[x+1] = append(lines[x+1], report.Exact(v))
		}
	}
	return report.CSV(lines)
}
