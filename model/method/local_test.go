package method

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// localByDefinition solves at every point with a dense LU.
func localByDefinition(t *testing.T, like *Local, p *localProblem, pairs dataset.Pairs) predictor {
	t.Helper()
	domain, points := pairs.Inputs.Domain, pairs.Inputs.Points
	rows, columns := domain.Axes(points)
	h := 1 / float64(domain.Intervals(points))
	weights, scales := domain.Weights(points), p.scales(like.LocalParameters)
	known := map[*float64][]float64{}
	z := func(a []float64) []float64 {
		if c, ok := known[&a[0]]; ok {
			return c
		}
		c := p.inputs.coefficients(grid.BatchOf(domain, points, a)).RawRowView(0)
		for k := range c {
			c[k] *= scales[k]
		}
		known[&a[0]] = c
		return c
	}
	// middle returns the middle of the points of a strip along an axis.
	middle := func(a axis, x int) float64 {
		for _, strip := range a.strips {
			if slices.Contains(strip, x) {
				if domain.Periodic && strip[0] == 0 { // the last point is the first
					strip = strip[:max(1, len(strip)-1)]
				}
				return float64(strip[0]+strip[len(strip)-1]) / 2
			}
		}
		return math.NaN()
	}
	apart := func(a axis, x, j, n int) float64 {
		d := math.Abs(middle(a, x) - float64(j))
		if domain.Periodic {
			d = min(d, float64(n)-d)
		}
		return d * h
	}
	value := func(x int, a, b []float64) float64 {
		sum, total := 0.0, 0.0
		for y := range a {
			dx, dy := apart(like.across, x%columns, y%columns, columns-1), apart(like.down, x/columns, y/columns, rows-1)
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

// On every domain predictions and the leave-one-out error follow the definition; models survive writing and reading.
func TestLocalKernelIsItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range grid.Domains() {
		points := 5
		for !domain.Exists(points) {
			points++
		}
		n := 6
		pairs := dataset.Pairs{Inputs: random(domain, points, n), Outputs: random(domain, points, n).Plus(1,
			random(domain, points, 1).Data)}
		p, err := newLocalProblem(pairs)
		if err != nil {
			t.Fatal(err)
		}
		q := LocalParameters{Width: 0.5, Share: 0.7, Cutoff: 2, Decay: 1.5, Length: 0.7, Ridge: 1e-3}
		l, err := p.fit(t.Context(), q, newWindows(domain, points, q.Width, 5), 2)
		if err != nil {
			t.Fatal(err)
		}
		name := domain.Name()
		if len(l.places()) == pairs.Outputs.Values() {
			t.Errorf("%s: every point has windows of its own", name)
		}
		with := func(rest dataset.Pairs) predictor {
			return localByDefinition(t, l, p, rest)
		}
		others := random(domain, points, n+3).Range(n, 3)
		expectNear(t, name, predict(t, l, others), predict(t, with(pairs), others))
		expectNear(t, name+" read", predict(t, reread(t, l), others), predict(t, l, others))
		brute := leftOut(t, pairs, with)
		if math.Abs(brute-l.LeaveOneOut()) > conditioned*brute {
			t.Errorf("%s: leave-one-out %.12g, by retraining %.12g", name, l.LeaveOneOut(), brute)
		}
	}
}

// A method that is far worse in a first look than others stops.
func TestLocalKernelStopsFarBehind(t *testing.T) {
	pairs := symmetric(grid.Domain{Dims: 2, Cells: true}, 5, 24, 3)
	o, err := localKernel(t.Context(), pairs, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	looked := o.LeaveOneOut() / 100
	_, err = localKernel(t.Context(), pairs, Options{Workers: 2, Looked: &looked})
	if err == nil || !strings.Contains(err.Error(), "in a first look") {
		t.Errorf("beside a method that is far better: %v", err)
	}
}

// A local operator is learned from few functions, on an interval and on a circle.
func TestLocalKernelLearnsWhatIsLocal(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range []grid.Domain{grid.Torus, grid.Interval} {
		inputs := random(domain, 33, 80)
		pairs := dataset.Pairs{Inputs: inputs, Outputs: inputs.Like(80)}
		for x, v := range inputs.Data {
			pairs.Outputs.Data[x] = 1 + math.Tanh(2*v)
		}
		l, err := localKernel(t.Context(), pairs.Range(0, 60), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		k, err := kernelRidge(t.Context(), pairs.Range(0, 60), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if local, global := relative(t, l, pairs.Range(60, 20)), relative(t, k, pairs.Range(60, 20)); local > global/5 {
			t.Errorf("%s: error %g, of a kernel of whole functions %g", domain.Name(), local, global)
		}
	}
}

// Too many pairs for the grid are refused, and so are equal pairs that no ridge separates.
func TestLocalKernelRefuses(t *testing.T) {
	many := burgers(t, draw.InputTrain, 2, 9)
	inputs := random(grid.Torus, 9, 4000)
	_, err := localKernel(t.Context(), dataset.Pairs{Inputs: inputs, Outputs: inputs}, Options{Workers: 1})
	if err == nil || !strings.Contains(err.Error(), "4000 on K=9 are too many for systems at all points") {
		t.Errorf("of 4000 pairs: %v", err)
	}
	if _, err := localKernel(t.Context(), many, Options{Workers: 1}); err == nil {
		t.Error("two pairs are learned from")
	}
}
