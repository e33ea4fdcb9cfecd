// This file checks equations on domains with sides, and prepares their draws.

package equation

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grf"
)

// setEnds checks an equation on a domain with sides and prepares its draws. It fails at what is not solved there.
func (s *evolution) setEnds() {
	s.checkConditions()
	s.checkValues()
	s.checkCorners()
	s.checkSigns()
	s.setDraws()
	s.setInterpolations()
	if whole, fields, ok := s.fold(); ok {
		folded := s.newFolded(whole, fields)
		if folded.err == nil {
			s.folded = folded
			s.input = fields[0]
			folded.input = s.input
			return
		}
	}
	s.checkRest()
	s.limit = s.Points
	s.setTests()
}

// newFolded prepares the periodic problem of which this one is a part. It is solved between the sides, unless its diffusion
// depends on the solution: that is probed by waves that are neither even nor odd.
func (s *evolution) newFolded(whole Problem, fields []parities) *evolution {
	if s.hasQuasilinearTerms() {
		return newSolver(whole)
	}
	folded := newReflected(whole, &reflection{fields: fields})
	if folded.isQuasilinear() {
		return newSolver(whole)
	}
	return folded
}

// setDraws has inputs satisfy the conditions of the first field without their values. Inputs of steady states are
// coefficients and forces, which nothing holds.
func (s *evolution) setDraws() {
	measure := grf.Measure{
		Tau:   s.Input.Tau,
		Alpha: s.Input.Alpha,
		Scale: s.Input.Scale,
	}
	var near, far [2]grf.End
	for axis := range s.domain.Dims {
		near[axis], far[axis] = s.ends(axis)
	}
	if s.domain.Dims == 1 {
		s.draws = measure.Between(near[0], far[0], s.Points)
	} else {
		s.draws = measure.BetweenOnSquare(near, far, s.Points)
	}
}

// setInterpolations prepares the interpolation of inputs for all workers.
func (s *evolution) setInterpolations() {
	for axis := range s.domain.Dims {
		near, far := s.ends(axis)
		s.fromGrid[axis] = grf.NewInterpolation(near, far, s.Points)
	}
}

// checkRest fails at terms that are not solved between sides.
func (s *evolution) checkRest() {
	orders := s.orders()
	for i := range s.rows[:len(s.Fields)] {
		s.setQuasiOrder(i)
		r := &s.rows[i]
		hasMass := r.mass != nil
		r.failIf(hasMass && s.domain.Dims == 2, 0, "solve the equation for u_t",
			"operators on u_t are for the interval and for periodic fields")
		for _, t := range r.linear {
			r.checkInverse(t.op, t.at)
		}
		for _, q := range r.rest {
			r.checkInverse(q.op, q.term.at)
			for _, f := range q.term.factors {
				r.checkInverse(f.op, q.term.at)
			}
			_, isLinear := s.linearFactor(q)
			isInMatrix := isLinear && s.domain.Dims == 1
			if !isInMatrix {
				s.checkOrder(i, q, &orders)
			}
		}
	}
}

// checkInverse fails if the operator is an inverse Laplacian, which between sides would need conditions of its own.
func (r *row) checkInverse(o operator, at int) {
	r.failIf(o.inv > 0, at, "leave out the conditions, and it is periodic", "ilap is for periodic fields")
}

// setQuasiOrder sets the order of terms that are no multiples of a derivative of the field and are damped by what moves from them to the
// linear part: the highest one, if it is two, or four on the interval.
func (s *evolution) setQuasiOrder(i int) {
	r := &s.rows[i]
	order := 0
	for _, q := range r.rest {
		_, isLinear := s.linearFactor(q)
		isInMatrix := isLinear && s.domain.Dims == 1
		if !isInMatrix {
			order = max(order, q.op.order()+q.term.order(i))
		}
	}
	isSolved := order == 2 || order == 4 && s.domain.Dims == 1
	if isSolved && order >= s.damping(i) {
		r.quasiOrder = order
	}
}

