// This file discretises a system: its symbol on the modes, its coefficients at the points, and the numerical checks.

package equation

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/fft"
	"rfm/solver/grid"
)

// Solver is a system on one grid. It is immutable; every goroutine needs its own Worker.
type Solver struct {
	*System
	Problem
	domain    grid.Domain
	side      int // distinct points along an axis
	n         int // distinct points
	fields    int // with coefficient and time
	transform fft.Transform
	waves     [][2]float64 // wavenumbers by position of a spectrum, in radians a length
	highest   []int        // the larger |k| along an axis
	mirror    []int        // the position of -k for that of k
	points    [][2]float64
	inverse   [maxField][]complex128           // of the symbol on the left; nil: 1
	symbols   [maxField][maxField][]complex128 // nil: 0
	parts     [][]int                          // fields that the symbol couples
	isReal    bool                             // whether the symbol is diagonal and real
	kept      []bool
	isTail    []bool // the highest fifth of the modes retained, which a resolved solution leaves empty
	tail      float64
	rows      [][]product
	given     map[string][]float64
	constants [][]float64     // -i times the spectra of terms without fields; nil: 0
	forced    [maxField][]int // where these are not 0
	quasi     []*product      // by field: a term with second derivatives and no symbol above it; nil if missing
	clock     bool            // whether time is a field
	varies    [maxField]bool  // rows whose rest has a linear term with a coefficient in x
	lasts     bool            // whether errors do not decay: a mode grows, is forced or does not decay
	ahead     float64         // time over which damping counts; 0 if errors persist
	exact     bool            // a linear equation with constant coefficients: one step
	maxSteps  int
}

// newSolver discretises the system on a grid. The error is an *Error that names a term unsolvable on any or this grid.
func newSolver(sys *System, o Problem) (s *Solver, err error) {
	defer catch(&err)
	s = &Solver{System: sys, Problem: o, side: o.Points - 1, fields: len(sys.rows), given: map[string][]float64{},
		domain: grid.Domain{Dims: sys.Dims, Periodic: true}, maxSteps: maxSteps,
		clock: sys.rows[len(sys.rows)-1].field == "t"}
	s.setGrid()
	degree := 0.0
	for _, r := range sys.rows {
		for _, q := range r.rest {
			degree = max(degree, q.term.degree())
		}
	}
	s.tail = tailLimit
	if degree <= 1 {
		s.tail = linearTail
	}
	part := 2 // products of two fields on the square have no aliases below a third
	if sys.Dims == 2 && degree == 2 {
		part = 3
	}
	for _, h := range s.highest {
		s.kept = append(s.kept, part*h < s.side)
		s.isTail = append(s.isTail, 5*part*h > 4*s.side)
	}
	var symbol [maxField][maxField][]linearTerm
	for i, r := range sys.rows {
		s.setInverse(i, r)
		symbol[i] = r.linear
		s.rows = append(s.rows, s.simplify(i, r, &symbol[i]))
	}
	s.exact = !slices.ContainsFunc(s.rows, func(r []product) bool { return len(r) > 0 }) && !s.isForced()
	s.setSymbols(symbol)
	s.setParts()
	s.checkOrders(symbol)
	s.checkGrowth(symbol)
	return s, nil
}

func (s *Solver) setGrid() {
	N := s.side
	transform, modes := fft.On(N*(s.Dims-1), N)
	s.transform, s.mirror, s.n = transform, transform.Mirror(), len(modes)
	for p, k := range modes {
		first, second := p/(s.n/N), p%(s.n/N)
		s.points = append(s.points, [2]float64{float64(first) / float64(N) * s.Lengths[0],
			float64(second) / float64(N) * s.Lengths[1]})
		s.waves = append(s.waves, [2]float64{2 * math.Pi * float64(k[0]) / s.Lengths[0],
			2 * math.Pi * float64(k[1]) / s.Lengths[1]})
		s.highest = append(s.highest, max(k[0], -k[0], k[1], -k[1]))
	}
}

