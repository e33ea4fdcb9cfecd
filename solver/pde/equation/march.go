// This file takes time steps on the modes of space, by the exponential scheme of tables.go.

package equation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// restSum is an operator on a sum of terms in the rest of a field.
type restSum struct {
	operatorSum
	field  int
	values []float64 // of the sum at the points, as a block
}

// stepper advances one block of trajectories.
type stepper struct {
	*space
	plan        *plan
	sums        []restSum
	coefficient []float64 // coordinates of the coefficient that is drawn
	reactions   []float64 // by field: the slope of the reactions that moved from the rest to the linear part; nil: 0
	shift       []float64 // by row of the state: all that moved there; nil: nothing
	tables      map[float64]*stepTables
	phis        phiLadder // of the matrix
	diffusion   []diffusivity
	floors      [block]float64 // see setFloors
	rates       []float64      // by row of the state: how fast the linear part damps it; 0 if that is not known
	weights     []float64      // the same: of squares of errors, see estimate
	ones        []float64      // the same: 1
	turns       bool           // whether modes turn, or the rest depends on time: the bend of the rest counts

	// size x block
	rest     []float64 // F + N at the solution
	restA    []float64 // at the stages a, b and c
	restB    []float64
	restC    []float64
	next     []float64 // the candidate
	nextRest []float64 // F + N there
	error    []float64 // its estimated error
	stage    []float64 // scratch
	base     []float64 // scratch
	highest  []float64 // scratch of topOf

	joined struct{ tables, blocks [][]float64 } // scratch of join

	constant *factoredSystem // of Newton's method where the derivative is the same at all functions; nil: not known yet
}

// newStepper plans the rest of an equation and allocates the memory of a step.
func newStepper(p *space) *stepper {
	s := &stepper{
		space:    p,
		plan:     p.newPlan(),
		tables:   map[float64]*stepTables{},
		phis:     phiLadder{},
		rest:     p.newState(),
		restA:    p.newState(),
		restB:    p.newState(),
		restC:    p.newState(),
		next:     p.newState(),
		nextRest: p.newState(),
		base:     p.newState(),
		stage:    p.newState(),
		error:    p.newState(),
	}
	if p.Coefficient != "" {
		s.coefficient = p.newBlock()
	}
	for f := range p.explicit {
		s.addSums(f)
	}
	s.setDiffusion()
	s.setRates()
	s.turns = p.clock || !p.static || p.matrix != nil
	for _, part := range p.parts {
		s.turns = s.turns || len(part.fields) > 1
	}
	return s
}

// setRates sets how fast the linear part damps each row of the state. Modes that fields couple damp as the diagonal does.
func (s *stepper) setRates() {
	s.rates = make([]float64, s.size)
	s.weights = make([]float64, s.size)
	s.ones = slices.Repeat([]float64{1}, s.size)
	for _, p := range s.parts {
		for i, field := range p.fields {
			first := s.fields[field].first
			for k, growth := range p.symbol[i][i] {
				row := first + k
				if s.shift != nil {
					growth += s.shift[row]
				}
				s.rates[row] = math.Max(0, -growth)
			}
		}
	}
}

// newState returns a state of zeros for a block of trajectories, size x block.
func (p *space) newState() []float64 { return make([]float64, block*p.size) }

// addSums adds the rest of a field, one sum for each operator in the order of the text, and plans its values.
func (s *stepper) addSums(field int) {
	for _, sum := range sumsByOperator(s.explicit[field]) {
		values := s.newBlock()
		s.plan.compute(sum.terms, values)
		s.sums = append(s.sums, restSum{
			operatorSum: sum,
			field:       field,
			values:      values,
		})
	}
}

// rate writes F(t) + N(v, t) to out.
func (s *stepper) rate(out, v []float64, t float64) {
	s.moveTo(t)
	copy(out, s.force)
	s.plan.toPoints(s.views(v, s.coefficient))
	for _, sum := range s.sums {
		values := sum.values
		op := sum.op
		if op.mean {
			s.average(values)
			op.mean = false
		}
		s.project(out, sum.field, op, values)
	}
	s.addFluxes(out, v, s.within(t))
	s.addShift(out, v)
	if s.inverse != nil {
		copied := slices.Clone(out)
		clear(out)
		s.multiply(out, s.inverse, copied)
	}
}

// multiply adds a product over the state to dst.
func (s *stepper) multiply(dst []float64, m *mat.Dense, src []float64) {
	linalg.Columns(dst, m.RawMatrix().Data, s.size, s.size, src, block)
}

// factored is a state with the number of the table that multiplies it, in the order of tables.go.
type factored struct {
	table int
	state []float64 // size x block
}

// join sets dst, which is none of the states, to the sum of the products of tables and states.
func (s *stepper) join(dst []float64, t *stepTables, sum ...factored) {
	if s.matrix != nil {
		clear(dst)
		for _, f := range sum {
			s.multiply(dst, t.matrices[f.table], f.state)
		}
		return
	}
	tables := s.joined.tables[:0]
	blocks := s.joined.blocks[:0]
	for at, part := range s.parts {
		for i, row := range part.fields {
			tables = tables[:0]
			blocks = blocks[:0]
			for _, f := range sum {
				for j, column := range part.fields {
					table := t.parts[at][f.table][i][j]
					if table == nil {
						continue
					}
					tables = append(tables, table)
					blocks = append(blocks, s.fields[column].of(f.state))
				}
			}
			to := s.fields[row].of(dst)
			part.plan.Combine(to, len(tables), tables, blocks)
		}
	}
	s.joined.tables = tables
	s.joined.blocks = blocks
}

