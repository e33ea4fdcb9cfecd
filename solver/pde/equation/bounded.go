// This file solves equations between two ends in time, by the exponential scheme of tables.go with dense matrices.

package equation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// denseTables are the matrices of a step: e^(z/2), e^z, and the factors of N in the order of tables.go.
type denseTables [frameU]*mat.Dense

// newDenseTables computes the tables of a step h for the matrix a: phi functions of h/2 a by a series and doubling.
func newDenseTables(a *mat.Dense, h float64) *denseTables {
	m, _ := a.Dims()
	norm := mat.Norm(a, math.Inf(1)) * h / 2
	doublings := max(0, int(math.Ceil(math.Log2(math.Max(1e-300, norm/0.5)))))
	var y mat.Dense
	y.Scale(math.Ldexp(h/2, -doublings), a)
	factorial := [20]float64{1}
	for j := 1; j < len(factorial); j++ {
		factorial[j] = factorial[j-1] * float64(j)
	}
	p := [4]*mat.Dense{}
	for k := range p {
		p[k] = mat.NewDense(m, m, nil)
	}
	for j := 15; j >= 0; j-- {
		k := min(j, 3)
		next := mat.NewDense(m, m, nil)
		next.Mul(p[min(j+1, 3)], &y)
		for i := range m {
			next.Set(i, i, next.At(i, i)+1/factorial[j])
		}
		p[k] = next
	}
	for range doublings {
		p = doubled(p)
	}
	g := p
	f := doubled(p)
	sum := func(terms ...any) *mat.Dense { // numbers and matrices in turn
		out := mat.NewDense(m, m, nil)
		for i := 0; i < len(terms); i += 2 {
			var part mat.Dense
			part.Scale(h*terms[i].(float64), terms[i+1].(*mat.Dense))
			out.Add(out, &part)
		}
		return out
	}
	return &denseTables{half: g[0], whole: f[0],
		aU:    sum(0.5, g[1]),
		bU:    sum(0.5, g[1], -1., g[2]),
		bA:    sum(1., g[2]),
		cU:    sum(1., f[1], -2., f[2]),
		cB:    sum(2., f[2]),
		nextU: sum(1., f[1], -3., f[2], 4., f[3]), nextAB: sum(2., f[2], -4., f[3]), nextC: sum(4., f[3], -1., f[2])}
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

// restSum is an operator on a sum of terms in the rest of a field.
type restSum struct {
	field  int
	op     operator
	values []float64
}

// stepper advances one block of trajectories between two ends on Chebyshev points.
type stepper struct {
	*bounded
	plan   *plan
	sums   []restSum
	full   [][]float64 // values of fields, the coefficient and time at all points, block x n
	image  []float64   // the rest at all points
	tables map[float64]*denseTables
	// toCoefficients maps values to those of Chebyshev polynomials, n x n, times (n-1)/2 but for the first and the last.
	toCoefficients *mat.Dense
}

func newStepper(b *bounded) *stepper {
	s := &stepper{bounded: b, plan: b.newPlan(), tables: map[float64]*denseTables{}}
	for range b.rows {
		s.full = append(s.full, make([]float64, block*b.n))
	}
	for f, rest := range b.rest {
		sums := map[operator]poly{}
		var order []operator
		for _, q := range rest {
			if _, known := sums[q.op]; !known {
				order = append(order, q.op)
			}
			sums[q.op] = sums[q.op].plus(poly{q.term})
		}
		for _, op := range order {
			values := make([]float64, block*b.n)
			s.plan.compute(sums[op], values)
			s.sums = append(s.sums, restSum{f, op, values})
		}
	}
	s.image = make([]float64, block*b.n)
	n := b.n
	s.toCoefficients = mat.NewDense(n, n, nil)
	for k := range n {
		for i := range n {
			c := math.Cos(math.Pi * float64(k*i%(2*(n-1))) / float64(n-1))
			if i == 0 || i == n-1 {
				c /= 2
			}
			s.toCoefficients.Set(k, i, c)
		}
	}
	return s
}

// rate writes N(v, t) + S g(t) to out, block x unknowns.
func (s *stepper) rate(out, v []float64, t float64) {
	g := s.conditionValues(t)
	s.values(s.full, v, g)
	if s.clock {
		clock := s.full[len(s.rows)-1]
		for i := range clock {
			clock[i] = t
		}
	}
	s.plan.toPoints(s.full)
	m := s.inner[len(s.Fields)]
	for i := range m {
		force := 0.0
		for k, w := range s.force.RawRowView(i) {
			force += w * g[k]
		}
		for l := range block {
			out[l*m+i] = force
		}
	}
	for _, sum := range s.sums {
		values := sum.values
		if sum.op.x > 0 {
			multiply(s.image, s.interval.derivatives[sum.op.x], sum.values, 0)
			values = s.image
		}
		size := s.inner[sum.field+1] - s.inner[sum.field]
		for l := range block {
			to := out[l*m+s.inner[sum.field]:]
			from := values[l*s.n+s.first[sum.field]:]
			for i := range size {
				to[i] += from[i]
			}
		}
	}
}

// denseBytes bounds the memory of the tables of one discretisation.
const denseBytes = 64 << 20

// step advances v by h in place; scratch holds seven vectors of its length.
func (s *stepper) step(v []float64, t, h float64, scratch [7][]float64) {
	tables := s.tables[h]
	if tables == nil {
		if bytes := 8 * int(tableCount) * len(v) / block * len(v) / block; len(s.tables)*bytes > denseBytes {
			clear(s.tables)
		}
		tables = newDenseTables(s.linear, h)
		s.tables[h] = tables
	}
	nu, na, nb, nc := scratch[0], scratch[1], scratch[2], scratch[3]
	base, stage, next := scratch[4], scratch[5], scratch[6]
	s.rate(nu, v, t)
	multiply(base, tables[half], v, 0)
	copy(stage, base)
	multiply(stage, tables[aU], nu, 1)
	s.rate(na, stage, t+h/2)
	copy(stage, base)
	multiply(stage, tables[bU], nu, 1)
	multiply(stage, tables[bA], na, 1)
	s.rate(nb, stage, t+h/2)
	multiply(base, tables[whole], v, 0)
	copy(stage, base)
	multiply(stage, tables[cU], nu, 1)
	multiply(stage, tables[cB], nb, 1)
	s.rate(nc, stage, t+h)
	copy(next, base)
	multiply(next, tables[nextU], nu, 1)
	for i, x := range nb {
		na[i] += x
	}
	multiply(next, tables[nextAB], na, 1)
	multiply(next, tables[nextC], nc, 1)
	copy(v, next)
}

// boundedWorker solves blocks of inputs between two ends. The number of points and of equal steps are doubled until the
// solution changes by less than the tolerance.
type boundedWorker struct {
	*evolution
	steppers map[int]*stepper // by the number of points
	starts   map[int]*starter
	first    *resolution // with which searches begin
	reached  float64
	steps    int
}

// resolution is what the first training inputs need. All workers of an operator share it and find the same, so that
// solutions do not depend on who computes them.
type resolution struct {
	sync.Mutex
	known  bool
	points int // index in chebyshevPoints
	steps  int // a quarter of those needed
}

func newBoundedWorker(s *evolution, first *resolution) *boundedWorker {
	return &boundedWorker{evolution: s, steppers: map[int]*stepper{}, starts: map[int]*starter{}, first: first}
}

// begins returns the number of points, as an index, and of steps with which searches begin.
func (w *boundedWorker) begins(ctx context.Context) (points, steps int, err error) {
	w.first.Lock()
	defer w.first.Unlock()
	if !w.first.known {
		a := grid.NewBatch(w.domain, w.Points, block)
		w.draws.Draw(a, w.Seed, draw.InputTrain, 0)
		_, points, steps, err := w.search(ctx, a, []float64{w.Time}, "", 0, leastSteps)
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if err != nil { // the search for these inputs will fail again, and say so
			points = 0
			steps = leastSteps
		}
		w.first.points = points
		w.first.steps = max(leastSteps, steps/4)
		w.first.known = true
	}
	return w.first.points, w.first.steps, nil
}

// Steps counts the steps of the last solution, those of coarser attempts included.
func (w *boundedWorker) Steps() int { return w.steps }

// Reached returns the time up to which the last solution went, also if it was cancelled.
func (w *boundedWorker) Reached() float64 { return w.reached }

// The numbers of steps over the whole time.
const leastSteps, mostSteps = 16, 1 << 13

// starter makes initial values on Chebyshev points from inputs on the grid.
type starter struct {
	toPoints *mat.Dense // n x grid points
	plan     *plan
	input    []float64 // block x n
	values   [][]float64
	lift     []float64  // n: what inputs lack to satisfy the conditions at the beginning; nil: nothing
	back     *mat.Dense // grid points x n
}

// at returns the stepper and the starter on n points.
func (w *boundedWorker) at(n int) (*stepper, *starter) {
	if s := w.steppers[n]; s != nil {
		return s, w.starts[n]
	}
	s := newStepper(newBounded(w.evolution, n))
	left, right := w.ends(0)
	unit := make([]float64, n)
	for i, x := range s.interval.x {
		unit[i] = x / w.Length
	}
	start := &starter{plan: s.newPlan(), input: make([]float64, block*n)}
	start.toPoints = mat.NewDense(n, w.Points, grf.Interpolation(left, right, w.Points, unit))
	start.plan.blocks[inputKey] = start.input
	for _, value := range w.values {
		values := make([]float64, block*n)
		start.plan.compute(value, values)
		start.values = append(start.values, values)
	}
	if w.Initial == "" {
		start.lift = s.lift()
	}
	start.back = s.interpolation(w.Points)
	w.steppers[n] = s
	w.starts[n] = start
	return s, start
}

// lift returns the polynomial of lowest degree that satisfies the conditions of the first field at the beginning; nil if
// that is zero.
func (b *bounded) lift() []float64 {
	var own []condition
	zero := true
	for _, c := range b.conditions {
		if c.field == 0 {
			own = append(own, c)
			zero = zero && c.at(0) == 0
		}
	}
	if zero {
		return nil
	}
	degree := len(own) + 1 // conditions on derivatives leave low powers free: the shortest coefficients are taken
	system := mat.NewDense(len(own), degree+1, nil)
	values := mat.NewVecDense(len(own), nil)
	for k, c := range own {
		x := 0.0
		if c.right {
			x = b.Length
		}
		values.SetVec(k, c.at(0))
		for _, t := range c.terms {
			for p := range degree + 1 {
				v := t.c
				for d := range t.op.x {
					v *= float64(p - d)
				}
				if p >= t.op.x && t.field == 0 {
					system.Set(k, p, system.At(k, p)+v*math.Pow(x, float64(p-t.op.x))/math.Pow(b.Length, float64(p)))
				}
			}
		}
	}
	// of all solutions the one with the least high powers: powers are weighted
	weights := mat.NewDiagDense(degree+1, nil)
	for p := range degree + 1 {
		weights.SetDiag(p, math.Pow(1e-3, float64(p)))
	}
	var scaled mat.Dense
	scaled.Mul(system, weights)
	var svd mat.SVD
	var coefficients mat.Dense
	if !svd.Factorize(&scaled, mat.SVDThin) {
		return nil
	}
	svd.SolveTo(&coefficients, values, len(own))
	lift := make([]float64, b.n)
	for i, x := range b.interval.x {
		for p := range degree + 1 {
			lift[i] += coefficients.At(p, 0) * weights.At(p, p) * math.Pow(x/b.Length, float64(p))
		}
	}
	return lift
}

// interpolation returns the matrix that evaluates polynomials on an equispaced grid with both ends, by the barycentric
// formula.
func (c *interval) interpolation(points int) *mat.Dense {
	n := len(c.x)
	length := c.x[n-1]
	m := mat.NewDense(points, n, nil)
	for i := range points {
		x := length * float64(i) / float64(points-1)
		row := m.RawRowView(i)
		sum := 0.0
		exact := -1
		for j, xj := range c.x {
			if math.Abs(x-xj) < 1e-14*length {
				exact = j
				break
			}
			weight := 1 - 2*float64(j%2)
			if j == 0 || j == n-1 {
				weight /= 2
			}
			row[j] = weight / (x - xj)
			sum += row[j]
		}
		if exact >= 0 {
			clear(row)
			row[exact] = 1
			continue
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return m
}

func (b *bounded) interpolation(points int) *mat.Dense { return b.interval.interpolation(points) }

// Solve implements truth.Worker.
func (w *boundedWorker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	if w.err != nil {
		return &fault.Numerical{Where: "equation solver", What: w.err.Error(), Do: "raise data.grid"}
	}
	points, steps, err := w.begins(ctx)
	if err != nil {
		return err
	}
	w.steps = 0
	w.reached = 0
	states, points, _, err := w.search(ctx, a, times, label, points, steps)
	if err != nil {
		return err
	}
	s, start := w.at(chebyshevPoints[points])
	for j, state := range states {
		w.write(outputs[j], a.Count, s, start, state)
	}
	return nil
}

// search returns the states at the times on the first of the numbers of points, from an index on, that resolves them,
// with that index and the number of steps that it took.
func (w *boundedWorker) search(ctx context.Context, a grid.Batch, times []float64, label string, from, steps int) (
	states [][][]float64, points, taken int, err error) {
	var last error
	var grew *Ending
	for points := from; points < len(chebyshevPoints); points++ {
		n := chebyshevPoints[points]
		s, start := w.at(n)
		states, taken, err := w.solve(ctx, s, start, a, times, label, steps)
		if ctx.Err() != nil {
			return nil, 0, 0, ctx.Err()
		}
		if e := (*Ending)(nil); errors.As(err, &e) {
			last = e
			sameGrowth := e.Growth != nil && grew != nil && math.Abs(e.Growth.Endpoint-grew.Growth.Endpoint) < 0.1*e.Growth.Endpoint
			if sameGrowth || e.Growth == nil { // more points make no difference
				return nil, 0, 0, e
			}
			grew = e
			continue
		}
		if tail := s.tailOf(states); tail > w.resolved() {
			last = w.ending(label, n, times[len(times)-1], fmt.Sprintf("is not resolved by %d Chebyshev points (the highest fifth of its "+
				"coefficients holds %.1g of its norm)", n, tail), "add damping, make inputs smoother (input.alpha, input.tau), or lower equation.time")
			continue
		}
		return states, points, taken, nil
	}
	return nil, 0, 0, last
}

// resolved is the largest accepted share of the highest coefficients.
func (w *boundedWorker) resolved() float64 { return math.Max(tailLimit/10, 0.1*w.Problem.Tolerance) }

// ending returns the error of a solution that fails.
func (w *boundedWorker) ending(label string, n int, t float64, what, do string) *Ending {
	return &Ending{Numerical: fault.Numerical{Where: fmt.Sprintf("equation solver, %s, %d Chebyshev points", label, n),
		What: fmt.Sprintf("the solution at t=%.4g %s", t, what), Do: do}, Time: t}
}

// write stores the output field of a state on the grid.
func (w *boundedWorker) write(to grid.Batch, count int, s *stepper, start *starter, state [][]float64) {
	values := make([]float64, block*w.Points)
	multiply(values, start.back, state[w.output], 0)
	for l := range count {
		copy(to.At(l), values[l*w.Points:(l+1)*w.Points])
	}
}

// solve returns the values of all fields at all points at the times, with as many steps as the tolerance requires.
func (w *boundedWorker) solve(ctx context.Context, s *stepper, start *starter, a grid.Batch, times []float64,
	label string, least int) (states [][][]float64, taken int, err error) {
	initial := w.begin(s, start, a)
	if slices.ContainsFunc(initial, func(v float64) bool { return !grid.Finite(v) }) {
		return nil, 0, w.ending(label, s.n, 0, "is not finite", "check the initial values")
	}
	var before [][][]float64
	for steps := least; steps <= mostSteps; steps *= 2 {
		states, end, err := w.run(ctx, s, initial, times, steps)
		if err != nil {
			return nil, 0, err
		}
		if states == nil {
			before = nil
			if steps >= growthCheck { // with shorter steps the end comes no later
				return nil, 0, w.grown(s, label, end)
			}
			continue
		}
		if before != nil && farthest(before, states) <= convergence*w.Problem.Tolerance {
			return states, steps, nil
		}
		before = states
	}
	return nil, 0, w.ending(label, s.n, times[len(times)-1], fmt.Sprintf("needs more than %d time steps", mostSteps),
		"raise equation.tolerance; do the initial values satisfy the conditions ("+w.conditionTexts()+")?")
}

// growthCheck is the number of steps with which a solution that leaves all bounds is taken to do so by itself.
const growthCheck = 1 << 10

// grown returns the error of a solution that grows without bound, from the last values of the stepper.
func (w *boundedWorker) grown(s *stepper, label string, end float64) *Ending {
	g := &Growth{Field: w.Fields[0], Endpoint: end}
	largest := 0.0
	for f, name := range w.Fields {
		for _, v := range s.full[f] {
			if math.Abs(v) > largest { // NaN is not
				largest = math.Abs(v)
				g.Field = name
				g.Value = v
				g.Sign = 1
				if v < 0 {
					g.Sign = -1
				}
			}
		}
	}
	e := w.ending(label, s.n, end, "", fmt.Sprintf("set equation.time to %.2g, or lower input.scale", 0.9*end))
	e.What = fmt.Sprintf("%v, near t=%.3g", g, end)
	e.Growth = g
	return e
}

// convergence is the largest change of a solution, in units of the tolerance, when the number of steps is doubled: the
// scheme has order four, two at least if the initial values violate a condition.
const convergence = 3

// farthest returns the largest relative distance of states, over times and functions.
func farthest(before, states [][][]float64) float64 {
	worst := 0.0
	for j := range states {
		for l := range block {
			distance, norm := 0.0, 1e-300
			for f, values := range states[j] {
				n := len(values) / block
				for i := l * n; i < (l+1)*n; i++ {
					d := values[i] - before[j][f][i]
					distance += d * d
					norm += values[i] * values[i]
				}
			}
			worst = math.Max(worst, math.Sqrt(distance/norm))
		}
	}
	return worst
}

// begin returns the unknowns of the initial values.
func (w *boundedWorker) begin(s *stepper, start *starter, a grid.Batch) []float64 {
	inputs := make([]float64, 0, block*w.Points)
	for l := range block { // the last function in place of missing ones
		inputs = append(inputs, a.At(min(l, a.Count-1))...)
	}
	multiply(start.input, start.toPoints, inputs, 0)
	start.plan.toPoints(nil)
	if w.Coefficient != "" {
		copy(s.full[len(w.Fields)], start.input)
	}
	m := s.inner[len(w.Fields)]
	v := make([]float64, block*m)
	for f := range w.Fields {
		size := s.inner[f+1] - s.inner[f]
		for l := range block {
			for i := range size {
				x := start.values[f][l*s.n+s.first[f]+i]
				if f == 0 && start.lift != nil {
					x += start.lift[s.first[f]+i]
				}
				v[l*m+s.inner[f]+i] = x
			}
		}
	}
	return v
}

// run takes about so many equal steps to the last time. The states are nil if the solution is not finite or grows
// beyond bounds, at the time end.
func (w *boundedWorker) run(ctx context.Context, s *stepper, initial, times []float64, steps int) (states [][][]float64,
	end float64, err error) {
	v := slices.Clone(initial)
	var scratch [7][]float64
	for i := range scratch {
		scratch[i] = make([]float64, len(v))
	}
	bound := 0.0
	for _, x := range v {
		bound = math.Max(bound, math.Abs(x))
	}
	bound = most * (1 + bound)
	total := times[len(times)-1]
	t := 0.0
	for _, until := range times {
		count := int(math.Ceil(float64(steps) * (until - t) / total * (1 - 1e-12)))
		h := (until - t) / float64(max(1, count))
		h = math.Float64frombits(math.Float64bits(h) &^ 0xff) // equal steps share their tables in spite of rounding
		begin := t
		for i := range count {
			if err := ctx.Err(); err != nil {
				return nil, t, err
			}
			s.step(v, begin+float64(i)*h, h, scratch)
			w.steps++
			t = begin + float64(i+1)*h
			for _, x := range v {
				if !(math.Abs(x) < bound) {
					return nil, t, nil
				}
			}
			w.reached = t
		}
		t = until
		s.values(s.full, v, s.conditionValues(until))
		var state [][]float64
		for f := range w.Fields {
			state = append(state, slices.Clone(s.full[f]))
		}
		states = append(states, state)
	}
	return states, t, nil
}

// tailOf returns the largest share of the highest fifth of the Chebyshev coefficients in the norm of the fields.
func (s *stepper) tailOf(states [][][]float64) float64 {
	worst := 0.0
	n := s.n
	coefficients := make([]float64, block*n)
	for _, state := range states {
		var tail, norm [block]float64
		for _, values := range state {
			multiply(coefficients, s.toCoefficients, values, 0)
			for i, c := range coefficients {
				norm[i/n] += c * c
				if 5*(i%n) >= 4*n {
					tail[i/n] += c * c
				}
			}
		}
		for l := range block {
			if norm[l] > 0 {
				worst = math.Max(worst, math.Sqrt(tail[l]/norm[l]))
			}
		}
	}
	return worst
}
