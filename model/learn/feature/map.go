// Package feature implements random feature maps: functions phi(a; theta) of an input function a and a random parameter
// theta, evaluated for many theta at once.
//
// A Map is the features of a Law (New), on no particular grid. An Evaluator is a map on one grid, for
// training and prediction. Trained is the form of a map in a trained model, and in its file. A new map is a file, a
// case of New, and its name in the Maps of the problems that support it (package config).
package feature

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Map is m random features. Maps are immutable and safe for concurrent use.
type Map interface {
	Domain() grid.Domain // of inputs and outputs, with one channel
	Finest() int         // points along an axis of the grid of the parameters
	Count() int          // m
	// Calibrate returns the map with the parameters that depend on the training inputs, which are on the training grid.
	// Errors: a *fault.Data if it cannot be calibrated, ctx.Err().
	Calibrate(ctx context.Context, inputs grid.Batch, workers int) (Map, error)
	// Select returns the map with the features of the given indices only, in that order.
	Select(indices []int) Map
	// On prepares the features on the grid with the given points along an axis, on up to workers goroutines. Errors: a
	// *fault.Data if the parameters' grid does not contain it, ctx.Err().
	On(ctx context.Context, points, workers int) (Evaluator, error)
	// Trained returns the form of the map in a model with the given coefficients. It returns ctx.Err() if ctx is done.
	Trained(ctx context.Context, coefficients []float64, workers int) (Trained, error)
	// Look evaluates feature j for one input, for display. Errors are those of On and of Evaluator.Prepare.
	Look(ctx context.Context, j int, input grid.Batch) (Look, error)
}

// Look is one feature on the grid of an input.
type Look struct {
	Theta  []float64 // its parameter, or the first of two
	Values []float64
	Filter []float64 // of functions of one variable: chi(k), k = 0, 1, ...; nil if there is none
}

// alone evaluates feature j for one input, as a model with this feature only.
func alone(ctx context.Context, m Map, j int, input grid.Batch) ([]float64, error) {
	e, err := m.Select([]int{j}).On(ctx, input.Points, 1)
	if err != nil {
		return nil, err
	}
	phi, err := e.Predict(ctx, [][]float64{{1}}, input, 1, nil)
	if err != nil {
		return nil, err
	}
	return phi[0].Data, nil
}

// Trained is the form of a feature map that models store and evaluate. It is immutable and safe for concurrent use.
type Trained interface {
	Domain() grid.Domain // of inputs and outputs, with one channel
	Finest() int         // points along an axis of the grid of its functions
	Label() string       // name for messages
	// Predict evaluates the model with the coefficients that Trained had, on any grid: functions of the map are
	// interpolated (resample.To) where their grid does not contain it. progress is as for Evaluator.Predict. Errors: a
	// *fault.Data if the grid or an input does not fit, a *fault.Numerical, ctx.Err().
	Predict(ctx context.Context, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (
		grid.Batch, error)
	Count() int // of the coefficients; 0 if any number fits
	codec.Part
}

// Evaluator is a feature map on one grid, for training. Inputs and outputs have a form of its own; features are columns
// of a matrix whose rows are the points (or coefficients) of samples. It is immutable and safe for concurrent use.
type Evaluator interface {
	Points() int     // rows of the feature matrix that a sample takes
	Weight() float64 // factor from sums over rows to L2 inner products by the trapezoid rule
	Count() int      // m

	// Band returns the evaluator of the features first to first+count-1, which shares memory; first is a multiple of
	// GroupSize. Their values are bitwise the same.
	Band(first, count int) Evaluator

	// Prepare transforms inputs on the grid to the form that a Trainer takes, equally many numbers each. Errors are
	// *fault.Data or *fault.Numerical.
	Prepare(inputs grid.Batch) ([]float64, error)
	// Targets transforms outputs on the grid to the form that a Trainer takes, Points numbers each.
	Targets(outputs grid.Batch) []float64
	// NewTrainer allocates the working memory of one goroutine.
	NewTrainer() Trainer

	// Predict evaluates F(a) = (1/m') sum_j alpha_j phi_j(a) for inputs on the grid and several coefficient vectors in
	// one pass: the result for vector q is at index q. A vector of length m' <= Count belongs to the first m' features.
	// progress (which may be nil) is called from worker goroutines with the number of inputs finished since its last
	// call. The result does not depend on workers. Errors are those of Prepare, and ctx.Err().
	Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
		progress func(added int)) ([]grid.Batch, error)
}

