// This file discretises an equation between two ends. Fields are polynomials by their values at Chebyshev points. The
// conditions determine the values at the outermost points from those at the others, the unknowns, so that the linear
// part, with coefficients in x, is one dense matrix A over the unknowns of all fields:
//
//	v' = A v + S g(t) + N(v, t),
//
// where g are the values of the conditions and N is the rest.

package equation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/fft"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// interval is a set of Chebyshev points, from left to right, with its derivatives.
type interval struct {
	x           []float64
	derivatives []*mat.Dense // of order 0, 1, ..., n x n
}

// newInterval returns n points on [0, length].
func newInterval(n int, length float64, order int) *interval {
	c := &interval{x: make([]float64, n)}
	weight := make([]float64, n) // barycentric
	for i := range n {
		c.x[i] = length / 2 * (1 - math.Cos(math.Pi*float64(i)/float64(n-1)))
		weight[i] = 1 - 2*float64(i%2)
	}
	weight[0] /= 2
	weight[n-1] /= 2
	first := mat.NewDense(n, n, nil)
	for i := range n {
		sum := 0.0
		for j := range n {
			if i == j {
				continue
			}
			// the difference of cosines, without cancellation
			apart := length * math.Sin(math.Pi*float64(i+j)/float64(2*(n-1))) * math.Sin(math.Pi*float64(i-j)/float64(2*(n-1)))
			v := weight[j] / weight[i] / apart
			first.Set(i, j, v)
			sum += v
		}
		first.Set(i, i, -sum) // a constant has no derivative
	}
	identity := mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	c.derivatives = append(c.derivatives, identity)
	for k := range order {
		next := mat.NewDense(n, n, nil)
		next.Mul(first, c.derivatives[k])
		for i := range n { // again without a derivative of constants, since powers lose digits
			sum := 0.0
			for j := range n {
				if i != j {
					sum += next.At(i, j)
				}
			}
			next.Set(i, i, -sum)
		}
		c.derivatives = append(c.derivatives, next)
	}
	return c
}

// multiply sets dst, block x rows, to the product of a matrix and each row of src, block x columns, plus scale times dst.
func multiply(dst []float64, m *mat.Dense, src []float64, scale float64) {
	raw := m.RawMatrix()
	if raw.Rows == 0 || raw.Cols == 0 {
		return
	}
	rows := blas64.General{Rows: block, Cols: raw.Cols, Stride: raw.Cols, Data: src}
	out := blas64.General{Rows: block, Cols: raw.Rows, Stride: raw.Rows, Data: dst}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, rows, raw, scale, out)
}

// intervalBlock adds the steps that compute the values of a derivative or operator between two ends.
func (c *plan) intervalBlock(a *atom, b []float64) {
	derivative := c.interval.derivatives[a.op.x]
	if a.kind == fieldAtom {
		field := a.index
		c.steps = append(c.steps, func(u [][]float64) { multiply(b, derivative, u[field], 0) })
		return
	}
	inner := make([]float64, len(b))
	c.compute(a.arg, inner)
	c.steps = append(c.steps, func([][]float64) { multiply(b, derivative, inner, 0) })
}

// bounded is an equation between two ends on Chebyshev points. It is immutable.
type bounded struct {
	*evolution
	inner  []int      // by field: its first unknown; then the number of unknowns
	first  []int      // by field: the first point that is unknown
	linear *mat.Dense // A, unknowns x unknowns
	force  *mat.Dense // S, unknowns x conditions
	edge   *mat.Dense // the values that the conditions determine, conditions x unknowns
	held   *mat.Dense // the same from the values of the conditions, conditions x conditions
	edges  []edgePoint
	rest   [][]product // by field
}

// edgePoint is a value that the conditions determine.
type edgePoint struct{ field, point int }

// setEnds checks an equation between two ends and prepares its draws. It fails at what is not solved there.
func (s *evolution) setEnds() {
	if s.domain.Dims == 2 {
		conditionError("equation.left", "is for the interval; fields on the square are periodic", "set equation.dims = 1")
	}
	s.checkConditions()
	s.checkSigns()
	left, right := s.ends(0)
	measure := grf.Measure{Tau: s.Input.Tau, Alpha: s.Input.Alpha, Scale: s.Input.Scale}
	s.draws = measure.Between(left, right, s.Points)
	if whole, input, ok := s.fold(); ok {
		if folded := newSolver(whole); folded.err == nil {
			s.folded = folded
			s.input = input
			return
		}
	}
	for i := range s.rows[:len(s.Fields)] {
		r := &s.rows[i]
		r.failIf(r.mass != nil, 0, "solve the equation for u_t", "operators on u_t are for periodic fields")
		check := func(o operator, at int) {
			r.failIf(o.inv > 0 || o.mean, at, "leave out equation.left and equation.right, and it is periodic",
				"ilap and mean are for periodic fields")
		}
		for _, t := range r.linear {
			check(t.op, t.at)
		}
		for _, q := range r.rest {
			check(q.op, q.term.at)
			for _, f := range q.term.factors {
				check(f.op, q.term.at)
			}
			fields, _ := q.term.split()
			if linear := fields.only(); linear.kind == fieldAtom && linear.index < len(s.Fields) {
				continue
			}
			for j := range s.Fields {
				r.failIf(q.op.order()+q.term.order(j) >= 2, q.term.at, "write it with linear diffusion, or leave out the conditions",
					"nonlinear terms with second derivatives are for periodic fields")
			}
		}
	}
	s.limit = s.Points
	s.checkStability()
}

