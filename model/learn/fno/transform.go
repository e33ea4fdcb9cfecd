package fno

import (
	"math"

	"rfm/solver/num/neural"
)

// transform maps functions on a grid to their lowest Fourier modes and back. Because only some dozens of modes enter,
// it is a product with a matrix for each axis: any number of points is as good as a power of two.
//
// Frequencies along the last axis are 0 ... modes-1, those along the first one, if there are two, are 0 ... modes-1 and
// -modes ... -1. The mode of frequency k along the last axis is number k%8 of group k/8, see neural.Group.
type transform[T neural.Number] struct {
	points [2]int // along the first axis, which is 1 for functions of one variable, and along the last one
	stride int    // numbers between two rows of a function
	rows   int    // frequencies along the first axis
	groups int    // of eight frequencies along the last axis

	analysis, synthesis                     neural.Matrix[T] // along the last axis: points x 16 groups, 16 groups x points
	analysisTransposed, synthesisTransposed neural.Matrix[T]
	// Along the first axis, rows x points: cosines and sines of 2 pi k i/points. Functions of one variable have none.
	cosines, sines                     neural.Matrix[T]
	cosinesTransposed, sinesTransposed neural.Matrix[T]
}

// newTransform returns the transform for so many points and modes along both axes.
func newTransform[T neural.Number](points, modes [2]int) *transform[T] {
	t := &transform[T]{
		points: points,
		rows:   1,
		groups: (modes[1] + neural.Group - 1) / neural.Group,
	}
	t.prepareLast(modes[1])
	if points[0] > 1 {
		t.prepareFirst(modes[0])
	}
	return t
}

// prepareLast computes the matrices along the last axis.
func (t *transform[T]) prepareLast(modes int) {
	last := t.points[1]
	t.analysis = neural.NewMatrix[T](last, t.lineSpectrum())
	t.synthesis = neural.NewMatrix[T](t.lineSpectrum(), last)
	t.stride = t.synthesis.Stride
	for k := range modes {
		re := k/neural.Group*2*neural.Group + k%neural.Group
		im := re + neural.Group
		// A real function has each frequency but 0 twice.
		weight := 2 / float64(last)
		if k == 0 {
			weight = 1 / float64(last)
		}
		for x := range last {
			sin, cos := math.Sincos(angle(k, x, last))
			t.analysis.Row(x)[re] = T(cos)
			t.analysis.Row(x)[im] = T(-sin)
			t.synthesis.Row(re)[x] = T(weight * cos)
			t.synthesis.Row(im)[x] = T(-weight * sin)
		}
	}
	t.analysisTransposed = t.analysis.Transposed()
	t.synthesisTransposed = t.synthesis.Transposed()
}

// prepareFirst computes the matrices along the first axis of functions of two variables, for frequencies of both signs.
func (t *transform[T]) prepareFirst(modes int) {
	points := t.points[0]
	t.rows = 2 * modes
	t.cosines = neural.NewMatrix[T](t.rows, points)
	t.sines = neural.NewMatrix[T](t.rows, points)
	for row := range t.rows {
		k := row
		if row >= modes {
			k = row - t.rows
		}
		for i := range points {
			sin, cos := math.Sincos(angle(k, i, points))
			t.cosines.Row(row)[i] = T(cos)
			t.sines.Row(row)[i] = T(sin)
		}
	}
	t.cosinesTransposed = t.cosines.Transposed()
	t.sinesTransposed = t.sines.Transposed()
}

// angle returns 2 pi k x/n, reduced to one turn before the rounding.
func angle(k, x, n int) float64 { return 2 * math.Pi * float64(k*x%n) / float64(n) }

// functionSize returns the numbers of one function in memory, spectrumGroups the groups of its spectrum, spectrumSize its
// numbers, and lineSpectrum those of the spectrum of a line along the last axis.
func (t *transform[T]) functionSize() int   { return t.points[0] * t.stride }
func (t *transform[T]) spectrumGroups() int { return t.rows * t.groups }
func (t *transform[T]) spectrumSize() int   { return t.spectrumGroups() * 2 * neural.Group }
func (t *transform[T]) lineSpectrum() int   { return t.groups * 2 * neural.Group }

// halfway is the memory for functions that are transformed along their last axis alone: for each function and point of
// the first axis one row of 16 groups, and a copy multiplied by -i.
type halfway[T neural.Number] struct {
	values []T // functions x points x 16 groups
	turned []T // the same, times -i
}

