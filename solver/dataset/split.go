package dataset

import (
	"fmt"

	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// Split divides count pairs at random into training and test pairs: their numbers are the first n and the last test of
// a permutation that depends on seed and count only. So the two do not meet, more training pairs keep the first ones,
// and the test pairs stay what they are whatever n. The error is a *fault.Data if there are fewer than n + test.
func Split(count int, seed uint64, n, test int) (train, held []int, err error) {
	if n+test > count {
		return nil, nil, &fault.Data{Where: "data",
			What: fmt.Sprintf("has %s; wanted are %d for training and %d for testing", printable.Several(count, "pair"), n,
				test),
			Do: fmt.Sprintf("ask for at most %d in all", count)}
	}
	order := draw.Permutation(seed, draw.Split, count)
	return order[:n:n], order[count-test:], nil
}

// Take is the pairs with the given numbers, in that order; they are copies.
func (p Pairs) Take(rows []int) Pairs {
	some := Pairs{Inputs: p.Inputs.Take(rows), Outputs: p.Outputs.Take(rows)}
	if p.Groups != nil {
		for _, i := range rows {
			some.Groups = append(some.Groups, p.Groups[i])
		}
	}
	return some
}
