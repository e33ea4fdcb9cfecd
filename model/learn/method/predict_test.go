package method

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// noisy returns pairs of random numbers.
func noisy(domain grid.Domain, points, count int) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
	r := draw.Stream(1, "test", 0)
	for i := range pairs.Inputs.Data {
		pairs.Inputs.Data[i], pairs.Outputs.Data[i] = 2+r.Float64(), r.NormFloat64()
	}
	return pairs
}

// dense returns panels as a matrix.
func dense(p *linalg.Panels) *mat.Dense { return mat.NewDense(p.Rows(), p.Cols(), p.Dense()) }

// Products of matrices lose no digits, even where an input is next to one of the training inputs.
func TestPredictionsOfKernelRidgeAreSumsOverDistances(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs := noisy(grid.Square, 9, 300)
	for _, profile := range profiles {
		for _, describe := range []description{newPrincipal, newFrequencies} {
			p := must(newKernelProblem(t.Context(), pairs, describe, "", 2))
			q := Parameters{Profile: profile, Modes: len(p.inputs.variances), Length: 0.7, Ridge: 1e-4}
			if p.inputs.frequencies != nil {
				q.Cutoff, q.Decay = 2, 1
			}
			k := must(p.fit(t.Context(), q, 2))
			inputs := pairs.Inputs.Clone()
			for i, v := range noisy(grid.Square, 9, 301).Outputs.Data[81:] {
				inputs.Data[i] += math.Pow(10, -float64(i/81%12)) * v
			}
			got, points, c := predict(t, k, inputs), k.Coordinates, dense(k.Coefficients)
			var z mat.Dense
			z.Mul(mat.NewDense(inputs.Count, 81, inputs.Plus(-1, k.Mean).Data), dense(k.Components))
			for i := range inputs.Count {
				want := make([]float64, 81)
				for j := range 300 {
					distance := floats.Distance(z.RawRowView(i), points.RawRowView(j), 2)
					floats.AddScaled(want, kernelAt(profile, distance), c.RawRowView(j))
				}
				if e := floats.Distance(got.At(i), want, 2) / floats.Norm(want, 2); !(e <= 1e-12) {
					t.Fatalf("%v, input %d: relative difference %.2g", profile, i, e)
				}
			}
		}
	}
}

