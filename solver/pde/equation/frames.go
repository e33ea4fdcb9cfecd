// This file decides how the rest of a mode that turns is integrated. If the rest changes slowly, as that of a soliton
// does, the exponential scheme is best: it takes the rest for a polynomial in time. The rest of rough waves turns with
// the mode, because short waves ride on long ones; then it is slow in the frame that turns, and the classical scheme in
// that frame (Lawson's) takes steps up to thirty times as long. Both have the nodes 0, h/2, h/2 and h, so a step may
// have modes of either kind.

package equation

import (
	"math"

	"rfm/solver/num/fft"
)

// frame says how a mode that turns is integrated.
type frame byte

const (
	still   frame = iota // the rest is slow as it stands; also of modes that decay
	turned               // the rest is slow in the frame of the mode
	blurred              // as turned, but it is not slow there either: its errors have changing signs
)

// The constants of the choice, from measurements on Korteweg-de Vries, Schroedinger, wave and transport equations with
// smooth and rough inputs. Ratios are of squares over a step.
const (
	enterRatio  = 16.     // by which the rest must bend less in the frame for a mode to enter it
	lateRatio   = 2.      // the same after lateSteps, because long runs gain from every mode
	leaveRatio  = 4.      // by which it must bend more for a mode to leave it
	blurRatio   = 1. / 16 // of the bend to the rest, above which a mode is blurred
	leastEffect = 0.01    // of the tolerance, below which the rest of a mode may have any frame
	lateSteps   = 256
	frameEvery  = 32 // steps between choices
)

// chooseFrames decides for each mode that turns, from the last step that was tried, and reports whether a decision
// changed. The rest bends less in the better frame.
func (w *worker) chooseFrames() (changed bool) {
	if w.isReal { // no mode turns
		return false
	}
	norm := 0.0
	for _, v := range w.sums[1] {
		norm += v
	}
	least := norm * math.Pow(leastEffect*w.tolerance/w.time, 2)
	enter := enterRatio
	if w.steps > lateSteps {
		enter = lateRatio
	}
	w.hasFrame = false
	for part, fields := range w.parts {
		for p, q := range w.mirror {
			if q < p || w.highest[p] > w.limit {
				continue
			}
			trace := w.coupled(fields, p)
			if !turning(&w.m, len(fields), trace, w.m.Norm(len(fields))) {
				continue
			}
			b := w.bent(fields, p)
			if q != p {
				b.add(w.bent(fields, q))
			}
			was := w.frames[part][p]
			now := was
			switch {
			case math.Max(b.still, b.turned) < least:
			case enter*b.turned < b.still:
				now = turned
			case b.turned > leaveRatio*b.still:
				now = still
			}
			if now != still {
				now = turned
				if b.turned > blurRatio*b.size {
					now = blurred
				}
				w.hasFrame = true
			}
			changed = changed || now != was
			w.frames[part][p] = now
			w.frames[part][q] = now
		}
	}
	return changed
}

// forgetFrames returns all modes to the frame that does not turn.
func (w *worker) forgetFrames() {
	if !w.hasFrame {
		return
	}
	w.hasFrame = false
	w.cache = nil
	for _, frames := range w.frames {
		clear(frames)
	}
}

// bending holds squares of the rest of a mode over a step: of its second difference as it stands and in the frame, and
// of the rest itself.
type bending struct{ still, turned, size float64 }

func (b *bending) add(c bending) {
	b.still += c.still
	b.turned += c.turned
	b.size += c.size
}

// bent returns the bending of the rest of coupled fields at a position over the last step.
func (w *worker) bent(fields []int, p int) (b bending) {
	square := func(v complex128) float64 { return real(v)*real(v) + imag(v)*imag(v) }
	entry := func(table []float64) complex128 {
		if table == nil {
			return 0
		}
		return complex(table[2*p], table[2*p+1])
	}
	for l := range fft.Lanes {
		value := func(b []float64) complex128 {
			at := 2*fft.Lanes*p + l
			return complex(b[at], b[at+fft.Lanes])
		}
		for _, row := range fields {
			factor := w.plan.factor[row][p]
			last := factor * value(w.nextImage[row])
			inFrame := last
			for _, column := range fields {
				factor := w.plan.factor[column][p]
				inFrame += entry(w.tables.m[whole][row][column]) * factor * value(w.image[column])
				inFrame -= 2 * entry(w.tables.m[half][row][column]) * factor * value(w.s3[column])
			}
			b.still += square(last + factor*(value(w.image[row])-2*value(w.s3[row])))
			b.turned += square(inFrame)
			b.size += square(last)
		}
	}
	return b
}

// addBends adds the bends of the rest in the frames of the modes to the sums of the estimate.
func (w *worker) addBends() {
	w.join(w.s2, tabled{frameU, w.image})
	w.join(w.stage, tabled{frameB, w.s3})
	w.join(w.inFrame, tabled{frameC, w.nextImage})
	for i, last := range w.inFrame {
		w.transform.Estimate(&w.sums, w.bendWeights[i], fft.Step{
			U:      last, // has the weight 0, as the others but the bend
			Last:   last,
			Next:   last,
			First:  w.s2[i],
			Middle: w.stage[i],
		})
	}
}
