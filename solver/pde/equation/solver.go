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
	n           int // points
	samples     int // distinct points of the torus, by which transforms of values multiply
	transform   *fft.Plan
	waves       [][2]float64 // wavenumbers by position of a spectrum, in radians a length
	highest     []int        // the larger |k| along an axis
	mirror      []int        // the position of -k for that of k
	partner     []int        // see setPartners; nil on the interval
	points      [][2]float64
	shares      []float64 // weights of norm and tail, the highest fifth of the modes retained, in Transform.Estimate
	limit       int       // the largest retained |k| along an axis
	tail        float64
	given       map[string][]float64  // x, y and coefficients
	parts       [][]int               // fields that the symbol couples
	isReal      bool                  // whether the symbol is diagonal and real
	centred     bool                  // whether a slope of the rest moved to the symbol
	conditions  []condition           // on the sides; none: periodic
	fromGrid    [2]*grf.Interpolation // of inputs between the sides, along the axes
	space       *space                // the modes between the sides; nil: periodic
	tau         bool                  // whether the equation is tested against polynomials of low degree in place of the modes
	folded      *evolution            // the periodic equation of whose solutions those between sides are parts; nil: none
	reflected   *reflection           // of the fields of a folded equation, which is solved between the sides; nil: none
	input       parities              // of inputs of the folded equation
	clock       bool                  // whether time is a field
	lasts       bool                  // whether errors do not decay: a mode grows, is forced or does not decay
	ahead       float64               // time over which the damping of one field counts; 0 for several
	exact       bool                  // a linear equation with constant coefficients: one step
	maxSteps    int
	budget      *Budget // of a trial; nil: no limit
	unexplained bool    // whether the reason for the end of a solution does not matter
}

