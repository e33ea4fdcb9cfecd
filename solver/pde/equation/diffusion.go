// This file finds the diffusion of the rest by a probe near given functions, and moves a part of it to the symbol. The
// response to a short wave is its diffusion: a negative one makes the equation ill-posed, a large one needs small steps.

package equation

import (
	"fmt"
	"math"
	"slices"
)

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
		err := w.splitField(i)
		if err != nil {
			return err
		}
		if w.split[i] != before { // the tables have another symbol
			w.cache = nil
		}
	}
	return nil
}

// splitField moves diffusion of a field from the rest to the symbol.
func (w *worker) splitField(field int) error {
	w.split[field] = [2]float64{}
	w.plan.split[field] = nil
	w.plan.rest(w.image, w.u)
	directions := w.directions()
	felt := make([]diffusion, len(directions))
	largest := 0.0
	for k, direction := range directions {
		felt[k] = w.probe(field, direction, w.limit/2)
		largest = math.Max(largest, felt[k].high)
	}
	for k, direction := range directions {
		err := w.checkDiffusion(field, direction, felt[k], largest)
		if err != nil {
			return err
		}
	}
	w.split[field] = splitOf(felt)
	if w.split[field] != ([2]float64{}) {
		w.plan.split[field] = w.movedSymbol(field)
	}
	return nil
}

// movedSymbol returns the symbol of the diffusion that moved, times -i, as complex numbers.
func (w *worker) movedSymbol(field int) []float64 {
	symbol := make([]float64, 2*w.n)
	for p := range w.n {
		symbol[2*p+1] = -w.moved(field, p)
	}
	return symbol
}

// along names a direction in messages; "" on the interval.
func (s *evolution) along(direction [2]int) string {
	switch {
	case s.domain.Dims == 1:
		return ""
	case direction == [2]int{1, 0}:
		return " along x"
	case direction == [2]int{0, 1}:
		return " along y"
	}
	return " along the diagonal"
}

// checkDiffusion fails where diffusion along a direction is negative or too uneven.
func (w *worker) checkDiffusion(field int, direction [2]int, d diffusion, largest float64) error {
	r := w.rows[field]
	along := w.along(direction)
	place := fmt.Sprintf("%s_t: the term in column %d", r.field, r.quasi)
	point := w.coordinates(d.at)
	isAxis := direction[0]*direction[1] == 0
	isNegative := d.low < -negligible*largest
	isUneven := d.high > maxContrast*d.low && d.high > negligible*largest
	beginsHeld := slices.Contains(w.evolution.input[:], odd)
	var bad *Ending
	switch {
	case isNegative && !w.isBackward(d.values):
		unresolved := fmt.Sprintf("has a diffusion%s that the grid does not resolve near %s (%s)", along, point, place)
		bad = w.fail(0, unresolved, w.advice(0))
	case isNegative:
		backward := fmt.Sprintf("has backward diffusion%s, %.3g at %s (%s): the equation is ill-posed there",
			along, d.low, point, place)
		bad = w.fail(0, backward, "change its sign, or the inputs' scale")
	case isAxis && isUneven:
		uneven := fmt.Sprintf("has diffusion%s from %.3g to %.3g (%s), a ratio above %d, where errors go unnoticed",
			along, d.low, d.high, place, maxContrast)
		remedy := "lower input.scale, as with input.scale=0.3, or add linear diffusion"
		vanishes := d.low < negligible*d.high
		if vanishes && len(w.Fields) == 1 && w.beginsWithInput(0) {
			remedy = fmt.Sprintf("add linear diffusion, or begin where it does not vanish: equation.initial=%q", positiveValues)
		}
		bad = w.fail(0, uneven, remedy)
	default:
		return nil
	}
	if beginsHeld && field == 0 { // initial values vanish at the sides, whatever they are
		bad.Do = fmt.Sprintf("add linear diffusion, such as 0.1*lap(%s), or hold %s at values with positive diffusion, as with %s = 1",
			r.field, r.field, r.field)
	}
	bad.cause = badDiffusion
	return bad
}

// isBackward reports whether a diffusion stays negative in the mean over some cells. Products with waves that the grid
// does not hold look like diffusion of a sign that changes from cell to cell.
func (w *worker) isBackward(values []float64) bool {
	const fewest = 16 // waves, with which a grid tells the two apart
	if w.limit < fewest {
		return false
	}
	gaussian := w.symbol(operator{}, complex(1/float64(w.samples), 0), nil) // its means of positive functions are positive
	for p, k := range w.highest {
		gaussian[2*p] *= math.Exp(-math.Pow(6*float64(k)/float64(w.limit), 2))
	}
	means := slices.Clone(values) // over some cells
	w.transform.Forward(means)
	w.transform.InverseOf(means, means, gaussian)
	return slices.Min(means) < 0.1*slices.Min(values)
}

