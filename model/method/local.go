// This file is kernel ridge regression at each point of the outputs by itself, with kernels that see best what is near:
// the limit of infinitely many random features of what is around a point, with functions as coefficients.

package method

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// localMethod is a line of methods.
var localMethod = Method{Name: config.LocalKernel, Title: "local kernel", Most: 1024, read: readLocal, logarithms: true,
	Bytes: func(pairs, values, workers int) float64 {
		n := float64(pairs)
		return 8 * (n*n*float64(min(localBlock, values)+workers) + 8*n*float64(values))
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in.Width() == 1 && out.Width() == 1 && !config.Commutes(symmetry)
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		return operator(LocalKernel(ctx, pairs, o))
	}}

// Local is kernel ridge regression at each point x of the outputs by itself,
//
//	F(a)(x) = sum_i k_x(a, a_i) c_i(x),  (k_x(a_i, a_j) + Ridge delta_ij) c(x) = u(x),
//	k_x(a, a') = 1 + matern(d_x(a, a')/Length),
//	d_x(a, a')^2 = Share sum_y w_x(y) (a(y) - a'(y))^2 / Near + (1 - Share) |z - z'|^2,
//
// matern as for KernelRidge, w_x a Gaussian around x with the deviation Width and the sum 1, z the coefficients of a in
// waves, multiplied with (1 + (frequency/Cutoff)^2)^(-Decay/2), in units of the root mean square distance of two
// training inputs; Near is the mean square of what differs in the two at a point.
type Local struct {
	place
	coordinates
	LocalParameters
	windows
	inputs       grid.Batch // a_i
	points       *mat.Dense // z_i, a row each
	coefficients *mat.Dense // c_i, a row each
	left         grid.Batch // what is missed of each training output when it is left out; none if it was read from a file
}

// LocalParameters are those of the kernel.
type LocalParameters struct {
	Width  float64 `json:"width"` // the first axis has length 1
	Share  float64 `json:"share"` // of what is near in squares of distances
	Cutoff float64 `json:"cutoff"`
	Decay  float64 `json:"decay"`
	Length float64 `json:"length"`
	Ridge  float64 `json:"ridge"`
	Near   float64 `json:"near"`
}

// value is k_x at a distance with these parts of its square.
func (q *LocalParameters) value(near, far float64) float64 {
	return kernel(math.Sqrt(max(0, q.Share*near/q.Near+(1-q.Share)*far)) / q.Length)
}

// windows are the weights w of all points: the products of those along both axes, a row for each point of an axis.
type windows struct{ down, across *mat.Dense }

// newWindows are those of a grid.
func newWindows(domain grid.Domain, points int, width float64) windows {
	rows, columns := domain.Axes(points)
	return windows{window(domain, points, rows, width), window(domain, points, columns, width)}
}

// window is the weights along an axis; functions of one variable have an axis of one point.
func window(domain grid.Domain, points, along int, width float64) *mat.Dense {
	if domain.Dims == 1 && along != points || along <= 1 {
		return mat.NewDense(1, 1, []float64{1})
	}
	axis := grid.Domain{Dims: 1, Periodic: domain.Periodic, Cells: domain.Cells}
	weights, w := axis.Weights(along), mat.NewDense(along, along, nil)
	n, unit := axis.Intervals(along), float64(domain.Intervals(points))*width
	for x := range along {
		row := w.RawRowView(x)
		for y := range row {
			apart := max(x-y, y-x)
			if domain.Periodic {
				apart = min(apart, n-apart)
			}
			s := float64(apart) / unit
			row[y] = weights[y] * math.Exp(-s*s/2)
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return w
}

// means sets dst to sum_y w_x(y) f(y) for points x next to each other in a row of the grid; line is working memory for
// one.
func (w windows) means(dst, f []float64, row, first int, line []float64) {
	rows, _ := w.down.Dims()
	_, columns := w.across.Dims()
	if rows > 1 {
		clear(line)
		for y, weight := range w.down.RawRowView(row) {
			if math.Abs(weight) > negligible {
				floats.AddScaled(line, weight, f[y*columns:(y+1)*columns])
			}
		}
		f = line
	}
	for i := range dst {
		dst[i] = floats.Dot(w.across.RawRowView(first+i), f)
	}
}

// negligible is a weight of rounding errors.
const negligible = 1e-17

// squares sets dst to (a - b)^2.
func squares(dst, a, b []float64) {
	for x, v := range a {
		d := v - b[x]
		dst[x] = d * d
	}
}

// Predict is one of Operator.
func (l *Local) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return l.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := inputs.Like(inputs.Count)
		err := parallel.For(ctx, workers, inputs.Count, func(_, i int) error {
			l.each(inputs.Range(i, 1), func(j, first int, near []float64, far float64) {
				u, c := outputs.At(i)[first:], l.coefficients.RawRowView(j)[first:]
				for x, v := range near {
					u[x] += l.value(v, far) * c[x]
				}
			})
			progress(1)
			return nil
		})
		return outputs, err
	})
}

