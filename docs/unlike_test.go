package docs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/trained"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// unlikes returns the table of the alarm: how it ranks test inputs beside their errors, and what it flags.
func unlikes() table {
	w := table{page: "methods.md", name: "unlike",
		head: "| pairs | rank correlation with the error | same law | twice as large | ten times |"}
	for _, name := range []string{"burgers", "heat", "advection-variable", "ks", "kdv", "allen-cahn", "fisher-kpp", "wave",
		"darcy", "navier-stokes"} {
		w.rows = append(w.rows, line{label: "`" + name + "`", measure: func(t *testing.T) string {
			c, err := config.PresetByName(name)
			noError(t, err)
			c.Data.Train, c.Data.Test = 400, 400
			return flagged(t, c)
		}})
	}
	for _, law := range laws {
		w.rows = append(w.rows, line{label: "file: " + law.name, measure: func(t *testing.T) string {
			c, err := config.PresetByName(config.Functions)
			noError(t, err)
			c.Data.Boundary = config.Closed
			c.Data.TrainFile = law.file(t, "train.npz", 400)
			c.Data.TestFile = law.file(t, "test.npz", 400)
			return flagged(t, c)
		}})
	}
	return w
}

// flagged trains a kernel on pairs and describes what is flagged among its test inputs, as they are and enlarged.
func flagged(t *testing.T, c config.Config) string {
	t.Helper()
	c.Train.Method = config.KernelRidge
	c.Evaluation.Baselines = false
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	v := e.Evaluation()
	errors := make([]float64, v.TestPairs.Count())
	for i := range errors {
		errors[i] = v.Test.Relative[i] * v.TestPairs.Outputs.Domain.Norm(v.TestPairs.Outputs.At(i))
	}
	found, known, err := e.Model().Unlike(t.Context(), v.TestPairs.Inputs, 2)
	if noError(t, err); !known {
		t.Fatal("the model does not know its training inputs")
	}
	text := fmt.Sprintf("%.2f", rankCorrelation(found.Deviations, errors))
	for _, factor := range []float64{1, 2, 10} {
		text += fmt.Sprintf(" | %.1f%%", 100*share(t, e.Model(), v.TestPairs.Inputs, factor))
	}
	return text
}

// share returns the part of inputs times a factor that is flagged.
func share(t *testing.T, m trained.Model, inputs grid.Batch, factor float64) float64 {
	t.Helper()
	larger := inputs.Clone()
	floats.Scale(factor, larger.Data)
	found, _, err := m.Unlike(t.Context(), larger, 2)
	noError(t, err)
	return float64(len(found.Outside())) / float64(inputs.Count)
}

// rankCorrelation returns Spearman's rank correlation.
func rankCorrelation(a, b []float64) float64 { return stat.Correlation(ranks(a), ranks(b), nil) }

func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	sorted := append([]float64(nil), values...)
	floats.Argsort(sorted, order)
	all := make([]float64, len(values))
	for rank, i := range order {
		all[i] = float64(rank)
	}
	return all
}

// law is a distribution of functions and a map, for pairs in a file.
type law struct {
	name      string
	decay     float64 // of the coefficients of cosines
	smallest  float64 // coefficient that is added to all
	of        func(v float64) float64
	intervals int
}

var laws = []law{
	{"eight cosines, `tanh a`", 1, 0, math.Tanh, 64},
	{"eight cosines, `abs(a)`", 1, 0, math.Abs, 128},
	{"smoother, `exp(a)`", 2, 0, math.Exp, 64},
	{"rough, `a^3`", 0.5, 0, func(v float64) float64 { return v * v * v }, 64},
	{"positive, `1/a`", 1, 6, func(v float64) float64 { return 1 / v }, 64},
	{"signs, `2 + sin a`", 0, 0, func(v float64) float64 { return 2 + math.Sin(math.Copysign(1, v)) }, 64},
}

// file writes n pairs of the law.
func (l law) file(t *testing.T, name string, n int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(len(name)), uint64(l.intervals)))
	points := l.intervals + 1
	shape := []int{n, points}
	a, u := npy.Array{Shape: shape}, npy.Array{Shape: shape}
	for range n {
		f := make([]float64, points)
		for k := range 8 {
			c := random.NormFloat64() / math.Pow(float64(1+k), l.decay)
			for x := range f {
				f[x] += c * math.Cos(math.Pi*float64(k*x)/float64(l.intervals))
			}
		}
		for _, v := range f {
			v += l.smallest
			if l.decay == 0 {
				v = math.Copysign(1, v)
			}
			a.Data = append(a.Data, v)
			u.Data = append(u.Data, l.of(v))
		}
	}
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), name), map[string]npy.Array{"a": a, "u": u})
}
