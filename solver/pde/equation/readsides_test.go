package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// meaning lists what the conditions on the left say of each field, without their order and factors.
func meaning(t *testing.T, text, left string) []string {
	t.Helper()
	fields := strings.Count(text, "_t")
	right := strings.Join([]string{"u = 0", "v = 0", "w = 0", "z = 0"}[:fields], "; ")
	if strings.Contains(text, "xxxx") || strings.Contains(text, "m_xx") {
		right = "u = 0; u_x = 0"
	}
	p := between(text, left, right, strings.Repeat("0;", fields), 1)
	p.Parameters = "k = 0; one = 1"
	s := newSolver(p)
	noError(t, errorOf(s))
	var lines []string
	for _, c := range s.conditions {
		if c.far {
			continue
		}
		leading := c.terms[0]
		for _, term := range c.terms {
			if term.op.order() > leading.op.order() {
				leading = term
			}
		}
		var terms []string
		for _, term := range c.terms {
			terms = append(terms, fmt.Sprintf("%.6g*%s_%s", term.c/leading.c, s.Fields[term.field], term.op))
		}
		slices.Sort(terms)
		value := c.value.evaluate(func(*atom) float64 { return 2 }) / leading.c // t = 2
		lines = append(lines, fmt.Sprintf("%s: %s = %.6g", s.Fields[c.field], strings.Join(terms, " + "), value+0))
	}
	slices.Sort(lines)
	return lines
}

// Conditions mean the same in any order and form: what some of them say is put into the others, before the field that each
// determines is chosen.
func TestConditionsMeanTheSameInAnyForm(t *testing.T) {
	const two = "u_t = u_xx; v_t = v_xx"
	const three = two + "; w_t = w_xx"
	const four = three + "; z_t = z_xx"
	const plate = "u_t = -u_xxxx"
	const separation = "u_t = m_xx; m = u^3 - u - 0.5*u_xx"
	for _, c := range []struct {
		text  string
		plain string
		other []string
	}{
		{"u_t = u_xx", "u_x = 0", []string{"0 = u_x", "-u_x = 0", "2*u_x + k*u = 0", "k*u = u_x", "dx(u) = 0", "u_x - k = 0"}},
		{"u_t = u_xx", "u = 0", []string{"k*u_x + u = 0", "0 = 3*u", "u + k*t = 0"}},
		{"u_t = u_xx", "u_x + 2*u = 1", []string{"one = u_x + 2*u", "-2*u_x - 4*u = -2", "u_x = 1 - 2*u"}},
		{"u_t = dx((1 + x)*u_x)", "u_x = 3", []string{"(1 + x)*u_x = 3", "u_x*exp(x) = 3"}},
		{two, "u_x = 0; v = 0", []string{"u_x = 0; u_x + v = 0", "u_x + v = 0; u_x = 0", "u_x + v = 0; u_x - v = 0", "0 = v - u_x; 0 = 5*u_x",
			"v = 0; u_x + v = 0", "u_x + k*v = 0; v + k*u = 0"}},
		{two, "u = 1; v = sin(t)", []string{"u + v = 1 + sin(t); v = sin(t)", "u - v = 1 - sin(t); u + v = 1 + sin(t)"}},
		{two, "u_x = 1; v_x = 2", []string{"u_x + v_x = 3; u_x - v_x = -1", "v_x = 2; u_x + v_x = 3"}},
		{three, "u = 1; v + w = -1; w_x = 0", []string{"u + v + w = 0; u = 1; w_x = 0", "w_x = 0; u + v + w = 0; u = 1"}},
		{four, "u = 0; v_x = 0; w = 1; z_x = 0", []string{"z_x + v_x = 0; v_x + u = 0; u + w = 1; u = 0", "u = 0; w + u = 1; v_x + 3*u = 0; z_x - v_x + u = 0"}},
		{plate, "u = 0; u_x = 0", []string{"u_x + 3*u = 0; u = 0", "0 = u; 0 = u_x - u", "u_x + u = 0; u_x - u = 0"}},
		{plate, "u_xx = 0; u_xxx = 0", []string{"u_xxx + u_xx = 0; u_xx = 0"}},
		{separation, "u_x = 0; u_xxx = 0", []string{"m_x = 0; u_x = 0", "u_x + m_x = 0; u_x = 0"}},
		{separation, "u = 1; u_xxx - 4*u_x = 0", []string{"u = 1; m_x = 0", "m_x = 0; 1 = u"}},
		{separation, "u = 2; u_xx = 6", []string{"u = 2; m = 3", "m = 3; u = 2"}},
	} {
		want := meaning(t, c.text, c.plain)
		for _, other := range c.other {
			if got := meaning(t, c.text, other); !slices.Equal(got, want) {
				t.Errorf("%s with %s: %q, but %s: %q", c.text, other, got, c.plain, want)
			}
		}
	}
}

