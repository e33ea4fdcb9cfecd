// This file discretises a system: its symbol on the modes, and its coefficients at the points.

package equation

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"rfm/solver/base/draw"
	"rfm/solver/num/fft"
	"rfm/solver/num/phi"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// evolution is the operator of a problem: its system on one grid. It is immutable; goroutines need their own workers.
type evolution struct {
	Problem
	err         error
	Fields      []string // those with an equation, in the order of the text
	Coefficient string   // the parameter that is the input, a field that does not change; empty: none
	rows        []row    // of the fields, then the coefficient, then time
	scope       scope    // of initial values
	values      []poly   // initial values of the fields with an equation
	output      int      // field
	draws       grf.Draws
	domain      grid.Domain
	n           int // distinct points
	transform   *fft.Plan
	waves       [][2]float64 // wavenumbers by position of a spectrum, in radians a length
	highest     []int        // the larger |k| along an axis
	mirror      []int        // the position of -k for that of k
	points      [][2]float64
	shares      []float64 // weights of norm and tail, the highest fifth of the modes retained, in Transform.Estimate
	limit       int       // the largest retained |k| along an axis
	tail        float64
	given       map[string][]float64 // x, y and coefficients
	parts       [][]int              // fields that the symbol couples
	isReal      bool                 // whether the symbol is diagonal and real
	centred     bool                 // whether a slope of the rest moved to the symbol
	conditions  []condition          // on the sides; none: periodic
	space       *space               // the modes between the sides; nil: periodic
	folded      *evolution           // the periodic equation of whose solutions those between sides are parts; nil: none
	input       [2]parity            // of inputs of the folded equation, along the axes
	clock       bool                 // whether time is a field
	lasts       bool                 // whether errors do not decay: a mode grows, is forced or does not decay
	ahead       float64              // time over which the damping of one field counts; 0 for several
	exact       bool                 // a linear equation with constant coefficients: one step
	maxSteps    int
	unexplained bool // whether the reason for the end of a solution does not matter
}

// discretise sets up the system on the grid. It fails at a term unsolvable on any or this grid.
func (s *evolution) discretise() {
	s.maxSteps, s.exact, s.isReal = maxSteps, true, true
	degree := 0.0
	for _, r := range s.rows {
		for _, q := range r.rest {
			degree = max(degree, q.term.degree())
		}
	}
	s.tail = tailLimit
	if degree <= 1 {
		s.tail = linearTail
	}
	part := 2 // products of two fields on the square have no aliases below a third
	if s.domain.Dims == 2 && degree == 2 {
		part = 3
	}
	s.setGrid(part)
	for i := range s.rows {
		r := &s.rows[i]
		s.setInverse(r)
		s.simplify(r)
		if s.beginsWithInput(i) {
			s.centre(r, i)
		}
		s.setSymbols(r, i)
		s.exact = s.exact && len(r.rest) == 0 && r.constant == nil
	}
	s.checkOrders()
	s.checkGrowth()
}

func (s *evolution) setGrid(part int) {
	N := s.Points - 1
	s.transform = fft.On(N*(s.domain.Dims-1), N)
	s.mirror, s.n, s.limit = s.transform.Mirror(), s.transform.N(), (N-1)/part
	x, y := make([]float64, block*s.n), make([]float64, block*s.n)
	s.given = map[string][]float64{"x": x, "y": y}
	for p, k := range s.transform.Frequencies() {
		var point, wave [2]float64
		for axis, i := range [2]int{p / (s.n / N), p % (s.n / N)} {
			point[axis] = float64(i) / float64(N) * s.Length
			wave[axis] = 2 * math.Pi * float64(k[axis]) / s.Length
		}
		h := max(k[0], -k[0], k[1], -k[1])
		s.points, s.waves, s.highest = append(s.points, point), append(s.waves, wave), append(s.highest, h)
		s.shares = append(s.shares, 0, 1, 0, 0)
		if 5*part*h > 4*N {
			s.shares[4*p+2] = 1
		}
		for i := block * p; i < block*p+block; i++ {
			x[i], y[i] = point[0], point[1]
		}
	}
}

