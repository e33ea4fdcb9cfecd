// This file makes features commute with motions of their domain.

package feature

import (
	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/codec"
	"rfm/model/setup"
	"rfm/solver/grid"
)

// Symmetry is a group of motions g, the identity first. Features with a symmetry are
//
//	(1/|G|) sum_g g^-1 phi(g a; theta):
//
// so every sum of them commutes with the motions. The zero Symmetry is none.
type Symmetry struct{ Motions []grid.Motion }

// symmetryOf returns the motions of data.symmetry that features do not commute with already: filters commute with
// translations, and on closed domains with reflections.
func symmetryOf(c config.Config, anyhow bool) Symmetry {
	d := setup.Domain(c)
	switch c.Data.Symmetry {
	case config.Reflection, config.OddReflection:
		if d.Periodic || !anyhow {
			return Symmetry{d.Reflections(c.Data.Symmetry == config.OddReflection)}
		}
	case config.WholeSquare:
		if anyhow {
			return Symmetry{d.Turns()}
		}
		return Symmetry{d.Motions()}
	}
	return Symmetry{}
}

// average sets a field on the grid with the given points along an axis to the mean of its images, in place.
func (s Symmetry) average(field []float64, domain grid.Domain, points int) {
	if s.Motions == nil {
		return
	}
	mean, b := make([]float64, len(field)), grid.BatchOf(domain, points, field)
	for _, m := range s.Motions {
		floats.AddScaled(mean, 1/float64(len(s.Motions)), b.Moved(m).Data)
	}
	copy(field, mean)
}

// returns holds, for one motion, the row of a feature's matrix that comes back to each row, and its factor.
type returns struct {
	from  []int
	share float64
}

// on returns the returns of all motions on the grid of a transform.
func (s Symmetry) on(domain grid.Domain, points int, t transform) (all []returns) {
	numbers := grid.NewBatch(domain, points, 1) // the row of each value
	for row := range t.rows() {
		numbers.Data[row] = float64(row)
	}
	t.complete(numbers.Data)
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

// Motions are the motions of a Symmetry in model files: Flip, Turn (0 or 1) and the sign of each.
type Motions [][3]int

// MotionsOf returns some motions in the form of files.
func MotionsOf(motions []grid.Motion) Motions {
	var all Motions
	for _, m := range motions {
		one := [3]int{m.Flip, 0, int(m.Sign())}
		if m.Turn {
			one[1] = 1
		}
		all = append(all, one)
	}
	return all
}

// On returns the motions on a grid. The error is a *fault.Data if its domain does not have them.
func (m Motions) On(g codec.Grid) ([]grid.Motion, error) {
	const most = 8
	d, err := g.Domain()
	if err != nil || m == nil {
		return nil, err
	}
	if len(m) < 1 || len(m) > most {
		return nil, codec.Bad("has %d motions, want up to %d", len(m), most)
	}
	var all []grid.Motion
	for _, one := range m {
		flip, turn, sign := one[0], one[1], one[2]
		if flip < 0 || flip >= 1<<d.Dims || turn != 0 && !(turn == 1 && d.Square()) || sign*sign != 1 {
			return nil, codec.Bad("has a motion %v that its domain does not have", one)
		}
		all = append(all, grid.Motion{Flip: flip, Turn: turn == 1, Odd: sign == -1})
	}
	return all, nil
}
