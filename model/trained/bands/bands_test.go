package bands

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rfm/model/learn/score"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// blurred returns the operator a -> a/2 + noise of a size that follows the input's, and differs along x.
func blurred(seed uint64, count int, scale float64) dataset.Pairs {
	const K = 33
	p := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, count), Outputs: grid.NewBatch(grid.Torus, K, count)}
	grf.Measure{Tau: 7, Alpha: 2.5, Scale: scale, Space: grid.Torus}.On(K).Draw(p.Inputs, seed, draw.InputTrain, 0)
	for i := range count {
		a, u, random := p.Inputs.At(i), p.Outputs.At(i), draw.Stream(seed, "noise", i)
		size := grid.Torus.Norm(a)
		for x := range K - 1 {
			u[x] = a[x]/2 + 0.1*size*(1.5+math.Sin(2*math.Pi*float64(x)/(K-1)))*random.NormFloat64()
		}
		u[K-1] = u[0]
	}
	return p
}

// half predicts a/2.
type half struct{}

func (half) Predict(_ context.Context, inputs grid.Batch, _ int, _ func(int)) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	for i, v := range inputs.Data {
		outputs.Data[i] = v / 2
	}
	return outputs, nil
}

// partsOf divides n pairs into some parts.
func partsOf(count, n int) [][]int {
	parts := make([][]int, count)
	for i := range n {
		parts[i%count] = append(parts[i%count], i)
	}
	return parts
}

