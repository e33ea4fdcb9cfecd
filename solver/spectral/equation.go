// Package spectral solves semilinear equations
//
//	u_t = L u + f + N(u),  u(0, .) = a,
//
// on the periodic interval and the periodic square, L diagonal and real on Fourier modes and f given: pseudospectral in
// space, integrating-factor Runge-Kutta of order four in time with the step chosen from a tolerance, eight trajectories
// side by side. An equation is a handful of lines: its symbol, its nonlinear term, and what its solutions cannot do.
package spectral

import (
	"fmt"
	"math"
	"math/cmplx"

	"rfm/solver/fft"
	"rfm/solver/grid"
)

// BlockSize is the number of trajectories that advance side by side, with one common step.
const BlockSize = 2 * fft.Lanes

// Wave is a wavenumber in radians, 2 pi k; its second component is zero on the interval.
type Wave [2]float64

// Equation says what a Solver solves, by Fourier coefficients on n points:
//
//	u_k' = L(k) u_k + f_k + i g(k) S_k/n,
//
// S the unnormalised transform of something that follows from u.
type Equation struct {
	Name       string  // in errors: "Burgers solver"
	Parameters string  // in errors: "nu=0.01"
	Remedy     string  // in errors, what to do if the grid does not resolve a solution: "raise data.grid"
	Tolerance  float64 // relative L2 error in time that a solution may have, > 0 unless the equation is linear

	Linear func(k Wave) float64 // L: modes decay where it is negative, grow where it is positive
	// g: even if S is odd in k, odd if it is even; what it is for Nyquist modes does not matter
	Factor func(k Wave) float64

	// Term returns a worker's own function that replaces the spectrum of u, a block in storage order, by S. nil means that
	// there is no nonlinear term; every step is then exact.
	Term func() func(block []float64)

	// Dealiased keeps only the wavenumbers below a third of the grid, so that products of two have no aliases among them.
	Dealiased bool

	// Force is f at a point of the unit interval or square, whose second coordinate counts on the square only; nil for
	// none.
	Force func(x [2]float64) float64

	// By the equation, the L2 norm obeys |u|' <= Growth |u| + |f|. Solutions that grow faster are refused.
	Growth float64

	// Tail is the share of the norm that the highest fifth of the wavenumbers may hold before a solution is refused as not
	// resolved, unless it held half as much at the beginning; 0 is 1e-5, which suits nonlinear equations: their errors are
	// some ten times as large.
	Tail float64

	// Rate is how fast the nonlinear term turns a wave, in radians a time, if that is known: no step is longer than what
	// is stable, and the phases of all waves that matter are right at the end. nil if it depends on the solution; steps
	// then find out.
	Rate func(k Wave) float64
}

// Transform is what is asked of a transform; *fft.Plan and *fft.Plan2 are such.
type Transform interface {
	N() int
	Forward(z []float64)
	Inverse(z []float64)
	Combine(dst, c, v, d, w []float64)
}

// Space is a periodic grid with its transform.
type Space struct {
	Domain    grid.Domain
	Points    int // along an axis, both ends counted
	transform Transform
	modes     [][2]int // k by position of a spectrum
}

// Line is the periodic interval with the plan's points.
func Line(plan *fft.Plan) Space {
	s := Space{Domain: grid.Torus, Points: plan.N() + 1, transform: plan}
	for _, k := range plan.Frequencies() {
		s.modes = append(s.modes, [2]int{k, 0})
	}
	return s
}

// Plane is the periodic square with the plan's points, as many along both axes.
func Plane(plan *fft.Plan2) Space {
	n1, n2 := plan.Shape()
	if n1 != n2 {
		panic(fmt.Sprintf("spectral: transform of %d x %d points, want a square", n1, n2))
	}
	return Space{Domain: grid.Torus2, Points: n1 + 1, transform: plan, modes: plan.Frequencies()}
}

// Waves are the wavenumbers by position of a spectrum.
func (s Space) Waves() []Wave {
	waves := make([]Wave, len(s.modes))
	for p, k := range s.modes {
		waves[p] = Wave{2 * math.Pi * float64(k[0]), 2 * math.Pi * float64(k[1])}
	}
	return waves
}

