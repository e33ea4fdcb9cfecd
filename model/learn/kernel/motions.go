package kernel

import (
	"math/bits"
	"slices"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// The groups of motions that a kernel can commute with. Each contains the group before it.
const (
	noMotion    = iota
	reflections // of every axis
	wholeSquare // of every axis, and the exchange of the axes: all eight motions of the square
)

// groupWords are the words of data.symmetry for these groups.
var groupWords = [...]string{config.NoSymmetry, config.Reflection, config.WholeSquare}

// groups returns the number of groups of a domain. Methods for periodic functions handle translations.
func groups(domain grid.Domain) int {
	switch {
	case domain.Periodic, domain.Scattered():
		return 1 + noMotion
	case domain.Square():
		return 1 + wholeSquare
	}
	return 1 + reflections
}

// motionsOf returns the motions of a group, the identity first. In the whole square every reflection is followed by the
// same one after an exchange of the axes.
func motionsOf(domain grid.Domain, group int) []grid.Motion {
	switch group {
	case reflections:
		return domain.Reflections(false)
	case wholeSquare:
		return domain.Motions()
	}
	return []grid.Motion{{}}
}

// sourcesOf returns, for each motion of a group, the indices of the values that it moves to each place; nil for the
// identity.
func sourcesOf(domain grid.Domain, points, group int) [][]int {
	all := [][]int{nil}
	for _, m := range motionsOf(domain, group)[1:] {
		all = append(all, domain.Source(points, m))
	}
	return all
}

// groupsOf returns the smallest and the largest group that a word of data.symmetry permits; none with several channels,
// whose signs a motion may change.
func groupsOf(pairs dataset.Pairs, symmetry string) (least, most int) {
	switch group := slices.Index(groupWords[:], symmetry); {
	case pairs.Inputs.Domain.Width()*pairs.Outputs.Domain.Width() > 1:
		return noMotion, noMotion
	case group >= 0:
		return group, group
	}
	return noMotion, groups(pairs.Inputs.Domain) - 1
}

// decoupled are sets of functions that a kernel with a symmetry does not mix. A set is given by the sign of its
// functions under each motion. The last one for the whole square has those that are odd along the second axis alone,
// with signs under reflections: the exchange of axes turns them into others, so it has two rows for each pair.
type decoupled struct {
	rows  int // for each pair: its part, and that of its image under the exchange of axes
	signs [][]float64
}

func decouple(domain grid.Domain, group int) []decoupled {
	signs := func(motions []grid.Motion, parity int, exchange float64) (all []float64) {
		for _, m := range motions {
			if all = append(all, sign(parity, m.Flip)); m.Turn {
				all[len(all)-1] *= exchange
			}
		}
		return all
	}
	all := motionsOf(domain, group)
	one := decoupled{rows: 1}
	if group == wholeSquare {
		one.signs = [][]float64{signs(all, 0, 1), signs(all, 0, -1), signs(all, 3, 1), signs(all, 3, -1)}
		return []decoupled{one, {2, [][]float64{signs(domain.Reflections(false), 1, 1)}}}
	}
	for parity := range all {
		one.signs = append(one.signs, signs(all, parity, 1))
	}
	return []decoupled{one}
}

// sign returns the character of index parity of a reflection: 1 or -1.
func sign(parity, flip int) float64 { return 1 - 2*float64(bits.OnesCount(uint(parity&flip))%2) }
