package dataset

import (
	"fmt"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// Split divides count pairs at random into training and test pairs. It returns the first n and the last test numbers of
// a permutation that depends on seed and count only. So the sets are disjoint, a larger n keeps the first pairs, and
// the test pairs do not depend on n. The error is a *fault.Data if count < n + test.
func Split(count int, seed uint64, n, test int) (train, held []int, err error) {
	if n+test > count {
		return nil, nil, fault.Bad("data", fmt.Sprintf("ask for at most %d in all", count), "has %s; wanted are %d for "+
			"training and %d for testing", printable.Several(count, "pair"), n, test)
	}
	order := draw.Permutation(seed, draw.Split, count)
	return order[:n:n], order[count-test:], nil
}

// Take returns copies of the pairs with the given numbers, in that order.
func (p Pairs) Take(rows []int) Pairs {
	some := Pairs{Inputs: p.Inputs.Take(rows), Outputs: p.Outputs.Take(rows)}
	if p.Groups != nil {
		for _, i := range rows {
			some.Groups = append(some.Groups, p.Groups[i])
		}
	}
	return some
}
