package method

import (
	"fmt"
	"math/rand/v2"

	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Streams of the noise on inputs: its translations, and the pairs whose errors are added.
const (
	purposeNoise      draw.Purpose = "noise"
	purposeNoiseOrder draw.Purpose = "noise-order"
)

// WithNoise returns the pairs, followed by a copy of each whose input is as wrong as a prediction of o: it has the
// leave-one-out error of another output, at a random translation on periodic domains. A model learned from them
// corrects errors instead of amplifying them when it is applied to its own predictions. Noise of a given deviation was
// injected by A. Sanchez-Gonzalez et al., Learning to simulate complex physics with graph networks, ICML 2020. A copy is
// left out together with its original. The error is a *fault.Data if outputs cannot be inputs, or o does not know its
// leave-one-out errors.
func WithNoise(pairs dataset.Pairs, o operator.Operator, seed uint64) (dataset.Pairs, error) {
	n := pairs.Count()
	in, out := o.Channels()
	if in != out {
		const others = "have inputs of %d channels and outputs of %d: a model cannot be applied to its outputs"
		return dataset.Pairs{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf(others, in, out),
			Do:    "set train.noise = no",
		}
	}
	left := operator.ResidualsOf(o)
	if left.Count != n {
		return dataset.Pairs{}, &fault.Data{
			Where: "training",
			What:  "the leave-one-out errors of " + o.Name() + " are not known, which train.noise adds to inputs",
			Do:    "choose another train.method",
		}
	}
	twice := make([]int, 2*n)
	for i := range twice {
		twice[i] = i % n
	}
	both := pairs.Take(twice)
	if pairs.Groups == nil {
		both.Groups = twice
	}
	domain := pairs.Inputs.Domain
	from := draw.Permutation(seed, purposeNoiseOrder, 0, n)
	for i := range n {
		moved := translation(domain, pairs.Inputs.Points, draw.Stream(seed, purposeNoise, i))
		for c := range domain.Width() {
			f := both.Inputs.Of(i+n, c)
			residual := left.Of(from[i], c)
			for x := range f {
				f[x] -= residual[moved(x)]
			}
		}
	}
	return both, nil
}

// translation returns the index of the value that a random translation of a periodic grid moves to an index; without a
// period, nothing moves.
func translation(d grid.Domain, points int, random *rand.Rand) func(x int) int {
	if !d.Periodic {
		return func(x int) int { return x }
	}
	rows, columns := d.Axes(points)
	rows = max(1, rows-1) // distinct ones; functions of one variable have one
	right := random.IntN(columns - 1)
	down := random.IntN(rows)
	return func(x int) int {
		row := (x/columns + down) % rows
		column := (x%columns + right) % (columns - 1)
		return row*columns + column
	}
}
