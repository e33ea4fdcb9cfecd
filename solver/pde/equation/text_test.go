package equation

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rfm/config"
)

// badTexts are lines (split at ;) that must be refused with a position.
var badTexts = []string{
	"", "u", "u_t", "u_t =", "= u_xx", "u_t = ", "u_t = nu*", "u_t = u(u_x)", "u_t = 2 3*u_xx", "u_t = (u)_z",
	"u_t = (u)_y", "u_t = u _x",
	"u_t = (u_xx", "u_t = u_xx)", "u_t = u_xx = 0",
	"u_t = ux", "u_t = nuu_xx", "u_t = u_xz", "u_t = u_y", "u_t = u_", "u_t = u__x",
	"u_t = u_ttt", "u_tt + v_tt = 0", "u_t + c_t = 0", "u_tt + udot = 0; udot = 3", "u_t = max(u)", "u_t = max(u, u, u)",
	"u_t = sin(u, 1)", "u_t = u >= 1", "u_t = u if x < 1", "u_t = mean", "u_t = max u", "u_t = lap u",
	"dx(u*u_t) = u", "u_t = v", "u_t = u_xx; u_t = u", "u_t = u_xx; u = 2",
	"u_t*u = u_xx", "u_t + u_t*u = 0", "sin(u_t) = u", "u_t - u_t = u_xx", "u_t + v_t = u", "u_t = sin u",
	"u_t = sin(u", "u_t = sin(u, u)", "u_t = sin()", "u_t = sinn(u)", "u_t = foo(u)", "u_t = u'", "u_t = ∂u",
	"u_t = u² + u_xx", "u_t = u_xx − u", "u_t = [u]", "u_t = u..5", "u_t = 1.2.3*u", "u_t = 1e999*u", "u_t = u/0",
	"u_t = u/(1-1)", "u_t = u^^2", "u_t = u**", "u_t = u*/u", "u_t = a; a = b; b = a", "a = a; u_t = a",
	"sin_t = u", "x_t = 1",
	"u_t = u_xxxxxxxxxx", "u_t = dx(dx(dx(dx(dx(dx(dx(dx(dx(u)))))))))", "u_t = (1+u)^12*(1+u_x)^12*(1+u_xx)^12",
	"u_t=u;v_t=v;w_t=w;q_t=q;r_t=r", "u_t = log(0)*u", "u_t = \x00", "u_t = \xff\xfe", "u_t = e^x*u",
	"u_t = i*u_xx",
	"u_t = " + strings.Repeat("(",
		500) + "u" + strings.Repeat(")", 500), "u_t = " + strings.Repeat("-", 1500) + "u", "u_t = " +
		strings.Repeat("u*", 900) + "u", "u_t = " + strings.Repeat("u+", 5000) + "u",
	"u_t = nu*u_xx - u*u_x; nu_t = 3", "u_t = t_x", "u_t = random*u", "u_t = if(u>0,1,2)", "u_t = u_xx, v_t = v",
	"u.x", "u_t = dy(u)",
}

// badOnGrid contains texts that parse but cannot be solved on any grid.
var badOnGrid = []string{
	"u_t = -u_xx", "u_t = u_xxxx", "u_t = u_xx + u_xxxx", "u_t = ilap(u_xxxx)*(-1)", "u_t = u_xx + u*u_xxx",
	"u_t = dx(u^3*u_xxx) - u_xx*0", "u_t = v_x; v_t = -u_x", "u_t = -v_xx; v_t = -u_xx",
	"u_t = x*u_x", "u_t = u_xx + x", "u_t = log(x)*u", "u_t = sqrt(x-1)*u", "u_t = 1/x",
	"u_t = nu*u_xx - u*u_xxxx"}

// bomb returns definitions whose size grows by a factor of a hundred with each line.
func bomb() string {
	text, name := "u_t = z", "u"
	for _, next := range []string{"a", "b", "c", "d", "f", "g", "z"} {
		text += "; " + next + " = 0"
		for i := range 100 {
			text += fmt.Sprintf("+sin(%d*%s)", i, name)
		}
		name = next
	}
	return text
}