func (t *transform[T]) newHalfway(functions int) halfway[T] {
	if t.points[0] == 1 {
		return halfway[T]{}
	}
	size := functions * t.points[0] * t.lineSpectrum()
	return halfway[T]{
		values: make([]T, size),
		turned: make([]T, size),
	}
}

// lines returns functions as a matrix of lines along the last axis.
func (t *transform[T]) lines(functions []T) neural.Matrix[T] {
	return neural.Matrix[T]{
		Rows:   len(functions) / t.stride,
		Cols:   t.points[1],
		Stride: t.stride,
		Data:   functions,
	}
}

// spectraOfLines returns memory as a matrix with the spectrum of a line in each row.
func (t *transform[T]) spectraOfLines(data []T) neural.Matrix[T] {
	size := t.lineSpectrum()
	return neural.Matrix[T]{
		Rows:   len(data) / size,
		Cols:   size,
		Stride: size,
		Data:   data,
	}
}

// forward adds the spectra of functions to spectra: sum_x u(x) exp(-2 pi i k.x).
func (t *transform[T]) forward(spectra, functions []T, h halfway[T]) {
	t.analyse(spectra, functions, t.analysis, 1, h)
}

// inverseTransposed adds the transposed map of inverse, from functions to spectra.
func (t *transform[T]) inverseTransposed(spectra, functions []T, h halfway[T]) {
	t.analyse(spectra, functions, t.synthesisTransposed, 1/T(t.points[0]), h)
}

// inverse adds to functions those with given spectra, normalised so that it inverts forward for the modes it has.
func (t *transform[T]) inverse(functions, spectra []T, h halfway[T]) {
	t.synthesise(functions, spectra, t.synthesis, 1/T(t.points[0]), h)
}

// forwardTransposed adds the transposed map of forward, from spectra to functions.
func (t *transform[T]) forwardTransposed(functions, spectra []T, h halfway[T]) {
	t.synthesise(functions, spectra, t.analysisTransposed, 1, h)
}

// analyse transforms the last axis by a matrix, then the first one, and multiplies by a factor.
func (t *transform[T]) analyse(spectra, functions []T, last neural.Matrix[T], factor T, h halfway[T]) {
	if t.points[0] == 1 {
		neural.AddProduct(t.spectraOfLines(spectra), t.lines(functions), last)
		return
	}
	count := len(functions) / t.functionSize()
	size := t.points[0] * t.lineSpectrum() // of a function halfway
	spectrum := t.spectrumSize()
	values := h.values[:count*size]
	clear(values)
	neural.AddProduct(t.spectraOfLines(values), t.lines(functions), last)
	for i := range values {
		values[i] *= factor
	}
	turn(h.turned[:len(values)], values)
	for f := range count {
		sum := t.spectraOfLines(spectra[f*spectrum:][:spectrum])
		own := t.spectraOfLines(values[f*size:][:size])
		turned := t.spectraOfLines(h.turned[f*size:][:size])
		neural.AddProduct(sum, t.cosines, own)
		neural.AddProduct(sum, t.sines, turned)
	}
}

// synthesise transforms the first axis and multiplies by a factor, then the last axis by a matrix.
func (t *transform[T]) synthesise(functions, spectra []T, last neural.Matrix[T], factor T, h halfway[T]) {
	if t.points[0] == 1 {
		neural.AddProduct(t.lines(functions), t.spectraOfLines(spectra), last)
		return
	}
	count := len(functions) / t.functionSize()
	size := t.points[0] * t.lineSpectrum() // of a function halfway
	spectrum := t.spectrumSize()
	values := h.values[:count*size]
	clear(values)
	turned := h.turned[:spectrum]
	for f := range count {
		own := spectra[f*spectrum:][:spectrum]
		sum := t.spectraOfLines(values[f*size:][:size])
		// exp(+i phi) X = cos phi X - sin phi (-i X)
		turn(turned, own)
		for i := range turned {
			turned[i] = -turned[i]
		}
		neural.AddProduct(sum, t.cosinesTransposed, t.spectraOfLines(own))
		neural.AddProduct(sum, t.sinesTransposed, t.spectraOfLines(turned))
	}
	for i := range values {
		values[i] *= factor
	}
	neural.AddProduct(t.lines(functions), t.spectraOfLines(values), last)
}

// turn sets y to -i x, group by group.
func turn[T neural.Number](y, x []T) {
	const half = neural.Group
	for g := 0; g < len(x); g += 2 * half {
		copy(y[g:g+half], x[g+half:g+2*half])
		for i := g; i < g+half; i++ {
			y[i+half] = -x[i]
		}
	}
}
