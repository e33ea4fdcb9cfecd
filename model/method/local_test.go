package method

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// localByDefinition solves at every point with a dense LU.
func localByDefinition(t *testing.T, like *Local, p *localProblem, pairs dataset.Pairs) predictor {
	t.Helper()
	domain, points := pairs.Inputs.Domain, pairs.Inputs.Points
	rows, columns := domain.Axes(points)
	h := 1 / float64(domain.Intervals(points))
	weights, scales := domain.Weights(points), p.scales(like.LocalParameters)
	z := func(a []float64) []float64 {
		c := p.inputs.coefficients(grid.BatchOf(domain, points, a)).RawRowView(0)
		for k := range c {
			c[k] *= scales[k]
		}
		return c
	}
	apart := func(i, j, n int) float64 {
		d := math.Abs(float64(i - j))
		if domain.Periodic {
			d = min(d, float64(n)-d)
		}
		return d * h
	}
	value := func(x int, a, b []float64) float64 {
		sum, total := 0.0, 0.0
		for y := range a {
			dx, dy := apart(x%columns, y%columns, columns-1), apart(x/columns, y/columns, rows-1)
			w := weights[y] * math.Exp(-(dx*dx+dy*dy)/(2*like.Width*like.Width))
			sum, total = sum+w*(a[y]-b[y])*(a[y]-b[y]), total+w
		}
		far, za, zb := 0.0, z(a), z(b)
		for k := range za {
			far += (za[k] - zb[k]) * (za[k] - zb[k])
		}
		s := math.Sqrt(5*(like.Share*sum/total/like.Near+(1-like.Share)*far)) / like.Length
		return 1 + (1+s+s*s/3)*math.Exp(-s)
	}
	n, V := pairs.Count(), pairs.Outputs.Values()
	c := mat.NewDense(n, V, nil)
	for x := range V {
		system, u := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			u.SetVec(i, pairs.Outputs.At(i)[x])
			for j := range n {
				system.Set(i, j, value(x, pairs.Inputs.At(i), pairs.Inputs.At(j)))
			}
			system.Set(i, i, 2+like.Ridge)
		}
		var one mat.VecDense
		if err := one.SolveVec(system, u); err != nil {
			t.Fatal(err)
		}
		c.SetCol(x, one.RawVector().Data)
	}
	return direct(func(dst, a []float64) {
		clear(dst)
		for i := range n {
			for x := range dst {
				dst[x] += value(x, a, pairs.Inputs.At(i)) * c.At(i, x)
			}
		}
	})
}

// On every domain predictions and the leave-one-out error are those of the definition; what is written is read.
func TestLocalKernelIsItsDefinition(t *testing.T) {
	const n = 12
	for _, domain := range grid.Domains() {
		points := 5
		for !domain.Exists(points) {
			points++
		}
		pairs := dataset.Pairs{Inputs: random(domain, points, n), Outputs: random(domain, points, n).Plus(1,
			random(domain, points, 1).Data)}
		p, err := newLocalProblem(pairs)
		if err != nil {
			t.Fatal(err)
		}
		q := LocalParameters{Width: 0.3, Share: 0.7, Cutoff: 2, Decay: 1.5, Length: 0.7, Ridge: 1e-3}
		l, err := p.fit(t.Context(), q, 2)
		if err != nil {
			t.Fatal(err)
		}
		others := random(domain, points, n+3).Range(n, 3)
		expectNear(t, domain.Name(), predict(t, l, others), predict(t, localByDefinition(t, l, p, pairs), others))
		expectNear(t, domain.Name()+" read", predict(t, reread(t, l), others), predict(t, l, others))
		brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor { return localByDefinition(t, l, p, rest) })
		if math.Abs(brute-l.leaveOneOut) > conditioned*brute {
			t.Errorf("%s: leave-one-out %.12g, by retraining %.12g", domain.Name(), l.leaveOneOut, brute)
		}
		expectDerivative(t, l, others.Range(0, 1), others.Range(1, 1), others.Range(2, 1))
	}
}

// An operator that is local is learned from few functions, on an interval as well as on a circle.
func TestLocalKernelLearnsWhatIsLocal(t *testing.T) {
	for _, domain := range []grid.Domain{grid.Torus, grid.Interval} {
		inputs := random(domain, 33, 80)
		pairs := dataset.Pairs{Inputs: inputs, Outputs: inputs.Like(80)}
		for x, v := range inputs.Data {
			pairs.Outputs.Data[x] = 1 + math.Tanh(2*v)
		}
		l, err := LocalKernel(t.Context(), pairs.Range(0, 60), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		k, err := Kernel(t.Context(), pairs.Range(0, 60), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if local, global := relative(t, l, pairs.Range(60, 20)), relative(t, k, pairs.Range(60, 20)); local > global/5 {
			t.Errorf("%s: error %g, of a kernel of whole functions %g", domain.Name(), local, global)
		}
	}
}

// Too many pairs for the grid are refused, and so are equal ones that no ridge makes different.
func TestLocalKernelRefuses(t *testing.T) {
	many := burgers(t, draw.InputTrain, 2, 9)
	inputs := grid.NewBatch(grid.Square, 65, 600)
	_, err := LocalKernel(t.Context(), dataset.Pairs{Inputs: inputs, Outputs: inputs}, Options{Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "600 on 65 x 65 points are too many for a system at each point") {
		t.Errorf("of 600 pairs: %v", err)
	}
	if _, err := LocalKernel(t.Context(), many, Options{Workers: 1}); err == nil {
		t.Error("two pairs are learned from")
	}
}