func check(text, parameters string) error {
	return problem(1, 32, 1, 1e-6, text, parameters).Check()
}

func TestBadTextsAreRefusedWithTheirPlace(t *testing.T) {
	for _, text := range append(append(badTexts, badOnGrid...), bomb()) {
		if err := check(text, "nu = 0.01"); !placed(err) {
			t.Errorf("%q: got %v, want an error with its place", text, err)
		}
	}
}

// Rounding errors of eigenvalues that coincide are no growth.
func TestFieldsWithTheSameSymbolAreAccepted(t *testing.T) {
	for _, text := range []string{"u_t = -u_xxx; v_t = -v_xxx + 3*u_x",
		"u_t = v_x - u_xxx; v_t = w_x - v_xxx; w_t = -w_xxx"} {
		if err := check(text, ""); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

const wrong = "equation.text is wrong: " // begins all messages

func TestMessagesHelp(t *testing.T) {
	for text, want := range map[string]string{
		"u_t = nu*u_xx if u": "line 1, column 15: an operator is missing before if; write H(x - 0.5) for a condition",
		"u_t = u*(t >= 1)":   "line 1, column 12: there are no comparisons; write H(t - 1.1) for t >= 1.1",
		"dt(u) = u_xx":       "line 1, column 1: dt(u) is not a rate of change; write u_t",
		"u_t = max(u)":       "line 1, column 7: max takes two expressions; write max(u, 0)",
		"u_t = uxx":          "line 1, column 7: uxx is not known; write u_xx for a derivative",
		"u_t = mu*u_xx": "line 1, column 7: mu is not known; is it nu? Else give it a value (--set mu=...), or a line of " +
			"its own",
		"u_t = u² + u":  "line 1, column 8: '²' is not understood; write ^2",
		"u_t = nu*u_xy": "line 1, column 13: there is no y on the interval; set equation.dims = 2",
		"u_t = u_ttt":   "line 1, column 10: only first derivatives in t of fields are solved; write a system: u_t = v, v_t = ...",
		"u_t = x*u_x":   "line 1, column 9: the coefficient is not smooth where the torus closes; write it with sin and cos",
		"u_t = u_xx + u*u_xxx": "line 1, column 16: this term has derivatives of order 3, the linear part dissipates with " +
			"order 2: no step is stable; add a linear term of order 4, as in -1*nu*u_xxxx",
		"u_t = -u_xx":           "line 1, column 8: short waves grow without bound (e^",
		"u_t = u*ln(u)":         "line 1, column 9: ln is not a function; write log(u)",
		"du/dt = nu*u_xx":       "line 1, column 1: du/dt is not a rate of change; write u_t",
		"2*dv1 / dt = nu*v1_xx": "line 1, column 3: dv1 / dt is not a rate of change; write v1_t",
		"u_t = 3..2*u":          "line 1, column 7: 3..2 is a range; give one number, and ranges to --vary",
		"u_t = Laplacian(u)":    "line 1, column 7: Laplacian is not a function; is it laplacian?",
		"u_t = diff(u)":         "line 1, column 7: diff is not a function; write dx(u)",
		"u_t = d2u/dx2":         "line 1, column 7: d2u is not known; write u_x and u_xx for derivatives",
		"u_t = sinu(u)":         "line 1, column 7: sinu is not a function; is it sin? Else there are H abs cos",
		"u_t = u(1-u)":          "line 1, column 7: u is not a function; write u*(",
		"u_t = -(1 + dxx)^2 u":  "line 1, column 13: dxx is a function; write dxx(u); sums of operators are written out: (1 + dxx)^2 u is u + 2*u_xx + u_xxxx",
		"u_t = u_xx - v_x*u; 0 = v_xx + u - v": "line 2, column 1: v has no derivative in t, and other fields have one; " +
			"write v_t = 100*(v_xx + u - v): so it follows within a time of 0.01",
		"c_p*u_t = u_xx":    "line 1, column 1: c_p is not known, and after _ stand derivatives; write cp",
		"u_t = sin*u":       "line 1, column 7: sin is a function; write sin(u)",
		"u_t = y*u":         "line 1, column 7: y is not known; set equation.dims = 2: there is no y on the interval",
		"u*u_t = u_xx":      "line 1, column 3: u_t has a factor; divide the equation by its factor",
		"u_t = u_t*2 - u_t": "line 1, column 1: u_t cancels",
		"u_t + u_xxt/(4*pi^2) = u": "line 1, column 7: the operator on u_t vanishes for the wavenumber [6.283]; " +
			"change a coefficient or equation.length",
		"i*u_t = u_xx":    "line 1, column 1: i is not known; there is no imaginary unit: write an equation for the",
		"u(0) = sin(x)":   "line 1, column 1: nothing evolves here; write u_t = ... for a field, p = ... for a name; initial",
		"u_t = nu*u_{xx}": "line 1, column 12: '{' is LaTeX; write u_t = nu*u_xx",
		"u_t = u; p=q":    "line 2, column 3: q is not known",
		"u_t = u_xx, u(0)=0": "line 1, column 11: the text should have ended before ,; write ; between lines, and " +
			"conditions at the ends as equation.left and equation.right",
		"u(0) = 0; u_t = u_xx": "line 1, column 1: nothing evolves here; write u_t = ... for a field, p = ... for a " +
			"name; initial values are equation.initial, conditions at the ends equation.left and equation.right",
		"u_t ~ u_xx":  "line 1, column 5: '~' is not understood; write =",
		"u_t = u; b=": "line 2, column 3: a number, a name or ( is missing before the end",
	} {
		if err := check(text, "nu = 0.01"); err == nil || !strings.HasPrefix(err.Error(), wrong+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for value, want := range map[string]string{"0.01*z": "11: z is not known", "1 # c": "8: '#' is not understood",
		"v_t": "1: a parameter has no derivative in t", "u_t": "1: a parameter has no derivative in t"} {
		if err := check("u_t = nu*u_xx", "nu = "+value); err == nil ||
			!strings.HasPrefix(err.Error(), wrong+`parameter "nu", column `+want) {
			t.Errorf("%s: got %v, want column %s", value, err, want)
		}
	}
}

// The mark is below the position, and both lines are indented as continuations of messages.
func TestMarkIsBelowThePlace(t *testing.T) {
	if err := check("u_t = nu*u_xy", "nu = 0.01"); err == nil ||
		!strings.HasSuffix(err.Error(), "\n  u_t = nu*u_xy\n"+"              ^") {
		t.Error(err)
	}
}

// Every text is refused with its position or solved, with little work: the bound is on the memory that is allocated on
// the way, which does not depend on how busy the machine is.
func FuzzText(f *testing.F) {
	for _, s := range append(badTexts, badOnGrid...) {
		f.Add(s, "a")
	}
	for _, c := range Claims() {
		f.Add(c.Text, "tanh(a)*sin(2*pi*x)")
	}
	f.Add("u_t = (u + sin(u)*v_x)^7 - lap(lap(u))/(1+v^2);v_t = exp(u)^0.5*dx(v_x*u); p = q*q; q = p2^3; p2 = u+v+1",
		"a/x")
	f.Add("u_t = dx(exp(c*u)*u_x) + sin(t)*c_x", "a^0.5")
	f.Fuzz(func(t *testing.T, text, initial string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p := problem(1, 16, 1, 1e-6, text, "nu = 0.01; c = "+randomInput)
		err := p.Check()
		if err == nil && !p.Steady() {
			w := load(newSolver(p), func(_, l int, _ [2]float64) float64 { return float64(l) })
			w.plan.rest(w.image, w.u)
			_, err = atInput(p, initial, 1)
		}
		if err != nil && !placed(err) && !strings.HasPrefix(err.Error(), "equation.initial has") {
			t.Fatalf("%q, %q: got %v, want an error with its place", text, initial, err)
		}
		runtime.ReadMemStats(&after)
		if work := after.TotalAlloc - before.TotalAlloc; work > 1<<28 {
			t.Fatalf("%q allocates %d MiB", text, work>>20)
		}
	})
}

// Names of functions and operators cannot be names of parameters, also in settings made from texts.
func TestWordsOfTheLanguageAreReserved(t *testing.T) {
	known := slices.Concat(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(operators)),
		[]string{"x", "y", "t", "pi", "max", "min", randomInput})
	for _, word := range known {
		if !slices.Contains(config.Reserved, word) {
			t.Errorf("%s is a word of the language, config.Reserved lacks it", word)
		}
	}
	for _, word := range config.Reserved {
		if check("u_t = u_xx", word+" = 1") == nil || check(word+"_t = 1", "") == nil {
			t.Errorf("%s can be a parameter or a field", word)
		}
		if !slices.Contains(known, word) && check("u_t = "+word+"*u", "") == nil {
			t.Errorf("%s is reserved for nothing", word)
		}
	}
}

// atInput returns an initial value at the points where the input is a, in the first lane.
func atInput(p Problem, text string, a float64) (float64, error) {
	p.Initial = strings.Repeat(text+";", strings.Count(p.Initial, ";"))
	s := newSolver(p)
	if s.err != nil {
		return 0, s.err
	}
	w := s.newWorker()
	for i := range w.input {
		w.input[i] = a
	}
	w.initial.toPoints(nil)
	return w.starts[0][block], nil
}

// A derivative may stand behind a parenthesis, and the sign of a product be left out behind a number.
func TestTextsAsInBooks(t *testing.T) {
	solution := func(text string) [][]float64 {
		return values(solve(t, solver(t, 2, 32, 1, 1e-6, text), 0.02, func(_, l int, x [2]float64) float64 {
			return math.Sin(2*math.Pi*x[0]+float64(l)) * math.Cos(2*math.Pi*x[1])
		}))
	}
	for text, plain := range map[string]string{
		"u_t + (u^2/2)_x = 0.1 lap(u)":             "u_t = -dx(u^2/2) + 0.1*lap(u)",
		"u_t = 1/8 lap(u) + .1 sin(u)_xy":          "u_t = lap(u)/8 + .1*dx(dy(sin(u)))",
		"2 u_t = 0.2u_yy - u^2(1 + u)":             "u_t = 0.1*u_yy - u^2*(1 + u)/2",
		"u_t = 0.1 laplace(u) - u**3":              "u_t = 0.1*lap(u) - u^3",
		"u_t = 0.1 d2_dx2(u) + u d_dy(u)":          "u_t = 0.1*u_xx + u*u_y",
		"u_t = 0.1 lap(u) + u (1 - u) u":           "u_t = 0.1*lap(u) + u*(1 - u)*u",
		"u_t = 0.1 lap(u) + mean(3)*u + mean(u)_x": "u_t = 0.1*lap(u) + 3*u",
	} {
		if got, want := solution(text), solution(plain); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is not %s", text, plain)
		}
	}
}

// Functions of the language have the values of their definitions.
func TestFunctions(t *testing.T) {
	for text, want := range map[string]func(u float64) float64{
		"max(u, 0.3)": func(u float64) float64 { return max(u, 0.3) }, "min(u, 1-u)": func(u float64) float64 { return min(u, 1-u) },
		"sinh(u)": math.Sinh, "cosh(u)": math.Cosh, "sign(u - 0.5)": func(u float64) float64 { return math.Copysign(1, u-0.5) },
		"H(u - 0.5)": func(u float64) float64 { return (1 + math.Copysign(1, u-0.5)) / 2 }, "max(2, 3)*u": func(u float64) float64 { return 3 * u },
		"mean(u)": func(u float64) float64 { return u }, "mean(u^2)*u": func(u float64) float64 { return u * u * u },
	} {
		const time = 1e-3
		w := solve(t, solver(t, 1, 16, 1, 1e-9, "u_t = "+text), time, func(_, l int, _ [2]float64) float64 { return float64(l) / 4.7 })
		for l, u := range w.onPoints(0)[:block] {
			first := float64(l) / 4.7
			if rate := (u - first) / time; math.Abs(rate-want(first)) > 5e-3*(1+math.Abs(want(first))) {
				t.Errorf("%s: %g at %g, want %g", text, rate, first, want(first))
			}
		}
	}
	// the mean is over the torus: u = 1 + sin decays to it
	w := solve(t, solver(t, 1, 16, 1, 1e-9, "u_t = 5*(mean(u) - u)"), 1, func(_, l int, x [2]float64) float64 {
		return float64(l) + math.Sin(2*math.Pi*x[0])
	})
	for i, u := range w.onPoints(0) {
		want := float64(i%block) + math.Exp(-5)*math.Sin(2*math.Pi*w.points[i/block][0])
		if math.Abs(u-want) > 1e-7 {
			t.Fatalf("%g, want %g", u, want)
		}
	}
}

// An equation of second order in t is a system for the field and its velocity, which begins at rest or as it is told.
func TestSecondOrderInTimeIsASystem(t *testing.T) {
	solution := func(text, initial string) []float64 {
		p := Problem{config.Equation{Text: text, Initial: initial, Length: 1, Time: 0.3, Tolerance: 1e-9},
			config.Field{Tau: 12, Alpha: 12, Scale: 1}, 65, 1}
		w, err := gaussian(t, p)
		noError(t, err)
		return w.onPoints(0)
	}
	want := solution("u_t = v; v_t = u_xx - 0.5*v - sin(u)", "a; 0")
	for _, initial := range []string{"", "a", "a; 0", "u = a", "u(0) = a; u_t(0) = 0", "u_t(0) = 0; u(0) = a"} {
		if got := solution("u_tt + 0.5*u_t = u_xx - sin(u)", initial); !reflect.DeepEqual(got, want) {
			t.Errorf("initial %q: another solution than the system", initial)
		}
	}
	want = solution("u_t = v; v_t = u_xx + 0.01*v_xx", "0; a^2")
	if got := solution("u_tt = u_xx + 0.01*u_xxt", "u_t(0) = a^2; u(0) = 0"); !reflect.DeepEqual(got, want) {
		t.Error("with a velocity: another solution than the system")
	}
	for _, wrong := range []string{"w = a", "u = a; u = 0", "a; 0; 0", "u_t(0) = 0"} {
		p := problem(1, 16, 1, 1e-6, "u_tt = u_xx", "")
		p.Initial = wrong
		if err := p.Check(); err == nil || !strings.HasPrefix(err.Error(), "equation.initial") {
			t.Errorf("%q: got %v, want an error of equation.initial", wrong, err)
		}
	}
}

func TestInitialValues(t *testing.T) {
	p := problem(1, 16, 8, 1e-6, "u_t = k*u_xx", "k = 3")
	for text, want := range map[string]float64{"a": 2, "k": 3, "0": 0, "a^2 + sin(x)": 4 + math.Sin(0.5),
		"1/(1 + exp(-a))": 1 / (1 + math.Exp(-2)), "2^a": 4} {
		if v, err := atInput(p, text, 2); err != nil || math.Abs(v-want) > 1e-15 {
			t.Errorf("%s: got %v, %v, want %v", text, v, err, want)
		}
	}
	for _, text := range []string{"b", "a_x", "dx(a)", "u", "lap(a)", "t", "a +", "y"} {
		if _, err := atInput(p, text, 2); !placed(err) {
			t.Errorf("%q: got %v, want an error with its place", text, err)
		}
	}
}

// Lines of LaTeX are answered with lines that work.
func TestLaTeXIsAnsweredWithItsEquation(t *testing.T) {
	for line, want := range map[string]string{
		`\partial_t u = \nu u_{xx}`: "u_t = nu u_xx",
		`\frac{\partial u}{\partial t} = \nu \frac{\partial^2 u}{\partial x^2} - u u_x`: "u_t = nu u_xx - u u_x",
		`u_t = \Delta u - u^{3}`: "u_t = lap(u) - u^(3)",
	} {
		err := problem(1, 32, 1, 1e-6, line, "nu = 0.01").Check()
		if err == nil || !strings.Contains(err.Error(), "; write "+want+"\n") {
			t.Errorf("%s: got %v, want the advice to write %s", line, err, want)
		}
		noError(t, problem(1, 32, 1, 1e-6, want, "nu = 0.01").Check())
	}
}