// setInverse inverts the operator on the derivative in t. The mean is not in the range of a Laplacian and stays.
func (s *Solver) setInverse(i int, r row) {
	if r.mass == nil {
		return
	}
	s.inverse[i] = make([]complex128, s.n)
	for p := range s.n {
		v, size := s.sum(r.mass, p), 0.0
		for _, t := range r.mass {
			size += cmplx.Abs(complex(t.c, 0) * t.op.symbol(s.waves[p]))
		}
		switch {
		case cmplx.Abs(v) > 1e-12*size:
			s.inverse[i][p] = 1 / v
		case s.highest[p] > 0 && s.kept[p]:
			r.fail(r.mass[len(r.mass)-1].at, "change a coefficient or equation.length",
				"the operator on %s_t vanishes for the wavenumber %.4g", r.field, s.waves[p][:s.Dims])
		}
	}
}

// sum returns the symbol of a sum at a position.
func (s *Solver) sum(terms []linearTerm, p int) (v complex128) {
	for _, t := range terms {
		v += complex(t.c, 0) * t.op.symbol(s.waves[p])
	}
	if 2*s.highest[p] == s.side { // the Nyquist mode of odd derivatives would make real functions complex
		v = complex(real(v), 0)
	}
	return v
}

// simplify merges coefficients in x of equal terms and moves their means to the symbol; terms without fields become
// constants.
func (s *Solver) simplify(i int, r row, symbol *[maxField][]linearTerm) (out []product) {
	var terms []product // without the factors in x
	var coefficients []poly
	for _, q := range r.rest {
		t, g := term{c: 1, at: q.term.at}, term{c: q.term.c, at: q.term.at}
		for _, f := range q.term.factors {
			if f.given {
				g.factors = append(g.factors, f)
			} else {
				t.factors = append(t.factors, f)
			}
		}
		t, g = t.keyed(), g.keyed()
		j := slices.IndexFunc(terms, func(p product) bool { return p.op == q.op && p.term.key == t.key })
		if j < 0 {
			j, terms, coefficients = len(terms), append(terms, product{q.op, t}), append(coefficients, nil)
		}
		coefficients[j] = coefficients[j].plus(poly{g})
	}
	c := s.newCompiler()
	s.constants = append(s.constants, nil)
	for j, q := range terms {
		v, constant := coefficients[j].constant()
		if constant && v == 0 {
			continue
		}
		if constant && len(q.term.factors) > 0 {
			q.term.c = v
			out = append(out, q)
			continue
		}
		values := c.givenBlock(coefficients[j])
		low, high, mean := s.checkCoefficient(r, q.term.at, values)
		if len(q.term.factors) == 0 { // a force
			s.force(c, i, q.op, values)
			continue
		}
		if f := q.term.factors[0]; len(q.term.factors) == 1 && f.power == 1 && f.kind == fieldAtom {
			if (q.op.order()+f.op.order())%2 == 0 {
				mean = (low + high) / 2 // the rate of the rest is at most that of the symbol if the coefficient has one sign
			}
			s.varies[i] = true
			symbol[f.index] = append(slices.Clip(symbol[f.index]), linearTerm{mean, q.op.after(f.op), q.term.at})
			for p := range values {
				values[p] -= mean
			}
		}
		key := fmt.Sprintf("!given %d %d", i, len(s.given)) // before all others: products share it first
		s.given[key] = values
		q.term.factors = append([]factor{{&atom{kind: funcAtom, given: true, key: key}, 1}}, q.term.factors...)
		q.term = q.term.keyed()
		out = append(out, q)
	}
	return out
}

// force adds a function of x alone to the constants of a row.
func (s *Solver) force(c *compiler, row int, o operator, values []float64) {
	s.transform.Forward(values)
	s.transform.Multiply(values, values, c.symbol(o, complex(0, -1/float64(s.n)), s.inverse[row]))
	if s.constants[row] != nil {
		add(values, s.constants[row])
	}
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v))
	}
	s.forced[row] = nil
	for p := 0; p < len(values); p += block { // often two modes are forced, with rounding errors in all others
		if slices.ContainsFunc(values[p:p+block], func(v float64) bool { return math.Abs(v) > 1e-15*largest }) {
			s.forced[row] = append(s.forced[row], p)
		}
	}
	s.constants[row] = values
}

