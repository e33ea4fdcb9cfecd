// This file makes features commute with motions of their domain.

package feature

import (
	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/solver/space/grid"
)

// Symmetry is a group of motions g, the identity first. Features with a symmetry are
//
//	(1/|G|) sum_g g^-1 phi(g a; theta):
//
// so every sum of them commutes with the motions. The zero Symmetry is none.
type Symmetry struct {
	Motions []grid.Motion `json:"motions,omitempty"`
}

// symmetryOf returns the motions of a law that features do not commute with already. If they are filters (filtered), they
// commute with translations, and on closed domains with reflections.
func symmetryOf(law Law, filtered bool) Symmetry {
	d := law.Domain
	switch law.Symmetry {
	case config.Reflection, config.OddReflection:
		if d.Periodic || !filtered {
			odd := law.Symmetry == config.OddReflection
			return Symmetry{Motions: d.Reflections(odd)}
		}
	case config.WholeSquare:
		if filtered {
			exchange := grid.Motion{Turn: true}
			return Symmetry{Motions: []grid.Motion{{}, exchange}}
		}
		return Symmetry{Motions: d.Motions()}
	}
	return Symmetry{}
}

// average sets a field on the grid with the given points along an axis to the mean of its images, in place.
func (s Symmetry) average(field []float64, domain grid.Domain, points int) {
	if s.Motions == nil {
		return
	}
	mean := make([]float64, len(field))
	share := 1 / float64(len(s.Motions))
	one := grid.BatchOf(domain, points, field)
	for _, m := range s.Motions {
		floats.AddScaled(mean, share, one.Moved(m).Data)
	}
	copy(field, mean)
}

// returns holds, for one motion, the row of a feature's matrix that comes back to each row, and its factor.
type returns struct {
	from  []int
	share float64
}

// on returns the returns of all motions on a grid with the given number of distinct points.
func (s Symmetry) on(domain grid.Domain, points, rows int) (all []returns) {
	numbers := grid.NewBatch(domain, points, 1) // the row of each value
	for row := range rows {
		numbers.Data[row] = float64(row)
	}
	domain.Complete(numbers.Data, numbers.Data[:rows], 1)
	for _, m := range s.Motions {
		back := m.Inverse()
		back.Odd = false
		one := returns{share: m.Sign() / float64(len(s.Motions))}
		for _, row := range domain.Distinct(numbers.Moved(back).Data) {
			one.from = append(one.from, int(row))
		}
		all = append(all, one)
	}
	return all
}
