package command

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// cosines returns n random sums of cosines on K points of [0, 1], or on K x K points of the square.
func cosines(random *rand.Rand, n, K, dims int) npy.Array {
	const modes = 5
	a := npy.Array{Shape: []int{n, K}}
	if dims == 2 {
		a.Shape = []int{n, K, K}
	}
	cosine := func(k, x int) float64 { return math.Cos(math.Pi * float64(k*x) / float64(K-1)) }
	for range n {
		var c [modes][modes]float64
		for k := range modes {
			for l := range modes {
				c[k][l] = random.NormFloat64() / float64(1+k+l)
			}
		}
		rows := 1
		if dims == 2 {
			rows = K
		}
		for y := range rows {
			for x := range K {
				v := 0.0
				for k := range modes {
					for l := range modes {
						if dims == 2 || l == 0 {
							v += c[k][l] * cosine(k, x) * cosine(l, y)
						}
					}
				}
				a.Data = append(a.Data, v)
			}
		}
	}
	return a
}

// mapped returns the array with a function of each value.
func mapped(a npy.Array, of func(v float64) float64) npy.Array {
	u := npy.Array{Shape: a.Shape}
	for _, v := range a.Data {
		u.Data = append(u.Data, of(v))
	}
	return u
}

// weightsOf returns the weights of the trapezoid rule on K points, or on K x K.
func weightsOf(K, dims int) (w []float64) {
	edge := func(x int) float64 {
		if x == 0 || x == K-1 {
			return 0.5
		}
		return 1
	}
	for y := range K {
		if dims == 1 {
			w = append(w, edge(y))
			continue
		}
		for x := range K {
			w = append(w, edge(x)*edge(y))
		}
	}
	return w
}

// ownError returns the mean relative error of predictions in a file.
func ownError(t *testing.T, file string, truth npy.Array, dims int) float64 {
	t.Helper()
	content, err := os.ReadFile(file)
	noError(t, err)
	predicted, err := npy.Read(content)
	noError(t, err)
	n := truth.Shape[0]
	w := weightsOf(truth.Shape[1], dims)
	total := 0.0
	for i := range n {
		distance, size := 0.0, 0.0
		for x, weight := range w {
			u := truth.Data[i*len(w)+x]
			d := predicted.Data[i*len(w)+x] - u
			distance += weight * d * d
			size += weight * u * u
		}
		total += math.Sqrt(distance/size) / float64(n)
	}
	return total
}

// The printed test error is the error of rfm predict on all points of the file, for outputs of any smoothness, whether
// methods learn on all points or not.
func TestPrintedErrorIsThatOfPredict(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, shape := range []struct {
		name string
		of   func(v float64) float64
	}{
		{"sharp", func(v float64) float64 { return 2 + math.Copysign(1, v-0.1) }},
		{"kinked", func(v float64) float64 { return 0.2 + math.Abs(v) }},
		{"smooth", func(v float64) float64 { return 1 + math.Tanh(v) }},
	} {
		for _, test := range []struct {
			dims, K int
			train   string
		}{{1, 257, ""}, {1, 257, "train.grid=33"}, {2, 37, ""}, {2, 37, "train.grid=13"}} {
			random := rand.New(rand.NewPCG(5, 1))
			a := cosines(random, 24, test.K, test.dims)
			arraytest.NPZ(t, "train.npz", map[string]npy.Array{"a": a, "u": mapped(a, shape.of)})
			b := cosines(random, 6, test.K, test.dims)
			truth := mapped(b, shape.of)
			arraytest.NPZ(t, "test.npz", map[string]npy.Array{"a": b, "u": truth})
			args := []string{"run", "train.npz", "--test-data", "test.npz", "--name", "run", "-q", "--json",
				"--set", "train.method=kernel", "--no-baselines"}
			if test.train != "" {
				args = append(args, "--set", test.train)
			}
			var result struct {
				Grid int
				Test struct {
					Error float64 `json:"expected_relative"`
				}
			}
			noError(t, json.Unmarshal([]byte(done(t, args...)), &result))
			arraytest.NPY(t, "in.npy", b)
			done(t, "predict", "run", "--in", "in.npy", "--out", "out.npy", "--force")
			own := ownError(t, "out.npy", truth, test.dims)
			if math.Abs(result.Test.Error-own) > 1e-9*own {
				t.Errorf("%s, %d variables, %d points, trained on %d: printed %g, own error of predict %g", shape.name, test.dims,
					test.K, result.Grid, result.Test.Error, own)
			}
			if sharp := shape.name == "sharp"; test.train == "" && sharp && result.Grid != test.K {
				t.Errorf("%s, %d variables: trained on %d of %d points", shape.name, test.dims, result.Grid, test.K)
			}
			noError(t, os.RemoveAll(filepath.Join("runs", "run")))
		}
	}
}
