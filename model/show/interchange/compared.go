// This file compares predictions with the outputs that stand beside their inputs, so that a model can be judged by pairs
// that it has never seen.

package interchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/run/machine"
	"rfm/model/run/reading"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// Compared are the errors of predictions relative to the outputs in the file of their inputs, as those of test pairs are
// measured.
type Compared struct {
	With             string    `json:"with"` // names of the arrays of the outputs
	ExpectedRelative float64   `json:"expected_relative"`
	Bochner          float64   `json:"bochner"`
	Median           float64   `json:"median"`
	Max              float64   `json:"max"`
	Relative         []float64 `json:"relative"`           // relative L2 error of every function
	Channels         []float64 `json:"channels,omitempty"` // expected relative errors of several channels
	OfMean           float64   `json:"of_mean,omitempty"`  // error of the mean of all other outputs; missing for one pair
	// grid of the outputs, on which predictions are made once more to compare them; 0 if they have that of the inputs
	Grid int `json:"grid,omitempty"`
	// whether pairs of this file may have trained the model, because it is a file of training pairs
	Seen bool `json:"seen,omitempty"`

	numbers bool // outputs are numbers
}

// Sentence returns the error, and what it means; file has the inputs and the outputs.
func (c Compared) Sentence(file string) (number, meaning string) {
	number = "error " + report.Significant(c.ExpectedRelative, shownDigits)
	if c.OfMean > 0 && c.ExpectedRelative >= c.OfMean {
		number += ", no better than the mean"
	}
	const format = "%s of %s, relative to %s in %s; median %s, worst %s at input %d"
	measure := "relative L2"
	if c.numbers {
		measure = "relative to the root mean square of the numbers,"
	}
	if c.Grid > 0 {
		measure += fmt.Sprintf(" on the %d points of the outputs,", c.Grid)
	}
	meaning = fmt.Sprintf(
		format,
		measure,
		printable.Several(len(c.Relative), "input"),
		printable.Line(c.With),
		printable.Line(filepath.Base(file)),
		report.Significant(c.Median, shownDigits),
		report.Significant(c.Max, shownDigits),
		slices.Index(c.Relative, c.Max),
	)
	if c.OfMean > 0 {
		meaning += "; the mean of the other outputs has " + report.Significant(c.OfMean, shownDigits)
	}
	return number, meaning
}

// Notes says what else one should know about the errors: those of each channel, and whether the pairs trained the model.
func (c Compared) Notes() []string {
	var all []string
	if len(c.Channels) > 0 {
		var list []string
		for _, e := range c.Channels {
			list = append(list, report.Significant(e, shownDigits))
		}
		all = append(all, "Errors of the channels: "+strings.Join(list, ", ")+".")
	}
	if c.Seen {
		all = append(all, "The model was trained on pairs of this file, so the error on unseen inputs may be larger.")
	}
	return all
}

// Line says in one line how large the error of prediction i is.
func (c Compared) Line(i int) string {
	return "relative L2 error " + report.Significant(c.Relative[i], shownDigits)
}

// shownDigits are the significant digits of printed errors.
const shownDigits = 3

// A comparing compares predictions with the outputs in the file of their inputs.
type comparing struct {
	Prediction
	model       trained.Model
	trained     config.Config // with which the model was trained
	source      pairs.Source  // of the inputs
	located     locatedInputs
	predictions grid.Batch
}

// compare adds to did the errors of the predictions, or the reason why there are none although the file has outputs. It
// returns the outputs if they are on the grid of the predictions, otherwise no functions. It returns ctx.Err() if ctx
// is done.
func (p comparing) compare(ctx context.Context, did *Predicted) (outputs grid.Batch, err error) {
	names := pairs.Names(p.outputName())
	hasOutputs := p.source.Open.Unnamed() || hasAny(p.source.Open, names)
	if !hasOutputs {
		did.NotCompared = p.unread()
		return grid.Batch{}, nil
	}
	read, err := p.pairs()
	if err == nil {
		did.Compared, outputs, err = p.measure(ctx, read)
	}
	if ctx.Err() != nil {
		return grid.Batch{}, ctx.Err()
	}
	if err != nil && !p.mayBeInputsAlone(names) {
		did.NotCompared = reason(err)
	}
	return outputs, nil
}

// mayBeInputsAlone reports whether the arrays that have the names of outputs may well be inputs: one array, or one that
// had both sides of the pairs of training.
func (p comparing) mayBeInputsAlone(names []string) bool {
	if p.source.Open.Unnamed() {
		return true
	}
	inputs := p.inputArrays()
	return slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(inputs, pairs.ArrayOf(p.source.Open, name))
	})
}

// inputArrays returns the names of the arrays of the file that have inputs.
func (p comparing) inputArrays() (all []string) {
	for _, name := range pairs.Names(cmp.Or(p.Array, p.located.file.Input, usual)) {
		all = append(all, pairs.ArrayOf(p.source.Open, name))
	}
	return all
}

// reason returns what an error says, without advice, which would be about the settings of training.
func reason(err error) string {
	var data *fault.Data
	if !errors.As(err, &data) {
		return err.Error()
	}
	blamed := *data
	blamed.Do = ""
	return blamed.Error()
}

