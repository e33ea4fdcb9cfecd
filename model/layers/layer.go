package layers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// Layer is a trained layer.
type Layer struct {
	Weights      *mat.Dense // a row for each coordinate of z, a column for each feature
	Coefficients []float64
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

// sums are the normal equations of some rows.
type sums struct {
	gram   *linalg.Symmetric
	right  []float64
	square float64 // of targets
}

func newSums(count int) *sums {
	return &sums{gram: linalg.NewSymmetric(count), right: make([]float64, count)}
}

// add adds the rows of one set of points.
func (s *sums) add(ctx context.Context, z, w *linalg.Panels, targets []float64) error {
	phi, err := features(ctx, z, w)
	if err != nil {
		return err
	}
	rows := linalg.NewPanels(len(targets), w.Cols())
	for x, u := range targets {
		floats.AddScaled(s.right, u, phi.Row(x))
		s.square += u * u
		rows.SetRow(x, phi.Row(x))
	}
	s.gram.RankUpdate(rows, len(targets), 1)
	return nil
}

// plus adds a factor times other sums.
func (s *sums) plus(c float64, t *sums) {
	for i := range s.right {
		floats.AddScaled(s.gram.Row(i), c, t.gram.Row(i))
	}
	floats.AddScaled(s.right, c, t.right)
	s.square += c * t.square
}

// missed returns the sum of squares that coefficients miss in these rows.
func (s *sums) missed(c []float64) float64 {
	sum := s.square
	for i, v := range c {
		row := s.gram.Row(i)
		sum += v * (v*row[0] + 2*floats.Dot(c[i+1:], row[1:]) - 2*s.right[i])
	}
	return max(0, sum)
}

// solved returns coefficients for the ridge lambda, relative to the mean of the diagonal. The error is linalg.Factor's.
func (s *sums) solved(ctx context.Context, lambda float64, workers int) ([]float64, error) {
	mean := 0.0
	for i := range s.right {
		mean += s.gram.At(i, i) / float64(len(s.right))
	}
	f, err := linalg.Factor(ctx, s.gram.Clone(), lambda*mean, workers)
	if err != nil {
		return nil, err
	}
	c := append([]float64(nil), s.right...)
	f.Solve(c)
	return c, nil
}

// leftOut holds the sums of parts that are left out in turn.
type leftOut struct {
	all   *sums
	parts []*sums
}

// sum computes the sums of count parts.
func sum(ctx context.Context, count, features, workers int, part func(i int, s *sums) error) (leftOut, error) {
	l := leftOut{newSums(features), make([]*sums, count)}
	err := parallel.For(ctx, workers, count, func(_, i int) error {
		l.parts[i] = newSums(features)
		return part(i, l.parts[i])
	})
	if err != nil {
		return l, err
	}
	for _, s := range l.parts {
		l.all.plus(1, s)
	}
	return l, nil
}

// errors returns the coefficients without each part and the root mean square that they miss there, relative to the
// targets. The error is linalg.Factor's.
func (l leftOut) errors(ctx context.Context, lambda float64, workers int) (without [][]float64, relative float64,
	err error) {
	without, missed := make([][]float64, len(l.parts)), make([]float64, len(l.parts))
	err = parallel.For(ctx, workers, len(l.parts), func(_, i int) error {
		rest := newSums(len(l.all.right))
		rest.plus(1, l.all)
		rest.plus(-1, l.parts[i])
		c, err := rest.solved(ctx, lambda, 1)
		if err != nil {
			return err
		}
		without[i], missed[i] = c, l.parts[i].missed(c)
		return nil
	})
	if err != nil || l.all.square == 0 {
		return nil, math.Inf(1), err
	}
	return without, math.Sqrt(floats.Sum(missed) / l.all.square), nil
}

// Add adds the layer's function of channel(i, 0), ... to each function. progress (which may be nil) is called with the
// number of functions finished since its last call. The error is ctx's.
func (l *Layer) Add(ctx context.Context, v *View, to grid.Batch, workers int, channel func(i, c int) []float64,
	progress func(added int)) error {
	w := linalg.PanelsOf(l.Weights.RawMatrix())
	return parallel.For(ctx, workers, (to.Count+together-1)/together, func(_, block int) error {
		var some []int
		for i := block * together; i < min((block+1)*together, to.Count); i++ {
			some = append(some, i)
		}
		err := v.each(ctx, some, channel, func(i int, z *linalg.Panels) error {
			phi, err := features(ctx, z, w)
			added := make([]float64, to.Values())
			for at := range v.Points() {
				added[v.value(at)] = floats.Dot(phi.Row(at), l.Coefficients)
			}
			if v.domain.Periodic {
				v.domain.Wrap(added)
			}
			floats.Add(to.At(i), added)
			return err
		})
		if err == nil && progress != nil {
			progress(len(some))
		}
		return err
	})
}
