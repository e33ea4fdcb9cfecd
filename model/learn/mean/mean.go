// Package mean answers every input with the mean of the training outputs.
package mean

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Title names the mean of the outputs in tables.
const Title = "mean of the outputs"

// Method learns a Mean. It is the least that a method has to beat.
var Method = operator.Method{
	Name:      config.Mean,
	Title:     Title,
	Most:      math.MaxInt32,
	Reference: true,
	Scattered: true,
	Bytes: func(pairs dataset.Pairs, _ operator.Options) float64 {
		const number = 8 // bytes
		outputs := float64(pairs.Count()) * float64(pairs.Outputs.Values())
		return 2 * number * outputs
	},
	Fit: func(_ context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		_, err := operator.Checked(pairs)
		if err != nil {
			return operator.Result{}, err
		}
		return operator.Result{Operator: Of(pairs, o.Symmetry)}, nil
	},
}

// Mean is the operator that answers every input with the mean of the training outputs.
type Mean struct {
	operator.Base
	Values []float64 `json:"values" shape:"outputs"`
}

// Of returns the mean of the outputs of some pairs. Under a symmetry that contains translations it is the mean over
// all points, too. Its leave-one-out error is unknown if an output is zero.
func Of(pairs dataset.Pairs, symmetry string) operator.Operator {
	m := &Mean{
		Base:   operator.BaseOf(pairs),
		Values: pairs.Outputs.Mean(),
	}
	flatten(m.Values, pairs.Outputs, symmetry)
	m.Left = withoutEach(pairs, symmetry)
	sizes := operator.Sizes(pairs.Outputs)
	if !slices.Contains(sizes, 0) {
		m.Error = operator.MeanRelative(m.Left, sizes)
	}
	return operator.Averaged(m, symmetry)
}

// flatten replaces a function by its mean over all points, channel by channel, if a symmetry contains translations.
func flatten(f []float64, like grid.Batch, symmetry string) {
	if !like.Domain.Periodic || !config.Commutes(symmetry) {
		return
	}
	weights := like.Domain.One().Weights(like.Points)
	channels := grid.BatchOf(like.Domain, like.Points, f)
	for c := range like.Domain.Width() {
		values := channels.Of(0, c)
		mean := 0.0
		for x, w := range weights {
			mean += w * values[x]
		}
		for x := range values {
			values[x] = mean
		}
	}
}

// withoutEach returns the residual of each output against the mean of the outputs outside of its group.
func withoutEach(pairs dataset.Pairs, symmetry string) grid.Batch {
	u := pairs.Outputs
	residuals := u.Like(u.Count)
	sum := make([]float64, u.Values())
	for i := range u.Count {
		floats.Add(sum, u.At(i))
	}
	for _, group := range ridge.Labelled(pairs.Groups, u.Count) {
		others := slices.Clone(sum)
		for _, i := range group {
			floats.Sub(others, u.At(i))
		}
		rest := u.Count - len(group)
		if rest > 0 {
			floats.Scale(1/float64(rest), others)
		}
		flatten(others, u, symmetry)
		for _, i := range group {
			floats.SubTo(residuals.At(i), u.At(i), others)
		}
	}
	return residuals
}

func (*Mean) Name() string { return Method.Name }

func (m *Mean) String() string { return "the mean of the training outputs, whatever the input" }

// Predict implements Operator.
func (m *Mean) Predict(ctx context.Context, inputs grid.Batch, _ int, progress func(added int)) (grid.Batch, error) {
	return m.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := grid.NewBatch(m.OutputDomain(), inputs.Points, inputs.Count)
		for i := range inputs.Count {
			copy(outputs.At(i), m.Values)
		}
		progress(inputs.Count)
		return outputs, ctx.Err()
	})
}
