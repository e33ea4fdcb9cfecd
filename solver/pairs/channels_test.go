package pairs

import (
	"math"
	"path/filepath"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// filled returns an array of the values of f at the indices of its axes.
func filled(f func(index []int) float64, shape ...int) npy.Array {
	a := npy.Array{Shape: shape, Data: make([]float64, npy.Strides(shape)[0]*shape[0])}
	for at := range a.Data {
		rest, index := at, make([]int, len(shape))
		for d, stride := range npy.Strides(shape) {
			index[d], rest = rest/stride, rest%stride
		}
		a.Data[at] = f(index)
	}
	return a
}

// saved writes named arrays to a file.
func saved(t *testing.T, arrays map[string]npy.Array) string {
	t.Helper()
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), arrays)
}

// value returns channel c of function i at x in [0, 1].
func value(i, c int, x float64) float64 {
	return float64((i*i*7)%11+1) + math.Sin(2*math.Pi*x+float64(c)) + float64(10*c)
}

// Every layout of two input channels and one or two output channels contains the same functions.
func TestLayoutsOfChannels(t *testing.T) {
	const n, K = 20, 33
	at := func(i, c, x int) float64 { return value(i, c, float64(x%(K-1))/(K-1)) }
	first, second := filled(func(p []int) float64 { return at(p[0], 0, p[1]) }, n, K),
		filled(func(p []int) float64 { return at(p[0], 1, p[1]) }, n, K)
	last := filled(func(p []int) float64 { return at(p[0], p[2], p[1]) }, n, K, 2)
	before := filled(func(p []int) float64 { return at(p[0], p[1], p[2]) }, n, 2, K)
	backwards := filled(func(p []int) float64 { return at(p[2], p[1], p[0]) }, K, 2, n)
	all := filled(func(p []int) float64 { return at(p[0], p[2]%2, p[1]) }, n, K, 3)
	for name, test := range map[string]struct {
		arrays        map[string]npy.Array
		input, output string
		out           int
	}{
		"channels last":       {map[string]npy.Array{"a": last, "u": first}, "", "", 1},
		"channels first":      {map[string]npy.Array{"a": before, "u": before}, "", "", 2},
		"names":               {map[string]npy.Array{"a": first, "b": second, "u": first}, "a, b", "", 1},
		"mixed":               {map[string]npy.Array{"a": last, "u": first, "v": second}, "a", "u,v", 2},
		"functions last":      {map[string]npy.Array{"a": backwards, "u": backwards}, "", "", 2},
		"parts of one array":  {map[string]npy.Array{"all": all}, "all[:, :, :2]", "all[:, :, 2]", 1},
		"an axis of length 1": {map[string]npy.Array{"a": last, "u": {Shape: []int{n, K, 1}, Data: first.Data}}, "", "", 1},
	} {
		p, err := ReadPairs(t.Context(), Source{File: saved(t, test.arrays), Input: test.input, Output: test.output,
			Endpoint: true}, 7)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if p.Inputs.Domain != grid.Torus.With(2) || p.Outputs.Domain != grid.Torus.With(test.out) || p.Count() != 7 {
			t.Fatalf("%s: inputs %v, outputs %v", name, p.Inputs.Domain, p.Outputs.Domain)
		}
		for i := range 7 {
			for c := range 2 {
				for x := range K {
					if got := p.Inputs.Of(i, c)[x]; got != at(i, c, x) {
						t.Fatalf("%s: channel %d of input %d at %d is %g, want %g", name, c, i, x, got, at(i, c, x))
					}
					if got := p.Outputs.Of(i, c%test.out)[x]; got != at(i, c%test.out, x) {
						t.Fatalf("%s: output %d at %d is %g", name, i, x, got)
					}
				}
			}
		}
	}
}

