package fno

import (
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/neural"
)

// shapes are small networks of each kind: periodic and padded, on one axis and on two, with points that are no multiple
// of eight.
var shapes = map[string]Shape{
	"periodic functions": {In: 2, Out: 1, Width: 8, Projection: 10, Layers: 3, Modes: [2]int{0, 5}, Points: [2]int{1, 20}},
	"padded functions":   {In: 1, Out: 2, Width: 4, Projection: 8, Layers: 2, Modes: [2]int{0, 9}, Points: [2]int{1, 19}, Padding: [2]int{0, 4}},
	"periodic fields":    {In: 1, Out: 1, Width: 4, Projection: 5, Layers: 2, Modes: [2]int{3, 4}, Points: [2]int{7, 10}},
	"padded fields":      {In: 3, Out: 2, Width: 4, Projection: 4, Layers: 2, Modes: [2]int{2, 3}, Points: [2]int{6, 9}, Padding: [2]int{3, 2}},
}

// examplesOf returns random examples.
func examplesOf[T neural.Number](s Shape, count int) *examples[T] {
	r := rand.New(rand.NewPCG(7, 8))
	points := s.Points[0] * s.Points[1]
	e := &examples[T]{shape: s, deviation: 1.3}
	for range points {
		e.weights = append(e.weights, 0.5+r.Float64())
	}
	for range s.Out * points {
		e.means = append(e.means, r.NormFloat64())
	}
	for range count {
		var in []T
		for range s.In * points {
			in = append(in, T(r.NormFloat64()))
		}
		var out []float64
		square := 0.0
		for x := range s.Out * points {
			v := r.NormFloat64()
			out = append(out, v)
			square += e.weights[x%points] * v * v
		}
		e.inputs = append(e.inputs, in)
		e.targets = append(e.targets, out)
		e.norms = append(e.norms, math.Sqrt(square))
	}
	return e
}

// lossOf returns the mean relative error of all examples, and its gradient.
func lossOf[T neural.Number](t *trainer[T]) (float64, *parameters[T]) {
	gradient := newParameters[T](t.examples.shape)
	count := len(t.examples.inputs)
	all := make([]int, count)
	for i := range all {
		all[i] = i
	}
	return t.learn(t.passes[0], gradient, all, count) / float64(count), gradient
}

func TestGradientIsThatOfFiniteDifferences(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for name, s := range shapes {
		e := examplesOf[float64](s, 3)
		w := initial[float64](s, 1)
		for i := range w.all { // larger spectra than at the start, and so a larger part in the result
			w.all[i] *= 3
		}
		trainer := newTrainer(e, w, 3, 1e-3)
		_, gradient := lossOf(trainer)
		r := rand.New(rand.NewPCG(1, 1))
		checked := 0
		for range 400 {
			i := r.IntN(len(w.all))
			if w.all[i] == 0 { // padding
				if gradient.all[i] != 0 {
					t.Errorf("%s: the gradient of padding %d is %g", name, i, gradient.all[i])
				}
				continue
			}
			const h = 1e-5
			before := w.all[i]
			w.all[i] = before + h
			above, _ := lossOf(trainer)
			w.all[i] = before - h
			below, _ := lossOf(trainer)
			w.all[i] = before
			if d := (above - below) / (2 * h); math.Abs(d-gradient.all[i]) > 1e-8+1e-6*math.Abs(d) {
				t.Fatalf("%s: the derivative by weight %d is %g, finite differences give %g", name, i, gradient.all[i], d)
			}
			checked++
		}
		if checked < 100 {
			t.Errorf("%s: only %d weights were checked", name, checked)
		}
	}
}

func TestTransformIsTheDiscreteFourierTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, points := range [][2]int{{1, 21}, {9, 14}} {
		modes := [2]int{3, 10}
		if points[0] == 1 {
			modes[0] = 0
		} else {
			modes[1] = 5
		}
		tr := newTransform[float64](points, modes)
		u := make([]float64, 4*tr.functionSize())
		for i := range u {
			if i%tr.stride < points[1] {
				u[i] = r.NormFloat64()
			}
		}
		spectra := make([]float64, 4*tr.spectrumSize())
		h := tr.newHalfway(4)
		tr.forward(spectra, u, h)
		back := make([]float64, len(u))
		tr.inverse(back, spectra, h)
		for f := range 4 {
			own := u[f*tr.functionSize():][:tr.functionSize()]
			want := make([]float64, points[0]*points[1])
			for row := range tr.rows {
				k1 := row
				if row >= modes[0] {
					k1 = row - tr.rows
				}
				if points[0] == 1 {
					k1 = 0
				}
				for k2 := range modes[1] {
					var sum complex128
					for i := range points[0] {
						for j := range points[1] {
							phase := 2 * math.Pi * (float64(k1*i)/float64(points[0]) + float64(k2*j)/float64(points[1]))
							sum += complex(own[i*tr.stride+j]*math.Cos(phase), -own[i*tr.stride+j]*math.Sin(phase))
						}
					}
					at := f*tr.spectrumSize() + (row*tr.groups+k2/8)*16 + k2%8
					if math.Abs(spectra[at]-real(sum)) > 1e-11 || math.Abs(spectra[at+8]-imag(sum)) > 1e-11 {
						t.Fatalf("%v: mode (%d, %d) is %g %+gi, want %v", points, k1, k2, spectra[at], spectra[at+8], sum)
					}
					weight := 2.0
					if k2 == 0 {
						weight = 1
					}
					for i := range points[0] {
						for j := range points[1] {
							phase := 2 * math.Pi * (float64(k1*i)/float64(points[0]) + float64(k2*j)/float64(points[1]))
							want[i*points[1]+j] += weight * (real(sum)*math.Cos(phase) - imag(sum)*math.Sin(phase)) /
								float64(points[0]*points[1])
						}
					}
				}
			}
			for i := range points[0] {
				for j := range points[1] {
					if got := back[f*tr.functionSize()+i*tr.stride+j]; math.Abs(got-want[i*points[1]+j]) > 1e-11 {
						t.Fatalf("%v: value (%d, %d) is %g, want %g", points, i, j, got, want[i*points[1]+j])
					}
				}
			}
		}
	}
}

// Single precision follows double precision for the first steps.
func TestSinglePrecisionFollowsDouble(t *testing.T) {
	for name, s := range shapes {
		single := newTrainer(examplesOf[float32](s, 10), initial[float32](s, 4), 10, 1e-3)
		double := newTrainer(examplesOf[float64](s, 10), initial[float64](s, 4), 10, 1e-3)
		for step := range 20 {
			some := order(1, step, 10)
			a, err := single.step(t.Context(), some, float64(step)/20, 2)
			if err != nil {
				t.Fatal(err)
			}
			b, err := double.step(t.Context(), some, float64(step)/20, 2)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(a-b) > 2e-5*b {
				t.Errorf("%s: the error of step %d is %g in single precision, %g in double", name, step, a, b)
			}
		}
	}
}

func TestWorkersDoNotChangeAStep(t *testing.T) {
	s := shapes["padded fields"]
	var first []float32
	for workers := 1; workers <= 4; workers++ {
		trainer := newTrainer(examplesOf[float32](s, 17), initial[float32](s, 4), 17, 1e-3)
		for step := range 3 {
			if _, err := trainer.step(t.Context(), order(1, step, 17), 0, workers); err != nil {
				t.Fatal(err)
			}
		}
		if first == nil {
			first = trainer.weights.all
		}
		for i, v := range trainer.weights.all {
			if v != first[i] {
				t.Fatalf("%d workers: weight %d is %g, not %g", workers, i, v, first[i])
			}
		}
	}
}

// The usual sizes of the field on 128 points, a batch of 20, padded by 8 points: 126 million operations without transforms.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		name  string
		shape Shape
	}{
		{"functions", Shape{In: 2, Out: 1, Width: 32, Projection: 128, Layers: 4, Modes: [2]int{0, 16}, Points: [2]int{1, 128}, Padding: [2]int{0, 8}}},
		{"fields", Shape{In: 3, Out: 1, Width: 32, Projection: 128, Layers: 4, Modes: [2]int{8, 8}, Points: [2]int{32, 32}, Padding: [2]int{4, 4}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			t := newTrainer(examplesOf[float32](c.shape, 20), initial[float32](c.shape, 1), 20, 1e-3)
			some := order(1, 0, 20)
			for b.Loop() {
				if _, err := t.step(b.Context(), some, 0, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
