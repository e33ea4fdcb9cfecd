package method

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/setup"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
)

// Tests hold little and allocate much: collecting garbage less often saves a fifth to a third of their time.
var _ = debug.SetGCPercent(400)

// Functions of any size are learned as if they had size one, bitwise so for powers of two.
func TestMethodsLearnFunctionsOfAnySize(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	law := func(bent float64) dataset.Pairs {
		return methodtest.Smooth(24, 17, func(dst, a []float64) {
			for x, v := range a {
				dst[x] = v + 0.3*v*v + bent*math.Sin(6*v)
			}
		})
	}
	pairs := law(0)
	c := methodtest.Must(config.PresetByName("functions"))
	c.Features.Count, c.Train.Grid, c.Data.Grid, c.Data.Boundary = 8, 17, 17, config.Periodic
	drawn := methodtest.Must(feature.New(t.Context(), setup.Features(c), 8, 17, 1))
	all := append([]operator.Method{{Name: config.RandomFeatures}}, All(pairs.Inputs.Domain, pairs.Outputs.Domain,
		config.AutoSymmetry)...)
	want := map[string]float64{}
	for _, exponents := range [][2]int{{0, 0}, {990, 990}, {-990, 0}, {0, -990}} {
		o := operator.Options{Workers: 2}
		for _, m := range all {
			some := pairs
			if m.Name == config.Layers { // kernels learn laws that are less bent
				some, o.Known = law(1), nil
			}
			some.Inputs = some.Inputs.In(math.Ldexp(1, -exponents[0]))
			some.Outputs = some.Outputs.In(math.Ldexp(1, -exponents[1]))
			train, test := some.Range(0, 18), some.Range(18, 6)
			if m.Name == config.Layers { // fewer, so that corrections of the other pairs do not begin with these layers
				train = some.Range(0, 14)
			}
			if m.Name == config.RandomFeatures {
				m = random.Random{Config: c, Drawn: drawn, Fine: train}.Method()
			}
			learned, err := m.Train(t.Context(), train, o)
			if err != nil && (strings.Contains(err.Error(), "no correction lowers") ||
				strings.Contains(err.Error(), "no shear or logit lowers")) {
				continue
			}
			if err != nil {
				t.Fatalf("%s, 2^%d: %v", m.Name, exponents, err)
			}
			o.Known = append(o.Known, learned)
			got := methodtest.Relative(t, learned, test)
			if exponents == [2]int{} {
				want[m.Name] = got
			}
			if !(math.Abs(got-want[m.Name]) <= 1e-9*want[m.Name]) {
				t.Errorf("%s, 2^%d: error %g, want %g", m.Name, exponents, got, want[m.Name])
			}
		}
	}
}
