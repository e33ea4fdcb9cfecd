// This file rejects equations whose shortest waves grow fastest, by their symbols.

package equation

import (
	"math"
	"slices"

	"rfm/solver/num/phi"
)

// growthRates are those of the waves on the grid.
type growthRates struct {
	long    float64 // the largest of waves up to half of the highest wavenumber
	short   float64 // the largest of the others
	slowest float64 // the slowest decay; infinite if none decays
}

// growth returns the growth rates by the symbols.
func (s *evolution) growth() growthRates {
	rates := growthRates{
		long:    math.Inf(-1),
		short:   math.Inf(-1),
		slowest: math.Inf(1),
	}
	var symbol phi.Matrix
	for p, wavenumber := range s.highest {
		isSeen := s.mirror[p] < p || s.partner != nil && s.partner[p] < p
		if wavenumber > s.limit || isSeen {
			continue
		}
		isShort := 2*wavenumber > s.limit
		for _, fields := range s.parts {
			s.at(&symbol, fields, p)
			rate := symbol.Growth(len(fields))
			if rate < 0 {
				rates.slowest = min(rates.slowest, -rate)
			}
			if isShort {
				rates.short = max(rates.short, rate)
			} else {
				rates.long = max(rates.long, rate)
			}
		}
	}
	return rates
}

// undamped returns the order of the highest linear derivatives in row i that do not damp its own field, and where they
// stand. Odd derivatives of the own field count as neutral: they move waves.
func (s *evolution) undamped(i int) (order, at int) {
	for _, t := range s.rows[i].linear {
		n := t.op.order()
		isOwn := t.field == i
		isNeutral := isOwn && (n%2 != 0 || t.damps())
		if n > order && !isNeutral {
			order = n
			at = t.at
		}
	}
	return order, at
}

// checkGrowth fails for symbols whose growth rate increases with the wavenumber, and finds the slowest decay.
func (s *evolution) checkGrowth() {
	rates := s.growth()
	grows := max(rates.long, rates.short) > 0
	decays := !math.IsInf(rates.slowest, 1)
	isForced := slices.ContainsFunc(s.rows, func(r row) bool { return r.constant != nil })
	s.lasts = grows || !decays || isForced || len(s.rows) > 1 || s.centred
	growsFaster := rates.short > 1.2*max(rates.long, 0)
	isIllPosed := growsFaster && rates.short > 1e-9
	if isIllPosed {
		s.failIllPosed(rates.short)
	}
	if len(s.rows) == 1 {
		s.ahead = maxDecay / (normShare * rates.slowest)
	}
}

// failIllPosed fails because short waves grow at a rate, in the first row that does not damp its own, or else in the last.
func (s *evolution) failIllPosed(rate float64) {
	for i, r := range s.rows {
		order, at := s.undamped(i)
		isLast := i == len(s.rows)-1
		r.failIf(order > 0 || isLast, at,
			"change its sign, or add damping of higher order that the grid reaches",
			"short waves grow without bound (e^%.2gt at the grid's shortest): the equation is ill-posed", rate)
	}
}
