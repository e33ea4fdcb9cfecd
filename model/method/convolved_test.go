package method

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// drawnFor are m features for pairs on a periodic domain.
func drawnFor(t *testing.T, pairs dataset.Pairs, m int, centred bool) feature.Spectral {
	t.Helper()
	c, err := config.PresetByName("burgers-tuned")
	if err != nil {
		t.Fatal(err)
	}
	c.Features.Alpha = 1.5
	if !centred {
		c.Features.Mean = config.KeepMean
	}
	d, points := pairs.Inputs.Domain, pairs.Inputs.Points
	if d.Dims == 2 {
		if c, err = config.PresetByName("navier-stokes"); err != nil {
			t.Fatal(err)
		}
		rows, columns := d.Axes(points)
		if c.Data.Grid = points; rows != columns {
			t.Fatal("an oblong domain")
		}
	}
	drawn, err := feature.New(t.Context(), c, 1, m, points, 2)
	if err != nil {
		t.Fatal(err)
	}
	if drawn, err = drawn.Calibrate(t.Context(), pairs.Inputs, 2); err != nil {
		t.Fatal(err)
	}
	return drawn.(feature.Spectral)
}

// convolvedByDefinition finds the values of all coefficients from one dense least squares problem.
func convolvedByDefinition(t *testing.T, f feature.Spectral, reflection int, ridge float64,
	pairs dataset.Pairs) predictor {
	t.Helper()
	g, m := torusOf(pairs.Inputs), f.Count()
	N := g.n()
	each := make([]feature.Models, m) // phi_j alone
	for j := range each {
		var err error
		if each[j], err = f.Select([]int{j}).Models(t.Context(), [][]float64{{1}}, 1); err != nil {
			t.Fatal(err)
		}
	}
	rows := func(a []float64) *mat.Dense { // of all coefficients, for the output at every point
		design := mat.NewDense(N, m*N, nil)
		add := func(a []float64, sign int, factor float64) {
			for j, model := range each {
				phi, err := model.Predict(t.Context(), grid.BatchOf(g.domain, g.points, a), 1)
				if err != nil {
					t.Fatal(err)
				}
				for x := range N {
					for y := range N { // (alpha * phi)(sign x)
						place := (sign*(x/g.columns)+g.rows)%g.rows*g.columns + (sign*(x%g.columns)+g.columns)%g.columns
						v := design.At(x, j*N+y) + factor*g.at(phi[0].Data, place, y, 1)/float64(N*m)
						design.Set(x, j*N+y, v)
					}
				}
			}
		}
		if reflection == 0 {
			add(a, 1, 1)
			return design
		}
		image := grid.BatchOf(g.domain, g.points, a).Moved(g.domain.Reflections(reflection < 0)[1])
		add(a, 1, 0.5)
		add(image.Data, -1, 0.5*float64(reflection))
		return design
	}
	n := pairs.Count()
	all, u := mat.NewDense(n*N, m*N, nil), mat.NewVecDense(n*N, nil)
	for i := range n {
		all.Slice(i*N, (i+1)*N, 0, m*N).(*mat.Dense).Copy(rows(pairs.Inputs.At(i)))
		for x := range N {
			u.SetVec(i*N+x, g.at(pairs.Outputs.At(i), x, 0, 1))
		}
	}
	var normal mat.Dense
	normal.Mul(all.T(), all)
	for k := range m * N {
		normal.Set(k, k, normal.At(k, k)+ridge/float64(m))
	}
	var right, alpha mat.VecDense
	right.MulVec(all.T(), u)
	if err := alpha.SolveVec(&normal, &right); err != nil {
		t.Fatal(err)
	}
	return direct(func(dst, a []float64) {
		var values mat.VecDense
		values.MulVec(rows(a), &alpha)
		newWaves(g.domain, g.points).complete(dst, values.RawVector().Data, 1)
	})
}

func TestConvolvedFeaturesAreTheirDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, test := range []struct {
		domain   grid.Domain
		points   int
		count, m int
		centred  bool
	}{{grid.Torus, 9, 6, 11, true}, {grid.Torus, 8, 12, 3, false}, {grid.Torus2, 5, 4, 2, false}} {
		for _, reflection := range []int{-1, 0, 1} {
			t.Run(fmt.Sprint(test, reflection), func(t *testing.T) {
				const ridge = 1e-3
				pairs, others := rough(test.domain, test.points, test.count), rough(test.domain, test.points, test.count+2)
				f := drawnFor(t, pairs, test.m, test.centred)
				fit := func(pairs dataset.Pairs) Operator {
					p, err := newConvolving(t.Context(), f, pairs, reflection)
					if err != nil {
						t.Fatal(err)
					}
					o, err := p.train(t.Context(), ridge, 2)
					if err != nil {
						t.Fatal(err)
					}
					return o
				}
				o := fit(pairs)
				fast := predict(t, o, others.Inputs)
				slow := predict(t, convolvedByDefinition(t, f, reflection, ridge, pairs), others.Inputs)
				for x, v := range slow.Data {
					if math.Abs(v-fast.Data[x]) > 1e-9 {
						t.Fatalf("value %d is %g, want %g", x, fast.Data[x], v)
					}
				}
				brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor { return fit(rest) })
				if math.Abs(brute-o.LeaveOneOut()) > 1e-9*brute {
					t.Errorf("leave-one-out %.12g, by retraining %.12g", o.LeaveOneOut(), brute)
				}
				expectDerivative(t, o, others.Inputs.Range(test.count, 1), others.Inputs.Range(test.count, 2),
					others.Outputs.Range(test.count, 2))
			})
		}
	}
}

func TestConvolvedFeaturesFindTheSymmetryOfBurgers(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs, others := burgers(t, draw.InputTrain, 64, 33), burgers(t, draw.InputTest, 32, 33)
	r := Random{Drawn: drawnFor(t, pairs, 96, true)}
	var first grid.Batch
	for workers := 1; workers < 4; workers++ {
		o, err := r.Convolved().Train(t.Context(), pairs, Options{Workers: workers, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		predictions := predict(t, o, others.Inputs)
		if workers == 1 {
			first = predictions
			if s, ok := o.(symmetrised); !ok || !s.Motions[1].Odd {
				t.Errorf("found %v, want the odd reflection", o)
			}
			if e := relative(t, o, others); !(e < 0.02) {
				t.Errorf("error %.4f, want less than 0.02", e)
			}
		}
		for x, v := range first.Data {
			if predictions.Data[x] != v {
				t.Fatalf("value %d is %v with %d workers, %v with one", x, predictions.Data[x], workers, v)
			}
		}
	}
}
