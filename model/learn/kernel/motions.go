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
	channels := pairs.Inputs.Domain.Width() * pairs.Outputs.Domain.Width()
	if channels > 1 {
		return noMotion, noMotion
	}
	group := slices.Index(groupWords[:], symmetry)
	if group >= 0 {
		return group, group
	}
	return noMotion, groups(pairs.Inputs.Domain) - 1
}

// decoupled are sets of functions that a kernel with a symmetry does not mix. A set is given by the sign of its
// functions under each motion. The last one for the whole square has those that are odd along the second axis alone,
// with signs under reflections: the exchange of axes turns them into others, so it has two rows for each pair.
type decoupled struct {
	rows  int         // for each pair: its part, and that of its image under the exchange of axes
	signs [][]float64 // of each set, under each motion
}

// decouple returns the sets of functions that kernels with a symmetry do not mix. Bit k of a parity is set for functions
// that are odd along axis k.
func decouple(domain grid.Domain, group int) []decoupled {
	motions := motionsOf(domain, group)
	if group == wholeSquare {
		const (
			even    = 0b00
			oddOnce = 0b01
			odd     = 0b11
		)
		pure := decoupled{
			rows: 1,
			signs: [][]float64{
				signs(motions, even, 1),
				signs(motions, even, -1),
				signs(motions, odd, 1),
				signs(motions, odd, -1),
			},
		}
		mixed := decoupled{
			rows:  2,
			signs: [][]float64{signs(domain.Reflections(false), oddOnce, 1)},
		}
		return []decoupled{pure, mixed}
	}
	all := decoupled{rows: 1}
	for parity := range motions {
		all.signs = append(all.signs, signs(motions, parity, 1))
	}
	return []decoupled{all}
}

// signs returns the signs of functions with a parity under motions. exchange is their sign under the exchange of axes.
func signs(motions []grid.Motion, parity int, exchange float64) []float64 {
	var all []float64
	for _, m := range motions {
		own := sign(parity, m.Flip)
		if m.Turn {
			own *= exchange
		}
		all = append(all, own)
	}
	return all
}

// sign returns the character of index parity of a reflection: 1 or -1.
func sign(parity, flip int) float64 {
	reversals := bits.OnesCount(uint(parity & flip))
	if reversals%2 == 1 {
		return -1
	}
	return 1
}
