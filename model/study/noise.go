// This file is the study of data that are not what the paper has: noise on training outputs, larger test inputs.

package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/truth"
)

// purposeNoise names the stream of the noise of a training output.
const purposeNoise draw.Purpose = "study-noise"

// larger are test inputs outside the law of training: what they are called, and how the configuration is changed.
type larger struct {
	name   string
	change func(c *config.Config)
}

func largerInputs(problem string) []larger {
	if problem == config.Darcy {
		return []larger{{"contrast 8", func(c *config.Config) { c.Darcy.High *= 2 }},
			{"contrast 16", func(c *config.Config) { c.Darcy.High *= 4 }}}
	}
	scaled := func(factor float64) func(*config.Config) {
		return func(c *config.Config) {
			if c.Input.Scale == 0 {
				c.Input.Scale = 1
			}
			c.Input.Scale *= factor
		}
	}
	return []larger{{"inputs x 1.5", scaled(1.5)}, {"inputs x 2", scaled(2)}}
}

// largerTests is the number of test inputs outside the law of training.
const largerTests = 200

// noiseStudy is the error of every method against the noise of training outputs, normal and independent at each point
// with a standard deviation relative to the root mean square of the output, and on larger test inputs. Regularisation
// is chosen by the leave-one-out error of the noisy pairs.
func noiseStudy(ctx context.Context, s *Session, l *lab) (Result, error) {
	c, levels := l.base, []float64{0, 0.01, 0.05, 0.2}
	c.Seed, c.Train.Choice, c.Data.Train, c.Features.Count = l.seed, config.LeaveOneOut, l.n, l.m
	if s.options.Quick {
		levels = []float64{0, 0.05, 0.2}
		c.Data.Train, c.Features.Count, c.Train.Grid = min(l.n, 64), min(l.m, 64), 17
	}
	g := c.Train.Grid
	clean, err := l.pairs(ctx, g)(0, c.Data.Train)
	if err != nil {
		return Result{}, err
	}
	test, err := l.test(ctx, g, 0, c.Data.Test)
	if err != nil {
		return Result{}, err
	}
	tests, header := []dataset.Pairs{test}, []string{"method"}
	for _, level := range levels {
		header = append(header, fmt.Sprintf("noise %g%%", 100*level))
	}
	for _, other := range largerInputs(l.base.Problem) {
		changed := c
		other.change(&changed)
		pairs, err := dataset.Generate(ctx, setup.Truth(changed), truth.Wanted{Purpose: draw.InputTest,
			Count: min(largerTests, c.Data.Test), Points: g}, l.workers, nil)
		if err != nil {
			return Result{}, err
		}
		tests, header = append(tests, pairs), append(header, other.name)
	}
	drawn, err := l.features(ctx, c.Features.Count)
	if err != nil {
		return Result{}, err
	}
	methods := method.All(clean.Inputs.Domain, clean.Outputs.Domain, c.Data.Symmetry)
	if s.options.Quick {
		methods = slices.DeleteFunc(methods, func(m method.Method) bool { return !m.Reference })
	}
	t := Table{Title: fmt.Sprintf("relative test error, n=%d, m=%d, %s=%d", c.Data.Train, c.Features.Count,
		c.GridSymbol(), g), Header: header}
	figure := Figure{Title: "error against noise", XLabel: "noise of training outputs", YLabel: "relative test error",
		LogX: true, LogY: true}
	var r Result
	// The features are calibrated for the pairs that they learn from.
	ways := []func(pairs dataset.Pairs) method.Method{func(pairs dataset.Pairs) method.Method {
		return method.Random{Config: c, Drawn: drawn, Fine: pairs, Finest: g}.Method()
	}}
	for _, m := range methods {
		ways = append(ways, func(dataset.Pairs) method.Method { return m })
	}
	l.tracker.begin("training, methods", len(ways)*len(levels))
	for _, way := range ways {
		row, curve, errors := []string(nil), Curve{}, []float64(nil)
		var first method.Operator
		for _, level := range levels {
			pairs := noisy(clean, level, c.Seed)
			m := way(pairs)
			o, err := m.Train(ctx, pairs, method.Options{Workers: l.workers, Seed: c.Seed})
			if err != nil {
				return Result{}, err
			}
			if level == 0 {
				first, row, curve.Name = o, []string{m.Title}, m.Title
			}
			e, err := missed(ctx, o, test, l.workers)
			if err != nil {
				return Result{}, err
			}
			errors = append(errors, e)
			if level > 0 {
				curve.X, curve.Y = append(curve.X, level), append(curve.Y, e)
			}
			r.Cells = append(r.Cells, Cell{Where: fmt.Sprintf("%s, noise %g", m.Name, level), Ours: e})
			l.tracker.advance(1)
		}
		for k, pairs := range tests[1:] {
			e, err := missed(ctx, first, pairs, l.workers)
			if err != nil {
				return Result{}, err
			}
			errors = append(errors, e)
			r.Cells = append(r.Cells, Cell{Where: row[0] + ", " + header[1+len(levels)+k], Ours: e})
		}
		for _, e := range errors {
			row = append(row, number(e))
		}
		t.Rows, figure.Curves = append(t.Rows, row), append(figure.Curves, curve)
	}
	r.Tables, r.Figures = []Table{t}, []Figure{figure}
	r.Notes = []string{"Test outputs have no noise. Larger inputs are predicted by the models without noise."}
	return r, nil
}

// missed is the mean relative error of predictions.
func missed(ctx context.Context, o method.Operator, pairs dataset.Pairs, workers int) (float64, error) {
	predictions, err := o.Predict(ctx, pairs.Inputs, workers, nil)
	if err != nil {
		return 0, err
	}
	e, err := rfm.Measure(predictions, pairs.Outputs)
	return e.ExpectedRelative, err
}

// noisy is the pairs with noise on their outputs.
func noisy(pairs dataset.Pairs, level float64, seed uint64) dataset.Pairs {
	if level == 0 {
		return pairs
	}
	outputs := pairs.Outputs.Clone()
	for i := range outputs.Count {
		u, random := outputs.At(i), draw.Stream(seed, purposeNoise, i)
		deviation := level * math.Sqrt(outputs.Domain.Inner(u, u))
		for x := range u {
			u[x] += deviation * random.NormFloat64()
		}
		if outputs.Domain.Periodic {
			outputs.Domain.Wrap(u)
		}
	}
	return dataset.Pairs{Inputs: pairs.Inputs, Outputs: outputs}
}