// each visits the training inputs with both parts of their distances from an input: near at the points of a row from
// first on, and far.
func (l *Local) each(input grid.Batch, visit func(j, first int, near []float64, far float64)) {
	rows, _ := l.down.Dims()
	_, columns := l.across.Dims()
	z, a := l.of(input).RawRowView(0), input.At(0)
	apart, near, line := make([]float64, len(a)), make([]float64, columns), make([]float64, columns)
	for j := range l.inputs.Count {
		squares(apart, a, l.inputs.At(j))
		far := floats.Distance(z, l.points.RawRowView(j), 2)
		for row := range rows {
			l.means(near, apart, row, 0, line)
			visit(j, row*columns, near, far*far)
		}
	}
}

// Derivative is one of Operator: the derivative of the sum, as a matrix.
func (l *Local) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	value, err := l.own(ctx, l, input, workers)
	if err != nil {
		return feature.Derivative{}, err
	}
	n, V, a := l.inputs.Count, input.Values(), input.At(0)
	slopes := mat.NewDense(n, V, nil) // of the terms, in the square of the distance
	l.each(input, func(j, first int, near []float64, far float64) {
		to, c := slopes.RawRowView(j)[first:], l.coefficients.RawRowView(j)[first:]
		for x, v := range near {
			s := math.Sqrt(5*(l.Share*v/l.Near+(1-l.Share)*far)) / l.Length
			to[x] = -5. / 6 * (1 + s) * math.Exp(-s) * c[x] / (l.Length * l.Length)
		}
	})
	var jacobian, far, training mat.Dense
	training.Mul(slopes.T(), mat.NewDense(n, V, l.inputs.Data))
	apart := mat.DenseCopyOf(l.points)
	for j := range n {
		row := apart.RawRowView(j)
		floats.SubTo(row, l.of(input).RawRowView(0), row)
	}
	far.Mul(slopes.T(), apart)
	jacobian.Mul(&far, l.components.T())
	jacobian.Scale(2*(1-l.Share), &jacobian)
	_, columns := l.across.Dims()
	for x := range V {
		sum, row := 0.0, jacobian.RawRowView(x)
		for j := range n {
			sum += slopes.At(j, x)
		}
		down, across := l.down.RawRowView(x/columns), l.across.RawRowView(x%columns)
		for y := range row {
			row[y] += 2 * l.Share / l.Near * down[y/columns] * across[y%columns] * (sum*a[y] - training.At(x, y))
		}
	}
	return ofMatrix(value, input, &jacobian), nil
}

// ofMatrix is the derivative that is a matrix, a row for each value of the output.
func ofMatrix(value, input grid.Batch, jacobian *mat.Dense) feature.Derivative {
	weights, dual := input.Domain.Weights(input.Points), value.Domain.Weights(value.Points)
	multiply := func(dst []float64, m mat.Matrix, v []float64) {
		mat.NewVecDense(len(dst), dst).MulVec(m, mat.NewVecDense(len(v), v))
	}
	forward := func() func(dst, v []float64) {
		return func(dst, v []float64) { multiply(dst, jacobian, v) }
	}
	backward := func() func(dst, w []float64) {
		weighed := make([]float64, len(dual))
		return func(dst, w []float64) {
			multiply(dst, jacobian.T(), floats.MulTo(weighed, dual, w))
			floats.Div(dst, weights)
		}
	}
	return feature.Derivative{Value: value, In: input, Forward: forward, Backward: backward}
}