// Conditions that say too much, or what is no condition, are refused with what to write.
func TestConditionsThatAreNoneAreRefused(t *testing.T) {
	for _, c := range []struct{ text, left, want string }{
		{"u_t = -u_xxxx", "u = 0; 2*u = 0", "says the same twice: 2*u = 0 follows from the others (u = 0, 2*u = 0); leave out 2*u = 0"},
		{"u_t = -u_xxxx", "u = 0; u = 1", "cannot hold together (u = 0, u = 1)"},
		{"u_t = u_xx", "t*u_x + u = 0", "a coefficient of a slope is a number"},
		{"u_tt = u_xx", "u_t = u_x", "a condition has no derivatives in t; for waves that leave, write the system u_t = v_x, v_t = u_x"},
		{"u_t = -u_x", "u = 0; u = 0", "says the same twice"},
		{"u_t = -u_xxxx", "u_xx = 0; (u^3)_xxx = 0", "a condition that is not linear gives a slope"},
		{"u_t = u_xx", "u*u_x = 1", "solve it for u_x, or linearise it: u_x = 1 is its tangent where fields are 1 and have no slope"},
		{"u_t = u_xx; v_t = v_xx", "u = 0; v*v_x = 1", "solve it for v_x, or linearise it: v_x = 1"},
		{"u_tt = u_xx + u_xxt", "u_x = u^3", "is not linear (u_x = u^3), and the equation of u has u_txx; write"},
		{"u_tt - u_xxtt = u_xx", "u_x = u^3", "is not linear (u_x = u^3), and there is an operator on u_tt; write"},
		{"u_t = -u_xxxx", "u_x = 0; u_xxx = u^2", "- 2*u + u_xxx = -1 is its tangent"},
		{"u_t = u_xx", "u^2 = 1", "2*u = 2 is its tangent where fields are 1"},
		{"N_t = N_xx", "N^2 = 1", "2*N = 2 is its tangent where fields are 1"},
		{"u_t = dx((1 + u^2)*u_x)", "u_x = -u^4", "such as its tangent where fields are 1 and have no slope: 4*u + u_x = 3"},
		{"u_t = u_xx", "u = sqrt(t - 2)", "has the value NaN at t=0 (u = sqrt(t - 2)); write a value that is finite from t=0 to t=1"},
		{"u_t = u_xx", "u = sqrt(t)", "changes infinitely fast at t=0"},
		{"u_t = u_xx", "u_x(0, t) = 0", "write u_x without its place, which is the side"},
		{"u_t = -u_x", "u_x = 0", "write u = 0 at the end where u flows in, and nothing at the other"},
		{"u_t = u_xx", "u(0, t) = 0", "write u without its place, which is the side"},
		{"u_t = u_xx", "Neumann", "Neumann is no equation; write u_x = 0"},
		{"u_t = u_xx", "mean(u) = 0", "a condition on the left has values and derivatives in x; write u = 0"},
		{"u_t = u_xx", "u = 1; u_x = 1", "leave out 1 condition"},
	} {
		err := between(c.text, c.left, "u = 0", strings.Repeat("0;", strings.Count(c.text, "_t")), 1).Check()
		if err == nil || !strings.HasPrefix(err.Error(), "equation.left") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v", c.text, c.left, err)
		}
	}
	err := between("u_t = -u_x", "u = 0", "u = 0", "", 1).Check()
	if err == nil || !strings.Contains(err.Error(), "it needs 1 condition; got 1 at the left end and 1 at the right one; leave out the one at the end where u flows out") {
		t.Errorf("conditions at both ends of a flow: %v", err)
	}
}

// Of several conditions that are wrong, the first is named, however often the text is read.
func TestTheFirstWrongConditionIsNamed(t *testing.T) {
	p := between("u_t = u_xx; v_t = v_xx", "u^2 = 0; v^2 = 0", "u = 0; v = 0", "0; 0", 1)
	for range 20 {
		err := p.Check()
		if err == nil || !strings.Contains(err.Error(), "2*u = 1 is its tangent") {
			t.Fatal(err)
		}
	}
}

