// This file watches a running solution for signs that it cannot be trusted.

package burgers

import (
	"fmt"
	"math"

	"rfm/solver/fft"
)

const (
	// energyGrowth is how much the L2 norm may grow in relative terms before the solution is refused: by the equation
	// it never grows, time steps add at most the tolerance and rounding.
	energyGrowth = 1e-9
	// tailLimit is the share of the norm that the highest fifth of the wavenumbers may hold, beyond what the initial
	// condition puts there. TestUnderResolution compares it with the true error.
	tailLimit = 1e-5
)

// monitor compares the solution with what the equation allows.
type monitor struct {
	worker *Worker
	norm   [fft.Lanes]float64 // L2 norm of the lane's two functions at the last look
	tail   [fft.Lanes]float64 // tail of the initial condition, relative to its norm
}

func newMonitor(w *Worker) *monitor {
	m := &monitor{worker: w}
	m.norm, m.tail = w.spectrum()
	return m
}

// spectrum returns, per lane, the norm of the two functions and the share of it in the tail.
func (w *Worker) spectrum() (norm, tail [fft.Lanes]float64) {
	for p, isTail := range w.solver.isTail {
		u := at(w.u, p)
		for l := range fft.Lanes {
			e := u[l]*u[l] + u[l+fft.Lanes]*u[l+fft.Lanes]
			norm[l] += e
			if isTail {
				tail[l] += e
			}
		}
	}
	for l := range fft.Lanes {
		if norm[l] > 0 {
			tail[l] = math.Sqrt(tail[l] / norm[l])
		}
		norm[l] = math.Sqrt(norm[l])
	}
	return norm, tail
}

func (m *monitor) observe(label string, t float64) error {
	norm, tail := m.worker.spectrum()
	for l := range fft.Lanes {
		if math.IsNaN(norm[l]) || math.IsInf(norm[l], 0) {
			return m.worker.fault(label, t, "is not finite", "raise data.grid or the viscosity")
		}
		if norm[l] > m.norm[l]*(1+energyGrowth+m.worker.solver.tolerance) {
			return m.worker.fault(label, t, fmt.Sprintf("gained energy, which the equation forbids (L2 norm %.9g after %.9g)", norm[l], m.norm[l]),
				"the grid does not resolve it: raise data.grid or the viscosity")
		}
		if tail[l] > tailLimit && tail[l] > 2*m.tail[l] {
			return m.worker.fault(label, t, fmt.Sprintf("is not resolved by the grid (the highest fifth of the wavenumbers holds %.1g of its norm, at most %.0g is accepted)", tail[l], tailLimit),
				"raise data.grid or the viscosity")
		}
	}
	m.norm = norm
	return nil
}
