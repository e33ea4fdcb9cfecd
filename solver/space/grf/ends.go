package grf

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// End says what draws satisfy at an end of the unit interval.
type End struct {
	kind endKind
	loss float64 // see Losing
}

type endKind int

const (
	free endKind = iota
	held
	joined
	losing
)

// The kinds of ends that have no number; Losing returns the others.
var (
	Free   = End{}             // the derivative is zero
	Held   = End{kind: held}   // the value is zero
	Joined = End{kind: joined} // it is joined to the other end: functions are periodic
)

// Losing returns the end at which the value falls outwards at a rate, which is positive, times the value.
func Losing(rate float64) End { return End{kind: losing, loss: rate} }

// phase returns the angle alpha with which sin(wave x + alpha) satisfies the condition of the end at 0.
func (e End) phase(wave float64) float64 {
	switch e.kind {
	case held:
		return 0
	case losing:
		return math.Atan2(wave, e.loss)
	}
	return math.Pi / 2
}

// Between returns draws of functions of one variable whose Karhunen-Loeve functions are the eigenfunctions of -d^2/dx^2
// with the given ends, without a mean. Eigenvalues depend on the wavenumber as for periodic functions.
func (m Measure) Between(left, right End, points int) Draws {
	s := endSampler{points: points, left: left, right: right}
	for k := range modesDrawn(left, right, points) {
		wave := waveBetween(left, right, k)
		if wave == 0 {
			continue
		}
		eigenvalue := math.Exp(2 * m.logDeviation(1, wave*wave))
		amplitude := math.Sqrt(2 * eigenvalue)
		if m.Scale != 0 {
			amplitude *= m.Scale
		}
		mode := make([]float64, points)
		for i := range mode {
			x := float64(i) / float64(points-1)
			mode[i] = amplitude * modeBetween(left, right, wave, x)
		}
		s.modes = append(s.modes, mode)
	}
	return s
}

// isLosing reports whether one of the ends is.
func isLosing(left, right End) bool { return left.kind == losing || right.kind == losing }

// modesDrawn returns the number of modes of draws on a grid. On the grid, those with losing ends are told apart from others with
// one mode less.
func modesDrawn(left, right End, points int) int {
	if isLosing(left, right) {
		return points - 2
	}
	return points - 1
}

// waveBetween returns the wavenumber of mode k.
func waveBetween(left, right End, k int) float64 {
	switch {
	case isLosing(left, right):
		return losingWave(left, right, k)
	case left != right:
		return math.Pi * (float64(k) + 0.5)
	case left == Held:
		return math.Pi * float64(k+1)
	}
	return math.Pi * float64(k)
}

