// This file finds equations between two ends that are periodic ones in disguise. A field with u = 0 at both ends is odd on a
// torus twice as long, one with u_x = 0 even, if the equation commutes with the reflection. The periodic solver is faster
// and takes rough functions, so it is preferred to the points of interval.go.

package equation

import (
	"context"
	"slices"

	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// parity is the effect of a reflection on an expression.
type parity int

const (
	neither parity = 0
	even    parity = 1
	odd     parity = -1
)

// fold returns the periodic problem of which an equation between two ends is one half, with the parity of its input; ok
// is false if there is none.
func (s *evolution) fold() (whole Problem, input parity, ok bool) {
	if s.Coefficient != "" || s.Initial == "" && len(s.Fields) > 1 && len(s.values) == 0 {
		return whole, neither, false
	}
	fields := make([]parity, len(s.rows))
	for f := range s.Fields {
		p, known := s.parityOf(f)
		if !known {
			return whole, neither, false
		}
		fields[f] = p
	}
	if s.clock {
		fields[len(s.rows)-1] = even
	}
	if fields = s.completed(fields, 0); fields == nil {
		return whole, neither, false
	}
	input = fields[0]
	for f, value := range s.values {
		if p := value.parity([]parity{input}); p != fields[f] && len(value) > 0 {
			return whole, neither, false
		}
	}
	whole = s.Problem
	whole.Left = ""
	whole.Right = ""
	whole.Length *= 2
	whole.Points = 2*(s.Points-1) + 1
	return whole, input, true
}

// parityOf returns the parity of a field by its conditions, neither if it has none. It is known unless conditions have
// values, several terms, or other parities.
func (s *evolution) parityOf(field int) (p parity, known bool) {
	ends := [2]bool{}
	for _, c := range s.conditions {
		if c.field != field {
			continue
		}
		of := odd // an odd function has no value, and no even derivative, where it is reflected
		if c.order()%2 == 1 {
			of = even
		}
		if !c.isHomogeneous() || len(c.terms) != 1 || p != neither && p != of {
			return neither, false
		}
		p = of
		if c.right {
			ends[1] = true
		} else {
			ends[0] = true
		}
	}
	return p, ends[0] == ends[1]
}

// completed returns parities of all fields with which every equation commutes, from those of the first ones; nil if there
// are none.
func (s *evolution) completed(fields []parity, from int) []parity {
	for f := from; f < len(s.Fields); f++ {
		if fields[f] != neither {
			continue
		}
		for _, p := range []parity{even, odd} {
			tried := slices.Clone(fields)
			tried[f] = p
			if done := s.completed(tried, f+1); done != nil {
				return done
			}
		}
		return nil
	}
	for i := range s.Fields {
		r := s.rows[i]
		for _, t := range r.mass {
			if t.op.x%2 == 1 {
				return nil
			}
		}
		for _, t := range r.linear {
			if t.op.parity(fields[t.field]) != fields[i] {
				return nil
			}
		}
		for _, q := range r.rest {
			if q.op.parity(q.term.parity(fields)) != fields[i] {
				return nil
			}
		}
	}
	return fields
}

// parity returns the parity of the operator on an expression. The mean of an odd function on the torus is not that
// between the ends.
func (o operator) parity(of parity) parity {
	if o.mean && of != even {
		return neither
	}
	if o.x%2 == 1 {
		return -of
	}
	return of
}

// parity returns the parity of a sum, neither if its terms differ. Zero is even.
func (p poly) parity(fields []parity) parity {
	if len(p) == 0 {
		return even
	}
	first := p[0].parity(fields)
	for _, t := range p[1:] {
		if t.parity(fields) != first {
			return neither
		}
	}
	return first
}

// Functions by their parity; others have none for odd arguments.
var oddFunctions = []string{"sin", "tan", "tanh", "sinh", "sign"}
var evenFunctions = []string{"cos", "cosh", "abs"}

// parity returns the parity of a term for those of the fields. Expressions of x have none.
func (t term) parity(fields []parity) parity {
	p := even
	for _, f := range t.factors {
		of := neither
		switch f.kind {
		case fieldAtom:
			of = f.op.parity(fields[f.index])
		case operAtom:
			of = f.op.parity(f.arg.parity(fields))
		case funcAtom:
			of = f.arg.parity(fields)
			switch {
			case of == even || of == odd && slices.Contains(evenFunctions, f.name):
				of = even
			case of == odd && slices.Contains(oddFunctions, f.name):
			default:
				of = neither
			}
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

// foldedWorker solves between two ends by the periodic solver.
type foldedWorker struct {
	whole  *worker
	points int // between the ends
	input  parity
}

// Steps counts the time steps of the last solution.
func (w *foldedWorker) Steps() int { return w.whole.Steps() }

// Reached returns the time up to which the last solution went.
func (w *foldedWorker) Reached() float64 { return w.whole.Reached() }

// Solve implements truth.Worker.
func (w *foldedWorker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	whole := grid.NewBatch(w.whole.domain, w.whole.Points, a.Count)
	for l := range a.Count {
		continued(whole.At(l), a.At(l), w.input)
	}
	solutions := make([]grid.Batch, len(outputs))
	for j := range solutions {
		solutions[j] = whole.Like(a.Count)
	}
	err := w.whole.Solve(ctx, solutions, whole, times, label)
	for j, u := range solutions {
		for l := range a.Count {
			copy(outputs[j].At(l), u.At(l)[:w.points])
		}
	}
	return err
}

// continued continues a function between two ends to the torus twice as long.
func continued(whole, half []float64, p parity) {
	copy(whole, half)
	for i := range half {
		whole[len(whole)-1-i] = float64(p) * half[i]
	}
	if p == odd { // rounding errors of inputs
		whole[0] = 0
		whole[len(half)-1] = 0
		whole[len(whole)-1] = 0
	}
}

// newEndsWorker returns a worker of an equation between two ends.
func (s *evolution) newEndsWorker(first *resolution) truth.Worker {
	if s.folded != nil {
		return &foldedWorker{whole: s.folded.newWorker(), points: s.Points, input: s.input}
	}
	return newBoundedWorker(s, first)
}

// Scheme returns how an equation between two ends is discretised, in words; "" for periodic ones and wrong ones.
func (p Problem) Scheme() string {
	if !p.Bounded() {
		return ""
	}
	s := newSolver(p)
	switch {
	case s.err != nil:
		return ""
	case s.folded != nil && s.input == odd:
		return "the odd half of a periodic problem on twice the length"
	case s.folded != nil:
		return "the even half of a periodic problem on twice the length"
	}
	return "polynomials between the ends, by their values at up to 193 Chebyshev points"
}
