package layers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/model/modes"
	"rfm/model/ridge"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Layer is a trained layer, or several for functions with as many channels. Their features are one after the other.
type Layer struct {
	Weights      *mat.Dense `json:"layer_weights" shape:"seen features"` // a row for each coordinate of z
	Coefficients []float64  `json:"layer_coefficients" shape:"features"`
}

var sine, _ = activation.ByName("sin")

// purposeDirections names the streams of the directions of features.
const purposeDirections draw.Purpose = "layer-directions"

// drawn returns the weights of count features: base times normal vectors of random lengths, over a length, and random
// phases.
func (d *Directions) drawn(count int, seed uint64, round int) *mat.Dense {
	size, modes := d.base.Dims()
	w, normals := mat.NewDense(size+1, count, nil), mat.NewDense(modes, count, nil)
	for j := range count {
		random := draw.Stream(seed, purposeDirections, round<<20+j)
		x, y, z := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		length := d.length * math.Sqrt((x*x+y*y+z*z)/3) // so weights have a t distribution, and the kernel is Matern's
		for k := range modes {
			normals.Set(k, j, random.NormFloat64()/length)
		}
		w.Set(size, j, 2*math.Pi*random.Float64())
	}
	w.Slice(0, size, 0, count).(*mat.Dense).Mul(d.base, normals)
	return w
}

// features returns sin(w . z), a row for each point. The error is ctx's.
func features(ctx context.Context, z, w *linalg.Panels) (*linalg.Rectangle, error) {
	r := linalg.NewRectangle(z.Cols(), w.Cols())
	err := r.AddProduct(ctx, z, w, z.Rows(), 1)
	for x := range z.Cols() {
		sine.Apply(r.Row(x))
	}
	return r, err
}

// add adds the squares and products of the features of a set of points, and of the targets behind them.
func add(ctx context.Context, sums *linalg.Symmetric, z, w *linalg.Panels, targets []float64) error {
	phi, err := features(ctx, z, w)
	if err != nil {
		return err
	}
	rows := linalg.NewPanels(len(targets), sums.Order())
	for x := range targets {
		rows.SetRow(x, phi.Row(x))
	}
	rows.SetColumn(w.Cols(), targets)
	sums.RankUpdate(rows, len(targets), 1)
	return nil
}

// plus adds a factor times other sums.
func plus(sums *linalg.Symmetric, c float64, more *linalg.Symmetric) {
	for i := range sums.Order() {
		floats.AddScaled(sums.Row(i), c, more.Row(i))
	}
}

// missed returns the sum of squares that coefficients miss of the targets in sums.
func missed(sums *linalg.Symmetric, c []float64) float64 {
	total, c := 0.0, append(slices.Clone(c), -1)
	for i, v := range c {
		row := sums.Row(i)
		total += v * (v*row[0] + 2*floats.Dot(c[i+1:], row[1:]))
	}
	return max(0, total)
}

// solved returns coefficients for the ridge lambda, relative to the mean square of a feature. The error is
// linalg.Factor's.
func solved(ctx context.Context, sums *linalg.Symmetric, lambda float64, workers int) ([]float64, error) {
	m, mean := sums.Order()-1, 0.0
	c := make([]float64, m)
	for i := range c {
		c[i], mean = sums.At(i, m), mean+sums.At(i, i)/float64(m)
	}
	f, err := linalg.Factor(ctx, sums.Leading(m), lambda*mean, workers)
	if err == nil {
		f.Solve(c)
	}
	return c, err
}

// leftOut holds the sums of parts that are left out in turn.
type leftOut struct {
	all   *linalg.Symmetric
	parts []*linalg.Symmetric
}

// sum computes the sums of count parts.
func sum(ctx context.Context, count, features, workers int, part func(i int, s *linalg.Symmetric) error) (leftOut,
	error) {
	l := leftOut{linalg.NewSymmetric(features + 1), make([]*linalg.Symmetric, count)}
	err := parallel.For(ctx, workers, count, func(_, i int) error {
		l.parts[i] = linalg.NewSymmetric(features + 1)
		return part(i, l.parts[i])
	})
	for i := 0; err == nil && i < count; i++ {
		plus(l.all, 1, l.parts[i])
	}
	return l, err
}

// errors returns the coefficients without each part and the root mean square that they miss there, relative to the
// targets; +Inf if lambda is too small to solve. The error is linalg.Factor's.
func (l leftOut) errors(ctx context.Context, lambda float64, workers int) (without [][]float64, relative float64,
	err error) {
	without, squares := make([][]float64, len(l.parts)), make([]float64, len(l.parts))
	err = parallel.For(ctx, workers, len(l.parts), func(_, i int) (err error) {
		rest := l.all.Clone()
		plus(rest, -1, l.parts[i])
		if without[i], err = solved(ctx, rest, lambda, 1); err == nil {
			squares[i] = missed(l.parts[i], without[i])
		}
		return err
	})
	all := l.all.At(l.all.Order()-1, l.all.Order()-1) // square of the targets
	if ridge.Unsolved(err) || err == nil && all == 0 {
		return nil, math.Inf(1), nil
	}
	return without, math.Sqrt(floats.Sum(squares) / all), err
}

// Add adds the layer's functions of channel(i, 0), ... to each function. progress (which may be nil) is called with the
// number of functions finished since its last call. The error is ctx's.
func (l *Layer) Add(ctx context.Context, v *View, to grid.Batch, workers int, channel func(i, c int) []float64,
	progress func(added int)) error {
	w, count := linalg.PanelsOf(l.Weights.RawMatrix()), len(l.Coefficients)/to.Domain.Width()
	return parallel.For(ctx, workers, (to.Count+together-1)/together, func(_, block int) error {
		var some []int
		for i := block * together; i < min((block+1)*together, to.Count); i++ {
			some = append(some, i)
		}
		err := v.each(ctx, some, channel, func(i int, z *linalg.Panels) error {
			phi, err := features(ctx, z, w)
			for first := 0; err == nil && first < w.Cols(); first += count { // of each channel
				sums, added := make([]float64, v.Points()), make([]float64, v.domain.Values(v.points))
				for at := range sums {
					sums[at] = floats.Dot(phi.Row(at)[first:first+count], l.Coefficients[first:first+count])
				}
				modes.Complete(v.domain, added, sums, 1)
				floats.Add(to.Of(i, first/count), added)
			}
			return err
		})
		if err == nil && progress != nil {
			progress(len(some))
		}
		return err
	})
}