// losingWave returns the wavenumber of mode k, the only root of
//
//	wave + phase of the left end + phase of the right end = (k+1) pi,
//
// whose left side grows with the wavenumber.
func losingWave(left, right End, k int) float64 {
	low := math.Pi * float64(k)
	high := low + math.Pi
	for range 60 { // until the digits are exhausted
		middle := (low + high) / 2
		if middle+left.phase(middle)+right.phase(middle) < math.Pi*float64(k+1) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// modeBetween returns an eigenfunction at x, whose square has the mean 1/2 unless it is constant.
func modeBetween(left, right End, wave, x float64) float64 {
	switch {
	case isLosing(left, right):
		phase := left.phase(wave)
		meanSquare := 0.5 - (math.Sin(2*(wave+phase))-math.Sin(2*phase))/(4*wave)
		return math.Sin(wave*x+phase) / math.Sqrt(2*meanSquare)
	case left == Held:
		return math.Sin(wave * x)
	}
	return math.Cos(wave * x)
}

// Interpolation evaluates functions on the grid of the unit interval at other places, exactly if they are sums of the first
// eigenfunctions with the given ends. What does not depend on the places is computed once. It may be used concurrently.
type Interpolation struct {
	left, right End
	points      int
	fitted      func() fittedModes // of losing ends
}

// NewInterpolation returns the interpolation from a grid of so many points.
func NewInterpolation(left, right End, points int) *Interpolation {
	return &Interpolation{
		left:   left,
		right:  right,
		points: points,
		fitted: sync.OnceValue(func() fittedModes { return fitModes(left, right, points) }),
	}
}

// To returns the matrix, len(places) x points and row-major, that evaluates functions on the grid at places.
func (p *Interpolation) To(places []float64) []float64 {
	switch {
	case p.left == Joined:
		return p.aroundTo(places)
	case isLosing(p.left, p.right):
		return p.losingTo(places)
	}
	return p.modesTo(places)
}

// at returns the place of a point of the grid.
func (p *Interpolation) at(point int) float64 { return float64(point) / float64(p.points-1) }

// aroundTo is To for periodic functions.
func (p *Interpolation) aroundTo(places []float64) []float64 {
	N := p.points - 1
	matrix := make([]float64, len(places)*p.points)
	for j, x := range places {
		row := matrix[j*p.points:]
		for i := range N {
			row[i] = dirichletKernel(x-p.at(i), N)
		}
	}
	return matrix
}

// modesTo is To for ends that do not lose. The sum has the modes that the grid tells apart from others.
func (p *Interpolation) modesTo(places []float64) []float64 {
	N := p.points - 1
	matrix := make([]float64, len(places)*p.points)
	count := p.points
	switch {
	case p.left != p.right:
		count = N
	case p.left == Held:
		count = N - 1
	}
	bothFree := p.left == Free && p.right == Free
	here := make([]float64, p.points)     // weighted values of a mode on the grid
	there := make([]float64, len(places)) // its values at the places
	for k := range count {
		wave := waveBetween(p.left, p.right, k)
		weight := 2 / float64(N)
		if bothFree && (k == 0 || k == N) {
			weight = 1 / float64(N)
		}
		for i := range here {
			here[i] = weight * modeBetween(p.left, p.right, wave, p.at(i))
		}
		here[0] /= 2
		here[N] /= 2
		for j, x := range places {
			there[j] = modeBetween(p.left, p.right, wave, x)
		}
		for j, value := range there {
			row := matrix[j*p.points : (j+1)*p.points]
			floats.AddScaled(row, value, here)
		}
	}
	return matrix
}

// fittedModes are the eigenfunctions with losing ends that the grid tells apart.
type fittedModes struct {
	onGrid *mat.Dense // their values, points x modes
	fit    *mat.Dense // to the coefficients of the nearest sum, in the sense of least squares, modes x points
}

// fitModes returns the modes with losing ends.
func fitModes(left, right End, points int) fittedModes {
	count := modesDrawn(left, right, points)
	m := fittedModes{
		onGrid: mat.NewDense(points, count, nil),
		fit:    new(mat.Dense),
	}
	for k := range count {
		wave := waveBetween(left, right, k)
		for i := range points {
			x := float64(i) / float64(points-1)
			m.onGrid.Set(i, k, modeBetween(left, right, wave, x))
		}
	}
	var qr mat.QR
	qr.Factorize(m.onGrid)
	identity := mat.NewDense(points, points, nil)
	for i := range points {
		identity.Set(i, i, 1)
	}
	if err := qr.SolveTo(m.fit, false, identity); err != nil {
		panic("grf: eigenfunctions depend on each other on the grid: " + err.Error())
	}
	return m
}

// losingTo is To for losing ends. The sum of as many eigenfunctions as the grid tells apart that is nearest to a
// function, in the sense of least squares, is exact for draws. What it leaves of other functions is interpolated with ends that do
// not lose, so that all keep their values on the grid.
func (p *Interpolation) losingTo(places []float64) []float64 {
	modes := p.fitted()
	_, count := modes.onGrid.Dims()
	there := mat.NewDense(len(places), count, nil)
	for k := range count {
		wave := waveBetween(p.left, p.right, k)
		for j, x := range places {
			there.Set(j, k, modeBetween(p.left, p.right, wave, x))
		}
	}
	plain := NewInterpolation(p.left.withoutLoss(), p.right.withoutLoss(), p.points).To(places)
	matrix := mat.NewDense(len(places), p.points, plain)
	var interpolated, difference, corrected mat.Dense
	interpolated.Mul(matrix, modes.onGrid)
	difference.Sub(there, &interpolated) // of modes from their interpolation
	corrected.Mul(&difference, modes.fit)
	matrix.Add(matrix, &corrected)
	return matrix.RawMatrix().Data
}

// withoutLoss returns the end, or a free one if it is losing.
func (e End) withoutLoss() End {
	if e.kind == losing {
		return Free
	}
	return e
}

// dirichletKernel returns the trigonometric polynomial that is 1 at 0 and 0 at the other of n points.
func dirichletKernel(x float64, n int) float64 {
	sum := 1.0
	for k := 1; 2*k < n; k++ {
		sum += 2 * math.Cos(2*math.Pi*float64(k)*x)
	}
	if n%2 == 0 {
		sum += math.Cos(math.Pi * float64(n) * x)
	}
	return sum / float64(n)
}

// BetweenOnSquare returns draws of functions on the unit square whose Karhunen-Loeve functions are the eigenfunctions of
// the negative Laplacian with the given ends along both axes, without a mean.
func (m Measure) BetweenOnSquare(near, far [2]End, points int) Draws {
	s := squareSampler{points: points}
	var waves [2][]float64
	for axis := range 2 {
		modes := make([]float64, 0, points*points)
		for k := range points - 1 {
			wave, mode := normalised(near[axis], far[axis], k, points)
			waves[axis] = append(waves[axis], wave)
			modes = append(modes, mode...)
		}
		s.modes[axis] = modes
	}
	for shell := range points - 1 { // so that finer grids add functions
		for k := range shell + 1 {
			s.order = append(s.order, [2]int{k, shell})
			if k < shell {
				s.order = append(s.order, [2]int{shell, k})
			}
		}
	}
	for _, k := range s.order {
		x := waves[0][k[0]]
		y := waves[1][k[1]]
		amplitude := 0.0
		if square := x*x + y*y; square > 0 {
			amplitude = math.Exp(m.logDeviation(2, square))
		}
		if m.Scale != 0 {
			amplitude *= m.Scale
		}
		s.amplitudes = append(s.amplitudes, amplitude)
	}
	return s
}

// normalised returns the wavenumber and the values on the grid of mode k, whose square has the mean 1. They are zero for a mode that
// the grid does not tell apart from others.
func normalised(near, far End, k, points int) (wave float64, mode []float64) {
	mode = make([]float64, points)
	wave = waveBetween(near, far, k)
	if k >= modesDrawn(near, far, points) {
		return wave, mode
	}
	isSine := near == Held
	if near == Joined {
		wave = 2 * math.Pi * float64((k+1)/2)
		isSine = k%2 == 0 && k > 0
	}
	size := math.Sqrt2
	if wave == 0 {
		size = 1
	}
	for i := range mode {
		x := float64(i) / float64(points-1)
		if isLosing(near, far) {
			mode[i] = size * modeBetween(near, far, wave, x)
		} else if isSine {
			mode[i] = size * math.Sin(wave*x)
		} else {
			mode[i] = size * math.Cos(wave*x)
		}
	}
	return wave, mode
}

// squareSampler evaluates draws on the square. It is immutable and safe for concurrent use.
type squareSampler struct {
	points     int
	modes      [2][]float64 // along the axes, by mode and then point
	order      [][2]int     // of the modes in the stream
	amplitudes []float64
}

// Draw implements Draws.
func (s squareSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	n := s.points
	coefficients := make([]float64, n*n) // modes along x and y
	half := make([]float64, n*n)         // points along x, modes along y
	row := func(matrix []float64, i, length int) []float64 { return matrix[i*n:][:length] }
	for function := range dst.Count {
		stream := draw.Stream(seed, purpose, first+function)
		for i, k := range s.order {
			coefficients[k[0]*n+k[1]] = s.amplitudes[i] * stream.NormFloat64()
		}
		clear(half)
		for k := range n - 1 {
			mode := row(s.modes[0], k, n)
			for i, v := range mode {
				floats.AddScaled(row(half, i, n-1), v, row(coefficients, k, n-1))
			}
		}
		values := dst.At(function)
		clear(values)
		for i := range n {
			for k, c := range row(half, i, n-1) {
				floats.AddScaled(row(values, i, n), c, row(s.modes[1], k, n))
			}
		}
	}
}

// endSampler evaluates draws between two ends. It is immutable and safe for concurrent use.
type endSampler struct {
	points int
	left   End
	right  End
	modes  [][]float64 // times their amplitudes, on the grid
}

// Ends returns what the draws of Between satisfy at both ends; ok is false for other draws.
func Ends(d Draws) (left, right End, ok bool) {
	s, ok := d.(endSampler)
	return s.left, s.right, ok
}

// Draw implements Draws.
func (s endSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	for row := range dst.Count {
		stream := draw.Stream(seed, purpose, first+row)
		values := dst.At(row)
		clear(values)
		for _, mode := range s.modes {
			c := stream.NormFloat64()
			for i, v := range mode {
				values[i] += c * v
			}
		}
	}
}