// On the square, what is held along a side has no derivatives along it: a chemical potential has no flux where its field has none.
func TestConditionsOnNamesAreSimplifiedOnTheSquare(t *testing.T) {
	problem := func(text, first, second string) Problem {
		p := between(text, first, first, "", 0.01)
		p.Dims = 2
		p.Points = 33
		p.Bottom = second
		p.Top = second
		return p
	}
	plain := newSolver(problem("u_t = lap(u^3 - u - 0.01*lap(u))", "u_x = 0; u_xxx = 0", "u_y = 0; u_yyy = 0"))
	named := newSolver(problem("u_t = lap(m); m = u^3 - u - 0.01*lap(u)", "u_x = 0; m_x = 0", "m_y = 0; u_y = 0"))
	noError(t, errorOf(plain))
	noError(t, errorOf(named))
	if plain.folded == nil || named.folded == nil {
		t.Errorf("no fold: %v, with a name %v", plain.folded == nil, named.folded == nil)
	}
}

// Waves that leave, in the form that the error of u_t in a condition proposes, go on as on the line.
func TestWavesLeaveAsProposed(t *testing.T) {
	pulse := func(x float64) float64 {
		if x < 0 || x > 1 {
			return 0
		}
		return math.Pow(4*x*(1-x), 12)
	}
	u := solved(t, between("u_t = v_x; v_t = u_x", "u - v = 0", "u + v = 0", "(4*x*(1 - x))^12; 0*x", 0.3)).At(0)
	for i, v := range u {
		x := float64(i) / float64(len(u)-1)
		want := (pulse(x-0.3) + pulse(x+0.3)) / 2
		if math.Abs(v-want) > 1e-6 {
			t.Fatalf("u(%g) = %g, want %g", x, v, want)
		}
	}
}

// The exponential of a matrix keeps the digits of slow modes, although the fastest decay 10^16 times as fast: solutions
// of linear equations whose modes are no eigenfunctions do not change with the number of polynomials.
func TestMatricesKeepTheDigitsOfSlowModes(t *testing.T) {
	for _, c := range []struct {
		text, left, right string
		time              float64
	}{
		{"u_t = -0.01*u_xxxx", "u = 0; u_xxx = 0", "u = 0; u_x = 0", 0.1},
		{"u_t = -0.01*u_xxxx + u_x", "u = 0; u_x = 0", "u = 0; u_x = 0", 0.1},
		{"u_t = -u_xxx", "u = 0", "u = 0; u_x = 0", 0.01},
	} {
		p := between(c.text, c.left, c.right, "256*x^4*(1 - x)^4*(1 + 0.1*a)", c.time)
		p.Input.Alpha = 10
		s := newSolver(p)
		noError(t, s.err)
		a := grid.NewBatch(s.domain, p.Points, block)
		s.draws.Draw(a, p.Seed, draw.InputTrain, 0)
		var solutions []grid.Batch
		for _, size := range []int{3, 5} { // 64 and 128
			out := a.Like(block)
			w := newEndsWorker(s, &resolution{known: true, size: size, share: 1})
			noError(t, w.Solve(t.Context(), []grid.Batch{out}, a, []float64{p.Time}, ""))
			solutions = append(solutions, out)
		}
		if d := worstDistance(solutions[1], solutions[0]); !(d < 3e-8) {
			t.Errorf("%s: 128 polynomials differ from 64 by %.2g", c.text, d)
		}
	}
}

// Steps end at each of several jumps: the solution for two of them is the sum of those for one.
func TestSeveralJumpsAreSolved(t *testing.T) {
	const force = "u_t = 0.1*u_xx + H(t - 0.5)"
	var sum []float64
	for _, p := range []Problem{
		between("u_t = 0.1*u_xx", "u = H(t - 0.3)", "u = 0", "0*x", 0.9),
		between(force, "u = 0", "u = 0", "0*x", 0.9),
		between("u_t = 0.1*u_xx", "u = 0", "u = t*H(0.7 - t) + 0.7*H(t - 0.7)", "0*x", 0.9),
	} {
		u := solved(t, p).At(0)
		if sum == nil {
			sum = make([]float64, len(u))
		}
		for i, v := range u {
			sum[i] += v
		}
	}
	p := between(force, "u = H(t - 0.3)", "u = t*H(0.7 - t) + 0.7*H(t - 0.7)", "0*x", 0.9)
	if times := newSolver(p).jumpTimes(p.Time); len(times) != 3 {
		t.Errorf("jumps at %v, want three", times)
	}
	for i, v := range solved(t, p).At(0) {
		if math.Abs(v-sum[i]) > 1e-7 {
			t.Fatalf("u(%d) = %g, want %g", i, v, sum[i])
		}
	}
}