// setInverse inverts the operator on the rate. The mean is not in the range of a Laplacian and stays.
func (s *evolution) setInverse(r *row) {
	if r.mass == nil {
		return
	}
	r.inverse = make([]complex128, s.n)
	for p := range s.n {
		v, size := complex(0, 0), 0.0
		for _, t := range r.mass {
			symbol := complex(t.c, 0) * t.op.symbol(s.waves[p])
			v, size = v+symbol, size+cmplx.Abs(symbol)
		}
		switch {
		case s.highest[p] > s.limit:
		case cmplx.Abs(v) > 1e-12*size:
			r.inverse[p] = 1 / v
		case s.highest[p] > 0:
			r.fail(r.mass[len(r.mass)-1].at, "change a coefficient or equation.length",
				"the operator on %s_t vanishes for the wavenumber %.4g", r.field, s.waves[p][:s.domain.Dims])
		}
	}
}

// symbol returns a number times the symbol of an operator, times another symbol unless it is nil, on the retained
// modes: the Nyquist mode of odd derivatives would make real functions complex.
func (s *evolution) symbol(o operator, scale complex128, inverse []complex128) []float64 {
	symbol := make([]float64, 2*s.n)
	for p, k := range s.waves {
		if s.highest[p] <= s.limit {
			v := o.symbol(k) * scale
			if inverse != nil {
				v *= inverse[p]
			}
			symbol[2*p], symbol[2*p+1] = real(v), imag(v)
		}
	}
	return symbol
}

// simplify merges coefficients in x of equal terms and moves their means to the linear part; terms without fields
// become constants.
func (s *evolution) simplify(r *row) {
	var terms []product // without the factors in x
	var coefficients []poly
	for _, q := range r.rest {
		t, g := q.term.split()
		j := slices.IndexFunc(terms, func(p product) bool { return p.op == q.op && p.term.key == t.key })
		if j < 0 {
			j, terms, coefficients = len(terms), append(terms, product{q.op, t}), append(coefficients, nil)
		}
		coefficients[j] = coefficients[j].plus(poly{g})
	}
	c := s.newPlan()
	r.rest = nil
	for j, q := range terms {
		if v, ok := coefficients[j].constant(); ok && (v == 0 || len(q.term.factors) > 0) {
			if q.term.c = v; v != 0 {
				r.rest = append(r.rest, q)
			}
			continue
		}
		values := c.givenBlock(coefficients[j])
		at := q.term.at
		for _, t := range coefficients[j] {
			if len(t.factors) > 0 { // not a constant that was merged with it
				at = t.at
			}
		}
		low, high, mean := s.checkCoefficient(r, at, values)
		if len(q.term.factors) == 0 { // a force
			s.transform.Forward(values)
			s.transform.Multiply(values, values, s.symbol(q.op, complex(0, -1/float64(s.n)), r.inverse))
			r.constant = add(r.constant, values)
			continue
		}
		if f := q.term.only(); f.kind == fieldAtom {
			if (q.op.order()+f.op.order())%2 == 0 {
				mean = (low + high) / 2 // the rate of the rest is at most that of the symbol if the coefficient has one sign
			}
			r.varies = true
			r.linear = append(r.linear, linearTerm{mean, f.index, q.op.after(f.op), q.term.at})
			for p := range values {
				values[p] -= mean
			}
		}
		key := fmt.Sprint("!", len(s.given)) // before all others: products share it first
		s.given[key] = values
		q.term = single(&atom{kind: givenAtom, key: key}, q.term.at)[0].times(q.term)
		r.rest = append(r.rest, q)
	}
}

// centre moves the mean slope of the rest, such as that of -u^3, from the rest to the linear part if it damps, which
// lengthens steps. The mean is over the first inputs, with which the field begins.
func (s *evolution) centre(r *row, field int) {
	slopes, a := map[operator]float64{}, grid.NewBatch(s.domain, s.Points, block)
	for _, q := range r.rest {
		f := q.term.factors[0]
		if len(q.term.factors) > 1 || f.kind != fieldAtom || f.op != (operator{}) || f.index != field {
			continue
		}
		s.draws.Draw(a, s.Seed, draw.InputTrain, 0)
		for _, v := range a.Data {
			slopes[q.op] += q.term.c * float64(f.power) * math.Pow(v, float64(f.power-1)) / float64(len(a.Data))
		}
	}
	for _, q := range slices.Clone(r.rest) {
		t := linearTerm{slopes[q.op], field, q.op, q.term.at}
		if delete(slopes, q.op); t.c != 0 && t.damps() {
			s.centred, r.linear = true, append(r.linear, t)
			r.rest = append(r.rest, product{t.op, single(&atom{kind: fieldAtom, index: field}, t.at).times(-t.c)[0]})
		}
	}
}

