// This file refuses values of sides that meet at a corner of the square and differ there.

package equation

import (
	"fmt"
	"math"
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

// checkCorner fails if the values of a condition along x and of one along y differ at their corner, at one of a few times. An
// input that is the value of only one of them vanishes there; see ends.
func (s *evolution) checkCorner(x, y condition) {
	const share = 1e-4    // of the larger value
	const rounding = 1e-9 // of values that vanish
	if !s.holds(x) || !s.holds(y) {
		return
	}
	input := 0.0
	remedy := "write values that agree at the corner, such as " + s.Fields[x.field] + " = 4*y*(1-y)"
	switch {
	case s.isRandom(x) && s.isRandom(y):
		input = 1
		remedy = "write the same function of " + s.Coefficient + " on both sides"
	case s.isRandom(x):
		remedy = s.meetNeighbours(x)
	case s.isRandom(y):
		remedy = s.meetNeighbours(y)
	}
	for _, t := range []float64{0, s.Time / 2, s.Time} {
		onX := s.atCorner(x, y.far, t, input)
		onY := s.atCorner(y, x.far, t, input)
		if math.Abs(onX-onY) <= rounding+share*math.Max(math.Abs(onX), math.Abs(onY)) {
			continue
		}
		failKey(x.key, fmt.Sprintf("has the value %.4g (%s) where the %s side meets the %s one, which has %.4g there (%s)",
			onX, x.text, x.name, y.name, onY, y.text), remedy)
	}
}

// meetNeighbours returns what to write on a side with a random value, so that it agrees with its neighbours at both corners,
// where the input vanishes.
func (s *evolution) meetNeighbours(c condition) string {
	var gaps [2]float64 // at its near and its far end
	for i, far := range []bool{false, true} {
		for _, next := range s.conditionsOf(c.field, 1-c.axis) {
			if next.far == far && s.holds(next) {
				gap := s.atCorner(next, c.far, 0, 0) - s.atCorner(c, far, 0, 0)
				gaps[i] = gap * c.terms[0].c
			}
		}
	}
	text := c.text
	if gaps[0] != 0 {
		text += signed(gaps[0])
	}
	if gaps[1] != gaps[0] {
		text += signed((gaps[1]-gaps[0])/s.Length) + "*" + axisName(1-c.axis)
	}
	return fmt.Sprintf("write %s, because %s vanishes at the corners", text, s.Coefficient)
}

// signed returns a number as a term that is added to others.
func signed(v float64) string {
	if v < 0 {
		return fmt.Sprintf(" - %.4g", -v)
	}
	return fmt.Sprintf(" + %.4g", v)
}

// holds reports whether a condition is a value of its field alone.
func (s *evolution) holds(c condition) bool { return len(c.terms) == 1 && c.order() == 0 }

// atCorner returns what a condition demands of its field at one end of its side, at a time and for a value of the input.
func (s *evolution) atCorner(c condition, far bool, t, input float64) float64 {
	along := 0.0
	if far {
		along = s.Length
	}
	value := c.value.evaluate(func(a *atom) float64 {
		switch {
		case s.isTime(a):
			return t
		case s.isCoefficient(a):
			return input
		}
		return along
	})
	return value / c.terms[0].c
}
