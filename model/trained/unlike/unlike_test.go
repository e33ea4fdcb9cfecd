package unlike

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/trained/codec"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// draws returns random sums of waves times a factor on a domain, with channels of different sizes.
func draws(seed uint64, domain grid.Domain, points, count int, factor float64) grid.Batch {
	random := rand.New(rand.NewPCG(seed, 1))
	b := grid.NewBatch(domain, points, count)
	rows, columns := domain.One().Axes(points)
	for i := range count {
		for c := range domain.Width() {
			f := b.Of(i, c)
			for k := range 8 {
				for l := range min(rows, 3) {
					size := factor * math.Pow(1000, float64(c)) * random.NormFloat64() / float64(1+k+l)
					for x := range f {
						f[x] += size * math.Cos(math.Pi*float64(k*(x%columns))/float64(columns-1)) *
							math.Cos(math.Pi*float64(l*(x/columns))/float64(max(1, rows-1)))
					}
				}
			}
		}
	}
	return b
}

// measure returns New for training inputs.
func measure(t *testing.T, inputs grid.Batch, labels []int) *Inputs {
	t.Helper()
	in, err := New(t.Context(), inputs, labels)
	filetest.NoError(t, err)
	return in
}

// share returns the part of inputs that are flagged.
func share(t *testing.T, in *Inputs, inputs grid.Batch) float64 {
	t.Helper()
	deviations, err := in.Deviations(t.Context(), inputs, 2)
	filetest.NoError(t, err)
	return float64(len(Found{deviations, in.Limit}.Outside())) / float64(inputs.Count)
}

// Hardly any input of the same law is flagged, many that are twice as large, and all that are ten times as large, on
// every kind of domain and with few and many training inputs.
func TestInputsOfAnotherSizeAreFlagged(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range []grid.Domain{grid.Interval, grid.Square, grid.Interval.With(2)} {
		points := 33
		if domain.Dims == 2 {
			points = 17
		}
		for _, n := range []int{100, 400, 800} {
			in := measure(t, draws(1, domain, points, n, 1), nil)
			same := share(t, in, draws(2, domain, points, 400, 1))
			twice := share(t, in, draws(2, domain, points, 400, 2))
			tenfold := share(t, in, draws(2, domain, points, 400, 10))
			if same > 0.03 || twice < 0.5 || tenfold != 1 {
				t.Errorf("%s, n=%d: %.3f of the same law, %.3f twice as large, %.3f ten times as large", domain.Name(), n, same,
					twice, tenfold)
			}
		}
	}
}

// Where all training inputs have one mean, another mean is unlike them although the values are small; where means differ, it
// is not. Without a term of its own the mean of the first law was lost among the values.
func TestAnotherMeanIsFlaggedWhereAllAreTheSame(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const size = 0.2 // of the constant, in root mean squares of the inputs
	for _, domain := range []grid.Domain{grid.Interval, grid.Square, {Dims: 1, Cells: true}} {
		points := 33
		if domain.Dims == 2 {
			points = 17
		}
		varied := draws(1, domain, points, 200, 1)
		conserving := centred(varied)
		moved := centred(draws(2, domain, points, 50, 1))
		height := size * domain.Norm(moved.At(0))
		for x := range moved.Data {
			moved.Data[x] += height
		}
		if got := share(t, measure(t, conserving, nil), moved); got < 0.9 {
			t.Errorf("%s: %.2f of the inputs with another mean are flagged, want nearly all", domain.Name(), got)
		}
		if got := measure(t, varied, nil).Lengths[means]; got != 0 {
			t.Errorf("%s: means have the length %g although they differ", domain.Name(), got)
		}
	}
}

// centred returns functions without their means.
func centred(b grid.Batch) grid.Batch {
	b = b.Clone()
	for i := range b.Count {
		f := b.At(i)
		average := mean(b.Domain, f)
		for x := range f {
			f[x] -= average
		}
	}
	return b
}

// The same functions on another grid have nearly the same deviations.
func TestDeviationsDoNotDependOnTheGrid(t *testing.T) {
	in := measure(t, draws(1, grid.Interval, 257, 200, 1), nil)
	fine, err := in.Deviations(t.Context(), draws(3, grid.Interval, 257, 20, 1), 2)
	filetest.NoError(t, err)
	coarse, err := in.Deviations(t.Context(), draws(3, grid.Interval, 129, 20, 1), 2)
	filetest.NoError(t, err)
	for i, d := range fine {
		if math.Abs(d-coarse[i]) > 1e-3 {
			t.Errorf("input %d: %g on 257 points, %g on 129", i, d, coarse[i])
		}
	}
	if in.Points > 65 {
		t.Errorf("training inputs are kept on %d points", in.Points)
	}
}

