// This file gives names their meanings.

package equation

import (
	"maps"
	"math"
	"slices"
	"strings"

	"rfm/config"
)

// scope maps names to their meanings.
type scope struct {
	dims        int
	fields      []string
	definitions map[string]*reader // of parameters, and of lines without _t
	clock       bool               // whether t occurs: it is a field that follows the others
	steady      bool               // whether equations have no derivative in t
	initial     bool               // whether it is of initial values, where the only field is the input
	accelerated []string           // fields with a second derivative in t
}

var functions = map[string]func(float64) float64{
	"sin":  math.Sin,
	"cos":  math.Cos,
	"tan":  math.Tan,
	"exp":  math.Exp,
	"log":  math.Log,
	"sqrt": math.Sqrt,
	"tanh": math.Tanh,
	"abs":  math.Abs,
	"sinh": math.Sinh,
	"cosh": math.Cosh,
	"erf":  math.Erf,
	"sign": sign,
	"H":    heaviside,
}

// sign returns -1, 0 or 1.
func sign(x float64) float64 {
	if x == 0 || math.IsNaN(x) {
		return x
	}
	return math.Copysign(1, x)
}

// heaviside returns 0 below zero, 1 above it, and 1/2 at zero.
func heaviside(x float64) float64 { return (1 + sign(x)) / 2 }

// operators maps the names of operators to sums of them.
var operators = map[string][]operator{
	"dx":        {{x: 1}},
	"dy":        {{y: 1}},
	"dxx":       {{x: 2}},
	"dyy":       {{y: 2}},
	"d_dx":      {{x: 1}},
	"d_dy":      {{y: 1}},
	"d2_dx2":    {{x: 2}},
	"d2_dy2":    {{y: 2}},
	"lap":       laplacian,
	"laplace":   laplacian,
	"laplacian": laplacian,
	"ilap":      {{inv: 1}},
	"mean":      {{mean: true}},
}

var laplacian = []operator{{x: 2}, {y: 2}}

// isFunction reports whether a name is that of a function or an operator.
func isFunction(name string) bool {
	isExtreme := name == "max" || name == "min"
	return isExtreme || functions[name] != nil || operators[name] != nil
}

// isCall reports whether a name begins a call: that of a function, of an operator, or of one in another language, so
// that the message about it says how it is written here.
func isCall(name string) bool {
	if isFunction(name) {
		return true
	}
	return len(name) > 1 && spelled[strings.ToLower(name)] != ""
}

// spelled maps words and characters of other languages, in small letters, to remedies.
var spelled = map[string]string{
	"ln":         "write log(u)",
	"if":         "write H(x - 0.5) for a condition: it is 0 below and 1 above 0",
	"heaviside":  "write H(u)",
	"where":      "write H(u) for a condition: it is 0 below and 1 above 0",
	"dt":         "write u_t",
	"gradient_x": "write dx(u)",
	"diff":       "write dx(u)",
	"dxxx":       "write u_xxx",
	"sgn":        "write sign(u)",
	"average":    "write mean(u)",
	"integral":   "write mean(u), times the length",
	"int":        "write mean(u), times the length",
	"grad":       "write dx(u)",
	"e":          "write exp(x)",
	"y":          "set equation.dims = 2: there is no y on the interval",
	"i": "there is no imaginary unit: write an equation for the real and one for the imaginary part, as in the preset " +
		"schroedinger",
	"noise": "noise is not solved: learn from paths that another program has made, as from any pairs of your own",
	"dW":    "noise is not solved: learn from paths that another program has made, as from any pairs of your own",
	"dw":    "noise is not solved: learn from paths that another program has made, as from any pairs of your own",
	"²":     "write ^2",
	"³":     "write ^3",
	"∂":     "write u_t, u_x or dx(u)",
	"~":     "write =",
	"·":     "write *",
	"−":     "write -",
	"ν":     "write nu",
	"\\":    "write nu, u_t, u_x",
	"π":     "write pi",
	"×":     "write *",
	"'":     "write u_t or u_x",
	"[":     "write (",
	"{":     "write u_xx for a derivative, ( for a parenthesis",
	"|":     "write abs(u)",
	"δ":     "write lap(u)",
	"∆":     "write lap(u)",
	"∇":     "write dx(u) and dy(u), or lap(u)",
}

// named returns the meaning of a name, which may have derivatives.
func (r *reader) named(t token) poly {
	base, suffix, derived := strings.Cut(t.text, "_")
	definition := r.definitions[base]
	field := slices.Index(r.fields, base)
	isField := field >= 0
	var p poly
	switch {
	case definition != nil:
		p = definition.value(r, base, t.at)
	case isField:
		p = derivativeOf(field, operator{}, t.at)
	case t.text == "pi":
		return constant(math.Pi, t.at)
	case t.text == "x", t.text == "y" && r.dims == 2:
		return single(&atom{kind: givenAtom, key: t.text}, t.at)
	case t.text == "t" && !r.initial:
		r.clock = true
		return derivativeOf(len(r.fields), operator{}, t.at)
	default:
		r.unknown(t)
	}
	r.failIf(derived && suffix == "", t.at, "u_x is one", "%s is no derivative", t.text)
	suffixAt := t.at + len(base) + 1
	return r.derived(p, isField, suffix, suffixAt)
}

