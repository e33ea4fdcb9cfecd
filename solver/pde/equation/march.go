// This file takes time steps on the modes of space, by the exponential scheme of tables.go.

package equation

import (
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
	"rfm/solver/num/phi"
)

// restSum is an operator on a sum of terms in the rest of a field.
type restSum struct {
	field  int
	op     operator
	terms  poly
	values []float64 // at the points, as a block
}

// stepper advances one block of trajectories.
type stepper struct {
	*space
	plan        *plan
	sums        []restSum
	coefficient []float64 // coordinates of the coefficient that is drawn
	shift       []float64 // by row of the state: what moved from the rest to the linear part; nil: nothing
	tables      map[float64]*stepTables
	diffusion   []diffusivity
	floors      [block]float64 // see setFloors
	rates       []float64      // by row of the state: how fast the linear part damps it; 0 if that is not known
	turns       bool           // whether modes turn, or the rest depends on time: the bend of the rest counts
	// the stages, size x block
	rest, restA, restB, restC, next, nextRest, base, stage, error []float64
}

func newStepper(p *space) *stepper {
	s := &stepper{
		space:    p,
		plan:     p.newPlan(),
		tables:   map[float64]*stepTables{},
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
		s.coefficient = make([]float64, block*p.n)
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
	for _, p := range s.parts {
		for i, row := range p.fields {
			symbol := p.symbol[i][i]
			if symbol == nil {
				continue
			}
			first := s.fields[row].first
			for k, rate := range symbol {
				if s.shift != nil {
					rate += s.shift[first+k]
				}
				s.rates[first+k] = math.Max(0, -rate)
			}
		}
	}
}

// newState returns a state of zeros for a block of trajectories, size x block.
func (p *space) newState() []float64 { return make([]float64, block*p.size) }

// addSums adds the rest of a field, one sum for each operator in the order of the text, and plans its values.
func (s *stepper) addSums(field int) {
	sums := map[operator]poly{}
	var order []operator
	for _, q := range s.explicit[field] {
		if _, known := sums[q.op]; !known {
			order = append(order, q.op)
		}
		sums[q.op] = sums[q.op].plus(poly{q.term})
	}
	for _, op := range order {
		values := make([]float64, block*s.n)
		s.plan.compute(sums[op], values)
		s.sums = append(s.sums, restSum{
			field:  field,
			op:     op,
			terms:  sums[op],
			values: values,
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

// stepTables are the factors of a step, in the order of tables.go: numbers by part, row, column and mode, or matrices.
type stepTables struct {
	parts    [][frameU][maxField][maxField][]float64
	matrices [frameU]*mat.Dense
}

// denseBytes bounds the memory of the tables of one discretisation.
const denseBytes = 64 << 20

// tablesOf returns the tables of a step.
func (s *stepper) tablesOf(h float64) *stepTables {
	if known := s.tables[h]; known != nil {
		return known
	}
	bytes := 8 * int(frameU) * s.size
	if s.matrix != nil {
		bytes *= s.size
	}
	if len(s.tables)*bytes > denseBytes {
		clear(s.tables)
	}
	t := &stepTables{}
	if s.matrix != nil {
		t.matrices = denseTables(s.matrix, h)
	}
	for _, part := range s.parts {
		t.parts = append(t.parts, s.modeTables(part, h))
	}
	s.tables[h] = t
	return t
}

// modeTables returns the tables of a part.
func (s *stepper) modeTables(p part, h float64) (tables [frameU][maxField][maxField][]float64) {
	size := len(p.fields)
	for number := range tables {
		for i := range size {
			for j := range size {
				tables[number][i][j] = make([]float64, p.modes)
			}
		}
	}
	var m phi.Matrix
	var f, g [4]phi.Matrix
	for k := range p.modes {
		s.symbolAt(&m, p, k)
		sizes := balance(&m, size)
		phi.Of(&g, complex(h/2, 0), &m, size)
		phi.Double(&f, &g, size)
		for i := range size {
			for j := range size {
				entries := krogstad(&f, &g, h, i, j)
				for number := range tables {
					tables[number][i][j][k] = real(entries[number]) * sizes[i] / sizes[j]
				}
			}
		}
	}
	for number := range tables {
		for i := range size {
			for j := range size {
				isZero := i != j && floats.Norm(tables[number][i][j], 1) == 0
				if isZero {
					tables[number][i][j] = nil
				}
			}
		}
	}
	return tables
}

// symbolAt writes the symbol of a part at its mode k to m, with what moved to it from the rest.
func (s *stepper) symbolAt(m *phi.Matrix, p part, k int) {
	for i, row := range p.fields {
		for j := range p.fields {
			m[i][j] = 0
			symbol := p.symbol[i][j]
			if symbol != nil {
				m[i][j] = complex(symbol[k], 0)
			}
		}
		if s.shift != nil {
			first := s.fields[row].first
			m[i][i] += complex(s.shift[first+k], 0)
		}
	}
}

// balance scales the variables of a matrix so that its rows and columns are of one size (E. E. Osborne 1960), and returns the
// sizes of the variables. The velocity of a fast mode is large; unscaled, the exponential would lose its digits.
func balance(m *phi.Matrix, size int) (sizes [phi.Size]float64) {
	for i := range sizes {
		sizes[i] = 1
	}
	for range 8 {
		for i := range size {
			row := 0.0
			column := 0.0
			for j := range size {
				if i != j {
					row += cmplx.Abs(m[i][j])
					column += cmplx.Abs(m[j][i])
				}
			}
			if row == 0 || column == 0 {
				continue
			}
			scale := math.Exp2(math.Round(math.Log2(row/column) / 2)) // powers of two are exact
			sizes[i] *= scale
			for j := range size {
				if i != j {
					m[i][j] /= complex(scale, 0)
					m[j][i] *= complex(scale, 0)
				}
			}
		}
	}
	return sizes
}

// denseTables computes the tables of a step h for the matrix a.
func denseTables(a *mat.Dense, h float64) (tables [frameU]*mat.Dense) {
	g := densePhi(a, h/2)
	f := doubled(g)
	tables[half] = g[0]
	tables[whole] = f[0]
	tables[aU] = weightedSum(h, share{0.5, g[1]})
	tables[bU] = weightedSum(h, share{0.5, g[1]}, share{-1, g[2]})
	tables[bA] = weightedSum(h, share{1, g[2]})
	tables[cU] = weightedSum(h, share{1, f[1]}, share{-2, f[2]})
	tables[cB] = weightedSum(h, share{2, f[2]})
	tables[nextU] = weightedSum(h, share{1, f[1]}, share{-3, f[2]}, share{4, f[3]})
	tables[nextAB] = weightedSum(h, share{2, f[2]}, share{-4, f[3]})
	tables[nextC] = weightedSum(h, share{4, f[3]}, share{-1, f[2]})
	return tables
}

// share is a multiple of a matrix.
type share struct {
	c float64
	m *mat.Dense
}

// weightedSum returns h times the sum of shares.
func weightedSum(h float64, shares ...share) *mat.Dense {
	n, _ := shares[0].m.Dims()
	out := mat.NewDense(n, n, nil)
	for _, s := range shares {
		var part mat.Dense
		part.Scale(h*s.c, s.m)
		out.Add(out, &part)
	}
	return out
}

// densePhi returns the phi functions 0 to 3 of h a, by a series and doubling.
func densePhi(a *mat.Dense, h float64) (p [4]*mat.Dense) {
	m, _ := a.Dims()
	norm := mat.Norm(a, math.Inf(1)) * h
	excess := math.Max(1e-300, norm/0.5)
	doublings := max(0, int(math.Ceil(math.Log2(excess))))
	var y mat.Dense
	y.Scale(math.Ldexp(h, -doublings), a)
	factorial := [20]float64{1}
	for j := 1; j < len(factorial); j++ {
		factorial[j] = factorial[j-1] * float64(j)
	}
	for k := range p {
		p[k] = mat.NewDense(m, m, nil)
	}
	for j := 15; j >= 0; j-- { // phi_j(y) = 1/j! + y phi_(j+1)(y); those above 3 pass through the last
		next := mat.NewDense(m, m, nil)
		next.Mul(p[min(j+1, 3)], &y)
		for i := range m {
			next.Set(i, i, next.At(i, i)+1/factorial[j])
		}
		p[min(j, 3)] = next
	}
	for range doublings {
		p = doubled(p)
	}
	return p
}

// doubled returns phi functions of 2 y from those of y: 2^k phi_k(2 y) = e^y phi_k(y) + sum of phi_j(y)/(k-j)!.
func doubled(p [4]*mat.Dense) (q [4]*mat.Dense) {
	inverseFactorials := [4]float64{1, 1, 1. / 2, 1. / 6}
	for k := range q {
		q[k] = mat.NewDense(p[0].RawMatrix().Rows, p[0].RawMatrix().Rows, nil)
		q[k].Mul(p[0], p[k])
		for l := 1; l <= k; l++ {
			var part mat.Dense
			part.Scale(inverseFactorials[k-l], p[l])
			q[k].Add(q[k], &part)
		}
		q[k].Scale(math.Ldexp(1, -k), q[k])
	}
	return q
}

// join sets dst, which is none of the states, to the sum of the products of tables, by number, and states.
func (s *stepper) join(dst []float64, t *stepTables, numbers []int, states ...[]float64) {
	if s.matrix != nil {
		clear(dst)
		for k, number := range numbers {
			s.multiply(dst, t.matrices[number], states[k])
		}
		return
	}
	var tables, blocks [4 * maxField][]float64
	for at, part := range s.parts {
		for i, row := range part.fields {
			count := 0
			for k, number := range numbers {
				for j, column := range part.fields {
					if table := t.parts[at][number][i][j]; table != nil {
						tables[count] = table
						blocks[count] = s.fields[column].of(states[k])
						count++
					}
				}
			}
			part.plan.Combine(s.fields[row].of(dst), count, tables[:count], blocks[:count])
		}
	}
}

// try computes the candidate s.next after a step h from v at a time, with s.rest known, and returns the estimated error of
// the worst function relative to its norm, see estimate. The time left to the next output decides what errors decay.
func (s *stepper) try(v []float64, t, h, left, total float64) float64 {
	tables := s.tablesOf(h)
	s.join(s.stage, tables, []int{half, aU}, v, s.rest)
	s.rate(s.restA, s.stage, t+h/2)
	s.join(s.stage, tables, []int{half, bU, bA}, v, s.rest, s.restA)
	s.rate(s.restB, s.stage, t+h/2)
	s.join(s.stage, tables, []int{whole, cU, cB}, v, s.rest, s.restB)
	s.rate(s.restC, s.stage, t+h)
	for i, b := range s.restB {
		s.restA[i] += b
	}
	s.join(s.next, tables, []int{whole, nextU, nextAB, nextC}, v, s.rest, s.restA, s.restC)
	s.rate(s.nextRest, s.next, t+h)
	for i, c := range s.restC {
		s.base[i] = c - s.nextRest[i]
	}
	s.join(s.error, tables, []int{nextC}, s.base)
	return s.estimate(left, total)
}

// estimate returns the estimated error of the worst function of a candidate relative to its norm: the difference from a
// scheme of order three, and what a rest that turns or depends on time adds over the whole time; see worker.estimate. As
// there, an error in a mode that decays lives for the inverse of its rate, and counts by that share of the time left.
func (s *stepper) estimate(left, total float64) float64 {
	var errors, norms, bends, rests, forced [block]float64 // sums of squares
	for row, rate := range s.rates {
		weight := 1 / (1 + 2*errorShare*rate*left)
		first := block * row
		for l := range block {
			i := first + l
			errors[l] += weight * s.error[i] * s.error[i]
			norms[l] += s.next[i] * s.next[i]
			rest := s.nextRest[i] - s.force[i]
			rests[l] += weight * rest * rest
			forced[l] += weight * s.nextRest[i] * s.nextRest[i]
			bend := s.rest[i] - 2*s.restB[i] + s.nextRest[i]
			bends[l] += weight * bend * bend
		}
	}
	worst := 0.0
	for l := range block {
		norm := math.Sqrt(norms[l] + s.liftNorm(l) + s.floors[l] + 1e-30)
		size := 0.6 * math.Sqrt(errors[l]) / stepShare
		size *= math.Max(1, total*math.Sqrt(rests[l])/norm)
		if s.turns && forced[l] > 0 {
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

// liftNorm returns the square of the norm of the lifts of a function at this time.
func (s *stepper) liftNorm(lane int) float64 {
	sum := 0.0
	for _, lift := range s.lifted {
		for i := lane; i < len(lift); i += block {
			sum += lift[i] * lift[i]
		}
	}
	return sum
}

// floorShare is the part of the size that a solution will have by its sides and forces, which counts from the beginning.
const floorShare = 0.03

// setFloors sets the squares of norms below which those of solutions count as such, because what begins at rest need not be
// accurate relative to nothing. The sizes are those of the lifts, and of one step over the whole time with the first rest,
// which s.rest holds.
func (s *stepper) setFloors(total float64) {
	const samples = 32
	s.floors = [block]float64{}
	tables := s.tablesOf(2 * total)
	clear(s.base)
	s.join(s.stage, tables, []int{half, aU}, s.base, s.rest)
	var moved, most [block]float64
	for i, v := range s.stage {
		moved[i%block] += v * v
		most[i%block] += total * total * s.rest[i] * s.rest[i]
	}
	for l := range block {
		s.floors[l] = math.Min(moved[l], most[l])
	}
	for i := range samples + 1 {
		s.moveTo(total * float64(i) / samples)
		for l := range block {
			s.floors[l] = math.Max(s.floors[l], s.liftNorm(l))
		}
		if s.static {
			break
		}
	}
	for l := range block {
		s.floors[l] *= floorShare * floorShare
	}
}