// Copies in one group do not make each other look like training inputs.
func TestGroupsAreLeftOutTogether(t *testing.T) {
	once := draws(1, grid.Interval, 33, 60, 1)
	twice := once.Take(append(numbers(60), numbers(60)...))
	alone := measure(t, once, nil)
	grouped := measure(t, twice, append(numbers(60), numbers(60)...))
	copied := measure(t, twice, nil)
	if math.Abs(grouped.Limit-alone.Limit) > 0.02 || copied.Limit > 0.1*alone.Limit {
		t.Errorf("limits: %g of each once, %g of copies in groups, %g of copies", alone.Limit, grouped.Limit, copied.Limit)
	}
}

func numbers(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

func TestLimitIsAQuantile(t *testing.T) {
	var scores []float64
	for i := range 999 {
		scores = append(scores, float64(i+1))
	}
	if got := limit(slices.Clone(scores)); got != 989 {
		t.Errorf("of 1 to 999: %g, want 989, which 10 exceed", got)
	}
	if got := limit([]float64{1, 3, 2}); got != 3 {
		t.Errorf("of three: %g, want the largest", got)
	}
}

func TestNothingIsToldOfEqualInputs(t *testing.T) {
	if in := measure(t, grid.NewBatch(grid.Interval, 9, 20), nil); in != nil {
		t.Errorf("zero functions have the lengths %g", in.Lengths)
	}
	if in := measure(t, draws(1, grid.Interval, 9, 2, 1), nil); in != nil {
		t.Errorf("two functions have the limit %g", in.Limit)
	}
}

// arrays are the arrays of a file.
type arrays map[string]npy.Array

func (a arrays) Has(name string) bool { _, ok := a[name]; return ok }

func (a arrays) Array(name string) (npy.Array, error) { return a[name], nil }

// Training inputs are read as they were written; damaged ones are refused.
func TestInputsRoundTrip(t *testing.T) {
	kinds := codec.Kinds{"inputs": new(Inputs)}
	in := measure(t, draws(1, grid.Square.With(2), 17, 40, 1), nil)
	text, list, err := kinds.Encode(in)
	filetest.NoError(t, err)
	there := arrays{}
	for _, a := range list {
		there[a.Name] = a.Array
	}
	part, err := kinds.Decode(text, there)
	filetest.NoError(t, err)
	other := draws(2, grid.Square.With(2), 17, 5, 3)
	want, err := in.Deviations(t.Context(), other, 2)
	filetest.NoError(t, err)
	got, err := part.(*Inputs).Deviations(t.Context(), other, 2)
	filetest.NoError(t, err)
	if !slices.Equal(got, want) {
		t.Errorf("deviations %g, want %g", got, want)
	}
	in.Lengths[0] = math.NaN()
	if _, _, err := kinds.Encode(in); err == nil {
		t.Error("a length that is not a number is written")
	}
}

// Deviations are those of the definition, with the differences of coordinates and a solution of the system.
func TestDeviationsAreTheirDefinition(t *testing.T) {
	in := measure(t, draws(1, grid.Interval, 33, 40, 1), nil)
	inputs := draws(2, grid.Interval, 33, 300, 1.5)
	got, err := in.Deviations(t.Context(), inputs, 2)
	filetest.NoError(t, err)
	var factors mat.Cholesky
	if !factors.Factorize(in.matrix()) {
		t.Fatal("the matrix is singular")
	}
	coordinates := in.coordinates(inputs)
	k := mat.NewDense(40, inputs.Count, nil)
	k.Apply(func(i, j int, _ float64) float64 {
		s := math.Sqrt(5) * floats.Distance(in.rows.RawRowView(i), coordinates.RawRowView(j), 2)
		return (1 + s + s*s/3) * math.Exp(-s)
	}, k)
	var solved mat.Dense
	filetest.NoError(t, factors.SolveTo(&solved, k))
	for j, d := range got {
		square := 1.0
		for i := range 40 {
			square -= k.At(i, j) * solved.At(i, j)
		}
		if want := math.Sqrt(max(0, square)); math.Abs(d-want) > 1e-7 {
			t.Errorf("input %d: %g, want %g", j, d, want)
		}
	}
}

func BenchmarkDeviations(b *testing.B) {
	in, err := New(b.Context(), draws(1, grid.Interval, 129, 256, 1), nil)
	filetest.NoError(b, err)
	inputs := draws(2, grid.Interval, 129, 1024, 1)
	for b.Loop() {
		if _, err := in.Deviations(b.Context(), inputs, 1); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1024, "us/input")
}