// A Trainer evaluates group g of the features for one input: it writes them to rows row .. row+Points-1 of their
// columns of the matrix (and anything to its padding) and adds their products with the target, summed over the rows, to
// rhs. input comes from Prepare, target from Targets. It serves one goroutine.
type Trainer func(features *linalg.Panels, row, g int, input, target, rhs []float64)

// size holds the numbers of an Evaluator.
type size struct {
	values int // of an input or output
	rows   int // of the feature matrix, for a sample
	count  int // m
	input  int // numbers of a prepared input
	weight float64
}

func (s size) Points() int     { return s.rows }
func (s size) Weight() float64 { return s.weight }
func (s size) Count() int      { return s.count }

func (s size) check(what string, b grid.Batch) {
	if b.Values() != s.values {
		on := b.Domain.Grid(b.Points)
		panic(fmt.Sprintf("feature: %s on %s for features of %d values", what, on, s.values))
	}
}

// checkBand panics unless Band accepts the features first to first+count-1.
func (s size) checkBand(first, count int) {
	begins := first >= 0 && first%GroupSize == 0
	ends := count >= 1 && first+count <= s.count
	if !begins || !ends {
		panic(fmt.Sprintf("feature: band of %d features from %d on, of %d", count, first, s.count))
	}
}

// A Law describes random features: the kind of their functions, and the distribution of their parameters. The package setup
// makes the one of a configuration.
type Law struct {
	config.Features
	Domain   grid.Domain // of inputs and outputs, with one channel
	Symmetry string      // of data.symmetry: the motions with which every feature commutes
	Seed     uint64      // of the random streams
}

// New draws m features, with parameters on the grid with the given points along an axis. The first m are the same for
// every m. They are still to be calibrated, see Map.Calibrate. It returns ctx.Err() if ctx is done. The result does not
// depend on workers.
func New(ctx context.Context, law Law, m, points, workers int) (Map, error) {
	measure := grf.Measure{
		Tau:   law.Tau,
		Alpha: law.Alpha,
		Axis:  law.Axis,
		Space: law.Domain,
	}
	switch law.Kind {
	case config.Spectral:
		theta, err := Draw(ctx, measure, law.Seed, m, points, workers)
		if err != nil {
			return nil, err
		}
		localise(theta, law.Window, law.Spread, law.Seed)
		return spectralWith(law, m, theta), nil
	case config.PredictorCorrector: // draws are repeated whenever they are needed, which is cheaper than keeping them
		measure.Space = grid.Square
		pairs := drawnPairs(measure, law.Seed, m, points)
		return PredictorCorrectorOf(law, pairs), nil
	}
	panic(fmt.Sprintf("feature: no feature map %q", law.Kind)) // config.Validate refuses it
}

// FromFile returns m features with parameters from the file of the law. Errors are *fault.Data and ctx.Err().
func FromFile(ctx context.Context, law Law, m int) (Map, error) {
	if law.Kind == config.PredictorCorrector {
		theta, err := dataset.ReadTheta(ctx, law.ThetaFile, m, 2)
		if err != nil {
			return nil, err
		}
		pairs := storedPairs(theta[0], theta[1])
		return PredictorCorrectorOf(law, pairs), nil
	}
	theta, err := dataset.ReadTheta(ctx, law.ThetaFile, m, 1)
	if err != nil {
		return nil, err
	}
	return spectralWith(law, m, theta[0]), nil
}
