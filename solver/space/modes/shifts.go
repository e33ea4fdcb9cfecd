package modes

import (
	"math"

	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// Shift is the map of functions of one channel
//
//	f -> (G f)(x + (Down, Across)),
//
// where G smooths by a Gaussian of some width. Lengths are in units of the first axis; there is no Down for functions of
// one variable.
type Shift struct {
	Down   float64
	Across float64
	Width  float64 // standard deviation of the Gaussian; +Inf: the mean of the function, wherever x is
}

// Shifts are several such maps of functions on one grid. They are diagonal in Fourier space, which takes one transform
// of a function and a fraction of one for each map: functions on closed domains are continued evenly to twice the
// length. They are immutable and safe for concurrent use.
type Shifts struct {
	count    int
	columns  int         // points along the last axis of a function
	distinct [2]int      // points along both axes that do not repeat others
	extended [2]int      // points of the continuation; the first is 1 for functions of one variable
	source   []int       // for each point of the continuation the point of a function that has its value
	plan     *fft.Plan   // of the continuation
	factors  [][]float64 // blocks of package fft: the spectra of eight maps each, over the number of points
}

// together is the number of maps in a block of package fft.
const together = 2 * fft.Lanes

// NewShifts prepares maps of functions on a grid.
func NewShifts(domain grid.Domain, points int, all []Shift) *Shifts {
	rows, columns := domain.Axes(points)
	s := &Shifts{count: len(all), columns: columns}
	down := continued(domain, rows)
	across := continued(domain, columns)
	s.distinct = [2]int{distinct(domain, rows), distinct(domain, columns)}
	s.extended = [2]int{len(down), len(across)}
	for _, i := range down {
		for _, j := range across {
			s.source = append(s.source, i*columns+j)
		}
	}
	rowsOfPlan := len(down)
	if domain.Dims == 1 {
		rowsOfPlan = 0
	}
	s.plan = fft.On(rowsOfPlan, len(across))
	unit := float64(domain.Intervals(points)) // points in the unit of length
	for first := 0; first < len(all); first += together {
		some := all[first:min(first+together, len(all))]
		s.factors = append(s.factors, s.block(some, unit))
	}
	return s
}

// block returns the spectra of at most eight maps as a block of package fft.
func (s *Shifts) block(maps []Shift, unit float64) []float64 {
	block := make([]float64, together*s.plan.N())
	for q, k := range s.plan.Frequencies() {
		position := block[together*q:]
		for l, shift := range maps {
			factor := s.factor(shift, k, unit)
			Pack(position, l, real(factor), imag(factor))
		}
	}
	return block
}

// continued returns, for each point along an axis of the periodic continuation, the point of the function there.
func continued(domain grid.Domain, points int) []int {
	period := points - 1
	mirror := 0 // point j >= points of the continuation is point mirror - j
	switch {
	case points == 1: // the first axis of functions of one variable
		period = 1
	case domain.Cells:
		period = 2 * points
		mirror = period - 1
	case !domain.Periodic:
		period = 2 * (points - 1)
		mirror = period
	}
	source := make([]int, period)
	for j := range source {
		source[j] = j
		if j >= points {
			source[j] = mirror - j
		}
	}
	return source
}

// distinct returns the number of points along an axis that do not repeat others.
func distinct(domain grid.Domain, points int) int {
	if domain.Periodic && points > 1 {
		return points - 1
	}
	return points
}

// factor returns the eigenvalue of a shift for a frequency, over the number of points of the continuation.
func (s *Shifts) factor(shift Shift, k [2]int, unit float64) complex128 {
	if s.extended[0] == 1 { // plans of one axis have its frequency first
		k = [2]int{0, k[0]}
	}
	value := complex(1/float64(s.plan.N()), 0)
	for axis, distance := range [2]float64{shift.Down, shift.Across} {
		period := s.extended[axis]
		w := 2 * math.Pi * float64(k[axis]) / float64(period)
		sine, cosine := math.Sincos(w * distance * unit)
		isNyquist := 2*k[axis] == period
		if isNyquist { // a sine vanishes at all points
			sine = 0
		}
		if math.IsInf(shift.Width, 1) {
			if k[axis] != 0 {
				return 0
			}
			continue
		}
		deviation := w * shift.Width * unit
		smoothing := math.Exp(-math.Pow(deviation, 2) / 2)
		value *= complex(cosine*smoothing, sine*smoothing)
	}
	return value
}

// Points returns the number of distinct points.
func (s *Shifts) Points() int { return s.distinct[0] * s.distinct[1] }

// ShiftsBytes returns the memory of count maps of functions on a grid, and of the working memory of one worker.
func ShiftsBytes(domain grid.Domain, points, count int) (maps, work float64) {
	rows, columns := domain.Axes(points)
	extended := len(continued(domain, rows)) * len(continued(domain, columns))
	n := float64(extended)
	blocks := (count + together - 1) / together
	maps = 8 * n * float64(1+together*blocks)
	work = 8 * n * (1 + 2 + together + 2*fft.Lanes + 1)
	return maps, work
}

// Work is the working memory of one worker, for a continuation of N points.
type Work struct {
	extended []float64 // N: a function
	spectrum []float64 // N complex numbers: its transform
	block    []float64 // N x together: overwritten by a transform
	first    []float64 // N x fft.Lanes: images under the first maps of a block
	second   []float64 // N x fft.Lanes: images under the others
	values   []float64 // one image, at the distinct points
}

// NewWork returns working memory.
func (s *Shifts) NewWork() *Work {
	n := s.plan.N()
	return &Work{
		extended: make([]float64, n),
		spectrum: make([]float64, 2*n),
		block:    make([]float64, together*n),
		first:    make([]float64, fft.Lanes*n),
		second:   make([]float64, fft.Lanes*n),
		values:   make([]float64, s.Points()),
	}
}

// Apply passes the image of a function under each map, in order, at the distinct points. take must not keep the values.
func (s *Shifts) Apply(f []float64, w *Work, take func(index int, values []float64)) {
	for x, from := range s.source {
		w.extended[x] = f[from]
	}
	s.plan.Spectrum(w.spectrum, w.extended)
	for b, block := range s.factors {
		s.plan.InverseProduct(w.first, w.second, block, w.spectrum, w.block)
		for l := range min(together, s.count-together*b) {
			panel := w.first
			if l >= fft.Lanes {
				panel = w.second
			}
			lane := l % fft.Lanes
			at := 0
			for i := range s.distinct[0] {
				row := panel[fft.Lanes*i*s.extended[1]:]
				for j := range s.distinct[1] {
					w.values[at] = row[fft.Lanes*j+lane]
					at++
				}
			}
			take(together*b+l, w.values)
		}
	}
}
