// Package dataset holds input-output pairs of an operator and reads them from files.
package dataset

import (
	"context"
	"fmt"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// Pairs holds functions a_i and the operator's values u_i on one grid.
type Pairs struct {
	Inputs  grid.Batch
	Outputs grid.Batch
	// Groups has a label for each pair. Pairs with the same label depend on each other, as copies and the states of a
	// trajectory do, so they are left out together in measurements. If Groups is nil, all pairs are independent.
	Groups []int
}

// Count returns the number of pairs.
func (p Pairs) Count() int { return p.Inputs.Count }

// Restrict restricts both sides to a coarser grid. It returns the errors of grid.Batch.Restrict.
func (p Pairs) Restrict(points int) (Pairs, error) {
	a, err := p.Inputs.Restrict(points)
	if err != nil {
		return Pairs{}, err
	}
	u, err := p.Outputs.Restrict(points)
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: a, Outputs: u, Groups: p.Groups}, nil
}

// Range returns count pairs from index first on; they share memory with p.
func (p Pairs) Range(first, count int) Pairs {
	some := Pairs{
		Inputs:  p.Inputs.Range(first, count),
		Outputs: p.Outputs.Range(first, count),
	}
	if p.Groups != nil {
		some.Groups = p.Groups[first : first+count]
	}
	return some
}

// With returns the pairs with other outputs, for example parts or errors of the outputs.
func (p Pairs) With(outputs grid.Batch) Pairs {
	return Pairs{Inputs: p.Inputs, Outputs: outputs, Groups: p.Groups}
}

// Generate makes pairs with the operator's outputs at their last time, see truth.Generate.
func Generate(ctx context.Context, operator *truth.Operator, w truth.Wanted, workers int,
	report truth.Report) (Pairs, error) {
	a, u, err := truth.Generate(ctx, operator, w, workers, report)
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: a, Outputs: u[len(u)-1]}, nil
}

// Split divides count pairs at random into training and test pairs. It returns the first n and the last test numbers of
// a permutation that depends on seed and count only. So the sets are disjoint, a larger n keeps the first pairs, and
// the test pairs do not depend on n. labels, which may be nil, number the groups of pairs that depend on each other: the
// permutation is that of groups then, and no group has pairs in both sets. The error is a *fault.Data if there are not
// enough pairs.
func Split(count int, labels []int, seed uint64, n, test int) (train, held []int, err error) {
	if labels != nil {
		return splitGroups(labels, seed, n, test)
	}
	if n+test > count {
		return nil, nil, fault.Bad(
			"data",
			fmt.Sprintf("ask for at most %d in all", count),
			"has %s, want %d for training and %d for testing", printable.Several(count, "pair"), n, test,
		)
	}
	order := draw.Permutation(seed, draw.Split, 0, count)
	return order[:n:n], order[count-test:], nil
}

// splitGroups is Split for pairs in groups.
func splitGroups(labels []int, seed uint64, n, test int) (train, held []int, err error) {
	apart := Apart(labels, seed, test)
	if n > apart {
		return nil, nil, fault.Bad(
			"data",
			fmt.Sprintf("set data.train to at most %d, or data.test to %d", apart, len(labels)-apart),
			"has %s in groups (data.groups), of which %d for testing leave %d for training, want %d",
			printable.Several(len(labels), "pair"), test, apart, n,
		)
	}
	order := inGroups(labels, seed)
	return order[:n:n], order[len(order)-test:], nil
}

// Apart returns how many pairs, of those with these labels, are in other groups than the test pairs that Split returns.
func Apart(labels []int, seed uint64, test int) int {
	order := inGroups(labels, seed)
	apart := len(order) - test
	if apart <= 0 || test == 0 {
		return max(0, apart)
	}
	first := labels[order[apart]]
	for apart > 0 && labels[order[apart-1]] == first {
		apart--
	}
	return apart
}

// inGroups returns the numbers of pairs, group after group in random order.
func inGroups(labels []int, seed uint64) (order []int) {
	members := Labelled(labels)
	for _, g := range draw.Permutation(seed, draw.Split, 0, len(members)) {
		order = append(order, members[g]...)
	}
	return order
}

// Labelled returns the numbers of the pairs with the same label, in the order in which labels first occur. The label of
// pair i is labels[i].
func Labelled(labels []int) (groups [][]int) {
	at := map[int]int{}
	for i, label := range labels {
		g, ok := at[label]
		if !ok {
			g = len(groups)
			at[label] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// First returns the numbers of the first count pairs.
func First(count int) []int {
	rows := make([]int, count)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Take returns copies of the pairs with the given numbers, in that order.
func (p Pairs) Take(rows []int) Pairs {
	some := Pairs{
		Inputs:  p.Inputs.Take(rows),
		Outputs: p.Outputs.Take(rows),
	}
	if p.Groups != nil {
		for _, i := range rows {
			some.Groups = append(some.Groups, p.Groups[i])
		}
	}
	return some
}
