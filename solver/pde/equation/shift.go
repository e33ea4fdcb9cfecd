// This file moves diffusion that depends on the solution from the rest to the linear part, so that steps are stable. See
// reactions.go for terms without derivatives.

package equation

import (
	"fmt"
	"slices"

	"rfm/solver/num/linalg"
)

// diffusivity is the coefficient of the second derivative of a field along an axis in its rest, or that of the fourth derivative
// with the other sign, with which it damps.
type diffusivity struct {
	field, axis int
	order       int
	plan        *plan
	values      []float64 // at the points, as a block
	own         float64   // what the linear part has
	moved       float64
}

// shiftEvery is the number of steps between looks at the diffusivity.
const shiftEvery = 16

// setDiffusion finds the diffusivities of fields whose rest has second derivatives.
func (s *stepper) setDiffusion() {
	for f := range s.Fields {
		if s.rows[f].quasi == 0 {
			continue
		}
		for axis := range s.axes {
			d := diffusivity{
				field:  f,
				axis:   axis,
				order:  s.rows[f].quasiOrder,
				plan:   s.newPlan(),
				values: s.newBlock(),
			}
			var coefficient poly
			for _, q := range s.explicit[f] {
				coefficient = coefficient.plus(q.diffusivity(f, axis, d.order))
			}
			d.plan.compute(coefficient.times(d.sign()), d.values)
			for _, t := range s.rows[f].linear {
				if t.field == f && t.op == alongAxis(axis, d.order) {
					d.own += t.c * d.sign()
				}
			}
			s.diffusion = append(s.diffusion, d)
		}
	}
}

// sign is that of derivatives that damp.
func (d *diffusivity) sign() float64 {
	if d.order == 4 {
		return -1
	}
	return 1
}

// alongAxis returns the derivative of an order along an axis.
func alongAxis(axis, order int) operator {
	if axis == 0 {
		return operator{x: order}
	}
	return operator{y: order}
}

// diffusivity returns the factor of the derivative of an order of a field along an axis.
func (q product) diffusivity(field, axis, order int) poly {
	outer := q.op.along(axis)
	inner := order - outer
	isAlongAxis := q.op.order() == outer
	if inner < 0 || !isAlongAxis {
		return nil
	}
	return poly{q.term}.by(fieldKey(field, alongAxis(axis, inner)))
}

// shiftDiffusion moves 0.7 of the largest diffusivity of the block to the linear part if less than half of it is there, and
// reports whether that has changed. The error is an *Ending if diffusion is negative or too uneven.
func (m *march) shiftDiffusion() (changed bool, err error) {
	s := m.s
	for k := range s.diffusion {
		d := &s.diffusion[k]
		s.moveTo(m.t)
		d.plan.toPoints(s.views(m.v, s.coefficient))
		low := slices.Min(d.values) + d.own
		high := slices.Max(d.values) + d.own
		place := fmt.Sprintf("%s_t: the term in column %d", s.Fields[d.field], s.rows[d.field].quasi)
		var bad *Ending
		switch {
		case low < -negligible*high:
			bad = m.ending(fmt.Sprintf("has backward diffusion, %.3g (%s): the equation is ill-posed there", low, place),
				s.positiveDiffusion(d.field))
		case high > maxContrast*low:
			bad = m.ending(fmt.Sprintf("has diffusion from %.3g to %.3g (%s), a ratio above %d, where errors go unnoticed",
				low, high, place, maxContrast), s.positiveDiffusion(d.field))
		}
		if bad != nil {
			if m.t == 0 {
				bad.cause = badDiffusion
			}
			return false, bad
		}
		isStable := d.own+d.moved >= 0.5*high
		if !isStable {
			d.moved = roundedUp(splitShare*high - d.own)
			changed = true
		}
	}
	if changed {
		s.setShift()
	}
	return changed, nil
}

// positiveDiffusion proposes initial values, and values at the sides, with which the diffusion of a field is positive, if it
// is for positive values.
func (s *evolution) positiveDiffusion(field int) string {
	name := s.Fields[field]
	held := s.heldValue(field)
	initial := PositiveInitial(held)
	if held == "0" {
		return fmt.Sprintf("hold %s at values with positive diffusion, as with %s = 1, and begin there: equation.initial = %q",
			name, name, initial)
	}
	return fmt.Sprintf("begin where it is positive, as with equation.initial = %q", initial)
}

// setShift sets what diffusion and reactions that moved add to the linear part, by mode.
func (s *stepper) setShift() {
	clear(s.tables)
	s.shift = nil
	if s.reactions != nil || s.diffusion != nil {
		s.shift = make([]float64, s.size)
	}
	for f, c := range s.reactions {
		field := s.fields[f]
		for k := range field.modes {
			s.shift[field.first+k] = c
		}
	}
	for _, d := range s.diffusion {
		field := s.fields[d.field]
		derivative := field.bases[d.axis].eigenvalues(d.order)
		for k := range field.modes {
			mode := field.modeOf(k)[d.axis]
			s.shift[field.first+k] += d.moved * d.sign() * derivative[mode]
		}
	}
	s.setRates()
}

// addShift subtracts what moved to the linear part from the rest.
func (s *stepper) addShift(out, v []float64) {
	if s.diffusion == nil { // all modes of a field move alike
		for f, c := range s.reactions {
			field := s.fields[f]
			linalg.AddScaled(field.of(out), -c, field.of(v))
		}
		return
	}
	for row, c := range s.shift {
		addScaledBlock(out, row, -c, v, row)
	}
}
