package shear

import (
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/space/grid"
)

// batch returns periodic functions with the given distinct points.
func batch(n int, functions ...func(x float64) float64) grid.Batch {
	b := grid.NewBatch(grid.Torus, n+1, len(functions))
	for i, f := range functions {
		for j := range n {
			b.At(i)[j] = f(float64(j) / float64(n))
		}
		b.At(i)[n] = b.At(i)[0]
	}
	return b
}

// tooth rises slowly and falls over a width.
func tooth(width, at, height float64) func(x float64) float64 {
	return func(x float64) float64 {
		t := x - at - math.Floor(x-at) - 0.5
		return height * (t - 0.5*math.Tanh(t/width)/math.Tanh(0.5/width))
	}
}

// teeth returns such functions at random places, of random heights.
func teeth(n int, width float64, count int) grid.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	var all []func(float64) float64
	for range count {
		all = append(all, tooth(width, r.Float64(), 0.5+r.Float64()))
	}
	return batch(n, all...)
}

func worst(a, b grid.Batch) float64 {
	most := 0.0
	for i := range a.Count {
		most = max(most, math.Sqrt(a.Domain.Distance2(a.At(i), b.At(i)))/a.Domain.Norm(a.At(i)))
	}
	return most
}

// candidates for functions in other units are the same, in those units.
func TestCandidatesHaveUnits(t *testing.T) {
	u := teeth(64, 0.05, 6)
	small := u.In(1e6)
	for i, c := range candidates(u) {
		p, q := c.Forward(u), candidates(small)[i].Forward(small)
		if e := worst(p, q); e > 1e-9 {
			t.Errorf("%s: differs by %g in other units", c, e)
		}
	}
}

func TestTransformsHaveInverses(t *testing.T) {
	for _, width := range []float64{0.1, 0.03} {
		u := teeth(256, width, 10)
		all := candidates(u)
		if len(all) != len(shears)+len(margins) {
			t.Fatalf("%d candidates", len(all))
		}
		for _, c := range all {
			if !c.Valid() || c.None() {
				t.Errorf("%+v is not valid", c)
			}
			if e := worst(u, c.Back(c.Forward(u))); e > 3e-4 {
				t.Errorf("width %g, %s: the inverse misses by %g", width, c, e)
			}
		}
	}
}

// The displacement of a sheared front has no slope below -1, so that the graph becomes flatter: a third of the slope at most.
func TestFrontsBecomeFlat(t *testing.T) {
	u := teeth(512, 0.003, 5)
	for _, c := range candidates(u)[:len(shears)-1] {
		g := c.Shifts[1] - c.Shifts[0]
		p := c.Forward(u)
		for i := range p.Count {
			for j, v := range p.At(i)[1:] {
				// X(y)-y has the slope 1/(1 - g' u_x) - 1, between -1 and that of the steepest rise.
				if slope := (v - p.At(i)[j]) * 512; slope < -1-1e-6 || slope > 25 {
					t.Fatalf("%s, g' = %g: slope %g", c, g/2, slope)
				}
			}
		}
		if after := slope(p); after > slope(u)/3 {
			t.Errorf("%s: slopes up to %g, %g before", c, after, slope(u))
		}
	}
}

// slope returns the largest slope.
func slope(b grid.Batch) (most float64) {
	for _, e := range edgesOf(b) {
		most = max(most, math.Abs(e.slope))
	}
	return most
}

// The shear keeps the area between two graphs: the L1 distance of g(u) and g(v) is that of their displacements.
func TestShearKeepsAreas(t *testing.T) {
	const n = 4096
	u := batch(n, tooth(0.02, 0.2, 1), tooth(0.02, 0.23, 1.1))
	c := Transform{Levels: []float64{-1, 1}, Shifts: []float64{-0.2, 0.2}}
	p := c.Forward(u)
	area := func(b grid.Batch, factor float64) (sum float64) {
		for j := range n {
			sum += factor * math.Abs(b.At(0)[j]-b.At(1)[j]) / n
		}
		return sum
	}
	if before, after := area(u, 0.2), area(p, 1); math.Abs(before-after) > 1e-4*before {
		t.Errorf("area %g, %g sheared", before, after)
	}
}

// Displacements that no function has, such as predictions, still give a function, and it is finite.
func TestEveryPredictionHasAFunction(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	u := teeth(64, 0.02, 4)
	for _, c := range candidates(u) {
		for _, size := range []float64{1e-3, 0.1, 3} {
			p := c.Forward(u)
			for i := range p.Count {
				for j := range 64 {
					p.At(i)[j] += size * r.NormFloat64()
				}
				p.At(i)[64] = p.At(i)[0]
			}
			back := c.Back(p)
			for _, v := range back.Data {
				if !grid.Finite(v) {
					t.Fatalf("%s, noise %g: %g", c, size, v)
				}
			}
			if size == 1e-3 && worst(u, back) > 0.3 {
				t.Errorf("%s: noise of %g becomes %g", c, size, worst(u, back))
			}
		}
	}
}

// Constant functions, and functions with a jump between every two points, are handled.
func TestDegenerateFunctions(t *testing.T) {
	for name, f := range map[string]func(float64) float64{
		"constant": func(float64) float64 { return 0.3 },
		"zero":     func(float64) float64 { return 0 },
		"square":   func(x float64) float64 { return math.Copysign(1, 0.5-x) },
		"zigzag":   func(x float64) float64 { return float64(int(x*64+0.5)%2) - 0.5 },
	} {
		u := batch(64, f)
		for _, c := range candidates(u) {
			p := c.Forward(u)
			for i, v := range append(p.Data, c.Back(p).Data...) {
				if !grid.Finite(v) {
					t.Fatalf("%s, %s: value %d is %g", name, c, i, v)
				}
			}
		}
	}
}

func TestTransformsWithoutInverseAreNotValid(t *testing.T) {
	for _, c := range []Transform{
		{Levels: []float64{1}, Shifts: []float64{1}}, {Levels: []float64{0, 1}, Shifts: []float64{0}},
		{Levels: []float64{0, 1, 1}, Shifts: []float64{0, 1, 2}}, {Levels: []float64{0, 1, 2}, Shifts: []float64{0, 1, 0}},
		{Levels: []float64{0, math.NaN()}, Shifts: []float64{0, 1}}, {Margin: 0.5, Most: 1}, {Margin: 0.1}, {Margin: -1},
		{Margin: math.NaN(), Most: 1}, {Margin: 0.1, Least: -math.MaxFloat64, Most: math.MaxFloat64},
	} {
		if c.Valid() {
			t.Errorf("%+v is valid", c)
		}
	}
	if !(Transform{}).Valid() || !(Transform{}).None() {
		t.Error("the transform that changes nothing")
	}
}