func calibrated(t *testing.T, pairs dataset.Pairs) *Bands {
	t.Helper()
	b, err := Calibrate(t.Context(), pairs, partsOf(5, pairs.Count()), func(_ context.Context, kept []int) (score.Predictor, error) {
		if n := pairs.Count(); len(kept) != n*4/5 && len(kept) != n*3/5 && len(kept) != n*2/5 {
			t.Errorf("%d pairs are kept", len(kept))
		}
		return half{}, nil
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func checked(t *testing.T, b *Bands, pairs dataset.Pairs) *Checked {
	t.Helper()
	predictions, _ := half{}.Predict(t.Context(), pairs.Inputs, 1, nil)
	return must(b.Check(pairs.Inputs, predictions))
}

func TestPromisesAreKept(t *testing.T) {
	b := calibrated(t, blurred(1, 500, 1))
	tests := blurred(2, 1000, 1)
	for _, c := range checked(t, b, tests).Covered(tests.Outputs) {
		const scatter = 0.05 // three standard deviations of both
		for what, share := range map[string]float64{"functions": c.Function, "whole": c.Whole, "points": c.Point} {
			if math.Abs(share-c.Promised) > scatter {
				t.Errorf("%s: %g is promised, %.3f kept", what, c.Promised, share)
			}
		}
	}
	// The noise is 5 times as large at a quarter as at three quarters.
	if ratio := b.Place[8] / b.Place[24]; ratio < 4 || ratio > 6 {
		t.Errorf("bands are %.2g times as wide where the noise is 5 times as large", ratio)
	}
}

// With few pairs each pair has a part in the size of errors at a place; the sizes from other pairs decide. Given its
// pairs, a calibration with 40 has a coverage with a standard deviation of 0.05; in the mean it is right.
func TestFewPairsKeepTheirPromiseInTheMean(t *testing.T) {
	const calibrations = 16
	var kept Coverage
	for seed := range uint64(calibrations) {
		b, tests := calibrated(t, blurred(100+seed, 40, 1)), blurred(200+seed, 200, 1)
		c := checked(t, b, tests).Covered(tests.Outputs)[1]
		kept.Function, kept.Whole, kept.Point = kept.Function+c.Function, kept.Whole+c.Whole, kept.Point+c.Point
	}
	for what, sum := range map[string]float64{"functions": kept.Function, "whole": kept.Whole, "points": kept.Point} {
		if share := sum / calibrations; math.Abs(share-0.9) > 0.035 { // whole: 0.80 if the pair itself counts
			t.Errorf("%s: %.3f kept of 0.9", what, share)
		}
	}
}

// flawed predicts a/2 with an error that falls as the number of pairs grows, by the power of 1.
type flawed struct{ pairs int }

func (f flawed) Predict(ctx context.Context, inputs grid.Batch, workers int, _ func(int)) (grid.Batch, error) {
	outputs, err := half{}.Predict(ctx, inputs, workers, nil)
	for i := range outputs.Count {
		for x := range outputs.At(i) {
			outputs.At(i)[x] *= 1 + (1+0.3*math.Sin(float64(i)))/float64(f.pairs)
		}
	}
	return outputs, err
}

// Calibration is for the error of the model of all pairs.
func TestBandsAreThoseOfAllPairs(t *testing.T) {
	pairs := blurred(1, 400, 1)
	for i, v := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] = v / 2
	}
	b, err := Calibrate(t.Context(), pairs, partsOf(10, 400), func(_ context.Context, kept []int) (score.Predictor, error) {
		return flawed{len(kept)}, nil
	}, 1)
	if err != nil {
		t.Fatal(err)
	}
	predictions, _ := flawed{400}.Predict(t.Context(), pairs.Inputs, 1, nil)
	c := must(b.Check(pairs.Inputs, predictions))
	sum := 0.0
	for i := range 400 {
		sum += math.Sqrt(grid.Torus.Distance2(predictions.At(i), pairs.Outputs.At(i))) / c.Radius(i, 0.5) / 400
	}
	if math.Abs(sum-1) > 0.03 { // without the halves it is 0.9
		t.Errorf("errors are %.3f of the median radius on average", sum)
	}
}

// Bands depend on the input: with sizes that differ by 10, they are not too wide for half of the pairs and too thin for
// the other half.
func TestBandsFollowTheSizeOfInputs(t *testing.T) {
	mixed := func(seed uint64) dataset.Pairs {
		p := blurred(seed, 300, 1)
		for i := 0; i < p.Count(); i += 2 {
			for _, f := range [][]float64{p.Inputs.At(i), p.Outputs.At(i)} {
				for x := range f {
					f[x] *= 10
				}
			}
		}
		return p
	}
	b, tests := calibrated(t, mixed(1)), mixed(2)
	for _, some := range partsOf(2, tests.Count()) {
		part := tests.Take(some)
		if c := checked(t, b, part).Covered(part.Outputs)[1]; math.Abs(c.Function-0.9) > 0.08 {
			t.Errorf("%.3f kept of 0.9", c.Function)
		}
	}
}

func TestInputsOfAnotherLawAreOutside(t *testing.T) {
	b := calibrated(t, blurred(1, 500, 1))
	outside := func(pairs dataset.Pairs) float64 {
		return float64(len(checked(t, b, pairs).Outside)) / float64(pairs.Count())
	}
	rough := blurred(2, 200, 1)
	grf.Measure{Tau: 7, Alpha: 1.5, Space: grid.Torus}.On(33).Draw(rough.Inputs, 3, draw.InputTest, 0)
	same, larger, rougher := outside(blurred(2, 1000, 1)), outside(blurred(2, 200, 3)), outside(rough)
	if same > 0.02 || larger < 0.95 || rougher < 0.95 {
		t.Errorf("outside: %.3f of the same law, %.3f three times as large, %.3f rougher", same, larger, rougher)
	}
}

func TestTooFewPairsPromiseLess(t *testing.T) {
	b := calibrated(t, blurred(1, 20, 1))
	few := blurred(2, 3, 1)
	c := checked(t, b, few)
	unbounded, err := json.Marshal(c.Covered(few.Outputs)[2])
	if err != nil || strings.Contains(string(unbounded), "radius") {
		t.Errorf("a band without a bound is %s, %v", unbounded, err)
	}
	if r := c.Radius(0, 0.99); !math.IsInf(r, 1) {
		t.Errorf("20 pairs promise 0.99 within %g", r)
	}
	if r := c.Radius(0, 0.9); math.IsInf(r, 1) || c.Band(0, 0.99) != nil || c.Band(0, 0.9) == nil {
		t.Errorf("20 pairs promise 0.9 within %g", r)
	}
}

func TestBandsAreReadAsTheyWereWritten(t *testing.T) {
	b := calibrated(t, blurred(1, 60, 1))
	var text bytes.Buffer
	if err := Write(&text, b); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), File)
	write := func(text []byte) {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(text.Bytes())
	if got, err := ReadFile(name); err != nil || !reflect.DeepEqual(got, b) {
		t.Errorf("they differ: %v", err)
	}
	for _, damage := range [][2]string{{`"pairs":60`, `"pairs":61`}, {`"exponents":[`, `"exponents":[1,`},
		{`"rest":`, `"rest":-`}, {`"place":[`, `"place":[-`}, {`{`, `[`}} {
		write(bytes.Replace(text.Bytes(), []byte(damage[0]), []byte(damage[1]), 1))
		if _, err := ReadFile(name); err == nil {
			t.Errorf("%s is read", damage[1])
		}
	}
}

