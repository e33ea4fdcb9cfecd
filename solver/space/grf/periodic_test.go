package grf

import (
	"math"
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/golden"
	"rfm/solver/golden/goldentest"
	"rfm/solver/space/grid"
)

var paper = Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}

// direct sums the Karhunen-Loeve series term by term.
func direct(m Measure, cos, sin []float64, K int) []float64 {
	g := make([]float64, K)
	for x := range g {
		for j := 1; j <= len(cos); j++ {
			phase := 2 * math.Pi * float64(j*x%(K-1)) / float64(K-1)
			a := math.Sqrt(2 * math.Pow(m.Tau, 2*m.Alpha-1) * math.Pow(4*math.Pi*math.Pi*float64(j*j)+m.Tau*m.Tau, -m.Alpha))
			g[x] += a * (cos[j-1]*math.Cos(phase) + sin[j-1]*math.Sin(phase))
		}
	}
	return g
}

// given returns the sources of coefficients of rows; missing ones are zero.
func given(cos, sin [][]float64) func(i int) func() float64 {
	return func(i int) func() float64 {
		next := 0
		return func() (v float64) {
			if row := [][]float64{cos[i], sin[i]}[next%2]; next/2 < len(row) {
				v = row[next/2]
			}
			next++
			return v
		}
	}
}

func TestSumsAreTheReferenceFunctions(t *testing.T) {
	for _, c := range []struct {
		field, cos, sin string
		measure         Measure
	}{{"a", "kl_cos_a", "kl_sin_a", paper},
		{"theta", "kl_cos_theta", "kl_sin_theta", Measure{Tau: 5, Alpha: 2, Space: grid.Torus}}} {
		rows := func(name string) [][]float64 {
			a := goldentest.Burgers(name)
			return slices.Collect(slices.Chunk(a.Data, a.Shape[1]))
		}
		want := golden.Functions(goldentest.Burgers(c.field))
		fine := grid.NewBatch(grid.Torus, 1025, want.Count)
		newPeriodicSampler(c.measure, 1025).sum(fine, given(rows(c.cos), rows(c.sin)))
		got, err := fine.Restrict(want.Points)
		noError(t, err)
		for i := range want.Count {
			d := grid.Torus
			if e := math.Sqrt(d.Distance2(got.At(i), want.At(i)) / d.Inner(want.At(i), want.At(i))); e > seriesTolerance {
				t.Errorf("%s, function %d: relative difference %.2g", c.field, i, e)
			}
		}
	}
}

func TestSumIsTheKarhunenLoeveSeries(t *testing.T) {
	for _, K := range []int{17, 33, 65, 61, 10, 102} {
		s := newPeriodicSampler(paper, K)
		if want := map[int]int{17: 7, 33: 15, 65: 31, 61: 29, 10: 4, 102: 50}[K]; len(s.modes) != want {
			t.Errorf("K=%d: %d modes", K, len(s.modes))
		}
		const rows = 11
		cos, sin := make([][]float64, rows), make([][]float64, rows)
		for i := range rows {
			r := draw.Stream(5, draw.Theta, i)
			for range len(s.modes) {
				cos[i], sin[i] = append(cos[i], r.NormFloat64()), append(sin[i], r.NormFloat64())
			}
		}
		b := grid.NewBatch(grid.Torus, K, rows)
		s.sum(b, given(cos, sin))
		for i := range rows {
			want := direct(paper, cos[i], sin[i], K)
			if e := math.Sqrt(grid.Torus.Distance2(b.At(i), want) / grid.Torus.Inner(want, want)); e > 1e-14 {
				t.Errorf("K=%d, function %d: relative difference %.2g", K, i, e)
			}
		}
	}
}

// Mode j's coefficients must have variance lambda_j, mean zero, within 4 sigma.
func TestModeVariances(t *testing.T) {
	const K, count = 65, 4000
	b := grid.NewBatch(grid.Torus, K, count)
	newPeriodicSampler(paper, K).Draw(b, 9, draw.InputTrain, 0)
	for _, j := range []int{1, 2, 5, 20, 31} {
		basis := make([]float64, K)
		for x := range basis {
			basis[x] = math.Sqrt2 * math.Cos(2*math.Pi*float64(j*x)/(K-1))
		}
		sum, squares := 0.0, 0.0
		for i := range count {
			c := grid.Torus.Inner(b.At(i), basis)
			sum += c
			squares += c * c
		}
		lambda := paper.Eigenvalue(0, j)
		if z := sum / math.Sqrt(count*lambda); math.Abs(z) > 4 {
			t.Errorf("mode %d: mean is %.1f sigma off", j, z)
		}
		if z := (squares/count/lambda - 1) / math.Sqrt(2./count); math.Abs(z) > 4 {
			t.Errorf("mode %d: variance is %.1f sigma off", j, z)
		}
	}
}

func TestFunctionsDoNotDependOnTheirNeighbours(t *testing.T) {
	s := newPeriodicSampler(paper, 33)
	all, some := grid.NewBatch(grid.Torus, 33, 20), grid.NewBatch(grid.Torus, 33, 3)
	s.Draw(all, 1, draw.InputTrain, 0)
	s.Draw(some, 1, draw.InputTrain, 8)
	for i := range some.Data { // rows 8, 9 and 10
		if some.Data[i] != all.Data[8*33+i] {
			t.Fatalf("value %d differs", i)
		}
	}
}

// On a finer grid a draw has more modes but is otherwise the same function.
func TestFinerGridsAddModesOnly(t *testing.T) {
	coarse, fine := grid.NewBatch(grid.Torus, 129, 1), grid.NewBatch(grid.Torus, 1025, 1)
	newPeriodicSampler(paper, 129).Draw(coarse, 1, draw.InputTrain, 4)
	newPeriodicSampler(paper, 1025).Draw(fine, 1, draw.InputTrain, 4)
	r, err := fine.Restrict(129)
	noError(t, err)
	if e := math.Sqrt(grid.Torus.Distance2(r.Data, coarse.Data) / grid.Torus.Inner(coarse.Data, coarse.Data)); e > 1e-3 {
		t.Errorf("relative difference %.2g", e)
	}
}