// checkCoefficient fails for coefficients that are not finite, or that the grid does not resolve.
func (s *evolution) checkCoefficient(r *row, at int, values []float64) (low, high, mean float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for p := range s.n {
		v := values[block*p]
		r.failIf(!grid.Finite(v), at, "", "the coefficient is %g at %s", v, s.place(p))
		low = min(low, v)
		high = max(high, v)
		mean += v / float64(s.n)
	}
	b, sums := slices.Clone(values), [4][fft.Lanes]float64{}
	s.transform.Forward(b)
	s.transform.Estimate(&sums, s.shares, b, b, b, nil, nil)
	tail := math.Sqrt(sums[2][0]) / float64(s.n)
	if tail > 1e-4*(high-low)+1e-12*math.Abs(mean) {
		worst := s.roughest(b)
		if s.closes(worst) {
			r.fail(at, "write it with sin and cos of 2*pi*x/length, or raise data.grid",
				"the coefficient is not smooth where the torus closes")
		}
		r.fail(at, fmt.Sprintf("if it is smooth there, raise data.grid to %d, else replace the kink or jump by a smooth "+
			"function such as sqrt(z^2 + 0.01) for abs(z), tanh(z/0.05) for a step", 2*(s.Points-1)+1),
			"the coefficient changes too sharply for the grid near %s", s.place(worst))
	}
	return low, high, mean
}

// roughest returns the position at which the highest fifth of the modes of a spectrum, of one function in all lanes, is
// largest. The spectrum is lost.
func (s *evolution) roughest(b []float64) int {
	highest := make([]float64, 2*s.n)
	for p := range s.n {
		highest[2*p] = s.shares[4*p+2]
	}
	s.transform.InverseOf(b, b, highest)
	worst := 0
	for p := range s.n {
		if math.Abs(b[block*p]) > math.Abs(b[block*worst]) {
			worst = p
		}
	}
	return worst
}

// closes reports whether a position is within two cells of where the torus closes.
func (s *evolution) closes(position int) bool {
	edge := 2.5 * s.Length / float64(s.Points-1)
	for axis := range s.domain.Dims {
		x := s.points[position][axis]
		if x < edge || x > s.Length-edge {
			return true
		}
	}
	return false
}

// place returns the coordinates of a position.
func (s *evolution) place(position int) string {
	x := s.points[position]
	if s.domain.Dims == 2 {
		return fmt.Sprintf("x=%.3g, y=%.3g", x[0], x[1])
	}
	return fmt.Sprintf("x=%.3g", x[0])
}

// setSymbols sets the symbols of row i, and joins the fields that it couples to field i.
func (s *evolution) setSymbols(r *row, i int) {
	for _, t := range r.linear {
		r.symbol[t.field] = add(r.symbol[t.field], s.symbol(t.op, complex(t.c, 0), r.inverse))
	}
	for j, symbol := range r.symbol {
		for p := 1; p < len(symbol); p += 2 {
			s.isReal = s.isReal && i == j && symbol[p] == 0
		}
	}
	joined, others := []int{i}, [][]int(nil)
	for _, part := range s.parts {
		if slices.ContainsFunc(part, func(j int) bool { return r.symbol[j] != nil || s.rows[j].symbol[i] != nil }) {
			joined = append(joined, part...)
		} else {
			others = append(others, part)
		}
	}
	slices.Sort(joined)
	s.parts = append(others, joined)
}

// at writes the symbol of coupled fields at a position to m.
func (s *evolution) at(m *phi.Matrix, fields []int, p int) {
	for i, f := range fields {
		for j, g := range fields {
			m[i][j] = 0
			if v := s.rows[f].symbol[g]; v != nil {
				m[i][j] = complex(v[2*p], v[2*p+1])
			}
		}
	}
}
