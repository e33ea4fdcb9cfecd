// This file is an equation whose coefficients are fitted: what is physics is that fluxes balance a constant source,
// what is learned is how easily they pass between two grid points.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// fluxMethod is a line of methods.
var fluxMethod = Method{Name: config.FittedFluxes, Title: "fitted fluxes", Most: math.MaxInt32, read: readFlux,
	Reference: true,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		return 8 * (float64(o.Workers)*40*float64(pairs.Outputs.Values()) + float64(min(pairs.Count(), fluxPairs))*masks*masks)
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in == grid.Square && out == grid.Square && symmetry != config.NoSymmetry
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		return operator(FitFluxes(ctx, pairs, o))
	}}

// Flux is the solution operator of -div(k grad u) = 1, u = 0 on the boundary, in five-point flux form on its own grid.
// The permeability k of the face between two neighbours x and y follows from the input a > 0 at these and the four
// points at their sides:
//
//	log k = (log a(x) + log a(y))/2 + sum_S Coefficients[S] prod_(i in S) l_i,  l = (log a - Centre)/Scale,
//
// S the subsets of the six points, l kept between -1 and 1. The arithmetic and the harmonic mean of two values are
// among these laws. For inputs of two values it is any function of the 64 patterns. Coefficients do not change under
// the reflections of a face, so the operator commutes with all motions of the square.
type Flux struct {
	place
	Closure
	solver *darcy.Solver
	table  [masks]float64 // exp of the sum if point i of a face has l = 1 or -1, as bit i of the index says
}

// Closure is the law of k.
type Closure struct {
	Centre    float64 `json:"centre"`    // of log a in training
	Scale     float64 `json:"scale"`     // half of its range
	Tolerance float64 `json:"tolerance"` // of the solves: relative residual
	Law       Law     `json:"-"`         // Coefficients
}

// around is the number of points that the permeability of a face follows from: bit 0 and 1 of a subset are x and y,
// bits 2 and 3 those at one side of x and of y, bits 4 and 5 those at the other side.
const around, masks = 6, 1 << 6

// Law is a polynomial of six variables, linear in each: the coefficient of the product of the variables of a subset.
type Law [masks]float64

// at is the value.
func (c *Law) at(l *[around]float64) float64 {
	w := *c
	for i, size := around-1, masks/2; i >= 0; i, size = i-1, size/2 {
		for s := range size {
			w[s] += l[i] * w[s+size]
		}
	}
	return w[0]
}

// face is one between points x and y of a field; the points at the sides are as far from them as side says.
type face struct {
	south   bool // y is in the next row
	x, y    int
	toSides int
}

// points are those that the permeability follows from.
func (f face) points() [around]int {
	return [around]int{f.x, f.y, f.x - f.toSides, f.y - f.toSides, f.x + f.toSides, f.y + f.toSides}
}

// of chooses the field of the faces of its direction.
func (f face) of(east, south []float64) []float64 {
	if f.south {
		return south
	}
	return east
}

// eachFace visits the faces inside of the r x r grid.
func eachFace(r int, visit func(f face)) {
	for i := 1; i < r-1; i++ {
		for j := range r - 1 {
			visit(face{false, i*r + j, i*r + j + 1, r})
			visit(face{true, j*r + i, (j+1)*r + i, 1})
		}
	}
}

// describe writes sqrt a and l.
func (c *Closure) describe(root, l, a []float64) {
	const rounding = 1e-12
	for x, v := range a {
		if x > 0 && v == a[x-1] { // as a rule, where there are two values
			root[x], l[x] = root[x-1], l[x-1]
			continue
		}
		root[x] = math.Sqrt(v)
		l[x] = max(-1, min(1, (math.Log(v)-c.Centre)/c.Scale))
		if math.Abs(l[x]) > 1-rounding {
			l[x] = math.Copysign(1, l[x])
		}
	}
}

// prepare derives what is not stored.
func (f *Flux) prepare() *Flux {
	e := darcy.Paper()
	e.Tolerance = f.Tolerance
	f.solver = darcy.New(e, f.points)
	for pattern := range f.table {
		var l [around]float64
		for i := range l {
			l[i] = float64(2*(pattern>>i&1) - 1)
		}
		f.table[pattern] = math.Exp(f.Law.at(&l))
	}
	return f
}

// fluxSpace is the working memory of one goroutine.
type fluxSpace struct {
	*darcy.Worker
	root, l []float64 // sqrt a and l
	codes   []uint8
}

func (f *Flux) newSpace() *fluxSpace {
	V := f.values()
	return &fluxSpace{f.solver.NewWorker(), make([]float64, V), make([]float64, V), make([]uint8, V)}
}

// setFaces computes k. The error is a *fault.Data if an input is not positive.
func (f *Flux) setFaces(s *fluxSpace, a []float64, label string) error {
	if err := darcy.CheckPermeability(label, a); err != nil {
		return err
	}
	f.describe(s.root, s.l, a)
	east, south := s.Faces()
	if !slices.ContainsFunc(s.l, func(l float64) bool { return l*l != 1 }) {
		f.lookUp(east, s, 1, f.points)
		f.lookUp(south, s, f.points, 1)
		return nil
	}
	eachFace(f.points, func(face face) {
		var l [around]float64
		for i, x := range face.points() {
			l[i] = s.l[x]
		}
		face.of(east, south)[face.x] = s.root[face.x] * s.root[face.y] * math.Exp(f.Law.at(&l))
	})
	return nil
}

