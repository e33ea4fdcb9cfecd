// Package dataset holds input-output pairs of an operator and reads them from files.
package dataset

import (
	"context"

	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Pairs are functions a_i and the operator's values u_i, on one grid.
type Pairs struct {
	Inputs, Outputs grid.Batch
	// Groups has a label for each pair. Pairs with the same one depend on each other, as copies and the states of a
	// trajectory do: whatever is measured on pairs that were left out leaves them out together. nil: all are independent.
	Groups []int
}

// Count is the number of pairs.
func (p Pairs) Count() int { return p.Inputs.Count }

// Restrict takes both sides to the coarser grid with so many points along an axis. Errors are those of
// grid.Batch.Restrict.
func (p Pairs) Restrict(points int) (Pairs, error) {
	a, err := p.Inputs.Restrict(points)
	if err != nil {
		return Pairs{}, err
	}
	u, err := p.Outputs.Restrict(points)
	return Pairs{a, u, p.Groups}, err
}

// Range is count pairs from the first on; they share memory with p.
func (p Pairs) Range(first, count int) Pairs {
	some := Pairs{Inputs: p.Inputs.Range(first, count), Outputs: p.Outputs.Range(first, count)}
	if p.Groups != nil {
		some.Groups = p.Groups[first : first+count]
	}
	return some
}

// With has other outputs, or parts or errors of these.
func (p Pairs) With(outputs grid.Batch) Pairs { return Pairs{p.Inputs, outputs, p.Groups} }

// Generate makes pairs with the operator's outputs at their last time, see truth.Generate.
func Generate(ctx context.Context, operator truth.Operator, w truth.Wanted, workers int, report truth.Report) (Pairs,
	error) {
	a, u, err := truth.Generate(ctx, operator, w, workers, report)
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: a, Outputs: u[len(u)-1]}, nil
}
