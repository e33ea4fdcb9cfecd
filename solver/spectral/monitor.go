package spectral

import (
	"fmt"
	"math"

	"rfm/solver/fft"
)

const (
	// energyGrowth is how much the L2 norm may grow in relative terms beyond what the equation allows before the solution
	// is refused: time steps add at most the tolerance and rounding.
	energyGrowth = 1e-9
	// tailLimit is an equation's Tail if it does not say. TestUnderResolution of package burgers compares it with the true
	// error.
	tailLimit = 1e-5
	// least is the share of its initial norm that a solution must keep: rounding errors of the modes that decayed are some
	// 1e-16, and those that do not decay keep them.
	least = 1e-12
	// growthSteps is the number of accepted steps over which the norm may grow by that much.
	growthSteps = 4
)

// monitor compares the solution after every accepted step with what the equation allows, so what it refuses depends on
// the solution alone. With a tolerance far above its limit the tail is one of the solution's errors: steps may be too
// long to follow its peak, and then a grid is accepted that a small tolerance refuses.
type monitor struct {
	worker *Worker
	steps  int
	bound  [fft.Lanes]float64 // on the L2 norm of the lane's two functions, by what it was growthSteps steps ago at most
	tail   [fft.Lanes]float64 // tail of the initial condition, relative to its norm
	first  [fft.Lanes]float64 // norm of it
}

func newMonitor(w *Worker) *monitor {
	m := &monitor{worker: w}
	m.first, m.tail = w.spectrum()
	m.bound = m.first
	return m
}

// spectrum returns, per lane, the norm of the two functions and the share of it in the tail. As for the error estimate,
// their sum stands for both: beside a large function that is resolved, the tail of a small one counts less. A small
// function is nearly linear, though, and the integrating factor solves the linear equation exactly on any grid and with
// any step. In tests with amplitudes 1 to 100 apart the errors of the smaller one stayed below the tolerance:
// TestSmallFunctionInALane.
func (w *Worker) spectrum() (norm, tail [fft.Lanes]float64) {
	var n0, n1, n2, n3, t0, t1, t2, t3 float64
	for p, isTail := range w.solver.isTail {
		u := at(w.u, p)
		e0, e1, e2, e3 := u[0]*u[0]+u[4]*u[4], u[1]*u[1]+u[5]*u[5], u[2]*u[2]+u[6]*u[6], u[3]*u[3]+u[7]*u[7]
		n0, n1, n2, n3 = n0+e0, n1+e1, n2+e2, n3+e3
		if isTail {
			t0, t1, t2, t3 = t0+e0, t1+e1, t2+e2, t3+e3
		}
	}
	norm, tail = [fft.Lanes]float64{n0, n1, n2, n3}, [fft.Lanes]float64{t0, t1, t2, t3}
	for l := range fft.Lanes {
		if norm[l] > 0 {
			tail[l] = math.Sqrt(tail[l] / norm[l])
		}
		norm[l] = math.Sqrt(norm[l])
	}
	return norm, tail
}

func (m *monitor) observe(label string, t float64) error {
	s := m.worker.solver
	norm, tail := m.worker.spectrum()
	grown, pushed := math.Exp(s.Growth*m.worker.step), math.Sqrt2*s.push*m.worker.step // by the forces on both functions
	for l := range fft.Lanes {
		m.bound[l] = m.bound[l]*grown + pushed
		if math.IsNaN(norm[l]) || math.IsInf(norm[l], 0) {
			return m.worker.fault(label, t, "is not finite", s.Remedy)
		}
		if norm[l] > m.bound[l]*(1+energyGrowth+s.Tolerance) {
			return m.worker.fault(label, t, fmt.Sprintf("gained energy, which the equation forbids (L2 norm %.9g, at most %.9g)",
				norm[l], m.bound[l]),
				"the grid does not resolve it: "+s.Remedy)
		}
		if norm[l] < least*m.first[l] {
			return m.worker.fault(label, t,
				fmt.Sprintf("has decayed to rounding errors (%.1g of its initial norm, at least %.0g is needed)",
					norm[l]/m.first[l], least), "lower the time")
		}
		if tail[l] > s.Tail && tail[l] > 2*m.tail[l] {
			return m.worker.fault(label, t,
				fmt.Sprintf("is not resolved by the grid (the highest fifth of the wavenumbers holds %.1g of its norm, at most "+
					"%.0g is accepted)", tail[l], s.Tail),
				s.Remedy)
		}
	}
	if m.steps++; m.steps%growthSteps == 0 {
		m.bound = norm
	}
	return nil
}