// lookUp computes k for an input of two values, across faces between points that are so far from each other, and so far
// from those at their sides.
func (f *Flux) lookUp(faces []float64, s *fluxSpace, apart, toSides int) {
	for x := range s.l { // what a point and those at its sides have to do with the pattern of a face
		code := uint8(0)
		for i, at := range [...]int{x, x - toSides, x + toSides} {
			if at >= 0 && at < len(s.l) && s.l[at] > 0 {
				code |= 1 << (2 * i)
			}
		}
		s.codes[x] = code
	}
	for x := range len(faces) - apart {
		y := x + apart
		faces[x] = s.root[x] * s.root[y] * f.table[s.codes[x]|s.codes[y]<<1]
	}
}

// solve evaluates the operator. Errors are those of setFaces and of darcy.Worker.
func (f *Flux) solve(ctx context.Context, u, a []float64, s *fluxSpace, label string) error {
	if err := f.setFaces(s, a, label); err != nil {
		return err
	}
	return s.SolveFaces(ctx, u, nil, label)
}

// Predict is one of Operator. Errors are also those of the solver: a *fault.Data if an input is not positive.
func (f *Flux) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	return f.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := inputs.Like(inputs.Count)
		err := parallel.With(ctx, workers, inputs.Count, f.newSpace, func(s *fluxSpace, i int) error {
			defer progress(1)
			return f.solve(ctx, outputs.At(i), inputs.At(i), s, fmt.Sprintf("input %d", i))
		})
		return outputs, err
	})
}

// String is one of Operator.
func (f *Flux) String() string {
	return fmt.Sprintf("-div(k grad u) = 1 on %s, k between two points fitted: %d numbers", f.domain.Grid(f.points),
		f.Law.numbers())
}

// Cost is one of Operator: iterations of the solver, and about what each takes for a point.
func (f *Flux) Cost(int) float64 {
	const each = 60
	return float64(f.values()) * each * math.Ceil(-math.Log10(f.Tolerance)*2)
}

// Check is one of Operator.
func (f *Flux) Check() error {
	fine := f.Scale > 0 && f.Tolerance > 0 && f.Tolerance < 1 && grid.Finite(f.Centre, f.Scale, f.leaveOneOut) &&
		f.leaveOneOut >= 0 && f.domain == grid.Square
	if !fine || !grid.Finite(f.Law[:]...) {
		return feature.Unusable(fmt.Sprintf("has the closure %+v with the leave-one-out error %g", f.Closure, f.leaveOneOut))
	}
	return nil
}

// fluxScalars is what model files say of it beside arrays.
type fluxScalars struct {
	gridScalars
	Closure
}

// Encode is one of Operator.
func (f *Flux) Encode() (string, any, []npy.Named) {
	return fluxMethod.Name, fluxScalars{f.scalars(), f.Closure}, []npy.Named{array("coefficients", f.Law[:], masks)}
}

func readFlux(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars fluxScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	at, err := scalars.place(leaveOneOut)
	if err != nil {
		return nil, err
	}
	coefficients, err := readArray(s, "coefficients", masks)
	if err != nil {
		return nil, err
	}
	f := &Flux{place: at, Closure: scalars.Closure}
	f.Law = Law(coefficients.Data)
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f.prepare(), nil
}

// NumPy is one of Operator.
func (f *Flux) NumPy(points int) (imports, program string) {
	if points != f.points {
		return "", ""
	}
	return "from scipy.sparse import coo_matrix\nfrom scipy.sparse.linalg import spsolve\n", `def faces(L):
    l = np.clip((L - p["centre"])/p["scale"], -1, 1)
    x = [v[s:r-2+s, t:r-1+t] for s in (1, 0, 2) for v, t in ((l, 0), (l, 1))]
    k = (L[1:-1, :-1] + L[1:-1, 1:])/2
    for S, c in enumerate(model["coefficients"]):
        k = k + c*np.prod([np.ones_like(k)] + [x[i] for i in range(6) if S >> i & 1], axis=0)
    return np.exp(k)
r = a.shape[1]
m = r - 2
index = np.arange(m*m).reshape(m, m)
u = np.zeros_like(a)
for i in range(len(a)):
    e, s = faces(np.log(a[i])), faces(np.log(a[i]).T).T
    near = [(index, index, e[:, 1:] + e[:, :-1] + s[1:] + s[:-1]), (index[:, 1:], index[:, :-1], -e[:, 1:-1]),
            (index[:, :-1], index[:, 1:], -e[:, 1:-1]), (index[1:], index[:-1], -s[1:-1]), (index[:-1], index[1:], -s[1:-1])]
    rows, columns, values = (np.concatenate([part[j].ravel() for part in near]) for j in range(3))
    A = coo_matrix((values, (rows, columns))).tocsc()
    u[i, 1:-1, 1:-1] = spsolve(A, np.full(m*m, 1/(r - 1)**2)).reshape(m, m)
`
}

// clearBoundary sets the boundary of an r x r field to zero.
func clearBoundary(field []float64, r int) {
	clear(field[:r])
	clear(field[(r-1)*r:])
	for i := range r {
		field[i*r], field[i*r+r-1] = 0, 0
	}
}
