// This file finds the times at which values of conditions and forces jump, at which steps end.

package equation

import (
	"math"
	"slices"
)

// jumpTimes returns the times before the end at which a function of t alone inside H, sign, abs, max or min changes its
// sign, in increasing order.
func (s *evolution) jumpTimes(end float64) []float64 {
	var switches []poly
	var visit func(p poly)
	visit = func(p poly) {
		for _, t := range p {
			for _, f := range t.factors {
				isSwitch := f.name == "H" || f.name == "sign" || f.name == "abs"
				if isSwitch && s.isOfTime(f.arg) {
					switches = append(switches, f.arg)
				}
				visit(f.arg)
			}
		}
	}
	for _, c := range s.conditions {
		visit(c.value)
	}
	for _, r := range s.rows[:len(s.Fields)] {
		for _, q := range r.rest {
			visit(poly{q.term})
		}
	}
	const samples = 4096
	var times []float64
	for _, p := range switches {
		at := func(t float64) float64 { return p.evaluate(func(*atom) float64 { return t }) }
		for i := range samples {
			low := end * float64(i) / samples
			high := end * float64(i+1) / samples
			if at(low)*at(high) > 0 {
				continue
			}
			for range 60 {
				if middle := (low + high) / 2; at(low)*at(middle) > 0 {
					low = middle
				} else {
					high = middle
				}
			}
			if high > 1e-12*end && high < end*(1-1e-12) {
				times = append(times, high)
			}
		}
	}
	slices.Sort(times)
	return slices.CompactFunc(times, func(a, b float64) bool { return math.Abs(b-a) < 1e-9*end })
}

// isOfTime reports whether an expression depends on time, and on nothing else.
func (s *evolution) isOfTime(p poly) bool {
	depends := false
	for _, t := range p {
		if t.has(func(a *atom) bool { return a.kind != funcAtom && !s.isTime(a) }) {
			return false
		}
		depends = depends || t.has(s.isTime)
	}
	return depends
}

// stop is a time at which steps end: of an output, or of a jump.
type stop struct {
	time   float64
	output bool
}

// stops returns the times at which steps end up to the last output.
func (s *evolution) stops(times []float64) []stop {
	var all []stop
	for _, t := range times {
		all = append(all, stop{t, true})
	}
	for _, t := range s.jumpTimes(times[len(times)-1]) {
		if !slices.ContainsFunc(times, func(u float64) bool { return math.Abs(u-t) < 1e-12 }) {
			all = append(all, stop{t, false})
		}
	}
	slices.SortStableFunc(all, func(a, b stop) int {
		if a.time < b.time {
			return -1
		}
		if a.time > b.time {
			return 1
		}
		return 0
	})
	return all
}
