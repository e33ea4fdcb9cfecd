package feature

import (
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
)

// NewPairTrainer returns a function like NewTrainer of the evaluator, whose Trainers evaluate two groups in one call: g,
// which is even, and g+1 if it exists. ok is false if pairs of groups save no time, because the processor has no vectors
// for them, or features lose their means. A product with the target is another sum than that of NewTrainer in its last bits.
func NewPairTrainer(e Evaluator) (newTrainer func() Trainer, ok bool) {
	spectral, ok := e.(*spectralEvaluator)
	if !ok || spectral.wide == nil || spectral.mean != nil || spectral.roots != nil {
		return nil, false
	}
	return spectral.newPairTrainer, true
}

func (e *spectralEvaluator) newPairTrainer() Trainer {
	points := e.Points()
	packed := make([]float64, wideGroup*points)
	block := make([]float64, wideGroup*points)
	var spare [4][]float64 // for columns beyond the padding
	for i := range spare {
		spare[i] = make([]float64, fft.Lanes*points)
	}
	current := -1
	return func(features *linalg.Panels, row, g int, input, target, rhs []float64) {
		if g != current {
			e.wide.Pack(packed, e.groups[g], e.groupAfter(g))
			current = g
		}
		e.wide.InverseProductWide(block, packed, input)
		first := columnsOfGroup(features, row, points, g, [2][]float64(spare[:2]))
		second := columnsOfGroup(features, row, points, g+1, [2][]float64(spare[2:]))
		var sums [wideGroup]float64
		panels := [4][]float64{first[0], first[1], second[0], second[1]}
		e.activation.SplitWide(panels, block, target[:points], &sums)
		for l, sum := range sums {
			j := GroupSize*g + featureOfLane(l)
			if j < e.count {
				rhs[j] += sum
			}
		}
	}
}

// groupAfter returns the group after g, nil if there is none.
func (e *spectralEvaluator) groupAfter(g int) []float64 {
	if g+1 < len(e.groups) {
		return e.groups[g+1]
	}
	return nil
}

// featureOfLane returns the feature of two groups that stands in a lane of wide blocks.
func featureOfLane(l int) int {
	const half = GroupSize / 2
	group := l / half % 2
	part := l / GroupSize
	return GroupSize*group + half*part + l%half
}
