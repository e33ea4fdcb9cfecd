// Tests of sums over some points of every sample, and of sums less the means over the samples.

package rfm

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/feature"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/num/fft"
)

// defined sums entry by entry: over the drawn points, or of features and outputs less their means over the samples.
func defined(t *testing.T, e feature.Evaluator, pairs dataset.Pairs, some Rows, centred bool) *Normal {
	t.Helper()
	m, points, blocks := e.Count(), e.Points(), newBlockEvaluator(e, pairs, 1, Rows{}, nil)
	panels := blocks.newMatrix()
	var values [][]float64                // [sample][point*(m+1)+j], the target last
	mean := make([]float64, points*(m+1)) // 0 if not centred
	for first := 0; first < pairs.Count(); first += blocks.size {
		block := must(blocks.evaluate(t.Context(), panels, blocks.discarded, first))
		for i := range block.squares {
			v := make([]float64, 0, points*(m+1))
			for x := range points {
				for j := range m {
					v = append(v, panels.Panel(j / fft.Lanes)[fft.Lanes*(i*points+x)+j%fft.Lanes])
				}
				v = append(v, block.targets[i*points+x])
			}
			if values = append(values, v); centred {
				floats.AddScaled(mean, 1/float64(pairs.Count()), v)
			}
		}
	}
	normal, weight := NewNormal(m), some.weight(e)
	for i, v := range values {
		floats.Sub(v, mean)
		chosen := some.draw(i, points)
		for x := range points {
			if some.Count > 0 && !slices.Contains(chosen, x) {
				continue
			}
			row := v[x*(m+1) : (x+1)*(m+1)]
			for j := range m {
				normal.RHS[j] += weight * row[j] * row[m]
				for l := j; l < m; l++ {
					normal.Sums.Set(j, l, normal.Sums.At(j, l)+weight*row[j]*row[l])
				}
			}
		}
	}
	return normal
}

// withOffset returns the pairs with a constant added to all outputs.
func withOffset(pairs dataset.Pairs, offset float64) dataset.Pairs {
	constant := make([]float64, pairs.Outputs.Values())
	floats.AddConst(offset, constant)
	return dataset.Pairs{Inputs: pairs.Inputs, Outputs: pairs.Outputs.Plus(1, constant)}
}

func TestSumsAreThoseOfTheDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const n, m, K = 150, 21, 33
	_, e, pairs := problem(t, n, m, K)
	for _, c := range []struct {
		rows    Rows
		centred bool
		offset  float64
	}{{}, {rows: Rows{Seed: 5, Count: 7}}, {rows: Rows{Seed: 5, Count: 8}}, {rows: Rows{Seed: 5, Count: 1}},
		{rows: Rows{Seed: 5, Count: 16}, centred: true}, {centred: true}, {centred: true, offset: 100}} {
		pairs := withOffset(pairs, c.offset)
		want, got := defined(t, e, pairs, c.rows, c.centred), sums(t, e, pairs, c.rows, c.centred, 1)
		if d := relative(got.Sums.Dense(), want.Sums.Dense()); d > sumTolerance {
			t.Errorf("%+v: S differs by %.2g", c, d)
		}
		if d := relative(got.RHS, want.RHS); d > sumTolerance*(1+c.offset) {
			t.Errorf("%+v: b differs by %.2g", c, d)
		}
		for _, workers := range []int{2, 5} {
			if other := sums(t, e, pairs, c.rows, c.centred, workers); !equal(other, got) {
				t.Errorf("%+v: %d workers change the sums", c, workers)
			}
		}
		all := Rows{Count: e.Points()}
		if c.rows.Count == 0 && !equal(sums(t, e, pairs, all, c.centred, 1), got) {
			t.Errorf("%+v: %d rows differ from all", c, all.Count)
		}
	}
}

func equal(a, b *Normal) bool {
	return slices.Equal(a.Sums.Dense(), b.Sums.Dense()) && slices.Equal(a.RHS, b.RHS)
}

// The mean of many draws tends to the sums over all points, with and without the means over the samples subtracted,
// and both systems have the same solution.
func TestSomeRowsAreRightInTheMean(t *testing.T) {
	const n, m, K, draws = 60, 12, 17, 300
	_, e, pairs := problem(t, n, m, K)
	for _, centred := range []bool{false, true} {
		whole, mean := sums(t, e, pairs, Rows{}, centred, 1).Sums.Dense(), make([]float64, m*m)
		var one float64
		for seed := range uint64(draws) {
			some := sums(t, e, pairs, Rows{Seed: seed, Count: 3}, centred, 1).Sums.Dense()
			floats.AddScaled(mean, 1./draws, some)
			one = relative(some, whole)
		}
		if d := relative(mean, whole); d > one/5 || d == 0 {
			t.Errorf("centred %v: the mean is %.2g off, one draw %.2g", centred, d, one)
		}
	}
}

// Rows of a sample are equally spaced, and all points are equally likely.
func TestRowsAreEquallySpaced(t *testing.T) {
	const samples = 4000
	for _, c := range []struct{ points, count int }{{128, 16}, {17, 3}, {9, 8}, {5, 1}} {
		times := make([]float64, c.points)
		for sample := range samples {
			rows := Rows{Seed: 1, Count: c.count}.draw(sample, c.points)
			for k, x := range rows {
				times[x] += float64(c.points) / float64(c.count) / samples
				if k > 0 && x-rows[k-1] != c.points/c.count && x-rows[k-1] != (c.points+c.count-1)/c.count {
					t.Fatalf("%d of %d points of sample %d: %v", c.count, c.points, sample, rows)
				}
			}
		}
		if low, high := slices.Min(times), slices.Max(times); low < 0.75 || high > 1.25 {
			t.Errorf("%d of %d points: one is taken %.2f times its share, one %.2f times", c.count, c.points, low, high)
		}
	}
}

func TestEnoughRows(t *testing.T) {
	for _, c := range []struct{ n, m, want int }{{4096, 1024, 8}, {1024, 1024, 16}, {512, 1024, 32},
		{1, 1 << 17, 1 << 21}} {
		if got := EnoughRows(c.n, c.m); got != c.want || c.n*got < 16*c.m {
			t.Errorf("n=%d, m=%d: %d, want %d", c.n, c.m, got, c.want)
		}
	}
	if d := math.Abs(Rows{Count: 4}.weight(sized{points: 16}) - 0.25); d > 1e-15 {
		t.Errorf("weight off by %g", d)
	}
}