func TestBandsRefuseValuesWithoutSquares(t *testing.T) {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 5, 8), Outputs: grid.NewBatch(grid.Torus, 5, 8)}
	for x := range pairs.Inputs.Data {
		pairs.Inputs.Data[x], pairs.Outputs.Data[x] = float64(x), 1e200*float64(x)
	}
	_, err := Calibrate(t.Context(), pairs, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}, nil, 1)
	if data := (*fault.Data)(nil); !errors.As(err, &data) {
		t.Errorf("%v", err)
	}
}

// Bands keep the share of scores for one more group; groups are fewer than pairs.
func TestQuantilesOfGroups(t *testing.T) {
	scores := make([]float64, 300)
	for i := range scores {
		scores[i] = float64(i + 1)
	}
	for _, test := range []struct {
		groups      int
		level, want float64
	}{{0, 0.9, 271}, {0, 0.5, 151}, {10, 0.5, 165}, {10, 0.9, 297}, {10, 0.99, math.Inf(1)}, {150, 0.5, 151}} {
		if got := (&Bands{Pairs: len(scores), Groups: test.groups}).quantile(scores, test.level); got != test.want {
			t.Errorf("%d groups, %g: the score %g, want %g", test.groups, test.level, got, test.want)
		}
	}
}

// Sixteen pairs have bands of eight parts; seven have none, which is known before anything is trained.
func TestFewPairsHaveFewerParts(t *testing.T) {
	for groups, want := range map[int]int{400: 10, 20: 10, 16: 8, 4: 2, 3: 1, 1: 1} {
		if got := Parts(groups, 10); got != want {
			t.Errorf("%d groups are divided into %d parts, want %d", groups, got, want)
		}
	}
	if err := Check(blurred(1, 16, 1), partsOf(Parts(16, 10), 16)); err != nil {
		t.Errorf("16 pairs: %v", err)
	}
	pairs := blurred(1, 7, 1)
	trained := false
	_, err := Calibrate(t.Context(), pairs, partsOf(Parts(7, 10), 7), func(context.Context, []int) (score.Predictor, error) {
		trained = true
		return half{}, nil
	}, 1)
	if data := (*fault.Data)(nil); !errors.As(err, &data) || trained {
		t.Errorf("7 pairs: %v, trained before: %t", err, trained)
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// steady is a pair whose error is a number of its own, equal at all points: its point is as often in a band as the whole
// function.
func steady(seed uint64, count int) dataset.Pairs {
	const K = 33
	p := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, count), Outputs: grid.NewBatch(grid.Torus, K, count)}
	grf.Measure{Tau: 7, Alpha: 2.5, Scale: 1, Space: grid.Torus}.On(K).Draw(p.Inputs, seed, draw.InputTrain, 0)
	for i := range count {
		size := grid.Torus.Norm(p.Inputs.At(i))
		offset := 0.1 * size * draw.Stream(seed, "noise", i).NormFloat64()
		for x, a := range p.Inputs.At(i) {
			p.Outputs.At(i)[x] = a/2 + offset
		}
	}
	return p
}

// Points of a pair are not independent. With 12 pairs there is no band that has 99% of new points, and the mean coverage
// of the others is not below their promise.
func TestPointsOfFewPairsKeepTheirPromise(t *testing.T) {
	const calibrations, pairs = 120, 12
	promised := []float64{0.5, 0.9, 0.99}
	kept := make([]float64, len(promised))
	for seed := range uint64(calibrations) {
		b := must(Calibrate(t.Context(), steady(1000+seed, pairs), partsOf(3, pairs),
			func(context.Context, []int) (score.Predictor, error) { return half{}, nil }, 1))
		tests := steady(5000+seed, 100)
		c := checked(t, b, tests)
		for level, covered := range c.Covered(tests.Outputs) {
			kept[level] += covered.Point / calibrations
		}
		if width := c.Widths(0.99, false).Data[0]; !math.IsInf(width, 1) {
			t.Fatalf("%d pairs promise 99%% of points within %g", pairs, width)
		}
	}
	const scatter = 0.025 // three standard deviations
	for level, promise := range promised {
		if kept[level] < promise-scatter {
			t.Errorf("%g is promised for points, %.3f kept", promise, kept[level])
		}
	}
}