// Inputs are lifted to the grid and the domain of the outputs.
func TestInputsAreLifted(t *testing.T) {
	const n, K, rows, columns = 12, 33, 9, 17
	u := filled(func(p []int) float64 { return value(p[0], 0, float64(p[1]%(K-1))/(K-1)) }, n, K)
	coarse := filled(func(p []int) float64 { return value(p[0], 0, float64(p[1]%16)/16) }, n, 17)
	parameters := filled(func(p []int) float64 { return float64(p[0]*p[1] + 1) }, n, 3)
	p, err := ReadPairs(t.Context(), Source{File: saved(t, map[string]npy.Array{"a": coarse, "p": parameters, "u": u}),
		Input: "a,p", Endpoint: true}, 0)
	noError(t, err)
	if p.Inputs.Points != K || p.Inputs.Domain.Width() != 4 {
		t.Fatalf("inputs on %s with %d channels", p.Inputs.Domain.Grid(p.Inputs.Points), p.Inputs.Domain.Width())
	}
	for i := range n {
		for x := range K {
			if d := p.Inputs.Of(i, 0)[x] - p.Outputs.Of(i, 0)[x]; math.Abs(d) > 1e-12 {
				t.Fatalf("function %d is %g off at %d after interpolation", i, d, x)
			}
			if got := p.Inputs.Of(i, 3)[x]; got != float64(2*i+1) {
				t.Fatalf("parameter of %d is %g", i, got)
			}
		}
	}

	fields := filled(func(p []int) float64 { return float64(p[0] + p[1]*p[2] + 1) }, n, rows, columns)
	for name, test := range map[string]struct {
		edge npy.Array
		want func(i, y, x int) float64
	}{
		"along the second axis": {filled(func(p []int) float64 { return float64(100*p[0] + p[1]) }, n, columns),
			func(i, _, x int) float64 { return float64(100*i + x) }},
		"along the first axis": {filled(func(p []int) float64 { return float64(100*p[0] + p[1]) }, n, rows),
			func(i, y, _ int) float64 { return float64(100*i + y) }},
		"as the axis of length one says": {filled(func(p []int) float64 { return float64(100*p[0] + p[1]) }, n, rows, 1),
			func(i, y, _ int) float64 { return float64(100*i + y) }},
	} {
		p, err := ReadFieldPairs(t.Context(), Source{File: saved(t, map[string]npy.Array{"a": test.edge, "u": fields}),
			Endpoint: true}, 0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range n {
			for v, got := range p.Inputs.At(i) {
				if want := test.want(i, v/columns, v%columns); got != want {
					t.Fatalf("%s: input %d at (%d, %d) is %g, want %g", name, i, v/columns, v%columns, got, want)
				}
			}
		}
	}
}

// Fields on a square of so few points that an axis could be channels may have channels like other fields.
func TestChannelsOfSmallSquares(t *testing.T) {
	const n, r = 12, 8
	field := func(i, c, x, y int) float64 { return float64(1+i*7%n) + float64((1+c)*x*x)/9 + float64(y)/7 }
	last := filled(func(p []int) float64 { return field(p[0], p[3], p[1], p[2]) }, n, r, r, 2)
	second := filled(func(p []int) float64 { return field(p[0], p[1], p[2], p[3]) }, n, 2, r, r)
	one := filled(func(p []int) float64 { return field(p[0], 0, p[1], p[2]) }, n, r, r)
	if p, err := ReadFieldPairs(t.Context(), Source{File: saved(t, map[string]npy.Array{"a": one, "u": last}),
		Endpoint: true}, 0); err != nil || p.Inputs.Domain.Width() != 1 || p.Outputs.Domain.Width() != 2 {
		t.Errorf("one channel to two: %v, %v to %v", err, p.Inputs.Domain, p.Outputs.Domain)
	}
	for name, a := range map[string]npy.Array{"last": last, "second": second} {
		p, err := ReadFieldPairs(t.Context(), Source{File: saved(t, map[string]npy.Array{"a": a, "u": a}), Endpoint: true}, 0)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := p.Outputs.Of(3, 1)[2*r+5]; p.Inputs.Domain.Width() != 2 || p.Count() != n || got != field(3, 1, 2, 5) {
			t.Errorf("%s: %d channels of %d inputs, %g", name, p.Inputs.Domain.Width(), p.Count(), got)
		}
	}
}

// A few fields on a square are not mistaken for functions with as many channels as there are fields.
func TestFewFieldsAreNoChannels(t *testing.T) {
	for n := 3; n <= 6; n++ {
		a := npy.Array{Shape: []int{n, 16, 16}, Data: fields(n, 16, 1).Data}
		source := Source{File: saved(t, map[string]npy.Array{"a": a, "u": a}), Endpoint: true}
		_, err := ReadPairs(t.Context(), source, 0)
		filetest.Refused(t, "as functions", err, "want (count, K), (count, K, channels) or (K, count)")
		if info, err := StatPairs(t.Context(), source, 2); err != nil || info.Count != n || info.In != 1 {
			t.Errorf("%d fields: %+v, %v", n, info, err)
		}
	}
}

func TestUnusableChannelsAreRefused(t *testing.T) {
	const n, K = 12, 17
	u := filled(func(p []int) float64 { return value(p[0], 0, float64(p[1]%(K-1))/(K-1)) }, n, K)
	infinite := npy.Array{Shape: []int{n, 2}, Data: make([]float64, 2*n)}
	infinite.Data[5] = math.Inf(1)
	for want, source := range map[string]Source{
		`has no array "b"`: {File: saved(t, map[string]npy.Array{"a": u, "u": u}), Input: "a,b", Endpoint: true},
		"p, channel 2: function 2 has the value +Inf at grid point 0 of 1; repair this function, or leave such pairs out " +
			"with data.skip = both": {File: saved(t, map[string]npy.Array{"a": u, "p": infinite, "u": u}), Input: "a,p",
			Endpoint: true},
		"has shape (12, 80, 70), want (count, K), (count, K, channels) or (K, count)": {File: saved(t,
			map[string]npy.Array{"a": filled(func(p []int) float64 { return 1 }, n, 80, 70),
				"u": u}), Endpoint: true},
		"different grids": {File: saved(t, map[string]npy.Array{"a": u, "u": u,
			"v": filled(func([]int) float64 { return 1 }, n,
				33)}), Output: "u,v", Endpoint: true},
	} {
		_, err := ReadPairs(t.Context(), source, 0)
		filetest.Refused(t, "channels", err, want)
	}
}