// discretise sets up the system on the grid. It fails at a term unsolvable on any or this grid.
func (s *evolution) discretise() {
	s.exact = true
	s.isReal = true
	degree := s.degree()
	s.tail = tailLimit
	if degree <= 1 {
		s.tail = linearTail
	}
	part := 2
	if s.domain.Dims == 2 && degree == 2 {
		part = 3 // products of two fields have no aliases below a third of the cells
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
	s.setPartners()
	s.checkOrders()
	s.checkGrowth()
}

// newBlock returns zeros at the points for a block of functions, n x block.
func (s *evolution) newBlock() []float64 { return make([]float64, block*s.n) }

// degree returns the highest degree of a term of the rest in the fields.
func (s *evolution) degree() float64 {
	degree := 0.0
	for _, r := range s.rows {
		for _, q := range r.rest {
			degree = max(degree, q.term.degree())
		}
	}
	return degree
}

// setGrid sets points and modes, and retains wavenumbers below that part of the cells along an axis.
func (s *evolution) setGrid(part int) {
	cells := s.Points - 1 // along an axis
	frequencies := s.setModes(cells)
	s.n = s.transform.N()
	s.samples = s.domain.Values(cells)
	s.limit = (cells - 1) / part
	x := s.newBlock()
	y := s.newBlock()
	s.given = map[string][]float64{"x": x, "y": y}
	columns := s.n / s.pointsAlong(cells)
	for p, k := range frequencies {
		index := [2]int{p / columns, p % columns}
		var point, wave [2]float64
		for axis, i := range index {
			point[axis] = float64(i) / float64(cells) * s.Length
			wave[axis] = 2 * math.Pi * float64(k[axis]) / s.Length
		}
		highest := max(k[0], -k[0], k[1], -k[1])
		isTail := 5*part*highest > 4*cells
		s.points = append(s.points, point)
		s.waves = append(s.waves, wave)
		s.highest = append(s.highest, highest)
		s.shares = append(s.shares, shareOf(isTail)...)
		for i := block * p; i < block*(p+1); i++ {
			x[i] = point[0]
			y[i] = point[1]
		}
	}
}

// setModes sets the transform on so many cells along an axis of the torus, and returns the wavenumbers of its positions.
func (s *evolution) setModes(cells int) (frequencies [][2]int) {
	if s.reflected != nil {
		return s.setReflectedModes(cells)
	}
	s.transform = fft.On(cells*(s.domain.Dims-1), cells)
	s.mirror = s.transform.Mirror()
	return s.transform.Frequencies()
}

// pointsAlong returns the points along an axis of the torus of so many cells, as far as they are between the sides.
func (s *evolution) pointsAlong(cells int) int {
	if s.reflected != nil {
		return s.reflected.points()
	}
	return cells
}

// shareOf returns the weights of a mode in Transform.Estimate with which its second sum is the square of the norm, and its
// third that of the tail.
func shareOf(isTail bool) []float64 {
	weights := []float64{0, 1, 0, 0}
	if isTail {
		weights[2] = 1
	}
	return weights
}

// setInverse inverts the operator on the rate. The mean is not in the range of a Laplacian and stays.
func (s *evolution) setInverse(r *row) {
	if r.mass == nil {
		return
	}
	r.inverse = make([]complex128, s.n)
	for p := range s.n {
		sum := complex(0, 0)
		size := 0.0
		for _, t := range r.mass {
			symbol := complex(t.c, 0) * t.op.symbol(s.waves[p])
			sum += symbol
			size += cmplx.Abs(symbol)
		}
		switch {
		case s.highest[p] > s.limit:
		case cmplx.Abs(sum) > 1e-12*size:
			r.inverse[p] = 1 / sum
		case s.highest[p] > 0:
			last := r.mass[len(r.mass)-1]
			r.fail(last.at, "change a coefficient or equation.length",
				"the operator on %s_t vanishes for the wavenumber %.4g", r.field, s.waves[p][:s.domain.Dims])
		}
	}
}

// symbol returns a number times the symbol of an operator, times another symbol unless it is nil, on the retained
// modes: the Nyquist mode of odd derivatives would make real functions complex.
func (s *evolution) symbol(o operator, scale complex128, inverse []complex128) []float64 {
	symbol := make([]float64, 2*s.n)
	for p, k := range s.waves {
		if s.highest[p] > s.limit {
			continue
		}
		v := o.symbol(k) * scale
		if inverse != nil {
			v *= inverse[p]
		}
		symbol[2*p] = real(v)
		symbol[2*p+1] = imag(v)
	}
	return symbol
}

// weighted is a product without its factors in x, which are in the coefficient.
type weighted struct {
	product
	coefficient poly
}

// at returns where the coefficient stands in the text: at its last factor in x, or else at the term, because a constant
// may have been merged with it.
func (q weighted) at() int {
	at := q.term.at
	for _, t := range q.coefficient {
		if len(t.factors) > 0 {
			at = t.at
		}
	}
	return at
}

// merged takes the factors in x out of products, and adds those of equal terms.
func merged(products []product) []weighted {
	var terms []weighted
	for _, q := range products {
		t, factors := q.term.split()
		j := slices.IndexFunc(terms, func(other weighted) bool {
			return other.op == q.op && other.term.key == t.key
		})
		if j < 0 {
			j = len(terms)
			terms = append(terms, weighted{product: product{op: q.op, term: t}})
		}
		terms[j].coefficient = terms[j].coefficient.plus(poly{factors})
	}
	return terms
}

// simplify merges coefficients in x of equal terms and moves their means to the linear part; terms without fields
// become constants.
func (s *evolution) simplify(r *row) {
	terms := merged(r.rest)
	c := s.newPlan()
	r.rest = nil
	for _, q := range terms {
		isForce := len(q.term.factors) == 0
		number, isNumber := q.coefficient.constant()
		if isNumber && (number == 0 || !isForce) {
			q.term.c = number
			if number != 0 {
				r.rest = append(r.rest, q.product)
			}
			continue
		}
		values := c.givenBlock(q.coefficient)
		low, high, mean := s.checkCoefficient(r, q.at(), values)
		if isForce {
			constants := s.paritiesOfConstants()
			symbol := s.symbol(q.op, complex(0, -1/float64(s.samples)), r.inverse)
			s.forward(values, constants)
			s.transform.Multiply(values, values, s.fromValues(symbol, constants))
			r.constant = add(r.constant, values)
			continue
		}
		f := q.term.only()
		isLinear := f.kind == fieldAtom
		if isLinear {
			isEven := (q.op.order()+f.op.order())%2 == 0
			if isEven {
				mean = (low + high) / 2 // the rate of the rest is at most that of the symbol if the coefficient has one sign
			}
			r.varies = true
			r.linear = append(r.linear, linearTerm{
				c:     mean,
				field: f.index,
				op:    q.op.after(f.op),
				at:    q.term.at,
			})
			for p := range values {
				values[p] -= mean
			}
		}
		q.term = s.coefficient(values, q.term.at).times(q.term)
		r.rest = append(r.rest, q.product)
	}
}

// coefficient returns a term that has given values at the points, a block. Its key is before all others, so that products
// share it first.
func (s *evolution) coefficient(values []float64, at int) term {
	key := fmt.Sprint("!", len(s.given))
	s.given[key] = values
	return single(&atom{kind: givenAtom, key: key}, at)[0]
}

// centre moves the mean slope of the rest, such as that of -u^3, from the rest to the linear part if it damps, which
// lengthens steps. The mean is over the first inputs, with which the field begins.
func (s *evolution) centre(r *row, field int) {
	slopes := s.meanSlopes(r, field)
	for _, q := range slices.Clone(r.rest) {
		t := linearTerm{
			c:     slopes[q.op],
			field: field,
			op:    q.op,
			at:    q.term.at,
		}
		delete(slopes, q.op) // because one term takes the slope of all with its operator
		if t.c == 0 || !t.damps() {
			continue
		}
		s.centred = true
		r.linear = append(r.linear, t)
		subtracted := derivativeOf(field, operator{}, t.at).times(-t.c)[0]
		r.rest = append(r.rest, product{op: t.op, term: subtracted})
	}
}

// meanSlopes returns the means over the first inputs of the derivatives of powers of a field in the rest, by the operator on
// them.
func (s *evolution) meanSlopes(r *row, field int) map[operator]float64 {
	slopes := map[operator]float64{}
	inputs := grid.NewBatch(s.domain, s.Points, block)
	for _, q := range r.rest {
		f := q.term.factors[0]
		isField := f.kind == fieldAtom && f.op == (operator{}) && f.index == field
		if len(q.term.factors) > 1 || !isField {
			continue
		}
		s.draws.Draw(inputs, s.Seed, draw.InputTrain, 0)
		power := float64(f.power)
		for _, v := range inputs.Data {
			slope := q.term.c * power * math.Pow(v, power-1)
			slopes[q.op] += slope / float64(len(inputs.Data))
		}
	}
	return slopes
}

// checkCoefficient fails for coefficients that are not finite, or that the grid does not resolve.
func (s *evolution) checkCoefficient(r *row, at int, values []float64) (low, high, mean float64) {
	low = math.Inf(1)
	high = math.Inf(-1)
	for p := range s.n {
		v := values[block*p]
		r.failIf(!grid.Finite(v), at, "", "the coefficient is %g at %s", v, s.place(p))
		low = min(low, v)
		high = max(high, v)
		mean += v / float64(s.n)
	}
	spectrum := slices.Clone(values)
	s.forward(spectrum, s.paritiesOfConstants())
	var sums fft.Sums
	s.transform.Squares(&sums, s.shares, spectrum)
	tail := math.Sqrt(sums[2][0]) / float64(s.samples)
	tolerance := 1e-4*(high-low) + 1e-12*math.Abs(mean)
	if tail > tolerance {
		s.failUnresolved(r, at, spectrum)
	}
	return low, high, mean
}

// failUnresolved fails because of a coefficient that the grid does not resolve. Its spectrum is lost.
func (s *evolution) failUnresolved(r *row, at int, spectrum []float64) {
	worst := s.roughest(spectrum)
	if s.closes(worst) {
		r.fail(at, "write it with sin and cos of 2*pi*x/length (or set equation.length = 2*pi for sin(x)), raise data.grid, or give "+
			"conditions at both ends, as in equation.left = \"u = 0\": then it need not close",
			"the coefficient is not smooth where the torus closes")
	}
	finer := 2*(s.Points-1) + 1
	remedy := fmt.Sprintf("if it is smooth there, raise data.grid to %d, else replace the kink or jump by a smooth "+
		"function such as sqrt(z^2 + 0.01) for abs(z), tanh(z/0.05) for a step", finer)
	r.fail(at, remedy, "the coefficient changes too sharply for the grid near %s", s.place(worst))
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
	return s.coordinates(s.points[position])
}

// coordinates returns the coordinates of a point as text.
func (s *evolution) coordinates(x [2]float64) string {
	if s.domain.Dims == 2 {
		return fmt.Sprintf("x=%.3g, y=%.3g", x[0], x[1])
	}
	return fmt.Sprintf("x=%.3g", x[0])
}

// setSymbols sets the symbols of row i, and joins the fields that it couples to field i.
func (s *evolution) setSymbols(r *row, i int) {
	for _, t := range r.linear {
		symbol := s.symbol(t.op, complex(t.c, 0), r.inverse)
		r.symbol[t.field] = add(r.symbol[t.field], symbol)
	}
	for j, symbol := range r.symbol {
		for p := 1; p < len(symbol); p += 2 {
			s.isReal = s.isReal && i == j && symbol[p] == 0
		}
	}
	isCoupled := func(j int) bool {
		return r.symbol[j] != nil || s.rows[j].symbol[i] != nil
	}
	joined := []int{i}
	var others [][]int
	for _, part := range s.parts {
		if slices.ContainsFunc(part, isCoupled) {
			joined = append(joined, part...)
		} else {
			others = append(others, part)
		}
	}
	slices.Sort(joined)
	s.parts = append(others, joined)
}

// setPartners finds, for the positions of wavenumbers on the square that are before their mirrors, the position of the wavenumber
// with its components exchanged, or of the mirror of that. The symbols of both are one, or else a position is its own partner.
func (s *evolution) setPartners() {
	if s.domain.Dims < 2 {
		return
	}
	along := s.pointsAlong(s.Points - 1)
	s.partner = make([]int, s.n)
	for p := range s.waves {
		s.partner[p] = p
		other := p%along*along + p/along // both axes have the same wavenumbers in the same order
		other = min(other, s.mirror[other])
		if s.haveOneSymbol(p, other) {
			s.partner[p] = other
		}
	}
}

// haveOneSymbol reports whether the symbols of all fields are equal at two positions.
func (s *evolution) haveOneSymbol(p, q int) bool {
	for i := range s.rows {
		for _, symbol := range s.rows[i].symbol {
			if symbol != nil && (symbol[2*p] != symbol[2*q] || symbol[2*p+1] != symbol[2*q+1]) {
				return false
			}
		}
	}
	return true
}

// at writes the symbol of coupled fields at a position to m.
func (s *evolution) at(m *phi.Matrix, fields []int, p int) {
	for i, row := range fields {
		for j, column := range fields {
			m[i][j] = 0
			symbol := s.rows[row].symbol[column]
			if symbol != nil {
				m[i][j] = complex(symbol[2*p], symbol[2*p+1])
			}
		}
	}
}
