// This file refuses values of sides that meet at a corner of the square and differ there.

package equation

import (
	"fmt"
	"math"
	"slices"
)

// checkCorners fails at two sides that hold one field at different values where they meet, because a solution that jumps
// there has coefficients that do not decay.
func (s *evolution) checkCorners() {
	if s.domain.Dims != 2 {
		return
	}
	for f := range s.Fields {
		for _, x := range s.conditionsOf(f, 0) {
			for _, y := range s.conditionsOf(f, 1) {
				s.checkCorner(x, y)
			}
		}
	}
}

// checkCorner fails if the values of a condition along x and of one along y differ at their corner, at one of a few times.
func (s *evolution) checkCorner(x, y condition) {
	const share = 1e-4    // of the larger value
	const rounding = 1e-9 // of values that vanish
	if !s.holds(x) || !s.holds(y) {
		return
	}
	for _, t := range []float64{0, s.Time / 2, s.Time} {
		onX := s.atCorner(x, y.far, t)
		onY := s.atCorner(y, x.far, t)
		if math.Abs(onX-onY) <= rounding+share*math.Max(math.Abs(onX), math.Abs(onY)) {
			continue
		}
		failKey(x.key, fmt.Sprintf("has the value %.4g (%s) where the %s side meets the %s one, which has %.4g there (%s)",
			onX, x.text, x.name, y.name, onY, y.text), "write values that agree at the corner, such as "+s.Fields[x.field]+" = 4*y*(1-y)")
	}
}

// holds reports whether a condition is a value that is known before inputs are drawn.
func (s *evolution) holds(c condition) bool {
	isRandom := slices.ContainsFunc(c.value, func(t term) bool {
		return t.has(func(a *atom) bool { return a.kind == fieldAtom && !s.isTime(a) })
	})
	return len(c.terms) == 1 && c.order() == 0 && !isRandom
}

// atCorner returns what a condition demands of its field at one end of its side.
func (s *evolution) atCorner(c condition, far bool, t float64) float64 {
	along := 0.0
	if far {
		along = s.Length
	}
	value := c.value.evaluate(func(a *atom) float64 {
		if s.isTime(a) {
			return t
		}
		return along
	})
	return value / c.terms[0].c
}