// A prediction depends neither on the number of workers, between which few inputs are divided, too, nor on other
// inputs.
func TestPredictionsDoNotDependOnWorkersOrOtherInputs(t *testing.T) {
	const count = 70
	all := map[string]Operator{}
	train := noisy(grid.Square, 5, count)
	p, err := newKernelProblem(t.Context(), train, newFrequencies, "", 2)
	if err != nil {
		t.Fatal(err)
	}
	if all["kernel"], err = p.fit(t.Context(), Parameters{Modes: 25, Cutoff: 2, Length: 1, Ridge: 1e-3}, 2); err != nil {
		t.Fatal(err)
	}
	all["corrections"] = randomCorrections(t, train, inSines, false)
	line := noisy(grid.Interval, 9, count)
	all["corrections on an interval"] = randomCorrections(t, line, inCosines, false)
	all["equivariant kernel"] = equivariantOf(noisy(grid.Torus, 9, count))
	for name, o := range all {
		inputs := noisy(o.Domain(), o.Finest(), count).Inputs
		want, err := o.Predict(t.Context(), inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, few := range []int{1, 3, 16, 40, count} {
			for _, workers := range []int{1, 2, 5} {
				done := 0
				got, err := o.Predict(t.Context(), inputs.Range(count-few, few), workers, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Data, want.Range(count-few, few).Data) {
					t.Errorf("%s: %d predictions by %d workers are other ones", name, few, workers)
				}
				_, err = o.Predict(t.Context(), inputs.Range(0, few), 1, func(added int) { done += added })
				if err != nil || done != few {
					t.Errorf("%s: progress of %d, want %d; %v", name, done, few, err)
				}
			}
		}
	}
}

// equivariantOf returns an equivariant kernel whose coefficients are the outputs of pairs.
func equivariantOf(pairs dataset.Pairs) *Equivariant {
	e := &Equivariant{place: placeOf(pairs), Shape: Shape{Cutoff: 2, Decay: 1, Length: 1},
		Inputs: pairs.Inputs.Data, Coefficients: pairs.Outputs.Data}
	return must(e, e.Restored())
}

// Inputs are divided so that no worker is idle while others have several blocks.
func TestFewInputsAreForAllWorkers(t *testing.T) {
	for _, c := range []struct{ inputs, workers, least, most, blocks, each int }{
		{16, 2, 8, 96, 2, 1}, {16, 2, 2, 16, 2, 1}, {16, 4, 2, 16, 4, 1}, {1, 4, 8, 96, 1, 4}, {1000, 2, 8, 96, 11, 1},
		{6, 2, 2, 16, 2, 1}, {5, 2, 1, 4, 2, 1}, {0, 2, 1, 4, 0, 2}} {
		blocks, inputs := make(chan int, 1000), 0
		p := place{Grid: codec.GridOf(grid.Torus, 3, 1, 1)}
		_, err := p.inBlocks(t.Context(), grid.NewBatch(grid.Torus, 3, c.inputs), c.workers, c.least, c.most, nil,
			func(_ context.Context, _, inputs grid.Batch, workers int) error {
				if workers != c.each {
					t.Errorf("%+v: a block has %d workers", c, workers)
				}
				blocks <- inputs.Count
				return nil
			})
		close(blocks)
		got := len(blocks)
		for count := range blocks {
			inputs += count
		}
		if err != nil || got != c.blocks || inputs != c.inputs {
			t.Errorf("%+v: %d blocks of %d inputs; %v", c, got, inputs, err)
		}
	}
}

// BenchmarkPrediction predicts one input and many by every kind of kernel, on one worker.
func BenchmarkPrediction(b *testing.B) {
	kernel := func(pairs dataset.Pairs) Operator {
		p := must(newKernelProblem(b.Context(), pairs, newFrequencies, "", 2))
		q := Parameters{Modes: len(p.inputs.variances), Cutoff: 2, Decay: 1, Length: 1, Ridge: 1e-3}
		return must(p.fit(b.Context(), q, 2))
	}
	corrections := func(pairs dataset.Pairs) Operator {
		c := newCorrected(kernel(pairs.Range(0, 4)), pairs, basesOf(pairs.Outputs.Domain)[0]).prepare()
		s := c.drawn(1, 7)
		s.coefficients = mat.NewDense(c.numbersOf()*c.Count, c.Modes[0]*c.Modes[1], nil)
		c.add(s)
		return c
	}
	for name, c := range map[string]struct {
		domain        grid.Domain
		points, pairs int
		learn         func(pairs dataset.Pairs) Operator
	}{
		"kernel-33x33": {grid.Square, 33, 1024, kernel}, "kernel-129": {grid.Interval, 129, 1024, kernel},
		"equivariant-257":   {grid.Torus, 257, 512, func(p dataset.Pairs) Operator { return equivariantOf(p) }},
		"equivariant-33x33": {grid.Torus2, 33, 512, func(p dataset.Pairs) Operator { return equivariantOf(p) }},
		"corrections-129":   {grid.Interval, 129, 256, corrections}, "corrections-33x33": {grid.Square, 33, 256, corrections},
		"corrections-257": {grid.Torus, 257, 256, corrections},
	} {
		b.Run(name, func(b *testing.B) {
			pairs := noisy(c.domain, c.points, c.pairs)
			o := c.learn(pairs)
			for _, count := range []int{1, 256} {
				b.Run(fmt.Sprint(count), func(b *testing.B) {
					for b.Loop() {
						must(o.Predict(b.Context(), pairs.Inputs.Range(0, count), 1, nil))
					}
				})
			}
		})
	}
}
