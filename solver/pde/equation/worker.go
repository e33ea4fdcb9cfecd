package equation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/solver/num/fft"
	"rfm/solver/num/phi"
	"rfm/solver/space/grid"
)

const (
	// tailLimit is the largest share of the norm of a solution in the highest fifth of the modes; beyond it the solution
	// is not resolved, unless the share was half as large initially. Errors are some ten times the share. linearTail is
	// the limit for linear equations: modes do not interact, and errors are of the size of the tail.
	tailLimit  = 1e-5
	linearTail = 1e-3
	// least is the share of its initial norm that a solution must keep: rounding errors of decayed modes are 1e-16.
	least = 1e-12
	// most bounds the growth of the norm beyond 1.
	most       = 1e6
	firstSteps = 128 // over the whole time; corrected at once if it is wrong
	maxSteps   = 200_000
	rungs      = 8 // a factor of two in the step
	// After so many steps, those of a solution that would need too many are chosen for the error of the grid: see relax.
	relaxAfter = 4096
	// tableBytes bounds the memory of the tables in the cache.
	tableBytes = 16 << 20
)

// worker integrates blocks of trajectories. It reuses its memory and must not be used concurrently.
type worker struct {
	*evolution
	plan *plan
	u, image, next, nextImage,
	stage, s2, s3, s4 [][]float64 // spectra by field: the solution, normalised; -i times the rest; candidates; stages
	initial          *plan                // from input to the initial values
	input            []float64            // a block of a
	starts           [][]float64          // blocks of the initial values by field
	physical         []float64            // values of a field
	time             float64              // to the last output
	left             float64              // time before the next output, of the weights; negative without weights
	weights          [maxField][]float64  // four for each mode, of Transform.Estimate
	weighted         *tables              // of the weights; nil: none
	frames           [][]frame            // of the modes, by part and position
	hasFrame         bool                 // whether a mode is not still: bends have their own weights then
	bendWeights      [maxField][]float64  // as weights, of the bends alone
	inFrame          [][]float64          // the rest at the end of a step in the frames, times its factors
	sums             fft.Sums             // of Transform.Estimate
	reached          float64              // the time up to which the last solution went
	written          int                  // outputs of the last solution
	steps            int                  // of the last solution, rejected ones included
	tolerance        float64              // of this solution: see relax
	equal            int                  // equal steps at an infinite tolerance; 0: as the tolerance requires
	m                phi.Matrix           // the symbol, in setModes
	f, g             [4]phi.Matrix        // phi functions of it, over a step and half a step
	split            [maxField][2]float64 // diffusion along x and y moved from the rest to the tables
	tables           *tables
	cache            []*tables // oldest first, for cacheTime
	ended            bool      // whether the newest tables are of a step that ends at an output
	cacheTime        float64
	label            string             // of the block, in errors
	first, firstTail [fft.Lanes]float64 // norms and tails of the initial values
	begun            [fft.Lanes]float64 // squares of the norms of fields that are no velocities, of the initial values
}

// newWorker compiles the system and allocates the memory for one block.
func (s *evolution) newWorker() *worker {
	if s.err != nil { // Solve returns it
		return &worker{evolution: s}
	}
	w := &worker{
		evolution: s,
		plan:      s.compile(),
		initial:   s.newPlan(),
		input:     s.newBlock(),
		physical:  s.newBlock(),
		u:         s.newSpectra(),
		image:     s.newSpectra(),
		next:      s.newSpectra(),
		nextImage: s.newSpectra(),
		stage:     s.newSpectra(),
		s2:        s.newSpectra(),
		s3:        s.newSpectra(),
		s4:        s.newSpectra(),
		starts:    s.newSpectra(),
		inFrame:   s.newSpectra(),
	}
	for i := range s.rows {
		w.weights[i] = make([]float64, 4*s.n)
		w.bendWeights[i] = make([]float64, 4*s.n)
	}
	for range s.parts {
		w.frames = append(w.frames, make([]frame, s.n))
	}
	w.initial.blocks[inputKey] = w.input
	for i, value := range s.values {
		w.initial.compute(value, w.starts[i])
	}
	if s.Coefficient != "" {
		w.starts[len(s.Fields)] = w.input
	}
	return w
}

