package operator

import (
	"gonum.org/v1/gonum/floats"

	"rfm/solver/space/grid"
)

// echoing is the share of the squares of outputs, around their mean, from which an operator that leaves it echoes.
const echoing = 0.75

// Echoes reports whether leave-one-out predictions of an operator tell the outputs that they are predictions of, because
// they are hardly better than the mean. The mean of n - 1 others is
//
//	v_i = m - (u_i - m) / (n - 1),
//
// so that an operator that sees v learns u_i = m - (n - 1) (v_i - m) from the pairs, with a leave-one-out error near zero,
// and nothing that holds for other inputs. Where v tells more about the inputs this part of it is lost among the rest.
func Echoes(o Operator, outputs grid.Batch) bool {
	left := ResidualsOf(o)
	if left.Count != outputs.Count {
		return false
	}
	around := outputs.Plus(-1, outputs.Mean())
	for c := range outputs.Domain.Width() {
		missed := left.Channel(c).Data
		all := around.Channel(c).Data
		if floats.Dot(missed, missed) > echoing*floats.Dot(all, all) {
			return true
		}
	}
	return false
}