// Solver holds one equation on one grid. It is immutable; every goroutine needs its own Worker.
type Solver struct {
	Equation
	Space
	linear  []float64 // L(k) in storage order
	factor  []float64 // g(k)/n, 0 for modes that are not kept and for Nyquist modes
	isKept  []bool    // nil if all are
	isTail  []bool    // whether a mode belongs to the highest fifth of those kept, which a resolved solution leaves empty
	force   []forceMode
	push    float64   // L2 norm of the force
	rate    []float64 // in storage order, 0 for modes that are not kept; nil if not known
	fastest float64   // the largest one, 0 if not known
	lasts   bool      // whether errors do not fade, because nothing does or because growth or a force keeps solutions up
	ahead   float64   // how far ahead damping counts, see look; 0 if errors last
}

// New prepares the equation on a grid of at least 9 points along an axis.
func New(space Space, e Equation) *Solver {
	if space.Points < 9 || !(e.Tolerance > 0 || e.Term == nil && e.Tolerance >= 0) {
		panic(fmt.Sprintf("spectral: %s with tolerance %g on %s", e.Name, e.Tolerance, space.Domain.Grid(space.Points)))
	}
	if e.Tail == 0 {
		e.Tail = tailLimit
	}
	n := len(space.modes)
	s := &Solver{Equation: e, Space: space, linear: make([]float64, n), factor: make([]float64, n),
		isTail: make([]bool, n)}
	N, part := space.Points-1, 2 // wavenumbers below the part of the grid are kept
	if e.Dealiased {
		part, s.isKept = 3, make([]bool, n)
	}
	if e.Rate != nil {
		s.rate = make([]float64, n)
	}
	slowest := math.Inf(1)
	for p, wave := range space.Waves() {
		k := space.modes[p]
		highest := max(k[0], -k[0], k[1], -k[1])
		s.linear[p] = e.Linear(wave)
		if decay := -s.linear[p]; decay > 0 {
			slowest = min(slowest, decay)
		}
		kept := part*highest < N
		if kept && e.Term != nil {
			s.factor[p] = e.Factor(wave) / float64(n)
		}
		if kept && e.Rate != nil {
			s.rate[p] = e.Rate(wave)
			s.fastest = max(s.fastest, s.rate[p])
		}
		if e.Dealiased {
			s.isKept[p] = kept
		}
		s.isTail[p] = 5*part*highest > 4*N
	}
	s.setForce()
	s.lasts = e.Growth > 0 || s.push > 0 || math.IsInf(slowest, 1)
	if !s.lasts {
		s.ahead = maxDecay / (normShare * slowest)
	}
	return s
}

// Within is the solver with another tolerance, > 0. Linear equations are solved exactly whatever it is.
func (s *Solver) Within(tolerance float64) *Solver {
	if !(tolerance > 0) {
		panic(fmt.Sprintf("spectral: %s with tolerance %g", s.Name, tolerance))
	}
	other := *s
	if s.Term != nil {
		other.Tolerance = tolerance
	}
	return &other
}

// forceMode is a coefficient f_k that is not zero.
type forceMode struct {
	position int
	value    complex128
}

// setForce transforms the force. Coefficients that are rounding errors of others are left out.
func (s *Solver) setForce() {
	if s.Force == nil {
		return
	}
	n, N := len(s.linear), s.Points-1
	block := make([]float64, BlockSize*n)
	for i := range n {
		x := [2]float64{float64(i) / float64(N)}
		if s.Domain.Dims == 2 {
			x = [2]float64{float64(i/N) / float64(N), float64(i%N) / float64(N)}
		}
		f := s.Force(x)
		if !grid.Finite(f) {
			panic(fmt.Sprintf("spectral: the force of the %s is %g at %g", s.Name, f, x))
		}
		block[BlockSize*i] = f / float64(n)
	}
	s.transform.Forward(block)
	largest := 0.0
	for p := range n {
		largest = math.Max(largest, math.Hypot(block[BlockSize*p], block[BlockSize*p+fft.Lanes]))
	}
	for p := range n {
		value := complex(block[BlockSize*p], block[BlockSize*p+fft.Lanes])
		if size := cmplx.Abs(value); size > 1e-15*largest && (s.isKept == nil || s.isKept[p]) {
			s.force = append(s.force, forceMode{p, value})
			s.push = math.Hypot(s.push, size)
		}
	}
}

// Squares is the term of equations with u^2 in them: S is the transform of u^2.
func Squares(plan *fft.Plan) func() func(block []float64) {
	return func() func([]float64) {
		return func(block []float64) {
			plan.Inverse(block)
			plan.ForwardSquares(block)
		}
	}
}
