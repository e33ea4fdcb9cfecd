// This file evaluates predictor-corrector features for training: in orthonormal sine space, four side by side, at one
// sine transform for each.

package feature

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// predictorEvaluator is a predictor-corrector feature map on one grid. It is immutable and safe for concurrent use.
//
// A sample has Points rows of the feature matrix, the orthonormal sine coefficients of its features. The sine transform
// keeps inner products. Those of fields that vanish on the boundary are, by the trapezoid rule, Weight times the sum
// over interior points; so sums over rows need only that factor.
type predictorEvaluator struct {
	size
	flow      *flow
	sweeps    int
	first     [][]float64 // S1 of each feature on the closed grid
	second    [][]float64 // sine coefficients of S2 for each four features: points x fft.Lanes, row-major
	corrector [][]float64 // S2 of each feature on the closed grid if there is more than one sweep
}

// On prepares the features on the closed r x r grid, on up to workers goroutines. It keeps 2 r^2 numbers for every
// feature, 3 r^2 with more than one sweep. Errors: ctx.Err(), or a *fault.Data if theta's grid does not contain this
// one.
func (p PredictorCorrector) On(ctx context.Context, r, workers int) (Evaluator, error) {
	if err := p.restricts(r); err != nil {
		return nil, err
	}
	m := p.Theta.Count
	flow := newFlow(p.Mollifier, p.Source, r)
	inside := flow.points * flow.points
	e := &predictorEvaluator{
		size: size{
			values: r * r,
			rows:   inside,
			count:  m,
			input:  3 * inside,
			weight: grid.Square.Cell(r),
		},
		flow:   flow,
		sweeps: max(1, p.Sweeps),
		first:  make([][]float64, m),
		second: make([][]float64, panelsOf(m)),
	}
	if e.sweeps > 1 {
		e.corrector = make([][]float64, m)
	}
	for panel := range e.second {
		e.second[panel] = make([]float64, fft.Lanes*e.Points())
	}
	type reader = func(j int) (first, second []float64)
	memory := func() reader { return p.reader(r) }
	err := parallel.With(ctx, workers, m, memory, func(read reader, j int) error {
		first, second := read(j)
		e.setFeature(j, first, second)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// panelsOf returns the panels of fft.Lanes features that count features take.
func panelsOf(count int) int { return (count + fft.Lanes - 1) / fft.Lanes }

// setFeature computes the parts of feature j that do not depend on inputs, from its fields on the closed grid.
func (e *predictorEvaluator) setFeature(j int, first, second []float64) {
	poisson := e.flow.poisson
	e.first[j] = make([]float64, len(first))
	poisson.Solve(e.first[j], first)
	if e.sweeps > 1 {
		e.corrector[j] = make([]float64, len(second))
		poisson.Solve(e.corrector[j], second)
	}
	coefficients := make([]float64, e.Points())
	poisson.SineSolve(coefficients, second)
	panel := e.second[j/fft.Lanes]
	lane := j % fft.Lanes
	for k, c := range coefficients {
		panel[fft.Lanes*k+lane] = c
	}
}

// restricts returns a *fault.Data unless theta's grid contains the closed r x r grid.
func (p PredictorCorrector) restricts(r int) error {
	finest := p.Theta.R
	if r >= 3 && (finest-1)%(r-1) == 0 {
		return nil
	}
	const apart = "feature parameters on %d x %d points cannot be restricted to %d x %d: %d intervals do not divide %d"
	return &fault.Data{
		Where: "theta",
		What:  fmt.Sprintf(apart, finest, finest, r, r, r-1, finest-1),
		Do:    "choose a grid whose intervals divide those of theta",
	}
}

func (e *predictorEvaluator) Band(first, count int) Evaluator {
	e.checkBand(first, count)
	band := *e
	band.count = count
	end := first + count
	band.first = e.first[first:end]
	firstPanel := first / fft.Lanes
	band.second = e.second[firstPanel:panelsOf(end)]
	if e.corrector != nil {
		band.corrector = e.corrector[first:end]
	}
	return &band
}

// Prepare transforms inputs on the evaluator's grid to the form that a Trainer takes: (grad log a_eps)/(2h) along both
// axes inside, and the sine coefficients of B(a). The error is a *fault.Data if an input is not positive and finite, or a
// *fault.Numerical if a mollified field is not.
func (e *predictorEvaluator) Prepare(inputs grid.Batch) ([]float64, error) {
	e.check("inputs", inputs)
	prepared := make([]float64, inputs.Count*e.input)
	s := e.flow.newScratch()
	for i := range inputs.Count {
		err := e.flow.prepare(s, inputs.At(i))
		if err != nil {
			return nil, fmt.Errorf("input %d: %w", i, err)
		}
		input := e.parts(prepared[i*e.input:][:e.input])
		copy(input.first, s.slopes[0])
		copy(input.second, s.slopes[1])
		e.base(input.base, s)
	}
	return prepared, nil
}

// preparedInput is an input as Prepare returns it; its parts lie one after the other.
type preparedInput struct {
	first  []float64 // slopes along the first axis
	second []float64 // slopes along the second axis
	base   []float64 // sine coefficients of B(a)
}

// parts returns views of the parts of an input.
func (e *predictorEvaluator) parts(input []float64) preparedInput {
	points := e.Points()
	return preparedInput{
		first:  input[:points],
		second: input[points : 2*points],
		base:   input[2*points : 3*points],
	}
}

// base sets dst to the sine coefficients of B(a), the last of the iterates of Sweeps.
func (e *predictorEvaluator) base(dst []float64, s *predictorScratch) {
	flow := e.flow
	flow.poisson.Solve(s.whole, s.quotient)
	for range e.sweeps - 1 {
		flow.sweep(s.whole, s.whole, s)
	}
	rhs := flow.sweepRHS(s.whole, s)
	flow.poisson.SineSolve(dst, rhs)
}

// Targets transforms outputs on the evaluator's grid to the form that a Trainer takes, their sine coefficients: Points
// numbers each. Boundary values of outputs are omitted, as the features vanish there.
func (e *predictorEvaluator) Targets(outputs grid.Batch) []float64 {
	e.check("outputs", outputs)
	points := e.Points()
	targets := make([]float64, outputs.Count*points)
	for i := range outputs.Count {
		target := targets[i*points:][:points]
		e.flow.poisson.Sine(target, outputs.At(i))
	}
	return targets
}

// NewTrainer allocates the working memory of one goroutine.
func (e *predictorEvaluator) NewTrainer() Trainer {
	s := e.flow.newScratch()
	return func(features *linalg.Panels, row, g int, input, target, rhs []float64) {
		e.train(features, row, g, input, target, rhs, s)
	}
}

// train implements Trainer: rows are the sine coefficients of phi(a; theta_j).
func (e *predictorEvaluator) train(features *linalg.Panels, row, g int, input, target, rhs []float64,
	s *predictorScratch) {
	parts := e.parts(input)
	end := min(2*g+2, len(e.second))
	for panel := 2 * g; panel < end; panel++ {
		first := panel * fft.Lanes
		lanes := min(fft.Lanes, e.count-first)
		for l, x := range s.inside[:lanes] {
			e.transported(x, first+l, parts, s)
		}
		rows := features.Panel(panel)[fft.Lanes*row:]
		out := rows[:fft.Lanes*e.Points()]
		sums := interleave(out, e.second[panel], &s.inside, parts.base, target)
		for l := range lanes {
			rhs[first+l] += sums[l]
		}
	}
}

// transported sets x to the sine coefficients of L_a S1 of feature j, or of the terms of more sweeps that begin with it.
func (e *predictorEvaluator) transported(x []float64, j int, input preparedInput, s *predictorScratch) {
	flow := e.flow
	p := e.first[j]
	for range e.sweeps - 1 {
		flow.transport(x, input.first, input.second, p)
		flow.poisson.Solve(s.whole, x)
		floats.Add(s.whole, e.corrector[j])
		p = s.whole
	}
	flow.transport(x, input.first, input.second, p)
	flow.poisson.SineSolve(x, x)
}

// interleave sets out[4k+l] to second[4k+l] + (columns[l][k] + base[k]) and returns the sums over k of its products
// with target[k]. It is written out for four lanes because the compiler then keeps the sums in registers.
func interleave(out, second []float64, columns *[fft.Lanes][]float64, base, target []float64) [fft.Lanes]float64 {
	n := len(base)
	c0 := columns[0][:n]
	c1 := columns[1][:n]
	c2 := columns[2][:n]
	c3 := columns[3][:n]
	target = target[:n]
	var s0, s1, s2, s3 float64
	for k, b := range base {
		u := (*[4]float64)(out[4*k:])
		v := (*[4]float64)(second[4*k:])
		y := target[k]
		p0 := v[0] + (c0[k] + b)
		p1 := v[1] + (c1[k] + b)
		p2 := v[2] + (c2[k] + b)
		p3 := v[3] + (c3[k] + b)
		u[0] = p0
		u[1] = p1
		u[2] = p2
		u[3] = p3
		s0 += y * p0
		s1 += y * p1
		s2 += y * p2
		s3 += y * p3
	}
	return [fft.Lanes]float64{s0, s1, s2, s3}
}

func (e *predictorEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	predictions := make([]grid.Batch, len(coefficients))
	for q, alpha := range coefficients {
		told := progress
		if q < len(coefficients)-1 { // inputs are complete after the last model
			told = nil
		}
		outputs, err := e.trained(alpha).predict(ctx, inputs, workers, told)
		if err != nil {
			return nil, err
		}
		predictions[q] = outputs
	}
	return predictions, nil
}