// measure measures the errors of the predictions for pairs. Outputs on another grid than the inputs are compared with
// predictions on theirs, as in training. It returns the outputs if their grid is that of the predictions.
func (p comparing) measure(ctx context.Context, read dataset.Pairs) (*Compared, grid.Batch, error) {
	truth := read.Outputs
	predictions := p.predictions
	compared := &Compared{With: p.outputName()}
	if !truth.SameGrid(predictions) {
		again, err := p.model.Predict(ctx, read.Inputs, p.Workers, nil)
		if err != nil {
			return nil, grid.Batch{}, err
		}
		predictions = again
		compared.Grid = truth.Points
	}
	isAlike := truth.Count == predictions.Count && truth.SameGrid(predictions) &&
		truth.Domain.Width() == predictions.Domain.Width()
	if !isAlike {
		return nil, grid.Batch{}, fault.Bad(p.source.File+", output", "", "has %s on %s, predictions are %d on %s",
			printable.Several(truth.Count, "function"), truth.Domain.Grid(truth.Points),
			predictions.Count, predictions.Domain.Grid(predictions.Points))
	}
	measured, err := score.Measure(predictions, truth)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	compared.OfMean, err = errorOfMean(read)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	compared.ExpectedRelative = measured.ExpectedRelative
	compared.Bochner = measured.Bochner
	compared.Median = measured.Median()
	compared.Max = measured.Max()
	compared.Relative = measured.Relative
	for _, channel := range measured.Channels {
		compared.Channels = append(compared.Channels, channel.ExpectedRelative)
	}
	compared.numbers = truth.Numbers()
	compared.Seen = reading.ShareFile(p.trained.Data.TrainFile, p.In) && !p.namesTests()
	if compared.Grid > 0 {
		return compared, grid.Batch{}, nil
	}
	return compared, truth, nil
}

// errorOfMean returns the expected relative error of the mean of all other outputs in place of each; 0 for one pair.
func errorOfMean(read dataset.Pairs) (float64, error) {
	if read.Count() < 2 {
		return 0, nil
	}
	residuals := operator.ResidualsOf(mean.Of(read, ""))
	measured, err := score.Measure(read.Outputs.Minus(residuals), read.Outputs)
	return measured.ExpectedRelative, err
}

// unread says which array of the file has as many values as the predictions and is not read, because only outputs with the
// names of training are recognised; empty if there is none.
func (p comparing) unread() string {
	inputs := p.inputArrays()
	values := npy.Count(p.located.file.Arrange(p.predictions).Shape)
	for _, m := range p.source.Open.Members {
		if slices.Contains(inputs, m.Name) || !m.Readable() || m.Count() != values {
			continue
		}
		const format = "%q has as many values as the predictions, but another name than the outputs of training, %q"
		return fmt.Sprintf(format, m.Name, p.outputName())
	}
	return ""
}

// outputName returns the names of the outputs that belong to the inputs: those of test pairs if these are named.
func (p comparing) outputName() string {
	const usualOutput = "u"
	if p.namesTests() {
		return p.trained.Data.TestOutput
	}
	return cmp.Or(p.trained.Data.Output, usualOutput)
}

// namesTests reports whether the inputs are asked for by the name that those of test pairs have.
func (p comparing) namesTests() bool {
	d := p.trained.Data
	return p.Array != "" && p.Array == d.TestInput && d.TestOutput != ""
}

// pairs reads the pairs of the file as those of training: with the axes of training if these suit, otherwise by shape.
func (p comparing) pairs() (dataset.Pairs, error) {
	s := reading.TrainSource(p.trained)
	s.File = p.source.File
	s.Open = p.source.Open
	s.Domain = p.source.Domain
	s.Layout = p.Layout
	s.Endpoint = p.located.file.Endpoint
	s.Skip = false // because predictions are made for all functions of the file
	s.Output = p.outputName()
	if p.namesTests() && p.trained.Data.TestAxes != "" {
		s.Axes = p.trained.Data.TestAxes
	}
	if p.Array != "" || len(p.Numbers) > 0 {
		s.Input = p.Array // where numbers are given, the inputs in the file are functions alone
	}
	read, err := p.pairsOf(s)
	if err != nil && s.Axes != "" && s.Points == "" && fault.BlamesInput(err) {
		s.Axes = ""
		byShape, failure := p.pairsOf(s)
		if failure == nil {
			return byShape, nil
		}
	}
	return read, err
}

// pairsOf reads all pairs of a source, whose inputs must be those that were predicted for, unless these have numbers that
// are not in the file, or are on another grid.
func (p comparing) pairsOf(s pairs.Source) (dataset.Pairs, error) {
	file, err := pairs.Find(s)
	if err != nil {
		return dataset.Pairs{}, err
	}
	if file.Count != p.located.Count {
		return dataset.Pairs{}, fault.Bad(s.File, "", "has %s and %s",
			printable.Several(file.Count, "pair"), printable.Several(p.located.Count, "input"))
	}
	err = machine.CheckBytes(fmt.Sprintf("comparing %d functions", file.Count), file.Bytes, "split the file")
	if err != nil {
		return dataset.Pairs{}, err
	}
	read, err := file.Pairs(dataset.First(file.Count))
	if err != nil {
		return dataset.Pairs{}, err
	}
	domain := p.model.Domain()
	if !domain.Scattered() {
		read.Inputs, err = read.Inputs.On(domain, s.File+", input")
		if err != nil {
			return dataset.Pairs{}, err
		}
		read.Outputs, err = read.Outputs.On(domain, s.File+", output")
		if err != nil {
			return dataset.Pairs{}, err
		}
	}
	isWhole := read.Inputs.Domain.Width() == p.located.Domain.Width() && read.Inputs.SameGrid(p.located.Batch)
	if isWhole && !slices.Equal(read.Inputs.Data, p.located.Data) {
		return dataset.Pairs{}, fault.Bad(s.File, "", "has outputs of other inputs than those that are predicted for")
	}
	return read, nil
}
