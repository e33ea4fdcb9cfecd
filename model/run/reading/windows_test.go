package reading

import (
	"math"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
)

// A number that matters at each point by itself is found, although kernels of whole functions do not see it; one that does
// not matter is left out.
func TestNumbersThatMatterAtEachPoint(t *testing.T) {
	const count = 60
	rough := func(i int, x float64) (sum float64) { // of too many coefficients for so few pairs
		for k := range 8 {
			sum += coefficient(i, k) * math.Cos(math.Pi*float64(k)*x) * math.Sqrt(float64(k+1))
		}
		return sum
	}
	number := func(i, k int) float64 { return 0.6 + 0.5*math.Sin(float64(11*i*(k+2)+5*i*i)) }
	nu := filled(func(p []int) float64 { return number(p[0], 1) }, count)
	other := filled(func(p []int) float64 { return number(p[0], 2) }, count)
	curves := filled(func(p []int) float64 { return rough(p[0], at(p[1], 33)) }, count, 33)
	ofCurves := filled(func(p []int) float64 { return math.Tanh(rough(p[0], at(p[1], 33)) / nu.Data[p[0]]) }, count, 33)
	field := func(i, row, column int) float64 { return rough(i, at(row, 17)) * rough(i+70, at(column, 17)) }
	fields := filled(func(p []int) float64 { return field(p[0], p[1], p[2]) }, count, 17, 17)
	ofFields := filled(func(p []int) float64 { return math.Tanh(field(p[0], p[1], p[2]) / nu.Data[p[0]]) }, count, 17, 17)
	for name, test := range map[string]struct{ a, u npy.Array }{
		"curves": {curves, ofCurves},
		"fields": {fields, ofFields},
	} {
		c, notes, err := readingOf(t, map[string]npy.Array{"a": test.a, "u": test.u, "nu": nu, "gamma": other})
		if err != nil || c.Data.Input != "a,nu" || !strings.Contains(notes, "nu (60,) is taken as a further input") ||
			!strings.Contains(notes, "not used: gamma (60,)") {
			t.Errorf("%s: inputs %q, %v\n%s", name, c.Data.Input, err, notes)
		}
	}
}
