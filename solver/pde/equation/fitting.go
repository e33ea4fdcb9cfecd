// This file finds initial values that satisfy conditions, for equations that somebody types without any.

package equation

import (
	"fmt"
	"slices"
	"strings"
)

// Fitting describes initial values that satisfy the conditions.
type Fitting struct {
	// Input is the expression in a that vanishes with its slope where the first field does; "" if drawn functions satisfy
	// the conditions as they are.
	Input string
	// Missed is a condition that drawn functions do not satisfy; "" if Input is.
	Missed string
	// Held has, for each field with an equation but velocities, a function with the values that its sides hold at t = 0; "" if
	// none is held, or if they are no numbers.
	Held []string
}

// Fitting returns what initial values satisfy of the conditions. The problem must pass Check.
func (p Problem) Fitting() Fitting {
	s := newSolver(p)
	var fitting Fitting
	if s.err != nil {
		return fitting
	}
	factors := "a"
	for axis := range s.domain.Dims {
		factors += s.window(axis)
	}
	if factors != "a" {
		fitting.Input = factors
		for _, c := range s.conditions {
			if s.isClamped(c) {
				fitting.Missed = c.text + " at the " + c.name
			}
		}
	}
	for f := range s.Fields {
		if !s.isVelocity(f) {
			fitting.Held = append(fitting.Held, s.heldValue(f))
		}
	}
	return fitting
}

// positiveValues are initial values of a field that is to be positive.
const positiveValues = "1 + 0.3*tanh(a)"

// PositiveInitial returns positive initial values of a field, on the scale of the values that its sides hold, as in
// Fitting.Held.
func PositiveInitial(held string) string {
	switch held {
	case "", "0", "1":
		return positiveValues
	}
	return "(" + held + ")*(" + positiveValues + ")"
}

// isClamped reports whether a condition is satisfied by a slope 0 of the first field, whose value is 0 on the same side. Other
// fields in it begin with 0.
func (s *evolution) isClamped(c condition) bool {
	isOwnSlope := func(t linearTerm) bool { return t.field == 0 && t.op.order() == 1 }
	isSlope := c.order() == 1 && c.isHomogeneous() && slices.ContainsFunc(c.terms, isOwnSlope)
	return isSlope && s.isZero(c.side, 0, operator{})
}

// window returns the factors of an input that vanishes on sides so that its slope vanishes, too; "" if none is needed.
func (s *evolution) window(axis int) string {
	var near, far bool
	for _, c := range s.conditions {
		if c.axis == axis && s.isClamped(c) {
			near = near || !c.far
			far = far || c.far
		}
	}
	x := axisName(axis)
	scaled := x
	if s.Length != 1 {
		scaled = fmt.Sprintf("%s/%g", x, s.Length)
	}
	switch {
	case near && far:
		return fmt.Sprintf("*4*%s*(1 - %s)", scaled, scaled)
	case near:
		return "*" + scaled
	case far:
		return fmt.Sprintf("*(1 - %s)", scaled)
	}
	return ""
}

// heldValue returns a function with the values that the sides hold a field at when t = 0; "" if there is none, or none
// that is simple.
func (s *evolution) heldValue(field int) string {
	var values []float64 // of the conditions
	var left, right float64
	for _, c := range s.conditions {
		if c.field != field || !s.holds(c) {
			continue
		}
		isNumber := func(t term) bool { return !t.has(func(a *atom) bool { return !s.isTime(a) && a.kind != funcAtom }) }
		for _, t := range c.value {
			if !isNumber(t) {
				return ""
			}
		}
		value := s.atCorner(c, false, 0, 0)
		values = append(values, value)
		if c.far {
			right = value
		} else {
			left = value
		}
	}
	if len(values) == 0 {
		return ""
	}
	for _, value := range values {
		if value == values[0] {
			continue
		}
		if s.domain.Dims == 2 {
			return ""
		}
		slope := signed((right-left)/s.Length) + "*x"
		return strings.TrimPrefix(fmt.Sprintf("%.6g", left)+slope, "0 + ")
	}
	return fmt.Sprintf("%.6g", values[0])
}