// newSpectra returns a block of zeros for each field.
func (s *evolution) newSpectra() [][]float64 {
	spectra := make([][]float64, len(s.rows))
	for i := range spectra {
		spectra[i] = s.newBlock()
	}
	return spectra
}

// setStep takes the tables of a step from the cache or computes them. Those of a step that ends at an output
// give their memory to the next ones, since they hardly recur.
func (w *worker) setStep(h float64, ends bool) {
	for _, known := range w.cache {
		if math.Abs(h-known.step) <= 1e-13*h { // equal up to rounding
			w.tables = known
			return
		}
	}
	reusesNewest := w.ended && len(w.cache) > 0
	if !reusesNewest {
		bytes := 8 * w.n * (2 + 2*tableCount*len(w.rows)) * len(w.rows)
		kept := max(1, tableBytes/bytes)
		excess := max(0, len(w.cache)+1-kept)
		w.cache = append(slices.Delete(w.cache, 0, excess), &tables{})
	}
	w.tables = w.cache[len(w.cache)-1]
	w.tables.step = h
	w.ended = ends
	w.weighted = nil
	for part := range w.parts {
		for p, q := range w.mirror {
			partner := w.partnerOf(part, p)
			isFirst := p <= q && p <= partner // else its tables are those of its mirror or of its partner
			if isFirst {
				w.setModes(part, p, partner)
			}
		}
	}
}

// partnerOf returns the position with the tables of a position, but for the factors of the rest: that position itself if there is
// no other.
func (w *worker) partnerOf(part, p int) int {
	if w.partner == nil {
		return p
	}
	other := w.partner[p]
	if w.frames[part][p] != w.frames[part][other] {
		return p
	}
	for _, split := range w.split {
		if split[0] != split[1] {
			return p
		}
	}
	return other
}

// begin transforms the initial values to normalised coefficients of u_l + i u_(l+Lanes), probes the rest for its
// diffusion, and evaluates it.
func (w *worker) begin() error {
	for i, u := range w.u {
		p := w.paritiesOfField(i)
		normalised := w.symbol(operator{}, complex(1/float64(w.samples), 0), nil)
		copy(u, w.starts[i])
		w.forward(u, p)
		w.transform.Multiply(u, u, w.fromValues(normalised, p))
	}
	w.begun = w.squares(false)[1]
	w.first, w.firstTail = w.spectrum()
	if !grid.Finite(w.first[:]...) {
		e := w.fail(0, "is not finite", "check the initial values")
		e.cause = notFinite
		return e
	}
	if err := w.setSplit(); err != nil {
		return err
	}
	w.plan.rest(w.image, w.u)
	if slices.ContainsFunc(w.image, func(b []float64) bool { return !grid.Finite(b...) }) {
		e := w.fail(0, "has no rate of change that is finite", outOfRange)
		e.cause = notFinite
		return e
	}
	return nil
}

// outOfRange is what to do about rates that are not finite.
const outOfRange = "begin within the range of each quotient, log, sqrt and power, as with equation.initial = \"" + positiveValues + "\" " +
	"for one field, and 1 for others"

// onPoints returns a block of the values of a field, valid until the next call.
func (w *worker) onPoints(field int) []float64 {
	if w.reflected == nil {
		copy(w.physical, w.u[field])
		w.transform.Inverse(w.physical)
		return w.physical
	}
	p := w.paritiesOfField(field)
	w.inverseOf(w.physical, w.u[field], w.toValues(w.symbol(operator{}, 1, nil), p), p)
	return w.physical
}

// pace is the size of the steps of one solution. Steps are T 2^(-rung/rungs), whose tables are cached, except for at most
// two equal ones before each output.
type pace struct {
	rung    float64
	lowest  float64 // rung, of the longest step
	decided float64 // the shortest step from which frames were chosen after it was rejected
}

// firstPace returns the pace with which a solution begins.
func (w *worker) firstPace() pace {
	steps := firstSteps
	if w.equal > 0 {
		steps = w.equal
	}
	p := pace{
		rung:    rungs * math.Log2(float64(steps)),
		lowest:  math.Inf(-1),
		decided: math.Inf(1),
	}
	if w.clock || w.equal > 0 { // a long step would miss a pulse
		p.lowest = p.rung
	}
	if w.exact {
		p.rung = 0
	}
	return p
}

