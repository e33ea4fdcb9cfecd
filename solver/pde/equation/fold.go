// This file finds equations between sides that are periodic ones in disguise. A field with u = 0 at both ends is odd on a
// torus twice as long, one with u_x = 0 even, if the equation commutes with the reflection; on the square, along both axes.
// The periodic solver is faster and takes rough functions, so it is preferred to the polynomials of between.go.

package equation

import (
	"context"
	"fmt"
	"slices"

	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// parity is the effect of a reflection on an expression.
type parity = grid.Parity

const (
	neither parity = 0
	even           = grid.Even
	odd            = grid.Odd
)

// fold returns the periodic problem of which an equation between sides is a part, with the parities of its fields, of which
// the first one is the input's; ok is false if there is none.
func (s *evolution) fold() (whole Problem, fields []parities, ok bool) {
	if s.Coefficient != "" || s.lacksInitial() {
		return whole, nil, false
	}
	fields = make([]parities, len(s.rows))
	for axis := range s.domain.Dims {
		along, ok := s.foldAlong(axis)
		if !ok {
			return whole, nil, false
		}
		for f, p := range along {
			fields[f][axis] = p
		}
	}
	whole = s.Problem
	whole.Left = ""
	whole.Right = ""
	whole.Bottom = ""
	whole.Top = ""
	whole.Length *= 2
	whole.Points = 2*(s.Points-1) + 1
	return whole, fields, true
}

// lacksInitial reports whether fields begin with nothing that is known.
func (s *evolution) lacksInitial() bool {
	return s.Initial == "" && len(s.Fields) > 1 && len(s.values) == 0
}

// isQuasilinear reports whether the diffusion of a field depends on the solution.
func (s *evolution) isQuasilinear() bool {
	return slices.ContainsFunc(s.rows, func(r row) bool { return r.quasi != 0 })
}

// foldAlong returns the parities of all fields if the equation commutes with the reflection along an axis. That of the first
// one is the input's.
func (s *evolution) foldAlong(axis int) (fields []parity, ok bool) {
	if s.isPeriodic(axis) {
		return nil, false
	}
	fields = make([]parity, len(s.rows))
	for f := range s.Fields {
		p, known := s.parityOf(f, axis)
		if !known {
			return nil, false
		}
		fields[f] = p
	}
	return s.withInitial(fields, axis)
}

// withInitial completes parities of fields along an axis; ok is false if the equation or its initial values have no such
// reflection.
func (s *evolution) withInitial(fields []parity, axis int) (all []parity, ok bool) {
	if s.clock {
		fields[len(s.rows)-1] = even
	}
	fields = s.completed(fields, 0, axis)
	if fields == nil {
		return nil, false
	}
	input := fields[0] // the first field begins with the input
	for f, value := range s.values {
		p := value.parity([]parity{input}, axis)
		isZero := len(value) == 0 // has both
		if p != fields[f] && !isZero {
			return nil, false
		}
	}
	return fields, true
}

// parityOf returns the parity of a field by its conditions, neither if it has none. It is known unless conditions have
// values, several terms, or other parities.
func (s *evolution) parityOf(field, axis int) (p parity, known bool) {
	var hasNear, hasFar bool
	for _, c := range s.conditionsOf(field, axis) {
		of := c.parity()
		contradicts := p != neither && p != of
		if of == neither || contradicts {
			return neither, false
		}
		p = of
		if c.far {
			hasFar = true
		} else {
			hasNear = true
		}
	}
	return p, hasNear == hasFar
}

// parity returns the parity of functions that satisfy a condition, neither if it is that of no reflection.
func (c condition) parity() parity {
	isReflection := c.isHomogeneous() && len(c.terms) == 1 && !c.hasFlux()
	switch {
	case !isReflection:
		return neither
	case c.order()%2 == 1:
		return even
	}
	return odd // has no value, and no even derivative, where it is reflected
}

// foldAt returns the parities of all fields on an interval if the equation commutes with the reflection at one of its ends.
func (s *evolution) foldAt(far bool) (fields []parity, ok bool) {
	fields = make([]parity, len(s.rows))
	for _, c := range s.conditions {
		if c.far != far {
			continue
		}
		of := c.parity()
		before := fields[c.field]
		contradicts := before != neither && before != of
		if of == neither || contradicts {
			return nil, false
		}
		fields[c.field] = of
	}
	return s.withInitial(fields, 0)
}

// completed returns parities of all fields with which every equation commutes, from those of the first ones; nil if there
// are none.
func (s *evolution) completed(fields []parity, from, axis int) []parity {
	for f := from; f < len(s.Fields); f++ {
		if fields[f] != neither {
			continue
		}
		for _, p := range []parity{even, odd} {
			tried := slices.Clone(fields)
			tried[f] = p
			if done := s.completed(tried, f+1, axis); done != nil {
				return done
			}
		}
		return nil
	}
	for i := range s.Fields {
		if !s.rows[i].commutes(fields, fields[i], axis) {
			return nil
		}
	}
	return fields
}

// commutes reports whether the terms of an equation have its parity, for those of the fields, and its mass changes none.
func (r row) commutes(fields []parity, own parity, axis int) bool {
	for _, t := range r.mass {
		if t.op.along(axis)%2 == 1 {
			return false
		}
	}
	for _, t := range r.linear {
		if t.op.parity(fields[t.field], axis) != own {
			return false
		}
	}
	for _, q := range r.rest {
		inner := q.term.parity(fields, axis)
		if q.op.parity(inner, axis) != own {
			return false
		}
	}
	return true
}

// parity returns the parity of the operator on an expression. The mean of an odd function on the torus is not that
// between the ends.
func (o operator) parity(of parity, axis int) parity {
	if o.mean && of != even {
		return neither
	}
	if o.along(axis)%2 == 1 {
		return -of
	}
	return of
}

// parity returns the parity of a sum, neither if its terms differ. Zero is even.
func (p poly) parity(fields []parity, axis int) parity {
	if len(p) == 0 {
		return even
	}
	first := p[0].parity(fields, axis)
	for _, t := range p[1:] {
		if t.parity(fields, axis) != first {
			return neither
		}
	}
	return first
}

// Functions by their parity; others have none for odd arguments.
var (
	oddFunctions  = []string{"sin", "tan", "tanh", "sinh", "sign", "erf"}
	evenFunctions = []string{"cos", "cosh", "abs"}
)

// parity returns the parity of a term for those of the fields. Expressions of x have none.
func (t term) parity(fields []parity, axis int) parity {
	p := even
	for _, f := range t.factors {
		of := neither
		switch f.kind {
		case fieldAtom:
			of = f.op.parity(fields[f.index], axis)
		case operAtom:
			of = f.op.parity(f.arg.parity(fields, axis), axis)
		case funcAtom:
			of = parityOfFunction(f.name, f.arg.parity(fields, axis))
		}
		if of == neither {
			return neither
		}
		if f.power%2 == 1 {
			p *= of
		}
	}
	return p
}

// parityOfFunction returns the parity of a function for that of its argument.
func parityOfFunction(name string, argument parity) parity {
	switch {
	case argument == even:
		return even
	case argument == odd && slices.Contains(evenFunctions, name):
		return even
	case argument == odd && slices.Contains(oddFunctions, name):
		return odd
	}
	return neither
}

// foldedWorker solves between sides by the periodic solver on the torus.
type foldedWorker struct {
	whole  *worker
	domain grid.Domain // between the sides
	input  [2]parity
}

// Steps counts the time steps of the last solution.
func (w *foldedWorker) Steps() int { return w.whole.Steps() }

// Reached returns the time up to which the last solution went.
func (w *foldedWorker) Reached() float64 { return w.whole.Reached() }

// Solve implements truth.Worker.
func (w *foldedWorker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	whole := a.Doubled(w.input[:w.domain.Dims]...)
	solutions := make([]grid.Batch, len(outputs))
	for j := range solutions {
		solutions[j] = whole.Like(a.Count)
	}
	err := w.whole.Solve(ctx, solutions, whole, times, label)
	for j, u := range solutions {
		copy(outputs[j].Data, u.Halved(w.domain).Data)
	}
	return err
}

// newSidesWorker returns a worker of an equation between sides.
func (s *evolution) newSidesWorker(first *resolution) truth.Worker {
	if s.folded != nil && s.folded.reflected != nil {
		return s.folded.newWorker()
	}
	if s.folded != nil {
		return &foldedWorker{
			whole:  s.folded.newWorker(),
			domain: s.domain,
			input:  s.input,
		}
	}
	return newEndsWorker(s, first)
}

// Parities returns how inputs and outputs of an equation on an interval with ends continue to the periodic problem that it is
// a part of. There it commutes with translations; ok is false if it is no part of one. An equation that is not solved on the
// torus may be a part of one that is four times as long, if it commutes with other reflections at each end.
func (p Problem) Parities() (input, output grid.Ends, ok bool) {
	if !p.Bounded() || p.Dims > 1 {
		return input, output, false
	}
	s := newSolver(p)
	if s.err != nil || s.Steady() {
		return input, output, false
	}
	if s.folded == nil {
		return s.mixedParities()
	}
	fields, ok := s.foldAlong(0)
	if !ok {
		return input, output, false
	}
	input = grid.Ends{Near: fields[0], Far: fields[0]}
	output = grid.Ends{Near: fields[s.output], Far: fields[s.output]}
	return input, output, true
}

// mixedParities is Parities for an equation that has other reflections at each end.
func (s *evolution) mixedParities() (input, output grid.Ends, ok bool) {
	if s.Coefficient != "" || s.lacksInitial() {
		return input, output, false
	}
	near, okNear := s.foldAt(false)
	far, okFar := s.foldAt(true)
	if !okNear || !okFar {
		return input, output, false
	}
	input = grid.Ends{Near: near[0], Far: far[0]}
	output = grid.Ends{Near: near[s.output], Far: far[s.output]}
	return input, output, input.Near != input.Far
}

// Scheme returns how an equation between sides is discretised, in words; "" for periodic ones and wrong ones.
func (p Problem) Scheme() string {
	if !p.Bounded() {
		return ""
	}
	s := newSolver(p)
	if s.err != nil {
		return ""
	}
	if s.folded == nil {
		sizes := s.sizes()
		lowest := sizes[0] - 1
		highest := sizes[len(sizes)-1] - 1
		text := fmt.Sprintf("Legendre polynomials of degree %d to %d between the sides, as the tolerance requires", lowest, highest)
		if c := s.violated(); c != nil {
			text += fmt.Sprintf("; initial values violate %s at the %s, which takes more polynomials and steps", c.text, c.name)
		}
		return text
	}
	inX := s.input[0].String()
	inY := s.input[1].String()
	const whole = "of a periodic problem on twice the length"
	switch {
	case s.domain.Dims == 1:
		return "the " + inX + " half " + whole
	case inX == inY:
		return "the " + inX + " quarter " + whole
	}
	return "the quarter, " + inX + " in x and " + inY + " in y, " + whole
}
