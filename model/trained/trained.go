// Package trained stores trained models in files that need neither the data nor the run they come from, and applies
// them on any grid.
//
// A model file is a NumPy .npz: a ZIP archive of float64 arrays and of meta.json, stored without compression. meta.json
// has "format" (Format), "version" (of the program that trained), "problem", "grid" (of the training pairs: K or r),
// "coarse" (the grid on which predictions for finer ones are made, see Model.Coarsen), "config" (the complete
// configuration, TOML), "training" (a part of kind "inputs": training inputs, from which others are told apart; older
// files have none) and "operator": a part with its "kind" and its numbers, which may contain other parts. The
// operators of package method and the maps of package feature define the fields of a part, with the shapes of arrays in
// tags (package codec). rfm.py, the text of Python, defines the prediction.
//
// Read accepts the format that Write writes, and no other. Equal models give equal bytes.
package trained

import (
	"context"
	_ "embed"
	"fmt"

	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/rfm"
	"rfm/model/trained/unlike"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// Python is a program in NumPy that reads any model file and evaluates it, PythonName its name.
//
//go:embed rfm.py
var Python []byte

// PythonName is the file name of Python.
const PythonName = "rfm.py"

// Model is a trained model with the facts known about its training.
type Model struct {
	Operator operator.Operator // the operator to evaluate
	Problem  string            // name of the operator that was learned, config.Config.Title
	Grid     int               // training grid: K points, or r along an axis
	Coarse   int               // grid from which predictions for finer grids are interpolated; 0: none
	Config   string            // the complete configuration of the experiment, TOML
	Version  string            // of the program that trained the model
	Training *unlike.Inputs    // training inputs, from which others are told apart; nil: nothing is known of them
}

// Unlike tells which inputs are unlike the training inputs. known is false if the model does not know these. The error is
// a *fault.Data if the grid of the inputs does not fit, or ctx.Err().
func (m Model) Unlike(ctx context.Context, inputs grid.Batch, workers int) (found unlike.Found, known bool, err error) {
	if m.Training == nil {
		return unlike.Found{}, false, nil
	}
	deviations, err := m.Training.Deviations(ctx, inputs, workers)
	return unlike.Found{Deviations: deviations, Limit: m.Training.Limit}, err == nil, err
}

// Features returns the random feature model, if it is one.
func (m Model) Features() (f *random.Features, ok bool) {
	f, ok = operator.Unscaled(m.Operator).(*random.Features)
	return f, ok
}

// Solution returns the solution of a random feature model, else only the leave-one-out error; zero without an operator.
func (m Model) Solution() rfm.Solution {
	if m.Operator == nil {
		return rfm.Solution{}
	}
	if f, ok := m.Features(); ok {
		return f.Solution
	}
	return rfm.Solution{LeaveOneOut: m.Operator.LeaveOneOut()}
}

// Random reports whether it is a random feature model, which has a Solution.
func (m Model) Random() bool {
	_, random := m.Features()
	return random
}

// About describes in half a line the trained operator.
func (m Model) About() string {
	about := m.Operator.String()
	if s := m.Solution(); m.Random() {
		about = fmt.Sprintf("rank %d of %d", s.Rank, len(s.Alpha))
	}
	if m.Coarse != 0 {
		about += ", predicts on " + m.Domain().Grid(m.Coarse)
	}
	return about
}

// Domain returns the domain of inputs and outputs, with one channel.
func (m Model) Domain() grid.Domain { return m.Operator.Domain() }

// Inputs returns the domain of the inputs with all their channels.
func (m Model) Inputs() grid.Domain {
	in, _ := m.Operator.Channels()
	return m.Domain().With(in)
}

// String describes the model in one line.
func (m Model) String() string {
	return fmt.Sprintf("%s: %s, trained on %s=%d", m.Problem, m.Operator, m.Domain().Symbol(), m.Grid)
}

// PredictionBytes returns about the memory in bytes that Predict takes for the given inputs on a grid, including these
// and a copy of the predictions.
func (m Model) PredictionBytes(inputs, points int) float64 {
	const (
		heapGrowth = 1.5 // between garbage collections
		number     = 8   // bytes
	)
	in, out := m.Operator.Channels()
	values := float64((in + out) * m.Domain().Values(points)) // of an input and its prediction
	bytes := 2 * number * float64(inputs) * values
	f, ok := m.Features()
	if ok {
		bytes += f.Bytes(points)
	}
	return heapGrowth * bytes
}

// Predict evaluates F(a) for all inputs on their grid, which may be any of at least 3 points along an axis (the
// mollifier of predictor-corrector features limits how fine it may be). On grids that the model's own contains, the
// result is bitwise that of the model in memory after training. progress (which may be nil) is called from worker
// goroutines with the number of predictions finished since its last call. Errors: a *fault.Data if the inputs are not
// finite, not periodic functions (one variable), not positive fields on a square grid (predictor-corrector features),
// or on too coarse or too fine a grid; a *fault.Numerical if a prediction is not finite; ctx.Err().
func (m Model) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	if err := m.checkInputs(inputs); err != nil {
		return grid.Batch{}, err
	}
	predict := m.Operator.Predict
	if m.Coarse != 0 && inputs.Points > m.Coarse {
		predict = m.coarsely
	}
	predictions, err := predict(ctx, inputs, workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	for i := range predictions.Count {
		if !grid.Finite(predictions.At(i)...) {
			return grid.Batch{}, &fault.Numerical{
				Where: fmt.Sprintf("prediction %d", i),
				What:  "is not finite",
				Do:    "check that the input is of the size of the training inputs",
			}
		}
	}
	return predictions, nil
}

func (m Model) checkInputs(inputs grid.Batch) error {
	err := inputs.CheckFinite("input", nil)
	if err != nil {
		return err
	}
	got := inputs.Domain
	want := m.Inputs()
	if got != want {
		return &fault.Data{
			Where: "inputs",
			What:  fmt.Sprintf("are %s, the model takes %s", got.Name(), want.Name()),
			Do:    "give inputs like those of the training",
		}
	}
	return inputs.CheckPeriodic("input", nil)
}
