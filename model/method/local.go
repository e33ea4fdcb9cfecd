// This file contains kernel ridge regression at each output point, with kernels that weight nearby values most: the
// limit of infinitely many random features of the surroundings of a point, with functions as coefficients.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/modes"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// localMethod is the entry of Local in methods.
var localMethod = Method{Name: config.LocalKernel, Title: "local kernel", Most: 1024, logarithms: true,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		n, values := float64(pairs.Count()), pairs.Outputs.Values()
		most := min(n, math.Cbrt(workBound(pairs.Count(), values)))
		return 8 * (3*most*most + n*n*float64(2*o.Workers) + 8*n*float64(values))
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in.Width() == 1 && out.Width() == 1 && still(in, out, symmetry)
	}, train: localKernel}

// Local is kernel ridge regression at each point x of the outputs by itself,
//
//	F(a)(x) = sum_i k_x(a, a_i) c_i(x),  (k_x(a_i, a_j) + Ridge delta_ij) c(x) = u(x),
//	k_x(a, a') = 1 + matern(d_x(a, a')/Length),
//	d_x(a, a')^2 = Share sum_y w_x(y) (a(y) - a'(y))^2 / Near + (1 - Share) |z - z'|^2,
//
// matern is as for KernelRidge. w_x is a Gaussian around x, or around the middle of a few points, with deviation Width
// and sum 1. z are the coefficients of a in waves, times (1 + (frequency/Cutoff)^2)^(-Decay/2), in units of the root
// mean square distance of two training inputs. Near is the mean square difference of two inputs at a point.
type Local struct {
	place
	coordinates
	LocalParameters
	windows
	inputs       grid.Batch // a_i
	points       *mat.Dense // z_i, a row each
	coefficients *mat.Dense // c_i, a row each
	left         grid.Batch // leave-one-out residuals of the training outputs; none if it was read from a file
}

// LocalParameters are the hyperparameters of the kernel.
type LocalParameters struct {
	Width  float64 `json:"width"` // in units of the length of the first axis
	Share  float64 `json:"share"` // of the near part in squared distances
	Cutoff float64 `json:"cutoff"`
	Decay  float64 `json:"decay"`
	Length float64 `json:"length"`
	Ridge  float64 `json:"ridge"`
	Near   float64 `json:"near"`
}

// shares returns the weights of both parts of a squared distance in units of Length.
func (q *LocalParameters) shares() (near, far float64) {
	return q.Share / (q.Near * q.Length * q.Length), (1 - q.Share) / (q.Length * q.Length)
}

// windows are the weights w of all points: the products of those along both axes.
type windows struct{ down, across axis }

// axis holds weights along an axis, a row for each point. A strip is the points with equal weights, to which inputs
// look alike.
type axis struct {
	weights *mat.Dense
	strips  [][]int
}

func newAxis(weights *mat.Dense) axis {
	a := axis{weights: weights}
	points, _ := weights.Dims()
	for x := range points {
		k := slices.IndexFunc(a.strips, func(strip []int) bool {
			return slices.Equal(weights.RawRowView(strip[0]), weights.RawRowView(x))
		})
		if k < 0 {
			k, a.strips = len(a.strips), append(a.strips, nil)
		}
		a.strips[k] = append(a.strips[k], x)
	}
	return a
}

// of returns the weights of a strip.
func (a axis) of(strip int) []float64 { return a.weights.RawRowView(a.strips[strip][0]) }

// widest is the width from which on strips stop growing.
const widest = 0.125

// newWindows returns the windows of a grid, with strips no longer than times the width, or one point.
func newWindows(domain grid.Domain, points int, width, times float64) windows {
	rows, columns := domain.Axes(points)
	return windows{newAxis(window(domain, points, rows, width, times)),
		newAxis(window(domain, points, columns, width, times))}
}