// step returns the step of a rung.
func (w *worker) step(rung float64) float64 { return w.time * math.Exp2(-rung/rungs) }

// rungFor returns the rung of the step that is as long as an estimate for the step h allows, by a scheme of order four.
func (w *worker) rungFor(h, estimate float64) float64 {
	longest := h * 0.9 * math.Pow(math.Max(estimate, 1e-12), -0.25)
	return rungs * math.Log2(w.time/longest)
}

// advance solves up to the last of the times, which increase, and calls at for each. Trajectories share their steps, so
// the last digits of a function, below the tolerance, depend on the others of the block. Errors are *fault.Numerical and
// the error of ctx.
func (w *worker) advance(ctx context.Context, times []float64, label string, at func(j int)) error {
	w.steps = 0
	w.written = 0
	w.reached = 0
	w.left = -1
	w.time = times[len(times)-1]
	w.label = label
	w.tolerance = w.Problem.Tolerance
	if w.cacheTime != w.time {
		w.cache = nil
		w.cacheTime = w.time
	}
	if err := w.begin(); err != nil {
		return err
	}
	if w.equal == 0 {
		w.forgetFrames()
	}
	pace := w.firstPace()
	t := 0.0
	for j, end := range times {
		for t < end {
			if err := ctx.Err(); err != nil {
				return err
			}
			if w.steps >= w.maxSteps {
				return w.failSlow(t)
			}
			if w.steps == relaxAfter && w.equal == 0 {
				w.relax(t)
			}
			w.budget.spend(w.workOfStep())
			after, err := w.tryStep(&pace, t, end)
			if err != nil {
				return err
			}
			isAccepted := after > t
			t = after
			if !isAccepted || w.equal > 0 {
				continue
			}
			if err := w.observe(t); err != nil {
				return err
			}
		}
		at(j)
		w.written = j + 1
	}
	return nil
}

// tryStep takes one step from t towards the output at the time end, and sets the pace by its estimate. It returns the time
// after the step: t if the step was rejected.
func (w *worker) tryStep(pace *pace, t, end float64) (after float64, err error) {
	left := end - t
	h := w.step(pace.rung)
	n := math.Ceil(left / h * (1 - 1e-12))
	endsAtOutput := n <= 2
	if endsAtOutput {
		h = left / n
	}
	w.setStep(h, endsAtOutput && !w.exact)
	w.weigh(left)
	estimate := w.try()
	w.steps++
	isAccepted := estimate <= 1 // NaN is not
	if w.chooseFramesAfter(pace, h, estimate) && !isAccepted {
		return t, nil // the same step, with other frames
	}
	wanted := w.rungFor(h, estimate)
	if !isAccepted {
		pace.rung = math.Min(math.Ceil(wanted), pace.rung+2*rungs)
		if math.IsNaN(estimate) || math.IsInf(estimate, 0) {
			pace.rung += 3 * rungs
		}
		if h < end*1e-9 || math.IsNaN(pace.rung) {
			return t, w.failStuck(t)
		}
		return t, nil
	}
	w.u, w.next = w.next, w.u
	w.image, w.nextImage = w.nextImage, w.image
	after = t + h
	if h == left {
		after = end
	}
	w.reached = after
	next := math.Ceil(wanted)
	isWhole := h >= w.step(pace.rung)*(1-1e-9) // else it was short because of the output
	if next > pace.rung || isWhole && next < pace.rung {
		pace.rung = max(next, pace.rung-rungs, pace.lowest)
	}
	return after, nil
}

// chooseFramesAfter chooses frames for the modes after some steps, and after rejected ones that are shorter than those
// before. It reports whether they changed.
func (w *worker) chooseFramesAfter(pace *pace, h, estimate float64) bool {
	if w.equal > 0 || math.IsNaN(estimate) {
		return false
	}
	isRejected := estimate > 1
	isPowerOfTwo := w.steps&(w.steps-1) == 0
	isDue := isPowerOfTwo || w.steps%frameEvery == 0 || isRejected && h < pace.decided
	if !isDue {
		return false
	}
	if isRejected {
		pace.decided = 0.7 * h
	}
	if !w.chooseFrames() {
		return false
	}
	w.cache = nil
	w.weighted = nil
	return true
}

