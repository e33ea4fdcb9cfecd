// This file rejects equations that no step or no grid can solve: by the orders of their terms, by their symbols, and by
// a probe of the rest near given functions. Its response to a short wave is its diffusion: a negative one makes the
// equation ill-posed, a large one must be moved to the symbol.

package equation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/num/phi"
)

// damps reports whether the term damps its own field.
func (t linearTerm) damps() bool { n := t.op.order(); return n%2 == 0 && (t.c < 0) == (n%4 == 0) }

// checkOrders fails for terms beyond the reach of an explicit step: derivatives of order two and more in the rest need
// dissipation of at least that order in the symbol. Probing may supply it for second derivatives. Rates of change grow
// with the mean order around a closed path of fields that depend on each other: order one for waves.
func (s *evolution) checkOrders() {
	var orders [maxField][maxField]int // of field j in row i
	var mass, dissipation [maxField]int
	for i, r := range s.rows {
		for _, t := range r.mass {
			mass[i] = max(mass[i], t.op.order())
		}
		for j := range s.rows {
			orders[i][j] = none
			for _, q := range r.rest {
				orders[i][j] = max(orders[i][j], q.op.order()+q.term.order(j)-mass[i])
			}
		}
		for _, t := range r.linear {
			order := t.op.order() - mass[i]
			orders[i][t.field] = max(orders[i][t.field], order)
			if t.field == i && t.damps() {
				dissipation[i] = max(dissipation[i], order)
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
		for next := range s.rows {
			if !seen[next] && orders[j][next] > none/2 {
				best = max(best, around(i, next, sum+orders[j][next], length+1, seen))
			}
		}
		return best
	}
	for i := range s.rows {
		r := &s.rows[i]
		for _, q := range r.rest {
			for j := range s.rows {
				n := q.op.order() + q.term.order(j)
				if n-mass[i] < 2 {
					continue
				}
				switch rate := around(i, j, n-mass[i], 1, [maxField]bool{}); {
				case rate == 2 && dissipation[i] <= 2:
					r.quasi = r.column(q.term.at)
				case rate > 2 && rate > float64(dissipation[i]):
					even := n + n%2
					r.fail(q.term.at, fmt.Sprintf("add a linear term of order %d, as in %+d*nu*%s", even, even%4-1,
						r.field+"_"+strings.Repeat("x", even)), "this term has derivatives of order %d, the linear part dissipates with "+
						"order %d: no step is stable", n, dissipation[i]+mass[i])
				}
			}
		}
	}
}

// checkGrowth fails for symbols whose growth rate increases with the wavenumber, and finds the slowest decay.
func (s *evolution) checkGrowth() {
	low, high, slowest := math.Inf(-1), math.Inf(-1), math.Inf(1)
	var m phi.Matrix
	for p, h := range s.highest {
		if h > s.limit || s.mirror[p] < p { // or as its mirror
			continue
		}
		for _, fields := range s.parts {
			s.at(&m, fields, p)
			g := m.Growth(len(fields))
			if g < 0 {
				slowest = min(slowest, -g)
			}
			if 2*h > s.limit {
				high = max(high, g)
			} else {
				low = max(low, g)
			}
		}
	}
	s.lasts = max(low, high) > 0 || math.IsInf(slowest, 1) || len(s.rows) > 1 || s.centred
	for i, r := range s.rows {
		s.lasts = s.lasts || r.constant != nil
		order, at := 0, 0
		for _, t := range r.linear {
			if n := t.op.order(); n > order && (i != t.field || n%2 == 0 && !t.damps()) {
				order, at = n, t.at
			}
		}
		r.failIf(high > 1e-9 && high > 1.2*max(low, 0) && (order > 0 || i == len(s.rows)-1), at,
			"change its sign, or add damping of higher order that the grid reaches",
			"short waves grow without bound (e^%.2gt at the grid's shortest): the equation is ill-posed", high)
	}
	if len(s.rows) == 1 {
		s.ahead = maxDecay / (normShare * slowest)
	}
}

const (
	splitShare  = 0.7 // of the largest diffusion moves to the symbol: the scheme is stable from one half
	maxContrast = 100 // of the largest to the smallest diffusion; larger contrasts leave errors undetected
	amplitude   = 1e-6
	negligible  = 1e-6 // of the largest diffusion in any direction: rounding errors, and the amplitude's
)

// diffusion is what a field feels in one direction.
type diffusion struct {
	values    []float64  // at all points, for all functions: a block
	low, high float64    // of the values
	own       float64    // of the symbol alone
	at        [2]float64 // where the lowest is
}

// directions are the axes, along which diffusion moves to the symbol, and diagonals, along which mixed derivatives count.
func (s *evolution) directions() [][2]int {
	if s.domain.Dims == 1 {
		return [][2]int{{1, 0}}
	}
	return [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}
}

// setSplit moves diffusion from the rest to the symbol for the block, along each axis in steps of 2^(1/4). The error is
// an *Ending if diffusion is negative or too uneven.
func (w *worker) setSplit() error {
	for i, r := range w.rows {
		if r.quasi == 0 {
			continue
		}
		before := w.split[i]
		w.split[i] = [2]float64{}
		w.plan.split[i] = nil
		w.plan.rest(w.image, w.u)
		var felt []diffusion
		largest := 0.0
		for _, direction := range w.directions() {
			d := w.probe(i, direction, w.limit/2)
			felt = append(felt, d)
			largest = math.Max(largest, d.high)
		}
		for k, direction := range w.directions() {
			if err := w.checkDiffusion(i, direction, felt[k], largest); err != nil {
				return err
			}
		}
		w.split[i] = splitOf(felt)
		if w.split[i] != ([2]float64{}) {
			w.plan.split[i] = make([]float64, 2*w.n)
			for p := range w.n {
				w.plan.split[i][2*p+1] = -w.moved(i, p)
			}
		}
		if w.split[i] != before {
			w.cache = nil
		}
	}
	return nil
}

// checkDiffusion fails where diffusion along a direction is negative or too uneven.
func (w *worker) checkDiffusion(field int, direction [2]int, d diffusion, largest float64) error {
	r := w.rows[field]
	along := map[[2]int]string{{0, 1}: " along y", {1, 1}: " along the diagonal", {1, -1}: " along the diagonal"}[direction]
	if w.domain.Dims == 2 && direction == [2]int{1, 0} {
		along = " along x"
	}
	place := fmt.Sprintf("%s_t: the term in column %d", r.field, r.quasi)
	point := fmt.Sprintf("x=%.3g", d.at[0])
	if w.domain.Dims == 2 {
		point += fmt.Sprintf(", y=%.3g", d.at[1])
	}
	isAxis := direction[0]*direction[1] == 0
	switch {
	case d.low < -negligible*largest:
		if !w.isBackward(d.values) {
			return w.fail(0, fmt.Sprintf("has a diffusion%s that the grid does not resolve near %s (%s)", along, point, place),
				fmt.Sprintf("raise data.grid to %d, or make inputs smoother: input.alpha, input.tau", 2*(w.Points-1)+1))
		}
		return w.fail(0, fmt.Sprintf("has backward diffusion%s, %.3g at %s (%s): the equation is ill-posed there", along, d.low,
			point, place), "change its sign, or the inputs' scale")
	case isAxis && d.high > maxContrast*d.low && d.high > negligible*largest:
		return w.fail(0, fmt.Sprintf("has diffusion%s from %.3g to %.3g (%s), a ratio above %d, where errors go unnoticed",
			along, d.low, d.high, place, maxContrast), "add linear diffusion, or lower the inputs' scale")
	}
	return nil
}

// isBackward reports whether a diffusion stays negative in the mean over some cells. Products with waves that the grid
// does not hold look like diffusion of a sign that changes from cell to cell.
func (w *worker) isBackward(values []float64) bool {
	const fewest = 16 // waves, with which a grid tells the two apart
	if w.limit < fewest {
		return false
	}
	gaussian := w.symbol(operator{}, complex(1/float64(w.n), 0), nil) // its means of positive functions are positive
	for p, k := range w.highest {
		gaussian[2*p] *= math.Exp(-math.Pow(6*float64(k)/float64(w.limit), 2))
	}
	means := slices.Clone(values)
	w.transform.Forward(means)
	w.transform.InverseOf(means, means, gaussian)
	return slices.Min(means) < 0.1*slices.Min(values)
}

// splitOf returns the diffusion along x and y that moves to the symbol, from those that a field feels along directions.
func splitOf(felt []diffusion) (split [2]float64) {
	rounded := func(extra float64) float64 {
		if extra <= 0 {
			return 0
		}
		return math.Exp2(math.Ceil(4*math.Log2(extra)) / 4)
	}
	for axis := range min(2, len(felt)) {
		split[axis] = rounded(splitShare*felt[axis].high - felt[axis].own)
	}
	for _, d := range felt[min(2, len(felt)):] { // a diagonal wave feels the mean of both axes
		lack := splitShare*d.high - d.own - (split[0]+split[1])/2
		split[0] += rounded(lack)
		split[1] += rounded(lack)
	}
	return split
}

// moved returns the diffusion that moved to the symbol times the squares of the wavenumbers at a position.
func (w *worker) moved(field, p int) float64 {
	k := w.waves[p]
	return w.split[field][0]*k[0]*k[0] + w.split[field][1]*k[1]*k[1]
}

// probe returns the diffusion of a field along a direction: symbol and rest map a small wave e^(ik.x) to sigma e^(ik.x),
// and -Re sigma grows by the diffusion times |k|^2 from one wavenumber to another, whatever terms of order zero add. The
// shorter wave has so many periods along an axis, the longer half as many. The rest of the block is in w.image.
func (w *worker) probe(field int, direction [2]int, periods int) diffusion {
	wave := func(periods int) (k [2]float64, square float64) {
		for axis, d := range direction {
			k[axis] = 2 * math.Pi * float64(periods*d) / w.Length
			square += k[axis] * k[axis]
		}
		return k, square
	}
	short, shortSquare := wave(periods)
	long, longSquare := wave(periods / 2)
	apart := shortSquare - longSquare
	d := diffusion{values: make([]float64, block*w.n), low: math.Inf(1), high: math.Inf(-1)}
	d.own = (w.damped(field, short) - w.damped(field, long)) / apart
	ofShort := w.response(field, short)
	ofLong := w.response(field, long)
	for i, x := range w.points {
		for l := range block {
			v := d.own + (ofLong[block*i+l]-ofShort[block*i+l])/apart
			d.values[block*i+l] = v
			if v < d.low {
				d.low = v
				d.at = x
			}
			d.high = math.Max(d.high, v)
		}
	}
	return d
}

// damped returns the rate at which the symbol of a field damps a wave.
func (w *worker) damped(field int, k [2]float64) float64 {
	symbol := w.rows[field].symbol[field]
	if symbol == nil {
		return 0
	}
	size := math.Hypot(k[0], k[1])
	position := slices.IndexFunc(w.waves, func(v [2]float64) bool { return math.Hypot(v[0]-k[0], v[1]-k[1]) <= 1e-9*size })
	return -symbol[2*position]
}

// response returns, at all points and for all functions, the part of the answer of the rest to a small wave that is in
// phase with it, relative to its amplitude.
func (w *worker) response(field int, k [2]float64) []float64 {
	inPhase := make([]float64, block*w.n)
	for _, wave := range []func(float64) float64{math.Cos, math.Sin} {
		b := make([]float64, block*w.n)
		for i, x := range w.points {
			for l := range block {
				b[block*i+l] = amplitude * wave(k[0]*x[0]+k[1]*x[1]) / float64(w.n)
			}
		}
		w.transform.Forward(b)
		for f := range w.stage {
			copy(w.stage[f], w.u[f])
		}
		add(w.stage[field], b)
		w.plan.rest(w.s2, w.stage)
		for j, v := range w.image[field] {
			b[j] = w.s2[field][j] - v
		}
		w.transform.InverseOf(b, b, w.symbol(operator{}, 1i, nil)) // images are -i times spectra
		for i, x := range w.points {
			for l := range block {
				inPhase[block*i+l] += b[block*i+l] * wave(k[0]*x[0]+k[1]*x[1]) / amplitude
			}
		}
	}
	return inPhase
}