// try computes the candidate s.next after a step h from v at a time, with s.rest known, by the formulas of tables.go, and
// returns the estimated error of the worst function relative to its norm, see estimate. The time left to the next output
// decides what errors decay.
func (s *stepper) try(v []float64, t, h, left, total float64) float64 {
	tables := s.tablesOf(h)
	s.join(s.stage, tables, factored{half, v}, factored{aU, s.rest})
	s.rate(s.restA, s.stage, t+h/2)
	s.join(s.stage, tables, factored{half, v}, factored{bU, s.rest}, factored{bA, s.restA})
	s.rate(s.restB, s.stage, t+h/2)
	s.join(s.stage, tables, factored{whole, v}, factored{cU, s.rest}, factored{cB, s.restB})
	s.rate(s.restC, s.stage, t+h)
	linalg.AddScaled(s.restA, 1, s.restB) // N(a) and N(b) have one factor
	s.join(s.next, tables, factored{whole, v}, factored{nextU, s.rest}, factored{nextAB, s.restA}, factored{nextC, s.restC})
	s.rate(s.nextRest, s.next, t+h)
	floats.SubTo(s.base, s.restC, s.nextRest)
	s.join(s.error, tables, factored{nextC, s.base}) // the difference from a scheme of order three
	return s.estimate(left, total)
}

// estimate returns the estimated error of the worst function of a candidate relative to its norm: the difference from a
// scheme of order three, and what a rest that turns or depends on time adds over the whole time; see worker.estimate. As
// there, an error in a mode that decays lives for the inverse of its rate, and counts by that share of the time left.
func (s *stepper) estimate(left, total float64) float64 {
	for row, rate := range s.rates {
		s.weights[row] = 1 / (1 + 2*errorShare*rate*left)
	}
	floats.SubTo(s.base, s.nextRest, s.force)
	var errors, norms, rests [block]float64 // sums of squares
	linalg.AddSquares(&errors, s.weights, s.error)
	linalg.AddSquares(&norms, s.ones, s.next)
	linalg.AddSquares(&rests, s.weights, s.base)
	var bends, forced [block]float64
	if s.turns {
		s.setBend(s.base)
		linalg.AddSquares(&bends, s.weights, s.base)
		linalg.AddSquares(&forced, s.weights, s.nextRest)
	}
	worst := 0.0
	for l := range block {
		norm := math.Sqrt(norms[l] + s.liftNorm(l) + s.floors[l] + 1e-30)
		size := 0.6 * math.Sqrt(errors[l]) / stepShare
		stepsTogether := total * math.Sqrt(rests[l]) / norm // the errors of all steps sum up
		size *= math.Max(1, stepsTogether)
		if forced[l] > 0 {
			ofBend := 3 * bendShare * total * bends[l] / math.Sqrt(forced[l])
			size = math.Max(size, ofBend)
		}
		relative := size / norm
		isLess := relative <= worst
		if !isLess { // NaN wins
			worst = relative
		}
	}
	return worst
}

// setBend writes the second difference of the rest over a step to out.
func (s *stepper) setBend(out []float64) {
	floats.AddTo(out, s.rest, s.nextRest)
	floats.AddScaled(out, -2, s.restB)
}

// liftNorm returns the square of the norm of the lifts of a function at this time.
func (p *space) liftNorm(lane int) float64 {
	if p.liftNorms == nil {
		p.liftNorms = new([block]float64)
		for _, lift := range p.lifted {
			for i, x := range lift {
				p.liftNorms[i%block] += x * x
			}
		}
	}
	return p.liftNorms[lane]
}

// floorShare is the part of the size that a solution will have by its sides and forces, which counts from the beginning.
const floorShare = 0.03

// setFloors sets the squares of norms below which those of solutions count as such, because what begins at rest need not be
// accurate relative to nothing. The sizes are those of the lifts, and of one step over the whole time with the first rest,
// which s.rest holds.
func (s *stepper) setFloors(total float64) {
	const samples = 32
	tables := s.tablesOf(2 * total)
	clear(s.base)
	s.join(s.stage, tables, factored{half, s.base}, factored{aU, s.rest}) // total phi1(total A) N from 0
	var moved, most [block]float64
	for i, v := range s.stage {
		rest := s.rest[i]
		moved[i%block] += v * v
		most[i%block] += total * total * rest * rest
	}
	for l := range s.floors {
		s.floors[l] = math.Min(moved[l], most[l])
	}
	for i := range samples + 1 {
		s.moveTo(total * float64(i) / samples)
		for l, floor := range s.floors {
			s.floors[l] = math.Max(floor, s.liftNorm(l))
		}
		if s.static {
			break
		}
	}
	for l := range s.floors {
		s.floors[l] *= floorShare * floorShare
	}
}