// failSlow returns the error of a solution that needs too many steps.
func (w *worker) failSlow(t float64) error {
	do := "raise equation.tolerance, lower equation.time, or make the stiffest term smaller"
	if !w.isReal { // short waves turn fastest
		do = "make inputs smoother, as with input.alpha=8, raise equation.tolerance, or lower equation.time"
	}
	return w.fail(t, fmt.Sprintf("needs more than %d time steps, the limit", w.maxSteps), do)
}

// failStuck returns the error of a solution of which no step is accepted.
func (w *worker) failStuck(t float64) error {
	if g := w.growth(t); g != nil {
		return w.failGrowing(t, g)
	}
	return w.fail(t, "has no step that is small enough", w.advice(t)+", or lower input.scale")
}

// relax raises the tolerance of a solution that would need too many steps to the share of the highest modes in its norm. The grid
// makes an error some ten times as large anyway: rough waves turn so fast that steps for a smaller one are steps for waves that
// it does not hold.
func (w *worker) relax(t float64) {
	needsTooMany := float64(w.steps)*w.time > maxSteps*t
	if !needsTooMany {
		return
	}
	_, tail := w.spectrum()
	w.tolerance = math.Max(w.tolerance, slices.Min(tail[:]))
}

// observe checks that the solution is reliable after an accepted step.
func (w *worker) observe(t float64) error {
	norm, tail := w.spectrum()
	for l, first := range w.first {
		switch {
		case !grid.Finite(norm[l]):
			return w.fail(t, "is not finite", "a function such as log or a quotient may leave its range")
		case norm[l] > most*(first+1):
			if w.unexplained {
				return w.fail(t, "grows without bound", "")
			}
			return w.failGrowing(t, w.largest(t))
		case norm[l] < least*first:
			what := fmt.Sprintf("has decayed to rounding errors (%.1g of its initial norm, at least %.0g is needed)",
				norm[l]/first, least)
			return w.fail(t, what, fmt.Sprintf("set equation.time to %.1g", decaysUntil(norm[l]/first, t)))
		case tail[l] > w.tail && tail[l] > 2*w.firstTail[l]:
			if g := w.growth(t); g != nil {
				return w.failGrowing(t, g)
			}
			what := fmt.Sprintf("is not resolved by the grid (the highest fifth of the wavenumbers holds %.1g of its "+
				"norm, at most %.0g is accepted)", tail[l], w.tail)
			return w.fail(t, what, w.advice(t))
		}
	}
	return nil
}

// decaysUntil returns the time at which a solution still has a millionth of its initial norm, which has decayed to a share of
// it by t.
func decaysUntil(share, t float64) float64 {
	const left = 1e-6
	return t * math.Log(left) / math.Log(math.Max(share, 1e-300))
}

// spectrum returns, per lane, the norm of its two functions in all fields, and the share of it in the tail of those that are
// no velocities: these are rougher than their fields by nature, and are not what is asked for. Fields with velocities pass
// through zero, so that their share is that in the norm with which they began, if that is larger.
func (w *worker) spectrum() (norm, tail [fft.Lanes]float64) {
	const least = 1e-3 // of the velocities, if the fields begin with zero
	fields := w.squares(false)
	velocities := w.squares(true)
	for l := range fft.Lanes {
		size := fields[1][l]
		if velocities[1][l] > 0 {
			size = max(size, w.begun[l], least*least*velocities[1][l])
		}
		tail[l] = fields[2][l]
		if size > 0 {
			tail[l] = math.Sqrt(fields[2][l] / size)
		}
		norm[l] = math.Sqrt(fields[1][l] + velocities[1][l])
	}
	return norm, tail
}

// squares returns the sums of Transform.Estimate with the shares of norm and tail over the velocities, or over the other
// fields.
func (w *worker) squares(ofVelocities bool) fft.Sums {
	w.sums = fft.Sums{}
	for f, u := range w.u[:len(w.Fields)] {
		if w.isVelocity(f) == ofVelocities {
			w.transform.Squares(&w.sums, w.shares, u)
		}
	}
	return w.sums
}