// derived applies the derivatives of a suffix, which begins at a byte of the text, to a field or another expression.
func (r *reader) derived(p poly, isField bool, suffix string, at int) poly {
	for i, c := range suffix {
		at := at + i
		switch {
		case c == 'x' || c == 'y':
			p = r.call(token{kind: nameToken, at: at, text: "d" + string(c)}, p)
		case c == 't' && isField && p[0].factors[0].kind == fieldAtom:
			a := *p[0].factors[0].atom
			a.kind = timeAtom
			p = single(&a, p[0].at)
		case c == 't':
			r.fail(at, "write a system: u_t = v, v_t = ...", "only first derivatives in t of fields are solved")
		default:
			r.fail(at, "u_x, u_xx and u_xy are", "%q is no derivative", string(c))
		}
	}
	return p
}

// value returns the definition for a name in another text.
func (r *reader) value(in *reader, name string, at int) poly {
	in.failIf(r.busy, at, "", "%s is defined by itself", name)
	if !r.done {
		r.busy = true
		r.poly = r.last()
		r.busy = false
		r.done = true
	}
	p := slices.Clone(r.poly)
	for i := range p {
		p[i].at = at
	}
	return p
}

// calls returns the sorted names of functions and operators.
func calls() []string {
	names := []string{"max", "min"}
	names = slices.AppendSeq(names, maps.Keys(functions))
	names = slices.AppendSeq(names, maps.Keys(operators))
	slices.Sort(names)
	return names
}

// checkFunction fails if a name that precedes a parenthesis is neither a function nor an operator.
func (r *reader) checkFunction(t token) {
	if isFunction(t.text) {
		return
	}
	r.fail(t.at, r.remedyForCall(t.text), "%s is not a function", t.text)
}

// remedyForCall says what to write for a call of something that is not a function.
func (r *reader) remedyForCall(name string) string {
	isField := slices.Contains(r.fields, name)
	base, suffix, _ := strings.Cut(name, "_")
	isDerivative := strings.Trim(suffix, "xy") == "" && slices.Contains(r.fields, base)
	isCondition := r.name == conditionPlace
	ofZero := len(r.tokens) > 2 && r.tokens[1].kind == numberToken && r.tokens[2].kind == ')'
	switch {
	case isDerivative && isCondition: // u(0) = ..., or u_x(0, t) = ...
		return "write " + name + " without its place, which is the side"
	case isField && ofZero: // u(0) = ...
		return "initial values are equation.initial, such as sin(2*pi*x)*a"
	case slices.Contains(r.names(), name):
		return "write " + name + "*("
	}
	if remedy := spelled[strings.ToLower(name)]; remedy != "" {
		return remedy
	}
	known := calls()
	return nearest(name, known) + "there are " + strings.Join(known, " ")
}

// call returns a function of an expression, or an operator on it.
func (r *reader) call(t token, p poly) poly {
	if f := functions[t.text]; f != nil {
		if c, ok := p.constant(); ok {
			return constant(f(c), t.at)
		}
		return funcOf(t.text, p, t.at)
	}
	sum := operators[t.text]
	r.failIf(r.dims == 1 && sum[0].y > 0, t.at, "set equation.dims = 2", "there is no y on the interval")
	var out poly
	for _, o := range sum {
		if o.y == 0 || r.dims == 2 {
			out = out.plus(apply(o, p, t.at))
		}
	}
	return out
}

// names returns the names that have a value.
func (s *scope) names() []string {
	names := slices.Sorted(maps.Keys(s.definitions))
	names = append(names, s.fields...)
	return append(names, "x", "y", "t", "pi")
}

// unknown fails because of a name, and suggests a similar one.
func (r *reader) unknown(t token) {
	base, suffix, _ := strings.Cut(t.text, "_")
	remedy := "write " + base + "(u)"
	if base == "dxx" || base == "lap" {
		remedy += "; sums of operators are written out: (1 + dxx)^2 u is u + 2*u_xx + u_xxxx"
	}
	r.failIf(isFunction(base), t.at, remedy, "%s is a function", base)
	isDerivative := strings.Trim(suffix, "xyt") == ""
	r.failIf(!isDerivative, t.at, "write "+base+strings.ReplaceAll(suffix, "_", ""), "%s is not known, and after _ stand derivatives", t.text)
	r.fail(t.at, r.remedyForName(base, suffix), "%s is not known", base)
}

// remedyForName says what to write for a name without a meaning.
func (r *reader) remedyForName(base, suffix string) string {
	isRatio := base[0] == 'd' && slices.Contains(r.fields, strings.TrimLeft(base[1:], "23")) // du/dx
	if isRatio {
		return "write u_x and u_xx for derivatives"
	}
	if remedy := spelled[base]; remedy != "" {
		return remedy
	}
	names := r.names()
	if suffix == "" {
		if remedy := r.remedyForRun(base, names); remedy != "" {
			return remedy
		}
	}
	return nearest(base, names) + "give it a value (--set " + base + "=...), or a line of its own"
}

// remedyForRun says how to part a name that runs two together, as in ux and nuu; "" if none does.
func (r *reader) remedyForRun(name string, known []string) string {
	for i := 1; i < len(name); i++ {
		first := name[:i]
		second := name[i:]
		isDerivative := strings.Trim(second, "xy") == ""
		switch {
		case isDerivative && slices.Contains(r.fields, first):
			return "write " + first + "_" + second + " for a derivative"
		case slices.Contains(known, first) && slices.Contains(known, second):
			return "write " + first + "*" + second + " for a product"
		}
	}
	return ""
}

// nearest returns a question that suggests one of the known names, or "".
func nearest(name string, known []string) string {
	if best := config.Similar(name, known); best != "" {
		return "is it " + best + "? Else "
	}
	return ""
}
