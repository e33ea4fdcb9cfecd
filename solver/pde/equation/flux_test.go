package equation

import (
	"fmt"
	"math"
	"testing"
)

// Slopes that are functions of the fields at the end are those of exact solutions: waves that decay, with conditions in which the
// rest of the exact slope depends on time.
func TestSlopesAsFunctionsOfFields(t *testing.T) {
	const decaying = "u_t = 0.1*u_xx"
	const left = "exp(-0.1*t)*cos(1) - exp(-0.2*t)*sin(1)^2"
	const right = "exp(-0.1*t)*cos(2) + exp(-0.4*t)*sin(2)^4"
	wave := func(x float64) float64 { return math.Exp(-0.1) * math.Sin(x+1) }
	for _, c := range []struct {
		text, left, right, initial string
		want                       func(float64) float64
	}{
		{decaying, "u_x = u^2 + " + left, "u = exp(-0.1*t)*sin(2)", "sin(x + 1) + 0*a", wave},
		{decaying, "u_x - u^2 = " + left, "u_x = -u^4 + " + right, "sin(x + 1) + 0*a", wave},
		{decaying, "u_x = u*exp(-0.1*t)*sin(1) + " + left, "2*u_x + 2*u^4 = 2*(" + right + ")", "sin(x + 1) + 0*a", wave},
		{"u_t = 0.1*u_xx + u*u_x - exp(-0.2*t)*sin(x + 1)*cos(x + 1)", "u_x = u^2 + " + left, "u_x = -u^4 + " + right, "sin(x + 1) + 0*a", wave},
		{decaying + "; v_t = 0.1*v_xx", "u_x = u*v + " + left + "; v_x = exp(-0.1*t)*cos(1)", "u_x = -u^3*v + " + right + "; v = u",
			"sin(x + 1) + 0*a; sin(x + 1)", wave},
		{"u_tt = u_xx", "u_x = u^2 + cos(1 + t) - sin(1 + t)^2", "u = sin(2 + t)", "u(0) = sin(x + 1) + 0*a; u_t(0) = cos(x + 1)",
			func(x float64) float64 { return math.Sin(x + 2) }},
	} {
		p := between(c.text, c.left, c.right, c.initial, 1)
		checkSolution(t, fmt.Sprint(c.text, " with ", c.left, " | ", c.right), solved(t, p), c.want)
	}
}

// Steady states radiate at an end: a straight line whose slope is the fourth power of its value there.
func TestSteadyStatesRadiate(t *testing.T) {
	value := 0.5
	for range 60 {
		value -= (math.Pow(value, 4) + value - 1) / (4*math.Pow(value, 3) + 1)
	}
	want := func(x float64) float64 { return value + (1-value)*x }
	p := between("0 = u_xx + 0*a", "u_x = u^4", "u = 1", "1", 1)
	checkSolution(t, p.Text, solved(t, p), want)
}
