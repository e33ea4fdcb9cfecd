// This file differentiates expressions: by time, for values of conditions, and by fields, for Newton's method.

package equation

import (
	"fmt"
	"math"
	"slices"
)

// by returns the derivative of an expression by an atom, in the sense of a function of several variables.
func (p poly) by(key string) poly {
	var sum []term
	for _, t := range p {
		for i, f := range t.factors {
			inner := f.by(key)
			if len(inner) == 0 {
				continue
			}
			others := t.besides(i)
			for _, d := range inner {
				sum = append(sum, others.times(d))
			}
		}
	}
	return collect(sum)
}

// besides returns what the product rule leaves of a term where one of its factors is differentiated: the others, the powers
// of this one but one, and their number.
func (t term) besides(i int) term {
	f := t.factors[i]
	others := term{c: t.c * float64(f.power), at: t.at}
	others.factors = append(others.factors, t.factors[:i]...)
	if f.power > 1 {
		others.factors = append(others.factors, factor{f.atom, f.power - 1})
	}
	others.factors = append(others.factors, t.factors[i+1:]...)
	return others.keyed()
}

// by returns the derivative of a factor without its power. Operators on expressions are no functions of their atoms; see
// linearised.
func (f factor) by(key string) poly {
	if f.key == key {
		return constant(1, 0)
	}
	if f.kind != funcAtom {
		return nil
	}
	inner := f.arg.by(key)
	if len(inner) == 0 {
		return nil
	}
	return multiplied(f.slope(), inner)
}

// multiplied returns the product of two expressions.
func multiplied(p, q poly) poly {
	var terms []term
	for _, s := range p {
		for _, t := range q {
			terms = append(terms, s.times(t))
		}
	}
	return collect(terms)
}

// slope returns the derivative of a function at its argument.
func (a *atom) slope() poly {
	of := func(name string) poly { return funcOf(name, a.arg, 0) }
	square := func(p poly) poly { return multiplied(p, p) }
	switch a.name {
	case "sin":
		return of("cos")
	case "cos":
		return of("sin").times(-1)
	case "tan":
		return constant(1, 0).plus(square(of("tan")))
	case "exp":
		return of("exp")
	case "log":
		return power(a.arg, -1, 0)
	case "sqrt":
		return power(a.arg, -0.5, 0).times(0.5)
	case "tanh":
		return constant(1, 0).plus(square(of("tanh")).times(-1))
	case "abs":
		return of("sign")
	case "sinh":
		return of("cosh")
	case "cosh":
		return of("sinh")
	case "erf":
		return funcOf("exp", square(a.arg).times(-1), 0).times(2 / math.SqrtPi)
	case "sign", "H":
		return nil
	}
	var exponent float64
	if _, err := fmt.Sscanf(a.name, "pow%g", &exponent); err != nil {
		panic("equation: no derivative of " + a.name)
	}
	return power(a.arg, exponent-1, 0).times(exponent)
}

// jumps reports whether an expression has a function that is not continuous.
func (p poly) jumps() bool {
	return slices.ContainsFunc(p, func(t term) bool {
		return slices.ContainsFunc(t.factors, func(f factor) bool {
			return f.name == "sign" || f.name == "H" || f.arg.jumps()
		})
	})
}