// window returns the weights along an axis, around the middle of the strip of each point; functions of one variable
// have an axis of one point. Reflections map strips to strips.
func window(domain grid.Domain, points, along int, width, times float64) *mat.Dense {
	if domain.Dims == 1 && along != points || along <= 1 {
		return mat.NewDense(1, 1, []float64{1})
	}
	axis := modes.Axis(domain)
	weights, w := axis.Weights(along), mat.NewDense(along, along, nil)
	n, unit := axis.Intervals(along), float64(domain.Intervals(points))
	distinct := along
	if domain.Periodic {
		distinct = n
	}
	strips := min(distinct, max(1, int(math.Ceil(float64(distinct)/(unit*min(width, widest)*times)))))
	if distinct%strips != 0 && strips%2 == 0 {
		strips++
	}
	strip := func(x int) int { return (2*x + 1) * strips / (2 * distinct) }
	var last int
	for first := 0; first < distinct; first = last + 1 {
		for last = first; last+1 < distinct && strip(last+1) == strip(first); last++ {
		}
		row, middle := w.RawRowView(first), float64(first+last)/2
		for y := range row {
			apart := math.Abs(middle - float64(y))
			if domain.Periodic {
				apart = min(apart, float64(n)-apart)
			}
			s := apart / (unit * width)
			row[y] = weights[y] * math.Exp(-s*s/2)
		}
		floats.Scale(1/floats.Sum(row), row)
		for x := first + 1; x <= last; x++ {
			w.SetRow(x, row)
		}
	}
	for x := distinct; x < along; x++ { // the first point again
		w.SetRow(x, w.RawRowView(0))
	}
	return w
}

// means sets dst to sum_y w_x(y) f(y) for the strips of columns in a strip of rows; line is working memory for one row.
func (w windows) means(dst, f []float64, strip int, line []float64) {
	columns := len(line)
	if len(f) > columns {
		clear(line)
		for y, weight := range w.down.of(strip) {
			if math.Abs(weight) > negligible {
				floats.AddScaled(line, weight, f[y*columns:(y+1)*columns])
			}
		}
		f = line
	}
	for i := range dst {
		dst[i] = floats.Dot(w.across.of(i), f)
	}
}

// points returns the points of a place, where a strip of rows meets a strip of columns.
func (w windows) points(place int) []int {
	var all []int
	columns, _ := w.across.weights.Dims()
	for _, row := range w.down.strips[place/len(w.across.strips)] {
		for _, column := range w.across.strips[place%len(w.across.strips)] {
			all = append(all, row*columns+column)
		}
	}
	return all
}

// places returns the points of every place.
func (w windows) places() [][]int {
	all := make([][]int, len(w.down.strips)*len(w.across.strips))
	for place := range all {
		all[place] = w.points(place)
	}
	return all
}

// negligible is a weight of the size of rounding errors.
const negligible = 1e-17

// Predict implements Operator.
func (l *Local) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return l.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, places := inputs.Like(inputs.Count), l.places()
		err := parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
			u, work := outputs.At(i), make([]float64, len(places))
			l.each(inputs.Range(i, 1), func(j int, squares []float64) {
				matern.apply(squares, work, 1)
				c := l.coefficients.RawRowView(j)
				for place, k := range squares {
					for _, x := range places[place] {
						u[x] += k * c[x]
					}
				}
			})
			progress(1)
			return nil
		})
		return outputs, err
	})
}

// each visits the training inputs with their squared distances from an input, as seen from every place.
func (l *Local) each(input grid.Batch, visit func(j int, squares []float64)) {
	across := len(l.across.strips)
	columns, _ := l.across.weights.Dims()
	z, a := l.of(input).RawRowView(0), input.At(0)
	squares := make([]float64, len(l.down.strips)*across)
	apart, line := make([]float64, len(a)), make([]float64, columns)
	near, far := l.shares()
	for j := range l.inputs.Count {
		floats.SubTo(apart, a, l.inputs.At(j))
		floats.Mul(apart, apart)
		for strip := range l.down.strips {
			l.means(squares[strip*across:(strip+1)*across], apart, strip, line)
		}
		d := floats.Distance(z, l.points.RawRowView(j), 2)
		floats.Scale(near, squares)
		floats.AddConst(far*d*d, squares)
		visit(j, squares)
	}
}

// Name implements Operator.
func (*Local) Name() string { return config.LocalKernel }

// String implements Operator.
func (l *Local) String() string {
	return fmt.Sprintf("kernel ridge regression on %d pairs at each point, of the inputs within about %.2g of it, ridge %g",
		l.inputs.Count, l.Width, l.Ridge)
}

// Cost implements Operator.
func (l *Local) Cost(int) float64 {
	rows, columns := len(l.down.strips), len(l.across.strips)
	points := float64(l.values() + l.components.RawMatrix().Cols)
	return float64(l.inputs.Count) * (2*points*float64(1+rows) + float64(rows*columns)*exponential)
}