func (s *Solver) isForced() bool {
	return slices.ContainsFunc(s.constants, func(c []float64) bool { return c != nil })
}

// checkCoefficient fails for coefficients that are not finite or jump on the torus.
func (s *Solver) checkCoefficient(r row, at int, values []float64) (low, high, mean float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for p := range s.n {
		v := values[block*p]
		if !grid.Finite(v) {
			r.fail(at, "", "the coefficient is %g at x=%.3g", v, s.points[p][:s.Dims])
		}
		low, high, mean = min(low, v), max(high, v), mean+v/float64(s.n)
	}
	b, tail := slices.Clone(values), 0.0
	s.transform.Forward(b)
	for p, h := range s.highest {
		if 5*h > 2*s.side { // the highest fifth
			tail += math.Pow(b[block*p]/float64(s.n), 2) + math.Pow(b[block*p+fft.Lanes]/float64(s.n), 2)
		}
	}
	if math.Sqrt(tail) > 1e-4*(high-low)+1e-12*math.Abs(mean) {
		r.fail(at, "write it with sin and cos of 2*pi*x/length, or raise data.grid",
			"the coefficient is not smooth where the torus closes")
	}
	return low, high, mean
}

func (s *Solver) setSymbols(symbol [maxField][maxField][]linearTerm) {
	s.isReal = true
	for i := range s.fields {
		for j := range s.fields {
			values, zero, turns := make([]complex128, s.n), true, false
			for p := range s.n {
				values[p] = s.sum(symbol[i][j], p)
				if s.inverse[i] != nil {
					values[p] *= s.inverse[i][p]
				}
				zero, turns = zero && values[p] == 0, turns || imag(values[p]) != 0
			}
			if !zero {
				s.symbols[i][j] = values
				s.isReal = s.isReal && !turns && i == j
			}
		}
	}
}

// setParts groups the fields that the symbol couples.
func (s *Solver) setParts() {
	var first [maxField]int // the lowest field of the group
	for i := range first {
		first[i] = i
	}
	for range s.fields {
		for i := range s.fields {
			for j := range s.fields {
				if s.symbols[i][j] != nil {
					first[i], first[j] = min(first[i], first[j]), min(first[i], first[j])
				}
			}
		}
	}
	for i := range s.fields {
		if first[i] == i {
			s.parts = append(s.parts, nil)
			for j := i; j < s.fields; j++ {
				if first[j] == i {
					s.parts[len(s.parts)-1] = append(s.parts[len(s.parts)-1], j)
				}
			}
		}
	}
}

// at returns the symbol of coupled fields at a position.
func (s *Solver) at(fields []int, p int) (m matrix) {
	for i, f := range fields {
		for j, g := range fields {
			if v := s.symbols[f][g]; v != nil {
				m[i][j] = v[p]
			}
		}
	}
	return m
}

