package fno

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/num/neural"
)

// From the same weights, the errors of the first 20 steps are those of PyTorch: docs/fno_reference.py wrote the files.
func TestDescentIsThatOfPyTorch(t *testing.T) {
	for name, s := range map[string]Shape{
		"functions": {In: 2, Out: 1, Width: 8, Projection: 12, Layers: 3, Modes: [2]int{0, 5}, Points: [2]int{1, 22},
			Padding: [2]int{0, 3}},
		"fields": {In: 1, Out: 2, Width: 4, Projection: 8, Layers: 2, Modes: [2]int{2, 3}, Points: [2]int{7, 9},
			Padding: [2]int{2, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			r := reference{t, name}
			want := r.array("errors").Data
			batch := map[string]int{"functions": 8, "fields": 7}[name]
			double := newTrainer(referenceExamples[float64](r, s), referenceWeights[float64](r, s), batch, 1e-3)
			single := newTrainer(referenceExamples[float32](r, s), referenceWeights[float32](r, s), batch, 1e-3)
			count := len(double.examples.inputs)
			for step, error := range want {
				var some []int
				for i := range batch {
					some = append(some, (step*batch+i)%count)
				}
				done := float64(step) / float64(len(want))
				got, err := double.step(t.Context(), some, done, 2)
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got-error) > 1e-9*error {
					t.Errorf("step %d: the error is %.15g, PyTorch's %.15g", step, got, error)
				}
				got, err = single.step(t.Context(), some, done, 2)
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(got-error) > 1e-6*error {
					t.Errorf("step %d: the error in single precision is %.9g, PyTorch's %.9g", step, got, error)
				}
			}
		})
	}
}

// reference is the directory of one network's arrays.
type reference struct {
	t    *testing.T
	name string
}

func (r reference) array(name string) npy.Array {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", r.name, name+".npy"))
	if err != nil {
		r.t.Fatal(err)
	}
	a, err := npy.Read(text)
	if err != nil {
		r.t.Fatal(err)
	}
	return a
}

// referenceExamples returns the data, whose channels come last there.
func referenceExamples[T neural.Number](r reference, s Shape) *examples[T] {
	a, u := r.array("a"), r.array("u")
	points := s.Points[0] * s.Points[1]
	e := &examples[T]{shape: s, means: make([]float64, s.Out*points)}
	for range points {
		e.weights = append(e.weights, 1)
	}
	count := a.Shape[0]
	for i := range count {
		in := make([]T, s.In*points)
		for x := range points {
			for c := range s.In {
				in[c*points+x] = T(a.Data[(i*points+x)*s.In+c])
			}
		}
		out := make([]float64, s.Out*points)
		square := 0.0
		for x := range points {
			for c := range s.Out {
				v := u.Data[(i*points+x)*s.Out+c]
				out[c*points+x] = v
				e.means[c*points+x] += v / float64(count)
				square += v * v
			}
		}
		e.inputs = append(e.inputs, in)
		e.targets = append(e.targets, out)
		e.norms = append(e.norms, math.Sqrt(square))
	}
	square := 0.0
	for _, out := range e.targets {
		for k, v := range out {
			square += (v - e.means[k]) * (v - e.means[k])
		}
	}
	e.deviation = math.Sqrt(square / float64(count*s.Out*points))
	return e
}

// referenceWeights returns the weights, whose spectra have inputs first there.
func referenceWeights[T neural.Number](r reference, s Shape) *parameters[T] {
	w := newParameters[T](s)
	affine := func(a affine[T], name string) {
		matrix, shift := r.array(name), r.array(name+"_shift")
		for i := range a.matrix.Rows {
			a.shift.Row(i)[0] = T(shift.Data[i])
			for j := range a.matrix.Cols {
				a.matrix.Row(i)[j] = T(matrix.Data[i*a.matrix.Cols+j])
			}
		}
	}
	affine(w.lift, "lift")
	rows := 1
	if s.Points[0] > 1 {
		rows = 2 * s.Modes[0]
	}
	for l, layer := range w.layers {
		affine(layer.local, fmt.Sprintf("local%d", l))
		all := r.array(fmt.Sprintf("spectral%d", l)).Data
		groups := s.groups() / rows
		for from := range s.Width {
			for to := range s.Width {
				for row := range rows {
					for k := range s.Modes[1] {
						at := 2 * (((from*s.Width+to)*rows+row)*s.Modes[1] + k)
						own := to*layer.spectra.Row + from*layer.spectra.Column + (row*groups+k/8)*16 + k%8
						layer.spectra.Data[own] = T(all[at])
						layer.spectra.Data[own+8] = T(all[at+1])
					}
				}
			}
		}
	}
	affine(w.hidden, "hidden")
	affine(w.last, "last")
	return w
}
