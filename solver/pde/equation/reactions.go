// This file moves reactions between sides, which are terms without derivatives, from the rest to the linear part, so that
// what stays in the rest changes little with the solution.

package equation

import (
	"math"
	"slices"
)

// reactionsAt returns by field the middle of the slopes of its reactions in a state, over all points and functions. A rest
// without it has the smallest slopes, and so its steps have the smallest errors: for u - u^2 with solutions between 0 and 1
// it is that of -u^2, from -2 to 0, so that -u moves and the linear part has no reaction at all. It is nil if there is
// nothing to move, or if the linear part is a matrix.
func (s *stepper) reactionsAt(state []float64) []float64 {
	if s.matrix != nil || s.Steady() {
		return nil
	}
	var reactions []float64
	for f := range s.Fields {
		slope := s.reactionSlope(f)
		if len(slope) == 0 {
			continue
		}
		values := s.newBlock()
		plan := s.newPlan()
		plan.compute(slope, values)
		plan.toPoints(s.views(state, s.coefficient))
		middle := (slices.Min(values) + slices.Max(values)) / 2
		if math.IsNaN(middle) || math.IsInf(middle, 0) {
			continue
		}
		if reactions == nil {
			reactions = make([]float64, len(s.Fields))
		}
		reactions[f] = middle
	}
	return reactions
}

// reactionSlope returns the derivative of the reactions in the rest of a field by that field; nil if it is zero.
func (s *stepper) reactionSlope(field int) poly {
	var reactions poly
	for _, q := range s.explicit[field] {
		isReaction := q.op == (operator{}) && !q.term.has((*atom).differentiates)
		if isReaction {
			reactions = reactions.plus(poly{q.term})
		}
	}
	return reactions.by(fieldKey(field, operator{}))
}

// differentiates reports whether an atom is a derivative, a mean or another operator on an expression.
func (a *atom) differentiates() bool { return a.op != (operator{}) }

// restart takes back what moved to the linear part with the last inputs, and moves reactions, which are given by field.
func (s *stepper) restart(reactions []float64) {
	hasMoved := slices.ContainsFunc(s.diffusion, func(d diffusivity) bool { return d.moved != 0 })
	if !hasMoved && slices.Equal(s.reactions, reactions) {
		return
	}
	s.reactions = reactions
	for k := range s.diffusion {
		s.diffusion[k].moved = 0
	}
	s.setShift()
}
