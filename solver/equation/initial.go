package equation

import "math"

// Initial is an initial value: a function of the input a and of x (and y).
type Initial struct{ value poly }

// Initial parses an expression in a, x (and y) and the system's parameters. Errors are *Error.
func (s *System) Initial(text string) (_ Initial, err error) {
	defer catch(&err)
	r, n := readExpression("initial value", text)
	if d := s.scope.definition["a"]; d != nil {
		d.fail(0, "choose another name", "a is the input where initial values are given")
	}
	return Initial{s.scope.lower(r, n)}, nil
}

// At returns the value at the point x if the input is a there.
func (i Initial) At(a float64, x [2]float64) float64 { return i.value.eval(a, x) }

func (p poly) eval(a float64, x [2]float64) float64 {
	sum := 0.0
	for _, t := range p {
		v := t.c
		for _, f := range t.factors {
			v *= math.Pow(f.eval(a, x), float64(f.power))
		}
		sum += v
	}
	return sum
}

func (f *atom) eval(a float64, x [2]float64) float64 {
	switch {
	case f.kind == fieldAtom:
		return a
	case f.kind == coordAtom:
		return x[f.index]
	}
	return f.values()(f.arg.eval(a, x))
}
