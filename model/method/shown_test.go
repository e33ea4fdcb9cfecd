package method

import (
	"math"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// lawful returns pairs of Gaussian functions of few waves, and of a law between their values and the places of these.
func lawful(domain grid.Domain, points int, law func(x, a float64) float64) dataset.Pairs {
	const waves = 4
	pairs := dataset.Pairs{Inputs: grid.NewBatch(domain, points, 96), Outputs: grid.NewBatch(domain, points, 96)}
	for i := range pairs.Count() {
		random := draw.Stream(5, "law", i)
		a, u := pairs.Inputs.At(i), pairs.Outputs.At(i)
		for k := range waves {
			c, s := random.NormFloat64(), random.NormFloat64()
			for x := range a {
				angle := 2 * math.Pi * float64(k*x) / float64(points-1)
				if !domain.Periodic {
					angle /= 2
				}
				a[x] += c*math.Cos(angle) + s*math.Sin(angle)
			}
		}
		for x, v := range a {
			u[x] = law(float64(x)/float64(points-1), v)
		}
	}
	return pairs
}

// The largest existing symmetry is found, and none where the law is only nearly symmetric, far from symmetric, or not a
// law of the inputs at all.
func TestPairsShowTheirSymmetry(t *testing.T) {
	even, odd := func(_, a float64) float64 { return math.Tanh(a) + a*a/2 },
		func(_, a float64) float64 { return math.Tanh(a) }
	tests := []struct {
		name   string
		domain grid.Domain
		law    func(x, a float64) float64
		want   string
	}{
		{"even", grid.Interval, even, config.Reflection},
		{"nearly", grid.Interval, func(x, a float64) float64 { return (1 + 0.4*x) * even(x, a) }, ""},
		{"far", grid.Interval, func(x, a float64) float64 { return x * even(x, a) }, ""},
		{"even, periodic", grid.Torus, even, config.Reflection},
		{"nearly, periodic", grid.Torus, func(x, a float64) float64 { return (1 + 0.2*math.Sin(2*math.Pi*x)) * odd(x, a) },
			""},
	}
	if testing.Short() { // periodic ones take a second
		tests = tests[:3]
	}
	for _, test := range tests {
		shown, err := Shows(t.Context(), lawful(test.domain, 17, test.law), Options{Workers: 2, Seed: 1})
		if err != nil || shown.Symmetry != test.want || test.want != "" && !(shown.With < clearly*shown.Without) {
			t.Errorf("%s: %+v, %v, want %q", test.name, shown, err, test.want)
		}
	}
}