// checkStability refuses conditions that cannot hold together, coefficients that are not finite, and equations whose
// linear part grows faster the more points there are, which is no property of the equation.
func (s *evolution) checkStability() {
	const fewer = 25
	growth := func(n int) float64 {
		var e mat.Eigen
		if !e.Factorize(newBounded(s, n).linear, mat.EigenNone) {
			return 0
		}
		most := math.Inf(-1)
		for _, v := range e.Values(nil) {
			most = math.Max(most, real(v))
		}
		return most
	}
	few := growth(fewer)
	many := growth(chebyshevPoints[0])
	if many > 1 && many*s.Time > 1 && math.Abs(many-few) > 0.2*many {
		conditionError("equation.left", fmt.Sprintf("and equation.right with this equation grow without bound on the solver's points (e^%.2gt; %s)",
			many, s.conditionTexts()), "check which end each condition belongs to, and the sign of the highest derivative; orders three, and "+
			"four with second derivatives in t, are not always solved between ends")
	}
}

// checkSigns refuses linear terms of the highest order that feed short waves.
func (s *evolution) checkSigns() {
	for i := range s.Fields {
		r := &s.rows[i]
		order := s.derivatives(i)
		for _, t := range r.linear {
			if t.field == i && t.op.order() == order && order%2 == 0 && order > 0 && !t.damps() {
				r.fail(t.at, "change its sign", "short waves grow without bound: the equation is ill-posed")
			}
		}
	}
}

// The numbers of Chebyshev points that are tried in turn.
var chebyshevPoints = []int{33, 49, 65, 97, 129, 193}

// newBounded discretises an equation on n points.
func newBounded(s *evolution, n int) *bounded {
	own := *s
	b := &bounded{evolution: &own}
	order := 1
	for i := range s.Fields {
		order = max(order, s.derivatives(i))
		for _, q := range s.rows[i].rest {
			for j := range s.rows {
				order = max(order, q.op.order()+q.term.order(j))
			}
		}
		for _, t := range s.rows[i].linear {
			order = max(order, t.op.order())
		}
	}
	own.interval = newInterval(n, s.Length, order)
	own.n = n
	own.transform = fft.On(0, n)
	x := make([]float64, block*n)
	for l := range block {
		copy(x[l*n:], own.interval.x)
	}
	own.given = map[string][]float64{"x": x}
	b.place()
	full := b.linearPart()
	b.eliminate(full)
	return b
}

// place chooses the points whose values the conditions determine: the outermost ones of the field of each.
func (b *bounded) place() {
	unknowns := 0
	for f := range b.Fields {
		left, right := 0, 0
		for _, c := range b.conditions {
			if c.field != f {
				continue
			}
			if c.right {
				b.edges = append(b.edges, edgePoint{f, b.n - 1 - right})
				right++
			} else {
				b.edges = append(b.edges, edgePoint{f, left})
				left++
			}
		}
		b.first = append(b.first, left)
		b.inner = append(b.inner, unknowns)
		unknowns += b.n - left - right
	}
	b.inner = append(b.inner, unknowns)
}

// linearPart moves all linear terms to one matrix over the values of all fields at all points, and keeps the others.
func (b *bounded) linearPart() *mat.Dense {
	n := b.n
	full := mat.NewDense(n*len(b.Fields), n*len(b.Fields), nil)
	given := (&own{b.evolution}).givenBlock
	for i := range b.Fields {
		r := &b.rows[i]
		var rest []product
		for _, t := range r.linear {
			if t.field >= len(b.Fields) { // the coefficient or time
				rest = append(rest, product{t.op, single(&atom{kind: fieldAtom, index: t.field}, t.at).times(t.c)[0]})
				continue
			}
			part := full.Slice(i*n, i*n+n, t.field*n, t.field*n+n).(*mat.Dense)
			var scaled mat.Dense
			scaled.Scale(t.c, b.interval.derivatives[t.op.x])
			part.Add(part, &scaled)
		}
		for _, q := range r.rest {
			fields, factor := q.term.split()
			f := fields.only()
			if f.kind != fieldAtom || f.index >= len(b.Fields) {
				rest = append(rest, q)
				continue
			}
			values := given(poly{factor})
			r.failIf(!grid.Finite(values...), q.term.at, "", "the coefficient is not finite on the interval")
			var inner, outer mat.Dense
			inner.Mul(mat.NewDiagDense(n, values[:n]), b.interval.derivatives[f.op.x])
			outer.Mul(b.interval.derivatives[q.op.x], &inner)
			part := full.Slice(i*n, i*n+n, f.index*n, f.index*n+n).(*mat.Dense)
			part.Add(part, &outer)
		}
		b.rest = append(b.rest, rest)
	}
	return full
}