// checkOrder fails if a term of row i has derivatives that explicit steps cannot take, because the linear part of the row
// damps short waves less. Second derivatives of its own field are left to shift.go.
func (s *evolution) checkOrder(i int, q product, orders *termOrders) {
	r := &s.rows[i]
	damping := s.damping(i)
	for j, name := range s.Fields {
		order := q.op.order() + q.term.order(j)
		if order < 2 || order < damping || order < r.quasiOrder {
			continue
		}
		isOwn := i == j
		isDampedTogether := !isOwn && orders.around(i, j, order, 1, [maxField]bool{}) < 2 // by fields that depend on each other
		if isDampedTogether {
			continue
		}
		remedy := fmt.Sprintf("add a linear term of order %d that damps", order+order%2)
		isShifted := isOwn && order == r.quasiOrder // see shift.go
		r.failIf(!isShifted, q.term.at, remedy,
			"this term has derivatives of order %d of %s, more than the linear part damps", order, name)
		r.quasi = r.column(q.term.at)
	}
}

// massSign returns the sign of the operator on the rate of a field for short waves: -1 in u_xxt = ..., 1 in u_t = ...
func (s *evolution) massSign(field int) float64 {
	order := 0
	sign := 1.0
	for _, t := range s.rows[field].mass {
		isEven := t.op.order()%2 == 0
		if t.field != field || !isEven || t.op.order() < order {
			continue
		}
		order = t.op.order()
		sign = math.Copysign(1, t.c)
		if order%4 == 2 { // the second derivative of a wave is a negative multiple of it
			sign = -sign
		}
	}
	return sign
}

// checkSigns refuses linear terms of the highest order that feed short waves.
func (s *evolution) checkSigns() {
	for i := range s.Fields {
		r := &s.rows[i]
		order := max(s.derivatives(i, 0), s.derivatives(i, 1))
		sign := s.massSign(i)
		for _, t := range r.linear {
			isLeading := t.field == i && t.op.order() == order && order%2 == 0 && order > 0
			t.c *= sign
			if isLeading && !t.damps() {
				r.fail(t.at, "change its sign", "short waves grow without bound: the equation is ill-posed")
			}
		}
	}
}

// setTests chooses what the equation is tested against: the modes, or else polynomials of low degree if the linear part then
// does not grow, as with u = 0 and u_x + v = 0 at one end. Modes of such conditions grow because they exchange the fluxes of
// the fields. It refuses equations whose linear part grows fast in both ways, the faster the more functions there are. That
// is no property of the equation: its conditions do not suit its sign.
func (s *evolution) setTests() {
	rate := s.unboundedGrowth()
	if rate == 0 {
		return
	}
	s.tau = true
	if s.unboundedGrowth() == 0 {
		return
	}
	failKey("equation.left",
		fmt.Sprintf("and equation.right with this equation grow without bound, the faster the finer (e^%.2gt; %s)",
			rate, s.conditionTexts()),
		"check which end each condition belongs to, and the sign of the highest derivative")
}

// unboundedGrowth returns how fast the linear part grows if that is fast, and the faster the more functions there are; else 0.
func (s *evolution) unboundedGrowth() float64 {
	few := newSpace(s, spaceSizes(s.domain.Dims)[0])
	if few.matrix == nil {
		return 0
	}
	rate := growthRate(few.matrix)
	growsSoon := rate > 1 && rate*s.Time > 1
	if !growsSoon {
		return 0
	}
	finer := newSpace(s, 3*few.axes[0].n/2)
	rateOfFiner := growthRate(finer.matrix)
	if rateOfFiner > 1.5*rate {
		return rateOfFiner
	}
	return 0
}

// growthRate returns the largest real part of an eigenvalue; 0 if the eigenvalues are not found.
func growthRate(m *mat.Dense) float64 {
	var e mat.Eigen
	if !e.Factorize(m, mat.EigenNone) {
		return 0
	}
	largest := math.Inf(-1)
	for _, v := range e.Values(nil) {
		largest = math.Max(largest, real(v))
	}
	return largest
}