// String is one of Operator.
func (l *Local) String() string {
	return fmt.Sprintf("kernel ridge regression on %d pairs at each point, of what is within about %.2g of it, ridge %g",
		l.inputs.Count, l.Width, l.Ridge)
}

// Cost is one of Operator.
func (l *Local) Cost(int) float64 {
	rows, columns := l.domain.Axes(l.Finest())
	return float64(l.inputs.Count) * float64(l.values()) * float64(2*(rows+columns)+exponential)
}

// Check is one of Operator.
func (l *Local) Check() error {
	fine := l.Width > 0 && l.Share >= 0 && l.Share <= 1 && l.Cutoff > 0 && l.Decay >= 0 && l.Length > 0 && l.Ridge >= 0 &&
		l.Near > 0 && l.leaveOneOut >= 0
	if !fine || !grid.Finite(l.Width, l.Share, l.Cutoff, l.Decay, l.Length, l.Ridge, l.Near, l.leaveOneOut) {
		return feature.Unusable(fmt.Sprintf("has the kernel %+v with the leave-one-out error %g", l.LocalParameters,
			l.leaveOneOut))
	}
	return nil
}

// localScalars is what model files say of it beside arrays.
type localScalars struct {
	gridScalars
	LocalParameters
}

// Encode is one of Operator.
func (l *Local) Encode() (string, any, []npy.Named) {
	return config.LocalKernel, localScalars{l.scalars(), l.LocalParameters}, []npy.Named{
		array("mean", l.mean, len(l.mean)), dense("components", l.components), dense("points", l.points),
		l.functions("inputs", l.inputs), dense("coefficients", l.coefficients), dense("down", l.down),
		dense("across", l.across)}
}

func readLocal(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars localScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	at, err := scalars.place(leaveOneOut)
	if err != nil {
		return nil, err
	}
	if at.in*at.out > 1 {
		return nil, feature.Unusable("has several channels, want 1")
	}
	l := &Local{place: at, LocalParameters: scalars.LocalParameters}
	if err := l.Check(); err != nil {
		return nil, err
	}
	V := at.values()
	mean, err := readArray(s, "mean", V)
	if err != nil {
		return nil, err
	}
	l.mean = mean.Data
	if l.components, err = readDense(s, "components", V, -1); err != nil {
		return nil, err
	}
	if l.inputs, err = at.readFunctions(s, "inputs"); err != nil {
		return nil, err
	}
	_, modes := l.components.Dims()
	if l.points, err = readDense(s, "points", l.inputs.Count, modes); err != nil {
		return nil, err
	}
	if l.coefficients, err = readDense(s, "coefficients", l.inputs.Count, V); err != nil {
		return nil, err
	}
	rows, columns := at.domain.Axes(at.points)
	if l.down, err = readDense(s, "down", rows, rows); err != nil {
		return nil, err
	}
	if l.across, err = readDense(s, "across", columns, columns); err != nil {
		return nil, err
	}
	return l, nil
}

// NumPy is one of Operator.
func (l *Local) NumPy(points int) (imports, program string) {
	if points != l.place.points {
		return "", ""
	}
	down, more := "", ", None"
	if l.domain.Dims == 2 {
		down, more = "model[\"down\"] @ ", ", None, None"
	}
	return "", `z = (a.reshape(len(a), -1) - model["mean"]) @ model["components"]
u = np.empty_like(a)
for i in range(len(a)):
    near = ` + down + `((a[i] - model["inputs"])**2 @ model["across"].T)/p["near"]
    far = ((z[i] - model["points"])**2).sum(1)[:` + more + `]
    s = np.sqrt(5*np.maximum(0, p["share"]*near + (1 - p["share"])*far))/p["length"]
    u[i] = ((1 + (1 + s + s*s/3)*np.exp(-s))*model["coefficients"].reshape(near.shape)).sum(0)
`
}