// splitOf returns the diffusion along x and y that moves to the symbol, from those that a field feels along directions.
func splitOf(felt []diffusion) (split [2]float64) {
	axes := min(2, len(felt))
	for axis, d := range felt[:axes] {
		split[axis] = roundedUp(splitShare*d.high - d.own)
	}
	for _, d := range felt[axes:] { // a diagonal wave feels the mean of both axes
		lack := splitShare*d.high - d.own - (split[0]+split[1])/2
		split[0] += roundedUp(lack)
		split[1] += roundedUp(lack)
	}
	return split
}

// roundedUp returns the next power of 2^(1/4), so that similar blocks share a symbol; 0 if nothing is lacking.
func roundedUp(diffusion float64) float64 {
	if diffusion <= 0 {
		return 0
	}
	quarters := math.Ceil(4 * math.Log2(diffusion))
	return math.Exp2(quarters / 4)
}

// moved returns the diffusion that moved to the symbol times the squares of the wavenumbers at a position.
func (w *worker) moved(field, p int) float64 {
	k := w.waves[p]
	split := w.split[field]
	return split[0]*k[0]*k[0] + split[1]*k[1]*k[1]
}

// waveAlong returns the wavenumbers of a wave with so many periods along each axis of a direction, and their squared
// length.
func (w *worker) waveAlong(direction [2]int, periods int) (k [2]float64, square float64) {
	for axis, d := range direction {
		k[axis] = 2 * math.Pi * float64(periods*d) / w.Length
		square += k[axis] * k[axis]
	}
	return k, square
}

// probe returns the diffusion of a field along a direction: symbol and rest map a small wave e^(ik.x) to sigma e^(ik.x),
// and -Re sigma grows by the diffusion times |k|^2 from one wavenumber to another, whatever terms of order zero add. The
// shorter wave has so many periods along an axis, the longer half as many. The rest of the block is in w.image.
func (w *worker) probe(field int, direction [2]int, periods int) diffusion {
	short, shortSquare := w.waveAlong(direction, periods)
	long, longSquare := w.waveAlong(direction, periods/2)
	apart := shortSquare - longSquare
	d := diffusion{
		values: w.newBlock(),
		low:    math.Inf(1),
		high:   math.Inf(-1),
		own:    (w.damped(field, short) - w.damped(field, long)) / apart,
	}
	ofShort := w.response(field, short)
	ofLong := w.response(field, long)
	for i := range d.values {
		v := d.own + (ofLong[i]-ofShort[i])/apart
		d.values[i] = v
		if v < d.low {
			d.low = v
			d.at = w.points[i/block]
		}
		d.high = math.Max(d.high, v)
	}
	return d
}

// damped returns the rate at which the symbol of a field damps a wave.
func (w *worker) damped(field int, k [2]float64) float64 {
	symbol := w.rows[field].symbol[field]
	if symbol == nil {
		return 0
	}
	tolerance := 1e-9 * math.Hypot(k[0], k[1])
	position := slices.IndexFunc(w.waves, func(v [2]float64) bool {
		distance := math.Hypot(v[0]-k[0], v[1]-k[1])
		return distance <= tolerance
	})
	return -symbol[2*position]
}

// response returns, at all points and for all functions, the part of the answer of the rest to a small wave that is in
// phase with it, relative to its amplitude.
func (w *worker) response(field int, k [2]float64) []float64 {
	inPhase := w.newBlock()
	for _, of := range []func(float64) float64{math.Cos, math.Sin} {
		wave := make([]float64, w.n) // at the points
		for i, x := range w.points {
			wave[i] = of(k[0]*x[0] + k[1]*x[1])
		}
		answer := w.answer(field, wave)
		for i, v := range answer {
			inPhase[i] += v * wave[i/block] / amplitude
		}
	}
	return inPhase
}

// answer returns by how much the rest of a field changes if a small multiple of a wave is added to the field, as a block.
// It overwrites the stages of the step.
func (w *worker) answer(field int, wave []float64) []float64 {
	b := w.newBlock()
	for i := range b {
		b[i] = amplitude * wave[i/block] / float64(w.samples)
	}
	w.transform.Forward(b)
	for f := range w.stage {
		copy(w.stage[f], w.u[f])
	}
	add(w.stage[field], b)
	w.plan.rest(w.s2, w.stage)
	after := w.s2[field]
	for i, before := range w.image[field] {
		b[i] = after[i] - before
	}
	toValues := w.symbol(operator{}, 1i, nil) // images are -i times spectra
	w.transform.InverseOf(b, b, toValues)
	return b
}