// own evaluates expressions of x.
type own struct{ *evolution }

func (o *own) givenBlock(q poly) []float64 { return o.newPlan().givenBlock(q) }

// eliminate solves the conditions for the values at the outermost points and restricts the matrix to the unknowns.
func (b *bounded) eliminate(full *mat.Dense) {
	n := b.n
	m := b.inner[len(b.Fields)]
	count := len(b.conditions)
	unknown := func(f, i int) int { return b.inner[f] + i - b.first[f] } // of the point i of a field
	isUnknown := func(f, i int) bool {
		k := unknown(f, i)
		return i >= b.first[f] && k < b.inner[f+1]
	}
	lhs := mat.NewDense(max(1, count), max(1, count), nil)
	rhs := mat.NewDense(max(1, count), max(1, m), nil)
	for k, c := range b.conditions {
		end := 0
		if c.right {
			end = n - 1
		}
		for _, t := range c.terms {
			for i := range n {
				v := t.c * b.interval.derivatives[t.op.x].At(end, i)
				if isUnknown(t.field, i) {
					rhs.Set(k, unknown(t.field, i), rhs.At(k, unknown(t.field, i))-v)
					continue
				}
				e := slices.Index(b.edges, edgePoint{t.field, i})
				lhs.Set(k, e, lhs.At(k, e)+v)
			}
		}
	}
	b.edge = mat.NewDense(count, m, nil)
	b.held = mat.NewDense(count, count, nil)
	var lu mat.LU
	lu.Factorize(lhs)
	if cond := lu.Cond(); !(cond < 1e13) {
		c := b.conditions[count-1]
		conditionError(c.key, fmt.Sprintf("the conditions cannot hold together (%s)", b.conditionTexts()), "say something different at each end")
	}
	identity := mat.NewDense(count, count, nil)
	for k := range count {
		identity.Set(k, k, 1)
	}
	_ = lu.SolveTo(b.edge, false, rhs)
	_ = lu.SolveTo(b.held, false, identity)
	b.linear = mat.NewDense(m, m, nil)
	b.force = mat.NewDense(m, count, nil)
	for f := range b.Fields {
		for i := range n {
			if !isUnknown(f, i) {
				continue
			}
			row := full.RawRowView(f*n + i)
			out := b.linear.RawRowView(unknown(f, i))
			for g := range b.Fields {
				for j := range n {
					v := row[g*n+j]
					if v == 0 {
						continue
					}
					if isUnknown(g, j) {
						out[unknown(g, j)] += v
						continue
					}
					e := slices.Index(b.edges, edgePoint{g, j})
					for k, w := range b.edge.RawRowView(e) {
						out[k] += v * w
					}
					for k, w := range b.held.RawRowView(e) {
						b.force.Set(unknown(f, i), k, b.force.At(unknown(f, i), k)+v*w)
					}
				}
			}
		}
	}
}

// conditionTexts lists the conditions.
func (s *evolution) conditionTexts() string {
	list := ""
	for i, c := range s.conditions {
		end := "left"
		if c.right {
			end = "right"
		}
		if i > 0 {
			list += ", "
		}
		list += c.text + " at the " + end
	}
	return list
}

// values writes the values of all fields at all points to full, by field and then block x n, from the unknowns, block x
// unknowns, and the values of the conditions.
func (b *bounded) values(full [][]float64, v, conditions []float64) {
	m := b.inner[len(b.Fields)]
	for f := range b.Fields {
		size := b.inner[f+1] - b.inner[f]
		for l := range block {
			copy(full[f][l*b.n+b.first[f]:], v[l*m+b.inner[f]:l*m+b.inner[f]+size])
		}
	}
	for e, at := range b.edges {
		row := b.edge.RawRowView(e)
		constant := 0.0
		for k, w := range b.held.RawRowView(e) {
			constant += w * conditions[k]
		}
		for l := range block {
			sum := constant
			for k, w := range v[l*m : l*m+m] {
				sum += row[k] * w
			}
			full[at.field][l*b.n+at.point] = sum
		}
	}
}

// conditionValues returns the values of the conditions at a time.
func (b *bounded) conditionValues(t float64) []float64 {
	g := make([]float64, len(b.conditions))
	for k, c := range b.conditions {
		g[k] = c.at(t)
	}
	return g
}