// checkOrders fails for terms beyond the reach of an explicit step: derivatives of order two and more in the rest need
// dissipation of at least that order in the symbol. Probing may supply it for second derivatives. Rates of change grow
// with the mean order around a closed path of fields that depend on each other: order one for waves.
func (s *Solver) checkOrders(symbol [maxField][maxField][]linearTerm) {
	s.quasi = make([]*product, s.fields)
	var orders [maxField][maxField]int // of field j in row i
	mass := [maxField]int{}
	for i, r := range s.System.rows {
		for _, t := range r.mass {
			mass[i] = max(mass[i], t.op.order())
		}
		for j := range s.fields {
			orders[i][j] = none
			for _, t := range symbol[i][j] {
				orders[i][j] = max(orders[i][j], t.op.order()-mass[i])
			}
			for _, q := range s.rows[i] {
				orders[i][j] = max(orders[i][j], q.op.order()+q.term.order(j)-mass[i])
			}
		}
	}
	// around returns the largest mean order of the closed paths through row i that go on from field j.
	var around func(i, j, sum, length int, seen [maxField]bool) float64
	around = func(i, j, sum, length int, seen [maxField]bool) float64 {
		if i == j {
			return float64(sum) / float64(length)
		}
		best := float64(none)
		seen[j] = true
		for next := range s.fields {
			if !seen[next] && orders[j][next] > none/2 {
				best = max(best, around(i, next, sum+orders[j][next], length+1, seen))
			}
		}
		return best
	}
	for i, r := range s.System.rows {
		dissipation := 0
		for _, t := range symbol[i][i] {
			if n := t.op.order(); n%2 == 0 && (t.c < 0) == (n%4 == 0) {
				dissipation = max(dissipation, n-mass[i])
			}
		}
		for k := range s.rows[i] {
			q := &s.rows[i][k]
			for j := range s.fields {
				n := q.op.order() + q.term.order(j) - mass[i]
				if n < 2 {
					continue
				}
				switch rate := around(i, j, n, 1, [maxField]bool{}); {
				case rate == 2 && dissipation <= 2:
					s.quasi[i] = q
				case rate > 2 && rate > float64(dissipation):
					even := n + mass[i] + n%2
					r.fail(q.term.at, fmt.Sprintf("add a linear term of order %d, as in %+d*nu*%s", even, even%4-1,
						r.field+"_"+strings.Repeat("x", even)), "this term has derivatives of order %d, the linear part dissipates with "+
						"order %d: no step is stable", n+mass[i], dissipation+mass[i])
				}
			}
		}
	}
}

// limit returns the largest retained |k| along an axis.
func (s *Solver) limit() int {
	limit := 0
	for p, h := range s.highest {
		if s.kept[p] {
			limit = max(limit, h)
		}
	}
	return limit
}

// checkGrowth fails for symbols whose growth rate increases with the wavenumber.
func (s *Solver) checkGrowth(symbol [maxField][maxField][]linearTerm) {
	limit := s.limit()
	low, high, slowest := math.Inf(-1), math.Inf(-1), math.Inf(1)
	for p, h := range s.highest {
		if !s.kept[p] {
			continue
		}
		for _, fields := range s.parts {
			g := s.growth(fields, p)
			if g < 0 {
				slowest = min(slowest, -g)
			}
			if 2*h > limit {
				high = max(high, g)
			} else {
				low = max(low, g)
			}
		}
	}
	if high > 1e-9 && high > 1.2*max(low, 0) {
		for i, r := range s.System.rows {
			order, at := -1, 0
			for j := range s.fields {
				for _, t := range symbol[i][j] {
					n := t.op.order()
					if n > order && n > 0 && (i != j || n%2 == 0 && (t.c > 0) == (n%4 == 0)) {
						order, at = n, t.at
					}
				}
			}
			if order > 0 {
				r.fail(at, "change its sign, or add damping of higher order that the grid reaches",
					"short waves grow without bound (e^%.2gt at the grid's shortest): the equation is ill-posed", high)
			}
		}
		s.System.rows[0].fail(0, "change a sign", "short waves grow without bound: the equation is ill-posed")
	}
	s.lasts = max(low, high) > 0 || math.IsInf(slowest, 1) || s.fields > 1 || s.isForced()
	if !s.lasts {
		s.ahead = maxDecay / (normShare * slowest)
	}
}

// growth returns the growth rate of coupled fields at a position: the largest real part of an eigenvalue.
func (s *Solver) growth(fields []int, p int) float64 {
	m, size := s.at(fields, p), len(fields)
	norm := m.norm(size)
	if size == 1 || norm == 0 {
		return real(m[0][0])
	}
	twice, growth := mat.NewDense(2*size, 2*size, nil), math.Inf(-1) // as a real matrix, with the conjugate eigenvalues
	for i := range size {
		for j := range size {
			re, im := real(m[i][j]), imag(m[i][j])
			twice.Set(i, j, re)
			twice.Set(size+i, size+j, re)
			twice.Set(i, size+j, -im)
			twice.Set(size+i, j, im)
		}
	}
	var e mat.Eigen
	if !grid.Finite(norm) || !e.Factorize(twice, mat.EigenNone) {
		return norm
	}
	for _, v := range e.Values(nil) {
		growth = max(growth, real(v))
	}
	return growth - 1e-12*norm
}
